"""Glicko-2: the paper's example, two players far from 1500, a second implementation, then rules for any games."""

from collections.abc import Sequence
from datetime import date
from math import exp, log, pi, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import Group, GroupRating, Memory, Move, Period, PlayedGame, PlayerState, order_key
from ratings.systems.glicko import damping, expected_score
from ratings.systems.glicko2 import Glicko2, Glicko2Settings, Q, after_period, rested, volatility_after

RATINGS = st.floats(500, 2500)
DEVIATIONS = st.floats(30, 350)
VOLATILITIES = st.floats(0.03, 0.12)
SCORES = st.sampled_from([0.0, 0.5, 1.0])
TODAY = date(2026, 11, 21)
Result = tuple[float, float, float]  # opponent's rating and deviation, score
EXAMPLE: list[Result] = [(1400, 30, 1.0), (1550, 100, 0.0), (1700, 300, 0.0)]


def state(rating: float, deviation: float | None = 350, volatility: float | None = 0.06, **more: Any) -> PlayerState:
    return PlayerState(rating, 0, rating, deviation=deviation, volatility=volatility, **more)


def game(white: int, black: int, score: float, number: int = 1) -> PlayedGame:
    return PlayedGame(number, white, black, score, order_key(TODAY, number), TODAY.toordinal())


def in_a_month(states: dict[int, PlayerState], *games: PlayedGame, **settings: float) -> GroupRating:
    rate = Glicko2().group_rater(Glicko2Settings(period=Period.MONTH, **settings))
    return rate(Group(games, states, {}, TODAY.toordinal()))


def period_of(own: PlayerState, results: Sequence[Result], **settings: float) -> Move:
    """What a month with these results does to the player."""
    opponents = {number: state(r, rd) for number, (r, rd, _) in enumerate(results, 1)}
    games = [game(0, number, score, number) for number, (_, _, score) in enumerate(results, 1)]
    return in_a_month({0: own, **opponents}, *games, **settings).moves[0]


def one_game(white: PlayerState, black: PlayerState, score: float, **settings: float) -> tuple[float | None, ...]:
    figures = Glicko2().game_rater(Glicko2Settings(**settings))(white, black, game(1, 2, score))
    assert figures is not None
    return figures


def second_opinion(own: PlayerState, results: Sequence[Result], tau: float) -> tuple[float, float, float]:
    """The paper once more, written on its own scale with the volatility found by bisection: (r', RD', σ')."""
    scale = 173.7178
    mu, phi, sigma = (own.rating - 1500) / scale, (own.deviation or 0) / scale, own.volatility or 0
    gs = [(1 + 3 * (rd / scale / pi) ** 2) ** -0.5 for _, rd, _ in results]
    es = [1 / (1 + exp(-g * (mu - (r - 1500) / scale))) for g, (r, _, _) in zip(gs, results, strict=True)]
    v = 1 / sum(g**2 * e * (1 - e) for g, e in zip(gs, es, strict=True))
    push = sum(g * (s - e) for g, e, (_, _, s) in zip(gs, es, results, strict=True))

    def f(x: float) -> float:
        total = phi**2 + v + exp(x)
        return exp(x) * ((v * push) ** 2 - total) / (2 * total**2) - (x - log(sigma**2)) / tau**2

    # The zero nearest to the old volatility: walk away from it until the sign turns, then halve.
    direction = 1 if f(log(sigma**2)) > 0 else -1
    near = far = log(sigma**2)
    while f(far) * direction > 0:
        near, far = far, far + direction * 0.01
    for _ in range(100):
        middle = (near + far) / 2
        near, far = (middle, far) if f(middle) * direction > 0 else (near, middle)
    sigma = exp(near / 2)
    phi = 1 / sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    return scale * (mu + phi**2 * push) + 1500, scale * phi, sigma


