"""Fixtures every test may use. The browser's are in `tests/browser`."""

import copy
import fcntl
import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date
from importlib import import_module
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from _pytest import runner
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache, caches
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.utils import timezone, translation
from pytest_django import DjangoAssertNumQueries, DjangoDbBlocker
from xdist import is_xdist_controller

from clubrating.ground.deep_calls import with_room
from clubrating.ops.languages.catalogues import compile_texts
from players.models import Club, Player
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import ROOT, databases, desk_scene, factory
from tests.demo_site import Demo, demo_site, make_demo
from tests.ports import free_port
from tests.tournaments.corrections.correction_cases import EVENT, make_evenings, make_season, stream
from tournaments.loading.services.streams import load_games
from tournaments.models import Tournament
from tournaments.rated_games.services.people import bring_starting_ratings

DATABASE_MADE = pytest.StashKey[subprocess.Popen[bytes]]()
pytest_plugins = ["tests.browser.support", "tests.statements", "tests.choosing", "tests.timing"]


def pytest_sessionstart(session: pytest.Session) -> None:
    """Where several processes run the tests, the migrated database is made once, while they collect them. Why that went
    wrong, if it did, is told where they make it themselves."""
    if is_xdist_controller(session) and connection.vendor == "sqlite" and not databases.template().exists():
        command = [sys.executable, "-m", "tests.databases"]
        session.config.stash[DATABASE_MADE] = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)


def pytest_collection(session: pytest.Session) -> None:
    """In a fresh checkout each file is compiled first, which takes twice as long as collecting them. Of several
    processes every one begins elsewhere, and finds what the others have compiled."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None or [Path(name).name for name in session.config.args] != ["tests"]:
        return
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    at = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for file in files[at:] + files[:at]:
        with suppress(Exception, pytest.skip.Exception):  # what is wrong with a file is said where it is collected
            import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Ten thousand collected tests and all modules are looked through again and again by the collector, a seventh of
    the whole time: what is there now stays there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Who finds in the database what was made once for the file asks the database."""
    if "world" in getattr(item, "fixturenames", ()) and item.get_closest_marker("django_db") is None:
        item.add_marker(pytest.mark.django_db)


_run = with_room(runner.pytest_runtest_protocol)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """As pytest runs a test, but with room: what a test calls begins fifty calls deep."""
    return _run(item, nextitem)


def pytest_runtest_call(item: pytest.Item) -> None:
    """A row made once for a file comes to each test as a copy of its own, as with Django's setUpTestData."""
    given, made = getattr(item, "funcargs", {}), getattr(item, "_fixtureinfo", None)
    for name, value in given.items():
        if isinstance(value, Model) and made.name2fixturedefs[name][-1].scope == "module":
            given[name] = copy.deepcopy(value)


def pytest_unconfigure(config: pytest.Config) -> None:
    """The first process is the last to end, also after Ctrl-C."""
    if made := config.stash.get(DATABASE_MADE, None):
        made.wait()
    server = os.environ.get("CLUB_TEST_POSTGRES")
    if server and settings.IS_FIRST:
        databases.sweep(server)


@pytest.fixture(scope="session", autouse=True)
def _catalogues() -> None:
    """The words of the other languages, as at set-up."""
    compile_texts()


@pytest.fixture(autouse=True)
def _begin() -> Iterator[None]:
    """A page asked for in another language leaves that one behind, and who tried too often in one test has tried
    nothing in another. Afterwards too: fixtures of the next file come before its tests."""
    translation.activate("en")
    caches["tries"].clear()
    yield
    translation.activate("en")
    caches["tries"].clear()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, request: pytest.FixtureRequest) -> Iterator[None]:
    """Before the database is made: it is filled from the template, so that nothing is left to migrate."""
    if connection.vendor == "sqlite":
        with databases.migrated(connection.creation._get_test_db_name()):
            yield
    else:
        connection.settings_dict["TEST"]["TEMPLATE"] = request.getfixturevalue("_migrated_template")
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    with django_db_blocker.unblock():
        if connection.vendor == "sqlite":
            databases.keep()
        databases.restore_after_commits()


