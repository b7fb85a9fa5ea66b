"""A list read off its ledger for an earlier day equals a fresh replay of the facts up to that day, for every day."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from random import Random

import pytest
from django.db.models import Max
from pytest_django import DjangoAssertNumQueries

from players.models import Player
from ratings.ledger.services.ledger import people_facts
from ratings.lists.services import BEGINNING, NewRule, NewStart, change_list, reentry_of, rules_of, set_rules, starts_of
from ratings.models import LedgerEntry, RatingList
from ratings.published.services import standings_of_states
from ratings.systems.base import PlayerState, order_key
from ratings.systems.replay import replay
from tests import factory
from tournaments.events.services.events import update_tournament
from tournaments.models import Game, Tournament
from tournaments.rated_games.selectors.games import rated_games
from tournaments.rated_games.selectors.past_games import past_games
from tournaments.rated_games.services.past_lists import known_on, known_states
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rebuilding import rebuild_list
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db

DAY = factory.MONDAY
ELO = NewRule(BEGINNING, "elo", {})
BY_EVENT = NewRule(BEGINNING, "elo", {"period": "event"})
RULES: dict[str, list[NewRule]] = {
    "elo": [ELO],
    "elo by event": [BY_EVENT],
    "elo by day": [NewRule(BEGINNING, "elo", {"period": "day"})],
    "fide": [NewRule(BEGINNING, "elo", {"preset": "fide"})],
    "us-chess": [NewRule(BEGINNING, "elo", {"preset": "us-chess"})],
    "glicko": [NewRule(BEGINNING, "glicko", {})],
    "glicko by month": [NewRule(BEGINNING, "glicko", {"period": "month"})],
    "glicko2 by event": [NewRule(BEGINNING, "glicko2", {"period": "event"})],
    "solo-zerg": [NewRule(BEGINNING, "solo-zerg", {"normalise_above": 1100})],
    "r2": [NewRule(BEGINNING, "r2", {})],
    "bradley-terry": [NewRule(BEGINNING, "bradley-terry", {})],
    "elo, then elo by event": [ELO, NewRule(DAY + timedelta(days=20), "elo", {"period": "event"})],
}
MONTHLY = NewRule(DAY + timedelta(days=25), "glicko", {"period": "month", "start": 1500})
RULES["elo by event, then glicko by month"] = [BY_EVENT, MONTHLY]


@pytest.fixture(scope="module")
def season(world: None) -> list[Player]:
    """Three events that overlap, one of them not over, somebody who brings a rating and a junior."""
    factory.make_club()
    standard = factory.make_list()
    rng = Random(1851)
    players = [*factory.make_players(6), *factory.make_players(1, birth_year=2012)]
    starts = [
        NewStart(players[0].pk, DAY, 2290, 50, deviation=60.0),
        NewStart(players[1].pk, DAY + timedelta(days=17), 1900, 5),
        NewStart(players[2].pk, DAY + timedelta(days=30), 1400),
    ]
    bring_starting_ratings(standard, starts, by=None)
    for index, (name, group) in enumerate((("One", players), ("Two", players[2:]), ("Three", players[:5]))):
        cup = factory.make_round_robin(group, name=name, first_day=DAY + timedelta(days=9 * index))
        for game in Game.objects.filter(tournament=cup):
            if rng.random() < 0.85:
                on = DAY + timedelta(days=9 * index + rng.randint(0, 25))
                record_result(game=game.pk, result=rng.choice(list(Result)[1:4]), played_on=on, by=None)
    Tournament.objects.exclude(name="Two").update(closed=True)
    return players


@pytest.fixture
def standard(season: list[Player]) -> RatingList:
    return RatingList.objects.get(slug="standard")


TURNS = {-1, 16, 17, 19, 20, 21, 24, 25, 26, 27, 29}  # around the days on which a rating, a rule or a month begins
each_day = pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.slow)])


def days_of(every: int) -> Iterator[date]:
    """Every day of the season, or every tenth one and those on which something turns."""
    last = Game.objects.aggregate(last=Max("played_on"))["last"]
    for offset in range(-2, (last - DAY).days + 4):
        if offset % every == 0 or offset in TURNS:
            yield DAY + timedelta(days=offset)


def replays(rating_list: RatingList) -> Callable[[date], dict[int, PlayerState]]:
    """From nothing, from the games up to a day alone."""
    games, starts = list(rated_games(rating_list.pool)), starts_of(rating_list)
    births = {player: born for player, (born, _) in people_facts(None).items()}
    rules, reentry = rules_of(rating_list), reentry_of(rating_list)

    def replayed(day: date) -> dict[int, PlayerState]:
        end = order_key(day + timedelta(days=1), 0)
        to_come = {game.event for game in games if game.order >= end}
        played = [game._replace(closed=game.closed and game.event not in to_come) for game in games if game.order < end]
        known = [start for start in starts if start.order < end]
        states: dict[int, PlayerState] = {}
        list(replay(played, known, states=states, birth_years=births, rules=rules, reentry=reentry))
        return states

    return replayed


@pytest.mark.extended
@each_day
@pytest.mark.parametrize("rules", RULES)
def test_every_day_of_a_season_equals_a_replay_up_to_it(standard: RatingList, rules: str, every: int) -> None:
    set_rules(standard, RULES[rules], by=None)
    rebuild_list(standard)
    standard.refresh_from_db()
    replayed = replays(standard)
    for day in days_of(every):
        assert known_states(standard, day) == replayed(day), day


@pytest.mark.extended
@each_day
def test_a_season_with_returns_after_an_absence_equals_it_too(
    standard: RatingList, season: list[Player], every: int
) -> None:
    """Twice: the second absence begins before the probation of the first return is over."""
    change_list(standard, {"reentry_years": 1, "reentry_games": 6}, by=None)
    for days in (1600, 900):
        event = factory.make_round_robin(season[3:6], name=f"Ago {days}", first_day=DAY - timedelta(days=days))
        factory.play_all(event)
    aside = factory.make_list("rapid", pool="rapid", primary=False)
    rapid = factory.make_round_robin(season[3:6], name="Rapid", first_day=DAY - timedelta(days=300))
    update_tournament(rapid.pk, {"pool": "rapid"}, by=None)
    factory.play_all(rapid)
    for rules in ("elo", "elo by event", "glicko by month", "elo, then elo by event"):
        set_rules(standard, RULES[rules], by=None)
        for each in (standard, aside):  # the other one has no such rule, and the same number of a generation
            rebuild_list(each)
        standard.refresh_from_db()
        replayed = replays(standard)
        for day in (DAY - timedelta(days=1000), DAY - timedelta(days=500), *days_of(every)):
            assert known_states(standard, day) == replayed(day), (rules, day)


def test_a_list_that_rates_game_by_game_is_read_and_not_rated(standard: RatingList) -> None:
    """Even the ledger may be wrong: what it says is what is shown."""
    ledger = LedgerEntry.objects.filter(game__played_on__gt=DAY + timedelta(days=10)).order_by("order")
    first = ledger.select_related("game")[0]
    LedgerEntry.objects.filter(pk=first.pk).update(white_before=1234.5)
    standard.refresh_from_db()
    assert known_states(standard, DAY + timedelta(days=10))[first.game.white_id].rating == 1234.5


def test_a_list_is_replayed_where_all_its_ratings_were_scaled_after_that_day(standard: RatingList) -> None:
    unscaled = factory.make_list("unscaled", primary=False)
    newcomer = factory.make_players(1)[0]
    bring_starting_ratings(standard, [NewStart(newcomer.pk, DAY + timedelta(days=60), 1400)], by=None)
    for rating_list, limit, replayed in ((standard, 1100, [True, False]), (unscaled, 9000, [False, False])):
        set_rules(rating_list, [NewRule(BEGINNING, "solo-zerg", {"normalise_above": limit})], by=None)
        rebuild_list(rating_list)
        rating_list.refresh_from_db()
        days = (DAY, DAY + timedelta(days=50))
        assert [past_games(rating_list, day).from_nothing for day in days] == replayed


@pytest.mark.extended
def test_a_day_far_back_is_replayed_and_gives_the_same(standard: RatingList, monkeypatch: pytest.MonkeyPatch) -> None:
    read = {day: known_states(standard, day) for day in days_of(5)}
    monkeypatch.setattr("tournaments.rated_games.selectors.past_games.LONG", 0)
    assert past_games(standard, DAY).from_nothing
    assert {day: known_states(standard, day) for day in days_of(5)} == read


def test_an_open_ended_event_counts_as_far_as_it_went(standard: RatingList) -> None:
    """Club evenings are never over: a list that rates by the event showed each evening's games at once."""
    set_rules(standard, [BY_EVENT], by=None)
    Tournament.objects.filter(name="One").update(open_ended=True, closed=False)
    rebuild_list(standard)
    standard.refresh_from_db()
    day = DAY + timedelta(days=8)
    assert Game.objects.filter(tournament__name="One", played_on__gt=day).exists()
    assert {state.rating for state in known_states(standard, day).values()} != {1500.0, 2290.0}


def test_a_correction_changes_what_is_known_of_the_past_and_the_last_day_is_today(standard: RatingList) -> None:
    day = DAY + timedelta(days=12)
    standard.refresh_from_db()
    before = known_on(standard, day)
    game = Game.objects.filter(played_on__lte=day, result=Result.WHITE_WINS).first()
    assert game is not None
    correct_result(game=game.pk, result=Result.BLACK_WINS, by=None)
    standard.refresh_from_db()
    assert known_on(standard, day) != before
    assert known_on(standard, day) == standings_of_states(standard, replays(standard)(day))
    rows = {row.player: (row.rating, row.games) for row in known_on(standard, DAY + timedelta(days=90))}
    assert rows == {row.player_id: (row.rating, row.games) for row in standard.ratings.all()}


def test_what_is_known_of_a_day_is_remembered_while_only_another_list_changes(
    season: list[Player], standard: RatingList, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    rapid = factory.make_list("rapid", pool="rapid", primary=False)
    before = known_on(standard, DAY)
    bring_starting_ratings(rapid, [NewStart(season[0].pk, DAY, 2100)], by=None)
    with django_assert_num_queries(1):
        assert known_on(standard, DAY) == before
