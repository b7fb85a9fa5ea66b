"""The demo club as it runs for a club: seeded once, served by gunicorn, spoken to over HTTP by crawlers and browsers.

Whoever asks for the fixture `demo` only reads: what a test changes, every later one finds changed.
"""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.live import Browser, Site, wait_for
from tests.ports import free_port

PASS_PHRASE = "open sesame"
SEED = """
from django.core.management import call_command
from players.club.services import update_club
call_command("messages", "compile")
call_command("seed_demo", verbosity=0)
update_club({"pass_phrase": "open sesame"}, by=None)
"""
SIGN_IN = """
import django, json
django.setup()
from django.contrib.auth import get_user_model
from tests.live import cookie_of
user = get_user_model().objects.filter(is_superuser=True).order_by("pk")[0]
print(json.dumps(cookie_of(user)))
"""


@dataclass(frozen=True)
class Demo:
    """The running demo club; `officer` is the session cookie of its administrator."""

    site: Site
    port: int
    officer: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def visitor(self) -> Browser:
        return Browser(self.port)


def make_demo(folder: Path) -> None:
    """The demo club in that folder, ready to be served."""
    Site(folder).prepare(SEED, arbiters=0)


@contextmanager
def demo_site(folder: Path) -> Iterator[Demo]:
    """The demo club in that folder on a server, until the block is left."""
    site = Site(folder, extra={"CLUB_RATE_LIMITS": "0"})  # no hall asks for as many pages a minute as these readers do
    officer, port = json.loads(site.run("-c", SIGN_IN)), free_port()
    server: subprocess.Popen[str] = site.start(
        *(
            "-m",
            "gunicorn",
            "clubrating.wsgi",
            "-k",
            "clubrating.ops.web_worker.WebWorker",
            "--threads",
            "4",
            "--keep-alive",
            "75",
        ),
        *("--log-level", "error", "-b", f"127.0.0.1:{port}"),
        start_new_session=True,
    )
    try:
        wait_for(port)
        yield Demo(site, port, officer)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=30)
