"""The list of all events: in what state each is, and who leads those that are shown.

An event counts as finished when all its boards have results. Not done here: formats that make their rounds one by
one, where that is not enough.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from django.db.models import Count, F, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from tournaments.models import Entry, Game, Round, Stage, Tournament
from tournaments.selectors.events import EventFacts, board_rows, entrant, entries_of, rounds_from
from tournaments.selectors.standings import EventLead, lead_of, standings_of
from tournaments.standings.points import DECIDED_RESULTS


class State(StrEnum):
    COMING = "coming"
    RUNNING = "running"
    FINISHED = "finished"
    OPEN_ENDED = "open-ended"


@dataclass(frozen=True, slots=True)
class EventLine:
    """One event of the list. `games` have a result; `first_on` and `last_on` are the days of the first and the last
    of them. `rounds` is 0 until the first one is published."""

    tournament: Tournament
    stage: Stage
    state: State
    players: int
    rounds: int
    games: int
    first_on: date | None
    last_on: date | None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an event is, and who leads it."""

    rounds_done: int
    lead: EventLead | None


def list_events(today: date) -> list[EventLine]:
    """All events, the latest first, in two queries."""
    games = {row["tournament_id"]: row for row in _game_counts()}
    return [_line(stage, games.get(stage.tournament_id, {}), today) for stage in _first_stages()]


def progress_of(lines: Iterable[EventLine]) -> dict[int, Progress]:
    """Rounds done and lead of those events, by the event's key, in two queries however many there are."""
    shown = [line for line in lines if line.state in (State.RUNNING, State.FINISHED)]
    keys = [line.tournament.pk for line in shown]
    entries = _grouped(entries_of(keys), "tournament_id")
    boards = _grouped(board_rows(keys), "stage__tournament_id")
    progress = {}
    for line in shown:
        key = line.tournament.pk
        entrants = tuple(entrant(entry, {}) for entry in entries.get(key, []))
        rounds = tuple(row for row in rounds_from(boards.get(key, []), entrants) if not row.is_draft)
        event = EventFacts(line.tournament, line.stage, entrants, rounds, line.rounds, None)
        progress[key] = Progress(event.rounds_done, lead_of(event, standings_of(event)))
    return progress


def state_of(tournament: Tournament, *, rounds: int, games: int, open_boards: int, today: date) -> State:
    """Where an event stands: `rounds` are those published, `games` have a result, `open_boards` have none yet."""
    if tournament.open_ended:
        return State.OPEN_ENDED
    if not rounds:
        return State.COMING
    if not open_boards:
        return State.FINISHED
    begun = games or (tournament.starts_on is not None and tournament.starts_on <= today)
    return State.RUNNING if begun else State.COMING


def state_of_facts(event: EventFacts, today: date) -> State:
    """The same for an event whose boards are at hand."""
    boards = [board for row in event.rounds for board in row.boards]
    decided = sum(board.decided for board in boards)
    published = sum(not row.is_draft for row in event.rounds)
    # A round this viewer may not see yet is still to be played.
    still_open = len(boards) - decided + (event.round_count - len(event.rounds))
    return state_of(event.tournament, rounds=published, games=decided, open_boards=still_open, today=today)


def _line(stage: Any, games: dict[str, Any], today: date) -> EventLine:
    decided = games.get("decided", 0)
    open_boards = games.get("everything", 0) - decided
    return EventLine(
        tournament=stage.tournament,
        stage=stage,
        state=state_of(stage.tournament, rounds=stage.published, games=decided, open_boards=open_boards, today=today),
        players=stage.players,
        rounds=stage.round_count if stage.published else 0,
        games=decided,
        first_on=games.get("first_on"),
        last_on=games.get("last_on"),
    )


def _first_stages() -> QuerySet[Stage]:
    published = Round.objects.exclude(state=Round.State.DRAFT)
    return (
        Stage.objects.filter(order=1)
        .select_related("tournament")
        .annotate(
            players=_count(Entry.objects.filter(tournament=OuterRef("tournament")), "tournament"),
            round_count=_count(Round.objects.filter(stage=OuterRef("pk")), "stage"),
            published=_count(published.filter(stage=OuterRef("pk")), "stage"),
        )
        .order_by(F("tournament__starts_on").desc(nulls_last=True), "-tournament_id")
    )


def _count(rows: QuerySet[Any], by: str) -> Coalesce:
    """The number of rows as a subquery: joins would multiply each other."""
    return Coalesce(Subquery(rows.order_by().values(by).annotate(n=Count("pk")).values("n")), 0)


def _game_counts() -> Iterable[Any]:
    return (
        Game.objects.order_by()
        .values("tournament_id")
        .annotate(
            everything=Count("pk"),
            decided=Count("pk", filter=Q(result__in=DECIDED_RESULTS)),
            first_on=Min("played_on"),
            last_on=Max("played_on"),
        )
    )


def _grouped(rows: Iterable[Any], by: str) -> dict[int, list[Any]]:
    groups: dict[int, list[Any]] = {}
    for row in rows:
        groups.setdefault(getattr(row, by), []).append(row)
    return groups
