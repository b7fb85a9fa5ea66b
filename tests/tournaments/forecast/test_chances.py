"""Chances of many games at once: the one formula of draws, written for arrays."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.draws import odds_of
from ratings.systems.elo import expected_score
from tests.tournaments.forecast.playing_cases import known, unsure
from tournaments.forecast.outlook import chances_of, columns_of, rows_for

strength = st.floats(-1000, 5000)


@given(games=st.lists(st.tuples(strength, strength), min_size=1, max_size=8), rate=st.floats(0, 100))
def test_arrays_have_the_odds_of_single_games(games: list[tuple[float, float]], rate: float) -> None:
    own, his = numpy.array(games).T
    found = chances_of(own, his, rate)
    for at, (one, other) in enumerate(games):
        odds = odds_of(expected_score(one, other), rate)
        assert found.win[at] == pytest.approx(odds.win, abs=1e-12)
        assert found.draw[at] == pytest.approx(odds.draw, abs=1e-12)
        assert found.loss[at] == pytest.approx(odds.loss, abs=1e-12)
    assert (numpy.stack([found.win, found.draw, found.loss]) >= -1e-15).all()


def test_games_with_a_winner_go_by_the_odds_and_a_huge_gap_is_a_sure_win() -> None:
    found = chances_of(numpy.array([1600.0, 1500.0]), numpy.array([1500.0, 1500.0]), 0.8)
    assert found.decided.tolist() == pytest.approx([found.win[0] / (found.win[0] + found.loss[0]), 0.5])
    found = chances_of(numpy.array([1e9]), numpy.array([0.0]), 0.8)
    assert (found.win[0], found.draw[0], found.loss[0]) == pytest.approx((1.0, 0.0, 0.0))


def test_samples_take_the_rows_in_turn_and_who_has_no_strength_is_named() -> None:
    four = unsure(1500.0, draws=4)
    assert rows_for(four, 8).tolist() == [0, 0, 1, 1, 2, 2, 3, 3], "each as often as the others"
    assert rows_for(four, 2).tolist() == [0, 2], "far apart, where not all are needed"
    assert rows_for(four, 4).tolist() == [0, 1, 2, 3]
    assert columns_of(known(1500, 1400), (2, 1)).tolist() == [1, 0]
    with pytest.raises(ValueError, match="how strong number 3 is"):
        columns_of(known(1500, 1400), (1, 3))
