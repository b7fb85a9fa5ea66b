"""The favourite's side of a calibration, and the share of a coin's loss that is saved."""

from math import log

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.lab.backtest import ahead_of_coin, backtest, favourite_bands, read_bins, report, telling_band
from ratings.lab.calibration import Bin, calibration
from ratings.lab.measures import coin
from tests.ratings.lab.streams import history, invented

EXPECTED = st.floats(min_value=0.01, max_value=0.99)
GAMES = st.lists(st.tuples(EXPECTED, st.sampled_from((0.0, 0.5, 1.0))), min_size=1, max_size=60)


def bins_of(games: list[tuple[float, float]]) -> list[Bin]:
    return list(calibration([each[0] for each in games], [each[1] for each in games]))


def test_a_game_of_black_s_is_seen_from_his_side() -> None:
    """White was given 0.25 and lost: his opponent was given 0.75 and won."""
    bands = favourite_bands(bins_of([(0.25, 0.0), (0.71, 0.5)]))
    (band,) = [each for each in bands if each.games]
    assert (band.low, band.high, band.games) == (0.7, 0.8, 2)
    assert band.expected == pytest.approx((0.75 + 0.71) / 2)
    assert band.score == pytest.approx((1.0 + 0.5) / 2)


@given(GAMES)
def test_folding_keeps_games_and_is_blind_to_colours(games: list[tuple[float, float]]) -> None:
    bands = favourite_bands(bins_of(games))
    assert sum(band.games for band in bands) == len(games)
    assert all(band.expected is None or band.expected >= 0.5 - 1e-9 for band in bands)


@given(GAMES)
def test_colours_make_no_difference(games: list[tuple[float, float]]) -> None:
    # On the border of two bins rounding decides; a tenth of a per cent beside it it does not.
    inside = [each for each in games if abs(each[0] * 10 - round(each[0] * 10)) > 0.01] or [(0.55, 1.0)]
    turned = [(1.0 - expected, 1.0 - score) for expected, score in inside]
    for one, other in zip(favourite_bands(bins_of(inside)), favourite_bands(bins_of(turned)), strict=True):
        assert (one.games, one.points) == (other.games, pytest.approx(other.points))


def test_the_band_spoken_of_has_a_favourite_and_the_most_games() -> None:
    games = [(0.52, 1.0)] * 9 + [(0.65, 1.0)] * 2 + [(0.25, 0.0)] * 3
    assert telling_band(bins_of(games)).low == 0.7
    assert telling_band(bins_of(games[:9])).low == 0.5
    assert telling_band(bins_of(games[:11])).low == 0.6


def test_bins_survive_being_stored() -> None:
    games = [(0.25, 0.0), (0.71, 0.5), (0.99, 1.0)]
    found = history([(1, 2, score) for _expected, score in games] * 2, [0, 0, 0, 1, 1, 1])
    stored = report(backtest(found, [coin("coin", "A coin")], "coin"))["systems"]["coin"]["calibration"]
    assert [(each.games, each.points) for each in read_bins(stored) if each.games] == [(3, pytest.approx(1.5))]


def test_the_coin_saves_nothing_the_certain_everything_and_an_odd_number_of_bins_has_no_sides() -> None:
    assert [ahead_of_coin(loss * log(2.0)) for loss in (1.0, 0.0, 2.0)] == [0.0, 1.0, -1.0]
    with pytest.raises(ValueError, match="middle"):
        favourite_bands(calibration([0.5], [1.0], bins=3))


def test_a_coin_in_a_back_test_gets_ln_2() -> None:
    (verdict,) = backtest(invented(60, days=6), [coin("coin", "A coin")], "coin").verdicts
    assert verdict.log_loss == pytest.approx(log(2.0))
    assert (verdict.untold, verdict.slope) == (0, None)
    assert set(numpy.unique(verdict.expected)) == {0.5}
