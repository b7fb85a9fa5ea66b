"""What a list's games come to under its rules: who stands where at the end, how the mean rating drifts, what a game
moves. Two such courses, the present rules and proposed ones, over the same games are what a committee has to compare.

The games run through the loop that rates the club (`ratings.systems.replay`), from nothing; nothing is written.
Drift: every so many games the mean rating of all who played within the year before; a rule that fits the whole history
at once has one moment only, the end. Not done: a course begun in the middle of a ledger.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ratings.systems.base import PlayedGame, PlayerState, RatedGame, Start, Step
from ratings.systems.replay import DatedRules, Reentry, Row, replay
from ratings.systems.sides import RatedMember

YEAR = 365  # days after a game within which somebody counts as active


@dataclass(slots=True)
class Worths:
    """What games are worth to a side under the rule: K where the system knows one, and by how many points the rating
    moves. Sums over the sides that were rated."""

    sides: int = 0
    moved: float = 0.0
    ks: int = 0
    k_sum: float = 0.0
    k_low: float | None = None
    k_high: float | None = None

    def add(self, k: float | None, change: float | None) -> None:
        """Count one side; nothing where it was not rated."""
        if change is not None:
            self.sides += 1
            self.moved += abs(change)
        if k is not None:
            self.ks += 1
            self.k_sum += k
            self.k_low = k if self.k_low is None else min(self.k_low, k)
            self.k_high = k if self.k_high is None else max(self.k_high, k)

    @property
    def mean_move(self) -> float | None:
        """Points a game moves a rating on average."""
        return self.moved / self.sides if self.sides else None

    @property
    def mean_k(self) -> float | None:
        return self.k_sum / self.ks if self.ks else None


@dataclass(frozen=True, slots=True)
class Course:
    """`states`: everybody at the end. `means`: games so far → mean rating of the active. `worths`: of the games whose
    rules are read from `since` on, `rated` of them. `games`: all that were rated."""

    states: Mapping[int, PlayerState]
    means: Mapping[int, float]
    worths: Worths
    games: int
    rated: int


def run_course(
    games: Iterable[PlayedGame],
    starts: Iterable[Start],
    *,
    rules: DatedRules,
    birth_years: Mapping[int, int | None],
    reentry: Reentry | None,
    since: int,
    every: int,
    tell: Callable[[int], None],
) -> Course:
    """Rate the games under the rules. `since`: a day (ordinal), from which on games are weighed; `every`: games from
    one mean to the next, when `tell` hears how many are rated."""
    states: dict[int, PlayerState] = {}
    means: dict[int, float] = {}
    people, worths = _Field(rules), Worths()
    count = rated = 0
    for row in replay(games, starts, states=states, birth_years=birth_years, rules=rules, reentry=reentry):
        people.take(row)
        if not isinstance(row, RatedGame):
            continue
        count += 1
        if row.played.rules_day >= since:
            rated += 1
            worths.add(row.white_k, row.white_change)
            worths.add(row.black_k, row.black_change)
        if count % every == 0:
            people.mean_into(means, count)
            tell(count)
    people.mean_into(means, count)  # what a period did comes after its games
    return Course(states, means, worths, count, rated)


@dataclass(slots=True)
class _Field:
    """Where everybody stands while rows go by. The replay's own states may lag behind its rows."""

    rules: DatedRules
    ratings: dict[int, float] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    day: int = 0
    rules_day: int = 0

    def take(self, row: Row) -> None:
        if isinstance(row, RatedGame):
            played = row.played
            self.rules_day, day = played.rules_day, played.day
            self.day = max(self.day, day)
            for player, after in ((played.white, row.white_after), (played.black, row.black_after)):
                self.last[player] = max(self.last.get(player, 0), day)
                if after is not None:
                    self.ratings[player] = after
        elif isinstance(row, RatedMember):
            self.rules_day, self.day = row.contest.rules_day, max(self.day, row.contest.day)
            self.last[row.player] = max(self.last.get(row.player, 0), row.contest.day)
            self.ratings[row.player] = row.after
        elif row.player is None:
            self._scale(row)
        elif row.after is None:
            self.ratings.pop(row.player, None)
        else:
            self.ratings[row.player] = row.after

    def _scale(self, step: Step) -> None:
        """The whole field was brought down after the game before."""
        rule = self.rules.on(self.rules_day)
        normal = rule.system.normalisation(rule.settings)
        floor, factor = (normal.floor if normal else 0.0), step.factor or 1.0
        self.ratings = {player: max(floor, rating * factor) for player, rating in self.ratings.items()}

    def mean_into(self, means: dict[int, float], count: int) -> None:
        """Note the mean of the active; nothing while nobody active has a rating."""
        active = [player for player, day in self.last.items() if day >= self.day - YEAR]
        ratings = [self.ratings[player] for player in active if player in self.ratings]
        if ratings:
            means[count] = sum(ratings) / len(ratings)
