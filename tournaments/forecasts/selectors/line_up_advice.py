"""Which line-up a captain might send: who may play, whom to expect, and the question put to the pure adviser.

Nothing is stored. The strengths are those of the list the event is rated in, each with its deviation.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _
from numpy.random import PCG64, Generator

from players.refusals import Refused
from tournaments.forecast.line_ups import LineUpAdvice, LineUpQuestion, advise_line_up
from tournaments.forecasts.selectors.strengths import priors_now
from tournaments.forecasts.selectors.team_matches import match_rule
from tournaments.models import Team, TeamPlayer
from tournaments.pairing.line_up_rules import Breach, Finding
from tournaments.teams.selectors.eligibility import Eligible, eligible_for
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts
from tournaments.teams.selectors.usual import squads_of, usual_line_up

MOST = 12  # of whom eight sit down: a second of work
SEED = 1
# What keeps somebody out, whatever board he sits on.
_OUT = frozenset({Breach.NOMINATED, Breach.TIED, Breach.ELSEWHERE, Breach.SAME_DAY})


@dataclass(frozen=True, slots=True)
class AdviceScene:
    """What a captain chooses from. `own`: who may play, in order of the list; `out`: who may not, each with why;
    `others`: the opponents' list; `expected`: whom they usually seat, from board 1 down."""

    eligible: Eligible
    own: tuple[TeamPlayer, ...]
    out: tuple[tuple[TeamPlayer, Finding], ...]
    others: tuple[TeamPlayer, ...]
    expected: tuple[TeamPlayer, ...]


def advice_scene(facts: TeamFacts, match: MatchFacts, team: Team) -> AdviceScene:
    """Of a match of the team's, with all matches of the event in the facts."""
    eligible = eligible_for(match.row, team, facts.rules)
    day = match.row.played_on or match.round.planned_on or timezone.localdate()
    other = match.row.away if match.row.home_id == team.pk else match.row.home
    others = squads_of(facts, day)[other.pk] if other is not None else []
    reasons = {row.pk: _out(eligible, row) for row in eligible.rows.values()}
    rows = sorted(eligible.rows.values(), key=lambda row: (row.reserve, row.place))
    return AdviceScene(
        eligible,
        tuple(row for row in rows if reasons[row.pk] is None),
        tuple((row, reason) for row in rows for reason in [reasons[row.pk]] if reason is not None),
        tuple(others),
        tuple(usual_line_up(facts, other, others)) if other is not None else (),
    )


def _out(eligible: Eligible, row: TeamPlayer) -> Finding | None:
    found = eligible.findings([row.entry.player.number])
    return next((each for each in found if each.breach in _OUT), None)


def advise(
    facts: TeamFacts,
    match: MatchFacts,
    team: Team,
    scene: AdviceScene,
    own: Sequence[int],
    expected: Sequence[int | None],
) -> LineUpAdvice:
    """The best few orders of those (keys of rows) against the expected opponents. Raises Refused, in words, where
    nobody is there, too many are, somebody is chosen who may not play, or no order changes anything."""
    here = [row for row in scene.own if row.pk in set(own)]
    against = _opponents(scene, expected, facts.rules.boards)
    if not here or len(here) < len(set(own)):
        raise Refused(_("Choose who is available, from the players on this page."))
    if len(here) > MOST:
        text = _("Players chosen: %(count)s. Orders are compared for at most %(most)s: leave some out.")
        raise Refused(text % {"count": len(here), "most": MOST})
    entries = [row.entry for row in [*here, *(row for row in against if row is not None)]]
    if len({entry.pk for entry in entries}) < len(entries):
        raise Refused(_("A player is expected on two boards: choose each once."))
    priors, rate = priors_now(facts.stage, entries)
    rule = match_rule(facts.rules, facts.event.scoring, rate)
    if rule is None:
        raise Refused(_("Line-ups are not compared where a drawn game is followed by an armageddon game."))
    if min(len(here), sum(row is not None for row in against)) < rule.minimum:
        raise Refused(_("One side has fewer players than a match needs: no order changes that."))
    question = LineUpQuestion(
        players=tuple(scene.eligible.squad[row.entry.player.number] for row in here),
        opponents=[None if row is None else row.entry.player.number for row in against],
        strengths=priors,
        order=scene.eligible.rule,
        match=rule,
        first_white=(match.row.first_white != "away") == (match.row.home_id == team.pk),
    )
    return advise_line_up(question, Generator(PCG64(SEED)))


def _opponents(scene: AdviceScene, expected: Sequence[int | None], boards: int) -> list[TeamPlayer | None]:
    """The rows of those keys by board. Raises Refused."""
    known = {row.pk: row for row in scene.others}
    if any(key is not None and key not in known for key in expected) or len(expected) > boards:
        raise Refused(_("Choose the opponents from the players on this page."))
    return [None if key is None else known[key] for key in expected]
