"""FIDE's tables and xiangqi's: every printed row, and what the normal law would say instead."""

from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.fide_tables import (
    expected_percent,
    fide_expected,
    nearest,
    rating_difference,
    score_percent,
    xiangqi_expected,
)

NORMAL = NormalDist(0, 2000 / 7)
# The xiangqi paper's appendix, row by row; FIDE prints the same but for the last two.
PRINTED = """
0–3 50 · 4–10 51 · 11–17 52 · 18–25 53 · 26–32 54 · 33–39 55 · 40–46 56 · 47–53 57 · 54–61 58 · 62–68 59 ·
69–76 60 · 77–83 61 · 84–91 62 · 92–98 63 · 99–106 64 · 107–113 65 · 114–121 66 · 122–129 67 · 130–137 68 ·
138–145 69 · 146–153 70 · 154–162 71 · 163–170 72 · 171–179 73 · 180–188 74 · 189–197 75 · 198–206 76 · 207–215 77 ·
216–225 78 · 226–235 79 · 236–245 80 · 246–256 81 · 257–267 82 · 268–278 83 · 279–290 84 · 291–302 85 · 303–315 86 ·
316–328 87 · 329–344 88 · 345–357 89 · 358–374 90 · 375–391 91 · 392–411 92 · 412–432 93 · 433–456 94 · 457–484 95 ·
485–517 96 · 518–559 97 · 560–619 98 · 620–734 99 · 735–4000 100
"""
ROWS = [
    (int(first), int(last), int(percent))
    for first, last, percent in (row.replace("–", " ").split() for row in PRINTED.split("·"))
]
GAPS = st.floats(-3000, 3000)


@pytest.mark.parametrize(("first", "last", "percent"), ROWS)
def test_every_printed_row(first: int, last: int, percent: int) -> None:
    for gap in range(first, last + 1):
        assert xiangqi_expected(1000 + gap, 1000) == percent / 100
        assert xiangqi_expected(1000, 1000 + gap) == ((100 - percent) if gap else 50) / 100
        if gap != 735:
            assert expected_percent(gap) == percent
            assert expected_percent(-gap) == ((100 - percent) if gap else 50)


def test_the_two_tables_differ_at_735_only() -> None:
    gaps = range(4000)
    assert [gap for gap in gaps if fide_expected(gap, 0) != xiangqi_expected(gap, 0)] == [735]
    assert (expected_percent(735), expected_percent(736)) == (99, 100)


def test_the_tables_are_the_normal_law_and_its_inverse_but_for_some() -> None:
    # Up to 735: beyond, the table says 1.00 where the normal law still rounds to .99 or 1.00.
    differing = [gap for gap in range(736) if expected_percent(gap) != nearest(100 * NORMAL.cdf(gap))]
    assert differing == [54, 343, 344, 358, 392, 620]
    differing = [p for p in range(50, 100) if rating_difference(p) != nearest(NORMAL.inv_cdf(p / 100))]
    assert differing == [53, 58, 66, 67, 68, 69, 70, 72, 78, 89, 96, 97, 98, 99]


def test_the_difference_of_a_score() -> None:
    printed = {50: 0, 51: 7, 57: 50, 64: 102, 75: 193, 76: 202, 86: 309, 99: 677, 100: 800}
    assert {percent: rating_difference(percent) for percent in printed} == printed
    assert {percent: -rating_difference(100 - percent) for percent in printed} == printed
    differences = [rating_difference(percent) for percent in range(101)]
    assert differences == sorted(set(differences)), "every step is worth something"
    for outside in (-1, 101):
        with pytest.raises(ValueError, match="between 0 and 100"):
            rating_difference(outside)


def test_halves_go_away_from_zero_and_scores_to_hundredths_with_halves_up() -> None:
    wholes = {2.5: 3, -2.5: -3, 2.4: 2, -0.4: 0, 0.0: 0, 1343.5: 1344}
    assert {value: nearest(value) for value in wholes} == wholes
    percents = {(8, 14): 29, (12, 14): 43, (8, 12): 33, (1, 8): 6, (0, 3): 0, (6, 3): 100}
    assert {score: score_percent(*score) for score in percents} == percents
    assert [expected_percent(gap) for gap in (3.4, 3.5, -3.4, -3.5)] == [50, 51, 50, 49], "rounded before the table"


@given(GAPS, GAPS)
def test_a_greater_difference_never_expects_less_and_the_two_sides_share_one_game(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0 <= expected_percent(low) <= expected_percent(high) <= 100
    assert expected_percent(one) + expected_percent(-one) == 100
