"""Games won over the board: forfeit wins and byes do not count.

Source: FIDE C.07 art. 7.2.
"""

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Rule, Worth
from tournaments.standings.tiebreaks.wins_counts import count_rounds


class GamesWon(Rule):
    base = "WON"
    name = marked("Games won")
    rule = marked("Games won over the board.")

    def worth(self, player: int, contest: Contest) -> Worth:
        return count_rounds(player, contest, lambda turn: turn.played and turn.points == contest.points.win)
