"""The sheet of an evening of tables: its standing, counted as the event's is, and the tables."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.test import Client

from players.models import Player
from tests import factory
from tests.tournaments.contests.contest_cases import make_tables, play
from tests.tournaments.event_pages import page_cases
from tournaments.models import Tournament


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
    places = [
        (place.row.place, place.player.number, place.row.total, place.row.played)
        for place in page.context["series"].places
    ]
    assert places == [(1, 2, 5, 2), (2, 1, 4, 2), (3, 4, 2, 1), (4, 3, 1, 1)]
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
