"""A report written as TRF16 or TRF26.

Columns are those of the TRF16 text, players and rounds alike in both; the editions differ in how the number of rounds
and the first colour are said. Records that were kept leave as they came, after the players. UTF-8, lines end in LF;
a name longer than its 33 columns is cut.
"""

from collections.abc import Iterator

from tournaments.interchange.trf.cells import long_day, short_day
from tournaments.interchange.trf.records import OPEN, WHITE, Cell, Report, ReportPlayer
from tournaments.interchange.trf.rows import NAME_WIDTH

VERSIONS = (16, 26)
_TEAM_TAGS = ("013", "310")


def write_report(report: Report, version: int = 26) -> bytes:
    """The whole file; `version` is one of VERSIONS."""
    lines = [
        *(f"### {comment}" for comment in report.comments),
        *head_lines(report),
        *settings_lines(report, version),
        *(_row(player) for player in report.players),
        *(record.line for record in report.records),
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def head_lines(report: Report) -> Iterator[str]:
    """The lines 012 to 132."""
    yield f"012 {report.name}"
    yield f"022 {report.city}"
    yield f"032 {report.federation}"
    yield f"042 {long_day(report.starts_on)}"
    yield f"052 {long_day(report.ends_on)}"
    yield f"062 {len(report.players)}"
    yield f"072 {sum(player.rating is not None for player in report.players)}"
    yield f"082 {max(sum(record.tag == tag for record in report.records) for tag in _TEAM_TAGS)}"
    yield f"092 {report.kind}"
    yield f"102 {report.chief_arbiter}"
    yield from (f"112 {name}" for name in report.deputies)
    yield f"122 {report.time_control}"
    if report.round_days:
        days = "".join(f"{short_day(day) if day else '':<10}" for day in report.round_days)
        yield f"{'132':<91}{days}".rstrip()


def settings_lines(report: Report, version: int) -> Iterator[str]:
    """Number of rounds, first colour, and whether numbers follow the ranks, as that edition says them."""
    colour = "white1" if report.first_colour == WHITE else "black1"
    if report.rounds:
        yield f"142 {report.rounds}" if version == 26 else f"XXR {report.rounds}"
    if report.first_colour:
        yield f"152 {colour[0].upper()}" if version == 26 else f"XXC {colour}"
    if report.by_rank:
        yield "XXC rank"


def _row(player: ReportPlayer) -> str:
    person = (
        f"001 {player.number:>4} {player.sex:1}{player.title:>3} {player.name[:NAME_WIDTH]:<{NAME_WIDTH}} "
        f"{player.rating or '':>4} {player.federation[:3]:<3} {player.fide_id[:11]:>11} {player.birth[:10]:<10} "
        f"{player.points:>4} {player.rank or '':>4}"
    )
    return person + "".join(_cell(cell) for cell in player.cells)


def _cell(cell: Cell) -> str:
    """Ten columns: two blanks, then opponent, colour, result. An open game has a blank where the result comes."""
    if not cell.opponent:
        return f"  0000 - {cell.code}"
    code = " " if cell.code == OPEN else cell.code
    return f"  {cell.opponent:>4} {cell.colour or '-'} {code}"
