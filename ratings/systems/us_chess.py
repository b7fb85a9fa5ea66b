"""US Chess: effective games, the standard formula with its bonus, the special formula, floors, starts by age.

Source: Glickman and Doan, "The US Chess Rating system" (proposal of 2 September 2020); bonus thresholds from the
notices of 2017, 2023 and 2025; starts by age and floors as in implementations that cite the specification.
An event is rated as a whole, from the ratings before it; ratings stay unrounded.
Not done: the passes that first rate unrated players and then count them at the result (an unrated opponent counts
with his start by age, an unrated player is rated in one pass); matches of two players (no bonus, at most 50 points);
starts taken over from FIDE or other lists; floors of Original Life Masters and of big prizes.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from itertools import pairwise
from math import inf, sqrt
from typing import NamedTuple

from ratings.systems.base import AGE_UNKNOWN, Contribution, Group, GroupRater, GroupRating, Move, PlayerState

ESTABLISHED_ABOVE = 25  # games
SPECIAL_UP_TO = 8  # games
SPECIAL_CEILING = 2700.0
CERTAIN_GAP = 400.0  # where the special formula expects everything or nothing
MEETINGS_FOR_BONUS = 2  # at most, with one opponent
# (day from which it holds, threshold B of the bonus), newest first.
_BONUS_THRESHOLDS = (
    (date(2025, 1, 1).toordinal(), 10.0),
    (date(2023, 2, 1).toordinal(), 12.0),
    (date(2017, 5, 1).toordinal(), 14.0),
    (0, 12.0),
)


@dataclass(frozen=True, slots=True)
class UsChessSettings:
    """`start`: for unrated players of unknown age. `dual_rated`: K of high ratings reduced, as for regular games that
    count as quick ones too. `floors`: nobody falls below his floor."""

    start: float = 1300.0
    dual_rated: bool = False
    floors: bool = True


def us_chess_start(age: int = AGE_UNKNOWN) -> float:
    """Rating from which an unrated player of that age (years) is rated: 50 a year, 100 … 1300; 1300 where unknown."""
    return 50.0 * max(2, min(age, 26))


def effective_games(rating: float, games: int) -> float:
    """Ne: how many games the rating before the event is worth; fewer for weak players, who change more."""
    if rating > 2355:
        return min(games, 50.0)
    return min(games, 50.0 / sqrt(0.662 + 0.00000739 * (2569.0 - rating) ** 2))


def standard_k(rating: float, games: int, played: int, *, dual_rated: bool = False) -> float:
    """K = 800 / (Ne + m) for an event of `played` games; `dual_rated`: from 2200 up less and less, a quarter from
    2500 on."""
    reduction = max(0.25, min(1.0, 6.5 - 0.0025 * rating)) if dual_rated else 1.0
    return reduction * 800.0 / (effective_games(rating, games) + played)


def expected_standard(own: float, opponent: float) -> float:
    """Expected score of one game, 0 … 1, by the standard formula (logistic)."""
    return float(1.0 / (1.0 + 10.0 ** ((opponent - own) / 400.0)))


def expected_special(own: float, opponent: float) -> float:
    """PWe: expected score of one game, 0 … 1, by the special formula (a straight line over 800 points)."""
    return max(0.0, min(1.0, 0.5 + (own - opponent) / 800.0))


def bonus_threshold(day: int) -> float:
    """B for an event of that day (ordinal): 12 to April 2017, then 14; 12 from February 2023, 10 from 2025 on."""
    return next(threshold for since, threshold in _BONUS_THRESHOLDS if day >= since)


def bonus(change: float, played: int, threshold: float) -> float:
    """What the standard formula adds to a `change` far above expectation; never for fewer than three games."""
    return 0.0 if played < 3 else max(0.0, change - threshold * sqrt(max(played, 4)))


class Record(NamedTuple):
    """What the special formula needs to know of a player: rating and games before the event, and how many of all
    those games he won or lost."""

    rating: float
    games: int
    wins: int = 0
    losses: int = 0

    @property
    def is_special(self) -> bool:
        """Whether the special formula rates him: few games before the event, or all of them won, or all lost."""
        return self.games <= SPECIAL_UP_TO or self.games in (self.wins, self.losses)


def special_rating(record: Record, opponents: Sequence[float], scores: Sequence[float]) -> float:
    """The rating at which the expected score, the effective games before counted in, equals the actual one.

    Solved exactly along the breakpoints of the straight lines; `_choose` says which, where several ratings fit. At
    most 2700. Raises ValueError for a score that nobody can reach in these games.
    """
    prior, weight, points = _prior(record, sum(scores))
    low, high = _solutions([(prior, weight), *((opponent, 1.0) for opponent in opponents)], points)
    games = len(opponents)
    estimate = (weight * prior + sum(opponents) + CERTAIN_GAP * (2 * sum(scores) - games)) / (weight + games)
    return min(_choose(record, estimate, low, high), SPECIAL_CEILING)


def linear_ratings(opponents: Sequence[float], points: float) -> tuple[float, float]:
    """The lowest and the highest rating from which PWe expects so many points against these opponents, one game each;
    no point or every point has no end on one side. Raises ValueError for a score that nobody can reach."""
    return _solutions([(opponent, 1.0) for opponent in opponents], points)


def _choose(record: Record, estimate: float, low: float, high: float) -> float:
    """Of the ratings from `low` to `high`, which all fit, the one nearest to the old provisional formula's estimate.
    Where the estimate itself is one of many: the nearest to the rating before; for an unrated player the estimate,
    within 400 points of his start."""
    if low < estimate < high:
        reach = 0.0 if record.games else CERTAIN_GAP
        estimate = max(record.rating - reach, min(record.rating + reach, estimate))
    return max(low, min(high, estimate))


def _prior(record: Record, score: float) -> tuple[float, float, float]:
    """The rating before as an opponent (R0'), its weight in games (Ne), and the score against all (S')."""
    games = effective_games(record.rating, record.games)
    if 0 < record.games == record.wins:
        return record.rating - CERTAIN_GAP, games, score + games
    if 0 < record.games == record.losses:
        return record.rating + CERTAIN_GAP, games, score
    return record.rating, games, score + games / 2


def _solutions(lines: Sequence[tuple[float, float]], points: float) -> tuple[float, float]:
    """The lowest and the highest rating that are expected to score `points` against (rating, games) opponents."""
    knots = sorted({rating + edge for rating, games in lines if games for edge in (-CERTAIN_GAP, CERTAIN_GAP)})
    excess = [_excess(lines, points, knot) for knot in knots]
    level = [knot for knot, over in zip(knots, excess, strict=True) if over == 0.0]
    if level:
        return (-inf if excess[0] == 0.0 else level[0]), (inf if excess[-1] == 0.0 else level[-1])
    for (low, below), (high, above) in pairwise(zip(knots, excess, strict=True)):
        if below < 0.0 < above:
            root = low - below * (high - low) / (above - below)
            return root, root
    raise ValueError(f"Nobody scores {points:g} in these games.")


def _excess(lines: Sequence[tuple[float, float]], points: float, rating: float) -> float:
    """Expected minus actual score; what binary fractions add to a true zero is taken off."""
    excess = sum(games * expected_special(rating, opponent) for opponent, games in lines) - points
    return 0.0 if abs(excess) < 1e-9 else excess


def absolute_floor(wins: int, draws: int, events: int) -> float:
    """Nobody's floor is lower: 100 + 4 a win + 2 a draw + 1 an event of three games, at most 150."""
    return float(min(100 + 4 * wins + 2 * draws + events, 150))


