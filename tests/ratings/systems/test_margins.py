"""Scores into results and factors: the golden results, the worked table, and what must hold for any scores."""

import csv
from collections.abc import Mapping
from math import log
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import PlayedGame, PlayerState
from ratings.systems.elo import Elo
from ratings.systems.margins import capped, log_factor, nfl_factor, outcome, share
from tests import ROOT
from tests.choosing import examples

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
    for debts in ((-1, 5), (5, -1)):
        with pytest.raises(ValueError, match="0 or more"):
            share(*debts)


# --- lists that take them --------------------------------------------------------------------------------------------
K20 = {"preset": "constant", "k": 20}
LOG = {"margin": "log", "margin_unit": 100, "margin_cap": 3}
CAPPED = {"margin": "capped", "margin_unit": 100, "margin_cap": 4}
MARGINS: tuple[Mapping[str, Any], ...] = (LOG, {"margin": "nfl"}, {"margin": "share"}, CAPPED)


def changes(
    a: float, b: float, scores: tuple[int, int] | None, result: float | None = None, factor: float = 1.0, **raw: Any
) -> tuple[float, float]:
    """By how much two players of those ratings change under K 20; the result follows from the scores."""
    white, black = PlayerState(a, 0, a), PlayerState(b, 0, b)
    score = outcome(*scores) if result is None and scores else result
    assert score is not None
    margin = None if scores is None else abs(scores[0] - scores[1])
    system = Elo()
    rate = system.game_rater(system.read_settings(K20 | raw))
    rate(white, black, PlayedGame(1, 1, 2, score, 1 << 40, 1, margin=margin, scores=scores, importance=factor))
    return white.rating - a, black.rating - b


def test_golden_results_through_a_list() -> None:
    for row in golden():
        a, b, scores = row["rating_a"], row["rating_b"], (int(row["score_a"]), int(row["score_b"]))
        unit, cap = row["unit"], row["factor_cap"]
        plain = changes(a, b, scores)[0]
        wanted = {
            "log": plain * row["log_factor"],
            "nfl": plain * (row["nfl_factor"] or 1.0),
            "share": plain + 20 * (row["share_a"] - outcome(*scores)),
            "capped": plain + 20 * (row["capped_a"] - outcome(*scores)),
        }
        given = {"log": {"margin_unit": unit, "margin_cap": cap}, "capped": {"margin_cap": row["cap"]}}
        for margin, change in wanted.items():
            found = changes(a, b, scores, margin=margin, **given.get(margin, {}))
            assert found[0] == pytest.approx(change, abs=1e-7), (row, margin)


def test_a_margin_counts_where_the_importance_of_events_does_not() -> None:
    plain, weighed = changes(1500, 1500, (300, 0))[0], changes(1500, 1500, (300, 0), factor=3.0, **LOG)[0]
    assert weighed == pytest.approx(3.0 * 2.0 * plain)
    assert changes(1500, 1500, (300, 0), factor=3.0, importance=False, **LOG)[0] == pytest.approx(2.0 * plain)


@pytest.mark.parametrize("words", [True, "on", "yes", {"margin_unit": 1, "margin_cap": 2}])
def test_the_former_setting_is_unit_1_cap_2_to_the_last_bit(words: Any) -> None:
    raw = {"margin": "log", **words} if isinstance(words, dict) else {"margin": words}
    for margin in (0, 1, 2, 3, 9, 300):
        factor = min(log(1 + margin) / log(2), 2.0) if margin else 1.0
        expected = 1.0 / (1.0 + 10.0 ** (37.0 / 400.0))
        assert changes(1500, 1537, (margin, 0), 1.0, **raw)[0] == 1500 + 20.0 * factor * (1.0 - expected) - 1500


@examples(200)
@given(SCORES, SCORES, st.floats(0, 4000), st.floats(0, 4000), st.sampled_from(MARGINS))
def test_sides_of_a_list_mirror_and_nothing_is_made_or_lost(
    a: int, b: int, own: float, other: float, raw: Mapping[str, Any]
) -> None:
    white, black = changes(own, other, (a, b), **raw)
    assert white + black == pytest.approx(0, abs=1e-9)
    assert changes(other, own, (b, a), **raw) == pytest.approx((black, white), abs=1e-9)
    if raw["margin"] in ("log", "nfl") and a > b:
        assert white >= 0


