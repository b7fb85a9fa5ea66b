"""The run's database, as its program looks at it: SQLite's file, or a PostgreSQL server (`tests.cluster`)."""

import sqlite3
from contextlib import closing
from typing import Protocol

from tests.cluster import Rows
from tests.live import Site


class Database(Protocol):
    """Raises OSError where it does not answer."""

    address: str
    version: str

    def ask(self, sql: str) -> Rows: ...
    def crash(self) -> None: ...
    def start(self) -> None: ...
    def remove(self) -> None: ...


class OnSqlite:
    """A file: there is no server to kill."""

    address = ""
    version = f"SQLite {sqlite3.sqlite_version}"

    def __init__(self, site: Site) -> None:
        self.site = site

    def ask(self, sql: str) -> Rows:
        file = self.site.data / "club.sqlite3"
        try:
            with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=20)) as line:
                return line.execute(sql).fetchall()
        except sqlite3.Error as error:
            raise OSError(str(error)) from error

    def crash(self) -> None: ...
    def start(self) -> None: ...
    def remove(self) -> None: ...
