"""The performance calculator, and performances in a player's career."""

from datetime import date

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubrating.site.player_pages.careers import fold_career
from ratings.lists.selectors.history import CareerRow
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tournaments.rated_games.services.people import bring_starting_ratings

pytestmark = pytest.mark.django_db


def ask(client: Client, **asked: str) -> str:
    return client.get("/tools/performance/", asked).text


def test_the_diarys_example_stands_there_ready_and_ratings_with_a_score_are_enough(client: Client) -> None:
    text = ask(client)
    for said in ("1343.67", "The opponents’ average (ARO) is <b>1344</b>", "1½ points in 3 games"):
        assert said in text
    text = ask(client, opponents="1800\n1800\n1800\n1800", score="3½")
    assert "3½ points in 4 games" in text
    assert "2100" in text, "1800 + 400 × (3½ − ½) / 4"
    assert "2136" in text, "1800 + dp(.88)"
    assert "2 points in 2 games" in ask(client, opponents="1800\n1700", score="2"), "every point there is"
    text = ask(client, opponents="1800 1\n1800 0", own="1800")
    for said in ("What 1800 was expected to score", "1.00", "+0.00"):
        assert said in text
    assert "1½ points in 3 games" in ask(client, opponents="1. Ada 1360 1\n2. Bo 1321 0\n3. Cleo 1350 =")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"opponents": ""}, "required"),
        ({"opponents": "x 1"}, "Line 1: “x” is no rating."),
        ({"opponents": "1800 1\n1700"}, "Line 2 has no result, others have one."),
        ({"opponents": "1800\n1700"}, "Write the score"),
        ({"opponents": "1800\n1700", "score": "2½"}, "No more than 2 points can be made in 2 games."),
        ({"opponents": "1800", "score": "0.3"}, "Write the score"),
        ({"opponents": "1800", "score": "inf"}, "Write the score"),
        ({"opponents": "1800 1", "own": "x"}, "Enter a number"),
    ],
)
def test_bad_input_is_answered_with_a_sentence(client: Client, asked: dict[str, str], said: str) -> None:
    page = client.get("/tools/performance/", asked)
    assert page.status_code == 200
    assert said in page.text
    assert 'class="error"' in page.text
    assert "Fill in the opponents’ ratings" in page.text


@pytest.mark.parametrize(
    ("result", "told", "nearly"), [("1", "Every game was won", "1991"), ("0", "Every game was lost", "1609")]
)
def test_a_full_score_and_none_are_explained(client: Client, result: str, told: str, nearly: str) -> None:
    text = ask(client, opponents=f"1800 {result}\n1800 {result}")
    assert told in text
    assert f"with one of the games drawn it would be {nearly}" in text
    assert ("without a point: 800 below the lowest opponent" in text) == (result == "0")


def test_every_method_stands_there_with_how_it_is_found_for_the_clubs_name_at_most(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(1):
        client.get("/tools/performance/")
    text = ask(client, opponents="1800 1\n1800 1\n1800 1\n1800 0")
    for figure in ("2000", "1993", "1989", "1991"):
        assert f'class="num rating">{figure}<' in text
    assert "ARO 1800 + 193, from table 8.1.1 at 75 %" in text
    assert "ARO 1800 − 193, from table 8.1.1 at 25 %" in ask(client, opponents="1800 1\n1800 0\n1800 0\n1800 0")


def row(score: float, opponent: float | None, event: str = "cup", change: float | None = 1.0) -> CareerRow:
    return CareerRow(1, date(2026, 1, 5), True, score, 30, 0, 1499.0, change, 1500.0, opponent, 40, 2, event, event)


def test_a_career_has_both_performances_of_each_event_without_unrated_opponents() -> None:
    career = fold_career([row(1.0, 1360), row(0.0, 1321), row(0.5, 1350)])
    (event,) = career.events
    assert (event.by_400, event.by_fide) == (pytest.approx(1343 + 2 / 3), 1344)
    rows = [row(1.0, 1500, "mixed"), row(0.0, None, "mixed"), row(1.0, None, "unrated", None)]
    mixed, unrated = sorted(fold_career(rows).events, key=lambda event: event.name)
    assert mixed.by_400 == 1900
    assert (unrated.by_400, unrated.by_fide, unrated.change) == (None, None, None)


def test_the_players_page_shows_them(client: Client, standard: RatingList) -> None:
    players = factory.make_players(4)
    bring_starting_ratings(standard, [NewStart(p.pk, factory.MONDAY, 1800, 40) for p in players], by=None)
    factory.play_all(factory.make_round_robin(players))
    table = client.get(players[0].get_absolute_url()).context["events_table"]
    (line,) = table.rows
    assert (line.get_cell("by_400"), line.get_cell("by_fide")) == ("1800", "1800")
