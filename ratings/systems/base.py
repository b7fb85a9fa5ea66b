"""What a rating system is: from two players' states before a game and its score to both sides after it.

Ratings are unrounded floats; rounding belongs to display. Dates are arguments: nothing here reads a clock.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, Protocol

# The least significant bits of an order key hold the sequence within a day; 2^40 is more games than anyone plays.
_SEQUENCE_BITS = 40


def order_key(on: date, sequence: int) -> int:
    """(day, sequence) as one integer that sorts the same way."""
    return on.toordinal() << _SEQUENCE_BITS | sequence


class Moment(NamedTuple):
    """A place in the order of replay."""

    on: date
    sequence: int = 0

    @property
    def order(self) -> int:
        return order_key(self.on, self.sequence)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A rated game as the ledger needs it. `score` is White's: 1, ½ or 0. `rules_on` decides which dated rules hold."""

    game: int
    white: int
    black: int
    score: float
    played_on: date
    sequence: int
    rules_on: date

    @property
    def order(self) -> int:
        return order_key(self.played_on, self.sequence)


@dataclass(frozen=True, slots=True)
class Start:
    """A starting rating as a fact: from `on` (before that day's games) `player` stands at `rating`, with the rated
    `games` he brings; None keeps the games the list has counted. `peak` is his best rating so far where it is known."""

    player: int
    on: date
    rating: float
    games: int | None = None
    peak: float | None = None

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
    """What a list knows of a player at one moment of the replay. `reached` is the order key at which the present
    rating was reached (None: not known here, see `ratings.services.ledger`)."""

    rating: float
    games: int
    peak: float
    birth_year: int | None = None
    wins: int = 0
    draws: int = 0
    losses: int = 0
    reached: int | None = None
    last_played: date | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """One player's half of a rated game: the state before, what was expected, and what came of it."""

    before: float
    games: int
    peak: float
    expected: float
    k: float
    change: float
    after: float


class RatingSystem(Protocol):
    """One system. `read_settings` turns stored settings into the system's own frozen type."""

    key: str
    name: str

    def read_settings(self, raw: Mapping[str, Any]) -> Any:
        """Settings with defaults filled in. Raises ValueError naming the setting that is wrong."""
        ...

    def start(self, settings: Any) -> float:
        """The rating of a player never seen before."""
        ...

    def rate(self, white: PlayerState, black: PlayerState, score: float, on: date, settings: Any) -> tuple[Side, Side]:
        """Both sides of one game, from the states before it. Changes nothing."""
        ...
