"""The values that rating systems and the replay exchange.

Two shapes cover every system. A *game rater* takes two players' states and one game and moves both at once. A *group
rater* takes all the games of a period (a day, a month, an event, everything) and the states at its start, and says
what the period does to each player when it is over. `ratings.systems.replay` drives both.

Ratings are unrounded floats; rounding is a rule of some systems and of display. Days are proleptic ordinals
(`date.toordinal()`), ages differences of calendar years. Nothing here reads a clock.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

# The least significant bits of an order key hold the sequence within a day; 2^40 is more games than anyone plays.
SEQUENCE_BITS = 40
FOREVER = 1 << 62  # an order key beyond every game, and a day beyond every day
AGE_UNKNOWN = 999  # older than any limit: whoever's year of birth is unknown is never a junior


def order_key(on: date, sequence: int) -> int:
    """(day, sequence) as one integer that sorts the same way."""
    return on.toordinal() << SEQUENCE_BITS | sequence


class Moment(NamedTuple):
    """A place in the order of replay."""

    on: date
    sequence: int = 0

    @property
    def order(self) -> int:
        return order_key(self.on, self.sequence)

    @classmethod
    def of(cls, order: int) -> "Moment":
        """The moment an order key stands for."""
        return cls(date.fromordinal(order >> SEQUENCE_BITS), order & ((1 << SEQUENCE_BITS) - 1))


class Handicap(NamedTuple):
    """What evens out a game of go: stones Black is given (0: an even game) and the points of komi White gets; None is
    the usual komi."""

    stones: int = 0
    komi: float | None = None


class PlayedGame(NamedTuple):
    """A rated game as the ledger needs it.

    `score` is White's: 1, ½ or 0. `order` is its order key, `rules_day` the day (ordinal) whose dated rules hold.
    `event` groups games where a system rates by the event (None: the day stands for it) and `closed` says that no
    more games of the event are to come. `importance` is a factor, `margin` the difference of points where known,
    `scores` White's and Black's points where the replay was handed both. `handicap`: only of games that are not even,
    and only where a list's system reads it (`RatingSystem.reads_handicap`).
    """

    game: int
    white: int
    black: int
    score: float
    order: int
    rules_day: int
    event: int | str | None = None
    closed: bool = True
    importance: float = 1.0
    margin: int | None = None
    scores: tuple[int, int] | None = None
    handicap: Handicap | None = None

    @property
    def day(self) -> int:
        """Day of the game, as an ordinal."""
        return self.order >> SEQUENCE_BITS

    @property
    def played_on(self) -> date:
        return date.fromordinal(self.order >> SEQUENCE_BITS)


@dataclass(frozen=True, slots=True)
class Start:
    """A starting rating as a fact: from `on` (before that day's games) `player` stands at `rating`, with the rated
    `games` he brings; None keeps the games the list has counted. `peak` is his best rating so far where it is known.
    `deviation`, `volatility`: for systems that know them. `k`: his K in this replay, whatever the rule says."""

    player: int
    on: date
    rating: float
    games: int | None = None
    peak: float | None = None
    deviation: float | None = None
    volatility: float | None = None
    k: float | None = None

    @property
    def order(self) -> int:
        return order_key(self.on, 0)


@dataclass(slots=True)
class Tally:
    """Wins, draws and losses."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, score: float) -> None:
        """Count one game by its score: 1, ½ or 0."""
        self.wins += score == 1.0
        self.draws += score == 0.5
        self.losses += score == 0.0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def half_points(self) -> int:
        return 2 * self.wins + self.draws


@dataclass(slots=True)
class PlayerState:
    """What a list knows of a player at one moment of the replay.

    `deviation`, `volatility` and `coefficient` belong to the systems that use them (None elsewhere, and until such a
    system has met the player). `fixed_k` overrules the K rule. `reached` is the order key at which the present rating
    was reached, `last_day` the day of the last game, `reentry` the games still to play on probation after a long
    absence.
    """

    rating: float
    games: int
    peak: float
    birth_year: int | None = None
    deviation: float | None = None
    volatility: float | None = None
    coefficient: float | None = None
    fixed_k: float | None = None
    wins: int = 0
    draws: int = 0
    losses: int = 0
    reached: int = 0
    last_day: int | None = None
    reentry: int = 0

    @property
    def last_played(self) -> date | None:
        return None if self.last_day is None else date.fromordinal(self.last_day)

    def age_on(self, year: int) -> int:
        """Age in whole calendar years in that year; AGE_UNKNOWN without a year of birth."""
        return AGE_UNKNOWN if self.birth_year is None else year - self.birth_year


class Side(NamedTuple):
    """One player's half of a game in the ledger: his whole state before it, what was expected, and what came of it.

    `expected`, `k` and `change` are None where the system does not rate this game for him or knows no such figure;
    `after` is None where he is not rated game by game.
    """

    before: float | None
    games: int = 0
    peak: float | None = None
    deviation: float | None = None
    volatility: float | None = None
    coefficient: float | None = None
    reached: int = 0
    last_day: int | None = None
    reentry: int = 0
    expected: float | None = None
    k: float | None = None
    change: float | None = None
    after: float | None = None


class RatedGame(NamedTuple):
    """A game with both sides rated: one row of the ledger, flat as it is written. `white` and `black` are its halves
    as `Side`s; every field between the first and the last is one of theirs. `pending`: rated with an event that is
    still running, so nobody's rating or record has moved yet."""

    played: PlayedGame
    white_before: float | None
    white_games: int
    white_peak: float | None
    white_deviation: float | None
    white_volatility: float | None
    white_coefficient: float | None
    white_reached: int
    white_last_day: int | None
    white_reentry: int
    white_expected: float | None
    white_k: float | None
    white_change: float | None
    white_after: float | None
    black_before: float | None
    black_games: int
    black_peak: float | None
    black_deviation: float | None
    black_volatility: float | None
    black_coefficient: float | None
    black_reached: int
    black_last_day: int | None
    black_reentry: int
    black_expected: float | None
    black_k: float | None
    black_change: float | None
    black_after: float | None
    pending: bool = False

    @property
    def white(self) -> Side:
        return Side._make(self[1:_BLACK_FROM])

    @property
    def black(self) -> Side:
        return Side._make(self[_BLACK_FROM:-1])

    @property
    def is_rated(self) -> bool:
        """Whether the game counts for at least one of the two."""
        return self.white_change is not None or self.white_expected is not None or self.black_expected is not None


_BLACK_FROM = 1 + len(Side._fields)


class Step(NamedTuple):
    """Everything that moves a rating and is not a game: `kind` as in the ledger's steps (start, event, period, fit,
    normalise). `player` is None for a step of the whole field. The values before it are the player's whole state;
    `before` is None for whom the list did not know. `after` is None where the player leaves the list."""

    kind: str
    order: int
    player: int | None
    before: float | None = None
    games: int = 0
    peak: float | None = None
    deviation: float | None = None
    volatility: float | None = None
    coefficient: float | None = None
    reached: int = 0
    last_day: int | None = None
    reentry: int = 0
    after: float | None = None
    factor: float | None = None


GameRow = RatedGame | Step


class Figures(NamedTuple):
    """What a game rater has to say of a game besides the new ratings: expected score and K of both sides."""

    white_expected: float | None = None
    white_k: float | None = None
    black_expected: float | None = None
    black_k: float | None = None


# Moves both states (rating and the system's own extras, nothing else) and returns the figures, or None where the
# system does not rate such a game (a draw, where it knows none): then it must have changed nothing. A plain tuple of
# four does for `Figures`.
GameRater = Callable[[PlayerState, PlayerState, PlayedGame], "tuple[float | None, ...] | None"]


@dataclass(frozen=True, slots=True)
class Odds:
    """Probabilities of one game, from one player's side. They add up to one."""

    win: float
    draw: float
    loss: float

    @property
    def expected(self) -> float:
        """The expected score they stand for."""
        return self.win + self.draw / 2.0


class Contribution(NamedTuple):
    """One side of a game that is rated with its period: what it was computed from and what it adds.
    All None: the game does not count for this player."""

    before: float | None = None
    expected: float | None = None
    k: float | None = None
    change: float | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """What a period does to one player once it is over.

    `change` is added to the rating he then has; `enters_at` puts him at a rating instead (a newcomer's first one, a
    fit), based on `games` games where that is known; `leaves` takes the rating away (he is unrated again). None leaves
    a value as it is.
    """

    change: float = 0.0
    deviation: float | None = None
    volatility: float | None = None
    enters_at: float | None = None
    games: int | None = None
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """The games of one period, in order, with the states at its start. `states` holds copies; whoever is missing in
    it is unrated. `day` is the day whose rules hold."""

    games: Sequence[PlayedGame]
    states: Mapping[int, PlayerState]
    birth_years: Mapping[int, int | None]
    day: int


@dataclass(frozen=True, slots=True)
class GroupRating:
    """`sides[i]` are White's and Black's contributions of `games[i]`; `moves` has everybody whose state changes."""

    sides: Sequence[tuple[Contribution, Contribution]]
    moves: Mapping[int, Move]


GroupRater = Callable[[Group], GroupRating]
# games in order, states (changed in place), years of birth, the starting ratings to come -> rows
StreamRater = Callable[[Iterable[PlayedGame], dict[int, PlayerState], Mapping[int, int | None], Any], Iterator[GameRow]]


class Period(StrEnum):
    """Which games are rated together, from the ratings before the first of them."""

    GAME = "game"
    DAY = "day"
    MONTH = "month"
    EVENT = "event"
    ALL = "all"


class Memory(StrEnum):
    """Where all that a system remembers of its players can be read back before a replay of the tail."""

    LEDGER = "ledger"  # each player's first row in the old tail holds his state before it
    FIELD = "field"  # steps of the whole field cannot be undone: an append needs everybody's current state
    HISTORY = "history"  # only the games themselves: the head is computed again, the tail is written


class Normalisation(NamedTuple):
    """As soon as anybody stands above `above`, every rating is multiplied by `factor`, but not below `floor`."""

    above: float
    factor: float
    floor: float