def established_floor(peak: float) -> float:
    """The floor that an established player's best rating earns: 200 below it, at hundreds from 1200 to 2100; 0 below
    1400."""
    return 0.0 if peak < 1400 else min(2100.0, (peak - 200) // 100 * 100)


class _Result(NamedTuple):
    """One player's half of a game of the event."""

    game: int
    side: int
    opponent: int
    rating: float
    score: float


@dataclass(slots=True)
class _Careers:
    """What floors ask for beyond a player's state: events of three games, and the best *established* rating."""

    events: Counter[int] = field(default_factory=Counter)
    peaks: dict[int, float] = field(default_factory=dict)

    def floor(self, player: int, state: PlayerState, results: Sequence[_Result]) -> float:
        """The player's floor after an event; counts the event."""
        self.events[player] += len(results) >= 3
        wins = state.wins + sum(result.score == 1.0 for result in results)
        draws = state.draws + sum(result.score == 0.5 for result in results)
        return max(absolute_floor(wins, draws, self.events[player]), self._earned(player, state))

    def _earned(self, player: int, state: PlayerState) -> float:
        if state.games <= ESTABLISHED_ABOVE:
            return 0.0
        # Whoever is met as an established player has earned his best rating as one.
        self.peaks[player] = max(self.peaks.get(player, state.peak), state.rating)
        return established_floor(self.peaks[player])

    def note(self, player: int, rating: float, games: int) -> None:
        """Keep the rating after an event if it is an established one, and the best so far."""
        if games > ESTABLISHED_ABOVE:
            self.peaks[player] = max(self.peaks.get(player, rating), rating)


def us_chess_group_rater(settings: UsChessSettings) -> GroupRater:
    """A rater of events; who is missing in the states starts by his age. It remembers what floors ask for from event
    to event (`Memory.HISTORY`), so events must come in order of time."""
    return partial(_rate_event, settings=settings, careers=_Careers())


def _rate_event(group: Group, settings: UsChessSettings, careers: _Careers) -> GroupRating:
    states = _states(group, settings.start)
    sides = [[Contribution(), Contribution()] for _ in group.games]
    moves: dict[int, Move] = {}
    for player, results in _results(group, states).items():
        state = states[player]
        after = _rate_player(state, results, group.day, settings, sides)
        if settings.floors:
            after = max(after, careers.floor(player, state, results))
            careers.note(player, after, state.games + len(results))
        moves[player] = Move(change=after - state.rating) if player in group.states else Move(enters_at=after)
    return GroupRating([(white, black) for white, black in sides], moves)


def _states(group: Group, start: float) -> dict[int, PlayerState]:
    """Everybody's state before the event; unrated players at the start of their age, `start` where it is unknown."""
    states = dict(group.states)
    year = date.fromordinal(group.day).year
    for player in {player for game in group.games for player in (game.white, game.black)} - states.keys():
        birth_year = group.birth_years.get(player)
        rating = start if birth_year is None else us_chess_start(year - birth_year)
        states[player] = PlayerState(rating, 0, rating, birth_year)
    return states


def _results(group: Group, states: dict[int, PlayerState]) -> dict[int, list[_Result]]:
    found: dict[int, list[_Result]] = {}
    for game, played in enumerate(group.games):
        seats = ((0, played.white, played.black, played.score), (1, played.black, played.white, 1.0 - played.score))
        for side, player, opponent, score in seats:
            found.setdefault(player, []).append(_Result(game, side, opponent, states[opponent].rating, score))
    return found


def _rate_player(
    state: PlayerState,
    results: Sequence[_Result],
    day: int,
    settings: UsChessSettings,
    sides: list[list[Contribution]],
) -> float:
    """Write a player's contributions into `sides` and return his rating after the event, floors aside."""
    record = Record(state.rating, state.games, state.wins, state.losses)
    if record.is_special and state.fixed_k is None:
        for result in results:
            expected = expected_special(state.rating, result.rating)
            sides[result.game][result.side] = Contribution(state.rating, expected)
        return special_rating(record, [each.rating for each in results], [each.score for each in results])
    k = state.fixed_k
    if k is None:
        k = standard_k(state.rating, state.games, len(results), dual_rated=settings.dual_rated)
    change = 0.0
    for result in results:
        expected = expected_standard(state.rating, result.rating)
        gain = k * (result.score - expected)
        sides[result.game][result.side] = Contribution(state.rating, expected, k, gain)
        change += gain
    if max(Counter(result.opponent for result in results).values()) <= MEETINGS_FOR_BONUS:
        change += bonus(change, len(results), bonus_threshold(day))
    return state.rating + change
