"""Scores into results and factors: the golden results, the worked table, and what must hold for any scores."""

import csv
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.elo import margin_factor
from ratings.systems.margins import capped, log_factor, nfl_factor, outcome, share
from tests import ROOT

GOLDEN = ROOT / "tests" / "data" / "parties" / "margins.csv"
SCORES = st.integers(0, 1000)
GAPS = st.floats(-5000, 5000)


def golden() -> list[dict[str, float]]:
    with GOLDEN.open(encoding="utf-8") as lines:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(lines)]


def test_every_golden_result() -> None:
    for row in golden():
        a, b = row["score_a"], row["score_b"]
        winner, loser = (row["rating_a"], row["rating_b"])[:: 1 if a >= b else -1]
        ours = share(a, b), capped(a, b, row["cap"]), log_factor(a - b, row["unit"], row["factor_cap"])
        assert ours == pytest.approx([row[name] for name in ("share_a", "capped_a", "log_factor")], abs=1e-9)
        # The file has the bare formula, which is 0 for a draw; here a draw counts once.
        assert nfl_factor(a - b, winner, loser) == pytest.approx(row["nfl_factor"] if a != b else 1.0, abs=1e-9)


def test_the_worked_table() -> None:
    assert [(outcome(a, b), share(a, b), capped(a, b, 400)) for a, b in ((400, 100), (260, 240))] == [
        (1, 0.8, 0.875),
        (1, 0.52, 0.525),
    ]
    assert [log_factor(margin, 100, 3) for margin in (300, 20, 400)] == pytest.approx([2, 1, 2.321928], abs=1e-6)
    nfl = [nfl_factor(*each) for each in ((3, 1500, 1500), (21, 1500, 1500), (21, 1600, 1400), (21, 1400, 1600))]
    assert nfl == pytest.approx([1.386294, 3.091042, 2.833456, 3.400147], abs=1e-6)


def test_todays_factor_is_unit_1_cap_2_to_the_last_bit() -> None:
    for margin in range(1, 3000):
        assert margin_factor(margin) == log_factor(margin) == min(log(1 + margin) / log(2), 2.0)
    assert margin_factor(0) == log_factor(0) == 1.0


@given(SCORES, SCORES, st.integers(1, 500))
def test_sides_mirror(a: int, b: int, cap: int) -> None:
    assert outcome(a, b) + outcome(b, a) == 1
    assert share(a, b) + share(b, a) == pytest.approx(1)
    assert capped(a, b, cap) + capped(b, a, cap) == pytest.approx(1)
    assert log_factor(a - b) == log_factor(b - a)


@given(SCORES, SCORES, st.integers(1, 500), st.floats(1, 10), GAPS)
def test_more_margin_is_never_less_and_everything_is_bounded(
    one: int, other: int, unit: int, cap: float, gap: float
) -> None:
    less, more = sorted((one, other))
    assert 1 <= log_factor(less, unit, cap) <= log_factor(more, unit, cap) <= cap
    assert 0 <= capped(less, 0, unit) <= capped(more, 0, unit) <= 1
    if less:
        assert 0 < nfl_factor(less, gap, 0) <= nfl_factor(more, gap, 0) <= 2 * log(1001)


@given(SCORES, SCORES, st.integers(1, 500), st.integers(1, 20))
def test_another_measure_of_the_points_changes_nothing(a: int, b: int, unit: int, times: int) -> None:
    assert log_factor((a - b) * times, unit * times, 3) == pytest.approx(log_factor(a - b, unit, 3))
    assert capped(a * times, b * times, unit * times) == pytest.approx(capped(a, b, unit))
    assert share(a * times, b * times) == pytest.approx(share(a, b))


def test_a_share_of_debts_is_refused() -> None:
    assert share(0, 0) == 0.5
    with pytest.raises(ValueError, match="0 or more"):
        share(-1, 5)
