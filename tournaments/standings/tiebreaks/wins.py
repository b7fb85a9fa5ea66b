"""Number of wins: rounds that brought as many points as a win, forfeit wins and byes included.

Source: FIDE C.07 art. 7.1.
"""

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Rule, Worth
from tournaments.standings.tiebreaks.wins_counts import count_rounds


class Wins(Rule):
    base = "WIN"
    name = marked("Wins")
    rule = marked("Rounds with the points of a win, also without playing.")

    def worth(self, player: int, contest: Contest) -> Worth:
        return count_rounds(player, contest, lambda turn: turn.points == contest.points.win)
