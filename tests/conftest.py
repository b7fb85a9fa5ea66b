"""Fixtures every test may use. The browser's are in `tests/browser`."""

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

pytest_plugins = ["tests.browser.support"]
# What a test asks for that has to do with a database; those of `pytest.mark.django_db` ask for it too.
OF_A_DATABASE = {"db", "transactional_db", "django_db_blocker", "postgres", "demo"}


def pytest_addoption(parser: pytest.Parser) -> None:
    told = "leave out the tests that have nothing to do with a database: on another one they can say nothing new"
    parser.addoption("--database-only", action="store_true", help=told)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("database_only"):
        return
    config.hook.pytest_deselected(items=[item for item in items if not _asks_a_database(item)])
    items[:] = filter(_asks_a_database, items)


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
