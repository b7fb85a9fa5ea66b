"""An arbiter at the desk, a small event, and a season to be corrected."""

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from players.models import Player
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tests.tournaments.correction_cases import EVENT, make_evenings, make_season, stream
from tournaments.loading.services.streams import load_games
from tournaments.models import Tournament
from tournaments.rated_games.services.rating import bring_starting_ratings


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
