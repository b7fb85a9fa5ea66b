"""Which boards tell most: the belief against its own log-posterior, gains against games played out by lot."""

from statistics import NormalDist
from typing import Any

import numpy
import pytest

from tournaments.forecast.learning import GAP, STEP, Aim, Belief, _expected, _loss, belief_of, gains, games_of, telling
from tournaments.forecast.posterior import Meeting, Outside, Prior
from tournaments.pairing.evening import FINEST

PRIORS = {7: Prior(1500.0, 100.0), 3: Prior(1400.0, 350.0), 5: Prior(1650.0, 200.0)}
MEETINGS = [Meeting(7, 3, 0.0), Meeting(7, 3, 0.5), Meeting(5, 3, 1.0)]
OUTSIDE = [Outside(3, 1300.0, 1.0)]


def log_posterior(at: Any) -> float:
    """Word by word, with draws as half a win and half a loss."""
    place = dict(zip(PRIORS, at, strict=True))
    total = -sum((place[who] - prior.mean) ** 2 / (2.0 * prior.deviation**2) for who, prior in PRIORS.items())
    played = [(place[one] - place[other], score) for one, other, score in MEETINGS]
    played += [(place[one] - opponent, score) for one, opponent, score in OUTSIDE]
    for gap, score in played:
        total += score * numpy.log(_expected(gap)) + (1.0 - score) * numpy.log(_expected(-gap))
    return float(total)


def test_the_belief_stands_at_the_top_of_the_posterior_and_bends_as_it_does_there() -> None:
    found = belief_of(PRIORS, games_of(PRIORS, MEETINGS, OUTSIDE), {7: 1510.0})
    assert found.listed.tolist() == [1510.0, *found.mean[1:].tolist()]
    steps = numpy.eye(3) * 2.0
    slopes = [log_posterior(found.mean + step) - log_posterior(found.mean - step) for step in steps]
    assert slopes == pytest.approx([0.0] * 3, abs=1e-6)
    bends = [
        [sum(sign * log_posterior(found.mean + one + sign * other) / 4.0 for sign in (1, -1)) for other in steps]
        for one in steps
    ]
    back = [
        [sum(sign * log_posterior(found.mean - one + sign * other) / 4.0 for sign in (1, -1)) for other in steps]
        for one in steps
    ]
    curvature = (numpy.array(back) - numpy.array(bends)) / 4.0
    assert numpy.linalg.inv(curvature) == pytest.approx(found.covariance, rel=1e-3)
    with pytest.raises(ValueError, match="nobody whose strength"):
        belief_of({}, games_of({}, [], []))


def some_belief() -> Belief:
    """Four who have met; the list is wrong about the third."""
    mean = numpy.array([1700.0, 1600.0, 1580.0, 1290.0])
    root = numpy.array(
        [[90.0, 30.0, 0.0, 10.0], [0.0, 80.0, 20.0, 0.0], [0.0, 0.0, 150.0, 40.0], [0.0, 0.0, 0.0, 60.0]]
    )
    return Belief((1, 2, 3, 4), mean, root @ root.T, numpy.array([1700.0, 1590.0, 1480.0, 1310.0]))


@pytest.mark.parametrize("aim", Aim)
def test_a_gain_is_what_the_loss_falls_by_when_the_game_is_played_very_often(aim: Aim) -> None:
    belief = some_belief()
    loss, rng = _loss(belief, aim, [2]), numpy.random.default_rng(1)
    truth = rng.multivariate_normal(belief.mean, belief.covariance, 100_000)
    found = gains(belief, aim, [2])
    for one, other in ((0, 1), (1, 2), (2, 3)):
        wins = _expected(truth[:, one] - truth[:, other])
        before = belief.listed - truth
        fallen = numpy.zeros(len(truth))
        for score, chance in ((1.0, wins), (0.0, 1.0 - wins)):
            after = before.copy()
            moved = STEP * (score - _expected(belief.listed[one] - belief.listed[other]))
            after[:, one] += moved
            after[:, other] -= moved
            fallen += chance * (_cost(before, loss) - _cost(after, loss))
        error = fallen.std() / len(fallen) ** 0.5
        assert found[one, other] == pytest.approx(fallen.mean(), rel=0.03, abs=4.0 * error), (one, other)
        assert found[other, one] == pytest.approx(found[one, other])


def _cost(errors: Any, loss: Any) -> Any:
    return numpy.einsum("ni,ij,nj->n", errors, loss, errors)


def test_who_is_first_agrees_with_draws_of_independent_strengths() -> None:
    belief = some_belief()
    rng = numpy.random.default_rng(2)
    drawn = belief.mean + numpy.sqrt(numpy.diag(belief.covariance)) * rng.standard_normal((200_000, 4))
    assert belief.firsts() == pytest.approx(numpy.bincount(drawn.argmax(axis=1), minlength=4) / len(drawn), abs=0.005)


def test_boards_are_told_in_whole_numbers_and_by_the_aim() -> None:
    belief = some_belief()
    told = {aim: telling(belief, aim, [4]) for aim in Aim}
    for each in told.values():
        assert (min(each.gain.values()), max(each.gain.values())) == (0, FINEST)
        assert each.far == {(1, 4)}, GAP
    best = {aim: max(each.gain, key=lambda pair: each.gain[pair]) for aim, each in told.items()}
    assert best[Aim.ORDER] == (2, 3)  # the list is wrong about them, and nothing is known for sure
    assert 1 in best[Aim.TITLE]
    assert 4 in best[Aim.NEWCOMERS]
    assert belief.among([3, 1]).covariance[0, 1] == belief.covariance[2, 0]
    lead = float(belief.leads[0, 2])
    assert belief.above(0, 2) == pytest.approx(NormalDist().cdf(lead)) == 1.0 - belief.above(2, 0)
    assert not telling(belief.among([3]), Aim.ORDER).gain
