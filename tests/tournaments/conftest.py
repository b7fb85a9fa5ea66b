"""An arbiter at the desk, a small event, and a season to be corrected."""

from datetime import date, timedelta
from random import Random

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from players.models import Player
from ratings.models import RatingList
from ratings.services.lists import NewStart, create_list
from tests import factory
from tests.tournaments.correction_cases import EVENT, RESULTS, stream
from tournaments.models import Tournament
from tournaments.services.rating import bring_starting_ratings
from tournaments.services.streams import load_games


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
    """Six players, a round robin played to the end; the first has a rating brought along."""
    players = factory.make_players(6)
    bring_starting_ratings(standard, [NewStart(players[0].pk, date(2025, 12, 1), 1850, 29)], by=None)
    cup = factory.make_round_robin(players)
    random = Random(7)
    for number in range(1, 6):
        factory.play_round(cup, number, [random.choice(RESULTS) for _ in range(3)])
    return cup


@pytest.fixture
def evenings(season: Tournament) -> Tournament:
    """Club evenings of the same people, in the same weeks and after, rated in two lists."""
    create_list(name="Glicko", slug="glicko", pool="standard", by=None, system="glicko2", settings={"period": "month"})
    random, names = Random(3), factory.CAST[:6]
    rows = []
    for week in range(8):
        day = factory.MONDAY + timedelta(days=3 + 7 * week)
        for white, black in (random.sample(names, 2) for _ in range(4)):
            rows.append(f"{day},{white},{black},{random.choice(RESULTS)}")
    load_games(stream(*rows), by=None, event_name=EVENT, today=timezone.localdate())
    return Tournament.objects.get(open_ended=True)


@pytest.fixture
def twin(evenings: Tournament, standard: RatingList) -> Player:
    """Ada once more, misspelt: two evenings, an entry of her own and a rating brought along."""
    rows = stream("2026-01-06,Ada Alvares,Bo Brandt,1", "2026-02-06,Cleo Costa,Ada Alvares,1")
    load_games(rows, by=None, event_name=EVENT, today=factory.MONDAY)
    twin = Player.objects.get(name="Ada Alvares")
    bring_starting_ratings(standard, [NewStart(twin.pk, date(2025, 11, 1), 1700, 12)], by=None)
    factory.make_round_robin([twin, Player.objects.get(name="Bo Brandt")], name="Spring Cup")
    return twin
