"""Sonneborn-Berger: each opponent's points times the points taken from him, summed.

Source: FIDE C.07 art. 9.1; cuts 14.1.1 (the product of the lowest opponent) and 16.5; unplayed rounds by article 16 in
a Swiss, in a round robin forfeited games count like games (15.2).
"""

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Rule, Worth
from tournaments.standings.tiebreaks.modifiers_cuts import cut_rounds
from tournaments.standings.tiebreaks.base_parts import product_part, shown
from tournaments.standings.tiebreaks.unplayed import meant_rounds


class SonnebornBerger(Rule):
    base = "SB"
    name = marked("Sonneborn-Berger")
    rule = marked("Points of every opponent times the points taken from him.")
    takes = "CMP"

    def worth(self, player: int, contest: Contest) -> Worth:
        rounds = meant_rounds(contest, self.modifiers.as_played)[player]
        cut = cut_rounds(rounds, self.modifiers.low, self.modifiers.high, lambda meant: meant.product)
        total = sum(meant.product for at, meant in enumerate(rounds) if at not in cut)
        parts = tuple(product_part(meant, contest, cut=at in cut) for at, meant in enumerate(rounds))
        return Worth(shown(total, contest.points.unit**2), parts)
