"""Where a league of teams may end: its matches to come played out many times (pure, numpy).

A league is a `TeamEvent` as it stands, the fixtures to come, and each team's usual line-up. A playout takes one whole
row of strengths, so who turns out strong is strong in all matches of that playout. Every board is drawn, boards that
lack somebody are won by the other side, and the match brings what `TeamScoring` says. A match that was postponed is a
fixture like any other: it is played, and never counts as 0–0. Of a match under way the decided boards stand; the others
are played by the usual line-ups.

Ranked by the primary score, then the secondary one. Teams level in both have equal parts of the places they share: the
tie-breaks behind (games between the tied, boards) are left out, so a close race is told a little closer than it is.
Everything is sampled, with standard errors. Not reckoned with: line-ups other than the usual, defaults and penalties to
come, teams leaving.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy

from tournaments.forecast.adviser import Estimate
from tournaments.forecast.outlook import Chances, Floats, Strengths, Tell, columns_of, rows_for
from tournaments.forecast.posterior import Prior
from tournaments.forecast.team_match import (
    LineUp,
    MatchBoard,
    MatchRule,
    Points,
    alternating,
    by_default,
    defaulted,
    sure_points,
)
from tournaments.standings.team_event import TeamEvent, TeamMeeting, team_scores

# --- the league as it stands --------------------------------------------------------------------------------------
WON, DRAWN, LOST = 2, 1, 0  # a match, as the first team sees it


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match to come; `first` has White on board 1."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class League:
    """`event`: all that has been played; its matches that are not decided yet are played on. `fixtures`: those not
    begun. `line_ups`: the players each team usually seats, by their numbers, from board 1 down. Raises ValueError for
    a team that is not in the event, meets itself, or has no line-up though it still plays."""

    event: TeamEvent
    fixtures: tuple[Fixture, ...]
    line_ups: Mapping[int, LineUp]
    rule: MatchRule

    def __post_init__(self) -> None:
        for fixture in self.fixtures:
            if fixture.first == fixture.second or {fixture.first, fixture.second} - set(self.event.teams):
                raise ValueError(f"{fixture.first} – {fixture.second} is no match of two teams of the event.")
        missing = sorted({team for match in self.matches for team in (match.first, match.second)} - set(self.line_ups))
        if missing:
            raise ValueError(f"Nobody has said who plays for team {missing[0]}.")

    @property
    def teams(self) -> tuple[int, ...]:
        """Those that are ranked."""
        return tuple(team for team in self.event.teams if team not in self.event.annulled)

    @property
    def matches(self) -> tuple[TeamMeeting | Fixture, ...]:
        """What is still to be played: matches under way, then fixtures, without those of teams that left."""
        found: list[TeamMeeting | Fixture] = [meeting for meeting in self.event.meetings if not meeting.decided]
        found += self.fixtures
        return tuple(match for match in found if not {match.first, match.second} & self.event.annulled)

    def boards(self, match: TeamMeeting | Fixture) -> tuple[MatchBoard, ...]:
        """The boards of a match by the usual line-ups; those that have a result keep it."""
        size = self.event.scoring.boards
        boards = alternating(self.line_ups[match.first][:size], self.line_ups[match.second][:size], size)
        if isinstance(match, Fixture):
            return boards
        decided = {board.board: (board.first, board.second) for board in match.boards if board.decided}
        return tuple(replace(board, decided=decided.get(at)) for at, board in enumerate(boards, 1))

    def out(self, match: TeamMeeting | Fixture) -> tuple[bool, bool]:
        """Whether each side will have too few players to be in the match; one that has begun it is."""
        return defaulted(self.rule, self.boards(match)) if isinstance(match, Fixture) else (False, False)

    def sure(self) -> dict[int, Points]:
        """Match points and game points of every ranked team from what is decided."""
        decided = tuple(meeting for meeting in self.event.meetings if meeting.decided)
        scores = team_scores(replace(self.event, meetings=decided))
        return {team: (scores[team].match_points, scores[team].game_points) for team in self.teams}


def independent(strengths: Mapping[int, Prior], rate: float, draws: int, rng: numpy.random.Generator) -> Strengths:
    """Draws of strengths known by mean and deviation, independently of each other. As many as there will be playouts,
    so that none is taken twice. Raises ValueError for less than one."""
    if draws < 1:
        raise ValueError("At least one draw of strengths is needed.")
    means = numpy.array([each.mean for each in strengths.values()], float)
    spread = numpy.array([each.deviation for each in strengths.values()], float)
    return Strengths(tuple(strengths), rng.normal(means, spread, (draws, len(means))), rate)


# --- the playouts -------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, eq=False)
class LeagueEndings:
    """The league played out. `match_points`, `game_points`: at the end (playouts × teams), in half-points and in the
    smallest unit. `results` of the matches to come (playouts × matches), as the first team sees them. `ahead`: how many
    teams stand before, `level`: how many share the place, itself among them. `rows`: the draw of strengths taken."""

    league: League
    match_points: Floats
    game_points: Floats
    results: Floats
    ahead: Floats
    level: Floats
    rows: Floats

    @property
    def samples(self) -> int:
        return len(self.rows)

    def places(self) -> Floats:
        """The chance of each place (teams × places); rows and columns add up to one. The standard error of one is
        `chance`'s."""
        size = len(self.league.teams)
        return numpy.stack([self._shares(at, at).mean(axis=0) for at in range(1, size + 1)], axis=1)

    def chance(self, team: int, first: int, last: int) -> Estimate:
        """That a team ends between two places, both included. Raises ValueError for a team that is not ranked."""
        return estimate(self.share(team, first, last), self.rows)

    def title(self, team: int) -> Estimate:
        return self.chance(team, 1, 1)

    def promotion(self, team: int, up: int) -> Estimate:
        """That it is among the first so many."""
        return self.chance(team, 1, up)

    def relegation(self, team: int, down: int) -> Estimate:
        """That it is among the last so many."""
        size = len(self.league.teams)
        return self.chance(team, size - down + 1, size)

    def expected(self, team: int) -> tuple[Estimate, Estimate]:
        """Match points (half-points) and game points at the end. Raises as `chance`."""
        column = self.league.teams.index(team)
        return estimate(self.match_points[:, column], self.rows), estimate(self.game_points[:, column], self.rows)

    def share(self, team: int, first: int, last: int) -> Floats:
        """Of each playout, the part a team has of these places."""
        return self._shares(first, last)[:, self.league.teams.index(team)]

    def _shares(self, first: int, last: int) -> Floats:
        begin, end = numpy.maximum(self.ahead, first - 1), numpy.minimum(self.ahead + self.level, last)
        return numpy.maximum(end - begin, 0) / self.level


