"""Who leads a stage, or won it: by points and tie-breaks, or at the top of the Keizer list."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from players.models import Player
from tournaments.events.selectors.facts import EventFacts
from tournaments.event_pages.selectors.formats_keizer import is_keizer, keizer_places
from tournaments.events.selectors.standings import EventStandings
from tournaments.standings.rank_lead import find_lead


@dataclass(frozen=True, slots=True)
class EventLead:
    """Who is in front: the people in first place, their points, and by how much they are ahead of whom. `by_value`:
    the points are those of a Keizer list, and no share of the games played; `of_one`: a win is one point, so that
    points are so many out of the rounds `played` (with byes, where these count)."""

    leaders: tuple[Player, ...]
    points: int | Fraction
    played: int
    ahead_by: int | Fraction
    chasers: tuple[Player, ...]
    unit: int
    by_value: bool = False
    of_one: bool = True

    @property
    def others(self) -> int:
        """How many share the first place with the first of the leaders."""
        return len(self.leaders) - 1


def lead_of(event: EventFacts, standings: EventStandings) -> EventLead | None:
    """Who leads, or won; None while nothing has been played."""
    if is_keizer(event):
        return _keizer_lead(event)
    lead = find_lead(standings.rows)
    if lead is None:
        return None
    leaders, chasers = _people(standings, lead.leaders), _people(standings, lead.chasers)
    points = standings.points
    of_one = points.win == points.unit
    # A bye in a Swiss is a round like any other; the free day of a round robin is none.
    byes = len(standings.table[lead.leaders[0]].byes) if standings.contest.swiss else 0
    return EventLead(leaders, lead.points, lead.played + byes, lead.ahead_by, chasers, points.unit, of_one=of_one)


def _people(standings: EventStandings, numbers: Iterable[int]) -> tuple[Player, ...]:
    return tuple(standings.entrants[number].player for number in numbers)


def _keizer_lead(event: EventFacts) -> EventLead | None:
    lines = keizer_places(event)
    if not any(line.played for line in lines):
        return None
    first = lines[0]
    leaders = tuple(line.entrant.player for line in lines if line.place == first.place)
    rest = lines[len(leaders) :]
    chasers = tuple(line.entrant.player for line in rest if line.score == rest[0].score)
    ahead_by = first.score - rest[0].score if rest else Fraction(0)
    return EventLead(leaders, first.score, first.played, ahead_by, chasers, 1, by_value=True)
