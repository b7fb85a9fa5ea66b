"""Sonneborn-Berger: each opponent's points times the points taken from him, summed.

Source: FIDE C.07 art. 9.1; in a round robin forfeited games count like games (art. 15).
Not done here: the Swiss's unplayed rounds (art. 16) and the cuts.
"""

from fractions import Fraction

from tournaments.standings.crosstable import Crosstable
from tournaments.standings.points import PointSystem


class SonnebornBerger:
    code = "SB"
    name = "Sonneborn-Berger"
    rule = "Points of every opponent times the points taken from him."

    def value(self, player: int, table: Crosstable, points: PointSystem) -> Fraction:
        total = sum(cell.points * table[cell.opponent].points for cell in table[player].cells)
        return Fraction(total, points.unit * points.unit)
