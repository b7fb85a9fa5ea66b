"""The adviser's form: how ratings are read, what is refused and where, what its address holds."""

from typing import Any
from urllib.parse import parse_qs

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from tournaments.builders.forms import FormatForm, read_field
from tournaments.builders.views.formats import filled_in
from tournaments.forecast.formats import Hall

PLAIN = {"field": "16", "evenings": "7"}


def form_of(**asked: str) -> FormatForm:
    form = FormatForm({**PLAIN, **asked})
    assert form.is_valid(), form.errors
    return form


def errors_of(**asked: str) -> dict[str, Any]:
    form = FormatForm({**PLAIN, **asked})
    assert not form.is_valid()
    return {name: list(problems) for name, problems in form.errors.items()}


@pytest.mark.parametrize(
    ("line", "rating"),
    [
        ("1850", 1850), ("Ada Alvarez 1850", 1850), ("1850 Ada Alvarez", 1850), ("12. Ada Alvarez, 1850?", 1850),
        ("Player 17 1850", 1850), ("24600017 Ada 1850", 1850), ("Ada\t1849.5", 1850), ("Ada 1849,5", 1850),
        ("１８５０", 1850), ("Ada U18 950", 950),
    ],
)  # fmt: skip
def test_a_line_holds_one_rating_and_what_else_stands_there_is_passed_over(line: str, rating: int) -> None:
    assert read_field(f"{line}\n1500", 600) == sorted([rating, 1500], reverse=True)


def test_the_strongest_come_first_and_a_number_alone_is_a_number_of_players() -> None:
    assert form_of(field="1500\n\n1900\n1700").cleaned_data["field"] == [1900, 1700, 1500]
    assert form_of(field=" 4 ").cleaned_data["field"] == [1800, 1600, 1400, 1200]
    assert form_of(field="4", spread="300").cleaned_data["field"] == [1650, 1550, 1450, 1350]
    for most in ("200", "1500\n" * 200):
        assert len(form_of(field=most).cleaned_data["field"]) == 200


@pytest.mark.parametrize(
    ("field", "says"),
    [
        ("", "Write the ratings, one a line, or the number of players alone."),
        ("\n \n", "Write the ratings, one a line, or the number of players alone."),
        ("1", "For 1 players there is no advice here: from 2 to 200 can be compared."),
        ("201", "For 201 players there is no advice here: from 2 to 200 can be compared."),
        ("1850", "One rating alone: at least two players are needed."),
        ("1850\nAda", "Line 2: there is no rating in it."),
        ("\n1850\nAda 17", "Line 3: there is no rating in it."),
        ("1850 born 1990\n1700", "Line 1 has several numbers, 1850, 1990: leave the rating only."),
        ("100 101 102 103 104 105", "Line 1 has several numbers, 100, 101, 102, 103, 104: leave the rating only."),
        ("1850\nBo 4001", "Line 2: a rating lies between 100 and 4000, not 4001."),
        ("1500\n" * 201, "201 ratings are too many: up to 200 can be compared."),
    ],
)
def test_what_is_wrong_with_the_field_is_said_with_its_line(field: str, says: str) -> None:
    assert errors_of(field=field) == {"field": [says]}
    assert len(errors_of(field="Ada\n" * 6)["field"]) == 5


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("evenings", "0", "Write a number from 1 to 100."),
        ("evenings", "many", "Write a number from 1 to 100."),
        ("boards", "101", "Write a number from 1 to 100."),
        ("rounds_an_evening", "21", "Write a number from 1 to 20."),
        ("spread", "-1", "Write a number from 0 to 3000."),
        ("every", "367", "Write a number from 0 to 366."),
        ("draws", "96", "Write a number from 0 to 95."),
    ],
)
def test_a_number_out_of_range_is_refused_at_its_field(field: str, value: str, says: str) -> None:
    assert errors_of(**{field: value}) == {field: [says]}


def test_without_a_word_there_are_boards_enough_and_a_round_an_evening() -> None:
    assert form_of(field="17").hall == Hall(7, 8, 1)
    assert form_of(field="17", boards="5", rounds_an_evening="3").hall == Hall(7, 5, 3)
    assert form_of().cleaned_data["draws"] == 30


def test_the_address_holds_the_question_without_names_and_what_the_list_knows_of_draws() -> None:
    form = form_of(field="Ada 1850\nBo 1900", boards="", every="7", first_evening="2026-12-01", draws="27")
    said = {"field": "1900\n1850", "evenings": "7", "first_evening": "2026-12-01", "draws": "27"}
    assert parse_qs(form.query) == {name: [value] for name, value in said.items()}
    form = FormatForm({**PLAIN, "draws": "27"}, draws=27)
    assert form.is_valid()
    assert "draws=27" in form.query, "the list will know better one day: the question stays what it was"
    assert "In the club’s list it is 27." in str(form.fields["draws"].help_text)
    assert not form.is_open, "nothing in the folded part but what stands there anyhow"


@given(st.lists(st.integers(100, 4000), min_size=2, max_size=200), st.integers(1, 100), st.integers(0, 95))
def test_an_address_asks_the_same_again(ratings: list[int], evenings: int, draws: int) -> None:
    form = form_of(field="\n".join(map(str, ratings)), evenings=str(evenings), draws=str(draws))
    again = FormatForm(filled_in(QueryDict(form.query)))
    assert again.is_valid()
    assert again.cleaned_data == form.cleaned_data
    assert again.query == form.query
    assert len(form.query) < 3500, "every server takes it"
