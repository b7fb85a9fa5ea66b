"""Fore Buchholz: Buchholz as if all games paired in the last round had been drawn.

Source: FIDE C.07 art. 8.3. The last round is the last one that counts; an unplayed game of it counts as drawn too.
"""

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Rule, Worth
from tournaments.standings.tiebreaks.buchholz import opponents_scores
from tournaments.standings.tiebreaks.unplayed import as_if_drawn


class ForeBuchholz(Rule):
    base = "FB"
    name = marked("Fore Buchholz")
    rule = marked("Buchholz as if all games of the last round had been drawn.")
    takes = "CMP"
    round_robins = False

    def worth(self, player: int, contest: Contest) -> Worth:
        return opponents_scores(player, as_if_drawn(contest), self.modifiers)
