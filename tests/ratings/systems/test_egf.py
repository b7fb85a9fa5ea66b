"""EGF: the printed examples, the golden games, what must hold for any ratings, and grades."""

import csv
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import Handicap, PlayedGame, PlayerState
from ratings.systems.egf import (
    HIGHEST,
    LOWEST,
    Egf,
    EgfSettings,
    bonus,
    con,
    expected_black,
    expected_score,
    grade_rating,
    handicap_shift,
    nearest_grade,
    rating_change,
)
from tests import ROOT

RATINGS = st.floats(LOWEST, HIGHEST)
STONES = st.integers(0, 9)
GOLDEN = ROOT / "tests" / "data" / "parties" / "egf.csv"


def golden() -> list[dict[str, float]]:
    with GOLDEN.open(encoding="utf-8") as lines:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(lines)]


def rated(
    white: float, black: float, score: float, *, stones: int = 0, importance: float = 1.0, counts: bool = True
) -> tuple[float, float]:
    """Both ratings after one game through the system itself."""
    states = PlayerState(white, 0, white), PlayerState(black, 0, black)
    rate = Egf().game_rater(EgfSettings(importance=counts))
    rate(*states, PlayedGame(1, 1, 2, score, 1 << 40, 1, importance=importance, handicap=Handicap(stones)))
    return states[0].rating, states[1].rating


def test_every_golden_game() -> None:
    for row in golden():
        black, white, score = row["black"], row["white"], row["black_score"]
        shift = handicap_shift(int(row["handicap"]))
        expected = expected_black(black, white, shift)
        ours = (expected, con(black), bonus(black), con(white), bonus(white))
        names = ("black_expected", "black_con", "black_bonus", "white_con", "white_bonus")
        assert ours == pytest.approx([row[name] for name in names], abs=1e-9)
        changes = rating_change(white, 1 - score, 1 - expected), rating_change(black, score, expected)
        assert changes == pytest.approx((row["white_change"], row["black_change"]), abs=1e-9)
        after = rated(white, black, 1 - score, stones=int(row["handicap"]))
        assert after == pytest.approx((white + changes[0], black + changes[1]), abs=1e-9)


@pytest.mark.parametrize(
    ("own", "opponent", "stones", "score", "expected", "change"),
    [
        (2100, 2100, 0, 1, 0.5, 9.306246102),
        (2674.564, 2611.051, 0, 0, 0.663074986, -4.107829383),
        (1500, 1800, 0, 1, 0.218189080, 28.296012499),
        (1500, 1800, 3, 1, 0.442868414, 20.738982534),
    ],
)
def test_printed_examples(
    own: float, opponent: float, stones: int, score: float, expected: float, change: float
) -> None:
    found = expected_black(own, opponent, handicap_shift(stones))
    assert found == pytest.approx(expected, abs=1e-9)
    assert rating_change(own, score, found) == pytest.approx(change, abs=1e-9)


def test_printed_con_and_bonus() -> None:
    assert [con(r) for r in (-900, 100, 2700)] == pytest.approx([130.482080135, 84.448506289, 5.799546135], abs=1e-9)
    assert [bonus(r) for r in (-900, 2700)] == pytest.approx([8, 0.001343070], abs=1e-9)


@given(RATINGS, RATINGS, STONES)
def test_colours_mirror_and_stones_are_blacks(own: float, opponent: float, stones: int) -> None:
    assert expected_score(own, opponent) + expected_score(opponent, own) == pytest.approx(1)
    as_black, as_white = rated(opponent, own, 0.0, stones=stones), rated(own, opponent, 1.0, stones=stones)
    assert as_black[1] <= as_white[0] + 1e-9, "with stones a win earns no more than giving them"
    assert rated(own, opponent, 1.0) == pytest.approx(rated(opponent, own, 0.0)[::-1])


@given(RATINGS, st.lists(RATINGS, min_size=2), STONES)
def test_expectation_rises_with_the_rating_and_the_stones(own: float, others: list[float], stones: int) -> None:
    for weaker, stronger in pairwise(sorted(others)):
        assert expected_score(own, weaker) >= expected_score(own, stronger)
        assert con(weaker) >= con(stronger) > 0
        assert bonus(weaker) >= bonus(stronger) > 0
    more = expected_black(own, others[0], handicap_shift(stones + 1))
    assert 0 <= expected_black(own, others[0], handicap_shift(stones)) <= more <= 1


def test_nobody_leaves_the_scale() -> None:
    assert rated(LOWEST, LOWEST, 0.0)[0] == LOWEST
    assert rated(HIGHEST, HIGHEST, 1.0)[0] == HIGHEST


def test_stones_under_the_pole_count_in_full_and_above_it_as_much_as_there_is() -> None:
    assert expected_black(2900, 3200, handicap_shift(9)) == expected_score(HIGHEST, 3200)


@pytest.mark.parametrize(
    ("stones", "komi", "shift"),
    [(0, None, 0), (0, 6.5, 0), (0, 0, 50), (1, None, 50), (1, 6.5, 0), (3, 0, 250), (3, 0.5, 250), (2, -6.5, 200)],
)
def test_stones_and_komi_are_one_scale(stones: int, komi: float | None, shift: float) -> None:
    assert handicap_shift(stones, komi) == pytest.approx(shift)


def test_an_event_of_half_weight_moves_half() -> None:
    whole, half = rated(1500, 1800, 1.0), rated(1500, 1800, 1.0, importance=0.5)
    assert rated(1500, 1800, 1.0, importance=0.5, counts=False) == whole, "a list that does not weigh events"
    assert half[0] - 1500 == pytest.approx((whole[0] - 1500) / 2)


@pytest.mark.parametrize(
    ("grade", "rating"),
    [
        ("30k", -900),
        ("20k", 100),
        ("3K", 1800),
        ("1 kyu", 2000),
        ("1d", 2100),
        ("6 dan", 2600),
        ("1p", 2700),
        ("9p", 2940),
    ],
)
def test_grades(grade: str, rating: float) -> None:
    assert grade_rating(grade) == rating
    assert grade_rating(nearest_grade(rating)) == pytest.approx(rating, abs=50)


@pytest.mark.parametrize("grade", ["", "0k", "31k", "10d", "3", "k3", "3x", "１d"])
def test_no_grade(grade: str) -> None:
    with pytest.raises(ValueError, match="30k to 1k"):
        grade_rating(grade)


def test_the_nearest_grade() -> None:
    assert [nearest_grade(r) for r in (2149, 2050, 2049, 100, 2600)] == ["1d", "1d", "1k", "20k", "6d"]
