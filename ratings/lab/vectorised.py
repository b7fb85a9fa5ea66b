"""The club's rating systems over columns: how each rates one game, for streams of hundreds of thousands of games.

A column holds one figure of every player; `second` and `third` hold what a system remembers besides the rating:

    Elo         second = peak
    R2          second = success coefficient
    Glicko      second = deviation
    Glicko-2    second = deviation, third = volatility

The arithmetic is the systems' own: what stands here only takes figures out of the columns and puts them back, and a
test holds it equal to the replay that rates the club, to the last bit. A system that is not in COLUMN_RATERS takes part
all the same, through its own `game_rater` (`stated`), at plain speed.
"""

from collections.abc import Callable, MutableSequence
from copy import copy
from functools import lru_cache
from math import nan
from typing import Any

from ratings.lab.contenders import Contender
from ratings.lab.engine import Engine
from ratings.systems.base import AGE_UNKNOWN, PlayedGame, PlayerState
from ratings.systems.elo import EloSettings, expected_score, is_plain, k_rule_of
from ratings.systems.glicko import GlickoSettings, grown
from ratings.systems.glicko import after_game as glicko_game
from ratings.systems.glicko import predicted_score as glicko_prediction
from ratings.systems.glicko2 import Glicko2Settings
from ratings.systems.glicko2 import Q as GLICKO2_Q
from ratings.systems.glicko2 import after_game as glicko2_game
from ratings.systems.kd import kd_game
from ratings.systems.league import league_game
from ratings.systems.r2 import FIRST_COEFFICIENT, R2Settings, r2_game
from ratings.systems.solo_zerg import solo_zerg_game

Floats = MutableSequence[float]  # a list in plain runs, a NumPy array in compiled ones
Ints = MutableSequence[int]
# ratings, second, third, games (before this one), places of White and Black, White's score
Rate = Callable[[Floats, Floats, Floats, Ints, int, int, float], None]
# ratings, second, third, games, places of White and Black -> White's expected score; nan where the system knows none
Predict = Callable[[Floats, Floats, Floats, Ints, int, int], float]


class ColumnRater:
    """One system with its settings, ready to run. `start`: a newcomer's rating, second and third."""

    def __init__(self, start: tuple[float, float, float], rate: Rate, predict: Predict) -> None:
        self.start, self.rate, self.predict = start, rate, predict


def nothing_expected(ratings: Floats, second: Floats, third: Floats, games: Ints, white: int, black: int) -> float:
    """For systems without an expected score."""
    return nan


def rating_gap(ratings: Floats, second: Floats, third: Floats, games: Ints, white: int, black: int) -> float:
    """White's lead in rating: what a prediction can be fitted to where the system makes none of its own."""
    return ratings[white] - ratings[black]


WinnerRule = Callable[[float, float, float], tuple[float, float]]  # winner, loser, the rule's one number -> both after


def _of_winners(rule: WinnerRule, figure: str) -> Callable[[Any, Engine], ColumnRater]:
    """A rule of winners and losers with one number of its own, the setting `figure`; it knows no draws."""

    def make(settings: Any, engine: Engine) -> ColumnRater:
        game, number = engine.compile(rule), getattr(settings, figure)

        def rate(
            ratings: Floats, second: Floats, third: Floats, games: Ints, white: int, black: int, score: float
        ) -> None:
            if score == 1.0:
                ratings[white], ratings[black] = game(ratings[white], ratings[black], number)
            elif score == 0.0:
                ratings[black], ratings[white] = game(ratings[black], ratings[white], number)

        return ColumnRater((settings.start, 0.0, 0.0), engine.compile(rate), engine.compile(nothing_expected))

    return make


def _r2(settings: R2Settings, engine: Engine) -> ColumnRater:
    game, floor = engine.compile(r2_game), settings.floor

    def rate(ratings: Floats, second: Floats, third: Floats, games: Ints, white: int, black: int, score: float) -> None:
        if score == 0.5:
            return
        winner, loser = (white, black) if score == 1.0 else (black, white)
        ratings[winner], ratings[loser], second[winner], second[loser] = game(
            ratings[winner], ratings[loser], second[winner], second[loser], floor
        )

    return ColumnRater((settings.start, FIRST_COEFFICIENT, 0.0), engine.compile(rate), engine.compile(nothing_expected))


def _elo(settings: EloSettings, engine: Engine) -> ColumnRater | None:
    """None for what only the general way knows: tables, one K for both, periods, rounding, a floor."""
    if not is_plain(settings):
        return None
    rule = k_rule_of(settings)
    expect, choose = engine.compile(expected_score), engine.compile(rule.choose)
    ks, scale, base = tuple(float(step.k) for step in rule.steps), settings.scale, settings.base

    def rate(ratings: Floats, second: Floats, third: Floats, games: Ints, white: int, black: int, score: float) -> None:
        own, other = ratings[white], ratings[black]
        surplus = score - expect(own, other, scale, base)
        white_k = ks[choose(own, games[white], second[white], AGE_UNKNOWN)]
        black_k = ks[choose(other, games[black], second[black], AGE_UNKNOWN)]
        ratings[white] = own + white_k * surplus
        ratings[black] = other - black_k * surplus
        second[white] = max(second[white], ratings[white])
        second[black] = max(second[black], ratings[black])

    def predict(ratings: Floats, second: Floats, third: Floats, games: Ints, white: int, black: int) -> float:
        return expect(ratings[white], ratings[black], scale, base)

    return ColumnRater((settings.start, settings.start, 0.0), engine.compile(rate), engine.compile(predict))


