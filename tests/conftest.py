"""Fixtures every test may use. The browser's are in `tests/browser`."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4
from zoneinfo import ZoneInfo

import psycopg
import pytest
from django.contrib.auth.models import Group
from django.utils import timezone, translation
from pytest_django import DjangoDbBlocker

from clubrating.catalogues.keeping import compile_texts
from players.models import Club
from ratings.models import RatingList
from tests import factory
from tests.demo_site import Demo, demo_site
from tests.ports import free_port

pytest_plugins = ["tests.browser.support"]
# What a test asks for that has to do with a database; those of `pytest.mark.django_db` ask for it too. (Every test is
# handed `django_db_blocker`: that says nothing; and `demo` is a site on a database of its own, SQLite always.)
OF_A_DATABASE = {"db", "transactional_db", "django_db_setup", "postgres"}


def pytest_addoption(parser: pytest.Parser) -> None:
    told = "leave out browsers, and tests that have nothing to do with a database: on another one they say nothing new"
    parser.addoption("--database-only", action="store_true", help=told)
    told = "leave out the tests that want a PostgreSQL server: those of --database-only, run there, are more"
    parser.addoption("--without-server", action="store_true", help=told)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is left out is told as deselected."""
    left_out = [item for item in items if not _belongs(config, item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if _belongs(config, item)]


def pytest_collection_finish() -> None:
    """Ten thousand collected tests and all modules are looked through again and again by the collector, a seventh of
    the whole time: what is there now stays there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _belongs(config: pytest.Config, item: pytest.Item) -> bool:
    if config.getoption("without_server") and "postgres" in getattr(item, "fixturenames", ()):
        return False
    if config.getoption("database_only"):
        return _asks_a_database(item) and item.get_closest_marker("browser") is None
    return True


def _asks_a_database(item: pytest.Item) -> bool:
    asked = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(asked & OF_A_DATABASE)


@pytest.fixture(scope="session", autouse=True)
def _catalogues() -> None:
    """The words of the other languages, as at set-up."""
    compile_texts()


@pytest.fixture(autouse=True)
def _english() -> None:
    """A page asked for in another language leaves that one behind."""
    translation.activate("en")


@pytest.fixture(scope="session")
def migrated_groups() -> dict[str, set[str]]:
    """Group → its permissions, as migrations made them: `django_db_setup` writes them down."""
    return {}


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, migrated_groups: dict[str, set[str]]
) -> None:
    """Tests that need several connections empty the database behind themselves, what migrations put there too: what
    that was is read before the first of them."""
    with django_db_blocker.unblock():
        for group in Group.objects.prefetch_related("permissions__content_type"):
            permissions = group.permissions.all()
            migrated_groups[group.name] = {f"{row.content_type.app_label}.{row.codename}" for row in permissions}


@pytest.fixture
def club(db: None) -> Club:
    return factory.make_club()


@pytest.fixture
def club_time() -> Iterator[None]:
    """What the test itself asks of the services is asked on the test club's day, as pages and commands do."""
    with timezone.override(ZoneInfo(factory.ZONE)):
        yield


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


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """The demo club on a server of its own, the same for all who only read."""
    with demo_site(tmp_path_factory.mktemp("demo")) as running:
        yield running


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[str]:
    """A database of its own on the server CLUB_TEST_POSTGRES names."""
    server = os.environ.get("CLUB_TEST_POSTGRES")
    if not server:
        pytest.skip("CLUB_TEST_POSTGRES is not set: there is no PostgreSQL server to try it on")
    name = f"club_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as line:
        line.execute(f"CREATE DATABASE {name}")
    yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    with psycopg.connect(server, autocommit=True) as line:
        line.execute(f"DROP DATABASE {name} WITH (FORCE)")
