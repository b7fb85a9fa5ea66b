"""Average of the opponents' Buchholz, over the games played over the board.

Source: FIDE C.07 art. 8.2; not rounded, since the article says nothing of rounding.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Part, Rule, Worth
from tournaments.standings.tiebreaks.base_parts import shown
from tournaments.standings.tiebreaks.unplayed import as_if_drawn, meant_rounds, turns_of


class AverageBuchholz(Rule):
    base = "AOB"
    name = marked("Average of opponents’ Buchholz")
    rule = marked("Mean of the Buchholz of the opponents played over the board.")
    takes = "F"
    round_robins = False

    def worth(self, player: int, contest: Contest) -> Worth:
        sums = buchholz_sums(as_if_drawn(contest) if self.modifiers.fore else contest)
        turns, unit = [turn for turn in turns_of(contest)[player] if turn.played], contest.points.unit
        parts = tuple(Part(turn.round, turn.opponent, shown(sums[turn.opponent], unit)) for turn in turns)
        total = sum(sums[turn.opponent] for turn in turns)
        return Worth(Fraction(total, unit * len(turns)) if turns else Fraction(0), parts, "mean")


@lru_cache(maxsize=32)
def buchholz_sums(contest: Contest) -> Mapping[int, int]:
    """Everybody's Buchholz in the smallest unit."""
    return {player: sum(meant.score for meant in rounds) for player, rounds in meant_rounds(contest).items()}
