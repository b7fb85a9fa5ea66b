"""The study of sides: rating systems on contests with more than two, in worlds of known strengths.

Every replication draws people and contests anew (`ratings.lab.sides_world`) and hands all contenders the same contests,
so differences are paired. A contender is judged after so many evenings, a contest of one's own each, by

- `spearman`, `rms`: order, and distance in points of strength after the best linear map of ratings onto strengths (no
  scale is better than another);
- `log_loss`, `brier`: of "side i above side j" over all pairs of the second half, expected before they are rated;
- `coverage`: whose strength lies within μ ± 2σ, of systems with a deviation, after the same map;
- `reach`: the first evening after which `rms` is TARGET or less;
- `moved`: how far the mean rating has moved, in the contender's own points.

Three questions have runs of their own. *Tables*: how many games of two tell as much as one table of n: the evenings of
games over the evenings of tables until TARGET is reached. *Margin*: K, and K with a unit of the margin, each the best
of a grid on every other evening, compared by log-loss on the evenings between; over all evenings, and over the second
half alone, when ratings have settled. *Carried*: in the second half a
strong player always partners a newcomer; both are held against equals, another strong player and another newcomer,
whose partners are drawn.

Not done: ranked probability of places (the back-test has it), other kinds of margins, a search between the points of
the grid.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from itertools import chain
from math import fsum, sqrt
from statistics import fmean, linear_regression
from typing import Any

from ratings.lab.contenders import Contender
from ratings.lab.experiment import FIGURE_DIGITS, rounded
from ratings.lab.measures import brier, log_loss
from ratings.lab.sides_contenders import contenders_in, elo, same_of_two
from ratings.lab.sides_measures import expected_in_replay, pair_scores
from ratings.lab.sides_world import (
    SPREAD,
    WORLDS,
    Numbers,
    Side,
    SidesWorld,
    contests_of,
    evening,
    nights,
    strengths,
)
from ratings.lab.study import in_order
from ratings.lab.summary import difference, differences, spearman, summaries
from ratings.systems.base import PlayerState
from ratings.systems.replay import DatedRule, DatedRules, replay
from ratings.systems.sides import GamesAndContests, PlayedContest

EVENINGS, REPLICATIONS = 64, 32
TARGET = 100.0  # points: half of β
BASELINE = "elo-mean"
COMPARED = ("spearman", "rms", "log_loss", "brier")

Row = dict[str, float]  # a contender's figures in one replication


# --- one contender in one replication --------------------------------------------------------------------------------
class Run:
    """A contender that rates evening after evening."""

    def __init__(self, contender: Contender) -> None:
        self.contender = contender
        self.states: dict[int, PlayerState] = {}
        self._rules = DatedRules([DatedRule(date.min, contender.system, contender.settings)])
        newcomer = contender.system.newcomer(contender.settings, None, 1)
        assert newcomer is not None
        self.newcomer = newcomer

    def rate(self, contests: Sequence[PlayedContest]) -> list[float]:
        """Rate them; what was expected of their pairs before."""
        played = GamesAndContests((), contests)
        rows = replay(played, (), states=self.states, birth_years={}, rules=self._rules)
        return [each for _contest, expected in expected_in_replay(self.contender, rows) for each in expected]

    def state(self, player: int) -> PlayerState:
        return self.states.get(player, self.newcomer)

    def ratings(self, players: Iterable[int]) -> list[float]:
        return [self.state(player).rating for player in players]


@dataclass(frozen=True, slots=True)
class Mapped:
    """Ratings on the scale of strengths, by the line with the least squared errors through `known` players' (rating,
    strength)."""

    slope: float
    at_zero: float

    @classmethod
    def of(cls, ratings: Sequence[float], people: Sequence[float]) -> "Mapped":
        if len(set(ratings)) < 2:  # nobody is told from anybody: the mean for all
            return cls(0.0, fmean(people))
        return cls(*linear_regression(ratings, people))

    def strength(self, rating: float) -> float:
        return self.slope * rating + self.at_zero


def rms(ratings: Sequence[float], people: Sequence[float]) -> float:
    """Root mean square distance from the strengths after the best linear map, in their points."""
    line = Mapped.of(ratings, people)
    return sqrt(fmean((line.strength(own) - true) ** 2 for own, true in zip(ratings, people, strict=True)))


def coverage(run: Run, people: Sequence[float]) -> float | None:
    """The share of players whose strength lies within μ ± 2σ; None where there is no σ."""
    states = [run.state(player) for player in range(len(people))]
    if any(state.deviation is None for state in states):
        return None
    line = Mapped.of([state.rating for state in states], people)
    held = [
        abs(line.strength(state.rating) - true) <= 2.0 * abs(line.slope) * (state.deviation or 0.0)
        for state, true in zip(states, people, strict=True)
    ]
    return fmean(held)


def replicate(
    world: SidesWorld, contenders: Sequence[Contender], evenings: int, seed: int, replication: int
) -> dict[str, Row]:
    """The figures of every contender in one replication; what was not reached, or a system has not, is left out."""
    numbers = Numbers(seed, replication)
    made = list(nights(world, evenings, numbers))
    return {each.key: _figures(Run(each), made) for each in contenders}


def _figures(run: Run, made: Sequence[tuple[Sequence[float], Sequence[PlayedContest]]]) -> Row:
    """Ratings are held against the strengths of the evening."""
    expected: list[float] = []
    scores: list[float] = []
    errors = []
    for number, (people, tonight) in enumerate(made):
        said = run.rate(tonight)
        errors.append(rms(run.ratings(range(len(people))), people))
        if number >= len(made) // 2:
            expected += said
            scores += [score for contest in tonight for score in pair_scores(contest)]
    ratings = run.ratings(range(len(people)))
    found = {
        "spearman": spearman(ratings, people),
        "rms": errors[-1],
        "log_loss": log_loss(expected, scores),
        "brier": brier(expected, scores),
        "moved": round(fsum(ratings) / len(ratings) - run.newcomer.rating, 6) + 0.0,  # rounding errors are no movement
    }
    reached = next((number for number, error in enumerate(errors, start=1) if error <= TARGET), None)
    held = coverage(run, people)
    return found | ({} if reached is None else {"reach": float(reached)}) | ({} if held is None else {"coverage": held})


# --- what the margin is worth ----------------------------------------------------------------------------------------
GRID_K = (16, 24, 32, 48, 64, 96)
GRID_UNIT = (50, 100, 200, 400)  # points of performance
CAP = 3
MARGIN_WORLD = WORLDS[0]


PARTS: Mapping[str, float] = {"all": 0.0, "settled": 0.5}  # of the evenings, from which share on


def margin_row(evenings: int, seed: int, replication: int) -> dict[str, Row]:
    """By part: the best K without a margin and the best K and unit with one, on every other evening of the part, and
    what each loses on the evenings between. Every run rates all evenings."""
    contests = [tonight for _, tonight in nights(MARGIN_WORLD, evenings, Numbers(seed, replication))]
    scores = [[score for contest in tonight for score in pair_scores(contest)] for tonight in contests]

    def losses(**settings: Any) -> dict[str, tuple[float, float]]:
        run = Run(elo("margin", "", **settings))
        said = [run.rate(tonight) for tonight in contests]
        return {part: halves(said, scores, int(share * evenings)) for part, share in PARTS.items()}

    plain = {k: losses(k=k) for k in GRID_K}
    log = {(k, unit): losses(k=k, margin="log", margin_unit=unit, margin_cap=CAP) for k in GRID_K for unit in GRID_UNIT}
    found = {}
    for part in PARTS:
        k = min(plain, key=lambda k: plain[k][part][0])
        margin_k, unit = min(log, key=lambda pair: log[pair][part][0])
        found[part] = {
            "k": float(k), "plain": plain[k][part][1],
            "margin_k": float(margin_k), "unit": float(unit), "margin": log[margin_k, unit][part][1],
        }  # fmt: skip
    return found


def halves(said: Sequence[list[float]], scores: Sequence[list[float]], first: int) -> tuple[float, float]:
    """Log-loss of every other evening from number `first` on, and of the evenings between."""
    one, other = (log_loss([*chain(*said[at::2])], [*chain(*scores[at::2])]) for at in (first, first + 1))
    return one, other


def margin_document(rows: Sequence[Mapping[str, Row]]) -> dict[str, Any]:
    return {
        part: summaries({name: [row[part][name] for row in rows] for name in rows[0][part]})
        | {"difference": interval([row[part]["margin"] - row[part]["plain"] for row in rows])}
        for part in PARTS
    }


# --- who gains by the choice of a partner ----------------------------------------------------------------------------
CARRY_WORLD = next(world for world in WORLDS if world.key == "pairs")
STRONG, NEW = 1.5 * SPREAD, -1.0 * SPREAD
SETTLED_LOOKS = 4  # the last quarter of the evenings together is looked at


def carried_row(contenders: Sequence[Contender], evenings: int, seed: int, replication: int) -> dict[str, Row]:
    """By contender, in points of strength: how much higher than equals with drawn partners stand the strong player who
    always partners the newcomer (`strong`), and that newcomer (`newcomer`). On average over the last quarter."""
    numbers = Numbers(seed, replication)
    people = [*strengths(numbers), NEW, NEW]
    people[0] = people[1] = STRONG
    old = range(len(people) - 2)
    carried, equal = len(people) - 2, len(people) - 1
    contests = [evening(CARRY_WORLD, people[:-2], number, numbers) for number in range(1, evenings // 2 + 1)]
    for number in range(evenings // 2 + 1, evenings + 1):
        tables = tables_with_pair((0, carried), [*range(1, carried), equal], numbers)
        contests.append(contests_of(CARRY_WORLD, tables, people, number, numbers))
    found = {}
    for each in contenders:
        run, looks = Run(each), []
        for number, tonight in enumerate(contests, start=1):
            run.rate(tonight)
            if number > evenings - evenings // SETTLED_LOOKS:
                line = Mapped.of(run.ratings(old[2:]), people[2:-2])
                looks.append([line.strength(rating) for rating in run.ratings((0, 1, carried, equal))])
        strong, strong_equal, newcomer, newcomer_equal = map(fmean, zip(*looks, strict=True))
        found[each.key] = {"strong": strong - strong_equal, "newcomer": newcomer - newcomer_equal}
    return found


def tables_with_pair(pair: Side, others: Sequence[int], numbers: Numbers) -> list[list[Side]]:
    """Tables of two pairs, that pair kept together, the others drawn; an odd pair rests."""
    row = [others[place] for place in numbers.row(len(others))]
    pairs: list[Side] = [pair, *((row[at], row[at + 1]) for at in range(0, len(row) - 1, 2))]
    order = numbers.row(len(pairs))
    return [[pairs[order[at]], pairs[order[at + 1]]] for at in range(0, len(order) - 1, 2)]


# --- the document ----------------------------------------------------------------------------------------------------
@dataclass
class Columns:
    """The figures of all replications, by contender and measure; None where one has none."""

    rows: list[Mapping[str, Row]] = field(default_factory=list)

    def of(self, key: str, measure: str) -> list[float | None]:
        return [row[key].get(measure) for row in self.rows]

    def whole(self, key: str) -> dict[str, list[float]]:
        """The measures that no replication lacks."""
        measures = dict.fromkeys(measure for row in self.rows for measure in row[key])
        columns = {measure: self.of(key, measure) for measure in measures}
        return {
            name: [each for each in column if each is not None]
            for name, column in columns.items()
            if None not in column
        }

    def document(self) -> dict[str, Any]:
        keys = list(self.rows[0])
        base = {measure: values for measure, values in self.whole(BASELINE).items() if measure in COMPARED}
        return {
            "systems": {key: summaries(self.whole(key)) for key in keys},
            "differences": {
                key: differences({name: self.whole(key)[name] for name in base}, base)
                for key in keys
                if key != BASELINE
            },
        }


def worth_in_games(worlds: Mapping[str, Columns]) -> dict[str, dict[str, Any]]:
    """By contender and size of the table: the evenings of games over those of tables until TARGET is reached, mean and
    interval over the replications in which both were (`reached`)."""
    found: dict[str, dict[str, Any]] = {}
    for key in worlds[f"alone-{TABLES[-1]}"].rows[0]:
        found[key] = {}
        for sides in TABLES:
            pairs = zip(
                worlds["alone-2"].of(same_of_two(key), "reach"), worlds[f"alone-{sides}"].of(key, "reach"), strict=True
            )
            ratios = [games / tables for games, tables in pairs if games is not None and tables is not None]
            found[key][str(sides)] = interval(ratios) | {"reached": len(ratios)}
    return found


TABLES = (3, 4, 6, 8)


def interval(values: Sequence[float]) -> dict[str, float | None]:
    """Mean and interval of 95 % over replications; None of nothing."""
    return difference(values, [0.0] * len(values))._asdict() if values else dict.fromkeys(("mean", "low", "high"))


def sides_report(
    *,
    evenings: int = EVENINGS,
    replications: int = REPLICATIONS,
    seed: int,
    tell: Callable[[int], None],
    worlds: Sequence[SidesWorld] = WORLDS,
    workers: int = 1,
) -> dict[str, Any]:
    """The document, the same for any number of worker processes. `first` has the figures of replication 0, by which it
    can be checked quickly. Raises ValueError for fewer than eight evenings or no replication, WorkerStoppedError."""
    if evenings < 8 or replications < 1:
        raise ValueError("The study of sides takes eight contests of one's own and one replication at least.")
    found = {world.key: Columns() for world in worlds}
    margins: list[dict[str, Row]] = []
    carried = Columns()

    def make(replication: int) -> tuple[list[dict[str, Row]], dict[str, Row], dict[str, Row]]:
        return (
            [replicate(world, contenders_in(world), evenings, seed, replication) for world in worlds],
            margin_row(evenings, seed, replication),
            carried_row(contenders_in(CARRY_WORLD), evenings, seed, replication),
        )

    with closing(in_order(make, range(replications), workers)) as answers:
        for done, (rows, margin, pair) in enumerate(answers, start=1):
            for columns, row in zip(found.values(), rows, strict=True):
                columns.rows.append(row)
            margins.append(margin)
            carried.rows.append(pair)
            tell(done)
    report = {
        "worlds": {key: columns.document() for key, columns in found.items()},
        "tables": worth_in_games(found),
        "margin": margin_document(margins),
        "carried": {
            key: {who: interval(values) for who, values in carried.whole(key).items()} for key in carried.rows[0]
        },
        "first": {
            "worlds": {key: columns.rows[0] for key, columns in found.items()},
            "margin": margins[0],
            "carried": carried.rows[0],
        },
    }
    head = {"study": "sides", "games": evenings, "replications": replications, "seed": seed, "target": TARGET}
    kept: dict[str, Any] = rounded(report, FIGURE_DIGITS)
    return head | kept
