"""Rounds one elected to play: all but half- and zero-point byes and forfeit losses.

Source: FIDE C.07 art. 7.6.
"""

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Rule, Worth
from tournaments.standings.tiebreaks.wins_counts import count_rounds


class RoundsElected(Rule):
    base = "REP"
    name = marked("Rounds elected to play")
    rule = marked("Rounds without half- and zero-point byes and forfeit losses.")

    def worth(self, player: int, contest: Contest) -> Worth:
        return count_rounds(player, contest, lambda turn: not turn.voluntary)
