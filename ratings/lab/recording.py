"""One contender in one replication of a scenario: it rates the games as they come, and is recorded.

Readings. The table is looked at after every 100 games, its curves take a value every 1000. Predictions are judged on
the second half of the games; a system without an expected score predicts by a logistic of the rating gap whose slope is
fitted on the first half. The same slope puts its points on the Elo scale wherever ratings stand beside true strengths.
Ratings and strengths are compared by what they lie above the mean of all present.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum, log
from typing import NamedTuple

from ratings.lab.calibration import Bin, calibration, calibration_error, fit_logistic, logistic
from ratings.lab.contenders import Contender
from ratings.lab.engine import Engine
from ratings.lab.measures import brier, drift, kendall_tau_b, log_loss, ordered_pairs, probability_error
from ratings.lab.scenario_games import (
    FIRST_PLAYERS,
    GROUP_SIZE,
    KEENEST,
    LOOK,
    STRONGEST,
    Block,
    Scenario,
    as_ratio,
    blocks,
)
from ratings.lab.table import Table
from ratings.lab.world import GROUPS, Person, group

CURVE_EVERY = 1000
MILESTONES = (1, 10, 30, 50, 100)  # own games after which newcomers are looked at
RANGE_1 = 10_000  # games of the index's first range
ELO_SLOPE = log(10.0) / 400.0
BINS = 10


class Milestone(NamedTuple):
    """In game number `game` of the block somebody has come to one of MILESTONES; `is_white` says on which side."""

    game: int
    is_white: bool
    place: int


class PreparedBlock(NamedTuple):
    """A block, what all contenders need of it, and the games `done` after it."""

    block: Block
    ratios: list[float]
    milestones: list[Milestone]
    done: int


def prepared_blocks(
    scenario: Scenario, games: int, seed: int, replication: int, engine: Engine
) -> Iterator[PreparedBlock]:
    """The blocks of one replication, made ready once for all contenders."""
    own: list[int] = []
    ratios: list[float] = []
    done = 0
    for block in blocks(scenario, games, seed, replication, engine):
        if block.joining or scenario.changes:
            ratios = [as_ratio(points) for points in block.strengths]
        own += [0] * (len(block.strengths) - len(own))
        done += len(block.white)
        yield PreparedBlock(block, ratios, list(_milestones(block, own, scenario)), done)


def _milestones(block: Block, own: list[int], scenario: Scenario) -> Iterator[Milestone]:
    """Where people come and go, only those who came later count: the first ones found no pool to compare with."""
    first = FIRST_PLAYERS if scenario.turnover else 0
    for game in range(len(block.white)):
        for place, is_white in ((int(block.white[game]), True), (int(block.black[game]), False)):
            own[place] += 1
            if own[place] in MILESTONES and place >= first:
                yield Milestone(game, is_white, place)


def is_fitted(contender: Contender) -> bool:
    """Whether the system has no expected score of its own, so that one is fitted."""
    system, settings = contender.system, contender.settings
    newcomer = system.newcomer(settings, None, 1)
    return newcomer is None or system.expected(settings, newcomer, newcomer) is None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one contender did in one replication: figures by measure, curves by name, calibration."""

    figures: dict[str, float]
    curves: dict[str, list[float]]
    bins: tuple[Bin, ...]


def judged(
    predicted: Sequence[float], scores: Sequence[float], truth: Sequence[float]
) -> tuple[dict[str, float], tuple[Bin, ...]]:
    """How good predictions are: figures by measure, and calibration."""
    bins = calibration(predicted, scores, BINS)
    figures = {
        "log_loss": log_loss(predicted, scores),
        "brier": brier(predicted, scores),
        "calibration_error": calibration_error(bins),
        "probability_error": probability_error(predicted, truth),
    }
    return figures, bins


def of_present(prepared: PreparedBlock, ratings: Sequence[float]) -> tuple[list[float], list[float]]:
    """Ratings and true strengths of all who are present; `ratings` by place."""
    present = prepared.block.present
    return [ratings[place] for place in present], [prepared.ratios[place] for place in present]


def order_figures(prepared: PreparedBlock, ratings: Sequence[float]) -> dict[str, float]:
    """How well ratings (by place) order all who are present."""
    ends = of_present(prepared, ratings)
    return {"tau": kendall_tau_b(*ends), "ordered": ordered_pairs(*ends)}


class Pool(NamedTuple):
    """Mean rating and mean true strength of all present."""

    rating: float
    strength: float

    @classmethod
    def of(cls, ratings: Sequence[float], block: Block) -> "Pool":
        """Those present in a block; `ratings` by place."""
        places = block.present
        return cls(mean([ratings[place] for place in places]), mean([block.strengths[place] for place in places]))

    def error(self, rating: float, strength: float) -> float:
        """How far what a rating lies above the mean is from what the strength does."""
        return abs((rating - self.rating) - (strength - self.strength))


