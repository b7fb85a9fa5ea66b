"""Progressive score: the sum of the scores after every round, byes included.

Source: FIDE C.07 art. 7.5; the cut leaves out the score after round 1, then after round 2 (14.1.1).
"""

from itertools import accumulate

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Part, Rule, Worth
from tournaments.standings.tiebreaks.parts import shown
from tournaments.standings.tiebreaks.unplayed import turns_of


class Progressive(Rule):
    base = "PS"
    name = marked("Progressive score")
    rule = marked("Sum of the points after every round.")
    takes = "C"
    scored = True

    def worth(self, player: int, contest: Contest) -> Worth:
        turns = turns_of(contest)[player]
        rounds = max(contest.rounds, *(turn.round for turn in turns), 0)
        gained, opponents = [0] * rounds, [0] * rounds
        for turn in turns:
            gained[turn.round - 1] += turn.points
            opponents[turn.round - 1] = turn.opponent
        low, unit = self.modifiers.low, contest.points.unit
        scores = list(accumulate(gained))
        parts = tuple(Part(at + 1, opponents[at], shown(score, unit), cut=at < low) for at, score in enumerate(scores))
        return Worth(shown(sum(scores[low:]), unit), parts)
