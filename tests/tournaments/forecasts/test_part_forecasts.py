"""Groups with their knockout, and stations: forecast as a whole, stored before every round, one order over all."""

import json
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from players.models import Visibility
from players.people.services import update_player
from players.privacy.rules import NOBODY, OFFICER
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tests.tournaments.event_pages.page_cases import first_stage, form_groups, make_event, play_stage, text_of
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.events import all_event_data, whole_event
from tournaments.events.selectors.overall import overall_order
from tournaments.events.selectors.standings import by_number
from tournaments.forecast.posterior import Plan
from tournaments.forecast.stations_playouts import Played
from tournaments.forecasts.selectors import strengths
from tournaments.forecasts.selectors.forecasts import forecast_kind, is_over, stored_forecasts
from tournaments.forecasts.selectors.parts import ListRate
from tournaments.forecasts.selectors.scores import titles_of
from tournaments.forecasts.services import forecasts
from tournaments.forecasts.services.due import ask_for_all_due, ask_when_due
from tournaments.forecasts.services.making import work_out
from tournaments.formats.services import Calendar, form_stages, make_rounds
from tournaments.models import Forecast, ForecastKind, Game, Stage, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result

# The immediate backend of the tests runs a task when the transaction commits.
pytestmark = pytest.mark.django_db(transaction=True)
WEEKLY = Calendar(first_day=factory.MONDAY)


@pytest.fixture(autouse=True)
def _quick(settings: Settings, monkeypatch: pytest.MonkeyPatch, club_time: None) -> None:
    settings.FORECASTS = True
    monkeypatch.setattr(forecasts, "work_out", partial(work_out, draws=40, samples=60))
    monkeypatch.setattr(strengths, "Plan", partial(Plan, warm_up=20))


def whole(event: Tournament) -> EventData:
    return whole_event(first_stage(event), NOBODY)


def stations(count: int = 4, **settings: Any) -> list[Stage]:
    """Two stations, the first drawn."""
    event = make_event(factory.make_players(count), "stations", stations=2, **settings)
    found = form_stages(first_stage(event), by=None, seed=1)
    make_rounds(found[0], by=None, calendar=WEEKLY, seed=1)
    return found


def titles(event: Tournament) -> dict[str, float]:
    """The last forecast stored, by names."""
    return {line.entrant.player.name.split()[0]: line.title for line in stored_forecasts(whole(event))[-1].lines}


@pytest.mark.extended
def test_groups_are_forecast_before_every_round_to_the_final_and_scored_after(standard: RatingList) -> None:
    first, second, knockout = form_groups(factory.make_players(8))
    event = first.tournament
    with_one_group = replace(whole(event), rounds=all_event_data(event, NOBODY)[0].rounds)
    assert forecast_kind(with_one_group) is None, "the other group is not made yet"
    assert forecast_kind(whole(event)) is ForecastKind.GROUPS
    for row in range(3):
        for stage in (first, second):
            play_round(stage, row)
    make_rounds(knockout, by=None, calendar=WEEKLY)
    assert not is_over(whole(event))
    ended = titles(event)
    assert {name for name, chance in ended.items() if chance} == {"Ada", "Bo", "Cleo", "Dag"}, "the others are out"
    assert sum(ended.values()) == pytest.approx(1.0)
    play_stage(knockout)
    play_stage(knockout)
    found = whole(event)
    stored = stored_forecasts(found)
    assert [(each.before_round, len(each.games), each.method) for each in stored] == [
        *((number, 4, "sampled") for number in (1, 2, 3)),
        (4, 2, "exact"),
        (5, 1, "exact"),
    ]
    assert {each.stage for each in Forecast.objects.select_related("stage")} == {first_stage(event)}
    (*_before, last) = titles_of(found, stored)
    assert last.chance == next(line.title for line in stored[-1].lines if line.entrant.player.name.startswith("Ada"))


def play_round(stage: Stage, row: int) -> None:
    """The better number wins every game of a round of the stage."""
    number = sorted(stage.rounds.values_list("number", flat=True))[row]
    for game in Game.objects.filter(pairing__stage=stage, pairing__round__number=number):
        won = Result.WHITE_WINS if game.white_id < game.black_id else Result.BLACK_WINS
        record_result(game=game.pk, result=won, played_on=factory.MONDAY, by=None)


