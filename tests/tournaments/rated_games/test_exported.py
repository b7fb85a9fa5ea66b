"""Which events are over: in the file of games, and on a day of the past; whether something later is rated."""

from datetime import date, timedelta
from itertools import islice

import pytest
from django.db.models import F

from ratings.models import LedgerEntry, RatingList
from ratings.systems.base import Moment, Period
from tests import factory
from tests.tournaments.contests.contest_cases import make_evening, make_tables, play
from tournaments.contests.services import correct_contest
from tournaments.events.services.events import open_event
from tournaments.free_play.services import record_free_game
from tournaments.models import Contest, Game, Tournament
from tournaments.rated_games.selectors import games
from tournaments.rated_games.selectors.exported import exported_contests, exported_games, left_out
from tournaments.rated_games.selectors.games import first_rated_moments
from tournaments.rated_games.selectors.past_games import running_events
from tournaments.rated_games.services.rating_impact import has_later
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(standard: RatingList) -> Tournament:
    """Four players, three rounds, a week between them."""
    cup = factory.make_round_robin(factory.make_players(4))
    factory.play_all(cup)
    return cup


def test_closed_events_and_those_without_an_end_are_over_in_the_file(cup: Tournament) -> None:
    evenings = open_event("Thursdays", pool="standard", by=None).tournament
    record_free_game(evenings, *factory.first_players(2), Result.DRAW, factory.MONDAY + timedelta(days=30), by=None)

    def over() -> dict[str, int]:
        return {row[4]: row[-4] for row in exported_games("standard")}

    assert over() == {cup.name: 0, "Thursdays": 1}
    Tournament.objects.filter(pk=cup.pk).update(closed=True)
    assert over() == {cup.name: 1, "Thursdays": 1}


def test_the_file_has_the_rated_games_of_its_pool_and_says_how_many_it_leaves_out(cup: Tournament) -> None:
    unrated = factory.make_round_robin(factory.first_players(2), name="Fun")
    factory.play_all(unrated)
    Tournament.objects.filter(pk=unrated.pk).update(rated=False)
    surplus, elsewhere, *_rest = Game.objects.filter(tournament=cup).order_by("pk").values_list("pk", flat=True)
    Game.objects.filter(pk=surplus).update(surplus=True)
    Game.objects.filter(pk=elsewhere).update(pool="rapid")
    files = [[row[4] for row in exported_games(pool)] for pool in ("standard", "rapid", None)]
    assert files == [[cup.name] * 4, [cup.name], [cup.name] * 5]
    assert [left_out(pool) for pool in ("standard", "rapid", None)] == [2, 0, 2]
    Tournament.objects.filter(pk=unrated.pk).update(entry_size=2)
    assert left_out(None) == 1, "games of pairs stand in the other file"


def test_games_read_in_pages_are_the_same_in_the_same_order(cup: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    Game.objects.filter(tournament=cup, pairing__board=1).update(handicap=2)
    whole = list(games.rated_games("standard", handicaps=True))
    for size in (1, 2, 4, 6):
        monkeypatch.setattr(games, "PAGE", size)
        assert list(islice(games.rated_games("standard", handicaps=True), len(whole) + 1)) == whole


def test_an_event_runs_from_its_first_game_to_its_last_or_until_it_is_closed(cup: Tournament) -> None:
    last = factory.MONDAY + timedelta(days=14)
    days = (factory.MONDAY - timedelta(days=1), factory.MONDAY, last)
    assert [list(running_events("standard", day)) for day in days] == [[], [cup.pk], [cup.pk]]
    Tournament.objects.update(closed=True)
    assert [list(running_events("standard", day)) for day in days] == [[], [cup.pk], []]


def test_a_period_that_changed_is_rated_from_its_first_moment(standard: RatingList) -> None:
    since = Moment(date(2026, 3, 18), 7)
    whole = {Period.DAY: Moment(since.on), Period.MONTH: Moment(date(2026, 3, 1)), Period.ALL: Moment(date.min)}
    assert {period: games.whole_periods_from("standard", since, [period]) for period in whole} == whole


def test_what_is_rated_later_is_asked_of_the_pool_and_of_its_lists_as_they_are_now(cup: Tournament) -> None:
    factory.make_list("rapid", pool="rapid", primary=False)
    first, last = Moment(factory.MONDAY), Moment(factory.MONDAY + timedelta(days=15))
    asked = (("standard", first), ("standard", last), ("rapid", first))
    assert [has_later(pool, moment) for pool, moment in asked] == [True, False, False]
    LedgerEntry.objects.update(generation=F("generation") + 1)
    assert not has_later("standard", first), "a rebuild that is not over yet counts for nothing"


def test_somebodys_rated_games_begin_in_the_first_event_that_is_rated(cup: Tournament) -> None:
    earlier = factory.MONDAY - timedelta(days=7)
    fun = factory.make_round_robin(factory.first_players(2), name="Fun", first_day=earlier)
    factory.play_all(fun)
    Tournament.objects.filter(pk=fun.pk).update(rated=False)
    for one in factory.first_players(2):
        assert [moment.on for moment in first_rated_moments(one).values()] == [factory.MONDAY]


def test_somebodys_rated_tables_begin_with_the_first_that_counts(standard: RatingList) -> None:
    one = factory.make_players(4)[0]
    tables, unrated = make_tables()[1], make_evening("Fun", rated=False)
    play(unrated, "1: 1; 2: 2; 3: 3", day=0)
    assert first_rated_moments(one) == {}
    correct_contest(play(tables, "1: 1; 2: 2; 3: 3", day=1).pk, withdrawn=True, by=None, reason="duplicate")
    play(tables, "1: 2; 2: 3; 3: 4", day=2)
    first = play(tables, "1: 1; 2: 2; 3: 3", day=3)
    play(tables, "1: 3; 2: 1; 3: 4", day=4)
    assert first_rated_moments(one) == {"tables": first.moment}
    Contest.objects.filter(pk=first.pk).update(pool="other", importance=2.0)
    pools = [{tuple(row[-3:-1]) for row in exported_contests(pool)} for pool in ("tables", "other", None)]
    assert pools == [{(None, "tables")}, {(2.0, "other")}, {(None, "tables"), (2.0, "other")}]
