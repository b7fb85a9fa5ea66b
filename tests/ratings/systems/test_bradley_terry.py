"""Bradley–Terry–Davidson: closed forms, the slope at the solution, brute force, then known strengths found again."""

from datetime import date
from itertools import pairwise
from math import exp, inf, log, sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.systems.base import Contribution, Group, GroupRating, Memory, Period, PlayedGame, PlayerState, order_key
from ratings.systems.bradley_terry import (
    BradleyTerry,
    BradleyTerrySettings,
    Pairs,
    expected_score,
    fit,
    fit_group,
    log_likelihood,
    odds,
    slopes,
)

TODAY = date(2026, 11, 21)
Result = tuple[int, int, float]
UNIT = 400 / log(10)


def group(results: list[Result], rating: float = 1500) -> Group:
    games = [
        PlayedGame(number, white, black, score, order_key(TODAY, number), TODAY.toordinal())
        for number, (white, black, score) in enumerate(results, 1)
    ]
    players = {player for white, black, _ in results for player in (white, black)}
    return Group(games, {player: PlayerState(rating, 0, rating) for player in players}, {}, TODAY.toordinal())


def rate(played: Group) -> GroupRating:
    return BradleyTerry().group_rater(BradleyTerrySettings())(played)


def ratings(results: list[Result]) -> dict[int, float]:
    return {player: move.enters_at or 0.0 for player, move in rate(group(results)).moves.items()}


def sampled(random: Random, strengths: list[float], nu: float, games: int) -> list[Result]:
    """Games between players drawn at random, with the model's own chances."""
    results = []
    for _ in range(games):
        white, black = random.sample(range(len(strengths)), 2)
        win, draw, _ = odds(strengths[white] - strengths[black], nu)
        roll = random.random()
        results.append((white, black, 1.0 if roll < win else 0.5 if roll < win + draw else 0.0))
    return results


def by_brute_force(results: list[Result], rounds: int = 5_000) -> tuple[dict[int, float], float]:
    """The same fit by minorising and maximising (Hunter 2004), game by game and without any derivative: (θ, ν)."""
    players = {player for white, black, _ in results for player in (white, black)}
    p, nu = dict.fromkeys(players, 1.0), 1.0
    draws = sum(score == 0.5 for _, _, score in results)
    for _ in range(rounds):
        scored = dict.fromkeys(players, 0.5)  # the virtual game
        weight = {player: 1 / (p[player] + 1) for player in players}
        shared = 0.0
        for white, black, score in results:
            total = p[white] + p[black] + nu * sqrt(p[white] * p[black])
            scored[white] += score
            scored[black] += 1 - score
            weight[white] += (1 + nu / 2 * sqrt(p[black] / p[white])) / total
            weight[black] += (1 + nu / 2 * sqrt(p[white] / p[black])) / total
            shared += sqrt(p[white] * p[black]) / total
        p = {player: scored[player] / weight[player] for player in players}
        nu = draws / shared
    return {player: log(own) for player, own in p.items()}, nu


def test_the_chances_are_davidsons() -> None:
    p, q, nu = 3.0, 0.5, 0.8
    total = p + q + nu * sqrt(p * q)
    chances = odds(log(p / q), nu)
    assert chances == pytest.approx((p / total, nu * sqrt(p * q) / total, q / total))
    assert sum(chances) == pytest.approx(1)
    assert expected_score(log(p / q), nu) == pytest.approx((p + nu * sqrt(p * q) / 2) / total)


def test_two_players_in_closed_form() -> None:
    """Without draws and with θ and −θ the slope is s − n/(1+e^−2θ) + 1/2 − 1/(1+e^−θ); for y = e^θ a cubic."""
    theta, nu = fit_group(group([(1, 2, 1.0)] * 3 + [(1, 2, 0.0)]))
    y = exp(theta[1])
    assert nu == 0
    assert theta[2] == pytest.approx(-theta[1])
    assert 3 - 4 * y**2 / (1 + y**2) + 0.5 - y / (1 + y) == pytest.approx(0, abs=1e-10)


def test_of_two_equal_players_the_draws_give_nu() -> None:
    """p_1 = p_2: the share of draws is ν / (2 + ν), here 3/5."""
    theta, nu = fit_group(group([(1, 2, 1.0), (1, 2, 0.0)] + [(1, 2, 0.5)] * 3))
    assert theta == pytest.approx({1: 0, 2: 0}, abs=1e-10)
    assert nu == pytest.approx(3)


RESULTS = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from([0.0, 0.5, 1.0])).filter(lambda r: r[0] != r[1]),
    min_size=1,
    max_size=30,
)


@given(RESULTS)
def test_at_the_solution_the_likelihood_is_level(results: list[Result]) -> None:
    theta, nu = fit_group(group(results))
    if nu == inf:
        assert all(score == 0.5 for _, _, score in results)
        return
    numbers = sorted(theta)
    firsts, seconds = ([numbers.index(result[side]) for result in results] for side in (0, 1))
    scores = [score for _, _, score in results]
    pairs = Pairs(firsts, seconds, [1.0] * len(results), scores, float(scores.count(0.5)))
    strengths = [theta[player] for player in numbers]
    gradient, *_ = slopes(strengths, nu, pairs)
    assert gradient == pytest.approx([0.0] * len(gradient), abs=1e-9)
    best = log_likelihood(strengths, nu, pairs)
    for place in range(len(strengths)):
        for shift in (0.01, -0.01):
            moved = [own + shift * (place == other) for other, own in enumerate(strengths)]
            assert log_likelihood(moved, nu, pairs) < best


