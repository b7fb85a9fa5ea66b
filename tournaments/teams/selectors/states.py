"""How far a match is, in words."""

from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from tournaments.models import TeamMatch
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts, was_absent
from tournaments.teams.selectors.matches import MatchState, state_of_match


@dataclass(frozen=True, slots=True)
class State:
    """`words`: how far it is; `asks`: whether it waits for somebody to do something now; `done`: nothing is left."""

    words: str
    asks: bool = False
    done: bool = False


def state_of(facts: TeamFacts, match: MatchFacts, today: date) -> State:
    """How far a match is (`state_of_match`), as its arbiter reads it."""
    row, state = match.row, state_of_match(match)
    due = row.played_on is not None and row.played_on <= today
    done = len(match.boards) - match.still_open
    results = _("%(done)s of %(boards)s boards have a result") % {"done": done, "boards": len(match.boards)}
    planned = _("to be played") if row.played_on else _("no day yet")
    said = {
        MatchState.BYE: State(_("no opponent"), done=True),
        MatchState.RULED: State(_("decided by the arbiter"), done=True),
        MatchState.DEFAULTED: State(_absent_words(match) if row.absent else "", done=True),
        MatchState.FINISHED: State(_("finished"), done=True),
        MatchState.PLAYING: State(results, asks=True),
        MatchState.READY: State(results, asks=True),
        MatchState.POSTPONED: State(_("postponed, no new day yet"), asks=True),
        MatchState.LINE_UPS: State(_("line-ups: %(in)s of 2 are in") % {"in": len(match.line_ups)}, asks=due),
        MatchState.PLANNED: State(planned, asks=due),
    }
    return said[state]


def _absent_words(match: MatchFacts) -> str:
    row = match.row
    gone = [team for team in (row.home, row.away) if team is not None and team.left_before is not None]
    for team in gone:
        if was_absent(row, team.pk):
            return _("lost by default: “%(team)s” has left") % {"team": team.name}
    return str(TeamMatch.Absent(row.absent).label)
