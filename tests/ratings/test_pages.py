"""The rating pages as a member sees them: places, probation in three carriers, empty states, bounded queries."""

from datetime import date, timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from players.models import Player
from ratings.models import PlayerRating, RatingList
from ratings.services.lists import NewRule, NewStart, set_rules
from tests import factory
from tournaments.models import Game
from tournaments.services.events import update_tournament
from tournaments.services.rating import bring_starting_ratings, change_player
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


@pytest.fixture
def field(standard: RatingList) -> list[Player]:
    """Four players, two of them established, after a round robin."""
    players = factory.make_players(4)
    bring_starting_ratings(
        standard,
        [NewStart(player.pk, factory.MONDAY, 1800 - 100 * place, 40) for place, player in enumerate(players[:2])],
        by=None,
    )
    factory.play_all(factory.make_round_robin(players))
    return players


def test_the_main_list_is_where_ratings_lead(client: Client, standard: RatingList) -> None:
    assert client.get("/ratings/").headers["Location"] == "/ratings/standard/"


def test_without_a_list_the_page_says_what_to_do(client: Client, club: object) -> None:
    assert "No rating list yet" in client.get("/ratings/").text


def test_an_empty_list_says_so(client: Client, standard: RatingList) -> None:
    assert "Nobody here" in client.get("/ratings/standard/").text


def test_provisional_players_are_listed_where_they_stand_without_a_place(client: Client, field: list[Player]) -> None:
    PlayerRating.objects.filter(player=field[2]).update(rating=1750.0)
    page = client.get("/ratings/standard/")
    rows = [(row.record.place, row.record.player.number) for row in page.context["table"].paginated_rows]
    assert rows[:3] == [(1, 1), (None, 3), (2, 2)]


def test_probation_is_told_by_class_mark_and_words_together(client: Client, field: list[Player]) -> None:
    text = client.get("/ratings/standard/").text
    row = text[text.index('<tr class="provisional') :].split("</tr>")[0]
    assert "on probation" in row
    assert '<span class="mark" aria-hidden="true">?</span>' in row
    assert "3/30" in row
    assert "not ranked" in row


def test_filters_and_search_keep_the_true_places(client: Client, field: list[Player]) -> None:
    ranked = client.get("/ratings/standard/?show=ranked").context["table"]
    assert [row.record.place for row in ranked.paginated_rows] == [1, 2]
    found = client.get("/ratings/standard/?q=brandt").context["table"]
    assert [row.record.place for row in found.paginated_rows] == [2]


def test_equal_ratings_whoever_reached_it_first_is_ahead(client: Client, standard: RatingList) -> None:
    ada, bo = factory.make_players(2)
    later, earlier = factory.MONDAY + timedelta(days=1), factory.MONDAY
    bring_starting_ratings(standard, [NewStart(ada.pk, later, 1600, 50), NewStart(bo.pk, earlier, 1600, 50)], by=None)
    rows = client.get("/ratings/standard/").context["table"].paginated_rows
    assert [(row.record.place, row.record.player.number) for row in rows] == [(1, bo.number), (2, ada.number)]


def test_an_inactive_player_is_listed_without_a_place(client: Client, field: list[Player]) -> None:
    change_player(field[0].pk, {"active": False}, by=None)
    rows = client.get("/ratings/standard/?show=inactive").context["table"].paginated_rows
    assert [(row.record.place, row.record.player.number) for row in rows] == [(None, 1)]


@pytest.mark.parametrize(
    "query", ["?page=999", "?page=x", "?show=nonsense", "?sort=nonsense", "?q=%00", "?q=" + "x" * 500]
)
def test_nonsense_in_the_address_is_harmless(client: Client, field: list[Player], query: str) -> None:
    assert client.get("/ratings/standard/" + query).status_code == 200


