"""A club of eight with a table evening, and an arbiter who is signed in."""

import pytest
from django.test import Client

from tests import factory
from tests.tournaments.contests.contest_cases import make_tables
from tournaments.models import Tournament


@pytest.fixture(scope="module")
def tables(world: None) -> Tournament:
    factory.make_club()
    factory.make_players(8)
    return make_tables()[1]


@pytest.fixture
def arbiter() -> Client:
    client = Client()
    client.force_login(factory.make_arbiter())
    return client
