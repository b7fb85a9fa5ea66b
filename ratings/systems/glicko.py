"""Glicko-1: a rating with its deviation RD, rated game by game or by simultaneous periods.

Source: M. Glickman, "Parameter estimation in large dynamic paired comparison experiments", 1999, and "The Glicko
system" (glicko.net, public domain). With q = ln 10 / 400 and g(RD) = 1 / √(1 + 3 q² RD² / π²):

    E = 1 / (1 + 10^(−g(RD_opponent) (r − r_opponent) / 400))      1/d² = q² Σ g² E (1 − E)
    r' = r + q / (1/RD² + 1/d²) Σ g (s − E)                        RD' = √(1 / (1/RD² + 1/d²))

and RD = min(√(RD² + c² t), RD of a newcomer) before each period. The arithmetic stands in functions of plain floats.
Not done: the fit of c to a club's own games. g, E and the frame of a period at the end are shared with
`ratings.systems.glicko2`, whose paper rounds 1/q; hence the argument `q`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from math import exp, log, pi, sqrt
from typing import NamedTuple

from clubrating.ground.marks import marked
from ratings.systems.base import (
    Contribution,
    GameRater,
    Group,
    GroupRater,
    GroupRating,
    Move,
    Period,
    PlayedGame,
    PlayerState,
)
from ratings.systems.rules import RatingSystem, ranged

Q = log(10.0) / 400.0
PERIODS = (Period.GAME, Period.DAY, Period.MONTH, Period.EVENT)


def damping(deviation: float, q: float = Q) -> float:
    """g: what a result counts against an opponent of that deviation (in points), 0 … 1."""
    spread = q * deviation / pi
    return 1.0 / sqrt(1.0 + 3.0 * spread * spread)


def expected_score(own: float, opponent: float, g: float, q: float = Q) -> float:
    """E: expected score of `own`, its gap to `opponent` damped by `g`."""
    return 1.0 / (1.0 + exp(-g * q * (own - opponent)))


def predicted_score(
    own: float, own_deviation: float, opponent: float, opponent_deviation: float, q: float = Q
) -> float:
    """Glickman's forecast of a game: both deviations damp the gap, so that the two sides add up to one."""
    g = damping(sqrt(own_deviation * own_deviation + opponent_deviation * opponent_deviation), q)
    return expected_score(own, opponent, g, q)


def grown(deviation: float, c: float, periods: float, ceiling: float) -> float:
    """RD after `periods` rating periods in which uncertainty grew by c² each, at most `ceiling`."""
    return min(ceiling, sqrt(deviation * deviation + c * c * periods))


def variance_after(deviation: float, information: float) -> float:
    """RD'² = 1 / (1/RD² + 1/d²); `information` is Σ g² E (1 − E), so that 1/d² = q² × information."""
    return 1.0 / (1.0 / (deviation * deviation) + Q * Q * information)


def after_game(
    rating: float, deviation: float, opponent: float, opponent_deviation: float
) -> tuple[float, float, float]:
    """A period of one game: (E, what the rating moves by for each point of s − E, RD')."""
    g = damping(opponent_deviation)
    expected = expected_score(rating, opponent, g)
    variance = variance_after(deviation, g * g * expected * (1.0 - expected))
    return expected, Q * variance * g, sqrt(variance)


@dataclass(frozen=True, slots=True)
class GlickoSettings:
    """`start`, `deviation`: a newcomer's; `c`: growth of the deviation, in points per root of a rating period;
    `period`: which games are rated together."""

    start: float = ranged(1500.0, 0, 4000)
    deviation: float = ranged(350.0, 1, 1000)
    c: float = ranged(0.0, 0, 1000)
    period: Period = field(default=Period.GAME, metadata={"known": PERIODS})


