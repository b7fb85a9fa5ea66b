"""What size costs: the same work in a club of so many people and games, and in one of a tenth of them.

Both are scratch clubs of `seed_scale`, one after the other on scratch databases. Each piece of work is measured in
turns with a floor that does not know the size (a bare view, the smallest commit) or has to grow with it (writing the
same rows), so that a machine which is busy at one of the clubs slows both. The slope is the work over its floor in the
large club, over the same in the small one: 1 is what does not grow, 10 what grows with the club.

A rebuild by a worker runs in a process of its own on the same scratch database: its time and its memory are measured.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from time import perf_counter, sleep
from urllib.parse import quote
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.urls import clear_url_caches
from django.utils import timezone

from benchmarks.databases import pages_made_anew, scratch_database
from benchmarks.measure import Measured, compare, missing, resident
from benchmarks.web import BARE, BARE_VIEW, Server
from clubrating.ops.health.state import database_bytes
from clubrating.site.demo.services.scale import seed_scale
from players.models import Club, Player
from ratings.ledger.services.rows import LEDGER_COLUMNS
from ratings.models import LedgerEntry, PlayerRating, PublishedList, PublishedRow, RatingList
from tournaments.corrections.services.changes import ResultChange
from tournaments.corrections.services.corrections import preview
from tournaments.corrections.services.jobs import request_rebuild
from tournaments.free_play.services import record_free_game
from tournaments.models import Game
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.standings.points import Result

LOOK = 0.05  # seconds between two looks at a worker's size


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker that rated a list anew: seconds from its start to its end, and the most memory of its own it held
    (bytes; 0 where the system does not tell)."""

    seconds: float
    memory: int


def rated_by_a_worker(rating_list: RatingList) -> Worker:
    """What the units run, with that one piece of work in the queue. Raises AssertionError where it breaks off."""
    request_rebuild(rating_list, by=None)
    connection.close()
    begun, most = perf_counter(), 0
    command = [
        sys.executable,
        "manage.py",
        "db_worker",
        "--batch",
        "--no-startup-delay",
        "--no-reload",
        "--verbosity=0",
    ]
    environment = os.environ | {"DATABASE_URL": _address()}
    with subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment) as process:
        while process.poll() is None:
            most = max(most, _own_memory(process.pid))
            sleep(LOOK)
    if process.returncode:
        raise AssertionError(f"the worker ended with status {process.returncode}")
    return Worker(perf_counter() - begun, most)


def _address() -> str:
    """The scratch database's, for another process."""
    found = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{quote(str(found['NAME']))}"
    user = quote(found["USER"]) + (f":{quote(found['PASSWORD'])}" if found["PASSWORD"] else "")
    place = f"{found['HOST']}:{found['PORT']}" if found["PORT"] else found["HOST"]
    return f"postgres://{user}@{place}/{found['NAME']}" if user else f"postgres://{place}/{found['NAME']}"


def _own_memory(process: int) -> int:
    """What a process holds that is no file's; 0 where it is gone, or the system does not tell."""
    try:
        found = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    kilobytes = [line.split()[1] for line in found.splitlines() if line.startswith("RssAnon:")]
    return int(kilobytes[0]) * 1024 if kilobytes else 0


TENTH = 10
BACK = 10_000  # a correction is looked at so many games back, or half the small club's
LEAST_GAMES = 200
FLAT = 2.0  # a slope up to which something does not grow, on a machine with others at work
GOAL_MEMORY = 1.05
FEW, MANY = 10, 60  # rounds of all pages after which the memory is looked at
COMMIT = "the smallest commit"
OVER_ITS_FLOOR, SMALL = ", over its floor", "the same in a club of a tenth"
MADE, RATED, DISK = "a club made", "its list rated anew by a worker", "disk of the club"
BARE_ROW = 21  # bytes of a game's barest row: two players' keys (8 each), a day (4), a result (1)


@dataclass(frozen=True, slots=True)
class Work:
    """One piece of work with its floor; `grows` where it has to. `queries` of one run, None where nobody counts."""

    name: str
    run: Callable[[], object]
    against: str
    floor: Callable[[], object]
    rounds: int = 5
    grows: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """What one piece of work took in one club: against its floor, and in queries."""

    work: Work
    measured: Measured
    queries: int


