"""Buchholz: the sum of the opponents' scores.

Source: FIDE C.07 art. 8.1, cuts and medians 14.1–14.4, unplayed rounds 16. Not for round robins, where it says nothing
that one's own score does not.
"""

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Rule, Worth
from tournaments.standings.tiebreaks.modifiers_cuts import cut_rounds
from tournaments.standings.tiebreaks.modifiers import Modifiers
from tournaments.standings.tiebreaks.base_parts import score_part, shown
from tournaments.standings.tiebreaks.unplayed import as_if_drawn, meant_rounds


class Buchholz(Rule):
    base = "BH"
    name = marked("Buchholz")
    rule = marked("Sum of the opponents’ points.")
    takes = "CMPF"
    round_robins = False

    def worth(self, player: int, contest: Contest) -> Worth:
        return opponents_scores(player, as_if_drawn(contest) if self.modifiers.fore else contest, self.modifiers)


def opponents_scores(player: int, contest: Contest, modifiers: Modifiers) -> Worth:
    """The sum of what the player's rounds count for, without what the modifiers cut."""
    rounds = meant_rounds(contest, modifiers.as_played)[player]
    cut = cut_rounds(rounds, modifiers.low, modifiers.high, lambda meant: meant.score)
    total = sum(meant.score for at, meant in enumerate(rounds) if at not in cut)
    parts = tuple(score_part(meant, contest, cut=at in cut) for at, meant in enumerate(rounds))
    return Worth(shown(total, contest.points.unit), parts)
