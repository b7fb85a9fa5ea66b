"""The steps of a team event as its page in the administration shows them."""

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.events.admin.workflow import Step
from tournaments.models import Tournament
from tournaments.teams.admin.forms import format_words
from tournaments.teams.selectors.checklist import checklist_of
from tournaments.teams.selectors.facts import TeamFacts, team_facts


def team_steps(tournament: Tournament) -> list[Step]:
    """From the rules to the end."""
    facts = team_facts(tournament, drafts=True)
    at = {
        name: reverse(f"admin:tournaments_tournament_{name}", args=[tournament.pk])
        for name in ("teams", "matches", "team_rules", "close")
    }
    teams, rounds = len(facts.teams), {match.round.pk for match in facts.matches}
    state = ngettext("%(count)s team", "%(count)s teams", teams) % {"count": teams} if teams else _("none yet")
    made = ngettext("%(count)s round", "%(count)s rounds", len(rounds)) % {"count": len(rounds)}
    first = Step(_("Rules"), format_words(facts.rules), True, at["team_rules"], _("Rules of the teams"))
    return [
        first,
        Step(_("Teams"), state, teams > 1, at["teams"], _("Enter teams and players"), asks=teams < 2),
        Step(
            _("Matches"),
            made if rounds else _("not made"),
            bool(rounds),
            at["matches"],
            _("See the matches") if rounds else _("Make the matches"),
            asks=teams > 1 and not rounds,
        ),
        *_played(facts, at["matches"]),
        *_end(facts, at["close"]),
    ]


def _played(facts: TeamFacts, to_matches: str) -> list[Step]:
    meetings = [match for match in facts.matches if match.row.away_id]
    if not meetings:
        return []
    done = sum(match.decided for match in meetings)
    state = _("%(done)s of %(all)s are over") % {"done": done, "all": len(meetings)}
    over, late = done == len(meetings), checklist_of(facts, lambda _match: 0, timezone.now())
    words = " ".join([state, *(f"· {line.words} {len(line.matches) + line.more}" for line in late)])
    return [Step(_("Results"), words, over, to_matches, _("See the matches"), asks=not over)]


def _end(facts: TeamFacts, to_close: str) -> list[Step]:
    if facts.tournament.closed:
        return [Step(_("The end"), _("closed"), True, to_close, _("Open the event again"))]
    if not facts.matches or not all(match.decided for match in facts.matches if match.row.away_id):
        return []
    return [Step(_("The end"), _("every result is in"), False, to_close, _("Close the event"), asks=True)]