def test_stations_are_forecast_as_one_and_the_highest_rating_wins(standard: RatingList) -> None:
    one, two = stations()
    event = one.tournament
    for stage in (one, two):
        if not stage.rounds.exists():
            assert not is_over(whole(event)), "the next station is still to be drawn"
            make_rounds(stage, by=None, calendar=WEEKLY, seed=2)
        play_stage(stage)
        play_stage(stage)
    found = whole(event)
    assert is_over(found)
    assert [each.before_round for each in stored_forecasts(found)] == [1, 2, 3, 4]
    order = overall_order(found, all_event_data(event, NOBODY))
    assert [row.now for row in order] == sorted((row.now or 0.0 for row in order), reverse=True)
    assert (order[0].entrant.player.name.split()[0], order[0].won) == ("Ada", 2)
    ends = work_out(found, ForecastKind.STATIONS, lambda done, of: None, draws=8, samples=8)
    by_title = {line["entry"]: line["title"] for line in ends["lines"]}
    assert by_title[order[0].entrant.key] == 1.0, "nothing is left to be played: the forecast is the order"
    assert titles_of(found, stored_forecasts(found))[-1].chance == titles(event)["Ada"]


def test_ratings_move_in_a_playout_as_they_would_in_the_list(standard: RatingList) -> None:
    one, _two = stations()
    rated = one.tournament.entries.get(number=2).player
    bring_starting_ratings(standard, [NewStart(rated.pk, factory.MONDAY - timedelta(days=1), 1900, 50)], by=None)
    found = whole(one.tournament)
    rate = ListRate(standard, by_number(found), found.tournament)
    games = [Played(game.white.entries.get().number, game.black.entries.get().number, 1.0) for game in open_games(one)]
    said = rate(games)
    for game in open_games(one):
        record_result(game=game.pk, result=Result.WHITE_WINS, played_on=factory.MONDAY, by=None)
    order = overall_order(whole(one.tournament), all_event_data(one.tournament, OFFICER))
    assert {row.entrant.number: row.change for row in order} == pytest.approx(said)


def open_games(stage: Stage) -> list[Game]:
    return list(Game.objects.filter(pairing__stage=stage, result="").order_by("pk"))


def test_what_is_due_is_asked_for_once_for_all_parts(standard: RatingList, settings: Settings) -> None:
    settings.FORECASTS = False
    first, *_others = form_groups(factory.make_players(8))
    settings.FORECASTS = True
    assert (ask_for_all_due(), ask_for_all_due()) == (1, 0)
    assert Forecast.objects.get().before_round == 1
    assert ask_when_due(first) is None, "it is stored"


def test_stations_without_one_order_are_not_forecast(standard: RatingList, client: Client) -> None:
    one, _two = stations()
    address = f"/tournaments/{one.tournament.slug}/"
    assert forecast_kind(whole(one.tournament)) is ForecastKind.STATIONS
    for rated, public, preset in ((True, True, "fide"), (False, True, "club"), (True, False, "club")):
        Tournament.objects.update(rated=rated)
        RatingList.objects.update(public=public)
        standard.rules.update(settings={"preset": preset})
        assert forecast_kind(whole(one.tournament)) is None, (rated, public, preset)
        assert client.get(f"{address}forecast/").status_code == 404, (rated, public, preset)
    play_stage(one)
    for rated, public in ((True, False), (False, True)):
        Tournament.objects.update(rated=rated)
        RatingList.objects.update(public=public)
        assert "Over all stations" not in text_of(client, f"{address}standings/"), (rated, public)


# --- pages --------------------------------------------------------------------------------------------------------
def test_the_pages_show_the_forecast_and_the_order_with_names_as_one_may_see_them(
    standard: RatingList, client: Client
) -> None:
    one, _two = stations()
    address = f"/tournaments/{one.tournament.slug}/"
    assert f"{address}forecast/" in text_of(client, address)
    assert "Over all stations" not in text_of(client, f"{address}standings/"), "nothing is played yet"
    hidden = one.tournament.entries.get(number=1).player
    update_player(hidden.pk, {"visibility": Visibility.HIDDEN}, by=None)
    play_stage(one)
    table, page = text_of(client, f"{address}standings/"), text_of(client, f"{address}forecast/")
    assert "Over all stations" in table
    assert "The event is won by the highest rating after the last station" in page
    assert "What do I need?" not in page
    said = json.loads(client.get(f"/api/v1{address}forecast/").content)
    assert (said["format"], len(said["before_rounds"])) == ("stations", 2)
    for shown in (table, page, json.dumps(said)):
        assert "Alvarez" not in shown


def test_as_many_queries_for_many_players_as_for_few(standard: RatingList, client: Client) -> None:
    counts = []
    for count in (4, 8):
        one, _two = stations(count)
        Tournament.objects.filter(pk=one.tournament_id).update(slug=f"cup-{count}")
        play_stage(one)
        for page in ("standings", "forecast"):
            with CaptureQueriesContext(connection) as found:
                assert client.get(f"/tournaments/cup-{count}/{page}/").status_code == 200
            counts.append(len(found))
    assert counts[:2] == counts[2:]
    assert max(counts) <= 24
