"""Forecasts of a list at the year's end: from the club's facts, asked for, kept for good, shown to whom, and scored."""

from datetime import date, timedelta
from functools import partial

import pytest
from django.db import transaction
from django.db.models import F
from django.test import Client
from django.utils import timezone
from numpy.random import PCG64, Generator
from pytest_django import DjangoAssertNumQueries, Settings

from clubrating.site.jobs.services import ANSWERERS
from clubrating.site.player_pages.fans import fan_of
from players.models import AuditEvent, Job, Player
from players.refusals import Refused
from ratings.models import (
    LedgerEntry,
    ListForecast,
    ListForecastLine,
    PlayerRating,
    RatingList,
    RatingListRule,
    RatingTier,
)
from tests import factory
from tests.clubrating.site.research.backtest_cases import BLACK, DRAW, WHITE, nobody_works, the_list
from tests.tournaments.corrections.correction_cases import stream
from tournaments.entries.services.entries import enter_players, number_in_order
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.forecast.season import Calendar
from tournaments.forecasts.selectors import season as said_of_season
from tournaments.forecasts.selectors.season import SEASON, latest_line, lines_said, said_on, score_said, season_end
from tournaments.forecasts.selectors.season_calendar import calendar_of
from tournaments.forecasts.services import season
from tournaments.loading.services.streams import load_games
from tournaments.models import Entry, Game, Round, Tournament
from tournaments.rated_games.services.rebuilding import rebuild_list
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
PAGE = "/ratings/standard/forecast/"
TODAY = date(2026, 3, 2)  # the last of eight weeks of games
UNTIL = date(2026, 12, 31)
GAMES = [(0, 1, WHITE), (2, 3, DRAW), (0, 2, WHITE), (1, 3, BLACK), (0, 3, WHITE), (1, 2, DRAW), (4, 1, BLACK)] * 8


@pytest.fixture(scope="module")
def made(world: None) -> None:
    """Five people play a game a day; the first wins, the last is hidden. Nothing is planned, and it was forecast."""
    factory.make_club()
    factory.make_list()
    people = factory.make_players(5)
    rows = [
        f"{factory.MONDAY + timedelta(days=day)},{people[white].name},{people[black].name},{result}"
        for day, (white, black, result) in enumerate(GAMES)
    ]
    load_games(stream(*rows), by=None, event_name="Evenings", today=TODAY)
    Player.objects.filter(pk=people[4].pk).update(visibility="hidden")
    season.work_out_season(the_list(), TODAY, quiet, samples=20)


@pytest.fixture
def forecast(made: None, club_time: None, settings: Settings) -> ListForecast:
    settings.FORECASTS = True
    return ListForecast.objects.get()


def quiet(_done: int, _of: int) -> None:
    """Nobody waits."""


def calendar(until: date = UNTIL, later: int = 0) -> Calendar:
    known = {player.pk for player in factory.first_players(4)}
    return calendar_of(the_list(), TODAY + timedelta(days=later), until, known)


# --- what is to come ------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_paired_boards_are_to_come_on_their_days_and_a_club_that_plans_nothing_goes_on_as_usual(made: None) -> None:
    assert calendar().planned == ()
    factory.make_round_robin(factory.first_players(4), first_day=TODAY + timedelta(days=7))
    found = calendar()
    assert [(each.day - TODAY.toordinal(), len(each.pairs)) for each in found.planned] == [(7, 2), (14, 2), (21, 2)]
    assert len(found.weeks) == 44 - 3, "three weeks have a plan"
    ends = [len(calendar(TODAY + timedelta(days)).planned) for days in (6, 7, 13, 14)]
    assert ends == [0, 1, 1, 2], "later ones are another season's"
    surplus = Game.objects.filter(pairing__round__number=2).order_by("pk")[0]
    Game.objects.filter(pk=surplus.pk).update(surplus=True)
    assert [len(each.pairs) for each in calendar().planned] == [2, 1, 2], "a game nobody needs any more is not to come"
    assert {each.day - TODAY.toordinal() for each in calendar(later=100).planned} == {101}, "what is late is next"
    assert calendar(later=150).planned == (), "nobody will play on"
    event = factory.make_round_robin(factory.first_players(4), name="No days", first_day=TODAY)
    Round.objects.filter(stage__tournament=event).update(planned_on=None)
    days = [each.day - TODAY.toordinal() for each in calendar().planned if each.event == event.pk]
    assert days == [7, 14, 21], "rounds without a day are played a week apart"


