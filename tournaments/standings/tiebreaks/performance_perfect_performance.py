"""Perfect tournament performance: the lowest rating whose expected score against the opponents is the score made.

Source: FIDE C.07 art. 10.3, with table 8.1.2 of the Rating Regulations and the real differences, however large; without
a point, 800 below the lowest opponent.
"""

from fractions import Fraction

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Rule, Worth
from tournaments.standings.tiebreaks.over_the_board import all_rated, games_of, opponents_parts, perfect_performances


class PerfectPerformance(Rule):
    base = "PTP"
    name = marked("Perfect performance")
    rule = marked("The lowest rating from which the score against the opponents played was to be expected.")
    by_rating = True

    def worth(self, player: int, contest: Contest) -> Worth | None:
        if not all_rated(contest):
            return None
        parts = opponents_parts(games_of(player, contest), contest)
        return Worth(Fraction(perfect_performances(contest)[player]), parts, "table")
