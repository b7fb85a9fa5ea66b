"""Pairing number, the lower the better: a last resort in place of a drawing of lots.

Source: FIDE C.07 art. 7.8 (new in 2026); /R turns it round.
"""

from fractions import Fraction

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Rule, Worth


class PairingNumber(Rule):
    base = "TPN"
    name = marked("Pairing number")
    rule = marked("The lower pairing number comes first.")
    takes = "R"
    low_first = True

    def worth(self, player: int, contest: Contest) -> Worth:
        return Worth(Fraction(contest.table[player].player), how="number")
