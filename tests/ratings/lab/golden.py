"""The golden stream: 3,000 games of forty players with draws, and where every contender left them at the end.

Forty play more often with each other than a hundred and forty would, so that all normalisations happen in it.
"""

import csv
import json
from datetime import date
from typing import Any, NamedTuple

from ratings.lab.contenders import Contender
from ratings.systems.base import PlayedGame, PlayerState, order_key
from ratings.systems.replay import DatedRule, DatedRules, Row, replay
from tests import ROOT

FOLDER = ROOT / "tests" / "data" / "lab"
RESULTS = ROOT / "ratings" / "lab" / "results"
PLAYERS = 40
STRENGTHS = [10.0 * 2 ** (place % 7) for place in range(PLAYERS)]


class Games(NamedTuple):
    white: list[int]
    black: list[int]
    scores: list[float]


def golden_games() -> Games:
    with (FOLDER / "stream.csv").open(encoding="ascii", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return Games(
        *([int(row[name]) for row in rows] for name in ("white", "black")), [float(row["score"]) for row in rows]
    )


def golden_ratings() -> dict[str, list[float]]:
    """Last ratings by place, per contender."""
    found: dict[str, list[float]] = json.loads((FOLDER / "ratings.json").read_text(encoding="ascii"))
    return found


def club_replay(contender: Contender, games: Games) -> tuple[list[PlayerState], list[Row]]:
    """The stream as the club would rate it: the states by place, and every row of its ledger."""
    states: dict[int, PlayerState] = {}
    day = date(2026, 1, 5)
    played = [
        PlayedGame(number, *row, order_key(day, number), day.toordinal())
        for number, row in enumerate(zip(*games, strict=True), start=1)
    ]
    rules = DatedRules([DatedRule(date.min, contender.system, contender.settings)])
    rows = list(replay(played, [], states=states, birth_years={}, rules=rules))
    return [states[place] for place in range(PLAYERS)], rows


def committed(name: str) -> dict[str, Any]:
    """A document of the lab as it is kept."""
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return found
