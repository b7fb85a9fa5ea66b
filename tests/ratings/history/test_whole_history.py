"""The whole history against other ways to the same numbers: a grid, sweeps player by player, a dense inverse."""

from collections import defaultdict
from itertools import pairwise
from math import exp, inf, log, sqrt

import numpy
import pytest

from ratings.history.whole_history import UNIT, HistoryGame, Model, When, whole_history

ONE, TWO, THREE, FOUR = 1, 2, 3, 4


def random_games(seed: int, games: int = 120, players: int = 6, days: int = 2_000) -> list[HistoryGame]:
    rng = numpy.random.default_rng(seed)
    found = []
    for day in sorted(rng.integers(0, days, games).tolist()):
        first, second = rng.choice(players, 2, replace=False).tolist()
        found.append(HistoryGame(first, second, day // 100 * 100, float(rng.choice([0.0, 0.5, 1.0])), 30.0))
    return found


def density(at: dict[tuple[int, int], float], games: list[HistoryGame], model: Model) -> float:
    """Logarithm of the posterior, written down from the paper: strengths in Elo points above the mean."""
    days = defaultdict(list)
    for player, day in sorted(at):
        days[player].append(day)
    total = 0.0
    for player, own in days.items():
        total -= (at[player, own[0]] / model.prior) ** 2 / 2.0
        for day, then in pairwise(own):
            step = at[player, then] - at[player, day]
            total -= step * step / (2.0 * model.drift**2 * (then - day) / 365.25)
    for first, second, day, score, advantage in games:
        x = (at[first, day] - at[second, day] + advantage) / UNIT
        odds = {1.0: exp(x / 2.0), 0.5: model.draw_rate, 0.0: exp(-x / 2.0)}
        total += log(odds[score] / sum(odds.values()))
    return total


def test_four_strengths_are_those_of_the_posterior_summed_over_a_grid() -> None:
    """One against Two in two years, with draws; the grid is summed whole, without any approximation."""
    scores = [1.0, 1.0, 0.5, 0.0, 1.0, 0.5, 1.0, 0.0]
    games = [HistoryGame(ONE, TWO, 0, score) for score in scores] + [HistoryGame(ONE, TWO, 730, 0.5)] * 4
    model = Model(prior=100.0, drift=40.0, draw_rate=0.8)
    history = whole_history(games, model)
    axes = numpy.arange(-330.0, 331.0, 30.0)
    names = [(ONE, 0), (ONE, 730), (TWO, 0), (TWO, 730)]
    points = numpy.array(numpy.meshgrid(*[axes] * 4, indexing="ij")).reshape(4, -1)
    logs = -(points[0] ** 2 + points[2] ** 2) / (2 * 100.0**2)
    logs -= ((points[1] - points[0]) ** 2 + (points[3] - points[2]) ** 2) / (2 * 40.0**2 * 730 / 365.25)
    for played, (one, two) in ((scores, (0, 2)), ([0.5] * 4, (1, 3))):
        x = (points[one] - points[two]) / UNIT
        whole = numpy.exp(x / 2) + numpy.exp(-x / 2) + 0.8
        for score in played:
            logs += {1.0: x / 2, 0.5: log(0.8), 0.0: -x / 2}[score] - numpy.log(whole)
    weights = numpy.exp(logs - logs.max())
    weights /= weights.sum()
    means = points @ weights
    covariance = (points * weights) @ points.T - numpy.outer(means, means)
    whens = [When(*name) for name in names]
    assert [history.mean(when) - 1500.0 for when in whens] == pytest.approx(means.tolist(), abs=1.5)
    assert history.covariance(whens) == pytest.approx(covariance, rel=0.02, abs=150.0)


def test_the_slope_at_the_history_is_none_and_its_curvature_is_the_inverse_of_the_covariance() -> None:
    games, model = random_games(1), Model(300.0, 60.0, 0.7)
    history = whole_history(games, model)
    names = [(player, day) for player in range(6) for day in history.days(player)]
    best = {name: history.mean(When(*name)) - 1500.0 for name in names}

    def moved(*steps: tuple[tuple[int, int], float]) -> float:
        at = dict(best)
        for name, step in steps:
            at[name] += step
        return density(at, games, model)

    one, other = names[3], names[40]
    covariance = history.covariance([When(*name) for name in names])
    precision = numpy.linalg.inv(covariance)
    for name in names[::7]:
        assert moved((name, 1.0)) - moved((name, -1.0)) == pytest.approx(0.0, abs=1e-6)
        second = 2 * moved() - moved((name, 1.0)) - moved((name, -1.0))
        assert precision[names.index(name), names.index(name)] == pytest.approx(second, rel=1e-3)
    met = next(game for game in games if {game.first, game.second} == {0, 1})
    one, other = (met.first, met.day), (met.second, met.day)
    mixed = (moved((one, 1), (other, 1)) + moved((one, -1), (other, -1)) - moved((one, 1), (other, -1))) / -4
    mixed += moved((one, -1), (other, 1)) / 4
    assert precision[names.index(one), names.index(other)] == pytest.approx(mixed, rel=1e-3)


def test_the_summit_is_found_where_whole_steps_lead_beyond_it() -> None:
    """The first loses against all odds: his advantage is 2500 points."""
    games, model = [HistoryGame(ONE, TWO, 0, 0.0, 2_500.0)], Model(prior=1_000.0)
    history = whole_history(games, model)
    best = {(player, 0): history.mean(When(player, 0)) - 1500.0 for player in (ONE, TWO)}
    for name in best:
        more, less = (density(best | {name: best[name] + step}, games, model) for step in (1.0, -1.0))
        assert more == pytest.approx(less, abs=1e-6)


def test_sweeps_from_player_to_player_end_where_the_joint_steps_do() -> None:
    """Coulom's own way: Newton's step on one player's chain, everybody else held fixed, over and over."""
    games, model = random_games(2, games=60), Model(200.0, 60.0, 0.7)
    history = whole_history(games, model)
    at = {(player, day): 0.0 for player in range(6) for day in history.days(player)}
    for _sweep in range(120):
        for player in range(6):
            own = history.days(player)
            matrix, slope = numpy.zeros((len(own), len(own))), numpy.zeros(len(own))
            matrix[0, 0] += (model.prior / UNIT) ** -2
            for k, (day, then) in enumerate(pairwise(own)):
                tie = (model.drift / UNIT) ** -2 * 365.25 / (then - day)
                matrix[k : k + 2, k : k + 2] += tie * numpy.array([[1, -1], [-1, 1]])
            slope -= matrix @ [at[player, day] for day in own]
            for first, second, day, score, advantage in games:
                if player in (first, second):
                    sign = 1.0 if player == first else -1.0
                    x = at[first, day] - at[second, day] + advantage / UNIT
                    odds = numpy.array([exp(x / 2.0), model.draw_rate, exp(-x / 2.0)])
                    chances = odds / odds.sum()
                    mean = chances @ [1.0, 0.5, 0.0]
                    slope[own.index(day)] += sign * (score - mean)
                    matrix[own.index(day), own.index(day)] += chances @ (numpy.array([1.0, 0.5, 0.0]) - mean) ** 2
            for day, step in zip(own, numpy.linalg.solve(matrix, slope), strict=True):
                at[player, day] += step
    assert {name: 1500.0 + UNIT * value for name, value in at.items()} == pytest.approx(
        {name: history.mean(When(*name)) for name in at}, abs=1e-4
    )


def test_a_day_without_a_game_lies_between_its_neighbours_and_grows_uncertain_behind_the_last() -> None:
    games = [HistoryGame(ONE, TWO, day, score) for day, score in ((0, 1.0), (1_000, 0.5), (1_000, 1.0))]
    history = whole_history(games, Model(drift=60.0), also={ONE: [400, 1_000 + 731]})
    known = dict(history.path(ONE))
    assert known[400].mean == pytest.approx(0.6 * known[0].mean + 0.4 * known[1_000].mean)
    assert known[1_731].mean == pytest.approx(known[1_000].mean)
    grown = known[1_000].deviation ** 2 + 60.0**2 * 731 / 365.25
    assert known[1_731].deviation == pytest.approx(sqrt(grown))
    without = dict(whole_history(games, Model(drift=60.0)).path(ONE))
    assert without[1_000] == pytest.approx(known[1_000])


def test_a_difference_is_that_of_the_joint_covariance() -> None:
    history = whole_history(random_games(3), Model(drift=80.0, draw_rate=0.5))
    one, other = When(0, history.days(0)[0]), When(1, history.days(1)[-1])
    covariance = history.covariance([one, other])
    found = history.difference(one, other)
    assert found.mean == pytest.approx(history.mean(one) - history.mean(other))
    assert found.deviation**2 == pytest.approx(covariance[0, 0] + covariance[1, 1] - 2.0 * covariance[0, 1])
    assert history.difference(one, one) == pytest.approx((0.0, 0.0), abs=1e-6)


@pytest.mark.parametrize(
    ("games", "also", "words"),
    [
        ([], {}, "no game"),
        ([HistoryGame(ONE, ONE, 0, 1.0)], {}, "two players"),
        ([HistoryGame(ONE, TWO, 0, 0.7)], {}, "scores"),
        ([HistoryGame(ONE, TWO, 5, 1.0)], {ONE: [4]}, "before his first game"),
        ([HistoryGame(ONE, TWO, 5, 1.0)], {TWO: [4]}, "before his first game"),
    ],
)
def test_what_is_no_history_is_refused(games: list[HistoryGame], also: dict[int, list[int]], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        whole_history(games, Model(), also=also)


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ({"prior": 0.0}, "above 0"),
        ({"prior": inf}, "above 0"),
        ({"drift": 0.0}, "above 0"),
        ({"drift": -1.0}, "above 0"),
        ({"drift": inf}, "above 0"),
        ({"draw_rate": -0.1}, "0 or more"),
        ({"draw_rate": inf}, "0 or more"),
    ],
)
def test_what_is_no_model_is_refused(figures: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Model(**figures)


@pytest.mark.parametrize("day", [-1, 4, 6])
def test_nothing_is_said_of_a_day_that_was_not_asked_for(day: int) -> None:
    history = whole_history([HistoryGame(ONE, TWO, at, 1.0) for at in (0, 5)], Model())
    with pytest.raises(ValueError, match="no day of player 1"):
        history.mean(When(ONE, day))
