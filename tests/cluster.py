"""A PostgreSQL server of a program's own, for as long as it needs one."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import psycopg

from tests.ports import free_port

TOOLS = tuple(sorted(Path("/usr/lib/postgresql").glob("*/bin")))
Rows = list[tuple[Any, ...]]


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
