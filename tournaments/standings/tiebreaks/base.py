"""What a tie-break is: a number for one player, read off the finished part of the crosstable; more is better."""

from fractions import Fraction
from typing import Protocol

from tournaments.standings.crosstable import Crosstable
from tournaments.standings.points import PointSystem


class Tiebreak(Protocol):
    """`code` is FIDE's, `name` the field's word, `rule` one sentence for the legend."""

    code: str
    name: str
    rule: str

    def value(self, player: int, table: Crosstable, points: PointSystem) -> Fraction:
        """The player's value, exact, in shown points (or a count). Raises KeyError for a player not in the table."""
        ...