class Recorder:
    """A contender's table with what has been seen of it so far."""

    def __init__(self, contender: Contender, scenario: Scenario, engine: Engine) -> None:
        self.contender, self.scenario = contender, scenario
        self.is_fitted = is_fitted(contender)
        self._table = Table(contender, engine, [])
        self._predicted: list[float] = []  # expected scores; rating gaps where they are still to be fitted
        self._index: list[int] = []
        self._taus: list[float] = []
        self._pools: list[Pool] = []
        self._leads: list[tuple[float, float] | None] = []  # of those who changed: by rating, by strength
        self._farmed: list[float] = []
        self._newcomers: dict[int, list[tuple[float, float]]] = {}  # by place, above the mean: rating and strength
        self._last: PreparedBlock | None = None
        self._pool = Pool(0.0, 0.0)

    def follow(self, prepared: PreparedBlock) -> None:
        """Rate the block and look."""
        block = prepared.block
        if block.joining:
            self._table.join(prepared.ratios[len(prepared.ratios) - len(block.joining) :])
        if block.leaving:
            self._table.leave(block.leaving)
        if self.scenario.changes:
            self._table.set_strengths(prepared.ratios)
        if block.joining:
            self._pool = Pool.of(self._table.ratings, block)
        found, white_after, black_after = self._table.trace(block.white, block.black, block.scores, gaps=self.is_fitted)
        self._predicted += found
        for game, is_white, place in prepared.milestones:
            rating = (white_after if is_white else black_after)[game] - self._pool.rating
            self._newcomers.setdefault(place, []).append((rating, block.strengths[place] - self._pool.strength))
        self._pool = Pool.of(self._table.ratings, block)
        if len(block.white) == LOOK:
            self._index.append(self._table.look())
        if prepared.done % CURVE_EVERY == 0:
            self._look(prepared)
        self._last = prepared

    def _look(self, prepared: PreparedBlock) -> None:
        """What is seen once in a thousand games."""
        block, ratings = prepared.block, self._table.ratings
        self._taus.append(kendall_tau_b(*of_present(prepared, ratings)))
        self._pools.append(self._pool)
        self._leads.append(self._lead(block, ratings))
        if self.scenario.farmers:
            keenest = [group().index(Person(STRONGEST, KEENEST)) + at * GROUP_SIZE for at in range(GROUPS)]
            farmers, twins = keenest[: self.scenario.farmers], keenest[self.scenario.farmers :]
            self._farmed.append(mean([ratings[place] for place in farmers]) - mean([ratings[place] for place in twins]))

    def _lead(self, block: Block, ratings: Sequence[float]) -> tuple[float, float] | None:
        """How far those whose strength has changed lie from the mean, in the direction of their change."""
        changed = [(place, 1.0 if block.gains[place] > 0.0 else -1.0) for place in block.present if block.gains[place]]
        if not changed:
            return None
        rated = mean([sign * (ratings[place] - self._pool.rating) for place, sign in changed])
        return rated, mean([sign * (block.strengths[place] - self._pool.strength) for place, sign in changed])

    # --- what came of it --------------------------------------------------------------------------------------
    def outcome(self, scores: Sequence[float], truth: Sequence[float]) -> Outcome:
        """Figures and curves of the whole replication; `scores` and `truth` of all its games. Raises ValueError for
        fewer than two games."""
        half = len(scores) // 2
        slope = fit_logistic(self._predicted[:half], scores[:half]) if self.is_fitted else ELO_SLOPE
        found = logistic(self._predicted, slope).tolist() if self.is_fitted else self._predicted
        scale = slope / ELO_SLOPE
        predicted, bins = judged(found[half:], scores[half:], truth[half:])
        drifted = {"drift": drift([pool.rating for pool in self._pools], CURVE_EVERY)}
        figures = self._order_figures() | predicted | drifted
        lags = [rated_and_true and rated_and_true[1] - scale * rated_and_true[0] for rated_and_true in self._leads]
        return Outcome(figures | self._movers(scale, lags), self._curves(found, truth, lags), bins)

    def _order_figures(self) -> dict[str, float]:
        assert self._last is not None, "Nothing was played."
        figures = order_figures(self._last, self._table.ratings)
        first, second = self._index[: RANGE_1 // LOOK], self._index[RANGE_1 // LOOK :]
        named = {"index_1": first, "index_2": second}
        return {key: mean(looks) for key, looks in named.items() if looks} | figures

    def _movers(self, scale: float, lags: Sequence[float | None]) -> dict[str, float]:
        """Newcomers, those who changed, and farmers: what there is of them. Newcomers who have not reached the last
        milestone are left out of all, so that each figure speaks of the same people."""
        whole = [seen for seen in self._newcomers.values() if len(seen) == len(MILESTONES)]
        figures = {
            f"newcomer_{own}": mean([abs(scale * rated - true) for rated, true in seen])
            for own, seen in zip(MILESTONES, zip(*whole, strict=True), strict=False)
        }
        since = [lag for lag in lags if lag is not None]
        if since:
            figures["lag"] = mean(since)
        late = self._farmed[len(self._farmed) // 2 :]
        if late:
            figures["farmed"] = scale * mean(late)
        return figures

    def _curves(
        self, found: Sequence[float], truth: Sequence[float], lags: Sequence[float | None]
    ) -> dict[str, list[float]]:
        """One value for every whole thousand of games; the lag is 0 before anybody changes."""
        spans = [slice(at * CURVE_EVERY, (at + 1) * CURVE_EVERY) for at in range(len(self._taus))]
        looks = CURVE_EVERY // LOOK
        curves = {
            "index": [mean(self._index[at * looks : (at + 1) * looks]) for at in range(len(self._taus))],
            "tau": self._taus,
            "mean": [pool.rating for pool in self._pools],
            "probability_error": [probability_error(found[span], truth[span]) for span in spans],
        }
        return curves | {"lag": [lag or 0.0 for lag in lags]} if self.scenario.changes else curves


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean, the same to the last bit in whatever order. Raises ZeroDivisionError without values."""
    return fsum(values) / len(values)
