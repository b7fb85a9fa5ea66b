"""The calculator of a whole event: pasted games in, what they bring in every system out, without a database."""

import pytest
from django.test import RequestFactory

from ratings.calculators.views.event import elo_event
from ratings.lists.forms import ways


def ask(rf: RequestFactory, **asked: object) -> str:
    """The page's text, made by the view alone: no client, no session, no database."""
    return " ".join(elo_event(rf.get("/tools/event/", asked)).content.decode().split())


def row_of(text: str, words: str) -> list[str]:
    """The figures of a system's row: expected, change, new rating."""
    table = text[text.index('id="all"') :]
    row = table[table.index(f">{words}<") :].split("</tr>")[0]
    return [part.split("<")[0] for part in row.split("<td")[1:] for part in [part.split(">", 1)[1]]]


def test_an_example_stands_there_ready_and_every_game_has_its_expected_score_and_its_change(rf: RequestFactory) -> None:
    text = ask(rf)
    assert "3 points in 5 games" in text
    assert "an example" in text
    text = ask(rf, a=2344, ga=100, games="2777 1", system="elo")
    games = text.partition('id="all"')[0]
    for said in ("0.076", "+18.5", "2362"):
        assert said in games


def test_federations_rate_once_and_performances_stand_there_too(rf: RequestFactory) -> None:
    """1800 beats 1900: PD .36, so 20 × .64 = 12.8 → 13; then draws 1700: −2.8. Together 10."""
    text = ask(rf, a=1800, ga=100, games="1900 1\n1700 =", system="elo-fide")
    assert row_of(text, "Elo, FIDE (table, by the event)") == ["1.00", "+10.0", "1810"]
    assert "Rated once, after the event" in text
    assert row_of(text, "Elo, FIDE’s K, logistic")[2] == "1810"
    assert "Rated game by game" in ask(rf, a=1800, ga=100, games="1900 1", system="elo")
    text = ask(rf, a=1350, ga=50, games="1360 1\n1321 0\n1350 ½", system="elo")
    assert "1½ points in 3 games" in text
    assert "1343.67" in text


def test_a_first_rating_by_fide_or_why_it_does_not_count(rf: RequestFactory) -> None:
    games = "1900 1\n1900 1\n1900 1\n1900 0\n1907 0"
    text = ask(rf, games=games)
    assert "with two drawn against 1800: <b>1922</b>" in text
    assert row_of(text, "Elo, FIDE (table, by the event)")[2] == "1922"
    for games, said in (
        ("1900 ½", "It counts once 5 games against rated opponents are played."),
        ("1900 0\n1900 0", "A first event without a point is not counted at all."),
        ("1100 ½\n1100 0\n1100 0\n1100 0\n1100 0", "It lies below the list’s lowest rating of 1400"),
    ):
        assert said in ask(rf, games=games)
    assert "It lies below" not in ask(rf, games="1240 ½\n" * 5), "it is 1400 itself"


def test_the_rules_of_the_day_hold_the_floor_is_told_and_kd_counts_in_percent(rf: RequestFactory) -> None:
    asked = {"a": 2813, "ga": 900, "games": "2400 1", "system": "elo-fide"}
    for on, expected in (("2026-01-05", "0.93"), ("2025-09-01", "0.92")):
        assert row_of(ask(rf, **asked, on=on), "Elo, FIDE (table, by the event)")[0] == expected
    text = ask(rf, a=1405, ga=100, games="1405 0", system="elo-fide")
    assert "The new rating lies below the list’s floor: unrated again." in text
    assert row_of(ask(rf, a=15, ga=0, games="15 1", system="kd"), "KD") == ["–", "+1.7", "17"]
    assert row_of(ask(rf, a=100, ga=0, games="100 0", system="kd"), "KD")[1] != "–", "the highest there is"


@pytest.mark.extended
@pytest.mark.parametrize("way", list(ways()))
def test_every_system_answers(rf: RequestFactory, way: str) -> None:
    text = ask(rf, a=1800, ga=40, games="1900 1\n1700 0", system=way)
    assert 'class="error"' not in text
    assert "None" not in text
    if way in ("kd", "bradley-terry"):
        assert "one player’s event says nothing in it" in text


def test_bad_input_is_answered_at_its_field(rf: RequestFactory) -> None:
    for asked, said in (
        ({"games": ""}, "required"),
        ({"games": "\n \n"}, "Write at least one game"),
        ({"games": "1800"}, "Line 1 has no result; write 1, ½ or 0 behind the rating."),
        ({"games": "1800 1\nx 1\n1900 7"}, "Line 2: “x” is no rating.<br>Line 3: “7” is no result"),
        ({"games": "1800 1", "a": "5000"}, "Write a number from 0 to 4000."),
        ({"games": "1800 1", "on": "1900-01-01"}, "The day lies between 1950 and 2100."),
        ({"games": "1800 1", "on": "yesterday"}, "Enter a valid date."),
        ({"games": "1800 1", "system": "none"}, "Select a valid choice."),
    ):
        text = ask(rf, **asked)
        assert said in text
        assert 'class="error"' in text
        assert "Fill in your rating and the games" in text