def test_the_steps_of_glickmans_example() -> None:
    gs = [damping(rd, Q) for _, rd, _ in EXAMPLE]
    es = [expected_score(1500, r, g, Q) for (r, _, _), g in zip(EXAMPLE, gs, strict=True)]
    information = sum(g * g * e * (1 - e) for g, e in zip(gs, es, strict=True))
    pull = sum(g * (s - e) for g, e, (_, _, s) in zip(gs, es, EXAMPLE, strict=True))
    assert gs == pytest.approx([0.995498, 0.953149, 0.724235], abs=1e-6)
    assert es == pytest.approx([0.639468, 0.431842, 0.302841], abs=1e-6)
    phi, v, delta = 200 * Q, 1 / information, pull / information
    assert (v, delta) == pytest.approx((1.7790, -0.4839), abs=5e-5)
    sigma = volatility_after(0.06, phi**2 + v, delta**2, 0.5)
    assert sigma == pytest.approx(0.0599960, abs=1e-7)
    assert sqrt(phi**2 + sigma**2) == pytest.approx(1.152855, abs=1e-6)
    deviation, same = after_period(200, 0.06, information, pull, 0.5)
    assert (Q * deviation, same) == pytest.approx((0.872199, sigma), abs=1e-6)
    assert Q**2 * deviation**2 * pull == pytest.approx(-0.206941, abs=1e-6)


def test_glickmans_example_as_printed_and_exactly() -> None:
    move = period_of(state(1500, 200), EXAMPLE)
    assert (round(1500 + move.change, 1), round(move.deviation or 0, 2)) == (1464.1, 151.52)
    assert 1500 + move.change == pytest.approx(1464.050671, abs=1e-6)
    assert (move.deviation, move.volatility) == pytest.approx((151.516524, 0.0599960), abs=1e-6)


def test_far_from_1500_the_volatility_still_follows_the_deviation() -> None:
    for rating, score, after in (
        (2300, 0.0, (2238.0912, 60.7601, 0.0601135)),
        (700, 1.0, (762.2588, 60.8040, 0.0601150)),
    ):
        move = period_of(state(rating, 60), [(1500, 60, score), (1500, 60, score), (1600, 50, score)])
        assert (rating + move.change, move.deviation) == pytest.approx(after[:2], abs=5e-5)
        assert move.volatility == pytest.approx(after[2], abs=5e-8)


@given(
    RATINGS,
    DEVIATIONS,
    VOLATILITIES,
    st.lists(st.tuples(RATINGS, DEVIATIONS, SCORES), min_size=1, max_size=15),
    st.floats(0.3, 1.2),
)
def test_a_second_implementation_agrees(
    rating: float, deviation: float, volatility: float, results: list[Result], tau: float
) -> None:
    own = state(rating, deviation, volatility)
    move = period_of(own, results, tau=tau)
    rating_after, deviation_after, volatility_then = second_opinion(own, results, tau)
    assert rating + move.change == pytest.approx(rating_after, abs=1e-4)
    assert (move.deviation, move.volatility) == pytest.approx((deviation_after, volatility_then), rel=1e-6)


def test_a_month_away_adds_the_variance_of_the_volatility() -> None:
    assert rested(200, 0.06, 1) == pytest.approx(sqrt((200 * Q) ** 2 + 0.06**2) / Q)
    assert rested(rested(200, 0.06, 1), 0.06, 2) == pytest.approx(rested(200, 0.06, 3))


@pytest.mark.parametrize(("last", "missed"), [(date(2026, 10, 31), 0), (date(2026, 9, 1), 1), (date(2025, 11, 30), 11)])
def test_only_months_without_a_game_count_as_missed(last: date, missed: int) -> None:
    back = period_of(state(1500, 80, last_day=last.toordinal()), EXAMPLE)
    assert back == period_of(state(1500, rested(80, 0.06, missed)), EXAMPLE)


def test_whoever_has_no_deviation_or_volatility_gets_a_newcomers() -> None:
    settings = Glicko2Settings(deviation=200, volatility=0.08)
    white, black = state(1500, None, None), state(1600, None, None)
    known_white, known_black = state(1500, 200, 0.08), state(1600, 200, 0.08)
    assert Glicko2().expected(settings, white, black) == Glicko2().expected(settings, known_white, known_black)
    wanted = in_a_month({1: known_white, 2: known_black}, game(1, 2, 1.0))
    assert in_a_month({1: white, 2: black}, game(1, 2, 1.0), deviation=200, volatility=0.08) == wanted
    assert one_game(white, black, 1.0, deviation=200, volatility=0.08) == one_game(known_white, known_black, 1.0)
    assert (white, black) == (known_white, known_black)


