"""What a match of two teams may end in: game points, who wins, match points (pure, numpy).

A match is a list of boards. Each is decided, or sure because somebody is missing (a win for who sits there; 0–0 where
nobody does), or a game to come. Given the strengths, games are independent, so the distribution of both sides' game
points is the convolution of the boards. Points need not add up to the same on every board: 3 – 1 – 0 and 0–0 boards are
counted as they are. The match is won by more game points (`TeamScoring.match_points`, the one place that knows).

Strengths are not known but likely, in one of two ways.

- `forecast_match`: a normal for each player. Nobody sits twice in a match, so boards stay independent; the gap on a
  board is normal, and its odds are the mean over the gap by the trapezoidal rule, which for a normal weight is exact to
  rounding (L. Trefethen, J. Weideman, SIAM Review 56 (2014)). Nothing is sampled: `EXACT`.
- `forecast_drawn_match`: draws of the whole field's strengths (`posterior`), which hang together. The convolution is
  done for every draw and averaged: `SAMPLED`, with standard errors. Draws of one chain are not independent; who knows
  how many independent ones they are worth (`Posterior.effective`) says so.

A side with fewer players than the `minimum` loses by default, and all boards with it, unless the games that are played
count all the same (`games_count`). Below the minimum on both sides, both lose.

Not reckoned with: defaults to come, penalties, armageddon after a draw (refused). `white` is an advantage in Elo
points; the engine's other forecasts know none, so it is 0 unless somebody says otherwise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy

from tournaments.forecast.outlook import EXACT, SAMPLED, Chances, Floats, Strengths, chances_of, columns_of
from tournaments.forecast.posterior import Prior
from tournaments.standings.team_event import BoardPoints, TeamMeeting, TeamScoring

Points = tuple[int, int]  # of the first and of the second team
LineUp = Sequence[int | None]  # numbers of players from board 1 down; None: nobody


# --- the boards of a match ----------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class MatchBoard:
    """One board: who sits there (None: nobody), whether the first team has White, and the game points once decided."""

    first: int | None
    second: int | None
    first_white: bool = True
    decided: Points | None = None

    @property
    def is_open(self) -> bool:
        """Whether a game is still to be played there."""
        return self.decided is None and self.first is not None and self.second is not None


@dataclass(frozen=True, slots=True)
class MatchRule:
    """What a match is worth, and how games end: `rate` is Davidson's ν, `white` what White adds in Elo points.
    `minimum`: players below whom a side loses by default; `games_count`: its games bring game points all the same.
    Raises ValueError for points with an armageddon game."""

    scoring: TeamScoring
    rate: float
    white: float = 0.0
    minimum: int = 0
    games_count: bool = False

    def __post_init__(self) -> None:
        if self.scoring.points.after_draw is not None:
            raise ValueError("A match with armageddon games after draws is not forecast.")

    @property
    def worths(self) -> tuple[Points, Points, Points]:
        """What a win, a draw and a loss of the first team bring both sides."""
        points = self.scoring.points
        return (points.win, points.loss), (points.draw, points.draw), (points.loss, points.win)

    def match_points(self, first: int, second: int) -> Points:
        """Of a match that ends with those game points."""
        return self.scoring.match_points(TeamMeeting(0, 1, 2, (BoardPoints(1, first, second),)))

    def chances(self, gaps: Floats, first_white: Floats) -> Chances:
        """Games at those gaps in strength (first less second, Elo points); `first_white` fits the last axis."""
        return chances_of(gaps + numpy.where(first_white, self.white, -self.white), numpy.zeros_like(gaps), self.rate)


def alternating(first: LineUp, second: LineUp, boards: int, first_white: bool = True) -> tuple[MatchBoard, ...]:
    """The boards of two line-ups, empty ones at the bottom, colours alternating; `first_white`: on board 1. Raises
    ValueError where more are named than there are boards."""
    if max(len(first), len(second)) > boards:
        raise ValueError(f"The match has {boards} boards, but a line-up names more places.")
    one, other = ([*side, *[None] * (boards - len(side))] for side in (first, second))
    return tuple(MatchBoard(one[at], other[at], (at % 2 == 0) is first_white) for at in range(boards))


def sure_points(rule: MatchRule, boards: Sequence[MatchBoard]) -> Points:
    """Game points of the boards that are decided or lack somebody."""
    sure = [_sure(rule, board) for board in boards if not board.is_open]
    return sum(one for one, _other in sure), sum(other for _one, other in sure)


def _sure(rule: MatchRule, board: MatchBoard) -> Points:
    if board.decided is not None:
        return board.decided
    if board.first is None and board.second is None:
        return 0, 0
    return rule.worths[0] if board.second is None else rule.worths[2]


def defaulted(rule: MatchRule, boards: Sequence[MatchBoard]) -> tuple[bool, bool]:
    """Whether each side has too few players to be in the match at all."""
    first = sum(board.first is not None for board in boards)
    second = sum(board.second is not None for board in boards)
    return first < rule.minimum, second < rule.minimum


def by_default(rule: MatchRule, out: tuple[bool, bool], boards: int) -> tuple[Points, Points]:
    """Match points and game points of a match that one side, or both, did not come to."""
    scoring, points = rule.scoring, rule.scoring.points
    match_points = tuple(scoring.loss if lost else scoring.win for lost in out)
    game_points = tuple(boards * (points.loss if lost else points.win) for lost in out)
    return (match_points[0], match_points[1]), (game_points[0], game_points[1])


# --- the forecast of a match --------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class MatchForecast:
    """`game_points`: the chance of every final score, by the game points of both sides, in the smallest unit. `win`,
    `draw`, `loss`: of the match, for the first team; where both lose by default it is a loss. `match_points` (in
    half-points) and `expected` game points: means of both sides. `errors`: standard errors of win, draw, loss and the
    first team's match points; zero where nothing is sampled."""

    game_points: Mapping[Points, float]
    win: float
    draw: float
    loss: float
    match_points: tuple[float, float]
    expected: tuple[float, float]
    method: str
    errors: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)


