"""Average of the opponents' perfect performances, rounded, halves upwards.

Source: FIDE C.07 art. 10.5.
"""

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Rule, Worth
from tournaments.standings.tiebreaks.over_the_board import all_rated, opponents_mean, perfect_performances


class AveragePerfectPerformance(Rule):
    base = "APPO"
    name = marked("Average perfect performance of opponents")
    rule = marked("Mean of the perfect performances of the opponents played.")
    by_rating = True

    def worth(self, player: int, contest: Contest) -> Worth | None:
        return opponents_mean(player, contest, perfect_performances(contest)) if all_rated(contest) else None