class Glicko(RatingSystem):
    key = "glicko"
    name = marked("Glicko-1")
    settings_type = GlickoSettings

    def expected(self, settings: GlickoSettings, own: PlayerState, opponent: PlayerState) -> float:
        return expectation(own, opponent, settings.deviation)

    def game_rater(self, settings: GlickoSettings) -> GameRater:
        """One game is one period for the two who play it, so each comes to it one period after his last."""
        newcomer, c = settings.deviation, settings.c

        def before(state: PlayerState) -> float:
            deviation = newcomer if state.deviation is None else state.deviation
            return grown(deviation, c, 1.0, newcomer) if c and state.last_day is not None else deviation

        def rate(white: PlayerState, black: PlayerState, game: PlayedGame) -> tuple[float, float, float, float]:
            white_rating, white_deviation = white.rating, before(white)
            black_rating, black_deviation = black.rating, before(black)
            white_expected, k_white, white.deviation = after_game(
                white_rating, white_deviation, black_rating, black_deviation
            )
            white.rating = white_rating + k_white * (game.score - white_expected)
            black_expected, k_black, black.deviation = after_game(
                black_rating, black_deviation, white_rating, white_deviation
            )
            black.rating = black_rating + k_black * (1.0 - game.score - black_expected)
            return white_expected, k_white, black_expected, k_black

        return rate

    def group_rater(self, settings: GlickoSettings) -> GroupRater:
        """All games of a period from the states at its start, each player's deviation grown since his last one."""

        def rate(group: Group) -> GroupRating:
            deviations = {player: self._before(settings, state, group) for player, state in group.states.items()}

            def close(player: int, sums: Sums) -> Closing:
                variance = variance_after(deviations[player], sums.information)
                return Closing(Q * variance, sqrt(variance))

            return rate_together(group, deviations, close)

        return rate

    def _before(self, settings: GlickoSettings, state: PlayerState, group: Group) -> float:
        deviation = settings.deviation if state.deviation is None else state.deviation
        periods = periods_since(settings.period, state.last_day, group.games[0].day)
        return grown(deviation, settings.c, periods, settings.deviation) if settings.c and periods else deviation


def expectation(own: PlayerState, opponent: PlayerState, newcomer: float, q: float = Q) -> float:
    """`predicted_score` of two states; `newcomer` is the deviation of whoever has none yet."""
    own_deviation = newcomer if own.deviation is None else own.deviation
    opponent_deviation = newcomer if opponent.deviation is None else opponent.deviation
    return predicted_score(own.rating, own_deviation, opponent.rating, opponent_deviation, q)


def periods_since(period: Period, last_day: int | None, day: int) -> int:
    """Rating periods from the player's last one to the one of `day`: 1 if he played in the one just before, 0 if he
    never played. Between games and between events nothing is counted as missed."""
    if last_day is None:
        return 0
    if period is Period.DAY:
        return day - last_day
    return _month(day) - _month(last_day) if period is Period.MONTH else 1


def _month(day: int) -> int:
    on = date.fromordinal(day)
    return on.year * 12 + on.month


class Sums(NamedTuple):
    """A player's period: `information` Σ g² E (1 − E) and `pull` Σ g (s − E)."""

    information: float = 0.0
    pull: float = 0.0


class Closing(NamedTuple):
    """What closes a player's period: the points by which a pull of 1 moves him, his deviation and volatility."""

    factor: float
    deviation: float
    volatility: float | None = None


class Meeting(NamedTuple):
    """One side of a game in a period."""

    player: int
    g: float
    expected: float
    score: float


def rate_together(
    group: Group, deviations: Mapping[int, float], close: Callable[[int, Sums], Closing], q: float = Q
) -> GroupRating:
    """Rate a group as one simultaneous period from `deviations` (points) before it.

    A game's share in a player's change is factor × g (s − E); the shares add up to the change.
    """
    meetings = [_meetings(game, group.states, deviations, q) for game in group.games]
    sums: dict[int, Sums] = {}
    for side in (side for pair in meetings for side in pair):
        information, pull = sums.get(side.player, Sums())
        information += side.g * side.g * side.expected * (1.0 - side.expected)
        sums[side.player] = Sums(information, pull + side.g * (side.score - side.expected))
    closings = {player: close(player, total) for player, total in sums.items()}
    return GroupRating(
        [(_share(white, group, closings), _share(black, group, closings)) for white, black in meetings],
        {
            player: Move(factor * sums[player].pull, deviation, volatility)
            for player, (factor, deviation, volatility) in closings.items()
        },
    )


def _meetings(
    game: PlayedGame, states: Mapping[int, PlayerState], deviations: Mapping[int, float], q: float
) -> tuple[Meeting, Meeting]:
    white, black = states[game.white].rating, states[game.black].rating
    white_g, black_g = damping(deviations[game.white], q), damping(deviations[game.black], q)
    return (
        Meeting(game.white, black_g, expected_score(white, black, black_g, q), game.score),
        Meeting(game.black, white_g, expected_score(black, white, white_g, q), 1.0 - game.score),
    )


def _share(side: Meeting, group: Group, closings: Mapping[int, Closing]) -> Contribution:
    k = closings[side.player].factor * side.g
    return Contribution(group.states[side.player].rating, side.expected, k, k * (side.score - side.expected))
