"""Score and schedule strength combination: the secondary score, and a share of the Buchholz.

S, the Buchholz on the score that decides, is divided by F = (rounds × a win's primary score ÷ the most a match can
bring in the secondary score), rounded down. Source: FIDE C.07 art. 13.4. Where F would be 0, as in the only round of an
event on many boards, it is 1: the article says nothing of it.
"""

from clubrating.ground.marks import marked
from tournaments.standings.team_contest import TeamContest, TeamRule, of_teams
from tournaments.standings.tiebreaks.base import Contest, Part, Worth
from tournaments.standings.tiebreaks.buchholz import opponents_scores
from tournaments.standings.tiebreaks.modifiers import PLAIN
from tournaments.standings.tiebreaks.parts import shown
from tournaments.standings.tiebreaks.unplayed import as_if_drawn

OTHER_SCORE = marked("The score that does not decide.")


class ScheduleStrength(TeamRule):
    base = "SSSC"
    name = marked("Score and schedule strength")
    rule = marked("The score that does not decide, and a share of the Buchholz on the one that does.")
    takes = "FK"
    round_robins = False

    def worth(self, player: int, contest: Contest) -> Worth:
        teams = of_teams(contest)
        share = shown(1, self.modifiers.divisor or usual_divisor(teams))
        strength = opponents_scores(player, as_if_drawn(contest) if self.modifiers.fore else contest, PLAIN)
        own = shown(teams.secondary.table[player].points, teams.secondary.points.unit)
        parts = (
            Part(part.round, part.opponent, part.amount * share, (part.amount, share), note=part.note)
            for part in strength.parts
        )
        return Worth(own + strength.number * share, (Part(0, 0, own, note=OTHER_SCORE), *parts))


def usual_divisor(contest: TeamContest) -> int:
    """F of the article, at least 1."""
    win, most = (shown(one.points.win, one.points.unit) for one in (contest, contest.secondary))
    return max(1, int(contest.rounds * win / most))
