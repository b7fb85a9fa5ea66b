"""The chance of one match of teams, from the line-ups everybody may see: exact, and worked out at once.

Strengths are those of the list the event is rated in, each with its deviation. Once the boards are made they are the
line-up, and boards that have a result keep it. Before that a match is spoken of only where the rules make the line-up
public beforehand: where a team sits down as its list stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils import timezone

from tournaments.forecast.team_match import LineUp, MatchBoard, MatchForecast, MatchRule, alternating, forecast_match
from tournaments.forecasts.selectors.strengths import priors_now
from tournaments.models import Entry, LineUpOrder, TeamRules
from tournaments.standings.team_event import TeamScoring
from tournaments.teams.selectors.facts import BoardFacts, MatchFacts, TeamFacts
from tournaments.teams.selectors.usual import squads_of


@dataclass(frozen=True, slots=True)
class MatchSaid:
    """What is said of a match, seen from the home team; `by_list`: the boards are not made, the lists were taken."""

    forecast: MatchForecast
    by_list: bool


def match_rule(rules: TeamRules, scoring: TeamScoring, rate: float) -> MatchRule | None:
    """How matches of the event are reckoned; None where a drawn game is followed by an armageddon game."""
    if scoring.points.after_draw is not None:
        return None
    return MatchRule(scoring, rate, minimum=rules.minimum_boards)


def match_said(facts: TeamFacts, match: MatchFacts) -> MatchSaid | None:
    """The match's chances; None where it is decided, or where nobody outside may know who plays. Six queries at most,
    none where there is nothing to be said."""
    row = match.row
    if match.decided or row.home is None or row.away is None or facts.event.scoring.points.after_draw is not None:
        return None
    if match.is_open:
        entries = [entry for board in match.boards for entry in (board.home, board.away) if entry is not None]
        return _said(facts, match, entries, _made(facts, match))
    if facts.rules.order != LineUpOrder.FIXED:
        return None
    squads = squads_of(facts, row.played_on or match.round.planned_on or timezone.localdate())
    sides = [[each.entry for each in squads[team.pk][: facts.rules.boards]] for team in (row.home, row.away)]
    home, away = (_numbers(side) for side in sides)
    boards = alternating(home, away, facts.rules.boards, row.first_white != "away")
    return _said(facts, match, [*sides[0], *sides[1]], boards)


def _numbers(entries: Sequence[Entry]) -> LineUp:
    return [entry.player.number for entry in entries]


def _made(facts: TeamFacts, match: MatchFacts) -> tuple[MatchBoard, ...]:
    """The boards as they are made. One that nobody sits on stays empty."""
    known = {board.number: board for board in match.boards}
    numbers = range(1, facts.rules.boards + 1)
    return tuple(_board(facts, known[number]) if number in known else MatchBoard(None, None) for number in numbers)


def _board(facts: TeamFacts, board: BoardFacts) -> MatchBoard:
    home, away = (None if side is None else side.player.number for side in (board.home, board.away))
    seated = MatchBoard(home, away, board.home_is_white)
    if board.game is None or not board.decided:
        return seated
    points = board.points(facts.event.scoring.points)
    return replace(seated, decided=(points.first, points.second))


def _said(
    facts: TeamFacts, match: MatchFacts, entries: Sequence[Entry], boards: tuple[MatchBoard, ...]
) -> MatchSaid | None:
    if not entries or len({entry.pk for entry in entries}) < len(entries):
        return None  # nobody plays; or somebody stands on both lists
    priors, rate = priors_now(facts.stage, entries)
    rule = match_rule(facts.rules, facts.event.scoring, rate)
    if rule is None:
        return None
    # A match that has begun is one: who is missing loses boards, not the match.
    rule = replace(rule, minimum=0) if match.is_open else rule
    return MatchSaid(forecast_match(boards, priors, rule), not match.is_open)
