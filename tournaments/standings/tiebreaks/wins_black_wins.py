"""Games won with Black, over the board only.

Source: FIDE C.07 art. 7.4.
"""

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Rule, Worth
from tournaments.standings.tiebreaks.wins_counts import count_rounds


class BlackWins(Rule):
    base = "BWG"
    name = marked("Wins with Black")
    rule = marked("Games won over the board with Black.")

    def worth(self, player: int, contest: Contest) -> Worth:
        win = contest.points.win
        return count_rounds(player, contest, lambda turn: turn.played and not turn.is_white and turn.points == win)
