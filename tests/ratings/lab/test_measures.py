"""Order and prediction measured: hand-counted pairs, the definitions in O(n²), closed forms, what must not matter."""

from math import inf, isclose, log, nan, sqrt

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.lab.measures import (
    CLIP,
    Pairs,
    brier,
    checked,
    count_pairs,
    drift,
    kendall_tau_b,
    log_loss,
    log_losses,
    ordered_pairs,
    probability_error,
)
from ratings.lab.world import GROUPS, group

# Few different values, so that ties of every kind turn up.
TABLES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), min_size=2, max_size=40)
FORECASTS = st.lists(
    st.tuples(st.floats(0.001, 0.999), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=50
)  # fmt: skip


def split(table):
    return [float(rating) for rating, _ in table], [float(strength) for _, strength in table]


def sign(x: float) -> int:
    return (x > 0) - (x < 0)


def pairs_one_by_one(ratings, strengths) -> Pairs:
    """The definition: every pair looked at."""
    counts = dict.fromkeys(Pairs._fields, 0)
    for i in range(len(ratings)):
        for j in range(i):
            by_rating, by_strength = sign(ratings[i] - ratings[j]), sign(strengths[i] - strengths[j])
            if not by_strength:
                counts["equals" if by_rating else "alike"] += 1
            elif not by_rating:
                counts["tied"] += 1
            else:
                counts["right" if by_rating == by_strength else "wrong"] += 1
    return Pairs(**counts)


def tau_of_signs(ratings, strengths) -> float:
    """Kendall's own way: tau-b is the correlation of the signs of all differences."""
    a = numpy.sign(numpy.subtract.outer(ratings, ratings))
    b = numpy.sign(numpy.subtract.outer(strengths, strengths))
    spread = sqrt((a * a).sum() * (b * b).sum())
    return float((a * b).sum() / spread) if spread else 0.0


# --- Order ----------------------------------------------------------------------------------------------------------
@given(TABLES)
def test_pairs_are_those_looked_at_one_by_one_and_tau_the_correlation_of_signs(table):
    ratings, strengths = split(table)
    assert count_pairs(ratings, strengths) == pairs_one_by_one(ratings, strengths)
    tau = kendall_tau_b(ratings, strengths)
    assert isclose(tau, tau_of_signs(ratings, strengths), abs_tol=1e-12)
    assert tau == kendall_tau_b(strengths, ratings)


def test_tau_b_with_ties_on_both_sides_by_hand() -> None:
    assert kendall_tau_b([1, 2, 3, 5, 4], [1, 2, 3, 4, 5]) == 0.8
    assert ordered_pairs([1, 2, 3, 5, 4], [1, 2, 3, 4, 5]) == 0.9
    assert count_pairs([1, 2, 2, 3], [1, 1, 2, 2]) == Pairs(right=3, wrong=0, tied=1, equals=2, alike=0)
    assert kendall_tau_b([1, 2, 2, 3], [1, 1, 2, 2]) == 3 / sqrt(5 * 4)
    assert ordered_pairs([1, 2, 2, 3], [1, 1, 2, 2]) == 3.5 / 4
    assert ordered_pairs([1000.0] * 4, [10, 20, 40, 80]) == 0.5
    assert kendall_tau_b([1000.0] * 4, [10, 20, 40, 80]) == 0.0
    with pytest.raises(ValueError, match="equally strong"):
        ordered_pairs([1, 2], [10, 10])


@given(TABLES)
def test_a_table_turned_over_has_the_opposite_tau(table):
    ratings, strengths = split(table)
    turned = [-rating for rating in ratings]
    assert kendall_tau_b(turned, strengths) == -kendall_tau_b(ratings, strengths)
    if len(set(strengths)) > 1:
        assert isclose(ordered_pairs(turned, strengths), 1 - ordered_pairs(ratings, strengths))


@given(TABLES, st.floats(0.1, 50), st.floats(-1000, 1000))
def test_order_is_blind_to_the_scale_of_the_ratings(table, factor, shift):
    ratings, strengths = split(table)
    stretched = [factor * rating**3 + shift for rating in ratings]
    assert count_pairs(stretched, strengths) == count_pairs(ratings, [2.0**strength for strength in strengths])


@given(TABLES, st.randoms(use_true_random=False))
def test_order_is_blind_to_the_order_in_which_players_are_listed(table, random):
    shuffled = list(table)
    random.shuffle(shuffled)
    assert count_pairs(*split(shuffled)) == count_pairs(*split(table))


def test_the_perfect_table_of_the_study_has_tau_0_929_and_one_without_players_none() -> None:
    """Twenty players to each of seven strengths, all ratings different."""
    strengths = sorted(person.strength for person in group() * GROUPS)
    ratings = numpy.arange(140.0)
    assert kendall_tau_b(ratings, strengths) == sqrt(8400 / 9730)
    assert ordered_pairs(ratings, strengths) == 1.0
    with pytest.raises(ValueError, match="zip"):
        count_pairs([1, 2, 3], [10, 20])


# --- Prediction -----------------------------------------------------------------------------------------------------
def test_log_loss_and_brier_by_hand() -> None:
    assert isclose(log_loss([0.8, 0.8], [1, 0]), -(log(0.8) + log(0.2)) / 2)
    assert isclose(log_loss([0.5] * 3, [1, 0.5, 0]), log(2))
    assert isclose(log_loss([0.25], [0.5]), -(log(0.25) + log(0.75)) / 2)
    assert isclose(brier([0.8, 0.8, 0.5], [1, 0, 0.5]), (0.04 + 0.64) / 3)
    assert isclose(log_loss([1.0], [0]), -log(CLIP), rel_tol=1e-9)
    assert isclose(log_loss([0.0], [1], clip=0.01), -log(0.01))
    assert 0 < log_loss([1.0], [1]) < 2 * CLIP
    assert isclose(probability_error([0.6, 0.5], [0.5, 0.7]), sqrt((0.01 + 0.04) / 2))
    assert probability_error([0.6, 0.1], [0.6, 0.1]) == 0.0


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_in_the_mean_the_truth_has_the_least_log_loss_and_brier_score(truth, told):
    """The exact mean over a win and a loss, weighed by their probabilities."""

    def mean(measure, expected):
        return truth * measure([expected], [1]) + (1 - truth) * measure([expected], [0])

    assert mean(log_loss, truth) <= mean(log_loss, told) + 1e-12
    assert isclose(mean(brier, told), truth * (1 - truth) + (told - truth) ** 2, abs_tol=1e-12)


@given(FORECASTS)
def test_the_loss_is_the_mean_of_the_games_and_seen_from_black_as_good(forecasts) -> None:
    expected, scores = zip(*forecasts, strict=True)
    each = [log_loss([e], [s]) for e, s in forecasts]
    assert numpy.allclose(log_losses(expected, scores), each)
    assert isclose(log_loss(expected, scores), sum(each) / len(each))
    turned, other = [1 - e for e in expected], [1 - s for s in scores]
    assert isclose(log_loss(expected, scores), log_loss(turned, other), rel_tol=1e-9)
    assert isclose(brier(expected, scores), brier(turned, other), rel_tol=1e-9, abs_tol=1e-12)


def test_what_is_no_probability_and_games_without_predictions_are_refused():
    for missing in (nan, -0.1, 1.1, inf):
        with pytest.raises(ValueError, match="missing or lies outside"):
            log_loss([0.5, missing], [1, 0])
    with pytest.raises(ValueError, match="2 expected scores for 1 games"):
        brier([0.5, 0.5], [1])
    with pytest.raises(ValueError, match="No games"):
        log_loss([], [])
    assert checked([], [])[0].size == 0


# --- Drift ----------------------------------------------------------------------------------------------------------
@given(st.floats(-5, 5), st.floats(500, 1500), st.integers(2, 40), st.sampled_from([100, 250, 1000]))
def test_drift_of_a_straight_line_is_its_slope(per_game, start, count, every):
    means = [start + per_game * every * (at + 1) for at in range(count)]
    assert isclose(drift(means, every), 1000 * per_game, rel_tol=1e-6, abs_tol=1e-6)


def test_drift_by_hand() -> None:
    """0, 2, 1 at games 100, 200, 300: the best line rises by ½ every hundred."""
    assert isclose(drift([0, 2, 1], 100), 5.0)
    assert drift([1000.0], 100) == 0.0 == drift([], 100)


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=30))
def test_drift_is_the_first_coefficient_of_the_fitted_polynomial(means):
    games = 100.0 * numpy.arange(1, len(means) + 1)
    assert isclose(drift(means, 100), 1000 * numpy.polyfit(games, means, 1)[0], rel_tol=1e-6, abs_tol=1e-6)