def _glicko(settings: GlickoSettings, engine: Engine) -> ColumnRater | None:
    """One game, one period; None for longer periods."""
    if settings.period != "game":
        return None
    game, grow, forecast = engine.compile(glicko_game), engine.compile(grown), engine.compile(glicko_prediction)
    c, ceiling = settings.c, settings.deviation

    def before(deviation: float, games: int) -> float:
        return grow(deviation, c, 1.0, ceiling) if c > 0.0 and games > 0 else deviation

    before = engine.compile(before)

    def rate(ratings: Floats, second: Floats, third: Floats, games: Ints, white: int, black: int, score: float) -> None:
        own, own_deviation = ratings[white], before(second[white], games[white])
        other, other_deviation = ratings[black], before(second[black], games[black])
        expected, k, second[white] = game(own, own_deviation, other, other_deviation)
        ratings[white] = own + k * (score - expected)
        expected, k, second[black] = game(other, other_deviation, own, own_deviation)
        ratings[black] = other + k * (1.0 - score - expected)

    def predict(ratings: Floats, second: Floats, third: Floats, games: Ints, white: int, black: int) -> float:
        return forecast(ratings[white], second[white], ratings[black], second[black])

    return ColumnRater((settings.start, settings.deviation, 0.0), engine.compile(rate), engine.compile(predict))


def _glicko2(settings: Glicko2Settings, engine: Engine) -> ColumnRater | None:
    """One game, one period; None for longer periods."""
    if settings.period != "game":
        return None
    game, forecast, tau = engine.compile(glicko2_game), engine.compile(glicko_prediction), settings.tau

    def rate(ratings: Floats, second: Floats, third: Floats, games: Ints, white: int, black: int, score: float) -> None:
        own, own_deviation, own_volatility = ratings[white], second[white], third[white]
        other, other_deviation, other_volatility = ratings[black], second[black], third[black]
        expected, k, second[white], third[white] = game(
            own, own_deviation, own_volatility, other, other_deviation, score, tau
        )
        ratings[white] = own + k * (score - expected)
        expected, k, second[black], third[black] = game(
            other, other_deviation, other_volatility, own, own_deviation, 1.0 - score, tau
        )
        ratings[black] = other + k * (1.0 - score - expected)

    def predict(ratings: Floats, second: Floats, third: Floats, games: Ints, white: int, black: int) -> float:
        return forecast(ratings[white], second[white], ratings[black], second[black], GLICKO2_Q)

    start = (settings.start, settings.deviation, settings.volatility)
    return ColumnRater(start, engine.compile(rate), engine.compile(predict))


COLUMN_RATERS: dict[str, Callable[[Any, Engine], ColumnRater | None]] = {
    "elo": _elo,
    "glicko": _glicko,
    "glicko2": _glicko2,
    "league": _of_winners(league_game, "inflation"),
    "solo-zerg": _of_winners(solo_zerg_game, "floor"),
    "r2": _r2,
    "kd": _of_winners(kd_game, "stake"),
}


@lru_cache(maxsize=128)  # of contenders made of typed formulas there is no end
def column_rater(contender: Contender, engine: Engine) -> ColumnRater | None:
    """The contender over columns with that engine; None where only its own rater knows it (then `stated` runs it).
    Kept, so that each is compiled once."""
    make = COLUMN_RATERS.get(contender.system.key)
    return None if make is None else make(contender.settings, engine)


def stated(contender: Contender) -> ColumnRater:
    """Any system that rates game by game, through the very rater the club's ledger calls. Players are remembered by
    their place, so it serves one run only. Raises ValueError for a system that rates by periods."""
    system, settings = contender.system, contender.settings
    newcomer = system.newcomer(settings, None, 1)
    if newcomer is None or system.period(settings) != "game":
        raise ValueError(f"{system.name} does not rate game by game.")
    states: dict[int, PlayerState] = {}
    rater = system.game_rater(settings)

    def state(place: int, ratings: Floats, games: Ints) -> PlayerState:
        found = states.get(place)
        if found is None:
            found = states[place] = copy(newcomer)
        found.rating, found.games = ratings[place], games[place]
        return found

    def rate(ratings: Floats, second: Floats, third: Floats, games: Ints, white: int, black: int, score: float) -> None:
        one, two = state(white, ratings, games), state(black, ratings, games)
        rater(one, two, PlayedGame(0, white, black, score, 1 << 40, 1))
        for place, each in ((white, one), (black, two)):
            ratings[place], each.peak, each.last_day = each.rating, max(each.peak, each.rating), 1

    def predict(ratings: Floats, second: Floats, third: Floats, games: Ints, white: int, black: int) -> float:
        expected = system.expected(settings, state(white, ratings, games), state(black, ratings, games))
        return nan if expected is None else expected

    return ColumnRater((newcomer.rating, 0.0, 0.0), rate, predict)
