"""Tie-breaks by performance ratings: TPR, APRO, PTP and APPO.

- Tournament performance rating: the opponents' average (ARO), rounded, and what the score stands for by FIDE's table:
  dp of the score in whole hundredths (table 8.1.1 of the Rating Regulations). FIDE C.07 art. 10.2. Not a title
  performance, which has floors of its own.
- Average of the opponents' tournament performances, rounded, halves upwards. Art. 10.4.
- Perfect tournament performance: the lowest rating whose expected score against the opponents is the score made.
  Art. 10.3, with table 8.1.2 of the Rating Regulations and the real differences, however large; without a point, 800
  below the lowest opponent.
- Average of the opponents' perfect performances, rounded, halves upwards. Art. 10.5.
"""

from fractions import Fraction

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Part, Rule, Worth
from tournaments.standings.tiebreaks.over_the_board import (
    all_rated,
    games_of,
    opponents_mean,
    opponents_parts,
    perfect_performances,
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


class AveragePerformance(Rule):
    base = "APRO"
    name = marked("Average performance of opponents")
    rule = marked("Mean of the tournament performances of the opponents played.")
    by_rating = True

    def worth(self, player: int, contest: Contest) -> Worth | None:
        return opponents_mean(player, contest, performances(contest)) if all_rated(contest) else None


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


class AveragePerfectPerformance(Rule):
    base = "APPO"
    name = marked("Average perfect performance of opponents")
    rule = marked("Mean of the perfect performances of the opponents played.")
    by_rating = True

    def worth(self, player: int, contest: Contest) -> Worth | None:
        return opponents_mean(player, contest, perfect_performances(contest)) if all_rated(contest) else None