@given(RATINGS, DEVIATIONS, RATINGS, DEVIATIONS)
def test_both_forecasts_add_up_to_one(a: float, rd_a: float, b: float, rd_b: float) -> None:
    system, white, black = Glicko2(), state(a, rd_a), state(b, rd_b)
    forecast = system.expected(Glicko2Settings(), white, black), system.expected(Glicko2Settings(), black, white)
    assert sum(forecast) == pytest.approx(1)


@given(st.floats(0, 4000), DEVIATIONS, st.floats(0, 4000), DEVIATIONS, SCORES, st.floats(0.1, 2))
def test_a_win_never_lowers_and_a_loss_never_raises(
    a: float, rd_a: float, b: float, rd_b: float, score: float, tau: float
) -> None:
    white, black = state(a, rd_a), state(b, rd_b)
    one_game(white, black, score, tau=tau)
    if score == 1.0:
        assert white.rating >= a
        assert black.rating <= b
    if score == 0.0:
        assert white.rating <= a
        assert black.rating >= b


@given(st.floats(6000, 60000), SCORES)
def test_a_gap_beyond_all_reason_still_gives_numbers(gap: float, score: float) -> None:
    white, black = state(gap, 30), state(0, 30)
    one_game(white, black, score)
    for each in (white, black):
        assert abs(each.rating) < 70000
        assert 0 < (each.deviation or 0) < 400
        assert 0 < (each.volatility or 0) < 1


@given(RATINGS, DEVIATIONS, VOLATILITIES, RATINGS, DEVIATIONS, SCORES)
def test_a_period_of_one_game_is_the_game_rated_at_once(
    a: float, rd_a: float, sigma: float, b: float, rd_b: float, score: float
) -> None:
    white, black = state(a, rd_a, sigma), state(b, rd_b)
    rating = in_a_month({1: white, 2: black}, game(1, 2, score))
    figures = one_game(white, black, score)
    for player, before, after in ((1, a, white), (2, b, black)):
        move = rating.moves[player]
        assert (before + move.change, move.deviation, move.volatility) == pytest.approx(
            (after.rating, after.deviation, after.volatility)
        )
    (white_side, black_side), *_ = rating.sides
    assert (white_side.expected, white_side.k, black_side.expected, black_side.k) == pytest.approx(figures)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(5, 9), SCORES), min_size=1, max_size=20), st.randoms())
def test_in_a_period_the_order_does_not_matter_and_the_shares_add_up(
    results: list[tuple[int, int, float]], random: Any
) -> None:
    states = {player: state(1200 + 70 * player, 60 + 20 * player) for player in range(10)}
    games = [game(white, black, score, number) for number, (white, black, score) in enumerate(results, 1)]
    rating = in_a_month(states, *games)
    shuffled = in_a_month(states, *random.sample(games, len(games)))
    shares = dict.fromkeys(rating.moves, 0.0)
    for played, (white, black) in zip(games, rating.sides, strict=True):
        shares[played.white] += white.change or 0.0
        shares[played.black] += black.change or 0.0
    for player, move in rating.moves.items():
        assert move.change == pytest.approx(shuffled.moves[player].change, abs=1e-4)
        assert shares[player] == pytest.approx(move.change, abs=1e-9)


def test_settings_have_defaults_and_come_back() -> None:
    system = Glicko2()
    assert system.read_settings({}) == Glicko2Settings(1500, 350, 0.06, 0.5, Period.GAME)
    settings = system.read_settings({"period": "event", "tau": "0.7", "start": 1000})
    assert (system.period(settings), system.memory(settings)) == (Period.EVENT, Memory.LEDGER)
    assert system.read_settings(system.stored_settings(settings)) == settings
