"""Real games from a file of a stream: dated, in order, players numbered as they come."""

import csv
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from ratings.systems.base import PlayedGame, order_key

Line = Mapping[str, str]


def played_lines(path: Path) -> list[Line]:
    """The file's lines of played games, by date."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = [row for row in csv.DictReader(file) if row["result"] in ("1", "0", "0.5")]
    return sorted(lines, key=lambda row: row["date"])


def games_of(lines: Sequence[Line]) -> list[PlayedGame]:
    """The games of those lines, in their order."""
    keys: dict[str, int] = {}
    games = []
    for at, row in enumerate(lines):
        day = date.fromisoformat(row["date"])
        white, black = (keys.setdefault(row[side], len(keys) + 1) for side in ("white", "black"))
        games.append(PlayedGame(at, white, black, float(row["result"]), order_key(day, at), day.toordinal()))
    return games
