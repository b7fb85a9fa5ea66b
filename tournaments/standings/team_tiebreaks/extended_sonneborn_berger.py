"""Extended Sonneborn-Berger: an opponent's points in one score times the points taken from it in one score, summed.

The second letter of a code names the opponent's score, the third one's own: EMGSB is the opponent's match points times
the game points taken from it. Unplayed matches count by article 16 in both scores. Source: FIDE C.07 art. 13.2; a cut
leaves out the product of the opponent that is lowest in its own factor, of equal ones the lowest product (14.1.2).
"""

from dataclasses import replace
from typing import ClassVar

from clubrating.ground.marks import marked
from tournaments.standings.team_contest import TeamRule, of_teams
from tournaments.standings.tiebreaks.base import Contest, Worth
from tournaments.standings.tiebreaks.parts import cut_rounds, product_part, shown
from tournaments.standings.tiebreaks.unplayed import Meant, meant_rounds


class ExtendedSonnebornBerger(TeamRule):
    """What the four share: the scores `of_opponent` and `taken` ("MP", "GP")."""

    takes = "CP"
    of_opponent: ClassVar[str] = ""
    taken: ClassVar[str] = ""

    def worth(self, player: int, contest: Contest) -> Worth:
        opponents, own = (of_teams(contest).by_score(score) for score in (self.of_opponent, self.taken))
        scores, taken = (meant_rounds(one, self.modifiers.as_played)[player] for one in (opponents, own))
        rounds = [_product(score, points) for score, points in zip(scores, taken, strict=True)]
        cut = cut_rounds(rounds, self.modifiers.low, self.modifiers.high, lambda meant: meant.product)
        total = sum(meant.product for at, meant in enumerate(rounds) if at not in cut)
        unit = own.points.unit
        parts = (product_part(meant, opponents, cut=at in cut, taken_unit=unit) for at, meant in enumerate(rounds))
        return Worth(shown(total, opponents.points.unit * unit), tuple(parts))


def _product(score: Meant, points: Meant) -> Meant:
    """The same round with the points taken in the other score."""
    return replace(score, turn=replace(score.turn, points=points.turn.points))


class MatchByMatch(ExtendedSonnebornBerger):
    base = "EMMSB"
    name = marked("Sonneborn-Berger, match by match points")
    rule = marked("Match points of every opponent times the match points taken from it.")
    of_opponent, taken = "MP", "MP"


class MatchByGame(ExtendedSonnebornBerger):
    base = "EMGSB"
    name = marked("Sonneborn-Berger, match by game points")
    rule = marked("Match points of every opponent times the game points taken from it.")
    of_opponent, taken = "MP", "GP"


class GameByMatch(ExtendedSonnebornBerger):
    base = "EGMSB"
    name = marked("Sonneborn-Berger, game by match points")
    rule = marked("Game points of every opponent times the match points taken from it.")
    of_opponent, taken = "GP", "MP"


class GameByGame(ExtendedSonnebornBerger):
    base = "EGGSB"
    name = marked("Sonneborn-Berger, game by game points")
    rule = marked("Game points of every opponent times the game points taken from it.")
    of_opponent, taken = "GP", "GP"
