"""The database beside the live one in which a backup is unpacked before anything is touched: SQLite, in a folder of its
own under CLUB_DATA, at the migrations the backup was made with, then brought up to today's.

Damage is detected here: rows that do not fit their tables, foreign keys without a target.
"""

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, router, transaction
from django.db.backends.sqlite3 import base as sqlite
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.ops.backups.archive import Damaged, Manifest, Progress, Reader
from clubrating.ops.backups.snapshot import Model, has_table, kept_models, make_permissions, names_of, write_rows
from players.models import Job
from players.refusals import Refused

ALIAS = "staging"
PREFIX = "restore-"
# Fast and unsafe: after a crash this database is not needed any more.
_PRAGMAS = "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA cache_size=-50000;"


@contextmanager
def staged(reader: Reader, progress: Progress | None = None) -> Iterator[int]:
    """A database `ALIAS` with the backup's rows at today's migrations, gone afterwards; how many jobs were under way
    when the backup was made. Raises Refused where it is of a newer version, Damaged where its rows make no database."""
    with tempfile.TemporaryDirectory(dir=settings.DATA_DIR, prefix=PREFIX) as folder, _connected(Path(folder)):
        try:
            jobs = _build(reader, progress)
        except DatabaseError as error:
            sentence = _("The backup could not be unpacked (%(why)s). Nothing was changed.")
            raise Damaged(sentence % {"why": str(error).partition("\n")[0]}) from error
        except (KeyError, TypeError, ValueError, ValidationError) as error:
            if isinstance(error, Refused):
                raise
            raise Damaged(_("The backup’s rows do not fit its tables. Nothing was changed.")) from error
        yield jobs


@contextmanager
def _connected(folder: Path) -> Iterator[None]:
    """A connection of this thread alone; the project's settings know nothing of it."""
    database = {
        **connections.settings[DEFAULT_DB_ALIAS],
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(folder / "staging.sqlite3"),
        "OPTIONS": {"init_command": _PRAGMAS, "transaction_mode": "IMMEDIATE"},
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": False,
    }
    connections[ALIAS] = sqlite.DatabaseWrapper(database, ALIAS)
    try:
        yield
    finally:
        connections[ALIAS].close()
        del connections[ALIAS]


class _ToStaging:
    """A router: whatever asks for no database in particular gets this one. Migrations speak of "the" database."""

    def db_for_read(self, _model: Any, **_hints: Any) -> str:
        return ALIAS

    db_for_write = db_for_read


@contextmanager
def _standing_in() -> Iterator[None]:
    here = _ToStaging()
    router.routers.insert(0, here)
    try:
        yield
    finally:
        router.routers.remove(here)


def _build(reader: Reader, progress: Progress | None) -> int:
    executor = MigrationExecutor(connections[ALIAS])
    if set(_keys(reader.manifest)) == set(executor.loader.disk_migrations):
        _make_tables([ContentType, Permission, *kept_models(apps)])
        make_permissions(apps, ALIAS)
        jobs = _fill(reader, apps, progress)
    else:
        with _standing_in():
            jobs = _bring_up_to_date(reader, executor, progress)
    connections[ALIAS].check_constraints()
    return jobs


def _make_tables(models: Iterable[Model]) -> None:
    """Tables as they are now, without going through their whole history."""
    with connections[ALIAS].schema_editor() as editor:
        for model in models:
            if not model._meta.auto_created:
                editor.create_model(model)


def _bring_up_to_date(reader: Reader, executor: Any, progress: Progress | None) -> int:
    """From the tables of the backup's own migrations through the later ones to today's."""
    past = executor.loader.project_state(_last_of_each(reader.manifest, executor)).apps
    _make_tables(model for model in past.get_models() if has_table(model))
    for app, name in _keys(reader.manifest):
        executor.recorder.record_applied(app, name)
    make_permissions(apps, ALIAS)
    jobs = _fill(reader, past, progress)
    executor = MigrationExecutor(executor.connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    make_permissions(apps, ALIAS)
    return jobs


def _end_jobs(past: Any) -> int:
    """Background work of the backup's day is not taken up again; what today's migrations ask for comes after it."""
    said = _("A backup was restored meanwhile; nothing was changed. Ask for it again.")
    job, chunk = past.get_model("players", "Job"), past.get_model("players", "JobChunk")
    chunk._base_manager.using(ALIAS).filter(done=False).update(done=True, lease_until=None)
    unfinished = job._base_manager.using(ALIAS).filter(state__in=[Job.State.WAITING, Job.State.RUNNING])
    ended: int = unfinished.update(state=Job.State.FAILED, message=said, finished_at=timezone.now())
    return ended


def check_is_known(manifest: Manifest) -> None:
    """Raises Refused for a backup made with migrations this program does not have. No database is asked."""
    known = MigrationLoader(None).disk_migrations
    unknown = [f"{app} {name}" for app, name in _keys(manifest) if (app, name) not in known]
    if unknown:
        raise Refused(
            _("The backup was made by a newer version of this program (%(first)s): bring this one up to date first.")
            % {"first": unknown[0]}
        )


def _last_of_each(manifest: Manifest, executor: Any) -> list[tuple[str, str]]:
    """The migrations to go to: those of the backup which no other of its own app builds upon."""
    keys, nodes = set(_keys(manifest)), executor.loader.graph.node_map
    built_upon = {key for key in keys for child in nodes[key].children if child.key in keys and child.key[0] == key[0]}
    return sorted(keys - built_upon)


def _keys(manifest: Manifest) -> list[tuple[str, str]]:
    return [(app, name) for app, names in manifest.migrations.items() for name in names]


def _fill(reader: Reader, past: Any, progress: Progress | None) -> int:
    """The backup's rows, in tables of its own version; how many jobs were under way."""
    models = {model._meta.db_table: model for model in kept_models(past)}
    tables = {table.name: table for table in reader.manifest.tables}
    if models.keys() != tables.keys():
        raise Damaged(_("The backup does not hold the tables of its version. Nothing was changed."))
    with transaction.atomic(using=ALIAS):
        for name, model in models.items():
            if sorted(tables[name].columns) != sorted(names_of(model)):
                raise Damaged(_("The backup does not hold the columns of its version. Nothing was changed."))
            with connections[ALIAS].cursor() as cursor:
                # A migration may have inserted rows.
                cursor.execute(f"DELETE FROM {connections[ALIAS].ops.quote_name(name)}")  # a table's name of ours
        for name, model in models.items():
            write_rows(model, ALIAS, tables[name].columns, reader.rows(tables[name]))
            if progress:
                progress(name, tables[name].rows)
        return _end_jobs(past)
