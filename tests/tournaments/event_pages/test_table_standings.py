"""Standings of an event of tables: by places, by wins at doubles, or as the event says."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player, Visibility
from players.refusals import Refused
from tests import factory
from tests.tournaments.contests.contest_cases import DAY, make_tables, play
from tests.tournaments.event_pages.page_cases import text_of
from tournaments.event_pages.selectors.series import series_of
from tournaments.events.services.events import change_settings
from tournaments.models import Stage, Tournament

pytestmark = pytest.mark.django_db
CountQueries = Callable[[int], AbstractContextManager[object]]
PAGE = "/tournaments/table-evening/standings/"
SETTLERS = ("1=10: 1; 2=8: 2; 3=5: 3; 4=3: 4", "1=10: 2; 2=7: 1; 2=7: 4; 4=2: 3")
DOUBLES = ("1=7: 1 2; 2=4: 3 4", "1=7: 1 3; 2=6: 2 4", "1=5: 1 4; 1=5: 2 3")


@pytest.fixture(scope="module")
def tables(world: None) -> Tournament:
    factory.make_club()
    factory.make_players(8)
    return make_tables(scores="points")[1]


def rows(client: Client, address: str = PAGE) -> list[list[str]]:
    """The rows of `standings.csv` without names."""
    text = client.get(address.rstrip("/") + ".csv").content.decode()
    return [[cell for at, cell in enumerate(line.split(",")) if at != 2] for line in text.splitlines()]


BY_PLACES = [
    ["place", "number", "points", "tables", "places", "score", "direct"],
    ["1", "2", "7", "2", "1 1 0 0", "18", "0"],
    ["2", "1", "6.5", "2", "1 1 0 0", "17", "0"],
    ["3", "4", "3.5", "2", "0 1 0 1", "10", "0"],
    ["4", "3", "3", "2", "0 0 1 1", "7", "0"],
]
BY_SCORES = [
    ["place", "number", "points", "tables", "places", "direct"],
    ["1", "2", "18", "2", "1 1 0 0", "0"],
    ["2", "1", "17", "2", "1 1 0 0", "0"],
    ["3", "4", "10", "2", "0 1 0 1", "0"],
    ["4", "3", "7", "2", "0 0 1 1", "0"],
]
BY_WINS = [
    ["place", "number", "points", "tables", "score", "direct"],
    ["1", "1", "2.5", "3", "4", "0"],
    ["2", "2", "1.5", "3", "2", "0"],
    ["3", "3", "1.5", "3", "-2", "0"],
    ["4", "4", "0.5", "3", "-4", "0"],
]


@pytest.mark.parametrize(
    ("played", "setting", "expected"),
    [(SETTLERS, "", BY_PLACES), (SETTLERS, "scores", BY_SCORES), (DOUBLES, "", BY_WINS), (DOUBLES, "wins", BY_WINS)],
)
def test_tables_count_by_places_doubles_by_wins_unless_the_event_says_otherwise(
    tables: Tournament, client: Client, played: tuple[str, ...], setting: str, expected: list[list[str]]
) -> None:
    change_settings(tables.stages.get().pk, {"standings": setting}, by=None)
    for each in played:
        play(tables, each)
    assert rows(client) == expected
    assert (">Difference<" in text_of(client, PAGE)) is (expected is BY_WINS)
    told = client.get("/api/v1/tournaments/table-evening/standings/").json()["rows"]
    assert [row["number"] for row in told] == [int(row[1]) for row in expected[1:]]


def test_partners_share_the_points_of_their_places(tables: Tournament, client: Client) -> None:
    change_settings(tables.stages.get().pk, {"standings": "points"}, by=None)
    play(tables, "1=7: 1 2; 2=4: 3 4")
    assert [row[2] for row in rows(client)[1:]] == ["3.5", "3.5", "1.5", "1.5"]
    assert [row[0] for row in rows(client)[1:]] == ["1", "1", "3", "3"]


def test_an_event_says_what_places_are_worth_and_how_many_tables_count(tables: Tournament, client: Client) -> None:
    stage = tables.stages.get().pk
    for each in SETTLERS:
        play(tables, each)
    change_settings(stage, {"standings": "points", "place_points": "10, 7, 5"}, by=None)
    # Second and third place shared bring (7 + 5) / 2 each; fourth place nothing.
    assert [row[1:3] for row in rows(client)[1:]] == [["2", "17"], ["1", "16"], ["4", "6"], ["3", "5"]]
    assert "Points for places, first place first: 10, 7, 5." in text_of(client, PAGE)
    change_settings(stage, {"standings": "points", "place_points": "10, 7, 5", "best": 1}, by=None)
    assert [row[1:3] for row in rows(client)[1:]] == [["2", "10"], ["1", "10"], ["4", "6"], ["3", "5"]]
    assert "Only everybody’s best table counts." in text_of(client, PAGE)
    assert text_of(client, PAGE).count("does not count") == 4
    with pytest.raises(Refused, match="No place is worth more"):
        change_settings(stage, {"place_points": "5, 7"}, by=None)


def test_every_line_says_how_it_came_about(tables: Tournament, client: Client) -> None:
    for each in SETTLERS:
        play(tables, each)
    page = text_of(client, PAGE)
    assert "place 2 of 4 with a score of 7 brings 2½ (shared place)" in page
    assert "First place counts 4, each further place one less." in page
    assert "2 tables · places 1–1–0–0 · score 18 · direct 0" in page
    assert 'href="/tournaments/table-evening/standings/"' in text_of(client, "/tournaments/table-evening/")


def test_low_scores_are_told_as_they_were(tables: Tournament, client: Client) -> None:
    Tournament.objects.filter(pk=tables.pk).update(low_score_wins=True)
    play(tables, "1=3: 1; 2=5: 2; 3=8: 3")
    assert [row[5] for row in rows(client)[1:]] == ["3", "5", "8"]
    assert "score 8" in text_of(client, PAGE)
    play(tables, "1=2: 3; 2=4: 1; 3=6: 2")
    for standings, counted in (("scores", [2, 3, 5]), ("points", [3, 3, 2])):  # the lowest score, the most points
        change_settings(stage := tables.stages.get().pk, {"standings": standings, "best": 1}, by=None)
        places = series_of(Stage.objects.select_related("tournament").get(pk=stage)).places
        assert [result.worth for place in places for result in place.results if result.counts] == counted


def test_by_wins_a_low_score_is_told_against_the_lowest_of_the_others(tables: Tournament, client: Client) -> None:
    Tournament.objects.filter(pk=tables.pk).update(low_score_wins=True)
    change_settings(tables.stages.get().pk, {"standings": "wins"}, by=None)
    play(tables, "1=3: 1; 2=5: 2; 3=8: 3")
    assert [row[4] for row in rows(client)[1:]] == ["-2", "2", "5"]


def test_without_tables_the_page_says_so_and_there_is_no_file(tables: Tournament, client: Client) -> None:
    assert "No table is entered yet" in text_of(client, PAGE)
    assert client.get(PAGE.rstrip("/") + ".csv").status_code == 404
    assert client.get("/api/v1/tournaments/table-evening/standings/").status_code == 404


@pytest.mark.parametrize("system", ["ladder", ""])
def test_a_ladder_and_a_loaded_stream_have_no_standings_of_tables(
    tables: Tournament, client: Client, system: str
) -> None:
    play(tables, SETTLERS[0])
    tables.stages.update(pairing_system=system)
    assert PAGE not in text_of(client, "/tournaments/table-evening/")
    assert client.get(PAGE).status_code == 404


def test_who_is_hidden_stands_there_without_a_name(tables: Tournament, client: Client) -> None:
    play(tables, SETTLERS[0])
    who = Player.objects.get(number=2)
    Player.objects.filter(pk=who.pk).update(visibility=Visibility.HIDDEN)
    for address in (PAGE, PAGE.rstrip("/") + ".csv", "/api/v1/tournaments/table-evening/standings/"):
        told = client.get(address).content.decode()
        assert who.name not in told
        assert who.name.split()[-1] not in told


def test_the_page_follows_the_tables_of_today_and_grows_by_no_query(
    tables: Tournament, client: Client, django_assert_num_queries: CountQueries
) -> None:
    play(tables, SETTLERS[0])
    assert "data-every" not in text_of(client, PAGE)
    with timezone.override(factory.ZONE):
        today = (timezone.localdate() - DAY).days
    for each in SETTLERS:
        play(tables, each, day=today)
    assert 'data-address="/tournaments/table-evening/standings/?part=live"' in text_of(client, PAGE)
    tag = client.get(PAGE + "?part=live")["ETag"]
    assert client.get(PAGE + "?part=live", headers={"If-None-Match": tag}).status_code == 304
    play(tables, DOUBLES[0], day=today)
    assert client.get(PAGE + "?part=live", headers={"If-None-Match": tag}).status_code == 200
    with django_assert_num_queries(4):
        client.get(PAGE + "?x")
