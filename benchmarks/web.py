"""Pages: the leaderboard against a bare table of the same rows, unchanged pages against the leaderboard, and the pages
of a tournament.

Everything is asked of one and the same server, in one process and through all of its middleware, so that only the pages
differ. The club is a scratch one of a thousand players on a database of its own.

The tournament has 60 players and 7 rounds; queries and time of each of its public pages are measured.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from io import BytesIO
from secrets import token_urlsafe
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings
from django.urls import clear_url_caches, reverse

from benchmarks.databases import make_club, pages_made_anew, scratch_database
from benchmarks.measure import Measured, compare, missing, seconds
from benchmarks.rounds import simulated
from clubrating.site.welcome.services import set_up_club
from players.club.services import found_club
from ratings.models import PlayerRating
from tournaments.models import Tournament
from tournaments.rated_games.services.rebuilding import rebuild_list
from tournaments.reports.services.importing import import_report
from tournaments.reports.services.plan import Terms

PAGE, BARE_TABLE, BARE = "/ratings/standard/", "/bare-table/", "/bare/"
BARE_VIEW = "a bare Django view"
OWN_TIMES, KEPT_TIMES = 10, 200  # requests of one run
GOAL_TABLE, GOAL_KEPT = 1.5, 1 / 20
_KEPT = {"pages": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "benchmark"}}


def measure_web(games: int) -> Iterator[Measured]:
    """Three pages: made anew, kept in memory, unchanged in the browser; each also against a bare Django view."""
    if not os.environ.get("CLUB_SECRET_KEY"):
        yield missing("pages", BARE_VIEW, "pages need a secret: set CLUB_SECRET_KEY")
        return
    with scratch_database(), pages_made_anew(ROOT_URLCONF="benchmarks.urls"):
        clear_url_caches()
        club = make_club(games)
        found_club(name="Club", time_zone="UTC")
        rebuild_list(club.rating_list)
        rows = min(PlayerRating.objects.count(), 50)
        yield from _pages(Server(), rows)
    clear_url_caches()


def _pages(server: "Server", rows: int) -> Iterator[Measured]:
    board, same = f"the leaderboard of {rows} rows", "a bare table of the same rows"
    own, table, bare = (server.asking(path, OWN_TIMES) for path in (PAGE, BARE_TABLE, BARE))
    yield compare(board, own, same, table, goal=GOAL_TABLE)
    yield compare(board, own, BARE_VIEW, bare)
    yield compare(same, table, BARE_VIEW, bare)
    unchanged = server.asking(PAGE, KEPT_TIMES, server.ask(PAGE)["ETag"])
    yield _many(compare("the same, unchanged in the browser (304)", unchanged, board, own), GOAL_KEPT)
    yield _many(compare("the same, unchanged in the browser (304)", unchanged, BARE_VIEW, bare))
    best = compare(board, own, board, own).seconds or 0.0
    with override_settings(CACHES=settings.CACHES | _KEPT):
        caches["pages"].clear()
        server.ask(PAGE)
        kept, bare = server.asking(PAGE, KEPT_TIMES), server.asking(BARE, OWN_TIMES)
        measured = compare("the same, kept in memory (200)", kept, BARE_VIEW, bare)
        each = (measured.seconds or 0.0) / KEPT_TIMES
        yield Measured(measured.what, board, each / (best / OWN_TIMES), each, best / OWN_TIMES, GOAL_KEPT)
        yield _many(measured)


def _many(measured: Measured, goal: float | None = None) -> Measured:
    """A run of more requests than its baseline's: the ratio of one request to one."""
    ratio = None if measured.ratio is None else measured.ratio * OWN_TIMES / KEPT_TIMES
    return replace(measured, ratio=ratio, goal=goal)


class Server:
    """The site as a web server calls it (WSGI), without the wire."""

    def __init__(self) -> None:
        self.application = get_wsgi_application()

    def ask(self, path: str, tag: str = "") -> dict[str, str]:
        """The answer's headers and `status`. Raises AssertionError for anything but a page or "unchanged"."""
        values: dict[str, str] = {}

        def start(status: str, headers: list[tuple[str, str]], _error: object = None) -> Callable[[bytes], object]:
            values.update({**dict(headers), "status": status})
            return lambda _more: None

        environ: dict[str, Any] = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": path.partition("?")[0],
            "QUERY_STRING": path.partition("?")[2],
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "HTTP_HOST": "localhost",
            "HTTP_ACCEPT_ENCODING": "gzip",
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.input": BytesIO(),
            "wsgi.url_scheme": "https",
            "HTTP_X_FORWARDED_PROTO": "https",
            **({"HTTP_IF_NONE_MATCH": tag} if tag else {}),
        }
        response = self.application(environ, start)
        b"".join(response)
        response.close()
        expected = "304 Not Modified" if tag else "200 OK"
        if values["status"] != expected:
            raise AssertionError(f"{path} answered {values['status']}")
        return values

    def asking(self, path: str, times: int, tag: str = "") -> Callable[[], None]:
        """A run: the same page so many times."""

        def run() -> None:
            for _time in range(times):
                self.ask(path, tag)

        return run


MOST_QUERIES = 8
LIMIT = 0.5  # seconds
PAGES = ("tournament", "standings", "crosstable", "entries")
TIMES = 5


def measure_pages() -> Iterator[Measured]:
    """Every page: its queries against the most there may be, its time against half a second."""
    if not os.environ.get("CLUB_SECRET_KEY"):
        yield missing("public pages", f"{LIMIT:g} s", "pages need a secret: set CLUB_SECRET_KEY", goal=1)
        return
    with scratch_database(), pages_made_anew():
        set_up_club(name="Club", time_zone="UTC", username="officer", password=token_urlsafe(), list_name="Standard")
        event = import_report(simulated(60, 7), Terms(today=date(2026, 9, 1)), by=None).tournament
        for name in PAGES:
            yield from _measure(name, event)


def _measure(name: str, event: Tournament) -> Iterator[Measured]:
    address, client = (
        reverse(f"tournaments:{name}", args=[event.slug]),
        Client(SERVER_NAME="localhost", headers={"X-Forwarded-Proto": "https"}),
    )

    def ask() -> None:
        answer = client.get(address)
        if answer.status_code != 200:
            raise AssertionError(f"{address} answered {answer.status_code}")

    ask()
    with CaptureQueriesContext(connection) as queries:
        ask()
    asked = len(queries)
    best = min(seconds(ask) for _time in range(TIMES))
    what = f"the {name} page of 60 players after 7 rounds"
    yield Measured(f"queries of {what}", f"{MOST_QUERIES}", asked / MOST_QUERIES, goal=1)
    yield Measured(what, f"{LIMIT:g} s", best / LIMIT, best, LIMIT, goal=1)
