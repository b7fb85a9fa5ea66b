"""Games played with Black, over the board only.

Source: FIDE C.07 art. 7.3; forfeits are unplayed rounds here in a round robin too (15.2).
"""

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Rule, Worth
from tournaments.standings.tiebreaks.wins_counts import count_rounds


class BlackGames(Rule):
    base = "BPG"
    name = marked("Games with Black")
    rule = marked("Games played over the board with Black.")

    def worth(self, player: int, contest: Contest) -> Worth:
        return count_rounds(player, contest, lambda turn: turn.played and not turn.is_white)
