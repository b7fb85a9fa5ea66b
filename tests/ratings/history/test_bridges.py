"""What carries a comparison: chains drawn by hand, and the laws of currents."""

import numpy
import pytest

from ratings.history.bridges import bridges, currents
from ratings.history.whole_history import UNIT, HistoryGame, Model, When, whole_history
from tests.ratings.history.test_whole_history import random_games

ANNA, BORIS, CHEN, DORA = 1, 2, 3, 4


def test_through_the_only_bridge_runs_all_that_games_carry() -> None:
    """Anna met Boris in 2019, Boris met Chen in 2026: whatever games say of Anna and Chen runs through Boris."""
    games = [HistoryGame(ANNA, BORIS, 0, 0.5)] * 9 + [HistoryGame(BORIS, CHEN, 2_500, 0.5)] * 8
    history = whole_history(games, Model(drift=20.0))
    found = bridges(history, When(ANNA, 0), When(CHEN, 2_500))
    assert found.are_joined
    assert [(link.one, link.other, link.games) for link in found.chain] == [(ANNA, BORIS, 9), (BORIS, CHEN, 8)]
    assert [each.player for each in found.carriers] == [BORIS]
    firsts = currents(history, When(ANNA, 0), When(CHEN, 2_500)).grounds
    assert found.assumed == pytest.approx(firsts[firsts > 0].sum())
    assert found.carriers[0].share == pytest.approx(found.chain[0].share + max(-firsts[1], 0.0))
    assert bridges(history, When(BORIS, 0), When(BORIS, 2_500)).are_joined, "somebody to himself"


def test_without_a_chain_of_games_all_is_assumption() -> None:
    games = [HistoryGame(ANNA, BORIS, 0, 1.0)] * 5 + [HistoryGame(CHEN, DORA, 900, 1.0)] * 5
    found = bridges(whole_history(games, Model()), When(ANNA, 0), When(CHEN, 900))
    assert (found.are_joined, found.chain) == (False, ())
    assert found.assumed == pytest.approx(1.0)
    assert sum(each.share for each in found.carriers) == pytest.approx(
        max(each.share for each in found.carriers) + min(each.share for each in found.carriers)
    )


def test_resistances_times_squared_currents_are_the_variance() -> None:
    """Thomson's principle: the currents account for the whole variance, edge by edge."""
    history = whole_history(random_games(4), Model(250.0, 70.0, 0.6))
    one, other = When(0, history.days(0)[0]), When(3, history.days(3)[-1])
    flowing, potentials = currents(history, one, other), history.potentials(one, other)
    spent = (flowing.games**2 / history.curvatures).sum() + (flowing.grounds**2 * (250.0 / UNIT) ** 2).sum()
    gaps = history.field.gaps[1:]
    steps = numpy.diff(potentials)[gaps > 0.0]
    spent += (steps**2 / ((70.0 / UNIT) ** 2 * gaps[gaps > 0.0])).sum()
    assert spent * UNIT**2 == pytest.approx(history.difference(one, other).deviation ** 2)
    assert flowing.grounds.sum() == pytest.approx(0.0, abs=1e-9)
