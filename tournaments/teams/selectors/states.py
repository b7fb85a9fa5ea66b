"""How far a match is, in words."""

from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from tournaments.models import TeamMatch
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts, was_absent


@dataclass(frozen=True, slots=True)
class State:
    """`words`: how far it is; `asks`: whether it waits for somebody to do something now; `done`: nothing is left."""

    words: str
    asks: bool = False
    done: bool = False


def state_of(facts: TeamFacts, match: MatchFacts, today: date) -> State:
    """How far a match is. What the arbiter decided comes first, then the boards, then the plan."""
    row = match.row
    if row.away_id is None:
        return State(_("no opponent"), done=True)
    if row.absent:
        return State(_absent_words(match), done=True)
    if row.ruled_home is not None:
        return State(_("decided by the arbiter"), done=True)
    if match.is_open:
        return _of_boards(match)
    due = row.played_on is not None and row.played_on <= today
    if row.postponed:
        return State(_("postponed, no new day yet"), asks=True)
    if match.line_ups:
        return State(_("line-ups: %(in)s of 2 are in") % {"in": len(match.line_ups)}, asks=due)
    return State(_("to be played") if row.played_on else _("no day yet"), asks=due)


def _of_boards(match: MatchFacts) -> State:
    if match.decided:
        return State(_("finished"), done=True)
    done = len(match.boards) - match.still_open
    return State(_("%(done)s of %(boards)s boards have a result") % {"done": done, "boards": len(match.boards)}, True)


def _absent_words(match: MatchFacts) -> str:
    row = match.row
    gone = [team for team in (row.home, row.away) if team is not None and team.left_before is not None]
    for team in gone:
        if was_absent(row, team.pk):
            return _("lost by default: “%(team)s” has left") % {"team": team.name}
    return str(TeamMatch.Absent(row.absent).label)