def measure_federation(players: int, games: int) -> Iterator[Measured]:
    """Every piece of work against its floor and against the small club's; the memory of a process that serves pages."""
    if not os.environ.get("CLUB_SECRET_KEY"):
        yield missing("work in a large club", "a small one", "pages need a secret: set CLUB_SECRET_KEY")
        return
    players, games = max(players, 10 * TENTH), max(games, LEAST_GAMES * TENTH)
    back, size = min(BACK, games // TENTH // 2), f"{players} people, {games} games"
    with _a_server():
        with _club(players // TENTH, games // TENTH) as club:
            small = {taken.work.name: taken for taken in _take(club, back)}
            small_worker = rated_by_a_worker(club.rating_list)
        with _club(players, games) as club:
            for taken in _take(club, back):
                yield from _told(small[taken.work.name], taken, size)
            yield _memory(club)
            yield from _whole(club, games, small_worker, size)


def _told(small: Taken, large: Taken, size: str) -> Iterator[Measured]:
    name = f"{large.work.name} ({size})"
    yield replace(large.measured, what=name)
    slope = (large.measured.ratio or 0.0) / (small.measured.ratio or 1.0)
    goal = None if large.work.grows else FLAT
    yield Measured(f"{name}{OVER_ITS_FLOOR}", SMALL, slope, large.measured.ratio, small.measured.ratio, goal)
    if not large.work.grows:
        yield Measured(f"queries of {name}", SMALL, large.queries / small.queries, goal=1.0)


@contextmanager
def _a_server() -> Iterator[None]:
    with pages_made_anew(ROOT_URLCONF="benchmarks.urls"):
        clear_url_caches()
        yield
    clear_url_caches()


@dataclass(frozen=True, slots=True)
class Seeded:
    """A scratch club: its list, its newest event's last games, somebody with a name and a page; the seconds it took
    to make and the bytes it takes up."""

    rating_list: RatingList
    today: date
    person: Player
    seconds: float
    disk: int


@contextmanager
def _club(players: int, games: int) -> Iterator[Seeded]:
    with scratch_database():
        today = timezone.localdate(timezone=ZoneInfo("UTC"))
        begun = perf_counter()
        seed_scale(players, games, today=today)
        took = perf_counter() - begun
        rows = PlayerRating.objects.filter(player__visibility="public").select_related("player").order_by("-rating")
        yield Seeded(RatingList.objects.get(), today, rows[rows.count() // 2].player, took, database_bytes())


# --- the work ---------------------------------------------------------------------------------------------------
def _take(club: Seeded, back: int) -> Iterator[Taken]:
    for work in (*_pages(club), *_writings(club, back)):
        work.run()
        with CaptureQueriesContext(connection) as seen:
            work.run()
        asked = len(seen)
        yield Taken(work, compare(work.name, work.run, work.against, work.floor, rounds=work.rounds), asked)


def _addresses(club: Seeded) -> dict[str, str]:
    person, word = club.person, club.person.name.split()[0].lower()
    return {
        "the leaderboard": "/ratings/standard/",
        "the leaderboard by games": "/ratings/standard/?sort=-games",
        "a player's page": person.get_absolute_url(),
        "the rank of a player (JSON)": f"/api/v1/ratings/standard/rank/{person.number}/",
        "a search for a name": f"/players/?q={word}",
        "the list of events": "/tournaments/",
        "the front page": "/",
    }


def _pages(club: Seeded) -> Iterator[Work]:
    server = Server()
    bare = server.asking(BARE, 1)
    for name, address in _addresses(club).items():
        yield Work(name, server.asking(address, 1), BARE_VIEW, bare)


def _writings(club: Seeded, back: int) -> Iterator[Work]:
    yield Work("a result entered", _entering(club), COMMIT, lambda: Club.objects.update(revision=F("revision") + 1))
    game = Game.objects.order_by("-sequence")[back]
    other = Result.WHITE_WINS if game.result == Result.DRAW else Result.DRAW
    yield Work(
        f"the preview of a correction {back} games back",
        lambda: preview(ResultChange(game.pk, other), by=None),
        "reading that part of the ledger",
        lambda: _read(club.rating_list, back),
        rounds=2,
    )
    days = count()
    yield Work(
        "a list published",
        lambda: publish_list(club.rating_list, club.today - timedelta(days=next(days)), by=None),
        "writing its rows",
        lambda: _write_rows(club.rating_list),
        rounds=1,
        grows=True,
    )


def _entering(club: Seeded) -> Callable[[], object]:
    last = Game.objects.select_related("tournament", "white", "black").order_by("-sequence")[0]

    def enter() -> object:
        return record_free_game(
            last.tournament, last.white, last.black, Result.WHITE_WINS, club.today, by=None, again=True
        )

    return enter


def _read(rating_list: RatingList, back: int) -> int:
    live = LedgerEntry.objects.filter(rating_list=rating_list, generation=F("rating_list__live_generation"))
    return len(list(live.order_by("-order").values_list(*LEDGER_COLUMNS)[:back]))


def _write_rows(rating_list: RatingList) -> None:
    """The rows of its newest published list written once more, and taken back."""
    published = PublishedList.objects.filter(rating_list=rating_list).first()
    assert published is not None
    rows = list(PublishedRow.objects.filter(published_list=published))
    with transaction.atomic():
        PublishedRow.objects.filter(published_list=published).delete()
        for row in rows:
            row.pk = None
        PublishedRow.objects.bulk_create(rows, batch_size=500)
        transaction.set_rollback(True)


# --- the memory of a process that serves pages --------------------------------------------------------------------
def _memory(club: Seeded) -> Measured:
    server, sizes = Server(), {}
    for number in range(1, MANY + 1):
        for address in _addresses(club).values():
            server.ask(address)
        if number in (FEW, MANY):
            sizes[number] = resident()
    what, against = f"resident size after {MANY} rounds of all pages", f"after {FEW}"
    if not sizes[FEW]:
        return missing(what, against, "this system does not tell a process's size", GOAL_MEMORY)
    return Measured(what, against, sizes[MANY] / sizes[FEW], goal=GOAL_MEMORY)


# --- the whole club, once through ---------------------------------------------------------------------------------
def _whole(club: Seeded, games: int, small: Worker, size: str) -> Iterator[Measured]:
    yield Measured(f"{DISK} ({size})", f"{BARE_ROW} bytes a game, its barest row", club.disk / (games * BARE_ROW))
    worker = rated_by_a_worker(club.rating_list)
    yield Measured(f"{MADE} ({size})", "its list rated anew", club.seconds / worker.seconds, club.seconds)
    yield Measured(f"{RATED} ({size})", SMALL, worker.seconds / small.seconds, worker.seconds, small.seconds)
    what = f"a worker's own memory at its highest ({size})"
    if worker.memory and small.memory:
        yield Measured(what, SMALL, worker.memory / small.memory, goal=FLAT)
    else:
        yield missing(what, SMALL, "this system does not tell a process's size", FLAT)