@pytest.fixture(autouse=True)
def _no_database_unasked(request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """What was made once for a file holds the database open to all its tests: one that does not ask for it would pass
    after another, fail as the first of its file, and leave behind what it writes."""
    if databases.is_asked_by(request.node):
        yield
    else:
        with django_db_blocker.block():
            yield


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """For fixtures of a whole file: what they make is made once, and every test of the file finds it as it was made.

    @pytest.fixture(scope="module")
    def big_cup(world: None) -> Tournament: …
    """
    with django_db_blocker.unblock(), databases.rolled_back():
        yield


@pytest.fixture
def club(db: None) -> Club:
    return factory.make_club()


@pytest.fixture
def club_time() -> Iterator[None]:
    """What the test itself asks of the services is asked on the test club's day, as pages and commands do."""
    with timezone.override(ZoneInfo(factory.ZONE)):
        yield


@pytest.fixture
def empty_cache() -> Iterator[None]:
    """The cache is taken back by no test: what is kept there, pages too, would last into the next."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def standard(club: Club) -> RatingList:
    """A club with its main list."""
    return factory.make_list()


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real events; tests that ask for it are skipped only where CLUB_REAL_DATA is unset."""
    folder = os.environ.get("CLUB_REAL_DATA")
    if not folder:
        pytest.skip("CLUB_REAL_DATA is not set: the real events are not at hand")
    return Path(folder)


@pytest.fixture(name="free_port")
def _free_port() -> int:
    return free_port()


@contextmanager
def _once(factory: pytest.TempPathFactory, worker: str, name: str) -> Iterator[Path]:
    """A folder all processes of a run share, one inside at a time: who finds it empty fills it."""
    own = factory.getbasetemp()
    folder = (own if worker == "master" else own.parent) / name
    folder.mkdir(exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


@pytest.fixture(scope="session")
def demo_club(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder of the demo club, seeded once in a run, whichever process needs it first. To be copied."""
    with _once(tmp_path_factory, worker_id, "demo-club") as folder:
        if not (folder / "made").exists():
            make_demo(folder)
            (folder / "made").touch()
    return folder


@pytest.fixture(scope="session")
def demo(demo_club: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """The demo club on a server of its own, the same for all who only read."""
    folder = tmp_path_factory.mktemp("demo")
    shutil.copytree(demo_club, folder, dirs_exist_ok=True)
    with demo_site(folder) as running:
        yield running


@pytest.fixture(scope="session")
def _server() -> str:
    """The PostgreSQL server on which databases may be made."""
    server = os.environ.get("CLUB_TEST_POSTGRES")
    if not server:
        pytest.skip("CLUB_TEST_POSTGRES is not set: there is no PostgreSQL server to try it on")
    return server


@pytest.fixture(scope="session")
def _migrated_template(_server: str, tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> str:
    """The name of a migrated database there, made once in a run. To be copied."""
    with _once(tmp_path_factory, worker_id, "migrated") as folder:
        if not (folder / "name").exists():
            (folder / "name").write_text(databases.migrated_on(_server))
        return (folder / "name").read_text()


@pytest.fixture
def migrated_postgres(_server: str, _migrated_template: str) -> Iterator[str]:
    """A database of its own on the server CLUB_TEST_POSTGRES names, with all tables already."""
    with databases.database_on(_server, _migrated_template) as address:
        yield address


@pytest.fixture
def plain_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is refused a thousand times is told so without a page: making that takes half the time, and what stands on it
    is looked at where pages are opened."""
    desk_scene.refuse_plainly(monkeypatch)


@pytest.fixture
def at_most(django_assert_max_num_queries: DjangoAssertNumQueries) -> DjangoAssertNumQueries:
    """`with at_most(3): …` asks the database no more than three times."""
    return django_assert_max_num_queries


@pytest.fixture
def arbiter(standard: RatingList) -> User:
    return factory.make_arbiter()


@pytest.fixture
def desk(client: Client, arbiter: User) -> Client:
    client.force_login(arbiter)
    return client


@pytest.fixture
def cup(standard: RatingList) -> Tournament:
    """Five players, so one has a bye in every round."""
    return factory.make_round_robin(factory.make_players(5))


@pytest.fixture
def season(standard: RatingList) -> Tournament:
    return make_season(standard)


@pytest.fixture
def evenings(season: Tournament) -> Tournament:
    return make_evenings()


@pytest.fixture
def twin(evenings: Tournament, standard: RatingList) -> Player:
    """Ada once more, misspelt: two evenings, an entry of her own and a rating brought along."""
    rows = stream("2026-01-06,Ada Alvares,Bo Brandt,1", "2026-02-06,Cleo Costa,Ada Alvares,1")
    load_games(rows, by=None, event_name=EVENT, today=factory.MONDAY)
    twin = Player.objects.get(name="Ada Alvares")
    bring_starting_ratings(standard, [NewStart(twin.pk, date(2025, 11, 1), 1700, 12)], by=None)
    factory.make_round_robin([twin, Player.objects.get(name="Bo Brandt")], name="Spring Cup")
    return twin
