"""An event's standings: the pure rules applied to its facts, and the ledger's word on what the event changed."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F

from clubrating.ground.figures import round_half_away
from ratings.models import LedgerEntry
from tournaments.events.selectors.event_data import Entrant, EventData, RoundData
from tournaments.events.selectors.stages import system_of
from tournaments.models import Stage
from tournaments.pairing.base import RoundSystem
from tournaments.rounds.selectors.field import bye_points, points_of_event
from tournaments.standings.crosstable import Bye, Crosstable, Meeting, annulled, build_crosstable, own_games
from tournaments.standings.points import PointSystem
from tournaments.standings.rank import Standing, rank
from tournaments.standings.tiebreaks import Contest, Tiebreak, tiebreaks_of


@dataclass(frozen=True, slots=True)
class Leaver:
    """Somebody who withdrew from a round robin after so many of his games; `annulled`: they count for nobody."""

    entrant: Entrant
    completed: int
    scheduled: int
    annulled: bool


@dataclass(frozen=True, slots=True)
class EventStandings:
    """Standings, best first, the contest they were read off, the tie-breaks; `leavers`: whose games may not count."""

    rows: tuple[Standing, ...]
    contest: Contest
    tiebreaks: tuple[Tiebreak, ...]
    entrants: dict[int, Entrant]
    leavers: tuple[Leaver, ...] = ()

    @property
    def table(self) -> Crosstable:
        return self.contest.table

    @property
    def points(self) -> PointSystem:
        return self.contest.points


def standings_of(event: EventData) -> EventStandings:
    """The event's standings as they are now; empty while it has no rounds."""
    contest, tiebreaks = contest_of(event), tiebreaks_of(event.tournament.tiebreaks)
    rows = tuple(rank(contest, tiebreaks)) if event.rounds else ()
    return EventStandings(rows, contest, tiebreaks, by_number(event), leavers_of(event))


def contest_of(event: EventData) -> Contest:
    """What the event's tie-breaks are read off, as it is now. Who has no rating snapshot is unrated."""
    people, swiss = by_number(event).items(), is_swiss(event.stage)
    # Officers see drafts, and nothing of a draft counts yet.
    shown = [row for row in event.rounds if not row.is_draft]
    counting = (row.number for row in shown if row.begun or swiss)
    return Contest(
        table=crosstable_of(event, shown),
        points=points_of(event),
        rounds=max(counting, default=0),
        swiss=swiss,
        edition=event.tournament.tiebreak_edition,
        ratings={number: round_half_away(person.rating) for number, person in people if person.rating is not None},
        lots=event.tournament.tiebreak_lots,
    )


def is_swiss(stage: Stage) -> bool:
    """Whether unplayed rounds count as in a Swiss: where every round is paired from those before it."""
    return isinstance(system_of(stage), RoundSystem)


def points_of(event: EventData) -> PointSystem:
    """The event's points, the allocated bye worth what the event says."""
    return points_of_event(event.tournament)


def crosstable_of(event: EventData, rounds: Sequence[RoundData]) -> Crosstable:
    """The crosstable of those rounds over all entrants who have a pairing number."""
    out = [leaver.entrant.number or 0 for leaver in leavers_of(event) if leaver.annulled]
    numbers = sorted(by_number(event))
    return build_crosstable(numbers, meetings_of(rounds), byes_of(event, rounds), points_of(event), out)


def leavers_of(event: EventData) -> tuple[Leaver, ...]:
    """Who withdrew from a stage in which everybody has a known number of games, and whether his games count."""
    people = {person.number: person for person in event.entrants if person.withdrawn and person.number is not None}
    if not people or not event.is_schedule:
        return ()
    meetings = meetings_of(event.rounds)
    games = {number: own_games(number, meetings) for number in people}
    out = annulled(games, event.tournament.leaver_rule)
    return tuple(
        Leaver(people[number], own.completed, own.scheduled, number in out)
        for number, own in games.items()
        if own.scheduled
    )


def meetings_of(rounds: Sequence[RoundData]) -> list[Meeting]:
    """The games of those rounds between numbers, open ones too."""
    return [
        Meeting(row.number, board.white.number or 0, board.black.number or 0, board.result, board.armageddon)
        for row in rounds
        for board in row.boards
    ]


def points_before(event: EventData, number: int) -> dict[int, int]:
    """Everybody's points before that round, by pairing number."""
    table = crosstable_of(event, [row for row in event.rounds if row.number < number])
    return {player: line.points for player, line in table.items()}


def rating_changes(event: EventData) -> dict[int, dict[int, float]]:
    """What the event has changed so far in the list that rates it, by stage's and player's key. One query."""
    if event.rating_list is None:
        return {}
    rows = LedgerEntry.objects.filter(
        rating_list=event.rating_list,
        generation=F("rating_list__live_generation"),
        game__tournament=event.tournament,
    ).values_list("game__pairing__stage_id", "game__white_id", "game__black_id", "white_change", "black_change")
    changes: dict[int, dict[int, float]] = {}
    for stage, white, black, white_change, black_change in rows:
        own = changes.setdefault(stage, {})
        own[white] = own.get(white, 0.0) + (white_change or 0.0)
        own[black] = own.get(black, 0.0) + (black_change or 0.0)
    return changes


def by_number(event: EventData) -> dict[int, Entrant]:
    """Who has a number in the stage, by it."""
    return {person.number: person for person in event.entrants if person.number is not None}


def byes_of(event: EventData, rounds: Sequence[RoundData]) -> list[Bye]:
    """The byes of those rounds with their points; in a schedule they bring them when the round has begun."""
    return [
        Bye(row.number, bye.entrant.number or 0, bye_points(event.stage, bye.kind), bye.kind)
        for row in rounds
        if row.begun or not event.is_schedule
        for bye in row.byes
    ]