@examples(200)
@given(SCORES, SCORES, st.integers(0, 500), GAPS, st.sampled_from(MARGINS))
def test_more_margin_is_never_less_for_the_winner(
    a: int, b: int, more: int, gap: float, raw: Mapping[str, Any]
) -> None:
    less, most = sorted((a, b))
    if less < most:
        won = changes(1500 + gap, 1500, (most, less), **raw)[0]
        assert changes(1500 + gap, 1500, (most + more, less), **raw)[0] >= won - 1e-9
        assert won <= 20 * 2 * log(2 + 2 * 1000)


@pytest.mark.parametrize("raw", MARGINS)
@pytest.mark.parametrize("result", [1.0, 0.5, 0.0])
def test_without_scores_the_result_counts_alone(raw: Mapping[str, Any], result: float) -> None:
    assert changes(1600, 1500, None, result, **raw) == changes(1600, 1500, None, result)


def test_a_400_100_and_a_260_240_differ_where_the_list_wants_it() -> None:
    figures = [changes(1500, 1500, scores, **LOG)[0] for scores in ((400, 100), (260, 240))]
    assert figures == [20.0, 10.0]
    assert changes(1500, 1500, (400, 100)) == changes(1500, 1500, (260, 240))
    assert changes(1700, 1500, (60, 40), margin="share")[0] < 0 < changes(1700, 1500, (60, 40), **LOG)[0]
    assert changes(1700, 1500, (60, 40), margin="share", scale=1200)[0] > 0, "a scale of its own"


def test_a_win_on_level_points_is_half_a_win_for_a_share_and_a_win_for_a_factor() -> None:
    assert changes(1500, 1500, (2, 2), 1.0, margin="share") == (0, 0)
    assert changes(1500, 1500, (2, 2), 1.0, **LOG) == (10, -10)


def test_the_result_says_whose_the_points_are() -> None:
    """Where the lower score wins (strokes), and where scores may be below 0."""
    for raw in ({"margin": "share"}, CAPPED):
        assert changes(1500, 1500, (70, 72), 1.0, **raw) == pytest.approx(changes(1500, 1500, (72, 70), 1.0, **raw))
    assert changes(1500, 1500, (-3, 9), 0.0, margin="share") == changes(1500, 1500, None, 0.0)


@pytest.mark.parametrize(
    ("words", "raw"),
    [
        ("margin_unit must lie between 0.001", {"margin": "log", "margin_unit": 0}),
        ("margin_unit must lie between 0.001", {"margin": "log", "margin_unit": -1}),
        ("margin_cap must lie between 1", {"margin": "log", "margin_cap": 0.99}),
        ("margin_cap must lie between 1", {"margin": "capped", "margin_cap": 0}),
        ("margin “capped” needs margin_cap", {"margin": "capped"}),
        ("margin_unit means nothing to margin “none”", {"margin_unit": 100}),
        ("margin_cap means nothing to margin “nfl”", {"margin": "nfl", "margin_cap": 2}),
        ("margin_cap means nothing to margin “share”", {"margin": "share", "margin_cap": 2}),
        ("margin “share” needs the curve “logistic”", {"margin": "share", "curve": "fide-table"}),
        ("margin “much” is not known", {"margin": "much"}),
    ],
)
def test_margins_that_say_nothing_are_refused(words: str, raw: Mapping[str, Any]) -> None:
    with pytest.raises(ValueError, match=words):
        Elo().read_settings(raw)


@pytest.mark.parametrize("raw", [*MARGINS, {"margin": "capped", "margin_cap": 2}, {"margin": True}])
def test_a_margin_survives_being_stored(raw: Mapping[str, Any]) -> None:
    settings = Elo().read_settings(raw)
    assert Elo().read_settings(Elo().stored_settings(settings)) == settings
