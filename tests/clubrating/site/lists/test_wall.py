"""The list for the wall: ranked, then on probation; the public's names whoever prints; two clocks and the way back."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from clubrating.site.lists.views import leaderboard
from players.models import Player
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tests.clubrating.site.lists.list_pages import found_list
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.people import bring_starting_ratings, change_player

pytestmark = pytest.mark.django_db
PAGE = "/ratings/standard/wall/"


@pytest.fixture(scope="module")
def field(world: None) -> list[Player]:
    """Four players: 1 and 2 established, 3 and 4 on probation, the best of all among them."""
    return found_list((1600, 40), (1700, 40), (1800, 3), (1900, 3))


def test_the_ranked_stand_first_by_place_and_then_those_on_probation_of_the_day_it_says(
    client: Client, field: list[Player]
) -> None:
    page = client.get(PAGE)
    assert [(row.place, row.player.number) for row in page.context["ranked"]] == [(1, 2), (2, 1)]
    assert [(row.place, row.player.number) for row in page.context["provisional"]] == [(None, 4), (None, 3)]
    assert page.text.index("Ada Alvarez") < page.text.index("On probation") < page.text.index("Dag Dahl")
    assert '<tr class="provisional">' in page.text
    assert '1900<span class="mark">?</span>' in page.text
    text = client.get(PAGE).text
    assert "As of " in text
    assert re.search(r"Printed \d+ \w+ \d{4}, \d\d:\d\d", text)
    assert "no-store" in client.get(PAGE).headers["Cache-Control"]


def test_names_stand_as_the_public_sees_them_whoever_prints(client: Client, field: list[Player]) -> None:
    change_player(field[0].pk, {"visibility": "initials"}, by=None)
    change_player(field[1].pk, {"visibility": "members"}, by=None)
    change_player(field[2].pk, {"visibility": "hidden"}, by=None)
    client.force_login(factory.make_arbiter())
    text = client.get(PAGE).text
    assert "whoever prints" in text
    for shown in ("A. A.", "Player 2", "Player 3", "Dag Dahl"):
        assert shown in text
    for private in ("Alvarez", "Brandt", "Costa"):
        assert private not in text


def test_a_published_list_hangs_as_it_was(client: Client, field: list[Player]) -> None:
    standard = RatingList.objects.get()
    publish_list(standard, factory.MONDAY, by=None)
    starts = [NewStart(field[0].pk, factory.MONDAY + timedelta(days=1), 2000, 40)]
    bring_starting_ratings(standard, starts, by=None)
    page = client.get(f"{PAGE}?on=2026-01-06")
    assert "As published on 5 January 2026" in page.text
    assert [row.player.number for row in page.context["ranked"]] == [2, 1]
    assert [row.player.number for row in page.context["provisional"]] == [4, 3]
    assert [row.player.number for row in client.get(PAGE).context["ranked"]] == [1, 2]


def test_a_day_without_a_list_gets_a_sentence(client: Client, field: list[Player]) -> None:
    for query in ("?on=2025-01-01", "?on=x", "?known=2026-01-05", "?on=2999-01-01"):
        assert client.get(PAGE + query).status_code == 400, query


def test_the_square_code_is_the_lists_address_without_a_style(client: Client, field: list[Player]) -> None:
    page = client.get(PAGE, headers={"host": "club.example"})
    assert page.context["address"] == "http://club.example/ratings/standard/"
    assert 'class="code"' in page.text
    assert "style=" not in page.text
    assert str(page.context["code"]) == str(leaderboard._square_code("http://club.example/ratings/standard/"))
    assert client.get(f"/ru{PAGE}").context["address"].endswith("/ru/ratings/standard/")


def test_whoever_is_away_or_beyond_the_most_is_not_on_the_wall(
    client: Client, field: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaderboard, "MOST", 1)
    text = client.get(PAGE).text
    assert "2 players more stand in the list on the site." in text
    assert "Ada Alvarez" not in text
    monkeypatch.undo()
    change_player(field[0].pk, {"active": False}, by=None)
    change_player(field[2].pk, {"active": False}, by=None)
    text = client.get(PAGE).text
    assert "Alvarez" not in text
    assert "Costa" not in text


def test_an_empty_list_says_so_and_a_private_one_hangs_nowhere(client: Client, field: list[Player]) -> None:
    factory.make_list("rapid", pool="rapid", primary=False)
    assert "Nobody is in the list yet." in client.get("/ratings/rapid/wall/").text
    RatingList.objects.update(public=False)
    assert client.get(PAGE).status_code == 404


@pytest.mark.parametrize(("few", "some", "size"), [(4, 9, "few"), (3, 4, "some"), (2, 3, "")])
def test_a_short_list_is_printed_large(
    client: Client, field: list[Player], monkeypatch: pytest.MonkeyPatch, few: int, some: int, size: str
) -> None:
    monkeypatch.setattr(leaderboard, "FEW", few)
    monkeypatch.setattr(leaderboard, "SOME", some)
    assert f'class="{f"sheet wall {size}".strip()}"' in client.get(PAGE).text