@pytest.mark.parametrize("wish", ["-1", "0", "100000", "x"])
def test_an_address_does_not_decide_how_long_a_page_is(client: Client, standard: RatingList, wish: str) -> None:
    players = factory.make_players(120)
    bring_starting_ratings(standard, [NewStart(player.pk, factory.MONDAY, 1500, 40) for player in players], by=None)
    page = client.get(f"/ratings/standard/?per_page={wish}&page=2")
    assert len(list(page.context["table"].paginated_rows)) == 50
    assert len(list(client.get(f"/players/?per_page={wish}").context["table"].paginated_rows)) == 100


def test_a_search_finds_players_by_their_number_too(client: Client, field: list[Player]) -> None:
    assert client.get("/players/?q=3").context["found"] == 1
    assert client.get("/players/?q=%233").context["found"] == 1


def test_a_rule_of_the_future_is_not_yet_in_force(client: Client, standard: RatingList) -> None:
    rules = [NewRule(date(1900, 1, 1), "elo", {}), NewRule(date(2099, 1, 1), "elo", {"start": 900})]
    set_rules(standard, rules, by=None)
    assert "Newcomers start at 1500" in client.get("/about/ratings/").text


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


def test_a_private_list_is_for_officers(client: Client, standard: RatingList) -> None:
    RatingList.objects.update(public=False)
    assert client.get("/ratings/standard/").status_code == 404
    client.force_login(factory.make_arbiter())
    assert client.get("/ratings/standard/").status_code == 200


def test_the_players_page_tells_the_career(client: Client, field: list[Player]) -> None:
    page = client.get(field[0].get_absolute_url())
    assert "Number 1 in Standard." in page.text
    assert page.context["career"].total.draws == 3
    assert page.text.count("<polyline") == 2  # one established line, drawn wide and narrow
    newcomer = client.get(field[2].get_absolute_url()).text
    assert "On probation in Standard: 27 more rated games, then ranked." in newcomer
    assert 'class="line provisional"' in newcomer


def test_a_player_without_games_has_a_page_that_says_so(client: Client, standard: RatingList) -> None:
    (ada,) = factory.make_players(1)
    assert "No rated game yet" in client.get(ada.get_absolute_url()).text


def test_an_old_address_leads_to_the_present_one_while_the_name_is_public(client: Client, standard: RatingList) -> None:
    (ada,) = factory.make_players(1)
    assert client.get("/players/1-somebody-else/").headers["Location"] == "/players/1-ada-alvarez/"
    assert client.get("/players/1/").headers["Location"] == "/players/1-ada-alvarez/"
    change_player(ada.pk, {"visibility": "initials"}, by=None)
    assert client.get("/players/1-ada-alvarez/").status_code == 404
    assert client.get("/players/1/").status_code == 200


@pytest.mark.parametrize("slug", ["999", "x", "1" * 40, "-", "１"])
def test_an_address_of_nobody_is_a_404(client: Client, standard: RatingList, slug: str) -> None:
    assert client.get(f"/players/{slug}/").status_code == 404


@pytest.mark.parametrize("count", [30, 300])
def test_pages_cost_the_same_few_queries_whatever_the_rows(
    client: Client, standard: RatingList, django_assert_max_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    players = factory.make_players(count)
    starts = [NewStart(player.pk, factory.MONDAY, 1000.0 + player.number, player.number) for player in players]
    bring_starting_ratings(standard, starts, by=None)
    cup = factory.make_round_robin(players[:10])
    for game in Game.objects.filter(tournament=cup)[:3]:
        factory.record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    for address in ("/", "/ratings/standard/", "/players/", players[0].get_absolute_url(), "/about/ratings/"):
        with django_assert_max_num_queries(18 if address == "/" else 12):
            assert client.get(address).status_code == 200


def test_about_says_the_rules_in_words(client: Client, standard: RatingList) -> None:
    text = client.get("/about/ratings/").text
    assert "whoever ever reached 2400, for good" in text
    assert "Newcomers start at 1500 and are on probation for 30 rated games." in text
