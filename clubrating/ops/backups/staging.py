"""The database beside the live one in which a backup is unpacked before anything is touched: SQLite, in a folder of its
own under CLUB_DATA, at the migrations the backup was made with, then brought up to today's.

Damage is detected here: rows that do not fit their tables, foreign keys without a target.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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

from clubrating.ops.backups.archive import Damaged, Manifest, Reader, Table, Tell
from clubrating.ops.backups.snapshot import Model, kept_models, make_permissions, names_of, write_rows
from players.models import Job
from players.refusals import Refused

ALIAS = "staging"
PREFIX = "restore-"
# Fast and unsafe: after a crash this database is not needed any more.
_PRAGMAS = "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA cache_size=-50000;"


@dataclass(frozen=True, slots=True)
class Staged:
    """The database beside the live one: its alias, and how many jobs were under way when the backup was made."""

    alias: str
    jobs: int


@contextmanager
def staged(reader: Reader, tell: Tell | None = None) -> Iterator[Staged]:
    """A database with the backup's rows at today's migrations; gone afterwards. Raises Refused where the backup is of a
    newer version, Damaged where its rows do not make a database."""
    with tempfile.TemporaryDirectory(dir=settings.DATA_DIR, prefix=PREFIX) as folder, _connected(Path(folder)) as alias:
        try:
            jobs = _build(reader, alias, tell)
        except DatabaseError as error:
            sentence = _("The backup could not be unpacked (%(why)s). Nothing was changed.")
            raise Damaged(sentence % {"why": str(error).partition("\n")[0]}) from error
        except (KeyError, TypeError, ValueError, ValidationError) as error:
            if isinstance(error, Refused):
                raise
            raise Damaged(_("The backup’s rows do not fit its tables. Nothing was changed.")) from error
        yield Staged(alias, jobs)


@contextmanager
def _connected(folder: Path) -> Iterator[str]:
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
        yield ALIAS
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


def _build(reader: Reader, alias: str, tell: Tell | None) -> int:
    executor = MigrationExecutor(connections[alias])
    if set(_keys(reader.manifest)) == set(executor.loader.disk_migrations):
        _make_tables(alias)
        make_permissions(apps, alias)
        jobs = _fill(reader, alias, apps, tell)
    else:
        with _standing_in():
            jobs = _bring_up_to_date(reader, executor, tell)
    connections[alias].check_constraints()
    return jobs


def _make_tables(alias: str) -> None:
    """Today's tables, without going through their whole history."""
    models: list[Model] = [ContentType, Permission, *kept_models(apps)]
    with connections[alias].schema_editor() as editor:
        for model in models:
            if not model._meta.auto_created:
                editor.create_model(model)


def _bring_up_to_date(reader: Reader, executor: Any, tell: Tell | None) -> int:
    """Through the backup's own migrations to today's."""
    alias = executor.connection.alias
    past = executor.migrate(_last_of_each(reader.manifest, executor)).apps
    make_permissions(apps, alias)
    jobs = _fill(reader, alias, past, tell)
    executor = MigrationExecutor(executor.connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    make_permissions(apps, alias)
    return jobs


def _end_jobs(past: Any, alias: str) -> int:
    """Background work of the backup's day is not taken up again; what today's migrations ask for comes after it."""
    said = _("A backup was restored meanwhile; nothing was changed. Ask for it again.")
    job, chunk = past.get_model("players", "Job"), past.get_model("players", "JobChunk")
    chunk._base_manager.using(alias).filter(done=False).update(done=True, lease_until=None)
    unfinished = job._base_manager.using(alias).filter(state__in=[Job.State.WAITING, Job.State.RUNNING])
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


def _fill(reader: Reader, alias: str, past: Any, tell: Tell | None) -> int:
    """The backup's rows, in tables of its own version; how many jobs were under way."""
    models = {model._meta.db_table: model for model in kept_models(past)}
    tables = {table.name: table for table in reader.manifest.tables}
    if models.keys() != tables.keys():
        raise Damaged(_("The backup does not hold the tables of its version. Nothing was changed."))
    with transaction.atomic(using=alias):
        for name, model in models.items():
            _check_columns(tables[name], names_of(model))
            with connections[alias].cursor() as cursor:
                # A migration may have inserted rows.
                cursor.execute(f"DELETE FROM {connections[alias].ops.quote_name(name)}")  # a table's name of ours
        for name, model in models.items():
            write_rows(model, alias, tables[name].columns, reader.rows(tables[name]))
            if tell:
                tell(name, tables[name].rows)
        return _end_jobs(past, alias)


def _check_columns(table: Table, expected: tuple[str, ...]) -> None:
    if sorted(table.columns) != sorted(expected):
        raise Damaged(_("The backup does not hold the columns of its version. Nothing was changed."))
