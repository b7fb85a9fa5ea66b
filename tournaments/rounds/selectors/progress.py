"""How far rounds are: boards with two players, how many of those have a result, and which round is being played.

A match of a knockout that nobody has won, and that has no game to be played, is a board still to do: its players are
not known yet, or the arbiter has to say who goes on.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet

from tournaments.events.selectors.event_data import EventData, RoundData
from tournaments.events.selectors.stages import round_limit
from tournaments.models import Game, Round, Stage, Tournament
from tournaments.pairing import PAIRING_SYSTEMS
from tournaments.pairing.base import BracketSystem, RoundSystem
from tournaments.pairing.free import Teams
from tournaments.standings.points import DECIDED_RESULTS, Result

# Groups that may be played side by side.
MOST_GROUPS = 16
# A league whose last round is longer ago waits for no next one, though nobody closed it.
_ASLEEP = timedelta(days=60)
# Of teams only the matches are made so, on a page of their own.
ONE_BY_ONE = [
    system.key for system in PAIRING_SYSTEMS if isinstance(system, RoundSystem) and not isinstance(system, Teams)
]
BRACKETS = [system.key for system in PAIRING_SYSTEMS if isinstance(system, BracketSystem)]
_GAMES = Q(pairings__superseded=False, pairings__games__isnull=False)
_OPEN = Q(pairings__games__result__in=[code.value for code in Result if code not in DECIDED_RESULTS])
# Matches of a knockout that nobody has won yet.
_UNDECIDED = Q(
    pairings__superseded=False, pairings__slot__isnull=False, pairings__bye="", pairings__advanced__isnull=True
)


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """A round, how many boards it has, how many of those a result, and how many are matches without a game."""

    round: Round
    boards: int
    done: int
    waiting: int = 0

    @property
    def tournament(self) -> Tournament:
        return self.round.stage.tournament

    @property
    def open(self) -> int:
        return self.boards - self.done

    @property
    def complete(self) -> bool:
        return not self.open

    @property
    def has_games(self) -> bool:
        return self.boards > self.waiting


@dataclass(frozen=True, slots=True)
class RoundDue:
    """A round that is next to be published, where it is a draft, or to be made."""

    stage: Stage
    number: int
    draft: Round | None = None


def rounds_of(tournament: Tournament) -> list[RoundProgress]:
    """The tournament's rounds in order, drafts among them."""
    rounds = _with_counts(Round.objects.filter(stage__tournament=tournament))
    return _progress(rounds.order_by("stage__order", "number"))


def rounds_to_enter(today: date) -> list[RoundProgress]:
    """Published rounds that wait for results, by day: all due by today, and the next one of each event or group."""
    waiting = _with_counts(Round.objects.filter(state=Round.State.PUBLISHED)).filter(done__lt=F("boards"))
    following: dict[int, int] = {}
    shown = []
    for row in _progress(waiting.order_by("stage__tournament_id", "number", "stage__order")):
        planned, number = row.round.planned_on, row.round.number
        if number == following.setdefault(row.tournament.pk, number) or (planned is not None and planned <= today):
            shown.append(row)
    return sorted(shown, key=lambda row: row.round.planned_on or date.max)


def rounds_to_make(today: date) -> list[RoundDue]:
    """Of the events under way that make their rounds one by one, what comes next where every result is in: the draft
    to be published, else the next round. One query."""
    rounds = _with_counts(Round.objects.filter(stage__pairing_system__in=ONE_BY_ONE, stage__tournament__closed=False))
    rows = _progress(rounds.order_by("stage__tournament_id", "stage__order", "number"))
    stages = (list(own) for _key, own in groupby(rows, key=lambda row: row.round.stage_id))
    return [due for own in stages if (due := _due(own, today))]


def _due(rounds: Sequence[RoundProgress], today: date) -> RoundDue | None:
    last = rounds[-1].round
    if last.state == Round.State.DRAFT:
        return RoundDue(last.stage, last.number, last)
    is_asleep = last.planned_on is not None and last.planned_on < today - _ASLEEP
    if is_asleep or any(row.open for row in rounds) or len(rounds) == round_limit(last.stage):
        return None
    return RoundDue(last.stage, last.number + 1)


def rounds_paired_from(row: Round) -> list[Round]:
    """The later rounds of its stage that were paired by its results: those of a format that makes them one by one."""
    if row.stage.pairing_system not in ONE_BY_ONE:
        return []
    return list(Round.objects.filter(stage=row.stage_id, number__gt=row.number).order_by("number"))


