"""A club with its main list, a small team event and one of its matches: made once for each file of this folder."""

import pytest

from ratings.models import RatingList
from tests import factory
from tests.tournaments.teams.team_cases import make_team_event, match_between
from tournaments.models import TeamMatch, Tournament


@pytest.fixture(scope="module")
def standard(world: None) -> RatingList:
    factory.make_club()
    return factory.make_list()


@pytest.fixture(scope="module")
def event(standard: RatingList) -> Tournament:
    return make_team_event()


@pytest.fixture(scope="module")
def match(event: Tournament) -> TeamMatch:
    return match_between(event, "Anchor", "Delta")
