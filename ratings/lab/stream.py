"""The study's measures on a given stream of games: ratings at three milestones, disorder every 100 games.

Source: the study of six rating systems. There are no random numbers: everybody is there from the first game on, in the
order given, and equal ratings keep the order they had. League, Solo-Zerg, R2 and KD know no draws: a drawn game leaves
their ratings alone, and counts as a game all the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from ratings.lab.contenders import Contender
from ratings.lab.engine import PLAIN, Engine
from ratings.lab.table import Table

MILESTONES = (1_000, 10_000, 100_000)


class Games(NamedTuple):
    """A stream: places of White and Black among the players, White's scores (1, 0.5, 0)."""

    white: Sequence[int]
    black: Sequence[int]
    scores: Sequence[float]


@dataclass(frozen=True, slots=True)
class Measured:
    """Of one system: everybody's rating at the milestones the stream reaches, the disorder after every 100 games."""

    ratings: dict[int, list[float]]
    index: list[int]


def measure(strengths: Sequence[float], games: Games, contender: Contender, engine: Engine = PLAIN) -> Measured:
    """Run a stream through a system. `strengths`: true strengths of the players, by place."""
    table = Table(contender, engine, strengths)
    found = Measured({}, [])
    count = len(games.white)
    reached = [games_done for games_done in MILESTONES if games_done <= count]
    for start, end in pairwise(sorted({0, *reached, count})):
        # Every milestone is a whole number of looks, so no look falls between two parts.
        found.index.extend(table.play(games.white[start:end], games.black[start:end], games.scores[start:end]))
        if end in reached:
            found.ratings[end] = table.ratings
    return found


def stream_report(
    names: Sequence[str], strengths: Sequence[float], games: Games, contenders: Sequence[Contender]
) -> dict[str, Any]:
    """Every system's measures as plain values for JSON, players in the order given."""
    systems = {}
    for each in contenders:
        found = measure(strengths, games, each)
        ratings = {str(done): dict(zip(names, at, strict=True)) for done, at in found.ratings.items()}
        systems[each.key] = {"ratings": ratings, "index": found.index}
    return {"systems": systems}
