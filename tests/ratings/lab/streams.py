"""Small made-up histories for the back-test's tests."""

from collections.abc import Mapping, Sequence
from datetime import date

import numpy

from ratings.lab.measures import History
from ratings.systems.base import PlayedGame, order_key

FIRST_DAY = date(2024, 1, 1).toordinal()
Row = tuple[int, int, float]  # places of White and Black, White's score


def history(
    rows: Sequence[Row], days: Sequence[int] | None = None, given: Mapping[int, tuple[float, float]] | None = None
) -> History:
    """`days`: of each game, counted from the first; None: an undated history. `given` by the number of the game, from
    1."""
    games = []
    for number, (white, black, score) in enumerate(rows, start=1):
        day = FIRST_DAY + (days[number - 1] if days else 0)
        games.append(PlayedGame(number, white, black, score, order_key(date.fromordinal(day), number), day))
    return History(tuple(games), {}, days is not None, given or {})


def invented(count: int, *, players: int = 8, seed: int = 1, draws: float = 0.2, days: int | None = None) -> History:
    """Games among players a hundred points apart, results by Elo's law; `days`: on how many days, in equal parts."""
    rng = numpy.random.Generator(numpy.random.PCG64(seed)).random((count, 4))
    rows = []
    for one, other, is_drawn, luck in rng:
        white = int(one * players)
        black = (white + 1 + int(other * (players - 1))) % players
        expected = 1.0 / (1.0 + 10.0 ** ((black - white) / 4.0))
        rows.append((white, black, 0.5 if is_drawn < draws else float(luck < expected)))
    return history(rows, None if days is None else [at * days // count for at in range(count)])
