"""The tests' database: migrated once and copied, instead of migrated by every process and emptied after every test.

On SQLite it lies in memory. What all migrations make of an empty one is kept in a file of the system's temporary
folder, named after everything that goes into it; a process copies it in a hundredth of a second, and copies it again
after a test that really committed something.

python -m tests.databases       makes the file, if there is none
"""

import fcntl
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import django
import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import connection, transaction
from django.test import TransactionTestCase
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
# What a test asks for to use the database of the settings; those of `pytest.mark.django_db` ask for it too.
# (`migrated_postgres` and `demo` are databases of their own: they are the same whatever the settings say.)
OF_THE_DATABASE = {"db", "transactional_db", "world"}


def is_asked_by(item: pytest.Item) -> bool:
    """Whether that test uses the database of the settings."""
    asked = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(asked & OF_THE_DATABASE)


@cache
def template() -> Path:
    """Where the migrated database of this state of the project is kept, or will be."""
    digest = sha256()
    migrations = [file for app in ROOT.glob("*/migrations") for file in app.glob("*.py")]
    for file in sorted([*migrations, ROOT / "requirements.txt", Path(__file__)]):
        digest.update(file.read_bytes())
    return Path(tempfile.gettempdir()) / f"club-tests-{os.getuid()}-{digest.hexdigest()[:16]}.sqlite3"


@contextmanager
def made_by_one() -> Iterator[None]:
    """One process at a time makes the template; whoever comes meanwhile waits."""
    with template().with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make() -> None:
    with made_by_one():
        if not template().exists():
            connection.creation.create_test_db(verbosity=0, serialize=False)
            keep()


@contextmanager
def migrated(name: str) -> Iterator[None]:
    """The in-memory database of that name is filled from the template, where there is one, as long as the block lasts:
    one in memory is gone with its last connection. Without one it is as it was: empty."""
    with closing(sqlite3.connect(name, uri=True)) as memory:
        with made_by_one():
            is_made = template().exists()
        if is_made:
            copy_into(memory)
        yield


def keep() -> None:
    """Keep today's database as the template, if there is none yet. Two processes may do so at once."""
    if template().exists():
        return
    new = template().with_suffix(f".{os.getpid()}")
    with closing(sqlite3.connect(new)) as file:
        connection.connection.backup(file)
    new.replace(template())


def restore_after_commits() -> None:
    """A test that commits leaves the migrated database behind, instead of one without any row: Django's own way takes a
    hundred times as long on SQLite, ten times on PostgreSQL, and removes what migrations have put there."""
    restore = copy_back if connection.vendor == "sqlite" else rows_put_back()
    TransactionTestCase._fixture_teardown = lambda _self: restore()  # type: ignore[attr-defined]


def rows_put_back() -> Callable[[], None]:
    """On PostgreSQL: makes every row what it is now. Which row points at which is checked when all is done."""
    tables = [connection.ops.quote_name(name) for name in connection.introspection.django_table_names()]
    steps = [f"DELETE FROM {table}" for table in tables]
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA kept")
        for table in tables:
            cursor.execute(f"CREATE TABLE kept.{table} AS TABLE {table}")
            if cursor.rowcount:
                steps.append(f"INSERT INTO {table} TABLE kept.{table}")

    def restore() -> None:
        with connection.cursor() as cursor:
            cursor.execute("; ".join(steps))  # one transaction
        restart_keys()

    return restore


def restart_keys() -> None:
    """PostgreSQL numbers new rows from after the last one there is: its sequences are neither rolled back nor put back
    with the rows."""
    models = apps.get_models(include_auto_created=True)
    if statements := connection.ops.sequence_reset_sql(no_style(), models):
        with connection.cursor() as cursor:
            cursor.execute(" ".join(statements))


def copy_back() -> None:
    assert not connection.in_atomic_block, "a test that commits stands in a file of its own, without `world`"
    connection.ensure_connection()
    copy_into(connection.connection)


def copy_into(database: sqlite3.Connection) -> None:
    """Everything as it is after the migrations."""
    with closing(sqlite3.connect(f"file:{template()}?mode=ro", uri=True)) as kept:  # never an empty one made just now
        kept.backup(database)


def copy_template(data: Path) -> None:
    """The migrated database as the file of a site's own folder; nothing where there is no template yet."""
    if template().exists():
        shutil.copyfile(template(), data / "club.sqlite3")


def migrated_on(server: str) -> str:
    """The name of a new migrated database on that PostgreSQL server, to be copied: made in ten seconds, copied in one.
    It is swept away at the end of the run."""
    name = f"{settings.RUN}_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as line, tempfile.TemporaryDirectory() as data:
        line.execute(f"CREATE DATABASE {name}")
        ours = {"DJANGO_SETTINGS_MODULE": "clubrating.settings", "CLUB_DATA": data, "DATABASE_URL": at(server, name)}
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env={**os.environ, **ours}, check=True
        )
    with psycopg.connect(at(server, name), autocommit=True) as line:
        without_autovacuum(line)
    return name


def without_autovacuum(line: psycopg.Connection[Any]) -> None:
    """Turn autovacuum off for the tables of that database. The rows of a test are never committed: autovacuum would
    count none, and the planner, expecting one row of each table, may choose joins that take minutes."""
    tables = line.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    for (table,) in tables:
        line.execute(sql.SQL("ALTER TABLE {} SET (autovacuum_enabled = false)").format(sql.Identifier(table)))


@contextmanager
def database_on(server: str, template: str) -> Iterator[str]:
    """The address of a database of its own on that PostgreSQL server, a copy of that one."""
    name = f"{settings.RUN}_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as line:
        line.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    yield at(server, name)
    with psycopg.connect(server, autocommit=True) as line:
        line.execute(f"DROP DATABASE {name} WITH (FORCE)")


def sweep(server: str) -> None:
    """Remove what a run that was broken off has left on that PostgreSQL server."""
    with psycopg.connect(server, autocommit=True) as line:
        left = line.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [settings.RUN])
        for (name,) in left.fetchall():
            line.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def at(server: str, name: str) -> str:
    """The address of a database of that server."""
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))


@contextmanager
def rolled_back() -> Iterator[None]:
    """What is made within is there for all tests within, and gone afterwards. Each test runs in a savepoint of its own,
    so what it changes is gone after it (Django's setUpTestData, for longer than a class)."""
    outer = transaction.atomic()
    outer._from_testcase = True  # type: ignore[attr-defined]
    with outer:
        yield
        transaction.set_rollback(True)


if __name__ == "__main__":
    django.setup()
    make()
