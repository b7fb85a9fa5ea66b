"""An event's standings: the pure rules applied to its facts, and the ledger's word on what the event changed."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F

from players.models import Player
from ratings.models import LedgerEntry
from tournaments.models import ByeKind
from tournaments.pairing import pairing_system
from tournaments.selectors.events import Entrant, EventFacts, RoundFacts
from tournaments.standings.crosstable import Bye, Crosstable, Meeting, build_crosstable
from tournaments.standings.lead import find_lead
from tournaments.standings.points import PointSystem, point_system
from tournaments.standings.rank import Standing, rank
from tournaments.standings.tiebreaks import Tiebreak, tiebreak


@dataclass(frozen=True, slots=True)
class EventStandings:
    """Standings, best first, with the crosstable, the point system and the tie-breaks they were made with."""

    rows: tuple[Standing, ...]
    table: Crosstable
    points: PointSystem
    tiebreaks: tuple[Tiebreak, ...]
    entrants: dict[int, Entrant]


@dataclass(frozen=True, slots=True)
class EventLead:
    """Who is in front: the people in first place, their points, and by how much they are ahead of whom."""

    leaders: tuple[Player, ...]
    points: int
    played: int
    ahead_by: int
    chasers: tuple[Player, ...]
    unit: int

    @property
    def others(self) -> int:
        """How many share the first place with the first of the leaders."""
        return len(self.leaders) - 1


def standings_of(event: EventFacts) -> EventStandings:
    """The event's standings as they are now; empty while it has no rounds."""
    points = point_system(event.tournament.point_system)
    tiebreaks = tuple(tiebreak(code.strip()) for code in event.tournament.tiebreaks.split(",") if code.strip())
    table = crosstable_of(event, event.rounds)
    rows = tuple(rank(table, tiebreaks, points)) if event.rounds else ()
    return EventStandings(rows, table, points, tiebreaks, _by_number(event))


def crosstable_of(event: EventFacts, rounds: Sequence[RoundFacts]) -> Crosstable:
    """The crosstable of those rounds over all entrants who have a pairing number."""
    meetings = [
        Meeting(row.number, board.white.number or 0, board.black.number or 0, board.result)
        for row in rounds
        for board in row.boards
    ]
    byes = [
        Bye(row.number, bye.entrant.number or 0, _bye_points(event, bye.kind)) for row in rounds for bye in row.byes
    ]
    return build_crosstable(sorted(_by_number(event)), meetings, byes, point_system(event.tournament.point_system))


def points_before(event: EventFacts, number: int) -> dict[int, int]:
    """Everybody's points before that round, by pairing number."""
    table = crosstable_of(event, [row for row in event.rounds if row.number < number])
    return {player: line.points for player, line in table.items()}


def lead_of(event: EventFacts, standings: EventStandings) -> EventLead | None:
    """Who leads, or won; None while nothing has been played."""
    lead = find_lead(standings.rows)
    if lead is None:
        return None
    leaders = tuple(standings.entrants[number].player for number in lead.leaders)
    chasers = tuple(standings.entrants[number].player for number in lead.chasers)
    return EventLead(leaders, lead.points, lead.played, lead.ahead_by, chasers, standings.points.unit)


def rating_changes(event: EventFacts) -> dict[int, float]:
    """What the event has changed so far in the list that rates it, by player's key. One query."""
    if event.rating_list is None:
        return {}
    rows = LedgerEntry.objects.filter(
        rating_list=event.rating_list,
        generation=F("rating_list__live_generation"),
        game__tournament=event.tournament,
    ).values_list("game__white_id", "game__black_id", "white_change", "black_change")
    changes: dict[int, float] = {}
    for white, black, white_change, black_change in rows:
        changes[white] = changes.get(white, 0.0) + (white_change or 0.0)
        changes[black] = changes.get(black, 0.0) + (black_change or 0.0)
    return changes


def _by_number(event: EventFacts) -> dict[int, Entrant]:
    return {person.number: person for person in event.entrants if person.number is not None}


def _bye_points(event: EventFacts, kind: str) -> int:
    points = point_system(event.tournament.point_system)
    if kind == ByeKind.ALLOCATED:
        scores = pairing_system(event.stage.pairing_system).allocated_bye_scores
        return points.allocated_bye if scores else 0
    return {ByeKind.FULL: points.win, ByeKind.HALF: points.draw}.get(ByeKind(kind), 0)
