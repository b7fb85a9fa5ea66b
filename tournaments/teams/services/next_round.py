"""The next round of a team Swiss or a knockout, from the rounds before it: proposed, looked at, made.

A bracket is not kept: it follows from the numbers of the teams, the settings and the seed of the lots. Who goes on from
a match follows from its boards, or from what the arbiter decided.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, time
from random import Random

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.refusals import Refused, Stale, said
from players.trail.services import write_audit
from tournaments.models import FirstWhite, Round, Team, TeamMatch, TieRule
from tournaments.pairing.base import Bracket, PairingError, Source
from tournaments.pairing.team_base import TeamBracket, TeamRounds
from tournaments.pairing.team_formats import team_format
from tournaments.pairing.team_knockout import TeamKnockout
from tournaments.pairing.team_swiss.field import TeamField
from tournaments.pairing.team_swiss.pairing import pair_teams
from tournaments.pairing.team_ties import BLACK, REPLAY, TieDecision, tie_winner
from tournaments.standings.team_event import BoardPoints
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts, team_facts
from tournaments.teams.services.rounds import Pair, lock_team_event, write_round


@dataclass(frozen=True, slots=True)
class TeamProposal:
    """The matches as the next round would have them; `slots`: of a bracket each one's place from top to bottom."""

    number: int
    of: int | None
    pairs: tuple[Pair, ...]
    slots: tuple[int, ...] = ()

    @property
    def seen(self) -> str:
        """What was looked at: the numbers of the teams."""
        return ",".join(f"{home.number}-{away.number if away else 0}" for home, away in self.pairs)


def propose_next(facts: TeamFacts) -> TeamProposal:
    """The next round. `facts` with drafts. Raises Refused where none can be made now."""
    system = team_format(facts.rules.format)
    last = facts.stage.rounds.order_by("number").last()
    if last is not None and last.state == Round.State.DRAFT:
        text = _("Round %(number)s is a draft: publish it, then the next can be made.")
        raise Refused(text % {"number": last.number})
    number = last.number + 1 if last else 1
    try:
        if isinstance(system, TeamRounds):
            return _swiss(facts, system, number)
        if isinstance(system, TeamBracket):
            return _knockout(facts, number)
    except PairingError as refusal:
        raise Refused(said(refusal)) from None
    raise Refused(_("All rounds of this format are made together."))


@transaction.atomic
def make_next_round(
    tournament_key: int,
    *,
    by: User | None,
    seen: str,
    day: date | None = None,
    at: time | None = None,
    publish: bool = False,
) -> Round:
    """Make the round that was looked at. Raises Stale where it would be another one by now, Refused."""
    tournament, stage, rules = lock_team_event(tournament_key)
    proposal = propose_next(team_facts(tournament, drafts=True))
    if proposal.seen != seen:
        raise Stale(_("Something changed meanwhile, and the round would be another one: look at it again."))
    row = write_round(stage, rules, proposal.number, proposal.pairs, day=day, at=at, publish=publish)
    matches = list(TeamMatch.objects.filter(round=row).order_by("number"))
    for match, slot in zip(matches, proposal.slots, strict=False):
        match.slot = slot
    if isinstance(team_format(rules.format), TeamRounds):
        for match in matches:  # the colours of board 1 are part of the pairing: nobody tosses
            match.first_white = match.first_white or FirstWhite.HOME
    TeamMatch.objects.bulk_update(matches, ["slot", "first_white"])
    write_audit("matches.made", tournament, by=by, after={"round": row.number, "matches": len(matches)})
    return row


# --- Swiss --------------------------------------------------------------------------------------------------------
def _swiss(facts: TeamFacts, system: TeamRounds, number: int) -> TeamProposal:
    settings = system.field_settings(facts.rules.settings)
    if number > settings["rounds"]:
        raise Refused(_("All %(rounds)s rounds are made.") % {"rounds": settings["rounds"]})
    _check_begun(facts)
    event, teams = facts.event, facts.by_number()
    present = frozenset(team.number for team in facts.teams if team.left_before is None)
    field = TeamField(
        teams=event.teams,
        present=present,
        meetings=event.meetings,
        byes=event.byes,
        round=number,
        scoring=event.scoring,
        penalties=event.penalties,
        **settings,
    )
    pairs = [(teams[pair.white], teams[pair.black] if pair.black else None) for pair in pair_teams(field)]
    if facts.rules.first_white == FirstWhite.AWAY:
        pairs = [(away, home) if away else (home, None) for home, away in pairs]
    return TeamProposal(number, settings["rounds"], tuple(pairs))


