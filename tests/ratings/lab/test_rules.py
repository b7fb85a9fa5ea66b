"""How claims are judged, on figures made up for it."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.lab import rules

ROWS = [
    {"elo.1": 10.0, "kd.1": 20.0, "r2.1": 40.0, "elo.x": 2.0},
    {"elo.1": 12.0, "kd.1": 18.0, "r2.1": 41.0, "elo.x": 4.0},
    {"elo.1": 11.0, "kd.1": 19.0, "r2.1": 39.0},
]


def found(passes: bool | None) -> rules.Found:
    return rules.Found(1.0, 0.0, 0.0, 1, 1.0, passes)


def test_every_verdict_is_reached_by_the_parts_that_count() -> None:
    for passes, said in (
        ([True, True], rules.Verdict.HOLDS), ([True, None], rules.Verdict.HOLDS),
        ([True, False], rules.Verdict.PARTLY), ([False, None, False], rules.Verdict.FAILS),
        ([None, None], rules.Verdict.OPEN), ([], rules.Verdict.OPEN),
    ):  # fmt: skip
        assert rules.verdict([found(each) for each in passes]) == said


def test_only_parts_and_replications_that_have_the_figure_are_counted() -> None:
    assert rules.verdict([None, found(True)]) == rules.Verdict.HOLDS
    assert rules.verdict([None]) == rules.Verdict.OPEN
    assert rules.judge(rules.value("1", "glicko", high=0.0), ROWS) is None
    judged = rules.judge(rules.value("x", "elo", low=0.0), ROWS)
    assert judged is not None
    assert (judged.count, judged.mean) == (2, 3.0)


def test_below_ratio_and_value_of_a_row() -> None:
    assert rules.below("1", "elo", "kd r2").of(ROWS[0]) == -10.0
    assert rules.below("1", "elo kd", "r2").of(ROWS[0]) == -20.0
    assert rules.below("1", "r2", "kd").of(ROWS[0]) == 20.0
    assert rules.ratio("1", "kd", "elo").of(ROWS[0]) == 2.0
    assert rules.ratio("1", "elo", "elo", right_figure="x").of(ROWS[0]) == 5.0
    assert rules.value("1", "kd").of(ROWS[0]) == 20.0
    assert rules.ratio("1", "kd", "no").of(ROWS[0] | {"no.1": 0.0}) is None


def test_the_whole_band_must_lie_within_the_bounds() -> None:
    """Means 10, 12, 11: mean 11, standard error 1/√3 = 0.577, so the band ends at 12.155."""
    assert _passes(rules.value("1", "elo", high=12.2))
    assert not _passes(rules.value("1", "elo", high=12.1))
    assert _passes(rules.value("1", "elo", low=9.8))
    assert not _passes(rules.value("1", "elo", low=9.9))
    judged = rules.judge(rules.value("1", "elo", high=11.0), ROWS)
    assert judged is not None
    assert (judged.share, judged.se) == (pytest.approx(2 / 3), pytest.approx(3**-0.5))


def _passes(part: rules.Part) -> bool:
    judged = rules.judge(part, ROWS)
    assert judged is not None
    return bool(judged.passes)


def test_about_is_written_down_and_a_part_without_bounds_only_shown() -> None:
    part = rules.about_times("1", "kd", "elo", 6.0)
    assert (part.low, part.high) == (pytest.approx(4.0), 9.0)
    assert (rules.about("1", "kd", 60.0).low, rules.about("1", "kd", 60.0).high) == (45.0, 75.0)
    shown = rules.ratio("1", "kd", "elo")
    judged = rules.judge(shown, ROWS)
    assert judged is not None
    assert (shown.counts, judged.passes) == (False, None)
    assert (rules.written(shown, judged)["share"], rules.written(shown, judged)["low"]) == (None, None)


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9), st.floats(-1e6, 1e6), st.floats(min_value=0, max_value=1e6)
)
def test_wider_bounds_never_turn_a_pass_into_a_failure(values: list[float], low: float, width: float) -> None:
    rows = [{"a.f": each} for each in values]
    narrow = rules.judge(rules.Part(rules.Kind.VALUE, "f", ("a",), low=low, high=low + width), rows)
    wide = rules.judge(rules.Part(rules.Kind.VALUE, "f", ("a",), low=low - 1.0, high=inf), rows)
    assert narrow is not None
    assert wide is not None
    assert not narrow.passes or wide.passes
    assert not narrow.passes or low <= narrow.mean - rules.BAND * narrow.se <= low + width
