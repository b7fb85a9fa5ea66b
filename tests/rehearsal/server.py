"""A PostgreSQL server in the place of the system's, with a cluster of its own: who asks it is believed by his name."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.cluster import TOOLS, OnPostgres, Rows
from tests.rehearsal.places import Say, Tools
from tests.rehearsal.stand_in import RehearsalError

CLIENTS = ("createdb", "createuser")


@dataclass(frozen=True)
class Server:
    """`variables`: what the system's own would need no word of: where it listens, and under which name."""

    cluster: OnPostgres
    variables: dict[str, str]

    def ask(self, sql: str) -> Rows:
        """As its administrator."""
        return self.cluster.ask(sql)


@contextmanager
def postgres(tools: Tools, say: Say) -> Iterator[Server | None]:
    """The server until the block is left; None and a word where none is installed. Raises RehearsalError."""
    if not TOOLS:
        say("left out: PostgreSQL on the system (Debian: apt install postgresql)")
        yield None
        return
    tools.root.chmod(0o711)  # the server's user has to get through
    for name in CLIENTS:
        (tools.folder / name).symlink_to(TOOLS[-1] / name)
    try:
        cluster = OnPostgres(tools.root / "server")
    except (OSError, subprocess.CalledProcessError) as error:
        raise RehearsalError(f"the PostgreSQL server does not start: {error}") from error
    port = urlsplit(cluster.address).port
    try:
        yield Server(cluster, {"PGHOST": str(cluster.folder), "PGPORT": f"{port}", "PGUSER": "club"})
    finally:
        cluster.remove()
