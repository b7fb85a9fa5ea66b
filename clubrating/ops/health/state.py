"""State of the site, part by part, and the last checks of the ledger.

A part is `ok`, needs attention (`warning`), or makes the site unusable (`failed`). Only two can fail: a database that
does not answer, and one of another version than the program's. Anything else is a matter for the administrator and no
reason to stop serving visitors.

`database`     answers
`migrations`   none is missing
`queue`        tasks that wait for a worker. Warning: the oldest waits longer than `LONGEST_WAIT`, no worker is busy
               while one has waited longer than `SOON`, or a worker left something unfinished
`jobs`         background jobs. Warning: one failed within `REMEMBERED`
`backup`       the newest that was read back whole. Warning: none, or older than `OLD_AFTER` of the backups' `store`
`offsite`      the newest backup that was carried away, where CLUB_OFFSITE is set. Warning: none, an old one, or the
               last try failed
`room`         free space on the disk of CLUB_DATA. Warning: less than `LEAST_ROOM`
`maintenance`  maintenance mode. Warning: the site is closed

Figures are numbers only: seconds, bytes, counts. Nothing here names a person, a path or a version.

Ledger checks: when each rating list was last compared with a fresh replay on this machine (`manage.py rebuild_ratings
--check`), and how many differences there were; stored in the file CLUB_DATA/checks.json, without names.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Min, Q
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from clubrating.ops.backups.offsite import last_copy
from clubrating.ops.backups.store import OLD_AFTER, latest
from clubrating.ops.maintenance import notice
from clubrating.site.jobs.services import chunk_of, lost_tasks
from players.counters import GAME_SEQUENCE, GAME_SEQUENCE_STEP, PLAYER_NUMBER
from players.jobs.services import OVER
from players.models import Counter, Job, JobChunk

# --- parts of the site -----------------------------------------------------------------------------------------------
OK, WARNING, FAILED = "ok", "warning", "failed"
LEVELS = (OK, WARNING, FAILED)
SOON = timedelta(minutes=1)
LONGEST_WAIT = timedelta(minutes=15)
REMEMBERED = timedelta(days=14)
LEAST_ROOM = 1_000_000_000  # bytes

Figures = Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class Part:
    """One part: its name, how it is, its figures (None: there is none yet)."""

    name: str
    status: str
    figures: Figures = field(default_factory=dict)


def parts() -> list[Part]:
    """Every part, those first that can keep visitors out. Where the database does not answer, or is of another version,
    what is kept in it is left out."""
    return [*_inside(), _backup(), *_offsite(), _room(), Part("maintenance", WARNING if notice() else OK)]


def _inside() -> list[Part]:
    try:
        migrations = _migrations()
        rest = [_queue(), _jobs()] if migrations.status == OK else []
    except DatabaseError:
        return [Part("database", FAILED)]
    return [Part("database", OK), migrations, *rest]


def worst(found: list[Part]) -> str:
    """The status of all parts together."""
    return max((part.status for part in found), key=LEVELS.index)


def _migrations() -> Part:
    executor = MigrationExecutor(connection)
    pending = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    return Part("migrations", FAILED if pending else OK, {"pending": pending})


def _queue() -> Part:
    now = timezone.now()
    waiting = DBTaskResult.objects.ready().aggregate(count=Count("pk"), since=Min("enqueued_at"))
    unfinished = JobChunk.objects.filter(done=False).exclude(job__state__in=OVER)
    chunks = unfinished.aggregate(
        at_work=Count("pk", filter=Q(lease_until__gte=now)), lost=Count("pk", filter=Q(lease_until__lt=now))
    )
    waits = max(now - waiting["since"], timedelta(0)) if waiting["since"] else timedelta(0)
    chunks["lost"] += sum(chunk_of(task) is None for task in lost_tasks())
    nobody_works = waits > SOON and not chunks["at_work"]
    is_late = waits > LONGEST_WAIT or nobody_works or chunks["lost"]
    figures = {"waiting": waiting["count"], "oldest_seconds": int(waits.total_seconds()), **chunks}
    return Part("queue", WARNING if is_late else OK, figures)


def _jobs() -> Part:
    lately = Q(state=Job.State.FAILED, requested_at__gte=timezone.now() - REMEMBERED)
    counts = {f"{state}": Count("pk", filter=Q(state=state)) for state in Job.State.values}
    totals = Job.objects.order_by().aggregate(**counts, failed_lately=Count("pk", filter=lately))
    return Part("jobs", WARNING if totals["failed_lately"] else OK, totals)


def _backup() -> Part:
    last, now = latest(), timezone.now()
    if last is None:
        return Part("backup", WARNING, {"age_seconds": None})
    age = int((now - last.made_at).total_seconds())
    return Part("backup", OK if last.verified and not last.is_old(now) else WARNING, {"age_seconds": age})


def _offsite() -> Iterator[Part]:
    if not settings.OFFSITE_PROGRAM:
        return
    last = last_copy()
    age = last.age(timezone.now())
    is_well = last.status == 0 and age is not None and age <= OLD_AFTER
    figures = {"age_seconds": None if age is None else int(age.total_seconds()), "exit_status": last.status}
    yield Part("offsite", OK if is_well else WARNING, figures)


def _room() -> Part:
    try:
        free = shutil.disk_usage(settings.DATA_DIR).free
    except OSError:
        return Part("room", WARNING, {"free_bytes": None})
    return Part("room", OK if free >= LEAST_ROOM else WARNING, {"free_bytes": free})


# --- figures of the database -----------------------------------------------------------------------------------------
def database_bytes() -> int:
    """The size of the database. Raises DatabaseError."""
    question = {
        "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
        "postgresql": "SELECT pg_database_size(current_database())",
    }
    with connection.cursor() as cursor:
        cursor.execute(question[connection.vendor])
        return int(cursor.fetchone()[0])


def numbers_given() -> tuple[int, int]:
    """How many player numbers were ever given and how many places in the order of results: read off two counters,
    since counting the rows themselves takes longer the more there are."""
    values = dict(Counter.objects.values_list("name", "value"))
    return values.get(PLAYER_NUMBER, 0), values.get(GAME_SEQUENCE, 0) // GAME_SEQUENCE_STEP


# --- ledger checks ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Check:
    """A list compared with a fresh replay: when, and how many differences there were."""

    at: datetime
    differences: int


def note_checks(found: Mapping[str, Check]) -> None:
    """Write down what was found, by the list's slug; what is known of other lists stays. Nothing is raised where the
    file cannot be written: the check has printed its result anyway."""
    values = {
        slug: {"at": row.at.isoformat(), "differences": row.differences} for slug, row in {**checks(), **found}.items()
    }
    aside = _file().with_suffix(".new")
    try:
        aside.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
        aside.replace(_file())
    except OSError:
        return


def checks() -> dict[str, Check]:
    """The last check of every list that had one, by its slug."""
    try:
        values = json.loads(_file().read_text(encoding="utf-8"))
        return {slug: Check(datetime.fromisoformat(row["at"]), int(row["differences"])) for slug, row in values.items()}
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        return {}


def _file() -> Path:
    return Path(settings.DATA_DIR) / "checks.json"
