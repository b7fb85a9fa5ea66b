"""Fixtures every test may use. The browser's are in `tests/browser`."""

import os
from pathlib import Path

import pytest

from players.models import Club
from ratings.models import RatingList
from tests import factory

pytest_plugins = ["tests.browser.support"]


@pytest.fixture
def club(db: None) -> Club:
    return factory.make_club()


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
