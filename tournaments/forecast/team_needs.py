"""What a team needs: its own matches to come, and what each combination of them is worth (pure).

Match points make a race (`needs`, `clinching`) where a draw brings half a win and a loss nothing. Then each combination
of own results is exactly *sure* whatever the others do, *lost*, or in need of *help*. It is *open* where teams may end
level on match points, so that game points decide, and everywhere if match points do not come first or are worth
otherwise (3 – 1 – 0). Matches that the decided boards leave one ending count as decided. A match that can still end in
two of three ways counts as if it could in all: what is said to be sure or lost is, but help may be out of reach.

Beside each combination stands the chance of the target in the playouts in which the team had just these results
(`team_league`); few playouts, wide error. Level teams have equal parts of the places.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy

from tournaments.forecast.adviser import Estimate
from tournaments.forecast.clinching import Race, Ties
from tournaments.forecast.everybody import between
from tournaments.forecast.needs import Line, Needs, Own, Verdict, combinations_of, needs_on_points
from tournaments.forecast.team_league import DRAWN, LOST, WON, Fixture, League, LeagueEndings
from tournaments.forecast.team_match import by_default, sure_points
from tournaments.standings.team_event import TeamMeeting, TeamScoring


@dataclass(frozen=True, slots=True)
class TeamNeeds:
    """`needs`: every combination the team's matches can still end in, its results as 2, 1 and 0 for won, drawn and
    lost, with its verdict. `chances`: of the target, by combination; missing where no playout had it."""

    needs: Needs
    chances: Mapping[Own, Estimate]


def team_needs(endings: LeagueEndings, team: int, top: int = 1) -> TeamNeeds:
    """What the team needs to be among the first `top`. Raises ValueError for a team that is not ranked and for a `top`
    below 1, TooManyWaysError with more matches of its own to come than are tried."""
    league = endings.league
    if team not in league.teams:
        raise ValueError(f"Team {team} is not in the table.")
    if top < 1:
        raise ValueError(f"The first {top} is nobody.")
    kinds = {at: results_of(league, match) for at, match in enumerate(league.matches)}
    own = [at for at, match in enumerate(league.matches) if team in (match.first, match.second) and len(kinds[at]) > 1]
    lines = [line for line in _lines(league, kinds, team, top) if _can_be(line.own, own, kinds, league, team)]
    opponents = tuple(league.matches[at].first + league.matches[at].second - team for at in own)
    needs = Needs(team, top, Ties.SHARED, opponents, tuple(lines))
    return TeamNeeds(needs, _chances(endings, own, team, needs))


def results_of(league: League, match: TeamMeeting | Fixture) -> frozenset[int]:
    """How the match can still end, as the first team sees it, from the boards that are decided."""
    rule, boards, out = league.rule, league.boards(match), league.out(match)
    if any(out):
        return frozenset({LOST if out[0] else WON})
    one, other = sure_points(rule, boards)
    ends = {one - other}
    for _game in (board for board in boards if board.is_open):
        ends = {end + mine - his for end in ends for mine, his in rule.worths}
    return frozenset(WON if end > 0 else DRAWN if end == 0 else LOST for end in ends)


def race_of(league: League, kinds: Mapping[int, frozenset[int]]) -> Race | None:
    """The table on match points, in draws, with the matches that can end in more than one way; None where match points
    do not come first or make no race."""
    scoring, unit = league.event.scoring, league.event.scoring.draw
    points = {team: match_points for team, (match_points, _game_points) in league.sure().items()}
    for at, match in enumerate(league.matches):
        if len(kinds[at]) == 1:
            one, other = _settled(league, match, next(iter(kinds[at])))
            points[match.first] += one
            points[match.second] += other
    if not _is_race(scoring) or any(made % unit for made in points.values()):
        return None
    games = tuple((match.first, match.second) for at, match in enumerate(league.matches) if len(kinds[at]) > 1)
    return Race({team: made // unit for team, made in points.items()}, games)


def _is_race(scoring: TeamScoring) -> bool:
    return scoring.primary == "MP" and scoring.loss == 0 and scoring.win == 2 * scoring.draw > 0


def _settled(league: League, match: TeamMeeting | Fixture, kind: int) -> tuple[int, int]:
    rule, out = league.rule, league.out(match)
    if any(out):
        return by_default(rule, out, league.event.scoring.boards)[0]
    return rule.match_points(kind, WON - kind)


def _lines(league: League, kinds: Mapping[int, frozenset[int]], team: int, top: int) -> list[Line]:
    race = race_of(league, kinds)
    if race is None:
        met = [at for at, match in enumerate(league.matches) if team in (match.first, match.second)]
        return [Line(own, Verdict.OPEN) for own in combinations_of(sum(len(kinds[at]) > 1 for at in met))]
    alone, shared = (needs_on_points(race, team, top, ties).lines for ties in (Ties.ALONE, Ties.SHARED))
    pairs = zip(alone, shared, strict=True)
    return [Line(one.own, between(one.verdict, other.verdict)) for one, other in pairs]


def _can_be(line: Own, own: list[int], kinds: Mapping[int, frozenset[int]], league: League, team: int) -> bool:
    seen = (made if league.matches[at].first == team else WON - made for at, made in zip(own, line, strict=True))
    return all(kind in kinds[at] for at, kind in zip(own, seen, strict=True))


def _chances(endings: LeagueEndings, own: list[int], team: int, needs: Needs) -> dict[Own, Estimate]:
    """Of the target, by own results. With few playouts of a kind, and none or all of them good, the plain standard
    error is 0; so two more are added, one good and one bad (A. Agresti, B. Caffo, The American Statistician 54
    (2000))."""
    firsts = numpy.array([endings.league.matches[at].first == team for at in own], bool)
    seen = numpy.where(firsts, endings.results[:, own], WON - endings.results[:, own])
    reached, found = endings.share(team, 1, needs.top), {}
    for line in needs.lines:
        those = reached[(seen == numpy.array(line.own, int)).all(axis=1)]
        if len(those):
            near = (float(those.sum()) + 1.0) / (len(those) + 2.0)
            found[line.own] = Estimate(float(those.mean()), sqrt(near * (1.0 - near) / (len(those) + 2.0)))
    return found
