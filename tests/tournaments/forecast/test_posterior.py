"""Strengths from games: against integration on a grid, by ranks of the truth, and by what must hold in any field."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import log, sqrt
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.draws import odds_of
from ratings.systems.elo import expected_score
from tournaments.forecast.posterior import REACH, Meeting, Outside, Plan, Posterior, Prior, _log_odds, posterior

RATE = 0.8
SHORT = Plan(warm_up=50, kept=20)
LONG = Plan(warm_up=200, kept=500, apart=3)
WIDE = Prior(1500.0, 200.0)


def drawn(
    priors: Mapping[int, Prior],
    meetings: Sequence[Meeting] = (),
    outside: Sequence[Outside] = (),
    *,
    plan: Plan = LONG,
    seed: int = 1,
    rate: float = RATE,
) -> Posterior:
    return posterior(priors, meetings, outside, rate, plan=plan, rng=numpy.random.default_rng(seed))


def chance(own: float, other: float, score: float) -> float:
    odds = odds_of(expected_score(own, other), RATE)
    return {1.0: odds.win, 0.5: odds.draw, 0.0: odds.loss}[score]


def bell(prior: Prior, at: float) -> float:
    return -((at - prior.mean) ** 2) / (2 * prior.deviation**2)


def moments(grid: Any, weights: Any) -> tuple[float, float]:
    mean = float((grid * weights).sum() / weights.sum())
    return mean, sqrt(float(((grid - mean) ** 2 * weights).sum() / weights.sum()))


def check(found: Posterior, player: int, mean: float, deviation: float) -> None:
    """Within four standard errors; that of a deviation is by the normal law, with some room."""
    draws = found.effective(player)
    assert draws > 500
    strengths = found.strengths()
    assert strengths.mean(player) == pytest.approx(mean, abs=4 * deviation / sqrt(draws))
    assert strengths.deviation(player) == pytest.approx(deviation, abs=5 * deviation / sqrt(2 * draws))


# --- known answers ------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_without_games_the_prior_stands() -> None:
    priors = {7: Prior(1500.0, 200.0), 3: Prior(1812.5, 35.0)}
    found = drawn(priors)
    for player, prior in priors.items():
        check(found, player, *prior)
    assert abs(numpy.corrcoef(found.strengths().draws.T)[0, 1]) < 0.1


ONE = {
    "a win": [(1, 1600.0, 1.0)],
    "a loss to somebody weak": [(1, 1000.0, 0.0)],
    "nothing but draws": [(1, 1700.0, 0.5)] * 6,
    "many games": [(1, 1450.0 + 10 * at, (1.0, 0.5, 0.0)[at % 3]) for at in range(24)],
    "no loss at all": [(1, 1500.0, 1.0)] * 15,
}


@pytest.mark.parametrize("games", ONE.values(), ids=ONE)
def test_one_player_is_what_integration_says(games: list[tuple[int, float, float]]) -> None:
    grid = numpy.arange(300.0, 3200.0, 2.0)
    logs = [bell(WIDE, at) + sum(log(chance(at, opponent, score)) for _, opponent, score in games) for at in grid]
    mean, deviation = moments(grid, numpy.exp(numpy.array(logs) - max(logs)))
    check(drawn({1: WIDE}, outside=[Outside(*each) for each in games]), 1, mean, deviation)


@pytest.mark.extended
def test_two_players_are_what_integration_says() -> None:
    priors = {1: Prior(1500.0, 150.0), 2: Prior(1650.0, 250.0)}
    meetings = [Meeting(1, 2, 1.0)] * 3 + [Meeting(2, 1, 0.5)] * 2 + [Meeting(2, 1, 1.0)]
    outside = [Outside(1, 1550.0, 0.0), Outside(1, 1480.0, 0.5)]
    grid = numpy.arange(600.0, 2700.0, 20.0)
    gaps = {gap: [log(chance(gap, 0.0, score)) for score in (1.0, 0.5, 0.0)] for gap in {*(grid - grid[0])}}
    gaps |= {-gap: each[::-1] for gap, each in gaps.items()}
    weights = numpy.array(
        [
            [
                bell(priors[1], one)
                + bell(priors[2], two)
                + sum(gaps[one - two][[1.0, 0.5, 0.0].index(s if own == 1 else 1.0 - s)] for own, _, s in meetings)
                + log(chance(one, 1550.0, 0.0) * chance(one, 1480.0, 0.5))
                for two in grid
            ]
            for one in grid
        ]
    )
    weights = numpy.exp(weights - weights.max())
    found = drawn(priors, meetings, outside)
    check(found, 1, *moments(grid, weights.sum(axis=1)))
    check(found, 2, *moments(grid, weights.sum(axis=0)))
    lead = grid[:, None] - grid[None, :]
    mean, deviation = moments(lead.ravel(), weights.ravel())
    strengths = found.strengths().draws
    assert (strengths[:, 0] - strengths[:, 1]).mean() == pytest.approx(mean, abs=8)
    assert (strengths[:, 0] - strengths[:, 1]).std() == pytest.approx(deviation, abs=6)


@pytest.mark.extended
@given(st.floats(-1500, 1500), st.sampled_from([0.05, 0.6, 1.0, 2.0, 5.0]))
def test_the_table_is_the_playouts_model(gap: float, rate: float) -> None:
    table, slopes = (each.reshape(3, -1) for each in _log_odds(rate))
    below = int(gap + REACH)
    odds = odds_of(expected_score(gap, 0.0), rate)
    exact = [log(odds.win), log(odds.draw), log(odds.loss)]
    found = table[:, below] + (gap + REACH - below) * slopes[:, below]
    assert found.tolist() == pytest.approx(exact, abs=2e-5)


# --- simulation-based: the truth is a draw like the others -----------------------------------------------------------
GROUPS, SIZE, BINS = 200, 3, 10


def fields_of_three(said: Prior, rng: numpy.random.Generator) -> tuple[Any, Posterior]:
    """Many small fields, each of truths drawn from the same normal and met among themselves and outside, in one run:
    for the sampler they are one field that falls apart."""
    truth = rng.normal(1500.0, 200.0, GROUPS * SIZE)
    meetings, outside = [], []
    for group in range(GROUPS):
        members = range(group * SIZE, (group + 1) * SIZE)
        for one, other in combinations(members, 2):
            meetings += [Meeting(one, other, played(truth[one], truth[other], rng)) for _ in range(2)]
        outside += [Outside(each, 1500.0, played(truth[each], 1500.0, rng)) for each in members]
    priors = dict.fromkeys(range(GROUPS * SIZE), said)
    return truth, posterior(priors, meetings, outside, RATE, plan=Plan(kept=100, apart=4), rng=rng)


def played(own: float, other: float, rng: numpy.random.Generator) -> float:
    odds, luck = odds_of(expected_score(own, other), RATE), rng.random()
    return 1.0 if luck < odds.win else 0.5 if luck < odds.win + odds.draw else 0.0


def unevenness(truth: Any, found: Posterior) -> float:
    """χ² of the truths' ranks among their draws, in bins."""
    ranks = (found.strengths().draws < truth).mean(axis=0)
    counts = numpy.histogram(ranks, bins=BINS, range=(0, 1))[0]
    even = len(truth) / BINS
    return float(((counts - even) ** 2 / even).sum())


