"""Makes a backup of the live database as it is at one moment, while others go on writing.

Before an upgrade the database is written in the tables it has, of its own version: a restore brings it up to date.

On SQLite the reading transaction sees the moment at which it first read (WAL); on PostgreSQL it is REPEATABLE READ,
READ ONLY. Nobody waits for it. The moment ends up in the manifest as `made_at`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.ops.backups.archive import Manifest, Tell, written
from clubrating.ops.backups.contents import Model, kept_models, names_of, read_rows
from players.models import AuditEvent, Erasure
from players.refusals import Refused


def write_backup(path: Path, *, force: bool = False, tell: Tell | None = None) -> Manifest:
    """Write everything the club keeps to `path`; `tell` hears of each table. Raises Refused where the file is there
    (unless `force`) or cannot be written, or the database waits for migrations; then nothing is left behind."""
    check_is_migrated()
    return _write(path, apps, force=force, tell=tell)


def write_before_upgrade(path: Path, *, tell: Tell | None = None) -> Manifest | None:
    """Write a database that waits for migrations to `path`, as it is; nothing is given back where none waits, or where
    there is no database yet. Raises Refused as `write_backup` does."""
    executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
    if not executor.loader.applied_migrations or not _waiting(executor):
        return None
    known = [key for key in executor.loader.applied_migrations if key in executor.loader.graph.nodes]
    return _write(path, executor.loader.project_state(known).apps, force=False, tell=tell)


def _write(path: Path, version: Any, *, force: bool, tell: Tell | None) -> Manifest:
    """`version` is the registry of models as the database's tables are."""
    with written(path, force=force) as archive, one_moment():
        made_at, of = timezone.now(), lineage()
        models, migrations = kept_models(version), applied_migrations()
        for model in models:
            archive.add(model._meta.db_table, names_of(model), read_rows(model, DEFAULT_DB_ALIAS), tell)
        erased = _erased(models)
        manifest = Manifest(made_at, connection.vendor, of, migrations, tuple(archive.tables), erased)
        archive.close(manifest)
    return manifest


def _erased(models: list[Model]) -> tuple[int, ...]:
    """Whose name is in it no more; a database of long ago has no such table."""
    found = (model for model in models if model._meta.db_table == Erasure._meta.db_table)
    return tuple(number for model in found for number in model._base_manager.values_list("number", flat=True))


@contextmanager
def one_moment() -> Iterator[None]:
    """Within, every reading sees the same moment, and nobody who writes waits for us."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with _deferred():
            yield
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


@contextmanager
def _deferred() -> Iterator[None]:
    # `atomic` would begin with the lock that writers take (IMMEDIATE).
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def lineage(alias: str = DEFAULT_DB_ALIAS) -> str:
    """What tells one club's database from another's, and stays the same through backups: when its audit trail began.
    Empty where there is none yet."""
    first = AuditEvent.objects.using(alias).order_by("pk").values_list("at", flat=True).first()
    return first.isoformat() if first else ""


def applied_migrations() -> dict[str, tuple[str, ...]]:
    """App → the names of its migrations the live database has, in their order."""
    found: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        if apps.is_installed(app) or app in {config.label for config in apps.get_app_configs()}:
            found.setdefault(app, []).append(name)
    return {app: tuple(names) for app, names in found.items()}


def check_is_migrated() -> None:
    """Raises Refused where the live database is not at this program's migrations."""
    executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
    if _waiting(executor):
        raise Refused(_("The database is of an earlier version: run “manage.py migrate” first."))


def _waiting(executor: MigrationExecutor) -> bool:
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
