"""Typed arithmetic: Python's own order of operations, a sentence with its place for everything else, and no way past
the bounds."""

import math
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.lab.formulas import (
    FUNCTIONS,
    LARGEST,
    MOST_CHARACTERS,
    MOST_TERMS,
    Budget,
    FormulaError,
    read_formula,
    read_lines,
)
from tests.choosing import examples

KNOWN = {"w": 0, "l": 1}


def value(text: str, w: float = 1500.0, l: float = 1600.0) -> float:  # noqa: E741
    return read_formula(text, "winner", KNOWN, Budget()).value([w, l])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("w - l / 2 * 3 + 1", 1500.0 - 1600.0 / 2.0 * 3.0 + 1.0),
        ("w + +l", 3100.0),
        ("-2 ^ 2 ^ .5 ^ -1", -(2.0 ** (2.0 ** (0.5**-1.0)))),
        ("1 / (1 + 10 ** ((l - w) / 400))", 1.0 / (1.0 + 10.0 ** (100.0 / 400.0))),
        ("10 if w >= 2400 else 15 if w >= 1000 else 25", 15.0),
        ("1 / w if w > 0 and not l == 0 or w < l else 0", 1.0 / 1500.0),
        ("max(1, min(w, l), 3) − abs(l × -1)", -100.0),
        ("trunc(-7 / 2) + 10 * round(-2.5) + 100 * round(2.4)", -3.0 - 30.0 + 200.0),
        ("exp(log(2)) + sqrt(2) + erf(0.5)", math.exp(math.log(2.0)) + math.sqrt(2.0) + math.erf(0.5)),
        ("1 + (w < l) + (w ≠ l) + 1.5e-1", 3.15),
    ],
)  # fmt: skip
def test_a_formula_comes_to_what_the_same_line_of_python_does(text: str, expected: float) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "character", "words"),
    [
        ("", 1, "ends too soon"),
        ("w +", 4, "ends too soon"),
        ("w + v", 5, "no name “v”"),
        ("w l", 3, "“l” cannot stand"),
        ("(w", 3, "closing bracket"),
        ("w)", 2, "“)” cannot stand"),
        ("w = l", 3, "write =="),
        ("w & l", 3, "“&” means nothing"),
        ("w\x00", 2, "U+0000"),
        ("w²", 2, "“²” means nothing"),
        ("__import__('os')", 1, "“_” means nothing"),
        ("w.real", 2, "“.” means nothing"),
        ("lambda w", 1, "no name “lambda”"),
        ("w < l < 3", 7, "two values at a time"),
        ("w if l", 7, "needs an “else”"),
        ("min(w)", 1, "two values or more"),
        ("abs(w, l)", 1, "one value"),
        ("abs", 1, "needs its brackets"),
        ("9e99", 1, "up to 1e+12"),
        ("(w l", 4, "“l” cannot stand here"),
        ("w " + "l" * 21, 3, f"“{'l' * 20}” cannot stand here"),
        ("l" * 41, 1, f"no name “{'l' * 40}”"),
        ("(" * 99 + "w" + ")" * 99, 26, "within each other"),
        ("-" * 99 + "w", 26, "within each other"),
        ("w if 1 else " * 30 + "w", 301, "within each other"),
        ("+".join("1" * 200), 301, "one term too many"),
        ("w" * 10_240, MOST_CHARACTERS + 1, "this one has 10240"),
        # Read, and not to be worked out:
        ("w / (l - l)", 3, "divided by zero"),
        ("0 ^ -1", 3, "divided by zero"),
        ("(-2) ^ 0.5", 6, "negative number"),
        ("9 ^ 9 ^ 9 ^ 9", 7, "too large"),
        ("exp(w)", 1, "exp of 1500"),
        ("log(0 - w)", 1, "log of -1500"),
        ("trunc(1e12 ^ 20 * 1e12 ^ 20)", 1, "trunc of inf"),
        ("w * 1e12", 1, "more than 1e+12"),
        ("1e12 ^ 25 * 1e12 * 0", 1, "more than 1e+12"),
    ],
)
def test_what_cannot_be_read_or_worked_out_is_a_sentence_with_its_character(
    text: str, character: int, words: str
) -> None:
    with pytest.raises(FormulaError, match="Line 1, character") as refused:
        value(text)
    assert (refused.value.place.field, refused.value.place.character) == ("winner", character)
    assert words in refused.value.what
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    ("text", "line", "character", "words"),
    [
        ("b = w\n\n  c = b + x", 3, 11, "no name “x”"),
        ("b = c\nc = 1", 1, 5, "no name “c”"),
        ("b = 1\nb = 2", 2, 1, "“b” is taken"),
        ("  min = 2", 1, 3, "“min” is taken"),
        ("if = 2", 1, 1, "“if” is taken"),
        ("b" * 21 + " = 2", 1, 1, "at most 20"),
        ("b = 1\n" * 201, 1, 1201, "this one has 1206"),
        ("w == l", 1, 1, "write a name"),
        ("2b = 1", 1, 1, "letters a to z"),
        ("b = 1 = 2", 1, 7, "write =="),
        ("b = \n", 1, 4, "ends too soon"),
    ],
)
def test_lines_name_values_in_order_and_refusals_name_the_line(
    text: str, line: int, character: int, words: str
) -> None:
    with pytest.raises(FormulaError) as refused:
        read_lines(text, "values", dict(KNOWN), Budget())
    assert refused.value.place[1:] == (line, character)
    assert words in refused.value.what


def test_names_and_fields_may_be_as_long_as_is_said_and_what_is_not_nought_is_true() -> None:
    line = "b" * 20 + " = 1"
    assert len(read_lines(line.ljust(MOST_CHARACTERS), "values", dict(KNOWN), Budget())) == 1
    assert [value("1".ljust(MOST_CHARACTERS)), value("not 2"), value("not 0")] == [1.0, 0.0, 1.0]


SIGNS = (*"wl()+-*/^,<>= .", "if", "else", "and", "or", "not", "==", "1", "0", "1e12", "\n")
PIECES = st.sampled_from((*FUNCTIONS, *SIGNS))


@examples(2000)
@given(st.text(max_size=60) | st.lists(PIECES, max_size=60).map(" ".join), st.floats(-1e12, 1e12), st.floats(0, 3000))
def test_no_text_does_anything_but_give_a_number_within_bounds_or_refuse(text: str, w: float, l: float) -> None:  # noqa: E741
    with suppress(FormulaError):
        assert abs(value(text, w, l)) <= LARGEST


class Counting(list[float]):
    """Values that count how often one is looked at."""

    looks = 0

    def __getitem__(self, at: Any) -> Any:
        self.looks += 1
        return super().__getitem__(at)


def _larger(one: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    joined = st.tuples(one, st.sampled_from("+-*/^<"), one).map(lambda each: f"({each[0]} {each[1]} {each[2]})")
    return joined | st.tuples(one, one, one).map(lambda each: f"({each[0]} if {each[1]} > 3 else {each[2]})")


@examples(300)
@given(st.recursive(st.sampled_from(("w", "l", "2")), _larger))
def test_a_formula_looks_at_no_value_more_often_than_it_has_terms(text: str) -> None:
    known, budget = Counting([3.0, 2.0]), Budget()
    with suppress(FormulaError):
        read_formula(text, "winner", KNOWN, budget).value(known)
    assert known.looks <= MOST_TERMS - budget.left
