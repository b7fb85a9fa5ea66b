"""Number of wins: rounds that brought as many points as a win, forfeit wins included.

Source: FIDE C.07 art. 7.1 (WIN).
"""

from fractions import Fraction

from tournaments.standings.crosstable import Crosstable
from tournaments.standings.points import PointSystem


class Wins:
    code = "WIN"
    name = "Wins"
    rule = "Games won, also without playing."

    def value(self, player: int, table: Crosstable, points: PointSystem) -> Fraction:
        won = sum(cell.decided and cell.points == points.win for cell in table[player].cells)
        return Fraction(won)