def test_only_rounds_that_the_list_will_rate_are_to_come(made: None) -> None:
    """The second column is the pool of a part of the event that has its own."""
    cup = factory.make_round_robin(factory.first_players(4), first_day=TODAY + timedelta(days=7))
    usual = {"rated": True, "closed": False, "open_ended": False, "entry_size": 1, "pool": "standard"}
    for event, pool, planned in (
        ({}, "", 3),
        ({"rated": False}, "", 0),
        ({"closed": True}, "", 0),
        ({"open_ended": True}, "", 0),
        ({"entry_size": 2}, "", 0),
        ({"pool": "rapid"}, "", 0),
        ({"pool": "rapid"}, "standard", 3),
        ({}, "rapid", 0),
    ):
        Tournament.objects.filter(pk=cup.pk).update(**usual | event)
        cup.stages.update(pool=pool)
        assert len(calendar().planned) == planned, (event, pool)
    cup.stages.update(pool="")
    assert [len(calendar(TODAY + timedelta(days)).planned) for days in (6, 7, 13, 14)] == [0, 1, 1, 2]
    assert calendar(later=150).planned == (), "nobody will play on"


def test_rounds_of_an_announced_swiss_are_spread_over_its_days_with_the_field_that_entered(made: None) -> None:
    days = {"starts_on": TODAY + timedelta(days=10), "ends_on": TODAY + timedelta(days=12)}
    event = create_tournament(NewTournament("Open", pairing_system="dutch", settings={"rounds": 3}, **days), by=None)
    number_in_order(factory.stage_of(event), enter_players(event, factory.first_players(5), by=None), by=None)
    found = calendar().planned
    assert [each.day - TODAY.toordinal() for each in found] == [10, 11, 12]
    assert [len(each.comes) for each in found] == [4, 4, 4], "one of five is not in the list"
    assert set(found[0].comes.values()) == {0.9}
    Entry.objects.filter(tournament=event, number=1).update(withdrawn=True)
    assert len(calendar().planned[0].comes) == 3
    Entry.objects.filter(tournament=event).update(withdrawn=False)
    pair_next_round(factory.stage_of(event), by=None, day=TODAY, publish=True)
    factory.play_round(event, 1, [Result.DRAW, Result.WHITE_FORFEITS])
    assert set(calendar().planned[0].comes.values()) == {0.9 * 10 / 11, 10 / 11}, "who played is likelier to come"
    pair_next_round(factory.stage_of(event), by=None, day=TODAY, publish=True)
    factory.play_round(event, 2, [Result.DRAW, Result.DRAW])
    assert max(calendar().planned[0].comes.values()) == 11 / 12, "both of two rounds"
    before = calendar().planned
    some_day = create_tournament(NewTournament("Some day", pairing_system="dutch", settings={"rounds": 3}), by=None)
    enter_players(some_day, factory.first_players(5), by=None)
    assert calendar().planned == before, "nobody knows when that one begins"
    Entry.objects.filter(tournament=event).exclude(number=2).update(withdrawn=True)
    assert calendar().planned == (), "nobody plays alone"


def test_the_season_ends_with_the_year() -> None:
    days = (date(2026, 11, 26), date(2026, 12, 30), UNTIL)
    assert [season_end(day) for day in days] == [UNTIL, UNTIL, date(2027, 12, 31)]


# --- what is said ---------------------------------------------------------------------------------------------------
def test_what_is_said_is_kept_once_a_day_and_nobody_rewrites_it(forecast: ListForecast) -> None:
    assert (forecast.made_on, forecast.until, forecast.planned, forecast.usual) == (TODAY, UNTIL, 0, 44)
    assert forecast.looks[:2] == ["2026-03-31", "2026-04-30"]
    lines = lines_said(forecast)
    assert len(lines) == 5
    assert {each.player.number: each.line.settles for each in lines}[5] > 0.9, "he has thirty games by then"
    assert all(list(each.line.ends) == sorted(each.line.ends) for each in lines)
    season.work_out_season(the_list(), TODAY, quiet, samples=2)
    assert ListForecast.objects.get().samples == 20
    assert AuditEvent.objects.get(action="list.forecast").after == {"on": "2026-03-02", "people": 5}
    for model in (ListForecast, ListForecastLine):
        with pytest.raises(TypeError, match="written once"):
            model.objects.all().delete()
        with pytest.raises(TypeError, match="written once"), transaction.atomic():
            model.objects.first().save()


