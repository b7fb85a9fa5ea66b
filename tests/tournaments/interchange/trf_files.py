"""Reports for the tests: real files, and the shortest way to made-up ones."""

from collections.abc import Sequence

from tests import ROOT
from tournaments.interchange.trf import Cell, Report, ReportPlayer, read_report

FOLDER = ROOT / "tests" / "data" / "reports"
GOOD = sorted(path.name for path in FOLDER.iterdir() if "_bad_" not in path.name or "comments" in path.name)


def real(name: str) -> Report:
    return read_report((FOLDER / name).read_bytes())


def row(number: int, rounds: str = "", *, name: str = "", points: str = "", **columns: str) -> str:
    """A line 001. `rounds` are cells apart by a bar: "2 w 1|3 b =|- - U"."""
    given = {"sex": "", "title": "", "rating": "", "federation": "", "fide": "", "birth": "", "rank": "", **columns}
    person = (
        f"001 {number:>4} {given['sex']:1}{given['title']:>3} {name or f'Player {number}':<33} {given['rating']:>4} "
        f"{given['federation']:>3} {given['fide']:>11} {given['birth']:<10} {points:>4} {given['rank']:>4}"
    )
    return person + "".join(_slot(cell) for cell in rounds.split("|") if rounds)


def _slot(cell: str) -> str:
    parts = cell.split()
    if not parts:
        return " " * 10
    opponent = "0000" if parts[0] == "-" else parts[0]
    return f"  {opponent:>4} {parts[1]} {parts[2] if len(parts) > 2 else ' '}"


def text(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def report(*lines: str) -> Report:
    return read_report(text(*lines))


def players_from(rounds: Sequence[Sequence[tuple[int, int, str, str]]], count: int) -> tuple[ReportPlayer, ...]:
    """Players 1…count whose rounds are (white, black, White's code, Black's code); everybody else is absent."""
    cells: dict[int, list[Cell]] = {number: [] for number in range(1, count + 1)}
    for games in rounds:
        for own in cells.values():
            own.append(Cell(0, "", "Z"))
        for white, black, mine, theirs in games:
            cells[white][-1], cells[black][-1] = Cell(black, "w", mine), Cell(white, "b", theirs)
    return tuple(ReportPlayer(number, f"Player {number}", cells=tuple(own)) for number, own in cells.items())
