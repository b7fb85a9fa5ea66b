"""One rating system's table while a stream of games runs through it, and how disordered it is.

The index is the one of the study of six systems: the table sorted by rating, each player compared by true strength
with the one below him. Readings where the study is silent: equal ratings keep the order they had; normalisation is
looked at after every game; newcomers are appended in the order in which they are made.
"""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy

from ratings.lab.contenders import Contender
from ratings.lab.engine import PLAIN, Engine
from ratings.lab.vectorised import ColumnRater, Floats, Ints, Predict, Rate, column_rater, rating_gap, stated
from ratings.systems.base import Normalisation

NEVER = Normalisation(float("inf"), 1.0, 0.0)
KINDS = (float, float, float, int)  # of the columns
EVERY = 100  # games from one look at the table to the next


def sort_table(order: Ints, ratings: Floats) -> None:
    """Put the places of `order` in the order of their ratings, highest first; equals keep theirs. By insertion: from
    one look to the next few players move, and few places."""
    for at in range(1, len(order)):
        place = order[at]
        rating = ratings[place]
        above = at - 1
        while above >= 0 and ratings[order[above]] < rating:
            order[above + 1] = order[above]
            above -= 1
        order[above + 1] = place


def penalty(upper: float, lower: float) -> int:
    """What a pair of neighbours costs, by true strength: 0 where the upper is as strong or twice as strong, 1 where
    four times or more, 2 where half as strong, 3 where a quarter or less."""
    if upper >= lower:
        return 1 if upper >= 4.0 * lower else 0
    return 3 if 4.0 * upper <= lower else 2


def disorder(order: Ints, strengths: Sequence[float]) -> int:
    """Sum of the penalties over all pairs of neighbours in a sorted table."""
    total = 0
    for at in range(1, len(order)):
        total += penalty(strengths[order[at - 1]], strengths[order[at]])
    return total


class Columns(NamedTuple):
    """What a system keeps of everybody, by place (`ratings.lab.vectorised`), and everybody's games so far."""

    ratings: Floats
    second: Floats
    third: Floats
    games: Ints


class Games(NamedTuple):
    """A stream: places of White and Black among the players, White's scores (1, 0.5, 0)."""

    white: Sequence[int]
    black: Sequence[int]
    scores: Sequence[float]


class Traced(NamedTuple):
    """Of every game White's expected score before it (nan where the system knows none), and both ratings after it."""

    expected: Floats
    white_after: Floats
    black_after: Floats


def bring_down(ratings: Floats, rule: Normalisation) -> None:
    """Normalise the whole field: every rating times the factor, nobody below the floor."""
    for place in range(len(ratings)):
        ratings[place] = max(rule.floor, ratings[place] * rule.factor)


