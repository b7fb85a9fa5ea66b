"""The time players have: read as an arbiter types it, written as TRF26 has it in 222, and what it is for FIDE (pure).

Typed: periods apart by commas, each `minutes` or `minutes+seconds`, but for the last with `moves/` in front:
`90+30`, `40/90+30, 30+30`. Coded: the same in seconds, apart by colons: `5400+30`, `40/5400+30:1800+30`.

What counts is the time for 60 moves. Standard games need 60 minutes for each player, 90 where one of the two is rated
1800 or more, 120 from 2400 (FIDE B.02, 1.1); rapid is more than 10 and less than 60 minutes, blitz 3 to 10. Not done:
times that differ by colour, as for an armageddon game.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clubrating.ground.marks import marked

MOVES = 60
MOST_PERIODS = 4
_PERIOD = re.compile(r"(?:([1-9][0-9]{0,2})/)?([1-9][0-9]{0,2})(?:\+([0-9]{1,3}))?")
BLITZ_FROM, BLITZ_TO, RAPID_BELOW = 3 * 60, 10 * 60, 60 * 60
# Rating of the stronger of the two → seconds each of them must have for 60 moves.
STANDARD_NEEDS = ((2400, 120 * 60), (1800, 90 * 60), (0, 60 * 60))


@dataclass(frozen=True, slots=True)
class Period:
    """Seconds for so many moves (0: for all that are left), and seconds added with each."""

    moves: int
    seconds: int
    increment: int

    @property
    def coded(self) -> str:
        moves = f"{self.moves}/" if self.moves else ""
        return f"{moves}{self.seconds}" + (f"+{self.increment}" if self.increment else "")

    @property
    def typed(self) -> str:
        moves = f"{self.moves}/" if self.moves else ""
        return f"{moves}{self.seconds // 60}" + (f"+{self.increment}" if self.increment else "")


@dataclass(frozen=True, slots=True)
class RateOfPlay:
    """The periods of a game, the same for both players."""

    periods: tuple[Period, ...]

    @property
    def coded(self) -> str:
        """As in TRF26's line 222."""
        return ":".join(period.coded for period in self.periods)

    @property
    def typed(self) -> str:
        """As an arbiter types it."""
        return ", ".join(period.typed for period in self.periods)

    @property
    def seconds(self) -> int:
        """What a player has for 60 moves."""
        left, total = MOVES, 0
        for period in self.periods:
            moves = min(period.moves or left, left)
            total += period.seconds + moves * period.increment
            left -= moves
        return total


def read_rate(text: str) -> RateOfPlay:
    """The rate of play typed so. Raises ValueError with a marked sentence."""
    parts = [part.strip() for part in text.replace(";", ",").split(",")]
    found = [_PERIOD.fullmatch(part.replace(" ", "")) for part in parts]
    if not 0 < len(parts) <= MOST_PERIODS or not all(found):
        raise ValueError(
            marked("Write the rate of play as minutes + seconds a move, such as 90+30 or 40/90+30, 30+30.")
        )
    periods = [Period(int(each[1] or 0), int(each[2]) * 60, int(each[3] or 0)) for each in found if each]
    if periods[-1].moves or not all(period.moves for period in periods[:-1]):
        raise ValueError(marked("Every period but the last needs its number of moves: 40/90+30, 30+30."))
    return RateOfPlay(tuple(periods))


def rate_suits(rate: RateOfPlay, kind: str) -> bool:
    """Whether games of that rate can be rated as standard, rapid or blitz at all."""
    if kind == "blitz":
        return BLITZ_FROM <= rate.seconds <= BLITZ_TO
    if kind == "rapid":
        return BLITZ_TO < rate.seconds < RAPID_BELOW
    return rate.seconds >= STANDARD_NEEDS[-1][1]


def is_too_short(rate: RateOfPlay, ratings: Sequence[int]) -> bool:
    """Whether players with these ratings had too little time for a standard game that FIDE rates."""
    strongest = max(ratings, default=0)
    return rate.seconds < next(seconds for rating, seconds in STANDARD_NEEDS if strongest >= rating)
