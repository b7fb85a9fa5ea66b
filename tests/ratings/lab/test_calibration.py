"""Bins and their intervals by printed values, fitted slopes by closed forms and by looking elsewhere."""

from math import inf, isclose, log, nan

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.lab.calibration import (
    Bin,
    _between,
    calibration,
    calibration_error,
    fit_logistic,
    logistic,
    pooled,
    wilson,
)
from ratings.lab.contenders import STUDY, contenders
from ratings.lab.engine import PLAIN
from ratings.lab.measures import log_loss
from ratings.lab.table import Table
from ratings.lab.world import stretches
from ratings.systems.elo import expected_score

STREAMS = st.lists(st.tuples(st.floats(0, 1), st.sampled_from([0.0, 0.5, 1.0])), max_size=60)
GAMES = st.lists(st.tuples(st.integers(-400, 400), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=60)


def columns(pairs):
    return [float(a) for a, _ in pairs], [b for _, b in pairs]


def likelihood(gaps, scores, slope: float) -> float:
    return -log_loss(logistic(gaps, slope), scores, clip=1e-300) if len(gaps) else 0.0


# --- Intervals ------------------------------------------------------------------------------------------------------
def test_wilson_intervals_as_printed() -> None:
    for points, games, low, high in (  # R. Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert tuple(round(bound, 4) for bound in wilson(points, games)) == (low, high)


@given(st.integers(1, 400).flatmap(lambda games: st.tuples(st.integers(0, games), st.just(games))))
def test_the_interval_ends_where_the_seen_score_is_just_believable_holds_it_and_is_mirrored(seen):
    """Wilson's definition: at both ends the score lies z standard errors *of the end* away."""
    points, games = seen
    low, high = wilson(points, games)
    for end in (low, high):
        if 0.0 < end < 1.0 and 0 < points < games:
            assert isclose((points / games - end) ** 2, 1.959963984540054**2 * end * (1 - end) / games, rel_tol=1e-6)
    assert low - 1e-12 <= points / games <= high + 1e-12
    assert numpy.allclose(wilson(games - points, games), (1 - high, 1 - low))


# --- Bins -----------------------------------------------------------------------------------------------------------
def test_bins_by_hand_and_an_empty_one() -> None:
    low, high = calibration([0.1, 0.3, 0.5, 1.0], [0, 1, 0.5, 1], bins=2)
    assert low == Bin(0.0, 0.5, 2, 0.4, 1.0)
    assert high == Bin(0.5, 1.0, 2, 1.5, 1.5)
    assert (low.expected, low.score) == (0.2, 0.5)
    assert calibration_error([low, high]) == pytest.approx(0.6 / 4)
    empty = calibration([], [], bins=1)[0]
    assert (empty.expected, empty.score, empty.interval, empty.holds) == (None, None, (0.0, 1.0), True)
    assert calibration_error([empty]) == 0.0
    assert wilson(0.0, 0) == (0.0, 1.0)
    with pytest.raises(ValueError, match="same bins"):
        pooled([(Bin(0, 0.5, 0, 0, 0),), (Bin(0, 1, 0, 0, 0),)])
    with pytest.raises(ValueError, match="missing"):
        calibration([nan], [1])


@given(STREAMS, st.integers(1, 20))
def test_every_game_is_in_the_one_bin_that_holds_its_prediction(stream, bins):
    expected, scores = columns(stream)
    found = calibration(expected, scores, bins)
    assert len(found) == bins
    for at, each in enumerate(found):
        last = at == bins - 1
        own = [(e, s) for e, s in stream if each.low <= e < each.high or (last and e == each.high)]
        assert each.games == len(own)
        assert isclose(each.points, sum(s for _, s in own), abs_tol=1e-9)
        assert isclose(each.expected_points, sum(e for e, _ in own), abs_tol=1e-9)


@given(STREAMS, STREAMS)
def test_runs_pooled_are_one_stream(one, two):
    apart = pooled([calibration(*columns(one)), calibration(*columns(two))])
    for each, whole in zip(apart, calibration(*columns(one + two)), strict=True):
        assert (each.low, each.high, each.games) == (whole.low, whole.high, whole.games)
        assert isclose(each.points, whole.points)
        assert isclose(each.expected_points, whole.expected_points, abs_tol=1e-12)


def test_who_tells_the_truth_stands_within_nineteen_of_twenty_intervals_and_who_boasts_outside() -> None:
    """2,000 bins of 500 games each, the truth told: about 5 % fall outside."""
    generator = numpy.random.Generator(numpy.random.PCG64(8))
    held = total = 0
    for _ in range(200):
        truth = generator.random(5000)
        bins = calibration(truth, (generator.random(5000) < truth).astype(float))
        held, total = held + sum(each.holds for each in bins), total + len(bins)
    assert 0.94 < held / total < 0.975
    truth = generator.uniform(0.3, 0.7, 20_000)
    scores = (generator.random(20_000) < truth).astype(float)
    boasted = calibration(0.5 + 2 * (truth - 0.5), scores)
    assert sum(each.holds for each in boasted) <= 3
    assert calibration_error(boasted) > 5 * calibration_error(calibration(truth, scores))


# --- Fitted slopes --------------------------------------------------------------------------------------------------
def test_the_slope_of_one_gap_is_the_log_odds_of_its_score_and_400_points_elo_s() -> None:
    assert isclose(fit_logistic([100.0] * 4, [1, 1, 1, 0]), log(3) / 100)
    assert isclose(fit_logistic([-100.0] * 11, [0] * 10 + [1]), log(10) / 100)
    assert fit_logistic([100.0, 100.0], [1, 0]) == 0.0
    slope = fit_logistic([400.0] * 11, [1] * 10 + [0])
    assert isclose(slope, log(10) / 400)
    gaps = numpy.arange(-800.0, 801.0, 50.0)
    assert numpy.allclose(logistic(gaps, slope), [expected_score(1000 + gap, 1000, 400, 10) for gap in gaps])


@given(GAMES, st.floats(0.5, 2.0), st.floats(-0.01, 0.01), st.floats(0.01, 100))
def test_no_other_slope_is_likelier_and_it_follows_the_scale_and_the_side(games, factor, shift, unit):
    """The derivative of the likelihood is zero: the weighed points expected are those made."""
    gaps, scores = columns(games)
    slope = fit_logistic(gaps, scores)
    if abs(slope) < inf:
        best = likelihood(gaps, scores, slope)
        assert best >= likelihood(gaps, scores, slope * factor) - 1e-12
        assert best >= likelihood(gaps, scores, slope + shift) - 1e-12
        assert abs(numpy.dot(gaps, numpy.subtract(scores, logistic(gaps, slope)))) < 1e-6 * max(map(abs, [1.0, *gaps]))
        assert isclose(fit_logistic([unit * gap for gap in gaps], scores) * unit, slope, rel_tol=1e-6, abs_tol=1e-9)
        swapped = fit_logistic([-gap for gap in gaps], [1 - score for score in scores])
        assert isclose(swapped, slope, rel_tol=1e-6, abs_tol=1e-9)


def test_where_rating_decides_everything_the_slope_is_infinite_and_where_nothing_naught() -> None:
    assert fit_logistic([100.0, -50.0, 0.0], [1, 0, 1]) == inf
    assert fit_logistic([100.0, -50.0], [0, 1]) == -inf
    assert logistic([-1.0, 0.0, 1.0], inf).tolist() == [0.0, 0.5, 1.0]
    assert logistic([-1.0, 0.0, 1.0], -inf).tolist() == [1.0, 0.5, 0.0]
    assert fit_logistic([], []) == 0.0 == fit_logistic([0.0, 0.0], [1, 1])
    with pytest.raises(ValueError, match="1 gaps for 2 games"):
        fit_logistic([1.0], [1, 0])


# --- Systems that predict nothing -----------------------------------------------------------------------------------
def test_gaps_are_those_before_each_game_also_when_the_whole_field_is_normalised_in_between():
    """Solo-Zerg scales everybody down as soon as one stands above 3000: looked at one game after another."""
    zerg = STUDY[1]
    stretch = next(stretches(9000, 5, 0, PLAIN))
    strengths = [person.strength for person in stretch.joining]
    at_once, step_by_step = Table(zerg, PLAIN, strengths), Table(zerg, PLAIN, strengths)
    gaps, *_ = at_once.trace(stretch.white, stretch.black, stretch.scores, gaps=True)
    normalised = False
    for game in range(len(gaps)):
        before = step_by_step._columns[0]
        white, black = stretch.white[game], stretch.black[game]
        assert gaps[game] == before[white] - before[black]
        highest = max(before)
        step_by_step.play([white], [black], [stretch.scores[game]])
        normalised = normalised or max(before) < highest - 500
    assert normalised


def test_the_gap_is_the_one_elo_s_own_prediction_is_made_of():
    stretch = next(stretches(500, 5, 0, PLAIN))
    strengths = [person.strength for person in stretch.joining]
    elo = contenders(["elo"])[0]
    gaps, *after = Table(elo, PLAIN, strengths).trace(stretch.white, stretch.black, stretch.scores, gaps=True)
    expected, *same = Table(elo, PLAIN, strengths).trace(stretch.white, stretch.black, stretch.scores)
    assert after == same
    assert numpy.allclose(logistic(gaps, log(10) / 400), expected)


def test_a_step_out_of_the_bracket_is_halved_or_doubled_where_it_is_open() -> None:
    asked = [(-inf, 8.0), (-inf, -8.0), (3.0, inf), (-3.0, inf), (2.0, 5.0)]
    assert [_between(low, high) for low, high in asked] == [-2.0, -16.0, 6.0, 2.0, 3.5]
