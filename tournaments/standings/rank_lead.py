"""Who leads, by how much: the news of an event, read off its standings."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.standings.rank import Standing


@dataclass(frozen=True, slots=True)
class Lead:
    """The players in first place, their points and games, and those right behind them.

    `ahead_by` is the distance in points (smallest unit) to the `chasers`; 0 where only a tie-break parts them.
    """

    leaders: tuple[int, ...]
    points: int
    played: int
    ahead_by: int
    chasers: tuple[int, ...]


def find_lead(standings: Sequence[Standing]) -> Lead | None:
    """The lead in standings ordered best first; None while nobody has a result."""
    if not any(row.played for row in standings):
        return None
    first = standings[0]
    leaders = tuple(row.player for row in standings if row.place == first.place)
    rest = standings[len(leaders) :]
    chasers = tuple(row.player for row in rest if row.points == rest[0].points)
    ahead_by = first.points - rest[0].points if rest else 0
    return Lead(leaders, first.points, first.played, ahead_by, chasers)
