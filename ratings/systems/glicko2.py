"""Glicko-2: Glicko with a volatility σ, how erratic a player's strength is.

Source: M. Glickman, "Example of the Glicko-2 system", 2013 (glicko.net, public domain), equations by step. The paper
computes on the scale μ = (r − 1500) q, φ = q RD with q = 1 / 173.7178. Ratings may stay in points here, as only their
differences count; g and E are those of `ratings.systems.glicko` with this q (Glicko-1's is the same, not rounded).

    1/v = Σ g² E (1 − E)     Δ = v Σ g (s − E)     φ* = √(φ² + σ'²)     φ' = 1 / √(1/φ*² + 1/v)     μ' = μ + φ'² Δ/v

and σ' from the Illinois iteration of step 5. A period without a game: φ grows to √(φ² + σ²), with no ceiling, as in
the paper. Not done: the choice of τ for a club's own games.
"""

from dataclasses import dataclass, field
from math import exp, log, sqrt

from clubrating.ground.marks import marked
from ratings.systems.base import GameRater, Group, GroupRater, GroupRating, Period, PlayedGame, PlayerState
from ratings.systems.glicko import (
    PERIODS,
    Closing,
    Sums,
    damping,
    expectation,
    expected_score,
    periods_since,
    rate_together,
)
from ratings.systems.rules import RatingSystem, ranged

Q = 1.0 / 173.7178
TOLERANCE = 1e-6  # ε of step 5, in ln σ²
# Below this much information E is 0 or 1 in a float; v must stay a number.
LEAST_INFORMATION = 1e-30


def volatility_slope(x: float, a: float, variance: float, surprise: float, tau: float) -> float:
    """f(x) of step 5.1 at x = ln σ²; a = ln σ² before, `variance` = φ² + v, `surprise` = Δ²."""
    square = exp(x)
    whole = variance + square
    return square * (surprise - variance - square) / (2.0 * whole * whole) - (x - a) / (tau * tau)


def volatility_after(volatility: float, variance: float, surprise: float, tau: float) -> float:
    """σ' of step 5: the zero of `volatility_slope` by the Illinois iteration, to 1e-6 in ln σ²."""
    a = log(volatility * volatility)
    low, high = a, _other_end(a, variance, surprise, tau)
    at_low = volatility_slope(low, a, variance, surprise, tau)
    at_high = volatility_slope(high, a, variance, surprise, tau)
    while abs(high - low) > TOLERANCE:
        between = low + (low - high) * at_low / (at_high - at_low)
        at_between = volatility_slope(between, a, variance, surprise, tau)
        if at_between * at_high <= 0.0:
            low, at_low = high, at_high
        else:
            at_low /= 2.0
        high, at_high = between, at_between
    return exp(low / 2.0)


def _other_end(a: float, variance: float, surprise: float, tau: float) -> float:
    """B of step 5.2: with a = ln σ² it brackets the zero."""
    if surprise > variance:
        return log(surprise - variance)
    steps = 1
    while volatility_slope(a - steps * tau, a, variance, surprise, tau) < 0.0:
        steps += 1
    return a - steps * tau


def after_period(
    deviation: float, volatility: float, information: float, pull: float, tau: float
) -> tuple[float, float]:
    """Steps 3 to 7: (RD', σ') after a period of `information` Σ g² E (1 − E) and `pull` Σ g (s − E)."""
    phi = Q * deviation
    v = 1.0 / max(information, LEAST_INFORMATION)
    lead = v * pull
    volatility = volatility_after(volatility, phi * phi + v, lead * lead, tau)  # a power may round otherwise, compiled
    before = phi * phi + volatility * volatility
    return sqrt(1.0 / (1.0 / before + information)) / Q, volatility


def factor_after(deviation: float) -> float:
    """By how many points a pull of 1 moves a rating: μ' = μ + φ'² Σ g (s − E), in points; `deviation` is RD'."""
    return Q * deviation * deviation


