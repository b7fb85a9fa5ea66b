"""`list.json`: what `list.csv` holds, for programs; the same days, the same refusals, the same privacy."""

import json
from datetime import timedelta

import pytest
from django.test import Client

from players.models import Player
from ratings.lists.services import NewStart
from ratings.models import RatingList
from ratings.systems.published import SealedRow
from tests import factory
from tournaments.interchange.list_csv import WrittenRow, read_list, write_json
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.people import bring_starting_ratings, change_player

pytestmark = pytest.mark.django_db
FILE = "/ratings/standard/list.json"


@pytest.fixture
def field(standard: RatingList) -> list[Player]:
    players = factory.make_players(3)
    starts = [
        NewStart(player.pk, factory.MONDAY, 1500 + player.number / 3, 40 if player.number < 3 else 3)
        for player in players
    ]
    bring_starting_ratings(standard, starts, by=None)
    publish_list(standard, factory.MONDAY, by=None)
    return players


def test_a_list_is_one_object_with_a_line_for_each_player() -> None:
    rows = [WrittenRow(1, "Anna „A“", SealedRow(7, 1500.25, 40, provisional=False))]
    text = write_json({"list": "standard"}, {"a": 1}, "d1", rows)
    assert json.loads(text) == {
        "list": "standard",
        "digest": "d1",
        "settings": {"a": 1},
        "players": [
            {"place": 1, "player": 7, "name": "Anna „A“", "rating": 1500.25, "games": 40, "provisional": False}
        ],
    }
    assert json.loads(write_json({}, {}, "", []))["players"] == []


@pytest.mark.parametrize("query", ["", "?on=2026-01-05", "?known=2026-01-05"])
def test_both_files_say_the_same(client: Client, field: list[Player], query: str) -> None:
    found = client.get(FILE + query)
    assert found.headers["Content-Type"] == "application/json"
    assert ".json" in found.headers["Content-Disposition"]
    data, csv = found.json(), read_list(client.get(f"/ratings/standard/list.csv{query}").content)
    assert (data["digest"], data["settings"]) == (csv.digest, csv.settings)
    assert [(row["place"], row["player"], row["rating"]) for row in data["players"]] == [
        (row.place, row.sealed.number, row.sealed.rating) for row in csv.rows
    ]
    assert [row["player"] for row in data["players"]] == [3, 2, 1]


def test_names_stand_as_the_viewer_sees_them(client: Client, field: list[Player]) -> None:
    change_player(field[0].pk, {"visibility": "hidden"}, by=None)
    change_player(field[1].pk, {"visibility": "initials"}, by=None)
    for query in ("", "?on=2026-01-05", "?known=2026-01-05"):
        names = [row["name"] for row in client.get(FILE + query).json()["players"]]
        assert names == ["Cleo Costa", "B. B.", "Player 1"]
    client.force_login(factory.make_arbiter())
    assert [row["name"] for row in client.get(FILE).json()["players"]] == ["Cleo Costa", "Bo Brandt", "Ada Alvarez"]


def test_a_day_without_a_list_is_refused(client: Client, field: list[Player]) -> None:
    assert client.get(f"{FILE}?on=2025-01-01").status_code == 404
    assert client.get(f"{FILE}?on=tomorrow").status_code == 400
    later = factory.today() + timedelta(days=1)
    assert client.get(f"{FILE}?on={later}").status_code == 400
    RatingList.objects.update(public=False)
    assert client.get(FILE).status_code == 404