def forecast_match(boards: Sequence[MatchBoard], strengths: Mapping[int, Prior], rule: MatchRule) -> MatchForecast:
    """The match between players each known by mean and deviation, independently of each other. Raises ValueError for
    no boards, somebody on two of them, a strength that is none, and for a player without one."""
    _check(boards)
    pairs = [(_strength(strengths, one), _strength(strengths, other)) for one, other in _games(boards)]
    gaps = numpy.array([one.mean - other.mean for one, other in pairs])
    spread = numpy.array([sqrt(one.deviation**2 + other.deviation**2) for one, other in pairs])
    return _forecast(boards, rule, mean_chances(rule, gaps, spread, _white(boards)), EXACT, 1.0)


def forecast_drawn_match(
    boards: Sequence[MatchBoard], strengths: Strengths, rule: MatchRule, effective: float | None = None
) -> MatchForecast:
    """The match between players of a field of whose strengths draws are at hand. Draws of games come at the rule's ν,
    not the field's. `effective`: how many independent draws they are worth; unless said, each counts. Raises ValueError
    for no boards, somebody on two of them, and for a player without a strength."""
    _check(boards)
    return _forecast(boards, rule, _drawn_chances(boards, strengths, rule), SAMPLED, effective or len(strengths.draws))


def match_points_by_draw(boards: Sequence[MatchBoard], strengths: Strengths, rule: MatchRule) -> Floats:
    """The first team's expected match points with every draw of the strengths. Raises as `forecast_drawn_match`."""
    _check(boards)
    return _sums(boards, rule, _scores(boards, rule, _drawn_chances(boards, strengths, rule)))[3]


def _drawn_chances(boards: Sequence[MatchBoard], strengths: Strengths, rule: MatchRule) -> Chances:
    games = _games(boards)
    first, second = (columns_of(strengths, tuple(game[side] for game in games)) for side in (0, 1))
    return rule.chances(strengths.draws[:, first] - strengths.draws[:, second], _white(boards))


STEP, REACH = 0.05, 8.5  # of the trapezoidal rule, in deviations


