"""The dashboard: what waits for whoever is signed in, by the user's permissions.

An assistant sees the rounds to enter; whoever may change rating lists sees those that are due for publication; an
administrator sees backups and closed accounts too. A fixed number of queries, however many events and rounds there are.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Max, Q
from django.utils import timezone

from clubrating.ops.backups.store import Kept, latest
from clubrating.site.jobs.words import kind_in_words
from players.models import AuditEvent, Job
from players.officers.services.credentials import closed_names
from players.page_reports.selectors import MAY_SEE as MAY_SEE_MISTAKES
from players.page_reports.selectors import count_new_page_reports
from players.people.selectors import with_names
from ratings.models import RatingList
from tournaments.events.selectors.officers import run_by, runs
from tournaments.models import Round, Tournament
from tournaments.result_reports.selectors import count_open
from tournaments.rounds.selectors.progress import RoundDue, RoundProgress, rounds_to_enter, rounds_to_make
from tournaments.undo.services.undo import UNDOABLE, event_of, last_undoable, undo_at
from tournaments.verification.selectors import unread_rounds


# --- events ----------------------------------------------------------------------------------------------------------
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
    rounds = Round.objects.filter(planned_on=today)
    playing = set(rounds.values_list("stage__tournament", flat=True))
    events: Any = Tournament.objects.filter(run_by(user), pk__in=playing | set(due), closed=False)
    stays, today_only = Q(entries__withdrawn=False), Q(entries__check_ins__on=today)
    events = events.annotate(
        awaited=Count("entries", filter=stays, distinct=True),
        here=Count("entries", filter=stays & today_only & Q(entries__check_ins__here=True), distinct=True),
        away=Count("entries", filter=stays & today_only & Q(entries__check_ins__here=False), distinct=True),
    )
    return [Arrivals(row, row.awaited, row.here, row.away) for row in events.order_by("name", "pk") if row.awaited]


# --- the whole page --------------------------------------------------------------------------------------------------
MOST_JOBS = 8
# Failed jobs are listed for this long.
_REMEMBERED = timedelta(days=14)
_UNDO_OFFERED = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ListDue:
    """A public list, when it was last published, and whether another month has begun since."""

    rating_list: RatingList
    last: date | None
    due: bool


@dataclass(frozen=True, slots=True)
class LastStep:
    """The user's own last risky action, while he may take it back and nobody else did one after it; `where`: the
    event's name."""

    event: AuditEvent
    done: str
    where: str


@dataclass(frozen=True, slots=True)
class Dashboard:
    """What the page shows; None and empty: nothing waits, or it is no business of the user's."""

    waiting: Waiting | None = None
    reports: int = 0
    mistakes: int = 0
    work: list[tuple[str, Job]] = field(default_factory=list)
    last: LastStep | None = None
    lists: list[ListDue] = field(default_factory=list)
    shows_backup: bool = False
    backup: Kept | None = None
    backup_is_old: bool = False
    locked: list[str] = field(default_factory=list)


def dashboard_of(user: User | AnonymousUser, today: date) -> Dashboard:
    """Everything at once, each part only for whom it is."""
    if not isinstance(user, User):
        return Dashboard()
    backup, now = (latest() if user.is_superuser else None), timezone.now()
    return Dashboard(
        waiting=waiting_for(user, today) if user.has_perm("tournaments.enter_results") else None,
        reports=count_open(user) if user.has_perm("tournaments.change_game") else 0,
        mistakes=count_new_page_reports() if user.has_perm(MAY_SEE_MISTAKES) else 0,
        work=_work(user),
        last=_last_step(user) if user.has_perm("tournaments.change_tournament") else None,
        lists=_lists(today) if user.has_perm("ratings.change_ratinglist") else [],
        shows_backup=user.is_superuser,
        backup=backup,
        backup_is_old=backup is not None and backup.is_old(now),
        locked=closed_names() if user.is_superuser else [],
    )


def _work(user: User) -> list[tuple[str, Job]]:
    """Jobs under way, and those that failed lately, by name: one's own, or all for whoever may see them."""
    lately = Q(state=Job.State.FAILED, requested_at__gte=timezone.now() - _REMEMBERED)
    jobs = Job.objects.filter(Q(state__in=(Job.State.WAITING, Job.State.RUNNING)) | lately)
    if not user.has_perm("players.view_job"):
        jobs = jobs.filter(requested_by=user)
    return [(kind_in_words(job), job) for job in jobs.order_by("-pk")[:MOST_JOBS]]


def _last_step(user: User) -> LastStep | None:
    steps = AuditEvent.objects.filter(actor=user, action__in=UNDOABLE, at__gte=timezone.now() - _UNDO_OFFERED)
    event = steps.select_related("actor").order_by("-pk").first()
    if event is None:
        return None
    tournament = event_of(event)
    if tournament is not None and not runs(user, tournament):
        return None
    found = last_undoable(tournament) if tournament else undo_at(event)
    if found is None or found.event.pk != event.pk:
        return None
    return LastStep(found.event, with_names(found.done), tournament.name if tournament else "")


def _lists(today: date) -> list[ListDue]:
    """A list as of the last day of a month is that of the next one."""
    month_ended = today.replace(day=1) - timedelta(days=1)
    lists = RatingList.objects.filter(public=True).annotate(last=Max("published__on")).order_by("order", "pk")
    return [ListDue(row, row.last, row.last is None or row.last < month_ended) for row in lists]
