"""A page is made once at a time, whoever asks: threads and processes."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event, Lock
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import caches
from django.http import HttpResponse
from django.test import RequestFactory

from clubrating.web import page_cache, single_flight
from clubrating.web.page_cache import cached_or_made

HOLD = """
import sys, django
from django.conf import settings
from pathlib import Path
settings.configure(DATA_DIR=Path(sys.argv[1]))
from clubrating.web.single_flight import single_flight
with single_flight("page"):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture(autouse=True)
def running(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the running club: pages are kept in memory; no database is asked."""
    kept = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "single flight"}
    settings.CACHES, settings.DATA_DIR = {**settings.CACHES, "pages": kept}, tmp_path
    caches["pages"].clear()
    page_cache._not_kept.clear()
    monkeypatch.setattr(page_cache, "club_now", lambda: SimpleNamespace())
    monkeypatch.setattr(page_cache, "stamp_of", lambda _club: "now")


class Maker:
    """A page that takes until `done`; counts how often it is made, and by how many at once."""

    def __init__(self, **headers: str) -> None:
        self.made = self.at_once = self.most = 0
        self.headers, self.began, self.done, self.lock = headers, Event(), Event(), Lock()

    def __call__(self, _request: object) -> HttpResponse:
        with self.lock:
            self.made, self.at_once = self.made + 1, self.at_once + 1
            self.most = max(self.most, self.at_once)
        self.began.set()
        self.done.wait(10)
        with self.lock:
            self.at_once -= 1
        return HttpResponse("page", headers=self.headers)


def test_eight_who_ask_at_once_get_what_one_of_them_made() -> None:
    maker, start = Maker(), Barrier(8)

    def ask(path: str) -> bytes:
        start.wait(10)
        return bytes(cached_or_made(RequestFactory().get(path), maker).content)

    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(ask, "/lab/diary/") for _ in range(8)]
        assert maker.began.wait(10)
        maker.done.set()
        assert [each.result() for each in asked] == [b"page"] * 8
    assert maker.made == 1


def test_nobody_waits_for_the_maker_of_a_page_that_is_not_kept() -> None:
    maker = Maker(**{"Cache-Control": "no-store"})
    maker.done.set()
    cached_or_made(RequestFactory().get("/form/"), maker)
    maker.done.clear()
    together = Barrier(3)
    maker.done.wait = lambda _seconds: together.wait(10)  # type: ignore[method-assign,assignment,return-value]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: cached_or_made(RequestFactory().get("/form/"), maker), range(3)))
    assert maker.most == 3


def test_another_process_is_waited_for_until_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        waits: list[float] = []

        def sleep(seconds: float) -> None:
            waits.append(seconds)
            other.kill()
            other.wait()

        monkeypatch.setattr(single_flight.time, "sleep", sleep)
        with single_flight.single_flight("page"):
            assert waits


def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_flight, "SECONDS", 0.02)
    with single_flight.single_flight("page"), single_flight.single_flight("page"):
        pass


def test_without_a_file_everybody_is_let_in(settings: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settings.DATA_DIR = tmp_path / "file"
    with single_flight.single_flight("page"), single_flight.single_flight("page"):
        pass
