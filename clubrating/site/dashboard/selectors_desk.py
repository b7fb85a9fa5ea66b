"""What waits for an officer on the events he runs: rounds to enter, to make and to read again, and who has come today.

In a fixed number of queries, however many events and rounds there are. Not here: what is no event's (background work,
backups, lists): `clubrating.site.dashboard.selectors`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Q

from tournaments.models import Round, Tournament
from tournaments.events.selectors.officers import run_by
from tournaments.rounds.selectors.progress import RoundDue, RoundProgress, rounds_to_enter, rounds_to_make
from tournaments.verification.selectors_unread import unread_rounds


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Who has come to an event today: `here` of `awaited`, `away` were said not to come."""

    tournament: Tournament
    awaited: int
    here: int
    away: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits, each in the order of the evening. `unread`: of each event the first round with results to be read
    again, and how many there are in all."""

    to_enter: list[RoundProgress]
    to_make: list[RoundDue]
    unread: list[tuple[Round, int]]
    arrivals: list[Arrivals]

    def __bool__(self) -> bool:
        return bool(self.to_enter or self.to_make or self.unread or self.arrivals)


def waiting_for(user: User | AnonymousUser, today: date) -> Waiting:
    """What waits on the events that user runs. Seven queries."""
    enter, make = rounds_to_enter(today), rounds_to_make(today)
    found = {*(row.tournament.pk for row in enter), *(row.stage.tournament_id for row in make)}
    mine = set(Tournament.objects.filter(run_by(user), pk__in=found).values_list("pk", flat=True))
    enter = [row for row in enter if row.tournament.pk in mine]
    make = [row for row in make if row.stage.tournament_id in mine]
    read = Tournament.objects.filter(run_by(user), closed=False).exclude(second_reading="")
    unread = _by_event(unread_rounds(read.values_list("pk", flat=True)))
    due = (row.stage.tournament_id for row in make if row.draft is None)
    return Waiting(enter, make, unread, _arrivals(user, today, due))


def _by_event(rounds: Iterable[tuple[Round, int]]) -> list[tuple[Round, int]]:
    groups = (list(own) for _key, own in groupby(rounds, key=lambda pair: pair[0].stage.tournament_id))
    return [(own[0][0], sum(count for _row, count in own)) for own in groups]


def _arrivals(user: User | AnonymousUser, today: date, due: Iterable[int]) -> list[Arrivals]:
    """Of events that play today, or whose next round is to be made."""
    rounds = Round.objects.filter(planned_on=today, stage__tournament__closed=False)
    playing = set(rounds.values_list("stage__tournament", flat=True))
    events: Any = Tournament.objects.filter(run_by(user), pk__in=playing | set(due), closed=False)
    stays, today_only = Q(entries__withdrawn=False), Q(entries__check_ins__on=today)
    events = events.annotate(
        awaited=Count("entries", filter=stays, distinct=True),
        here=Count("entries", filter=stays & today_only & Q(entries__check_ins__here=True), distinct=True),
        away=Count("entries", filter=stays & today_only & Q(entries__check_ins__here=False), distinct=True),
    )
    return [Arrivals(row, row.awaited, row.here, row.away) for row in events.order_by("name", "pk") if row.awaited]