@pytest.mark.extended
def test_the_truth_is_of_any_rank() -> None:
    """Nine degrees of freedom: above 27.9 once in a thousand times."""
    truth, found = fields_of_three(Prior(1500.0, 200.0), numpy.random.default_rng(4))
    assert unevenness(truth, found) < 27.9
    assert max(found.rhat(player) for player in range(0, GROUPS * SIZE, 10)) < 1.05


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [Prior(1500.0, 100.0), Prior(1400.0, 200.0)])
def test_and_of_a_wrong_model_it_is_not(wrong: Prior) -> None:
    assert unevenness(*fields_of_three(wrong, numpy.random.default_rng(4))) > 60


# --- what holds in any field ----------------------------------------------------------------------------------------
def round_robin(players: Iterable[int], times: int = 1) -> list[Meeting]:
    """The lower number wins two games of three and draws the third."""
    pairs = list(combinations(players, 2)) * times
    return [Meeting(one, other, (1.0, 0.5, 1.0)[at % 3]) for at, (one, other) in enumerate(pairs)]


@pytest.mark.extended
def test_chains_agree_even_where_nothing_outside_holds_the_field() -> None:
    """Games within tell only differences; the common step makes up for it."""
    priors = dict.fromkeys(range(6), WIDE)
    found = drawn(priors, round_robin(range(6), 6), plan=Plan())
    assert max(found.rhat(player) for player in priors) < 1.03
    assert min(found.effective(player) for player in priors) > 400
    level = found.chains.mean(axis=2)
    assert level.std() == pytest.approx(200 / sqrt(6), rel=0.1)
    assert all(0.2 < share < 0.7 for share in (*found.accepted, found.shifts))


