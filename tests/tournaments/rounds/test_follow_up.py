"""What follows a result is queued once for each round, and only of formats that are forecast: others pay no query."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from ratings.models import RatingList
from tests import factory
from tournaments.models import ForecastKind, Game, Stage
from tournaments.pairing import PAIRING_SYSTEMS
from tournaments.results.services.results import lock_game, record_result
from tournaments.rounds.services.follow_up import queue_after_result, queue_follow_up
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
NEVER_FORECAST = sorted({system.key for system in PAIRING_SYSTEMS} - set(ForecastKind))
CountQueries = Callable[[int], AbstractContextManager[Any]]


@pytest.fixture
def games(standard: RatingList, club_time: None, settings: Settings) -> list[int]:
    """The two games of round 1, by key. Whoever queues what follows fails: the settings name no task that is there."""
    event = factory.make_round_robin(factory.make_players(4))
    settings.FORECASTS, settings.FOLLOW_UP_TASK = True, "tests.no_task_is_queued"
    return list(Game.objects.filter(tournament=event, pairing__round__number=1).values_list("pk", flat=True))


def play(game: int) -> None:
    record_result(game=game, result=Result.DRAW, played_on=factory.MONDAY, by=None)


def queries_of(game: int) -> int:
    """How many a result of the game costs; it is taken back."""
    with CaptureQueriesContext(connection) as queries, transaction.atomic():
        play(game)
        transaction.set_rollback(True)
    return len(queries)


@pytest.mark.extended
@pytest.mark.parametrize("system", NEVER_FORECAST)
def test_of_a_format_that_is_never_forecast_nothing_is_asked_and_nothing_queued(
    games: list[int], system: str, django_assert_num_queries: CountQueries
) -> None:
    Stage.objects.update(pairing_system=system)
    for key in games:
        play(key)
    game = lock_game(games[1])
    with django_assert_num_queries(0):
        queue_after_result(game)
        queue_follow_up(game.pairing.stage)


def test_of_a_format_that_is_forecast_a_result_costs_one_query_and_the_last_queues_the_task(
    games: list[int], django_assert_num_queries: CountQueries
) -> None:
    play(games[0])
    game = lock_game(games[0])
    with django_assert_num_queries(1):
        queue_after_result(game)
    with pytest.raises(ImportError, match="no_task_is_queued"):
        play(games[1])


@pytest.mark.parametrize(("system", "more"), [("keizer", 0), ("round-robin", 1)])
def test_what_a_result_costs_more_in_a_club_with_forecasts(
    games: list[int], settings: Settings, system: str, more: int
) -> None:
    Stage.objects.update(pairing_system=system)
    with_forecasts = queries_of(games[0])
    settings.FORECASTS = False
    assert with_forecasts == queries_of(games[0]) + more


def test_the_kinds_that_are_forecast_are_formats() -> None:
    """A key that is misspelt would be forecast no more, and nobody would miss it."""
    assert len(NEVER_FORECAST) == len(PAIRING_SYSTEMS) - len(ForecastKind)
