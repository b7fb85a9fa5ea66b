"""How ratings moved lately: a page's last games in one query, and who moved most, by seen names only."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from players.models import Player
from players.privacy.rules import MEMBER, NOBODY, OFFICER
from ratings.lists.selectors.history import careers
from ratings.lists.selectors.movements import LAST_GAMES, biggest_movers, trends
from ratings.lists.services import NewStart
from ratings.models import PlayerRating, RatingList
from tests import factory
from tests.clubrating.site.lists.list_pages import found_list
from tournaments.events.services.events import update_tournament
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.people import bring_starting_ratings, change_player
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def field(world: None) -> list[Player]:
    """Four players, the first two established, after seven games each: the lower number always wins."""
    players = found_list((1500, 40), (1500, 40), players=8)
    factory.play_all(factory.make_round_robin(players), Result.WHITE_WINS)
    return players


@pytest.fixture
def standard(field: list[Player]) -> RatingList:
    return RatingList.objects.get(slug="standard")


def beside_it(rating_list: RatingList) -> RatingList:
    """Another list that rates the same games from other ratings."""
    found = factory.make_list("beside", pool=rating_list.pool, primary=False)
    players = Player.objects.filter(ratings__rating_list=rating_list)
    bring_starting_ratings(found, [NewStart(each.pk, factory.MONDAY, 900, 40) for each in players], by=None)
    return found


def test_a_trend_is_the_ratings_before_the_last_games_oldest_first(standard: RatingList, field: list[Player]) -> None:
    keys = [player.pk for player in field]
    with CaptureQueriesContext(connection) as seen:
        found = trends(standard, keys)
    assert len(seen) == 1
    for player in field:
        known = careers(player, [standard])[standard.pk]
        assert len(found[player.pk]) == len(known) == 7
        # What stood before a game is what stood after the one before it.
        assert [stop.rating for stop in found[player.pk][1:]] == [row.after for row in known[:-1]]
    assert trends(standard, keys[:1], 3)[keys[0]] == found[keys[0]][-3:], "the last games only"
    assert trends(standard, []) == {}
    fifty = factory.make_players(50)
    assert trends(standard, [player.pk for player in fifty], LAST_GAMES) == {}, "they never played"


def test_a_trend_knows_where_probation_ended(standard: RatingList, field: list[Player]) -> None:
    RatingList.objects.update(provisional_games=4)
    standard.refresh_from_db()
    stops = trends(standard, [field[5].pk])[field[5].pk]
    assert [stop.provisional for stop in stops] == [True] * 4 + [False] * 3
    assert not any(stop.provisional for stop in trends(standard, [field[0].pk])[field[0].pk])


def test_a_list_of_this_week_is_too_young_to_compare_with(standard: RatingList, field: list[Player]) -> None:
    on = factory.MONDAY + timedelta(days=60)
    publish_list(beside_it(standard), on - timedelta(days=30), by=None)
    publish_list(standard, on, by=None)
    movers = biggest_movers(standard, NOBODY, on + timedelta(days=6))
    assert not movers.published
    assert biggest_movers(standard, NOBODY, on + timedelta(days=7)).published


@pytest.mark.parametrize("days", [13, 14])  # the eve of the third of seven rounds, and its day
def test_without_a_list_the_last_thirty_days_count(standard: RatingList, field: list[Player], days: int) -> None:
    since = factory.MONDAY + timedelta(days)
    beside_it(standard)
    movers = biggest_movers(standard, NOBODY, since + timedelta(days=30), 8)
    assert (movers.since, movers.published) == (since, False)
    values = {mover.row.player_id: mover.was for mover in movers.rows}
    assert {mover.row.rating_list for mover in movers.rows} == {standard}
    for player in field:
        before = [row.after for row in careers(player, [standard])[standard.pk] if row.on <= since]
        assert values[player.pk] == before[-1]


def test_only_seen_names_are_told_to_have_moved(standard: RatingList, field: list[Player]) -> None:
    today = factory.MONDAY + timedelta(days=42)
    change_player(field[0].pk, {"visibility": "hidden"}, by=None)
    change_player(field[2].pk, {"visibility": "initials"}, by=None)
    publish = publish_list(standard, factory.MONDAY, by=None)
    for published in (True, False):
        if not published:
            publish.rows.all().delete()
            type(publish).objects.all().delete()
        lines = [
            {mover.row.player.number for mover in biggest_movers(standard, viewer, today, 20).rows}
            for viewer in (NOBODY, MEMBER, OFFICER)
        ]
        assert [{1, 3} & numbers for numbers in lines] == [set(), {3}, {1, 3}]


def test_movers_are_those_whose_rating_moved_most_since_the_last_list(field: list[Player]) -> None:
    empty = factory.make_list("rapid", pool="rapid", primary=False)
    assert biggest_movers(empty, OFFICER, factory.today()).rows == ()
    assert not PlayerRating.objects.filter(rating_list=empty).exists()
    *players, away = factory.make_players(5)
    starts = [NewStart(player.pk, factory.MONDAY, 1500, 40) for player in players]
    # The first of all published rows is another list's, and the first of this one's somebody else's.
    bring_starting_ratings(empty, [*starts, NewStart(away.pk, factory.MONDAY, 1600, 40)], by=None)
    publish_list(beside_it(empty), factory.MONDAY + timedelta(days=1), by=None)
    publish_list(empty, factory.MONDAY, by=None)
    cup = factory.make_round_robin(players, first_day=factory.MONDAY + timedelta(days=7))
    update_tournament(cup.pk, {"pool": "rapid"}, by=None)
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    later = factory.make_round_robin(factory.make_players(2), name="New", first_day=factory.MONDAY + timedelta(days=7))
    update_tournament(later.pk, {"pool": "rapid"}, by=None)
    factory.play_round(later, 1, [Result.WHITE_WINS])  # of neither is there a rating in the list that was published
    Player.objects.update(number=900 - F("number"))
    movers = biggest_movers(empty, NOBODY, factory.MONDAY + timedelta(days=20))
    assert (movers.since, movers.published) == (factory.MONDAY, True)
    changes = [abs(mover.row.rating - mover.was) for mover in movers.rows]
    assert changes == sorted(changes, reverse=True)
    assert changes == [10, 10, 0, 0], "K 20, of equals; who has not played since is not told"
    assert [mover.row.player.number for mover in movers.rows] == [888, 891, 889, 890], "of equal moves the lower one"
    assert all(mover.was == 1500 for mover in movers.rows)
