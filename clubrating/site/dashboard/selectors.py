"""The desk: what waits for whoever is signed in, by what he may do. An assistant sees the rounds he enters; who answers
for the ratings sees the lists that are due; an administrator sees backups and closed accounts besides."""

from dataclasses import dataclass, field
from datetime import date, timedelta

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.ops.backups.store import Kept, latest
from players.models import AuditEvent, Job
from players.people.selectors import with_names
from players.officers.services.officers_locks import closed_names
from ratings.models import RatingList
from ratings.lab_pages.services import STUDY_RUN
from clubrating.site.research.selectors import BACKTEST, PROPOSAL
from clubrating.site.dashboard.selectors_desk import Waiting, waiting_for
from tournaments.forecasts.selectors.forecasts import FORECAST
from tournaments.forecasts.selectors.needs import NEEDS
from tournaments.events.selectors.officers import runs
from tournaments.result_reports.selectors import count_open
from tournaments.builders.services import ADVICE
from tournaments.corrections.services.jobs import CORRECTION, REBUILD
from tournaments.undo.services.undo import UNDOABLE, event_of, last_undoable, undo_at

MOST_JOBS = 8
# A failure nobody has looked at for so long is history.
_REMEMBERED = timedelta(days=14)
_UNDO_OFFERED = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Work:
    """A background job in words: `waits` for its turn or its end, else it failed."""

    name: str
    job: Job
    waits: bool
    message: str


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
class Desk:
    """What the page shows; None and empty: nothing waits, or it is no business of the user's."""

    waiting: Waiting | None = None
    reports: int = 0
    work: list[Work] = field(default_factory=list)
    last: LastStep | None = None
    lists: list[ListDue] = field(default_factory=list)
    shows_backup: bool = False
    backup: Kept | None = None
    backup_is_old: bool = False
    locked: list[str] = field(default_factory=list)


def desk_of(user: User | AnonymousUser, today: date) -> Desk:
    """Everything at once, each part only for whom it is."""
    if not isinstance(user, User):
        return Desk()
    backup, now = (latest() if user.is_superuser else None), timezone.now()
    return Desk(
        waiting=waiting_for(user, today) if user.has_perm("tournaments.enter_results") else None,
        reports=count_open(user) if user.has_perm("tournaments.change_game") else 0,
        work=_work(user),
        last=_last_step(user) if user.has_perm("tournaments.change_tournament") else None,
        lists=_lists(today) if user.has_perm("ratings.change_ratinglist") else [],
        shows_backup=user.is_superuser,
        backup=backup,
        backup_is_old=backup is not None and backup.is_old(now),
        locked=closed_names() if user.is_superuser else [],
    )


def _work(user: User) -> list[Work]:
    """Jobs under way, and those that failed lately: one's own, or all for whoever may see them."""
    lately = Q(state=Job.State.FAILED, requested_at__gte=timezone.now() - _REMEMBERED)
    jobs = Job.objects.filter(Q(state__in=(Job.State.WAITING, Job.State.RUNNING)) | lately)
    if not user.has_perm("players.view_job"):
        jobs = jobs.filter(requested_by=user)
    names = {
        CORRECTION: _("Correction"),
        REBUILD: _("Rating list from its beginning"),
        STUDY_RUN: _("Study of the lab"),
        BACKTEST: _("Back-test of the ratings"),
        PROPOSAL: _("Proposal for the rating rules"),
        ADVICE: _("Advice on the format"),
        NEEDS: _("What each player needs"),
        FORECAST: _("Forecast of an event"),
    }
    return [
        Work(names.get(job.kind, job.kind), job, job.state != Job.State.FAILED, job.message)
        for job in jobs.order_by("-pk")[:MOST_JOBS]
    ]


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
