"""The real round robins the rules are checked against, as the pure code takes them.

`hb…` are club events of Hobsons Bay Chess Club (MIT), pseudonymous; the Candidates 2024 also stand in tests/data.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

from tests import ROOT
from tournaments.standings.crosstable import Crosstable, Meeting, build_crosstable
from tournaments.standings.points import Result, point_system

DATA = ROOT / "tests" / "data"
CLASSIC = point_system("classic")
CODES = {
    "1-0": Result.WHITE_WINS,
    "0-1": Result.BLACK_WINS,
    "0.5-0.5": Result.DRAW,
    "1/2-1/2": Result.DRAW,
    "0F-1F": Result.WHITE_FORFEITS,
    "1F-0F": Result.BLACK_FORFEITS,
}


@dataclass(frozen=True, slots=True)
class RealGame:
    """One game by pairing numbers; `board` is the place in the published order."""

    round: int
    board: int
    white: int
    black: int
    result: Result


def read_rows(file: Path) -> list[dict[str, str]]:
    """The rows of a CSV file; lines that begin with # say where it comes from."""
    with file.open(encoding="utf-8") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def candidates_2024() -> list[RealGame]:
    return [_game(row, row["white"], row["black"]) for row in read_rows(DATA / "candidates2024.csv")]


def candidates_2024_as_delivered(real_data: Path) -> list[RealGame]:
    rows = read_rows(real_data / "rr" / "candidates2024.games.csv")
    return [_game(row, row["white_draw_no"], row["black_draw_no"]) for row in rows]


def club_event(real_data: Path, name: str) -> list[RealGame]:
    rows = read_rows(real_data / "rr" / f"{name}.pairings.csv")
    return [_game(row, row["white_tpn"], row["black_tpn"]) for row in rows if not row["bye"]]


def rounds_of(games: list[RealGame]) -> list[list[tuple[int, int]]]:
    """(white, black) of each round in board order."""
    numbers = range(1, max(game.round for game in games) + 1)
    ordered = sorted(games, key=lambda game: game.board)
    return [[(game.white, game.black) for game in ordered if game.round == number] for number in numbers]


def crosstable_of(games: list[RealGame]) -> Crosstable:
    players = sorted({game.white for game in games} | {game.black for game in games})
    return build_crosstable(
        players, [Meeting(game.round, game.white, game.black, game.result) for game in games], [], CLASSIC
    )


def _game(row: dict[str, str], white: str, black: str) -> RealGame:
    return RealGame(int(row["round"]), int(row["board"]), int(white), int(black), CODES[row["result"]])