def test_the_same_facts_give_the_same_figures(forecast: ListForecast) -> None:
    before = [each.line for each in lines_said(forecast)]
    ListForecast.objects.filter(pk=forecast.pk)._raw_delete("default")  # type: ignore[attr-defined]
    ListForecastLine.objects.filter(forecast=forecast.pk)._raw_delete("default")  # type: ignore[attr-defined]
    season.work_out_season(the_list(), TODAY, quiet, samples=20)
    assert [each.line for each in lines_said(ListForecast.objects.get())] == before


def test_when_the_year_is_over_it_is_scored_by_the_list_as_it_came(forecast: ListForecast) -> None:
    lines = lines_said(forecast)
    assert score_said(forecast, lines, UNTIL) is None
    score = score_said(forecast, lines, UNTIL + timedelta(days=1))
    assert score is not None
    assert (score.people, score.unchanged) == (5, 0.0), "nobody has played since"
    assert score.crps > 0.0


def test_an_event_under_way_keeps_the_rules_of_its_first_day(made: None) -> None:
    factory.make_round_robin(factory.first_players(4), first_day=TODAY)
    since = TODAY + timedelta(days=5)
    RatingListRule.objects.create(rating_list=the_list(), valid_from=since, system="league", settings={})
    found = season.season_of(the_list(), TODAY + timedelta(days=6), Generator(PCG64(1)))
    assert {found.rules.on(each.rules_day or 0).system.key for each in found.calendar.planned} == {"elo"}
    assert found.rules.on(since).system.key == "league"


