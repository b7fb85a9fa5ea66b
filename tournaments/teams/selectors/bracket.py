"""The bracket of a knockout of teams as it is drawn: rounds as columns, ties in pairs whose winners meet. No query.

It follows from the teams’ numbers and the settings, so that rounds to come are drawn too, with whoever has come so far.
"""

from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from tournaments.knockouts.selectors.brackets import Feed
from tournaments.models import Team
from tournaments.pairing.base import Bracket, Match
from tournaments.pairing.knockout import round_name
from tournaments.pairing.team_base import Kind
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts, kind_of
from tournaments.teams.selectors.matches import MatchState, has_score, state_of_match
from tournaments.teams.services.next_round import bracket_of, comes_into, goes_on, level_match

WIDE = 4  # more columns than a page is broad


@dataclass(frozen=True, slots=True)
class TieLine:
    """One line of a tie: the team (None: to come), its game points (None: no score yet), whether it goes on."""

    team: Team | None
    points: int | None
    advanced: bool
    is_out: bool


@dataclass(frozen=True, slots=True)
class DrawnTie:
    """A tie as it is drawn; `match` is None before its round is made. `how`: what decided it, where its boards were
    level or not played."""

    key: int
    match: MatchFacts | None
    lines: tuple[TieLine, ...]
    how: str
    is_bye: bool
    is_last: bool

    @property
    def is_current(self) -> bool:
        return self.match is not None and state_of_match(self.match) == MatchState.PLAYING


@dataclass(frozen=True, slots=True)
class TiePair:
    """The ties whose winners meet; one alone in the final. `feeds` is the tie they meet in."""

    matches: tuple[DrawnTie, ...]
    feeds: Feed | None


@dataclass(frozen=True, slots=True)
class TieRound:
    """A column of the bracket. `name` as in `knockout.round_name`."""

    number: int
    name: str
    day: date | None
    pairs: tuple[TiePair, ...]
    third: DrawnTie | None


@dataclass(frozen=True, slots=True)
class TeamBracket:
    """The whole bracket; no rounds while nothing is drawn, and where rounds were made by hand."""

    rounds: tuple[TieRound, ...] = ()

    @property
    def is_wide(self) -> bool:
        return len(self.rounds) > WIDE


def drawn_bracket(facts: TeamFacts) -> TeamBracket:
    """The bracket of the event; empty where it has none."""
    if not has_bracket(facts):
        return TeamBracket()
    bracket = bracket_of(facts)
    rounds = max(tie.round for tie in bracket)
    return TeamBracket(tuple(_round(facts, bracket, number, rounds) for number in range(1, rounds + 1)))


def has_bracket(facts: TeamFacts) -> bool:
    """Whether it is a knockout with rounds, all of them of its bracket."""
    if kind_of(facts.rules) is not Kind.BRACKET or not facts.matches:
        return False
    return all(match.row.slot is not None for match in facts.matches)


def _round(facts: TeamFacts, bracket: Bracket, number: int, rounds: int) -> TieRound:
    own = [tie for tie in bracket if tie.round == number]
    pairs: dict[int, list[Match]] = {}
    for tie in sorted(own, key=lambda tie: tie.slot):
        if not tie.third_place:
            target = _target(bracket, tie)
            pairs.setdefault(_key(target) if target else 0, []).append(tie)
    feeds = {_key(tie): Feed(_key(tie), round_name(rounds, tie.round), tie.board) for tie in bracket}
    third = next((tie for tie in own if tie.third_place), None)
    return TieRound(
        number=number,
        name=round_name(rounds, number),
        day=next((match.round.planned_on for match in facts.matches if match.round.number == number), None),
        pairs=tuple(
            TiePair(tuple(_drawn(facts, bracket, tie) for tie in ties), feeds.get(key)) for key, ties in pairs.items()
        ),
        third=_drawn(facts, bracket, third) if third else None,
    )


def _target(bracket: Bracket, tie: Match) -> Match | None:
    """The tie its winner comes into."""
    place = (tie.round, tie.board)
    lines = ((later, source) for later in bracket for source in (later.upper, later.lower))
    return next((later for later, source in lines if source.match == place and not source.loser), None)


def _key(tie: Match) -> int:
    return 1000 * tie.round + tie.slot


def _drawn(facts: TeamFacts, bracket: Bracket, tie: Match) -> DrawnTie:
    at = (tie.round, tie.slot)
    found = next((match for match in facts.matches if (match.round.number, match.row.slot) == at), None)
    is_bye = tie.upper.is_nobody or tie.lower.is_nobody or (found is not None and found.row.away_id is None)
    if found is not None:
        teams: list[Team | None] = [found.row.home, found.row.away]
    else:
        teams = [comes_into(facts, bracket, source) for source in (tie.upper, tie.lower)]
    winner = goes_on(facts, found) if found is not None else None
    scores = found.game_points if found is not None and not is_bye and has_score(found) else (None, None)
    lines = tuple(
        TieLine(
            team=team,
            points=points,
            advanced=team is not None and team == winner,
            is_out=team is not None and winner is not None and team != winner,
        )
        for team, points in zip(teams, scores, strict=True)
        if team is not None or not is_bye
    )
    how = _how(facts, found) if found is not None and not is_bye else ""
    return DrawnTie(_key(tie), found, lines, how, is_bye, _target(bracket, tie) is None)


def _how(facts: TeamFacts, match: MatchFacts) -> str:
    """What decided the tie where the score does not say it."""
    row = match.row
    if row.absent:
        return str(row.get_absent_display())
    if row.ruled_home is not None or row.advanced_id is not None:
        return _("decided by the arbiter")
    if match.match_points is None or match.match_points[0] != match.match_points[1]:
        return ""
    decision = level_match(facts, match)
    return _(decision.remark.text) % decision.remark.values if decision else ""
