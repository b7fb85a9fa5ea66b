"""The sheet of an evening of tables: its standing by the shares of sides left behind, and the tables."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from fractions import Fraction

import pytest
from django.test import Client

from players.models import Player
from tests import factory
from tests.tournaments.contests.contest_cases import make_tables, play
from tests.tournaments.event_pages import page_cases
from tournaments.models import Tournament
from tournaments.standings.evening import EveningSides, evening_standings


@pytest.mark.parametrize(
    ("tables", "expected"),
    [
        ([], []),
        # everybody alone, a tie in the middle: the other three left behind, one and half of one, none
        ([[(1, [1]), (2, [2]), (2, [3]), (4, [4])]], [(1, 1, "1"), (2, 2, "1/2"), (2, 3, "1/2"), (4, 4, "0")]),
        # two against two, then the same pairs apart
        (
            [[(1, [1, 2]), (2, [3, 4])], [(1, [1, 3]), (2, [2, 4])]],
            [(1, 1, "2"), (2, 2, "1"), (2, 3, "1"), (4, 4, "0")],
        ),
        # equal sums: more first places
        (
            [[(1, [5]), (2, [6]), (3, [7])], [(1, [8]), (2, [6]), (3, [5])]],
            [(1, 5, "1"), (1, 8, "1"), (3, 6, "1"), (4, 7, "0")],
        ),
        ([[(1, [1]), (1, [2])]], [(1, 1, "1/2"), (1, 2, "1/2")]),
    ],
)
def test_a_table_gives_the_share_of_sides_left_behind(
    tables: list[EveningSides], expected: list[tuple[int, int, str]]
) -> None:
    found = evening_standings(tables)
    assert [(row.place, row.player, row.points) for row in found] == [
        (place, player, Fraction(points)) for place, player, points in expected
    ]
    assert sum(row.tables for row in found) == sum(len(players) for sides in tables for _, players in sides)


@pytest.fixture
def evening(db: None) -> Tournament:
    factory.make_club()
    factory.make_players(8)
    event = make_tables(scores="points")[1]
    play(event, "1=40: 1; 2=30: 2; 3=12.5: 3")
    play(event, "1: 2; 2: 4; 3: 1")
    play(event, "1: 5; 2: 6; 3: 7", 1)
    return event


def test_the_sheet_has_the_day_s_standing_and_tables(
    client: Client, evening: Tournament, django_assert_max_num_queries: Callable[[int], AbstractContextManager[None]]
) -> None:
    Player.objects.filter(number=3).update(visibility="hidden")
    address = f"/tournaments/{evening.slug}/print/"
    assert f'href="{address}?on=2026-01-05"' in client.get(evening.get_absolute_url()).text
    with django_assert_max_num_queries(8):
        page = client.get(f"{address}?on=2026-01-05")
    lines = [(line.place, line.player.number, line.points, line.tables, line.firsts) for line in page.context["lines"]]
    assert lines == [(1, 2, "1.50", 2, 1), (2, 1, "1.00", 2, 1), (3, 4, "0.50", 1, 0), (4, 3, "0.00", 1, 0)]
    assert "Cleo" not in page.text
    assert "12.5" in page.text
    assert "Eva Engel" not in page.text, "of another day"
    assert "Eva Engel" in client.get(address).text, "the latest day"


@pytest.mark.parametrize("query", ["?on=2026-01-20", "?on=x", "?on="])
def test_a_day_without_tables_has_no_sheet(client: Client, evening: Tournament, query: str) -> None:
    assert client.get(f"/tournaments/{evening.slug}/print/{query}").status_code == 404


def test_an_event_without_tables_has_none(client: Client, db: None) -> None:
    factory.make_club()
    event = page_cases.make_event([], "free", name="Evenings")
    assert client.get(f"/tournaments/{event.slug}/print/").status_code == 404
