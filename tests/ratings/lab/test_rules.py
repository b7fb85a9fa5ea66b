"""How claims are judged, on figures made up for it."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.lab.rules import (
    BAND,
    Found,
    Kind,
    Part,
    Verdict,
    about,
    about_times,
    below,
    judge,
    ratio,
    value,
    verdict,
    written,
)

ROWS = [
    {"elo.1": 10.0, "kd.1": 20.0, "r2.1": 40.0, "elo.x": 2.0},
    {"elo.1": 12.0, "kd.1": 18.0, "r2.1": 41.0, "elo.x": 4.0},
    {"elo.1": 11.0, "kd.1": 19.0, "r2.1": 39.0},
]


def found(passes: bool | None) -> Found:
    return Found(1.0, 0.0, 0.0, 1, 1.0, passes)


@pytest.mark.parametrize(
    ("passes", "said"),
    [
        ([True, True], Verdict.HOLDS),
        ([True, None], Verdict.HOLDS),
        ([True, False], Verdict.PARTLY),
        ([False, None, False], Verdict.FAILS),
        ([None, None], Verdict.OPEN),
        ([], Verdict.OPEN),
    ],
)
def test_every_verdict_is_reached_by_the_parts_that_count(passes: list[bool | None], said: Verdict) -> None:
    assert verdict([found(each) for each in passes]) == said


def test_a_part_that_was_not_measured_does_not_count() -> None:
    assert verdict([None, found(True)]) == Verdict.HOLDS
    assert verdict([None]) == Verdict.OPEN
    assert judge(value("1", "glicko", high=0.0), ROWS) is None


def test_below_takes_the_worst_of_the_left_and_the_best_of_the_right() -> None:
    assert below("1", "elo", "kd r2").of(ROWS[0]) == -10.0
    assert below("1", "elo kd", "r2").of(ROWS[0]) == -20.0
    assert below("1", "r2", "kd").of(ROWS[0]) == 20.0


def test_ratio_and_value() -> None:
    assert ratio("1", "kd", "elo").of(ROWS[0]) == 2.0
    assert ratio("1", "elo", "elo", right_figure="x").of(ROWS[0]) == 5.0
    assert value("1", "kd").of(ROWS[0]) == 20.0
    assert ratio("1", "kd", "no").of(ROWS[0] | {"no.1": 0.0}) is None


def test_only_replications_that_have_the_figure_are_counted() -> None:
    judged = judge(value("x", "elo", low=0.0), ROWS)
    assert judged is not None
    assert (judged.count, judged.mean) == (2, 3.0)


def test_the_whole_band_must_lie_within_the_bounds() -> None:
    """Means 10, 12, 11: mean 11, standard error 1/√3 = 0.577, so the band ends at 12.155."""
    assert _passes(value("1", "elo", high=12.2))
    assert not _passes(value("1", "elo", high=12.1))
    assert _passes(value("1", "elo", low=9.8))
    assert not _passes(value("1", "elo", low=9.9))
    judged = judge(value("1", "elo", high=11.0), ROWS)
    assert judged is not None
    assert judged.share == pytest.approx(2 / 3)
    assert judged.se == pytest.approx(3**-0.5)


def _passes(part: Part) -> bool:
    judged = judge(part, ROWS)
    assert judged is not None
    return bool(judged.passes)


def test_about_is_written_down() -> None:
    part = about_times("1", "kd", "elo", 6.0)
    assert (part.low, part.high) == (pytest.approx(4.0), 9.0)
    assert (about("1", "kd", 60.0).low, about("1", "kd", 60.0).high) == (45.0, 75.0)


def test_a_part_without_bounds_is_only_shown() -> None:
    part = ratio("1", "kd", "elo")
    judged = judge(part, ROWS)
    assert judged is not None
    assert not part.counts
    assert judged.passes is None
    assert written(part, judged)["share"] is None
    assert written(part, judged)["low"] is None


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9), st.floats(-1e6, 1e6), st.floats(min_value=0, max_value=1e6)
)
def test_wider_bounds_never_turn_a_pass_into_a_failure(values: list[float], low: float, width: float) -> None:
    rows = [{"a.f": each} for each in values]
    narrow = judge(Part(Kind.VALUE, "f", ("a",), low=low, high=low + width), rows)
    wide = judge(Part(Kind.VALUE, "f", ("a",), low=low - 1.0, high=inf), rows)
    assert narrow is not None
    assert wide is not None
    assert not narrow.passes or wide.passes
    assert not narrow.passes or low <= narrow.mean - BAND * narrow.se <= low + width
