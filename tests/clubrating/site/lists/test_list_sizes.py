"""Lists of every size, from none to hundreds of rows: what the pages say, how long they are, what they cost."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from players.models import Player
from ratings.lists.selectors.lists import around, leaderboard, rating_of
from ratings.lists.services import NewStart
from ratings.models import PlayerRating, RatingList
from tests import factory
from tests.clubrating.site.lists.list_pages import PAGE, numbers
from tournaments.events.services.events import update_tournament
from tournaments.models import Game
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
DAY = factory.MONDAY
ON = DAY + timedelta(days=10)


def test_show_me_by_name_leads_into_the_middle_of_ten(client: Client, standard: RatingList) -> None:
    players = factory.make_players(30)
    starts = [NewStart(player.pk, factory.MONDAY, 1900 - player.number, 40) for player in players]
    bring_starting_ratings(standard, starts, by=None)
    answer = client.get(f"{PAGE}?me=1&q=Extra+Player+15")
    assert answer.headers["Location"] == f"{PAGE}?around=15#player-15"
    assert numbers(client, "?around=15") == list(range(10, 21))
    text = client.get(f"{PAGE}?around=15").text
    assert 'id="player-15" aria-current="true"' in text
    assert client.get(f"{PAGE}?me=1&q=%2315").headers["Location"] == f"{PAGE}?around=15#player-15"


@pytest.mark.extended
def test_those_around_a_row_are_its_neighbours_in_the_list(standard: RatingList) -> None:
    players = factory.make_players(23)
    rows = [
        PlayerRating(
            rating_list=standard, player=player, rating=1500 + player.number // 4, games=40, wins=0, draws=0, losses=0,
            peak=0, reached_order=player.number % 3, ranked=player.number % 2 > 0,
        )
        for player in players
    ]  # fmt: skip
    PlayerRating.objects.bulk_create(rows)
    order = [row.pk for row in leaderboard(standard)]
    for place, key in enumerate(order):
        row = rating_of(standard, PlayerRating.objects.get(pk=key).player.number)
        assert row is not None
        assert [near.pk for near in around(standard, row)] == order[max(place - 5, 0) : place + 6]


@pytest.mark.extended
def test_a_page_costs_the_same_queries_however_long_the_list(client: Client, standard: RatingList) -> None:
    counted: dict[str, list[int]] = {}
    for count in (10, 60):
        players = factory.make_players(count)
        starts = [NewStart(player.pk, factory.MONDAY, 1500 + player.number, 40) for player in players]
        bring_starting_ratings(standard, starts, by=None)
        for query in ("", "?show=ranked", "?q=a", "?around=3", "?sort=games", "?from=2"):
            with CaptureQueriesContext(connection) as seen:
                page = client.get(PAGE + query)
            counted.setdefault(query, []).append(len(seen))
            assert len(list(page.context["table"].paginated_rows)) <= 50
            # No more than a page of people is ever fetched.
            fetched = [sql["sql"] for sql in seen.captured_queries if '"sort_name"' in sql["sql"].partition("FROM")[0]]
            assert all("LIMIT" in sql or " IN (" in sql for sql in fetched), query
    assert {query: found for query, found in counted.items() if not found[0] == found[1] <= 13} == {}


def test_without_a_list_every_page_says_so(client: Client, club: object) -> None:
    (ada,) = factory.make_players(1)
    for address in ("/ratings/", f"{ada.get_absolute_url()}?known={ON}"):
        assert "No rating list yet" in client.get(address).text
    page = client.get("/lab/backtest/")
    assert "There is no rating list yet" in page.text
    assert '<form class="form' not in page.text
    assert client.get("/lab/backtest/systems.csv").status_code == 404
    factory.make_list()
    assert "Nobody here" in client.get(PAGE).text


def test_the_front_page_shows_a_rapid_evening_with_rapid_ratings(client: Client, standard: RatingList) -> None:
    rapid = factory.make_list("rapid", pool="rapid", primary=False)
    players = factory.make_players(2)
    for rating_list, rating in ((standard, 1811), (rapid, 1622)):
        bring_starting_ratings(rating_list, [NewStart(p.pk, factory.MONDAY, rating, 40) for p in players], by=None)
    cup = factory.make_round_robin(players)
    update_tournament(cup.pk, {"pool": "rapid"}, by=None)
    text = client.get("/").text
    assert "1622" in text
    assert "1811" not in text


@pytest.mark.extended
def test_an_address_does_not_decide_how_long_a_page_is(client: Client, standard: RatingList) -> None:
    players = factory.make_players(101)
    bring_starting_ratings(standard, [NewStart(player.pk, factory.MONDAY, 1500, 40) for player in players], by=None)
    for wish in ("-1", "0", "100000", "x"):
        page = client.get(f"/ratings/standard/?per_page={wish}&page=2")
        assert len(list(page.context["table"].paginated_rows)) == 50, wish
        assert len(list(client.get(f"/players/?per_page={wish}").context["table"].paginated_rows)) == 100, wish


def test_the_leaderboard_tells_changes_since_the_last_list(client: Client, standard: RatingList) -> None:
    players = factory.make_players(3)
    bring_starting_ratings(standard, [NewStart(player.pk, DAY, 1500, 40) for player in players[:2]], by=None)
    assert "since" in client.get(PAGE).context["table"].exclude
    publish_list(standard, DAY, by=None)
    factory.play_all(factory.make_round_robin(players, first_day=DAY + timedelta(days=7)), Result.WHITE_WINS)
    page = client.get(PAGE)
    assert "Changes are since the list of 5 January 2026" in page.text
    cells = {row.record.player.number: row.get_cell("since") for row in page.context["table"].rows}
    assert cells[3] == "new"
    assert cells[1][0] in "+−0"
    Player.objects.filter(number=1).update(visibility="initials")
    cells = {row.record.player.number: row.get_cell("since") for row in client.get(PAGE).context["table"].rows}
    assert cells[1] == "–"


def test_pages_and_earlier_lists_cost_the_same_few_queries_whatever_the_rows(
    client: Client, standard: RatingList, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    players = factory.make_players(60)
    starts = [NewStart(player.pk, DAY, 1000.0 + player.number, player.number) for player in players]
    bring_starting_ratings(standard, starts, by=None)
    cup = factory.make_round_robin(players[:10])
    for game in Game.objects.filter(tournament=cup)[:3]:
        factory.record_result(game=game.pk, result=Result.DRAW, played_on=DAY, by=None)
    publish_list(standard, ON, by=None)
    ada = players[0].get_absolute_url()
    for address in ("/", PAGE, "/players/", ada, "/about/ratings/"):
        with django_assert_max_num_queries({"/": 18, ada: 15}.get(address, 12)):
            assert client.get(address).status_code == 200
    for address in (f"{ada}?on={ON}", f"{ada}?known={ON}", f"{PAGE}?known={ON}", f"{PAGE}?on={ON}&page=2"):
        cache.clear()
        with django_assert_max_num_queries(16):
            assert client.get(address).status_code == 200
        with django_assert_max_num_queries(10):
            assert client.get(address).status_code == 200
    for address in (PAGE, f"{PAGE}list.csv?on={ON}"):
        with django_assert_max_num_queries(10):
            assert client.get(address).status_code == 200
