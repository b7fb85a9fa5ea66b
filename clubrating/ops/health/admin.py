"""The administrators' page about the state of the site: every part, what failed in the background, when the lists were
last compared with a fresh replay, and versions. It changes nothing; each warning says what has to be done.
"""

import platform
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

import django
from django.conf import settings
from django.contrib import admin
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import filesizeformat
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from clubrating.ops.health import state
from clubrating.site.jobs.words import kind_in_words
from clubrating.web.admin import admin_page, administrator
from players.models import Job
from ratings.models import RatingList

MOST_FAILED = 10
OWN_APPS = ("players", "ratings", "tournaments")
Figures = state.Figures


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part in words: its name, whether it is in order, what its figures say, and what is to be done."""

    name: str
    is_well: bool
    said: str
    remedy: str


@never_cache
def state_page(request: HttpRequest) -> HttpResponse:
    """For administrators only, as the backups are."""
    administrator(request)
    found, done = state.parts(), state.checks()
    failed = Job.objects.filter(state=Job.State.FAILED).order_by("-pk")[:MOST_FAILED]
    return admin_page(
        request,
        "admin/state.html",
        _("State of the system"),
        rows=list(part_rows(found)),
        is_well=state.worst(found) == state.OK,
        failed=[(job, kind_in_words(job)) for job in failed],
        lists=[(row, done.get(row.slug)) for row in RatingList.objects.all()],
        versions=versions(),
    )


# --- parts in words -------------------------------------------------------------------------------------------
def part_rows(found: list[state.Part]) -> Iterator[PartRow]:
    """Every part that can be shown here; a closed site shows no page, so the switch is left out."""
    for part in found:
        if part.name in _NAMES:
            is_well = part.status == state.OK
            remedy = "" if is_well else str(_REMEDIES.get(part.name, ""))
            yield PartRow(str(_NAMES[part.name]), is_well, _SAID[part.name](part.figures), remedy)


def _database(_figures: Figures) -> str:
    return filesizeformat(state.database_bytes())


def _migrations(figures: Figures) -> str:
    pending = figures["pending"] or 0
    return _("missing: %(count)s") % {"count": pending} if pending else _("all are applied")


def _queue(figures: Figures) -> str:
    waiting, at_work, lost = (figures[name] or 0 for name in ("waiting", "at_work", "lost"))
    time = _time(figures["oldest_seconds"] or 0)
    longest = _("waiting: %(count)s, the longest for %(time)s") % {"count": waiting, "time": time}
    lines = [longest if waiting else _("nothing waits")]
    if at_work:
        lines.append(_("under way: %(count)s") % {"count": at_work})
    if lost:
        lines.append(_("left by a worker that stopped: %(count)s") % {"count": lost})
    return "; ".join(lines)


def _jobs(figures: Figures) -> str:
    failed = figures["failed_lately"] or 0
    return _("failed within two weeks: %(count)s") % {"count": failed} if failed else _("none failed within two weeks")


def _backup(figures: Figures) -> str:
    age = figures["age_seconds"]
    return _("there is none yet") if age is None else _("%(time)s old") % {"time": _time(age)}


def _offsite(figures: Figures) -> str:
    failed = figures["exit_status"]
    said = _backup(figures)
    return f"{said}; {_('the last try failed with status %(status)s') % {'status': failed}}" if failed else said


def _room(figures: Figures) -> str:
    free = figures["free_bytes"]
    return _("cannot be read") if free is None else _("%(size)s free") % {"size": filesizeformat(free)}


def _time(seconds: int) -> str:
    """A length of time in the page's language."""
    now = timezone.now()
    return timesince(now - timedelta(seconds=seconds), now)


_SAID: Mapping[str, Callable[[Figures], str]] = {
    "database": _database,
    "migrations": _migrations,
    "queue": _queue,
    "jobs": _jobs,
    "backup": _backup,
    "offsite": _offsite,
    "room": _room,
}
_NAMES: Mapping[str, Promise] = {
    "database": gettext_lazy("Database"),
    "migrations": gettext_lazy("Migrations of the database"),
    "queue": gettext_lazy("Background work in the queue"),
    "jobs": gettext_lazy("Background jobs"),
    "backup": gettext_lazy("Last backup"),
    "offsite": gettext_lazy("Last copy off site"),
    "room": gettext_lazy("Room on the disk"),
}
_REMEDIES: Mapping[str, Promise] = {
    "migrations": gettext_lazy("Run “manage.py upgrade”, and restart the site."),
    "queue": gettext_lazy("Does a worker run? What one left behind, “manage.py requeue_jobs” queues again."),
    "jobs": gettext_lazy("What failed changed nothing: see why below, and ask for it again."),
    "backup": gettext_lazy("Make one now on the page about backups, and see why the daily one is not made."),
    "offsite": gettext_lazy("“manage.py daily” says what failed, and tries again every hour."),
    "room": gettext_lazy("Less than 1 GB: make room, or move CLUB_DATA to a larger disk."),
}


# --- versions ---------------------------------------------------------------------------------------------------
def engine_version() -> str:
    """The version of the database engine, as 3.40.1."""
    return ".".join(map(str, connection.get_database_version()))


def versions() -> list[tuple[str, str]]:
    """What runs here, and how far each of our apps' tables are."""
    applied = MigrationRecorder(connection).applied_migrations()
    newest = {app: max((name for of, name in applied if of == app), default="–") for app in OWN_APPS}
    return [
        ("Club Rating", program_version()),
        ("Python", platform.python_version()),
        ("Django", django.get_version()),
        (connection.vendor, engine_version()),
        *newest.items(),
    ]


@cache
def program_version() -> str:
    """As the project names itself; a dash where its own file is not at hand."""
    try:
        found = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))
    except OSError:
        return "–"
    return str(found["project"]["version"])


urlpatterns: list[URLPattern] = [path("", admin.site.admin_view(state_page), name="state")]