def mean_chances(rule: MatchRule, gaps: Floats, spread: Floats, first_white: Floats) -> Chances:
    """Odds of games of which the gap is normal with that mean and deviation (a row of games). Raises ValueError for
    numbers that are none."""
    if not (numpy.isfinite(gaps).all() and numpy.isfinite(spread).all()):
        raise ValueError("A strength needs a finite mean and a finite deviation.")
    at = numpy.arange(-REACH, REACH + STEP / 2, STEP)
    weights = numpy.exp(-at * at / 2.0)
    each = rule.chances(gaps + at[:, None] * spread, first_white)
    win, draw, loss = ((weights @ part / weights.sum())[None, :] for part in (each.win, each.draw, each.loss))
    return Chances(win, draw, loss)


def convolved(sure: Points, rule: MatchRule, chances: Chances) -> dict[Points, Floats]:
    """The chance of every score of both sides (an array over rows), starting from what is sure; `chances` of the games
    to come (rows × games)."""
    rows, games = chances.win.shape
    scores: dict[Points, Floats] = {sure: numpy.ones(rows)}
    for game in range(games):
        after: dict[Points, Floats] = {}
        for (one, other), before in scores.items():
            for (mine, his), part in zip(rule.worths, (chances.win, chances.draw, chances.loss), strict=True):
                score = one + mine, other + his
                after[score] = after.get(score, 0.0) + before * part[:, game]
        scores = after
    return scores


def _check(boards: Sequence[MatchBoard]) -> None:
    if not boards:
        raise ValueError("A match has at least one board.")
    seated = [player for board in boards for player in (board.first, board.second) if player is not None]
    twice = sorted(player for player in set(seated) if seated.count(player) > 1)
    if twice:
        raise ValueError(f"Number {twice[0]} sits on two boards of one match.")


def _games(boards: Sequence[MatchBoard]) -> list[tuple[int, int]]:
    return [
        (board.first, board.second)
        for board in boards
        if board.is_open and board.first is not None and board.second is not None
    ]


def _white(boards: Sequence[MatchBoard]) -> Floats:
    return numpy.array([board.first_white for board in boards if board.is_open], bool)


def _strength(strengths: Mapping[int, Prior], player: int) -> Prior:
    if player not in strengths:
        raise ValueError(f"Nobody has said how strong number {player} is.")
    if strengths[player].deviation < 0.0:
        raise ValueError(f"The deviation of number {player} is below 0.")
    return strengths[player]


def _forecast(
    boards: Sequence[MatchBoard], rule: MatchRule, chances: Chances, method: str, effective: float
) -> MatchForecast:
    scores = _scores(boards, rule, chances)
    sums, rows = _sums(boards, rule, scores), len(chances.win)
    win, draw, loss, first, second = sums.mean(axis=1).tolist()
    errors = sums[:4].std(axis=1, ddof=1) / sqrt(effective) if rows > 1 else numpy.zeros(4)
    mean = {score: float(chance.mean()) for score, chance in sorted(scores.items())}
    expected = tuple(sum(chance * score[side] for score, chance in mean.items()) for side in (0, 1))
    return MatchForecast(
        mean, win, draw, loss, (first, second), (expected[0], expected[1]), method, tuple(errors.tolist())
    )


def _scores(boards: Sequence[MatchBoard], rule: MatchRule, chances: Chances) -> dict[Points, Floats]:
    """The chance of every score, by row of the chances."""
    out = defaulted(rule, boards)
    if any(out) and not rule.games_count:
        return {by_default(rule, out, len(boards))[1]: numpy.ones(len(chances.win))}
    return convolved(sure_points(rule, boards), rule, chances)


def _sums(boards: Sequence[MatchBoard], rule: MatchRule, scores: Mapping[Points, Floats]) -> Floats:
    """Win, draw, loss of the first team, and the mean match points of both, by row (5 × rows)."""
    out = defaulted(rule, boards)
    sums = numpy.zeros((5, len(next(iter(scores.values())))))
    for score, chance in scores.items():
        kind, worth = _worth(rule, out, score, len(boards))
        sums[kind] += chance
        sums[3] += chance * worth[0]
        sums[4] += chance * worth[1]
    return sums


def _worth(rule: MatchRule, out: tuple[bool, bool], score: Points, boards: int) -> tuple[int, Points]:
    """Whether the first team wins (0), draws (1) or loses (2), and the match points."""
    if any(out):
        return (2 if out[0] else 0), by_default(rule, out, boards)[0]
    one, other = score
    return (0 if one > other else 1 if one == other else 2), rule.match_points(one, other)