def play(
    rate: Rate, columns: Columns, stream: Games, rule: Normalisation,
    order: Ints, strengths: Sequence[float], every: int, index: Ints,
) -> int:  # fmt: skip
    """Rate games one after another. `index[i]` becomes the disorder after (i + 1) × `every` games of these. Answers
    how often the field was normalised."""
    ratings, second, third, games = columns
    normalised = 0
    for game in range(len(stream.white)):
        one, two = stream.white[game], stream.black[game]
        rate(ratings, second, third, games, one, two, stream.scores[game])
        games[one] += 1
        games[two] += 1
        if ratings[one] > rule.above or ratings[two] > rule.above:
            bring_down(ratings, rule)
            normalised += 1
        if (game + 1) % every == 0:
            sort_table(order, ratings)
            index[(game + 1) // every - 1] = disorder(order, strengths)
    return normalised


def trace(rate: Rate, predict: Predict, columns: Columns, stream: Games, rule: Normalisation, traced: Traced) -> None:
    """Rate games one after another and write each down in `traced`."""
    ratings, second, third, games = columns
    for game in range(len(stream.white)):
        one, two = stream.white[game], stream.black[game]
        traced.expected[game] = predict(ratings, second, third, games, one, two)
        rate(ratings, second, third, games, one, two, stream.scores[game])
        games[one] += 1
        games[two] += 1
        if ratings[one] > rule.above or ratings[two] > rule.above:
            bring_down(ratings, rule)
        traced.white_after[game], traced.black_after[game] = ratings[one], ratings[two]


def as_list(column: Any) -> list[Any]:
    """A column's values as Python's own numbers, whoever holds them."""
    return column.tolist() if isinstance(column, numpy.ndarray) else list(column)


class Table:
    """A system's columns and its sorted table. A compiled run holds NumPy arrays, a plain one lists; what comes out
    is the same to the last bit."""

    def __init__(self, contender: Contender, engine: Engine, strengths: Sequence[float]) -> None:
        found = column_rater(contender, engine)
        self.engine = engine if found else PLAIN
        self.rater: ColumnRater = found or stated(contender)
        self._play, self._trace = self.engine.compile(play), self.engine.compile(trace)
        self._gap = self.engine.compile(rating_gap)
        self._sort, self._disorder = self.engine.compile(sort_table), self.engine.compile(disorder)
        self.normalisation = contender.system.normalisation(contender.settings) or NEVER
        self.normalised = 0  # how often, in `play`
        self._columns = Columns(*(self.engine.column([], kind) for kind in KINDS))
        self._order = self.engine.column([], int)
        self._strengths = self.engine.column([], float)
        self.join(strengths)

    def join(self, strengths: Sequence[float]) -> None:
        """Newcomers enter at the system's start values, below everybody who stands level with them."""
        known, more = len(self._strengths), len(strengths)
        column: Any = self.engine.column
        starts: Any = zip(self._columns, (*self.rater.start, 0), KINDS, strict=True)
        self._columns = Columns(*(column([*values, *[start] * more], kind) for values, start, kind in starts))
        self._order = column([*self._order, *range(known, known + more)], int)
        self.set_strengths([*self._strengths, *strengths])

    def leave(self, places: Collection[int]) -> None:
        """Those no longer stand in the table; their ratings stay as they left them."""
        self._order = self.engine.column([place for place in self._order if place not in places], int)

    def set_strengths(self, strengths: Sequence[float]) -> None:
        """The true strengths the table is measured by, from now on."""
        self._strengths = self.engine.column(strengths, float)

    def play(
        self, white: Sequence[int], black: Sequence[int], scores: Sequence[float], every: int = EVERY
    ) -> list[int]:
        """Rate the games; the disorder after every `every`th of them."""
        index = self.engine.column([0] * (len(white) // every), int)
        games = self._games(white, black, scores)
        self.normalised += self._play(
            self.rater.rate, self._columns, games, self.normalisation, self._order, self._strengths, every, index
        )
        return [int(value) for value in index]

    def trace(
        self, white: Sequence[int], black: Sequence[int], scores: Sequence[float], *, gaps: bool = False
    ) -> tuple[list[float], list[float], list[float]]:
        """Rate the games; of each: White's expected score before it (with `gaps`: White's rating minus Black's), and
        both ratings after it."""
        predict = self._gap if gaps else self.rater.predict
        traced = Traced(*(self.engine.column([0.0] * len(white), float) for _ in range(3)))
        self._trace(
            self.rater.rate, predict, self._columns, self._games(white, black, scores), self.normalisation, traced
        )
        expected, white_after, black_after = map(as_list, traced)
        return expected, white_after, black_after

    def _games(self, white: Sequence[int], black: Sequence[int], scores: Sequence[float]) -> Games:
        return Games(self._stream(white, int), self._stream(black, int), self._stream(scores, float))

    def _stream(self, values: Sequence[float], kind: type) -> Any:
        """Values from anywhere, as this table's engine takes them."""
        if self.engine.is_compiled:
            return numpy.asarray(values, dtype=kind)
        return values.tolist() if isinstance(values, numpy.ndarray) else values

    @property
    def ratings(self) -> list[float]:
        """Everybody's rating, by place."""
        return as_list(self._columns.ratings)

    @property
    def games(self) -> list[int]:
        """Everybody's games, by place."""
        return as_list(self._columns.games)

    def figures(self, place: int) -> tuple[float, float, float, int]:
        """One player's rating, second and third figure (`ratings.lab.vectorised`) and games."""
        ratings, second, third, games = self._columns
        return float(ratings[place]), float(second[place]), float(third[place]), int(games[place])

    @property
    def strengths(self) -> list[float]:
        return as_list(self._strengths)

    @property
    def order(self) -> list[int]:
        """The places, best first, as last sorted."""
        return as_list(self._order)

    def look(self) -> int:
        """Sort the table now; its disorder."""
        self._sort(self._order, self._columns.ratings)
        return int(self._disorder(self._order, self._strengths))
