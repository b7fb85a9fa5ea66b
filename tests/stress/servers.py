"""The run's database, as its program looks at it: SQLite's file, or a PostgreSQL server of the run's own."""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

import psycopg

from tests.live import Site, free_port

TOOLS = tuple(sorted(Path("/usr/lib/postgresql").glob("*/bin")))
Rows = list[tuple[Any, ...]]


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


class OnPostgres:
    """A cluster below `folder`; its server answers on this machine alone and writes to the disk as it comes."""

    def __init__(self, folder: Path) -> None:
        self.folder, port = folder, free_port()
        folder.mkdir()
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        self.options = f"-k {folder} -c listen_addresses=127.0.0.1 -p {port}"
        self._tool("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C")
        self.start()
        self.address = f"postgres://postgres@127.0.0.1:{port}/postgres"
        self.version = f"PostgreSQL {self.ask('SHOW server_version')[0][0].split()[0]}"

    def _tool(self, tool: str, *words: str) -> None:
        command = [str(TOOLS[-1] / tool), "-D", str(self.folder / "data"), *words]
        if os.geteuid() == 0:  # the server refuses to be root's
            command = ["runuser", "-u", "postgres", "--", *command]
        subprocess.run(command, check=True, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(self, sql: str) -> Rows:
        try:
            with psycopg.connect(self.address, connect_timeout=5) as line:
                return line.execute(sql.encode()).fetchall()
        except psycopg.Error as error:
            raise OSError(str(error)) from error

    def crash(self) -> None:
        """Every process of it ends at once, nothing is written any more: it has to recover at its next start."""
        self._tool("pg_ctl", "-m", "immediate", "-w", "stop")

    def start(self) -> None:
        self._tool("pg_ctl", "-l", str(self.folder / "log"), "-o", self.options, "-w", "start")

    def remove(self) -> None:
        self.crash()