def test_too_little_is_refused_in_words_and_so_is_too_much(
    forecast: ListForecast, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit, words in (("MOST_PEOPLE", "More than 4 people played"), ("MOST_LISTED", "More than 4 people stand in")):
        with monkeypatch.context() as patch:
            patch.setattr(season, limit, 4)
            with pytest.raises(Refused, match=words):
                season.work_out_season(the_list(), TODAY, quiet)
    with monkeypatch.context() as patch:
        for limit in ("MOST_PEOPLE", "MOST_LISTED"):
            patch.setattr(season, limit, 5)
        season.work_out_season(the_list(), TODAY + timedelta(days=1), quiet, samples=2)
    with pytest.raises(Refused, match="Too few play days"):
        season.work_out_season(the_list(), date(2027, 6, 1), quiet)
    RatingListRule.objects.update(system="bradley-terry", settings={})
    assert "all its games at once" in season.why_no_season(the_list())
    for key, words in ((the_list().pk, "all its games at once"), (0, "deleted meanwhile")):
        with pytest.raises(Refused, match=words):
            season.answer_season(Job(kind=SEASON, subject_key=key), quiet)
    assert ListForecast.objects.count() == 2


def test_where_the_list_has_leagues_the_next_one_is_what_somebody_may_reach(forecast: ListForecast) -> None:
    for name, below in (("First", None), ("Second", 3000)):
        RatingTier.objects.create(rating_list=the_list(), name=name, slug=name.lower(), below=below)
    season.work_out_season(the_list(), TODAY + timedelta(days=1), quiet, samples=2)
    latest = ListForecast.objects.latest("made_on")
    assert said_of_season.forecast_days(the_list()) == [latest.made_on, TODAY]
    said = lines_said(latest)
    assert [latest_line(the_list(), each.player).forecast for each in said] == [latest] * 5  # type: ignore[union-attr]
    assert {each.line.bound for each in said} == {3000.0}
    assert {each.line.rises for each in said} == {0.0}


# --- asked for ------------------------------------------------------------------------------------------------------
def test_it_is_asked_for_once_a_month_by_itself_and_never_where_the_club_wants_none(
    forecast: ListForecast, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody_works(monkeypatch)
    assert SEASON in ANSWERERS
    assert season.ask_season_forecasts(TODAY) == 0, "there is one of this month"
    settings.FORECASTS = False
    assert season.ask_season_forecasts(date(2026, 4, 1)) == 0
    settings.FORECASTS = True
    assert season.ask_season_forecasts(date(2026, 4, 1)) == 1
    assert season.ask_season_forecasts(date(2026, 4, 1)) == 0, "it is on its way"
    assert season.ask_season_forecasts(date(2028, 4, 1)) == 0, "nobody plays any more"
    Job.objects.update(state=Job.State.FAILED, requested_at=timezone.now().replace(year=2026, month=4, day=1))
    assert season.ask_season_forecasts(date(2026, 4, 2)) == 0, "what was refused is not asked again every day"
    assert season.ask_season_forecasts(date(2026, 5, 1)) == 1, "but a month later"


def test_of_two_lists_each_is_asked_for_and_told_by_its_own(
    forecast: ListForecast, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody_works(monkeypatch)
    before = season.season_of(the_list(), TODAY, Generator(PCG64(1))).states
    factory.make_list("rapid", pool="rapid", primary=False)
    assert season.ask_season_forecasts(TODAY) == 0, "nobody plays in the list that has none"
    second = factory.make_list("second", primary=False)
    rebuild_list(second)
    PlayerRating.objects.filter(rating_list=second).update(rating=F("rating") + 500)
    assert season.season_of(the_list(), TODAY, Generator(PCG64(1))).states == before
    player = factory.first_players(1)[0]
    assert (said_on(second, TODAY), latest_line(second, player)) == (None, None)
    assert season.ask_season_forecasts(TODAY) == 1
    assert Job.objects.get(kind=SEASON).subject_key == second.pk
    season.work_out_season(second, TODAY, quiet, samples=2)
    assert said_on(the_list(), TODAY) == forecast
    mine = latest_line(the_list(), player)
    assert mine is not None
    assert (mine.forecast, mine.player) == (forecast, player)
    assert len(lines_said(forecast)) == len({each.player for each in lines_said(forecast)}) == 5
    Player.objects.filter(pk=player.pk).update(active=False)
    found = season.season_of(the_list(), TODAY, Generator(PCG64(1)))
    assert found.habits is not None
    assert player.pk not in {*found.active, *found.habits.players}, "who plays no more"
    live, rows = the_list().live_generation, LedgerEntry.objects.filter(rating_list=second)
    rows.update(pending=True, generation=live)
    assert season.season_of(the_list(), TODAY, Generator(PCG64(1))).waiting == ()
    rows.update(rating_list=the_list(), generation=live + 9)
    assert season.season_of(the_list(), TODAY, Generator(PCG64(1))).waiting == (), "nor what is being made anew"


def test_the_button_asks_and_the_worker_keeps_the_answer(
    client: Client, forecast: ListForecast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(season, "work_out_season", partial(season.work_out_season, samples=2))
    assert client.post(PAGE).headers["Location"] == PAGE
    assert "Too few play days" in Job.objects.get(kind=SEASON).message or ListForecast.objects.count() == 2


# --- the pages ------------------------------------------------------------------------------------------------------
def test_the_page_shows_those_whose_names_the_reader_sees(
    client: Client, forecast: ListForecast, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(25):
        page = client.get(PAGE).text
    assert "Ada Alvarez" in page
    assert "Eva Engel" not in page
    assert f"#{forecast.lines.count()}" not in page
    assert "1 player whose name you do not see is left out." in page
    assert "Work it out as of today" in page


def test_what_was_said_earlier_has_its_address_and_a_day_that_is_none_is_told(
    client: Client, forecast: ListForecast
) -> None:
    assert "as of 2 March 2026" in client.get(f"{PAGE}?on=2026-03-05").text
    assert "Ada" not in client.get(f"{PAGE}?on=2026-03-01").text
    assert client.get(f"{PAGE}?on=tomorrow").status_code == 400


def test_without_forecasts_there_is_no_page_and_nobody_is_led_there(
    client: Client, forecast: ListForecast, settings: Settings
) -> None:
    assert PAGE in client.get("/ratings/standard/").text
    settings.FORECASTS = False
    assert client.get(PAGE).status_code == 404
    assert PAGE not in client.get("/ratings/standard/").text


def test_a_players_page_has_the_fan_of_a_season_still_running(client: Client, forecast: ListForecast) -> None:
    (player,) = factory.first_players(1)
    page = client.get(player.get_absolute_url()).text
    assert ("At the year’s end" in page) == (factory.today() < UNTIL)
    fans = [fan_of(RatingList.objects.get(), player, UNTIL - timedelta(days)) for days in (1, 0)]
    assert [fan is None for fan in fans] == [False, True]
    assert RatingList.objects.count() == 1
