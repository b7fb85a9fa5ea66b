"""One club, one list, one arbiter for a whole file at the desk; and what most tests only read, made once.

Who asks for `cup` or `league` in one test of a file asks for it in all of them (`usefixtures`): it stays until the end.
"""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User

from ratings.models import RatingList
from tests import factory
from tests.tournaments.rounds import round_cases
from tournaments.models import Stage, Tournament


@pytest.fixture(scope="module")
def standard(world: None) -> RatingList:
    factory.make_club()
    return factory.make_list()


@pytest.fixture(scope="module", autouse=True)
def arbiter(standard: RatingList) -> User:
    return factory.make_arbiter()


@pytest.fixture(scope="module")
def cup(standard: RatingList) -> Tournament:
    """Five players, so one has a bye in every round."""
    return factory.make_round_robin(factory.make_players(5))


@pytest.fixture(scope="module")
def league(standard: RatingList) -> Iterator[Stage]:
    """Six players, paired by their numbers; no round yet."""
    with pytest.MonkeyPatch.context() as patch:
        round_cases.install(patch)
        yield round_cases.make_league(6)