def rounds_now(today: date) -> list[RoundProgress]:
    """Of each event the round that is on: planned for today, or earlier with open boards; the latest day first, then
    the most open boards. Where a day has several rounds it is the first with open boards, else the last; groups side by
    side are counted as one round. In a knockout, whose winners play on when they like, it is the latest one in play."""
    rounds = _with_counts(Round.objects.filter(state=Round.State.PUBLISHED))
    in_play = Q(stage__pairing_system__in=BRACKETS, done__gt=0, done__lt=F("boards"))
    planned = Q(planned_on=today) | Q(planned_on__lt=today, done__lt=F("boards"))
    rounds = rounds.filter(planned | in_play, boards__gt=F("waiting"))
    on: dict[int, list[RoundProgress]] = {}
    for row in _side_by_side(
        _progress(rounds.order_by("-planned_on", "stage__tournament_id", "number", "stage__order"))
    ):
        on.setdefault(row.tournament.pk, []).append(row)
    found = [_on(rows) for rows in on.values()]
    return sorted(found, key=lambda row: (row.round.planned_on or date.min, row.open), reverse=True)


def _on(rows: Sequence[RoundProgress]) -> RoundProgress:
    """Of an event's rounds, the latest day first, the one that is on."""
    in_play = [row for row in rows if row.round.stage.pairing_system in BRACKETS and row.done and row.open]
    if in_play:
        return max(in_play, key=lambda row: row.round.number)
    same_day = [row for row in rows if row.round.planned_on == rows[0].round.planned_on]
    return next((row for row in same_day if row.open), same_day[-1])


def next_rounds(today: date, count: int = 5) -> list[Round]:
    """Published rounds of the coming days; of groups side by side one."""
    rounds = Round.objects.filter(state=Round.State.PUBLISHED, planned_on__gt=today)
    rounds = rounds.select_related("stage__tournament").order_by("planned_on", "pk")
    shown: dict[tuple[int, int], Round] = {}
    for row in rounds[: count * MOST_GROUPS]:
        shown.setdefault((row.stage.tournament_id, row.number), row)
    return list(shown.values())[:count]


def _with_counts(rounds: QuerySet[Round]) -> QuerySet[Any]:
    return rounds.select_related("stage__tournament").annotate(
        waiting=Count("pairings", filter=_UNDECIDED, distinct=True)
        - Count("pairings", filter=_UNDECIDED & _OPEN, distinct=True),
        boards=Count("pairings__games", filter=_GAMES) + F("waiting"),
        done=Count("pairings__games", filter=_GAMES & Q(pairings__games__result__in=DECIDED_RESULTS)),
    )


def _side_by_side(rows: Iterable[RoundProgress]) -> Iterator[RoundProgress]:
    """Rounds of the same number and day of one event, following each other, as one."""
    for _key, group in groupby(rows, key=lambda row: (row.round.planned_on, row.tournament.pk, row.round.number)):
        same = list(group)
        boards, done, waiting = (sum(values) for values in zip(*map(_counts, same), strict=True))
        yield RoundProgress(same[0].round, boards, done, waiting)


def _progress(rounds: QuerySet[Any]) -> list[RoundProgress]:
    return [RoundProgress(row, *_counts(row)) for row in rounds]


def _counts(row: Any) -> tuple[int, int, int]:
    return row.boards, row.done, row.waiting


def round_on(event: EventData, today: date) -> RoundData | None:
    """The round that is being played: begun, or planned for today, with boards that have no result yet; None for a
    draft, and in an event that is over."""
    row = event.current_round
    if row is None or row.is_draft or row.is_complete or event.tournament.closed:
        return None
    return row if row.begun or row.planned_on == today else None


def round_after(event: EventData, today: date) -> RoundData | None:
    """The next round that has a day: the present one while it is still to come, or the one after it."""
    current = event.current_round
    if current is None or event.tournament.closed:
        return None
    waiting = (row for row in event.rounds if row.number >= current.number and not row.begun and not row.is_draft)
    return next((row for row in waiting if row.planned_on and row.planned_on >= today), None)


def last_result_at(tournament: Tournament) -> datetime | None:
    """When the event's last result was entered. One query."""
    last: datetime | None = Game.objects.filter(tournament=tournament).aggregate(last=Max("recorded_at"))["last"]
    return last
