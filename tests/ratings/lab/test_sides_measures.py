"""What is expected of contests with sides, scored: figures worked out by hand, and by a second way."""

from datetime import date
from itertools import combinations
from math import erfc, log, sqrt

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.lab.backtest import SIDES_CONTENDERS, Verdict, backtest
from ratings.lab.contenders import Contender
from ratings.lab.measures import entrant
from ratings.lab.sides_measures import (
    ContestHistory,
    chances_of_places,
    pairs_expected,
    ranked_probability_score,
    sides_entrant,
)
from ratings.systems.base import PlayerState, order_key
from ratings.systems.sides import PlayedContest, PlayedSide, in_one_form
from tests.ratings.lab.streams import FIRST_DAY, invented

FIRST_ORDER = order_key(date.fromordinal(FIRST_DAY), 0)
BY_KEY = {each.key: each for each in SIDES_CONTENDERS}


def contest(number: int, *sides: tuple[int, tuple[int, ...]]) -> PlayedContest:
    """`sides` as entered: place and players."""
    played = [
        PlayedSide(place, players, (1.0,) * len(players), None, at) for at, (place, players) in enumerate(sides, 1)
    ]
    return PlayedContest(number, in_one_form(played), FIRST_ORDER + number, FIRST_DAY)


def verdict_on(contender: Contender, *contests: PlayedContest) -> Verdict:
    return backtest(ContestHistory(contests, {}, dated=False), [sides_entrant(contender)], contender.key).verdicts[0]


def test_log_loss_and_brier_of_pairs_by_hand() -> None:
    """K 20: three equals placed 1, 2, 3 come to 1510, 1500, 1490. Then the second wins, the others share the place."""
    first = contest(1, (1, (0,)), (2, (1,)), (3, (2,)))
    found = verdict_on(BY_KEY["elo-k20"], first, contest(2, (2, (0,)), (1, (1,)), (2, (2,))))
    near, far = (1.0 / (1.0 + 10.0 ** (-gap / 400.0)) for gap in (10.0, 20.0))
    assert found.expected.tolist() == pytest.approx([near, far, near], abs=1e-12)
    losses = [-log(1.0 - near), -(log(far) + log(1.0 - far)) / 2.0, -log(near)]
    assert found.losses.tolist() == pytest.approx(losses, abs=1e-12)
    assert found.log_loss == pytest.approx(0.693975, abs=1e-6)
    assert found.difference.low is None, "the three pairs of one contest are one draw of the bootstrap"
    assert found.brier == pytest.approx((near**2 + (far - 0.5) ** 2 + (1.0 - near) ** 2) / 3.0, abs=1e-12)


def test_of_three_equals_every_place_is_as_likely_and_the_score_is_two_ninths() -> None:
    """The first: ((1/3 − 1)² + (2/3 − 1)²)/2 = 5/18, the second 1/9, the third 5/18. All tied: chances were right."""
    assert chances_of_places(3, [0.5] * 3) == pytest.approx(numpy.full((3, 3), 1 / 3), abs=1e-6)
    assert ranked_probability_score([1, 2, 3], [0.5] * 3) == pytest.approx(2 / 9, abs=1e-6)
    assert ranked_probability_score([1, 1, 1], [0.5] * 3) == pytest.approx(0.0, abs=1e-9)


@settings(max_examples=30)
@given(st.floats(0.01, 0.99), st.sampled_from([(1, 2), (1, 1), (2, 1)]))
def test_of_two_sides_the_score_of_places_is_the_brier_score(expected: float, places: tuple[int, int]) -> None:
    came = {(1, 2): 1.0, (1, 1): 0.5, (2, 1): 0.0}[places]
    assert ranked_probability_score(places, [expected]) == pytest.approx((came - expected) ** 2, abs=1e-12)
    assert chances_of_places(2, [expected])[0, 0] == pytest.approx(expected, abs=1e-4)


def test_chances_of_places_are_those_of_many_sampled_contests() -> None:
    strengths = numpy.array([0.9, 0.0, 0.3, -0.6])
    expected = [0.5 * erfc(-(one - other) / 2.0) for one, other in combinations(strengths.tolist(), 2)]
    shown = strengths + numpy.random.Generator(numpy.random.PCG64(1)).normal(size=(200_000, 4))
    places = (shown[:, None, :] > shown[:, :, None]).sum(axis=2)
    sampled = [[float((places[:, side] == place).mean()) for place in range(4)] for side in range(4)]
    assert chances_of_places(4, expected) == pytest.approx(numpy.array(sampled), abs=0.005)


@pytest.mark.parametrize("key", ["elo", "fide", "trueskill", "weng-lin-pl"])
def test_contests_of_two_players_are_games_in_every_figure(key: str) -> None:
    games = invented(120)
    contests = [
        contest(at, (2 - (game.score >= 0.5), (game.white,)), (2 - (game.score <= 0.5), (game.black,)))
        for at, game in enumerate(games.games, 1)
    ]
    alike = ContestHistory(tuple(contests), {}, dated=False)
    one = backtest(games, [entrant(BY_KEY[key])], key).verdicts[0]
    other = backtest(alike, [sides_entrant(BY_KEY[key])], key).verdicts[0]
    assert other.losses.tolist() == pytest.approx(one.losses.tolist(), abs=1e-12)
    assert (other.brier, other.difference) == (pytest.approx(one.brier), one.difference)
    assert [each.games for each in other.calibration] == [each.games for each in one.calibration]
    assert other.ranked == pytest.approx(one.brier)


def test_a_side_is_expected_what_its_members_are_together() -> None:
    """Elo: mean or sum. TrueSkill: the mean of Φ((Δ − ε)/c) and Φ((Δ + ε)/c), c² = Σ (σ² + τ² + β²) and
    Δ = (27 + 22) − (25 + 28). Weng and Lin: the logistic of Δ/c, c² = Σ (σ² + τ²) + 2β²."""
    states = [[PlayerState(27.0, 0, None, None, 4.0), PlayerState(22.0, 0, None, None, 6.0)],
              [PlayerState(25.0, 0, None, None, 5.0), PlayerState(28.0, 0, None, None, 3.0)]]  # fmt: skip
    played = contest(1, (1, (0, 1)), (2, (2, 3)))
    beta, tau = 25.0 / 6.0, 25.0 / 300.0
    variance = 16.0 + 36.0 + 25.0 + 9.0
    gaps = {"elo": (27 + 22 - 25 - 28) / 2.0, "elo-sum": 27.0 + 22.0 - 25.0 - 28.0}
    for key, gap in gaps.items():
        [found] = pairs_expected(BY_KEY[key], played, states)
        assert found == pytest.approx(1.0 / (1.0 + 10.0 ** (-gap / 400.0)))
    [found] = pairs_expected(BY_KEY["trueskill"], played, states)
    c = sqrt(variance + 4.0 * (beta**2 + tau**2))
    margin = 1.047177890 / c  # of four players with a draw probability of 0.1
    above, within = (0.5 * erfc((4.0 / c + sign * margin) / sqrt(2.0)) for sign in (1.0, -1.0))
    assert found == pytest.approx((above + within) / 2.0, abs=1e-9)
    [found] = pairs_expected(BY_KEY["weng-lin"], played, states)
    c = sqrt(variance + 4.0 * tau**2 + 2.0 * beta**2)
    assert found == pytest.approx(1.0 / (1.0 + 2.718281828459045 ** (4.0 / c)))
