"""Tournament performance rating: the opponents' average and what the score stands for by FIDE's table.

Source: FIDE C.07 art. 10.2: ARO, rounded, and dp of the score in whole hundredths (table 8.1.1 of the Rating
Regulations). Not a title performance, which has floors of its own.
"""

from fractions import Fraction

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Part, Rule, Worth
from tournaments.standings.tiebreaks.over_the_board import (
    all_rated,
    games_of,
    opponents_parts,
    performances,
    table_gap,
)

BY_TABLE = marked("What the score stands for by FIDE’s table.")


class Performance(Rule):
    base = "TPR"
    name = marked("Tournament performance")
    rule = marked("Mean rating of the opponents played, and what the score against them stands for by FIDE’s table.")
    by_rating = True

    def worth(self, player: int, contest: Contest) -> Worth | None:
        if not all_rated(contest):
            return None
        games = games_of(player, contest)
        gap = Part(0, 0, Fraction(table_gap(games)), note=BY_TABLE)
        parts = (*opponents_parts(games, contest), gap) if games else ()
        return Worth(Fraction(performances(contest)[player]), parts, "table")
