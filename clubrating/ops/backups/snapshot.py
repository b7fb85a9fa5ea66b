"""Makes a backup of the live database as it is at one moment, while others go on writing.

A backup holds all tables of this project and the accounts of those who may sign in. Left out is what is worthless later
or belongs to one machine: sessions, failed sign-ins, the task queue (`players.Job` is authoritative), Django's own log,
e-mail addresses that want notices, what is still to be told, personal links and photos of score sheets (an old backup
would bring back what was stopped or deleted since), and permissions with content types, which every database makes for
itself. A row that points to a permission carries its name instead of its key.
Rows are written so that they can be restored on SQLite and on PostgreSQL.

On SQLite the reading transaction sees the moment of its first read (WAL); on PostgreSQL it is REPEATABLE READ, READ
ONLY. No writer waits for it. The moment is stored in the manifest as `made_at`.

Before an upgrade the database is written in the tables of its own version; a restore brings it up to date.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from django.apps import apps
from django.apps.registry import Apps
from django.contrib.auth.management import create_permissions
from django.contrib.contenttypes.models import ContentType
from django.db import DEFAULT_DB_ALIAS, connection, connections, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.ops.backups.archive import Manifest, Progress, Row, written
from players.models import AuditEvent, Erasure
from players.refusals import Refused

# --- tables ----------------------------------------------------------------------------------------------------------
PERMISSION, MAIL, DUE = "auth.Permission", "players.MailSubscription", "players.DueNotice"
LINKS = ("players.PersonalLink", "players.LinkDevice", "players.LinkPasskey")
PHOTOS = "tournaments.ScoreSheet"
# Apps, or single tables of others.
NOT_KEPT = (MAIL, DUE, *LINKS, PHOTOS)
LEFT_OUT = ("admin", "axes", "contenttypes", "django_tasks_database", "sessions", PERMISSION, *NOT_KEPT)
EMPTIED = ("admin", "django_tasks_database", "sessions", *NOT_KEPT)
_CHUNK = 2000
# Types whose values are the same on every engine and need no conversion.
_PLAIN = (models.IntegerField, models.FloatField, models.BooleanField, models.CharField, models.TextField)

Model = type[models.Model]
# A model field; `Any`, since models of past migration states have no static type.
Column = Any
Convert = Callable[[Any], Any]


def kept_models(apps: Any) -> list[Model]:
    """The tables of a backup, in the order of their names; `apps` is the project's registry, or that of a past state
    of its migrations."""
    by_table = {
        model._meta.db_table: model
        for model in apps.get_models(include_auto_created=True)
        if not _is_of(model, LEFT_OUT) and has_table(model)
    }
    return [by_table[name] for name in sorted(by_table)]


def emptied_models(apps: Apps) -> list[Model]:
    """The tables whose rows a restore deletes: they refer to the replaced database."""
    return [model for model in apps.get_models() if _is_of(model, EMPTIED) and has_table(model)]


def _is_of(model: Model, names: tuple[str, ...]) -> bool:
    return model._meta.app_label in names or model._meta.label in names


def has_table(model: Model) -> bool:
    return model._meta.managed and not model._meta.proxy and not model._meta.swapped


def names_of(model: Model) -> tuple[str, ...]:
    return tuple(str(field.column) for field in model._meta.local_concrete_fields)


# --- permissions by name ------------------------------------------------------------------------------------
def make_permissions(apps: Apps, alias: str) -> None:
    """Content types and permissions as the present models want them."""
    ContentType.objects.clear_cache()
    for config in apps.get_app_configs():
        create_permissions(config, verbosity=0, using=alias)
    ContentType.objects.clear_cache()


def _permission_names(alias: str) -> dict[int, list[str]]:
    with connections[alias].cursor() as cursor:
        cursor.execute(
            "SELECT p.id, c.app_label, c.model, p.codename FROM auth_permission p "
            "JOIN django_content_type c ON c.id = p.content_type_id"
        )
        return {key: list(name) for key, *name in cursor.fetchall()}


def _to_permission(column: Column) -> bool:
    return bool(column.is_relation) and column.remote_field.model._meta.label == PERMISSION


def points_to_permissions(model: Model) -> bool:
    """Whether rows of the table may be left out, because this version does not have the permission they refer to."""
    return any(map(_to_permission, model._meta.local_concrete_fields))


# --- rows ---------------------------------------------------------------------------------------------------
def read_rows(model: Model, alias: str) -> Iterator[Row]:
    """Every row of a table by its key, one list of values each, without holding them all."""
    if not model._base_manager.using(alias).exists():  # as with most tables; the question below takes Django longer
        return
    columns = model._meta.local_concrete_fields
    rows: Any = model._base_manager.using(alias).order_by("pk").values_list(*(column.attname for column in columns))
    places = [place for place, column in enumerate(columns) if _to_permission(column)]
    names = _permission_names(alias) if places else {}
    for values in rows.iterator(chunk_size=_CHUNK):
        row = list(values)
        for place in places:
            row[place] = names[row[place]]
        yield row


def write_rows(model: Model, alias: str, columns: Sequence[str], rows: Iterable[Row]) -> int:
    """Insert rows whose values stand in the order of `columns`; how many. A row about a permission this version does
    not have is left out. Raises KeyError for a column the table does not have."""
    known = {column.column: column for column in model._meta.local_concrete_fields}
    fields = [known[name] for name in columns]
    converts = [(place, convert) for place, column in enumerate(fields) if (convert := _convert(column, alias))]
    quote, count, source = connections[alias].ops.quote_name, 0, _converted(rows, converts)
    names, marks = ", ".join(map(quote, columns)), ", ".join(["%s"] * len(columns))
    insert = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({marks})"
    with connections[alias].cursor() as cursor:
        while chunk := list(islice(source, _CHUNK)):
            cursor.executemany(insert, chunk)
            count += len(chunk)
    return count


def _converted(rows: Iterable[Row], converts: Sequence[tuple[int, Convert]]) -> Iterator[Row]:
    for row in rows:
        try:
            for place, convert in converts:
                row[place] = convert(row[place])
        except _UnknownPermissionError:
            continue
        yield row


class _UnknownPermissionError(Exception):
    """The row is about a permission this version does not have."""


def _convert(column: Column, alias: str) -> Convert | None:
    """What makes the database's value of a value of the file; nothing where they are the same."""
    if _to_permission(column):
        keys = {tuple(name): key for key, name in _permission_names(alias).items()}

        def permission(name: Sequence[str]) -> int:
            if tuple(name) not in keys:
                raise _UnknownPermissionError
            return keys[tuple(name)]

        return permission
    target = column
    while target.is_relation:
        target = target.target_field
    if isinstance(target, _PLAIN):
        return None
    connection = connections[alias]
    return lambda value: target.get_db_prep_save(target.to_python(value), connection)