def test_the_slopes_are_those_of_the_likelihood() -> None:
    theta, nu, step = [0.7, -0.2, -1.1], 0.6, 1e-6
    pairs = Pairs([0, 0, 1], [1, 2, 2], [5.0, 3.0, 4.0], [3.5, 2.0, 2.5], 4.0)
    gradient, *_ = slopes(theta, nu, pairs)
    for place in range(3):
        up, down = ([own + sign * step * (place == other) for other, own in enumerate(theta)] for sign in (1, -1))
        measured = (log_likelihood(up, nu, pairs) - log_likelihood(down, nu, pairs)) / (2 * step)
        assert gradient[place] == pytest.approx(measured, abs=1e-7)
    more, less = log_likelihood(theta, nu * exp(step), pairs), log_likelihood(theta, nu * exp(-step), pairs)
    assert gradient[3] == pytest.approx((more - less) / (2 * step), abs=1e-7)


@pytest.mark.extended
@pytest.mark.parametrize("nu", [0.0, 0.7, 3.0])
def test_brute_force_finds_the_same(nu: float) -> None:
    results = sampled(Random(5), [-1.5, -0.5, 0, 0.4, 1.6], nu, 60)
    theta, found = fit_group(group(results))
    slow, slow_nu = by_brute_force(results)
    assert theta == pytest.approx(slow, abs=1e-8)
    assert found == pytest.approx(slow_nu, abs=1e-8)


@given(RESULTS, st.randoms())
def test_the_order_of_games_and_the_numbers_of_players_do_not_matter(results: list[Result], random: Random) -> None:
    found = ratings(results)
    assert ratings(random.sample(results, len(results))) == found, "to the last bit"
    renumbered = {player: 100 - player for player in found}
    again = ratings([(renumbered[white], renumbered[black], score) for white, black, score in results])
    assert {player: again[renumbered[player]] for player in found} == pytest.approx(found, abs=1e-7)


@given(RESULTS)
def test_colours_do_not_matter_and_the_mean_is_1500(results: list[Result]) -> None:
    found = ratings(results)
    assert sum(found.values()) / len(found) == pytest.approx(1500)
    assert ratings([(black, white, 1 - score) for white, black, score in results]) == pytest.approx(found, abs=1e-7)


@pytest.mark.parametrize("players", [3, 60])
def test_who_only_wins_stays_finite_and_above_and_one_sided_matches_are_a_ladder(players: int) -> None:
    results = [(upper, upper + 1, 1.0) for upper in range(players - 1) for _ in range(50)]
    found = ratings(results)
    assert all(found[above] > found[below] for above, below in pairwise(range(players)))
    found = ratings([(1, 2, 1.0)] * 1000 + [(2, 3, 1.0), (2, 3, 0.0)])
    assert 1500 < found[1] < 4000
    assert found[1] > found[2]


def test_all_drawn_none_drawn_and_no_games() -> None:
    assert fit_group(group([(1, 2, 1.0), (2, 3, 1.0), (3, 1, 0.0)]))[1] == 0
    drawn = group([(1, 2, 0.5), (2, 3, 0.5)])
    assert fit_group(drawn) == ({1: 0.0, 2: 0.0, 3: 0.0}, inf)
    assert rate(drawn).sides[0] == (Contribution(expected=0.5), Contribution(expected=0.5))
    assert rate(group([])) == GroupRating([], {})
    assert fit(0, Pairs([], [], [], [], 0.0)) == ([], 0.0)


def test_a_fit_replaces_whatever_rating_there_was() -> None:
    results: list[Result] = [(1, 2, 1.0), (2, 3, 0.5), (1, 3, 1.0)]
    afresh = ratings(results)
    again = {player: move.enters_at or 0.0 for player, move in rate(group(results, 1900)).moves.items()}
    assert again == pytest.approx(afresh)


def test_a_game_says_what_was_expected_under_the_fit() -> None:
    """Points expected and points scored agree, but for the virtual game."""
    results: list[Result] = [(1, 2, 1.0), (2, 1, 0.5), (1, 2, 0.5), (2, 1, 1.0), (1, 2, 1.0)]
    played = group(results)
    theta, _ = fit_group(played)
    expected = sum(
        (sides[game.black == 1].expected or 0) for game, sides in zip(played.games, rate(played).sides, strict=True)
    )
    assert expected == pytest.approx(3 + 0.5 - expected_score(theta[1], 0.0))


@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_wild_gaps_converge(seed: int) -> None:
    random = Random(seed)
    results = sampled(random, [random.gauss(0, 8) for _ in range(12)], 0.5, 80)
    theta, nu = fit_group(group(results))
    assert all(abs(own) < 100 for own in theta.values())
    assert nu >= 0


def test_between_two_ratings_the_draw_share_is_unknown_and_a_logistic_answers() -> None:
    system, own, opponent = BradleyTerry(), PlayerState(1900, 0, 1900), PlayerState(1500, 0, 1500)
    assert system.expected(BradleyTerrySettings(), own, opponent) == pytest.approx(10 / 11)
    assert system.expected(BradleyTerrySettings(), opponent, own) == pytest.approx(1 / 11)


def test_settings_have_defaults_and_a_newcomer_stands_at_the_mean() -> None:
    system = BradleyTerry()
    assert system.read_settings({}) == BradleyTerrySettings(1500, 400)
    chosen = system.read_settings({"mean": "1000", "scale": 200})
    assert system.read_settings(system.stored_settings(chosen)) == chosen
    assert (system.period(chosen), system.memory(chosen)) == (Period.ALL, Memory.HISTORY)
    newcomer = system.newcomer(chosen, 2010, TODAY.toordinal())
    assert newcomer is not None
    assert (newcomer.rating, newcomer.birth_year) == (1000, 2010)
