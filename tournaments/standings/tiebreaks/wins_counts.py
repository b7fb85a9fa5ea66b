"""Tie-breaks that count rounds: one part a round, each adding one."""

from collections.abc import Callable
from fractions import Fraction

from tournaments.standings.tiebreaks.base import Contest, Part, Worth
from tournaments.standings.tiebreaks.unplayed import Turn, turns_of

ONE = Fraction(1)


def count_rounds(player: int, contest: Contest, counts: Callable[[Turn], bool]) -> Worth:
    """How many of the player's rounds count."""
    parts = tuple(Part(turn.round, turn.opponent, ONE) for turn in turns_of(contest)[player] if counts(turn))
    return Worth(Fraction(len(parts)), parts, "count")
