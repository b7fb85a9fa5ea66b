"""Standard points: one for every round in which a player outscored his opponent, a half where they were equal, whatever
the point system.

Source: FIDE C.07 art. 7.7 (new in 2026). A round without a game is compared with what a draw brings.
"""

from fractions import Fraction

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Part, Rule, Worth
from tournaments.standings.tiebreaks.unplayed import Turn, turns_of

HALF = Fraction(1, 2)


class StandardPoints(Rule):
    base = "STD"
    name = marked("Standard points")
    rule = marked("1 for every round with more points than the opponent, ½ for equal points.")
    since = 2026

    def worth(self, player: int, contest: Contest) -> Worth | None:
        if contest.edition < self.since:
            return None
        turns = ((turn, _standard(turn, contest.points.draw)) for turn in turns_of(contest)[player])
        parts = tuple(Part(turn.round, turn.opponent, amount) for turn, amount in turns if amount)
        return Worth(sum((part.amount for part in parts), Fraction(0)), parts)


def _standard(turn: Turn, draw: int) -> Fraction:
    other = turn.against if turn.played else draw
    return Fraction(turn.points > other) + (HALF if turn.points == other else 0)