def estimate(values: Floats, rows: Floats) -> Estimate:
    """The mean over playouts and its standard error. Playouts with the same strengths are not independent, so where
    rows are taken several times the error is that of the means by row; one row alone is taken for certain."""
    taken, of, often = numpy.unique(rows, return_inverse=True, return_counts=True)
    means = numpy.bincount(of, values) / often if 1 < len(taken) < len(rows) else values
    error = float(numpy.std(means, ddof=1)) / sqrt(len(means)) if len(means) > 1 else 0.0
    return Estimate(float(numpy.mean(values)), error)


def play_league(
    league: League, strengths: Strengths, samples: int, rng: numpy.random.Generator, tell: Tell = lambda done, of: None
) -> LeagueEndings:
    """The league played out so many times. The rows of strengths are taken in turn; games are drawn at the rule's ν.
    `tell` is told the matches done. Raises ValueError where somebody with a game to come has no strength, and for less
    than one sample."""
    rows, sure, matches = rows_for(strengths, samples), league.sure(), league.matches
    totals = numpy.tile(numpy.array([sure[team] for team in league.teams], int), (samples, 1, 1))
    results = numpy.empty((samples, len(matches)), numpy.int8)
    for at, match in enumerate(matches):
        match_points, game_points, results[:, at] = _played(league, match, strengths, rows, rng)
        for side, team in enumerate((match.first, match.second)):
            totals[:, league.teams.index(team), 0] += match_points[:, side]
            totals[:, league.teams.index(team), 1] += game_points[:, side]
        tell(at + 1, len(matches))
    ahead, level = _ranked(totals, league.event.scoring.primary == "GP")
    return LeagueEndings(league, totals[:, :, 0], totals[:, :, 1], results, ahead, level, rows)


def _played(
    league: League, match: TeamMeeting | Fixture, strengths: Strengths, rows: Floats, rng: numpy.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """One match in every playout: match points and game points (playouts × 2), and the result."""
    rule, boards = league.rule, league.boards(match)
    codes = _codes(_chances(rule, boards, strengths, rows), rng)
    game_points = numpy.array(sure_points(rule, boards)) + numpy.array(rule.worths)[codes].sum(axis=1)
    out = league.out(match)
    if any(out):
        worth, given = by_default(rule, out, len(boards))
        played = game_points if rule.games_count else numpy.tile(given, (len(rows), 1))
        return numpy.tile(worth, (len(rows), 1)), played, numpy.full(len(rows), LOST if out[0] else WON)
    scores, of = numpy.unique(game_points, axis=0, return_inverse=True)
    worths = numpy.array([rule.match_points(*score) for score in scores.tolist()])
    return worths[of.reshape(-1)], game_points, numpy.sign(game_points[:, 0] - game_points[:, 1]) + 1


def _chances(rule: MatchRule, boards: Sequence[MatchBoard], strengths: Strengths, rows: Floats) -> Chances:
    games = [board for board in boards if board.is_open]
    first = columns_of(strengths, tuple(board.first for board in games if board.first is not None))
    second = columns_of(strengths, tuple(board.second for board in games if board.second is not None))
    white = numpy.array([board.first_white for board in games], bool)
    return rule.chances(strengths.draws[rows[:, None], first] - strengths.draws[rows[:, None], second], white)


def _codes(chances: Chances, rng: numpy.random.Generator) -> Floats:
    """0, 1 or 2 for a game won, drawn or lost by the first team (playouts × games), as `MatchRule.worths` has them."""
    by_lot = rng.random(chances.win.shape)
    return (by_lot >= chances.win).astype(int) + (by_lot >= chances.win + chances.draw)


def _ranked(totals: Floats, games_first: bool) -> tuple[Floats, Floats]:
    """How many teams stand before each, and how many level with it (playouts × teams)."""
    primary, secondary = (totals[:, :, 1], totals[:, :, 0]) if games_first else (totals[:, :, 0], totals[:, :, 1])
    keys = primary * (int(secondary.max()) - int(secondary.min()) + 1) + secondary
    ahead = (keys[:, None, :] > keys[:, :, None]).sum(axis=2)
    return ahead, (keys[:, None, :] == keys[:, :, None]).sum(axis=2)