def _check_begun(facts: TeamFacts) -> None:
    """Open boards count as drawn for the pairing; a match that has not begun says nothing."""
    matches = (match for match in facts.matches if match.row.away_id)
    waiting = next((match for match in matches if not match.is_open and not match.decided), None)
    if waiting is not None:
        raise Refused(_("%(match)s has not begun: play it, or decide it on its page.") % {"match": _called(waiting)})


# --- knockout -----------------------------------------------------------------------------------------------------
def _knockout(facts: TeamFacts, number: int) -> TeamProposal:
    bracket = bracket_of(facts)
    rounds = max(match.round for match in bracket)
    if number > rounds:
        raise Refused(_("All %(rounds)s rounds are made.") % {"rounds": rounds})
    pairs: list[Pair] = []
    slots = []
    for match in bracket:
        if match.round == number:
            upper, lower = (_team_of(facts, bracket, source) for source in (match.upper, match.lower))
            home = upper or lower
            if home is not None:
                pairs.append((home, lower if upper else None))
                slots.append(match.slot)
    return TeamProposal(number, rounds, tuple(pairs), tuple(slots))


def bracket_of(facts: TeamFacts) -> Bracket:
    """All ties of the event. Lots follow from the event's key, so that they are drawn once. Raises PairingError."""
    system = team_format(facts.rules.format)
    if not isinstance(system, TeamBracket):
        raise Refused(_("Nobody goes on from this match: it is not one of a knockout."))
    lots = Random(facts.stage.lots_seed or facts.tournament.pk)
    return system.bracket(len(facts.teams), facts.rules.settings, lots)


def _team_of(facts: TeamFacts, bracket: Bracket, source: Source) -> Team | None:
    """Who comes into a line; None for nobody. Raises Refused where that is not decided."""
    if source.seed is not None:
        return facts.by_number()[source.seed]
    slot = next((match.slot for match in bracket if (match.round, match.board) == source.match), 0)
    place = (source.match[0] if source.match else 0, slot)
    found = next((match for match in facts.matches if (match.round.number, match.row.slot) == place), None)
    if found is None:
        return None
    winner, row = goes_on(facts, found), found.row
    if winner is None:
        text = _("%(match)s: it is not decided who goes on. Play it, or decide it on its page.")
        raise Refused(text % {"match": _called(found)})
    if not source.loser:
        return winner
    return row.away if winner.pk == row.home_id else row.home


def comes_into(facts: TeamFacts, bracket: Bracket, source: Source) -> Team | None:
    """Who comes into a line, as far as that is known."""
    try:
        return _team_of(facts, bracket, source)
    except Refused:
        return None


def goes_on(facts: TeamFacts, match: MatchFacts) -> Team | None:
    """Who goes on from a match of a knockout; None where that is not decided."""
    row = match.row
    if row.advanced_id is not None or row.away_id is None:
        return facts.team(row.advanced_id or row.home_id)
    if match.match_points is not None and match.match_points[0] != match.match_points[1]:
        return row.home if match.match_points[0] > match.match_points[1] else row.away
    decision = level_match(facts, match)
    return {1: row.home, 2: row.away}.get(decision.winner) if decision else None


def level_match(facts: TeamFacts, match: MatchFacts) -> TieDecision | None:
    """What decides a match with equal match points; None while it is open, and where its boards say nothing: also where
    the arbiter awarded game points, for nobody says on which boards they were won."""
    system, awarded = team_format(facts.rules.format), match.row.ruled_home_games is not None
    if not match.decided or not match.boards or awarded or not isinstance(system, TeamKnockout):
        return None
    rule = replace(
        system.tie_rule(facts.rules.settings), last=BLACK if facts.rules.tie_rule == TieRule.BLACK else REPLAY
    )
    points = facts.event.scoring.points
    white = match.row.first_white != FirstWhite.AWAY
    return tie_winner(list(_boards(facts, match)), rule, first_has_white=white, points=points)


def _boards(facts: TeamFacts, match: MatchFacts) -> Iterable[BoardPoints]:
    """Of the home team and the guests."""
    return (board.points(facts.event.scoring.points) for board in match.boards)


def _called(match: MatchFacts) -> str:
    return f"{match.row.home} – {match.row.away}"
