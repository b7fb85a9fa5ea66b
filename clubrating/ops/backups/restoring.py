"""Restores a backup: verified, unpacked beside the live database and migrated there, then copied over it in one
transaction. Whatever breaks before the end (a crash, Ctrl-C, a full disk) leaves the live database as it was.

What a backup cannot know stays: numbers once given are not given again, and who was erased since is erased again.
What it should not bring back goes: sessions, and background work that was under way.
"""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.cache import caches
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.ops.backups.archive import Manifest, Progress, opened, verify
from clubrating.ops.backups.erased_people import remember, remembered
from clubrating.ops.backups.snapshot import (
    Model,
    check_is_migrated,
    emptied_models,
    kept_models,
    lineage,
    names_of,
    points_to_permissions,
    read_rows,
    write_rows,
)
from clubrating.ops.backups.staging import ALIAS, PREFIX, check_is_known, staged
from players.models import ApiToken, Club, Counter, Erasure
from players.refusals import Refused
from players.trail.services import write_audit
from tournaments.erasure.services.erasure import erase_again


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did: rows now there, people erased again, background work that was ended."""

    rows: int
    erased: int
    jobs: int


def check_backup(path: Path) -> Manifest:
    """Everything that can be refused before the live database is touched. Raises Refused."""
    manifest = verify(path)
    check_is_known(manifest)
    check_is_migrated()
    return manifest


def restore_backup(path: Path, *, progress: Progress | None = None) -> Restored:
    """Put the backup in the place of what the live database holds. Raises Refused, and nothing was changed, where the
    file is damaged or of a newer version, where another restore runs, or where there is no room."""
    with _alone():
        check_backup(path)
        try:
            with opened(path) as reader, staged(reader, progress) as jobs:
                return _put_in_place(reader.manifest, jobs)
        except (DatabaseError, OSError) as error:
            reason = str(error).partition("\n")[0]
            sentence = _("The backup could not be brought back (%(why)s). Nothing was changed.")
            raise Refused(sentence % {"why": reason}) from error


@contextmanager
def _alone() -> Iterator[None]:
    """One restore at a time; folders left behind by a killed one are deleted."""
    folder = Path(settings.DATA_DIR)
    with (folder / "restore.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Refused(_("Another backup is being restored: wait until it is done.")) from None
        for left_behind in folder.glob(f"{PREFIX}*"):
            shutil.rmtree(left_behind, ignore_errors=True)
        yield


@transaction.atomic
def _put_in_place(manifest: Manifest, jobs: int) -> Restored:
    models, emptied = kept_models(apps), emptied_models(apps)
    # Only on PostgreSQL: SQLite's transactions take the write lock at their beginning (BEGIN IMMEDIATE).
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {_tables([*models, *emptied])} IN ACCESS EXCLUSIVE MODE")
    of, was = lineage(ALIAS), lineage()
    same_club = not of or not was or of == was
    counters = dict(Counter.objects.values_list("name", "value")) if same_club else {}
    taken_back = list(ApiToken.objects.exclude(revoked_at=None).values_list("digest", flat=True))
    live = set(Erasure.objects.values_list("number", flat=True))
    remember(was, live)
    erased = set(manifest.erased) | remembered(of) | (live if same_club else set())

    _empty([*models, *emptied])
    rows = sum(map(_copy, models))
    _keep_counters(counters)
    # A token taken back since the backup was made does not work again.
    ApiToken.objects.filter(digest__in=taken_back, revoked_at=None).update(revoked_at=timezone.now())
    _keep_erasures(of, erased)
    _raise_sequences(models)
    connection.check_constraints()
    again = erase_again()
    effect = {"made_at": manifest.made_at.isoformat(), "engine": manifest.engine, "rows": rows, "erased_again": again}
    write_audit("database.restored", Club.objects.first() or Club(pk=0), by=None, effect=effect)
    # These shared caches hold data of the replaced database.
    for name in ("default", "tries"):
        transaction.on_commit(caches[name].clear, robust=True)
    return Restored(rows, again, jobs)


def _empty(models: list[Model]) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            connection.check_constraints()  # TRUNCATE is refused while deferred constraints are pending
            cursor.execute(f"TRUNCATE TABLE {_tables(models)}")
            return
        for model in models:
            cursor.execute(f"DELETE FROM {_tables([model])}")  # foreign keys are checked at the end of the transaction


def _tables(models: list[Model]) -> str:
    return ", ".join(connection.ops.quote_name(model._meta.db_table) for model in models)


def _copy(model: Model) -> int:
    count = write_rows(model, DEFAULT_DB_ALIAS, names_of(model), read_rows(model, ALIAS))
    whole = count if points_to_permissions(model) else model._base_manager.using(ALIAS).count()
    if not count == whole == model._base_manager.count():
        sentence = _("The backup could not be copied whole (%(table)s). Nothing was changed.")
        raise Refused(sentence % {"table": model._meta.db_table})
    return count


def _keep_counters(counters: dict[str, int]) -> None:
    """No number is given twice: a counter keeps the live database's value where that is higher."""
    for name, value in counters.items():
        counter, _made = Counter.objects.get_or_create(name=name)
        if counter.value < value:
            Counter.objects.filter(name=name).update(value=value)


def _keep_erasures(of: str, numbers: set[int]) -> None:
    known = set(Erasure.objects.values_list("number", flat=True))
    Erasure.objects.bulk_create(Erasure(number=number) for number in sorted(numbers - known))
    remember(of, numbers | known)


def _raise_sequences(models: list[Model]) -> None:
    """PostgreSQL's next keys lie above every key there is. They only ever grow: a rollback does not take it back."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        for model in models:
            column = str(model._meta.pk.column) if model._meta.pk else ""
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [_tables([model]), column])
            (sequence,) = cursor.fetchone()
            if sequence:
                newest = f"SELECT COALESCE(MAX({connection.ops.quote_name(column)}), 1) FROM {_tables([model])}"
                last = f"SELECT last_value FROM {sequence}"
                cursor.execute(f"SELECT setval(%s, GREATEST(({newest}), ({last})))", [sequence])
