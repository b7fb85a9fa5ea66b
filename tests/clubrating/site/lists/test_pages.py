"""The rating pages as a member sees them: places, probation in three carriers, empty states, bounded queries."""

from datetime import date

import pytest
from django.test import Client

from players.models import Player
from ratings.lists.services import NewRule, set_rules
from ratings.models import PlayerRating, RatingList
from tests import factory
from tests.clubrating.site.lists.list_pages import found_list
from tournaments.rated_games.services.people import change_player

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def field(world: None) -> list[Player]:
    """Four players, two of them established, after a round robin."""
    players = found_list((1800, 40), (1700, 40), players=4)
    factory.play_all(factory.make_round_robin(players))
    return players


@pytest.fixture
def standard(field: list[Player]) -> RatingList:
    return RatingList.objects.get(slug="standard")


@pytest.mark.extended
def test_nonsense_in_the_address_is_harmless(client: Client, field: list[Player]) -> None:
    for query in ("?page=999", "?page=x", "?show=nonsense", "?sort=nonsense", "?q=%00", "?q=" + "x" * 500):
        assert client.get("/ratings/standard/" + query).status_code == 200, query
    for slug in ("999", "x", "1" * 40, "-", "１"):
        assert client.get(f"/players/{slug}/").status_code == 404, slug


def test_a_private_list_is_for_officers_and_the_main_one_is_where_ratings_lead(
    client: Client, standard: RatingList
) -> None:
    assert client.get("/ratings/").headers["Location"] == "/ratings/standard/"
    assert client.get("/ratings/?show=provisional").headers["Location"] == "/ratings/standard/?show=provisional"
    assert len(client.get("/players/").context["table"].ratings) == 4
    RatingList.objects.update(public=False)
    assert client.get("/ratings/standard/").status_code == 404
    assert not client.get("/players/").context["table"].ratings
    assert [rating for _player, rating in client.get("/search/?q=brandt").context["people"]] == [None]
    client.force_login(factory.make_arbiter())
    assert client.get("/ratings/standard/").status_code == 200


def test_probation_is_told_by_class_mark_and_words_together_without_a_place(
    client: Client, field: list[Player]
) -> None:
    text = client.get("/ratings/standard/").text
    row = text[text.index('<tr class="provisional') :].split("</tr>")[0]
    for said in ("on probation", '<span class="mark" aria-hidden="true">?</span>', "3/30", "not ranked"):
        assert said in row
    PlayerRating.objects.filter(player=field[2]).update(rating=1750.0)
    page = client.get("/ratings/standard/")
    rows = [(row.record.place, row.record.player.number) for row in page.context["table"].paginated_rows]
    assert rows[:3] == [(1, 1), (None, 3), (2, 2)]


def test_filters_and_search_keep_the_true_places_and_find_numbers_too(client: Client, field: list[Player]) -> None:
    ranked = client.get("/ratings/standard/?show=ranked").context["table"]
    assert [row.record.place for row in ranked.paginated_rows] == [1, 2]
    found = client.get("/ratings/standard/?q=brandt").context["table"]
    assert [row.record.place for row in found.paginated_rows] == [2]
    assert client.get("/players/?q=3").context["found"] == 1
    assert client.get("/players/?q=%233").context["found"] == 1


def test_an_inactive_player_is_listed_without_a_place(client: Client, field: list[Player]) -> None:
    change_player(field[0].pk, {"active": False}, by=None)
    page = client.get("/ratings/standard/?show=inactive")
    rows = page.context["table"].paginated_rows
    assert [(row.record.place, row.record.player.number) for row in rows] == [(None, 1)]
    assert "Inactive 1</a>" in page.text


def test_the_players_page_tells_the_career_or_that_there_is_none(client: Client, field: list[Player]) -> None:
    page = client.get(field[0].get_absolute_url())
    assert page.context["among"].place == 1
    assert ">1 of 2</a>" in page.text
    assert page.context["career"].total.draws == 3
    assert page.text.count("<polyline") == 2  # one established line, drawn wide and narrow
    newcomer = client.get(field[2].get_absolute_url()).text
    assert "On probation in Standard: 27 more rated games, then ranked." in newcomer
    assert 'class="line provisional"' in newcomer
    (ada,) = factory.make_players(1)
    assert "No rated game yet" in client.get(ada.get_absolute_url()).text


def test_an_old_address_leads_to_the_present_one_while_the_name_is_public(client: Client, field: list[Player]) -> None:
    ada = field[0]
    assert client.get("/players/1-somebody-else/").headers["Location"] == "/players/1-ada-alvarez/"
    assert client.get("/players/1/").headers["Location"] == "/players/1-ada-alvarez/"
    change_player(ada.pk, {"visibility": "initials"}, by=None)
    assert client.get("/players/1-ada-alvarez/").status_code == 404
    assert client.get("/players/1/").status_code == 200


def test_about_says_the_rules_in_words_and_a_rule_of_the_future_is_not_yet_in_force(
    client: Client, standard: RatingList
) -> None:
    text = client.get("/about/ratings/").text
    assert "whoever ever reached 2400, for good" in text
    assert "Newcomers start at 1500 and are on probation for 30 rated games." in text
    rules = [NewRule(date(1900, 1, 1), "elo", {}), NewRule(date(2099, 1, 1), "elo", {"start": 900})]
    set_rules(standard, rules, by=None)
    assert "Newcomers start at 1500" in client.get("/about/ratings/").text
