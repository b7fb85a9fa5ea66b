"""Matches as the pages show them: how far each is, what it was to each side, which are next, who will miss them.

No query but where it is said.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from django.db.models import Q

from tournaments.models import AbsenceNotice, Entry, Round, Team, TeamMatch, TeamPlayer
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts, all_team_facts
from tournaments.teams.selectors.lists import is_listed

WEEK = timedelta(days=7)


class MatchState(StrEnum):
    """How far a match is."""

    BYE = "bye"
    DEFAULTED = "defaulted"
    RULED = "ruled"
    FINISHED = "finished"
    PLAYING = "playing"  # a board has its result
    READY = "ready"  # the boards are made
    POSTPONED = "postponed"  # no new day is agreed
    LINE_UPS = "line-ups"  # a side handed its own in
    PLANNED = "planned"


def state_of_match(match: MatchFacts) -> MatchState:
    """How far the match is; a ruling stands above the boards."""
    row = match.row
    if row.away_id is None and row.bye:
        return MatchState.BYE
    if row.ruled_home is not None:
        return MatchState.RULED
    if row.absent:
        return MatchState.DEFAULTED
    if match.decided:
        return MatchState.FINISHED
    if match.is_open:
        begun = any(board.game is not None and board.decided for board in match.boards)
        return MatchState.PLAYING if begun else MatchState.READY
    if row.postponed:
        return MatchState.POSTPONED
    return MatchState.LINE_UPS if match.line_ups else MatchState.PLANNED


def has_score(match: MatchFacts) -> bool:
    """Whether its boards, who did not come, or the arbiter make a score: a match that nobody began is no 0 : 0."""
    if match.row.absent or (match.row.ruled_home is not None and match.row.ruled_home_games is not None):
        return True
    return match.is_open and (match.decided or state_of_match(match) != MatchState.READY)


# --- one side's view ----------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Outcome:
    """A match as a team sees it: `own` and `other` are game points, `match_points` its own in half-points, None while
    the match is open. `kind`: "won", "drawn", "lost", "open" or "bye"."""

    match: MatchFacts
    at_home: bool
    opponent: Team | None
    own: int
    other: int
    match_points: int | None
    kind: str


def outcomes_of(facts: TeamFacts, team: Team) -> tuple[Outcome, ...]:
    """The team's matches and byes, in order of rounds."""
    own = (match for match in facts.matches if team.pk in (match.row.home_id, match.row.away_id))
    return tuple(outcome_of(facts, match, team) for match in own)


def outcome_of(facts: TeamFacts, match: MatchFacts, team: Team) -> Outcome:
    """What a match is to one of its teams."""
    row, at_home = match.row, match.row.home_id == team.pk
    if row.away_id is None and row.bye:
        bye = next(
            (bye for bye in facts.event.byes if (bye.round, bye.team) == (match.round.number, team.number)), None
        )
        points = (bye.game_points, bye.match_points) if bye else (0, 0)
        return Outcome(match, at_home, None, points[0], 0, points[1], "bye")
    own, other = match.game_points if at_home else match.game_points[::-1]
    opponent = facts.team(row.away_id if at_home else row.home_id)
    if match.match_points is None:
        return Outcome(match, at_home, opponent, own, other, None, "open")
    mine, theirs = match.match_points if at_home else match.match_points[::-1]
    kind = ("lost", "drawn", "won")[facts.event.scoring.halves(mine, theirs)]
    return Outcome(match, at_home, opponent, own, other, mine, kind)


# --- what is next -------------------------------------------------------------------------------------------------
def current_round(facts: TeamFacts) -> Round | None:
    """The round people ask for: the first with a match that is not decided, else the last."""
    meetings = [match for match in facts.matches if match.row.away_id is not None]
    waiting = [match for match in meetings if not match.decided and not match.row.postponed]
    return waiting[0].round if waiting else meetings[-1].round if meetings else None


def next_matches(facts: TeamFacts, today: date) -> list[MatchFacts]:
    """The matches of the coming seven days that are not decided; where none has a day in it, those of the round that
    is next."""
    waiting = [match for match in facts.matches if match.row.away_id is not None and not match.decided]
    week = [match for match in waiting if match.row.played_on and today <= match.row.played_on < today + WEEK]
    row = current_round(facts)
    return week or [match for match in waiting if row is not None and match.round.pk == row.pk]


def next_match(facts: TeamFacts, team: Team) -> MatchFacts | None:
    """The team's next match: not decided, the earliest day first."""
    own = [one for one in outcomes_of(facts, team) if one.kind == "open"]
    waiting = sorted(own, key=lambda one: (one.match.row.played_on or date.max, one.match.round.number))
    return waiting[0].match if waiting else None


@dataclass(frozen=True, slots=True)
class Missing:
    """Somebody on a team's list who will not play a match: gave notice for its round, or `withdrew`."""

    match: MatchFacts
    team: Team
    entry: Entry
    withdrew: bool


def missing_from(facts: TeamFacts, matches: Sequence[MatchFacts]) -> list[Missing]:
    """Who of the teams' lists will miss those matches. Two queries at most."""
    if not matches:
        return []
    sides = {key for match in matches for key in (match.row.home_id, match.row.away_id) if key is not None}
    listed = TeamPlayer.objects.filter(team__in=sides).select_related("entry__player").order_by("team__number", "place")
    rounds = {match.round.number for match in matches}
    notices = AbsenceNotice.objects.filter(entry__tournament=facts.tournament, round_number__in=rounds)
    told = set(notices.values_list("entry", "round_number"))
    rows = list(listed)
    return [
        Missing(match, team, row.entry, row.entry.withdrawn)
        for match in matches
        for team in (match.row.home, match.row.away)
        for row in rows
        if team is not None and row.team_id == team.pk and is_listed(row, match.row.played_on or match.round.planned_on)
        if row.entry.withdrawn or (row.entry_id, match.round.number) in told
    ]


# --- of the whole club --------------------------------------------------------------------------------------------
def matches_on(day: date) -> list[tuple[TeamFacts, MatchFacts]]:
    """The matches planned for a day in all events, each with its event's facts. One query where there are none, ten
    else."""
    planned = TeamMatch.objects.filter(played_on=day, away__isnull=False).exclude(round__state=Round.State.DRAFT)
    events = sorted(set(planned.values_list("round__stage__tournament", flat=True)))
    if not events:
        return []
    found = all_team_facts(events)
    return [(facts, match) for facts in found.values() for match in matches_of_day(facts, day)]


def matches_of_day(facts: TeamFacts, day: date) -> Iterable[MatchFacts]:
    """The event's matches planned for a day."""
    return (match for match in facts.matches if match.row.away_id is not None and match.row.played_on == day)


def open_rounds_of_teams(tournament: int) -> set[int]:
    """Numbers of the public rounds of a team event with a match whose boards are not made, and that is not decided.
    One query."""
    rows = TeamMatch.objects.filter(round__stage__tournament=tournament, home__isnull=False, away__isnull=False)
    waiting = rows.filter(Q(boards=None), absent="", ruled_home=None).exclude(round__state=Round.State.DRAFT)
    return set(waiting.values_list("round__number", flat=True))
