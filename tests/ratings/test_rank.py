"""Places: of one player, ten from one on, the page of somebody; the same as JSON; always along the index."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Player
from ratings.models import PlayerRating, RatingList
from ratings.selectors import from_place, place_of, rating_of, rows_before
from ratings.services.lists import NewStart
from tests import factory
from tournaments.services.rating import bring_starting_ratings, change_player

pytestmark = pytest.mark.django_db
MANY = 2000


@pytest.fixture
def tied(standard: RatingList) -> list[Player]:
    """Five players; the second, third and fourth are level, reached on the third, the first and the first day."""
    players = factory.make_players(5)
    facts = [(1800, 0, 40), (1700, 2, 40), (1700, 0, 40), (1700, 0, 40), (1750, 0, 3)]
    starts = [
        NewStart(player.pk, factory.MONDAY + timedelta(days=day), rating, games)
        for player, (rating, day, games) in zip(players, facts, strict=True)
    ]
    bring_starting_ratings(standard, starts, by=None)
    return players


@pytest.fixture
def many(standard: RatingList) -> RatingList:
    players = factory.make_players(MANY)
    rows = [
        PlayerRating(
            rating_list=standard,
            player=player,
            rating=1000.0 + place // 4,
            games=40,
            wins=20,
            draws=0,
            losses=20,
            peak=2000,
            reached_order=place % 3,
            ranked=place % 5 > 0,
        )
        for place, player in enumerate(players)
    ]
    PlayerRating.objects.bulk_create(rows)
    return standard


def test_of_equals_whoever_reached_it_first_is_ahead(client: Client, standard: RatingList, tied: list[Player]) -> None:
    places = {player.number: place_of(standard, standing(standard, player)) for player in tied}
    assert places == {1: 1, 2: 4, 3: 2, 4: 3, 5: None}


def standing(rating_list: RatingList, player: Player) -> PlayerRating:
    row = rating_of(rating_list, player.number)
    assert row is not None
    return row


def test_ten_places_from_one_on(client: Client, tied: list[Player]) -> None:
    page = client.get("/ratings/standard/?from=2")
    assert [(row.record.place, row.record.player.number) for row in page.context["table"].rows] == [
        (2, 3),
        (3, 4),
        (4, 2),
    ]
    assert "Ten places from 2 on." in page.text
    assert client.get("/ratings/standard/?from=99").status_code == 200


def test_show_me_leads_to_the_page_and_marks_the_row(client: Client, many: RatingList) -> None:
    answer = client.get("/ratings/standard/?player=1000")
    address = answer.headers["Location"]
    assert address.endswith("#player-1000")
    page = client.get(address.split("#")[0])
    assert 'id="player-1000"' in page.text
    row = page.text[page.text.index('id="player-1000"') - 60 :][:120]
    assert 'aria-current="true"' in row


@pytest.mark.parametrize("query", ["?player=999", "?player=x", "?player=" + "9" * 30, "?from=x", "?from=0", "?from=-1"])
def test_nonsense_is_harmless(client: Client, tied: list[Player], query: str) -> None:
    page = client.get("/ratings/standard/" + query)
    assert page.status_code == 200
    assert len(page.context["table"].rows) == 5


def test_two_thousand_rows_give_the_places_a_plain_count_gives(many: RatingList) -> None:
    ranked = [row for row in PlayerRating.objects.all() if row.ranked]
    ranked.sort(key=lambda row: (-row.rating, row.reached_order, row.player_id))
    for place in (1, 2, 3, 500, 1000, len(ranked)):
        assert place_of(many, ranked[place - 1]) == place
        found = [row.pk for row in from_place(many, place)]
        assert found == [row.pk for row in ranked[place - 1 : place + 9]]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="reads SQLite's plan")
def test_no_question_walks_over_the_table(client: Client, many: RatingList) -> None:
    row = PlayerRating.objects.filter(ranked=True)[700]
    with CaptureQueriesContext(connection) as seen:
        place_of(many, row)
        rows_before(many, row)
        list(from_place(many, 900))
        rating_of(many, 77)
        client.get("/api/v1/ratings/standard/rank/77/")
    asked = [query["sql"] for query in seen.captured_queries if "ratings_playerrating" in query["sql"]]
    assert len(asked) >= 5
    for sql in asked:
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN QUERY PLAN " + sql)
            plan = [line[-1] for line in cursor.fetchall()]
        assert not [line for line in plan if line.startswith("SCAN ratings_playerrating")], (plan, sql)


def test_json_has_the_places(client: Client, tied: list[Player]) -> None:
    found = client.get("/api/v1/ratings/standard/?from=1&count=2").json()
    assert (found["list"], found["ranked"], found["from"]) == ("standard", 4, 1)
    assert [(row["place"], row["player"], row["rating"]) for row in found["players"]] == [(1, 1, 1800), (2, 3, 1700)]
    assert len(client.get("/api/v1/ratings/standard/?count=5000").json()["players"]) == 4
    one = client.get("/api/v1/ratings/standard/rank/5/").json()
    assert (one["place"], one["provisional"], one["name"]) == (None, True, "Eva Engel")


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
    RatingList.objects.update(public=False)
    assert client.get("/api/v1/ratings/standard/").status_code == 404


def test_places_cost_the_same_few_queries_whatever_the_rows(client: Client, many: RatingList) -> None:
    for address in ("/ratings/standard/?from=500", "/ratings/standard/?player=77&page=3", "/api/v1/ratings/standard/"):
        with CaptureQueriesContext(connection) as seen:
            assert client.get(address).status_code == 200
        assert len(seen) <= 12
