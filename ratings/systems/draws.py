"""How a game may end between two players, when only the expected score is known: win, draw and loss.

Source: R. Davidson, "On extending the Bradley–Terry model to accommodate ties", JASA 65 (1970): the draw is to the
geometric mean of win and loss as ν to one, d = ν √(w l), with one ν for everybody. Here ν does not come with the
ratings (no system of the club but Bradley–Terry knows it), so the expected score E of the list's own system is kept
exactly, w + d/2 = E, and d solves

    d² (1 − ν²/4) + d ν²/2 − ν² E (1 − E) = 0

ν follows from how many of the list's own games were drawn (`draw_rate`). Not done: White's advantage; strong players
drawing more often than weak ones.
"""

from math import sqrt

from ratings.systems.base import Odds

# A list with few games is helped along by so many games between equals, of which so many were drawn.
ASSUMED_GAMES, ASSUMED_DRAWS = 20, 6
LARGEST_RATE = 100.0  # of equals then draw 98 of 100 games: more is never needed to tell what was played


def odds_of(expected: float, rate: float) -> Odds:
    """Win, draw and loss behind an expected score (0 … 1), where draws come at this `rate` (ν, 0 or more).

    Raises ValueError for an expected score that is none."""
    if not 0.0 <= expected <= 1.0:
        raise ValueError(f"An expected score lies between 0 and 1, not at {expected}.")
    draw = draw_of(expected, rate)
    return Odds(expected - draw / 2.0, draw, 1.0 - expected - draw / 2.0)


def draw_of(expected: float, rate: float) -> float:
    """Probability of a draw behind an expected score (0 … 1), where draws come at this `rate` (ν, 0 or more)."""
    if rate <= 0.0:
        return 0.0
    share = draw_share(expected * (1.0 - expected), rate * rate)
    return min(share, 2.0 * expected, 2.0 * (1.0 - expected))


def draw_share(even: float, square: float) -> float:
    """The quadratic's solution, written so that ν = 2, where it has no square, is no special case. `even` is
    E (1 − E), `square` ν²."""
    root = sqrt(square * square * max(0.25 - even, 0.0) + 4.0 * square * even)
    below = square / 2.0 + root
    return 2.0 * square * even / below if below > 0.0 else 0.0


def rate_between_equals(share: float) -> float:
    """ν at which equals draw that share (0 … 1, less than 1) of their games: the other way round `draw_share(1/4, ν²)`.

    Raises ValueError for a share no rate gives."""
    if not 0.0 <= share < 1.0:
        raise ValueError(f"Equals draw a share from 0 to less than 1 of their games, not {share}.")
    return 2.0 * share / (1.0 - share)


def draw_rate(games: int, draws: int, even: float) -> float:
    """ν of a list in which `draws` of `games` games were drawn, `even` being the mean of E (1 − E) in them: the one at
    which a game of that evenness is drawn so often. Games between equals are added first, so that a list with few
    games has an answer."""
    whole = games + ASSUMED_GAMES
    share = (draws + ASSUMED_DRAWS) / whole
    mean = (games * even + ASSUMED_GAMES * 0.25) / whole
    below = mean - share / 2.0 + share * share / 4.0
    if below <= share * share / (LARGEST_RATE * LARGEST_RATE):
        return LARGEST_RATE
    return share / sqrt(below)
