"""Curves of several people in one chart: who may be compared, how many, and what the addresses say."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubrating.site.player_pages.views import compare
from players.models import Player
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.visitor import Visitor
from tournaments.merging.services import merge_players
from tournaments.rated_games.services.people import change_player
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
PAGE = "/players/compare/"


standard = club_and_list


@pytest.fixture(scope="module")
def cast(standard: RatingList) -> list[Player]:
    players = factory.make_players(6)
    factory.play_all(factory.make_round_robin(players), Result.WHITE_WINS)
    return players


def test_everybody_asked_for_has_a_curve_of_a_look_of_its_own(
    client: Client, cast: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [each.number for each in cast[:3]]
    page = client.get(PAGE, {"p": numbers, "q": cast[0].name})
    assert not page.context["to_add"], "who is there is not offered"
    assert [(line.name, line.look) for line in page.context["charts"]["wide"].lines] == [
        (each.name, look) for look, each in enumerate(cast[:3], 1)
    ]
    assert [each.total.games for each in page.context["compared"]] == [5, 5, 5]
    assert page.context["compared"][1].without == f"?p={numbers[0]}&p={numbers[2]}"
    assert 'class="line s3"' in page.text, "the legend has the curve’s own dashes"
    monkeypatch.setitem(compare.SPANS, "year", factory.today() - factory.MONDAY)
    page = client.get(PAGE, {"p": numbers, "span": "year"})
    assert [len(line.points) for line in page.context["charts"]["wide"].lines] == [5] * 3, "the first day is in it"


def test_somebody_is_added_by_name_and_taken_out_again(cast: list[Player]) -> None:
    visitor = Visitor()
    visitor.open(cast[0].get_absolute_url())
    visitor.click("Compare with other players")
    visitor.send("Search", q="brandt")
    visitor.click("+ Bo Brandt")
    assert visitor.sees("Ada Alvarez", "Bo Brandt", "Their games against each other")
    visitor.click("Take out: Ada Alvarez")
    assert "Ada Alvarez" not in visitor.page.words


@pytest.mark.parametrize("number", ["99", "x", "", "²", "1e3"])
def test_who_is_not_there_is_said_and_the_others_are_shown(client: Client, cast: list[Player], number: str) -> None:
    page = client.get(PAGE, {"p": [cast[0].number, number]})
    assert page.status_code == 400
    assert f"There is no curve of a player “{number}”: look for the name below." in page.text
    assert [each.player for each in page.context["compared"]] == [cast[0]]


def test_at_most_five_are_compared(client: Client, cast: list[Player]) -> None:
    page = client.get(PAGE, {"p": [each.number for each in cast]})
    assert page.status_code == 400
    assert "At most 5 players are compared." in page.text
    assert len(page.context["compared"]) == 5
    assert client.get(PAGE, {"p": [1, 2, 3, 4, 5, "05"]}).status_code == 200
    assert 'name="q"' not in page.text.split("<main")[1], "nobody more is looked for"


@pytest.mark.parametrize("visibility", ["initials", "members", "hidden"])
def test_nobody_is_compared_or_found_whose_name_is_not_seen(
    client: Client, cast: list[Player], visibility: str
) -> None:
    change_player(cast[1].pk, {"visibility": visibility}, by=None)
    for search in ("brandt", cast[1].number):
        page = client.get(PAGE, {"p": [cast[0].number, cast[1].number], "q": search})
        assert "Brandt" not in page.text
        assert not page.context["to_add"]
        assert [each.player for each in page.context["compared"]] == [cast[0]]


def test_a_merged_record_is_the_one_that_was_kept_but_nobody_hidden_is_said_to_be(
    client: Client, cast: list[Player]
) -> None:
    twin = factory.make_players(1)[0]
    merge_players(keep=cast[0].pk, gone=twin.pk, by=None, reason="duplicate")
    assert [each.player for each in client.get(PAGE, {"p": twin.number}).context["compared"]] == [cast[0]]
    Player.objects.filter(pk=twin.pk).update(visibility="hidden")
    assert "Alvarez" not in client.get(PAGE, {"p": twin.number}).text


@pytest.mark.extended
def test_a_person_costs_a_fixed_number_of_queries_however_long_the_career(client: Client, cast: list[Player]) -> None:
    def cost(count: int) -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get(PAGE, {"p": [each.number for each in cast[:count]]})
        return len(queries)

    client.get(PAGE)
    before = cost(5)
    factory.play_all(factory.make_round_robin(cast, name="Spring Cup"))
    assert cost(5) == before
    assert before - cost(4) <= 2
