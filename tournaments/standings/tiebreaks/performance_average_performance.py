"""Average of the opponents' tournament performances, rounded, halves upwards.

Source: FIDE C.07 art. 10.4.
"""

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Rule, Worth
from tournaments.standings.tiebreaks.over_the_board import all_rated, opponents_mean, performances


class AveragePerformance(Rule):
    base = "APRO"
    name = marked("Average performance of opponents")
    rule = marked("Mean of the tournament performances of the opponents played.")
    by_rating = True

    def worth(self, player: int, contest: Contest) -> Worth | None:
        return opponents_mean(player, contest, performances(contest)) if all_rated(contest) else None