def test_the_same_seed_draw_the_same_in_whatever_order_the_games_are_told() -> None:
    games = round_robin(range(5))
    one, same, other = (drawn(dict.fromkeys(range(5), WIDE), games, plan=SHORT, seed=seed) for seed in (3, 3, 4))
    assert (one.chains == same.chains).all()
    assert (one.chains != other.chains).any()
    games = round_robin(range(5), 2)
    outside = [Outside(each, 1500.0 + 40 * each, (1.0, 0.5, 0.0)[each % 3]) for each in range(5)]
    turned = [Meeting(other, one, 1.0 - score) for one, other, score in reversed(games)]
    one = drawn(dict.fromkeys(range(5), WIDE), games, outside, plan=SHORT)
    other = drawn(dict.fromkeys(range(5), WIDE), turned, outside[::-1], plan=SHORT)
    assert one.chains == pytest.approx(other.chains)


def test_players_are_called_as_they_were_and_draws_come_from_every_chain() -> None:
    found = drawn({9: WIDE, 4: Prior(2500.0, 10.0)}, plan=SHORT).strengths(7)
    assert found.players == (9, 4)
    assert found.draws.shape == (7, 2)
    assert found.mean(4) > found.mean(9) + 500
    assert found.rate == RATE
    one = drawn({1: WIDE}, plan=SHORT)
    assert one.chains.shape == (SHORT.kept, SHORT.chains, 1)
    assert one.strengths(SHORT.chains).draws[:, 0].tolist() == one.chains[0, :, 0].tolist()


def test_it_tells_how_far_it_is() -> None:
    heard: list[tuple[int, int]] = []
    rng = numpy.random.default_rng(1)
    posterior({1: WIDE}, [], [], RATE, plan=SHORT, rng=rng, tell=lambda done, of: heard.append((done, of)))
    assert heard == sorted(heard)
    assert heard[-1] == (SHORT.sweeps, SHORT.sweeps)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"priors": {}}, "nobody"),
        ({"rate": 0.0}, "above 0"),
        ({"rate": float("nan")}, "above 0"),
        ({"priors": {1: Prior(1500.0, 0.0), 2: WIDE}}, "prior of player 1"),
        ({"priors": {1: WIDE, 2: Prior(float("inf"), 1.0)}}, "prior of player 2"),
        ({"priors": {1: WIDE, 2: Prior(1500.0, float("inf"))}}, "prior of player 2"),
        ({"meetings": [Meeting(3, 1, 1.0)]}, "3 and 1 are not"),
        ({"meetings": [Meeting(1, 1, 1.0)]}, "not two players"),
        ({"meetings": [Meeting(1, 3, 1.0)]}, "1 and 3 are not"),
        ({"meetings": [Meeting(1, 2, 0.7)]}, "not 0.7"),
        ({"outside": [Outside(3, 1500.0, 1.0)]}, "A game of 3"),
        ({"outside": [Outside(1, float("nan"), 1.0)]}, "none of the field"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], words: str) -> None:
    given = {"priors": {1: WIDE, 2: WIDE}, "meetings": [], "outside": [], "rate": RATE} | changes
    with pytest.raises(ValueError, match=words):
        posterior(**given, plan=SHORT, rng=numpy.random.default_rng(1))


@pytest.mark.parametrize("plan", [{"chains": 1}, {"kept": 3}, {"warm_up": 0}, {"apart": 0}])
def test_a_plan_compares_chains(plan: dict[str, int]) -> None:
    least = {"chains": 2, "kept": 4, "warm_up": 1, "apart": 1}
    assert Plan(**least).sweeps == 5
    with pytest.raises(ValueError, match="at least two"):
        Plan(**least | plan)
