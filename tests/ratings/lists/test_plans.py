"""How the database answers the list pages: along an index of games and ledger, never by walking over all of them.

Read off SQLite's own plan for every query a page asks. Lists of people are walked at most once a page: a club of ten
thousand is read in a few milliseconds, a million rows of its ledger are not.
"""

import re
from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubrating.site.demo.services.scale import seed_scale
from players.models import Player
from players.privacy.rules import NOBODY
from ratings.lists.selectors.movements import biggest_movers
from ratings.models import RatingList
from tests import factory
from tournaments.models import Tournament
from tournaments.rated_games.services.past_lists import publish_list

pytestmark = [pytest.mark.django_db, pytest.mark.skipif(connection.vendor != "sqlite", reason="reads SQLite's plan")]
# Tables that grow with every game played.
HISTORY = ("ratings_ledgerentry", "tournaments_game", "ratings_ratingstep")
_WALKED = re.compile(r"^SCAN (\w+)")
_ALIAS = re.compile(r'"(\w+)" (?:AS )?"?(\w\d+)"?')
PAGES = (
    "/ratings/standard/", "/ratings/standard/?page=3",
    "/ratings/standard/?show=ranked", "/ratings/standard/?show=provisional&sort=games",
    "/ratings/standard/?q=ba", "/ratings/standard/?from=40",
    "/ratings/standard/?around=77", "/ratings/standard/?player=77&page=2",
    "/ratings/standard/wall/", "/",
    "/players/", "/feeds/results.atom",
)  # fmt: skip
# These say how many games an event of free play has: read off an index, and no row of it is looked at.
LISTS = ("/tournaments/", "/api/v1/tournaments/")


@pytest.fixture(scope="module")
def never_measured(world: None) -> list[list[str]]:
    """SQLite's plans for what a player's page asks of the ledger, before the first ANALYZE."""
    seed_scale(200, 1500, today=factory.today())
    player = Player.objects.filter(visibility="public")[0]
    return [plan(sql) for sql in asked(Client(), player.get_absolute_url()) if "ratings_ledgerentry" in sql]


@pytest.fixture(scope="module")
def club_of_200(never_measured: list[list[str]]) -> RatingList:
    rating_list = RatingList.objects.get()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # plans by what is there, as in a club that has been playing for years
    return rating_list


def plan(sql: str) -> list[str]:
    """SQLite's plan of a query, line by line."""
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN QUERY PLAN " + sql)
        return [line[-1] for line in cursor.fetchall()]


def walks(sql: str) -> list[str]:
    """The tables a query walks over from end to end. A name that several of its subqueries use tells no table."""
    named = set(_ALIAS.findall(sql))
    uses = Counter(alias for _table, alias in named)
    tables = {alias: table for table, alias in named if uses[alias] == 1}
    found = (match[1] for line in plan(sql) if (match := _WALKED.match(line)))
    return [tables.get(name, name) for name in found]


def asked(client: Client, address: str) -> list[str]:
    with CaptureQueriesContext(connection) as seen:
        assert client.get(address).status_code == 200
    return [query["sql"] for query in seen.captured_queries if query["sql"].startswith("SELECT")]


def test_the_test_sees_a_walk(club_of_200: RatingList) -> None:
    assert walks("SELECT * FROM ratings_ledgerentry WHERE score = 1") == ["ratings_ledgerentry"]
    assert walks('SELECT * FROM "ratings_ledgerentry" U0 WHERE U0.score = 1') == ["ratings_ledgerentry"]
    assert walks("SELECT * FROM ratings_ledgerentry WHERE id = 1") == []


def test_no_page_walks_over_games_or_ledger(client: Client, club_of_200: RatingList) -> None:
    walked = {address: {table for sql in asked(client, address) for table in walks(sql)} for address in PAGES}
    assert {address: tables for address, tables in walked.items() if tables & set(HISTORY)} == {}


def test_a_players_page_walks_over_nothing_that_grows(client: Client, club_of_200: RatingList) -> None:
    player = Player.objects.filter(visibility="public")[0]
    walked = [table for sql in asked(client, player.get_absolute_url()) for table in walks(sql)]
    assert not set(walked) & set(HISTORY), walked


def test_a_list_of_events_counts_no_games_and_walks_over_no_board_of_free_play(
    client: Client, club_of_200: RatingList
) -> None:
    for address in LISTS:
        assert not [line for sql in asked(client, address) for line in plan(sql) if "tournaments_game" in line], address
    lines = [line for sql in asked(client, "/tournaments/") for line in plan(sql)]
    assert not [line for line in lines if "stage_id" in line and "pairing" in line], lines
    event = Tournament.objects.filter(open_ended=True)[3]
    lines = [line for sql in asked(client, event.get_absolute_url()) if "tournaments_game" in sql for line in plan(sql)]
    assert any("game_of_event" in line for line in lines)
    assert "USE TEMP B-TREE FOR ORDER BY" not in lines  # within a day at most


def test_a_trend_reads_the_end_of_an_index_and_movers_walk_over_no_history(
    club_of_200: RatingList, client: Client
) -> None:
    (sql,) = [sql for sql in asked(client, "/ratings/standard/") if "ratings_ledgerentry" in sql]
    text = " ".join(plan(sql))
    assert "USING INDEX ledger_of_white" in text
    assert "USING INDEX ledger_of_black" in text
    assert "TEMP B-TREE" not in text  # nothing is sorted
    publish_list(club_of_200, factory.today() - timedelta(days=40), by=None)
    with CaptureQueriesContext(connection) as seen:
        biggest_movers(club_of_200, NOBODY, factory.today())
    assert not {table for query in seen.captured_queries for table in walks(query["sql"])} & set(HISTORY)


def test_a_players_games_are_found_by_the_player_in_a_database_never_measured(never_measured: list[list[str]]) -> None:
    """Without statistics SQLite once read a whole list's ledger for them: 28 s of a million games."""
    assert never_measured
    for lines in never_measured:
        used = [line for line in lines if "ledger_of_" in line or "ledger_in_order" in line]
        assert used
        assert all("_player=?" in line for line in used), lines