def after_game(
    rating: float,
    deviation: float,
    volatility: float,
    opponent: float,
    opponent_deviation: float,
    score: float,
    tau: float,
) -> tuple[float, float, float, float]:
    """A period of one game: (E, what the rating moves by for each point of s − E, RD', σ')."""
    g = damping(opponent_deviation, Q)
    expected = expected_score(rating, opponent, g, Q)
    information, pull = g * g * expected * (1.0 - expected), g * (score - expected)
    deviation, volatility = after_period(deviation, volatility, information, pull, tau)
    return expected, factor_after(deviation) * g, deviation, volatility


def rested(deviation: float, volatility: float, periods: float) -> float:
    """RD after that many periods without a game: φ² grows by σ² in each."""
    phi = Q * deviation
    return sqrt(phi * phi + periods * volatility * volatility) / Q


@dataclass(frozen=True, slots=True)
class Glicko2Settings:
    """`start`, `deviation`, `volatility`: a newcomer's; `tau`: how far a volatility may move, 0.3 to 1.2 in the paper;
    `period`: which games are rated together."""

    start: float = ranged(1500.0, 0, 4000)
    deviation: float = ranged(350.0, 1, 1000)
    volatility: float = ranged(0.06, 0.001, 1)
    tau: float = ranged(0.5, 0.1, 2)
    period: Period = field(default=Period.GAME, metadata={"known": PERIODS})


class Glicko2(RatingSystem):
    key = "glicko2"
    name = marked("Glicko-2")
    settings_type = Glicko2Settings

    def expected(self, settings: Glicko2Settings, own: PlayerState, opponent: PlayerState) -> float:
        return expectation(own, opponent, settings.deviation, Q)

    def game_rater(self, settings: Glicko2Settings) -> GameRater:
        """One game is one period for the two who play it; none is ever missed."""
        deviation, volatility, tau = settings.deviation, settings.volatility, settings.tau

        def before(state: PlayerState) -> tuple[float, float, float]:
            return (
                state.rating,
                deviation if state.deviation is None else state.deviation,
                volatility if state.volatility is None else state.volatility,
            )

        def rate(white: PlayerState, black: PlayerState, game: PlayedGame) -> tuple[float, float, float, float]:
            (own, spread, sigma), (other, other_spread, other_sigma) = before(white), before(black)
            score = game.score
            white_expected, k_white, white.deviation, white.volatility = after_game(
                own, spread, sigma, other, other_spread, score, tau
            )
            white.rating = own + k_white * (score - white_expected)
            black_expected, k_black, black.deviation, black.volatility = after_game(
                other, other_spread, other_sigma, own, spread, 1.0 - score, tau
            )
            black.rating = other + k_black * (1.0 - score - black_expected)
            return white_expected, k_white, black_expected, k_black

        return rate

    def group_rater(self, settings: Glicko2Settings) -> GroupRater:
        """All games of a period from the states at its start, deviations grown by the periods missed before it."""

        def rate(group: Group) -> GroupRating:
            volatilities = {player: _volatility(settings, state) for player, state in group.states.items()}
            deviations = {player: _before(settings, state, group) for player, state in group.states.items()}

            def close(player: int, sums: Sums) -> Closing:
                deviation, volatility = after_period(deviations[player], volatilities[player], *sums, settings.tau)
                return Closing(factor_after(deviation), deviation, volatility)

            return rate_together(group, deviations, close, Q)

        return rate


def _volatility(settings: Glicko2Settings, state: PlayerState) -> float:
    return settings.volatility if state.volatility is None else state.volatility


def _before(settings: Glicko2Settings, state: PlayerState, group: Group) -> float:
    """Deviation at the start of the group's period. σ'² of the period itself is added by the update, not here."""
    deviation = settings.deviation if state.deviation is None else state.deviation
    missed = periods_since(settings.period, state.last_day, group.games[0].day) - 1
    return rested(deviation, _volatility(settings, state), missed) if missed > 0 else deviation
