"""Places: of one player, ten from one on, the page of somebody; the same as JSON; always along the index."""

from datetime import timedelta

import pytest
from django.test import Client

from clubrating.site.lists.views import api
from clubrating.site.lists.views.filters import page_of
from players.models import Player
from ratings.lists.selectors.lists import place_of, rating_of
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tests.clubrating.site.lists.list_pages import as_member
from tournaments.rated_games.services.people import bring_starting_ratings, change_player

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def tied(world: None) -> list[Player]:
    """Five players; the second, third and fourth are level, reached on the third, the first and the first day."""
    factory.make_club()
    standard = factory.make_list()
    players = factory.make_players(5)
    facts = [(1800, 0, 40), (1700, 2, 40), (1700, 0, 40), (1700, 0, 40), (1750, 0, 3)]
    starts = [
        NewStart(player.pk, factory.MONDAY + timedelta(days=day), rating, games)
        for player, (rating, day, games) in zip(players, facts, strict=True)
    ]
    bring_starting_ratings(standard, starts, by=None)
    return players


@pytest.mark.extended
def test_nonsense_is_harmless_and_ten_places_begin_anywhere(client: Client, tied: list[Player]) -> None:
    for query in ("?player=999", "?player=x", "?player=" + "9" * 30, "?from=x", "?from=0", "?from=-1"):
        page = client.get("/ratings/standard/" + query)
        assert page.status_code == 200, query
        assert len(page.context["table"].rows) == 5, query
    page = client.get("/ratings/standard/?from=2")
    rows = [(row.record.place, row.record.player.number) for row in page.context["table"].rows]
    assert rows == [(2, 3), (3, 4), (4, 2)]
    assert "Ten places, starting at 2." in page.text
    assert client.get("/ratings/standard/?from=99").status_code == 200


def test_of_equals_whoever_reached_it_first_is_ahead(tied: list[Player]) -> None:
    standard = RatingList.objects.get()
    rows = [rating_of(standard, player.number) for player in tied]
    places = {row.player.number: place_of(standard, row) for row in rows if row}
    assert places == {1: 1, 2: 4, 3: 2, 4: 3, 5: None}
    pages = [page_of(standard, number, 2).partition("page=")[2][0] for number in (1, 5, 3, 4, 2)]
    assert pages == ["1", "1", "2", "2", "3"], "the last one of a page stands on it"


def test_json_has_the_places(client: Client, tied: list[Player], monkeypatch: pytest.MonkeyPatch) -> None:
    found = client.get("/api/v1/ratings/standard/?from=1&count=2").json()
    assert (found["list"], found["ranked"], found["from"]) == ("standard", 4, 1)
    assert [(row["place"], row["player"], row["rating"]) for row in found["players"]] == [(1, 1, 1800), (2, 3, 1700)]
    assert len(client.get("/api/v1/ratings/standard/?count=5000").json()["players"]) == 4
    one = client.get("/api/v1/ratings/standard/rank/5/").json()
    assert (one["place"], one["provisional"], one["name"]) == (None, True, "Eva Engel")
    monkeypatch.setattr(api, "MOST", 3)
    assert len(client.get("/api/v1/ratings/standard/?count=5000").json()["players"]) == 3


def test_json_keeps_the_pages_privacy(client: Client, tied: list[Player]) -> None:
    change_player(tied[0].pk, {"visibility": "hidden"}, by=None)
    change_player(tied[2].pk, {"visibility": "initials"}, by=None)
    names = [row["name"] for row in client.get("/api/v1/ratings/standard/").json()["players"]]
    assert names[:2] == ["Player 1", "C. C."]
    assert client.get("/api/v1/ratings/standard/rank/1/").json()["name"] == "Player 1"
    client.force_login(factory.make_arbiter())
    assert client.get("/api/v1/ratings/standard/rank/1/").json()["name"] == "Ada Alvarez"


def test_json_says_what_is_not_there(client: Client, tied: list[Player]) -> None:
    for address in ("none/", "none/rank/1/", "standard/rank/999/", f"standard/rank/{10**30}/"):
        answer = client.get("/api/v1/ratings/" + address)
        assert answer.status_code == 404
        assert "error" in answer.json()
    assert client.get("/api/v1/ratings/standard/?from=x").status_code == 400


def test_json_of_a_private_list_is_for_officers(client: Client, tied: list[Player]) -> None:
    RatingList.objects.update(public=False)
    viewers = (lambda: None, lambda: as_member(client), lambda: client.force_login(factory.make_arbiter()))
    for become, status in zip(viewers, (404, 404, 200), strict=True):
        become()
        slugs = ["standard"] if status == 200 else []
        for address in ("standard/", "standard/rank/1/"):
            assert client.get(f"/api/v1/ratings/{address}").status_code == status
        assert client.get("/ratings/standard/").status_code == status
        assert [row["slug"] for row in client.get("/api/v1/ratings/").json()["ratings"]] == slugs