# --- the backup ------------------------------------------------------------------------------------------------------
def write_backup(path: Path, *, force: bool = False, progress: Progress | None = None) -> Manifest:
    """Write everything the club keeps to `path`; `progress` is called for each table. Raises Refused where the file is
    there (unless `force`) or cannot be written, or the database waits for migrations; then nothing is left behind."""
    check_is_migrated()
    return _write(path, apps, force=force, progress=progress)


def write_before_upgrade(path: Path) -> Manifest | None:
    """Write a database that waits for migrations to `path`, as it is; nothing is given back where none waits, or where
    there is no database yet. Raises Refused as `write_backup` does."""
    executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
    if not executor.loader.applied_migrations or not _waiting(executor):
        return None
    known = [key for key in executor.loader.applied_migrations if key in executor.loader.graph.nodes]
    return _write(path, executor.loader.project_state(known).apps)


def _write(path: Path, version: Any, *, force: bool = False, progress: Progress | None = None) -> Manifest:
    """`version` is the registry of models as the database's tables are."""
    with written(path, force=force) as archive, one_moment():
        made_at, of = timezone.now(), lineage()
        models, migrations = kept_models(version), applied_migrations()
        for model in models:
            archive.add(model._meta.db_table, names_of(model), read_rows(model, DEFAULT_DB_ALIAS), progress)
        # The database of an earlier version may have no table of erased persons.
        erasures = (model for model in models if model._meta.db_table == Erasure._meta.db_table)
        erased = tuple(number for model in erasures for number in model._base_manager.values_list("number", flat=True))
        manifest = Manifest(made_at, connection.vendor, of, migrations, tuple(archive.tables), erased)
        archive.close(manifest)
    return manifest


@contextmanager
def one_moment() -> Iterator[None]:
    """Within, every reading sees the same moment, and nobody who writes waits for us."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        # `atomic` would use BEGIN IMMEDIATE here and take the write lock.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


def lineage(alias: str = DEFAULT_DB_ALIAS) -> str:
    """What tells one club's database from another's, and stays the same through backups: when its audit trail began.
    Empty where there is none yet."""
    first = AuditEvent.objects.using(alias).order_by("pk").values_list("at", flat=True).first()
    return first.isoformat() if first else ""


def applied_migrations() -> dict[str, tuple[str, ...]]:
    """App → the names of its migrations the live database has, in their order."""
    found: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        if app in apps.app_configs:
            found.setdefault(app, []).append(name)
    return {app: tuple(names) for app, names in found.items()}


def check_is_migrated() -> None:
    """Raises Refused where the live database is not at this program's migrations."""
    executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
    if _waiting(executor):
        raise Refused(_("The database is of an earlier version: run “manage.py migrate” first."))


def _waiting(executor: MigrationExecutor) -> bool:
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
