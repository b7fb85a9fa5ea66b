"""Tables stand beside games: in feeds, for programs, and on the page of two players. Hidden people stay hidden."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from ratings.systems.base import Tally
from tests.tournaments.contests.contest_cases import day, make_evening, play, table
from tests.tournaments.corrections.correction_cases import correct
from tournaments.contests.selectors import contests_of, tables_between
from tournaments.contests.services import insert_contest
from tournaments.corrections.services.contest_changes import ContestChange
from tournaments.events.selectors.events import count_results
from tournaments.free_play.services import record_free_game
from tournaments.models import Contest, Tournament
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
Queries = Callable[[int], AbstractContextManager[None]]


def news(client: Client, address: str) -> list[tuple[str, str]]:
    """Title and text of each piece."""
    feed = ElementTree.fromstring(client.get(address).content)
    return [(row.findtext(f"{ATOM}title", ""), row.findtext(f"{ATOM}summary", "")) for row in feed.iter(f"{ATOM}entry")]


def data(client: Client, address: str) -> dict[str, Any]:
    response = client.get(address)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def person(number: int) -> Player:
    return Player.objects.get(number=number)


# --- feeds ----------------------------------------------------------------------------------------------------------
def test_an_evening_s_tables_are_news_with_its_games_and_hidden_members_have_no_name(
    client: Client, tables: Tournament, django_assert_max_num_queries: Queries
) -> None:
    Player.objects.filter(number=3).update(visibility="hidden")
    play(tables, "1: 1 2; 2: 3 4")
    play(tables, "1: 5; 1: 6; 3: 1")
    record_free_game(tables, person(1), person(2), Result.WHITE_WINS, day(0), by=None)
    play(tables, "1: 1; 2: 2; 3: 5", 1)
    with django_assert_max_num_queries(7):
        (latest, told), (first, evening) = news(client, reverse("results-feed"))
    assert (first, latest) == ("Table evening, 5 January 2026", "Table evening, 6 January 2026")
    assert told == "<ul><li>1. Ada Alvarez, 2. Bo Brandt, 3. Eva Engel</li></ul>"
    assert evening == (
        "<ul><li>Ada Alvarez 1–0 Bo Brandt</li><li>1. Ada Alvarez + Bo Brandt, 2. Player 3 + Dag Dahl</li>"
        "<li>1. Eva Engel, 1. Finn Falk, 3. Ada Alvarez</li></ul>"
    )
    play(make_evening("Other evening"), "1: 1; 2: 2; 3: 4", 2)
    assert news(client, f"/tournaments/{tables.slug}/results.atom") == [(latest, told), (first, evening)]


def test_a_table_that_is_withdrawn_is_no_news_and_scores_are_told(client: Client, tables: Tournament) -> None:
    Tournament.objects.filter(pk=tables.pk).update(scores="points")
    play(tables, "1=40: 1; 2=12.5: 2; 3=-1: 3")
    row = play(tables, "1=2: 4; 2=1: 5; 3=0: 6", 1)
    type(row).objects.filter(pk=row.pk).update(withdrawn=True)
    ((_title, told),) = news(client, reverse("results-feed"))
    assert told == "<ul><li>1. Ada Alvarez (40), 2. Bo Brandt (12.5), 3. Cleo Costa (-1)</li></ul>"


# --- programs -------------------------------------------------------------------------------------------------------
def test_programs_are_told_tables_as_the_viewer_may_see_them(
    client: Client, tables: Tournament, django_assert_max_num_queries: Queries
) -> None:
    Player.objects.filter(number=3).update(visibility="hidden")
    row = play(tables, "1: 1 2*0.5; 2: 3 4")
    address = f"/api/v1/tournaments/{tables.slug}/"
    with django_assert_max_num_queries(6):
        found = data(client, f"{address}tables/")
    (table,) = found.pop("tables")
    assert found == {"tournament": tables.slug, "page": 1, "next": None, "scores": ""}
    assert (table["table"], table["played_on"]) == (row.pk, "2026-01-05")
    assert [(side["place"], side["score"]) for side in table["sides"]] == [(1, None), (2, None)]
    assert [each for side in table["sides"] for each in side["players"]] == [
        {"player": 1, "name": "Ada Alvarez", "weight": 1.0},
        {"player": 2, "name": "Bo Brandt", "weight": 0.5},
        {"player": 3, "name": "Player 3", "weight": 1.0},
        {"player": 4, "name": "Dag Dahl", "weight": 1.0},
    ]
    for number in range(4):
        play(tables, "1: 1; 2: 2; 3: 4", number)
    gone = play(tables, "1: 1; 2: 5; 3: 6", 4)
    type(gone).objects.filter(pk=gone.pk).update(withdrawn=True)
    with django_assert_max_num_queries(6):
        assert len(data(client, f"{address}tables/")["tables"]) == 5
    assert data(client, address)["tables"] == data(client, "/api/v1/tournaments/")["tournaments"][0]["tables"] == 5
    play(make_evening("Other evening"), "1: 1; 2: 2; 3: 4", 4)
    assert len(data(client, f"{address}tables/")["tables"]) == 5
    assert client.get(f"{address}tables/?page=x").status_code == 400
    assert client.get("/api/v1/tournaments/none/tables/").status_code == 404


# --- two players ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("played", "partners", "against"),
    [
        ([], (0, 0, 0), (0, 0, 0)),
        (["1: 3; 2: 4; 3: 1"], (0, 0, 0), (0, 0, 0)),  # only one of them was there
        (["1: 1 2; 2: 3 4"], (1, 0, 0), (0, 0, 0)),
        (["1: 1 2; 1: 3 4", "1: 3 4; 2: 1 2"], (0, 1, 1), (0, 0, 0)),
        (["1: 3; 2: 1; 3: 2", "1: 3; 2: 2; 3: 1", "1: 3; 2: 1; 2: 2"], (0, 0, 0), (1, 1, 1)),
        (["1: 1 3; 2: 2 4", "1: 1 2; 2: 3"], (1, 0, 0), (1, 0, 0)),
    ],
)
def test_tables_of_two_count_with_and_against(
    tables: Tournament,
    played: list[str],
    partners: tuple[int, int, int],
    against: tuple[int, int, int],
    django_assert_max_num_queries: Queries,
) -> None:
    for number, text in enumerate(["1: 3; 2: 4; 3: 5", *played]):
        insert_contest(table(tables, text, -number), by=None, reason="other")
    one, other = person(1), person(2)
    with django_assert_max_num_queries(4 if any(partners + against) else 1):
        found = tables_between(one, other, 1)
    assert (found.partners, found.against) == (Tally(*partners), Tally(*against))
    assert len(found.latest) == min(1, found.tables)
    latest = [each.contest.played_on for each in tables_between(one, other, 9).latest]
    assert latest == sorted(latest, reverse=True)
    assert len(latest) == found.tables
    mirrored = tables_between(other, one, 1)
    assert (mirrored.partners, mirrored.against) == (Tally(*partners), Tally(*against[::-1]))


def test_the_page_of_two_tells_their_tables(
    client: Client, tables: Tournament, django_assert_max_num_queries: Queries
) -> None:
    page = f"/players/{person(1).slug}/vs/{person(2).slug}/"
    assert "Their tables" not in client.get(page).text
    Player.objects.filter(number=3).update(visibility="hidden")
    row = play(tables, "1: 1 2; 2: 3 4")
    text = client.get(page).text
    assert "They sat at one table and have no game yet." in text
    assert "Player 3" in text
    assert "Cleo" not in text
    assert "They have never met" not in text
    play(tables, "1: 3; 2: 1; 3: 2", 1)
    with django_assert_max_num_queries(18):
        shown = client.get(page)
    rows = [(line.record.words, line.record.tally) for line in shown.context["tables_table"].rows]
    assert rows == [("with each other", Tally(1, 0, 0)), ("against each other", Tally(1, 0, 0))]
    type(row).objects.update(withdrawn=True)
    assert "Their tables" not in client.get(page).text


def test_an_evening_counts_its_own_contests(tables: Tournament) -> None:
    first = play(tables, "1: 1; 2: 2; 3: 3")
    play(make_evening("Another evening"), "1: 1; 2: 4; 3: 3")
    assert count_results(tables) == 1
    correct(ContestChange(first.pk, withdrawn=True), reason="duplicate")
    assert count_results(tables) == 0
    behind = play(tables, "1: 1; 2: 2; 3: 4", 1)
    assert list(contests_of(tables)) == [behind]
    board = record_free_game(tables, person(1), person(2), Result.WHITE_WINS, day(1), by=None)
    Contest.objects.filter(pk=behind.pk).update(game=board)
    assert not contests_of(tables)
