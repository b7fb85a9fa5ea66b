"""An arbiter at the desk, and a small event."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ratings.models import RatingList
from tests import factory
from tournaments.models import Tournament


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
