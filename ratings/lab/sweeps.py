"""Two sweeps over settings of Elo: which K is right, and how long should a newcomer's K be doubled?

K: constant K from 4 to 80 on the same games, all measures of an experiment. Probation: the club's default rule gives a
newcomer K 40 for 30 games and K 20 from then on; here the 30 is moved from 0 to 50 and everything else stays, in a
world where newcomers join a settled pool. Looked at is how far newcomers are off when they come off probation, and what
their opponents pay for it. Source of the question: the study of six systems, which calls 30 games optimal. Errors are
distances, in Elo points, between what a player's rating and his true strength lie above the mean of all present.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ratings.lab.contenders import STUDY_START, Contender, contender
from ratings.lab.engine import Engine
from ratings.lab.experiment import FIGURE_DIGITS, counting_from, rounded, run_experiment
from ratings.lab.recording import Pool, mean
from ratings.lab.scenario_games import FIRST_PLAYERS, REFERENCE, Block, Scenario, blocks, scenario
from ratings.lab.summary import differences, summaries
from ratings.lab.table import Table
from ratings.lab.vectorised import ColumnRater, Floats, Ints
from ratings.systems.elo import expected_score
from ratings.systems.k_factors import K_RULES

K_VALUES = (4, 8, 12, 16, 20, 24, 32, 40, 50, 60, 80)
K_BASELINE = 20  # the club's K for whoever is established
LENGTHS = (0, 10, 20, 30, 40, 50)
CLUB_LENGTH = K_RULES["fide"].newcomer_games
NEW, SETTLED = 50, 100  # own games: those looked at as newcomers, and those from whom on one is established
OWN_LOOKS = (30, 50, 100)


# --- K ------------------------------------------------------------------------------------------------------------
def constant_k(k: float) -> Contender:
    """Elo with one K for everybody and always."""
    return contender(f"k{k:g}", f"K {k:g}", "elo", {"preset": "constant", "k": k, "start": STUDY_START})


def k_sweep(
    world: Scenario,
    *,
    games: int,
    seed: int,
    replications: int,
    engine: Engine,
    tell: Callable[[int], None],
    values: Sequence[float] = K_VALUES,
) -> dict[str, Any]:
    """The document of an experiment among constant Ks (no curves, no calibration), with `values`, the `best` K by each
    measure, and differences against the club's K for the established (none where it is not among the values)."""
    found = run_experiment(
        world,
        [constant_k(k) for k in values],
        games=games,
        seed=seed,
        replications=replications,
        engine=engine,
        tell=tell,
        baseline=f"k{K_BASELINE:g}",
        ceiling=False,
    )
    best = best_k(found["systems"], values)
    return {name: found[name] for name in KEPT} | {"values": list(values), "best": best}


KEPT = ("scenario", "games", "replications", "seed", "systems", "baseline", "differences", "first")
HIGHER_IS_BETTER = frozenset({"tau", "ordered"})
NEARER_ZERO = frozenset({"lag", "farmed"})


def best_k(systems: dict[str, dict[str, dict[str, float]]], values: Sequence[float]) -> dict[str, float]:
    """By each measure all have, the K that does best in the mean; of equals the smallest. Not by the drift: one K for
    all takes from one what it gives to the other, and where nobody leaves nothing drifts but the last bit."""
    each = [systems[f"k{k:g}"] for k in values]
    shared = [measure for measure in each[0] if measure != "drift" and all(measure in one for one in each)]
    return {
        measure: min(zip(values, each, strict=True), key=lambda pair: _cost(measure, pair[1][measure]["mean"]))[0]
        for measure in shared
    }


def _cost(measure: str, value: float) -> float:
    if measure in NEARER_ZERO:
        return abs(value)
    return -value if measure in HIGHER_IS_BETTER else value


# --- probation ----------------------------------------------------------------------------------------------------
def club_ks() -> tuple[float, float]:
    """K of a newcomer and of the established by the club's default rule."""
    by_reason = {step.reason: step.k for step in K_RULES["fide"].steps}
    return by_reason["newcomer"], by_reason["regular"]


@cache
def probation_rater(length: int, engine: Engine) -> ColumnRater:
    """Elo by the club's two Ks, the newcomer's for the first `length` games."""
    newcomer_k, regular_k = club_ks()
    expect = engine.compile(expected_score)

    def rate(ratings: Floats, second: Floats, third: Floats, games: Ints, white: int, black: int, score: float) -> None:
        own, other = ratings[white], ratings[black]
        surplus = score - expect(own, other)
        ratings[white] = own + (newcomer_k if games[white] < length else regular_k) * surplus
        ratings[black] = other - (newcomer_k if games[black] < length else regular_k) * surplus

    def predict(ratings: Floats, second: Floats, third: Floats, games: Ints, white: int, black: int) -> float:
        return expect(ratings[white], ratings[black])

    return ColumnRater((STUDY_START, 0.0, 0.0), engine.compile(rate), engine.compile(predict))


class Probation:
    """One length of probation in one replication."""

    def __init__(self, length: int, engine: Engine) -> None:
        self.length = length
        self._table = Table(REFERENCE, engine, [])
        self._table.rater = probation_rater(length, engine)
        self.ratings: list[float] = []
        self._pool = Pool(0.0, 0.0)
        self._own: list[int] = []
        self._newcomers: dict[int, dict[int, float]] = {}  # by place: own games -> error
        self._paid: list[float] = []
        self._worse: list[float] = []

    def follow(self, block: Block) -> None:
        """Rate the games and look at newcomers and at the established who met them."""
        if block.joining:
            self._table.join([1.0] * len(block.joining))
            self._own += [0] * len(block.joining)
            self.ratings = self._table.ratings
            self._pool = Pool.of(self.ratings, block)
            for place in range(len(self._own) - len(block.joining), len(self._own)):
                if place >= FIRST_PLAYERS:
                    self._look(block, place)
        _expected, white_after, black_after = self._table.trace(block.white, block.black, block.scores)
        for game, pair in enumerate(zip(block.white, block.black, strict=True)):
            white, black = int(pair[0]), int(pair[1])
            self._meeting(block, white, black, white_after[game])
            self._meeting(block, black, white, black_after[game])
            self.ratings[white], self.ratings[black] = white_after[game], black_after[game]
            for place in (white, black):
                self._own[place] += 1
                if place >= FIRST_PLAYERS:
                    self._look(block, place)
        self._pool = Pool.of(self.ratings, block)

    def _look(self, block: Block, place: int) -> None:
        own = self._own[place]
        if own == self.length or own in OWN_LOOKS:
            error = self._pool.error(self.ratings[place], block.strengths[place])
            self._newcomers.setdefault(place, {})[own] = error

    def _meeting(self, block: Block, own: int, other: int, after: float) -> None:
        """What a game against a newcomer did to an established player: points, and his distance to the truth."""
        if self._own[own] < SETTLED or self._own[other] >= NEW or other < FIRST_PLAYERS:
            return
        before, strength = self.ratings[own], block.strengths[own]
        self._paid.append(before - after)
        self._worse.append(self._pool.error(after, strength) - self._pool.error(before, strength))

    def figures(self) -> dict[str, float]:
        """Newcomers' errors when they come off probation (`off`) and after so many own games, of those who reached the
        last of these; what an established player lost a game to them (`paid`), and by how much each such game drove
        him from the truth (`driven`; below 0: nearer). What nobody did is left out."""
        whole = [seen for seen in self._newcomers.values() if OWN_LOOKS[-1] in seen]
        found = {}
        if whole:
            found["off"] = mean([seen[self.length] for seen in whole])
            found |= {f"after_{own}": mean([seen[own] for seen in whole]) for own in OWN_LOOKS}
        if self._paid:
            found |= {"paid": mean(self._paid), "driven": mean(self._worse)}
        return found


def probation_replication(
    world: Scenario, lengths: Sequence[int], games: int, seed: int, replication: int, engine: Engine
) -> dict[int, dict[str, float]]:
    """One replication: figures by length. All lengths see the same games."""
    tried = [Probation(length, engine) for length in lengths]
    for block in blocks(world, games, seed, replication, engine):
        for each in tried:
            each.follow(block)
    return {each.length: each.figures() for each in tried}


def probation_sweep(
    world: Scenario,
    *,
    games: int,
    seed: int,
    replications: int,
    engine: Engine,
    tell: Callable[[int], None],
    lengths: Sequence[int] = LENGTHS,
) -> dict[str, Any]:
    """The JSON document: by length (as text) every measure's mean, sd and se over replications, and the paired
    differences against the club's own length. Raises ValueError for a world nobody joins, or no replication."""
    if not world.turnover or replications < 1:
        raise ValueError("A probation is tried where newcomers join, at least once.")

    columns: dict[int, dict[str, list[float]]] = {length: {} for length in lengths}
    for replication in range(replications):
        for length, figures in probation_replication(world, lengths, games, seed, replication, engine).items():
            for measure, value in figures.items():
                columns[length].setdefault(measure, []).append(value)
        tell(replication + 1)
    newcomer_k, regular_k = club_ks()
    return {
        "scenario": world.key,
        "games": games,
        "replications": replications,
        "seed": seed,
        "newcomer_k": newcomer_k,
        "k": regular_k,
        "baseline": CLUB_LENGTH,
        "lengths": {str(length): summaries(found) for length, found in columns.items()},
        "first": {
            str(length): {measure: values[0] for measure, values in found.items()} for length, found in columns.items()
        },
        "differences": {
            str(length): differences(found, columns[CLUB_LENGTH])
            for length, found in columns.items()
            if length != CLUB_LENGTH and CLUB_LENGTH in columns
        },
    }


# --- both ---------------------------------------------------------------------------------------------------------
K_WORLDS = ("constant", "improving", "turnover")
PROBATION_WORLD = "turnover"
RUNS = len(K_WORLDS) + 1  # sweeps in a report


def sweeps_report(
    *, games: int, seed: int, replications: int, engine: Engine, tell: Callable[[int], None]
) -> dict[str, Any]:
    """K in three worlds and the probation in one, rounded for keeping. `tell` hears how many replications are done in
    all, of RUNS × `replications`."""
    size: dict[str, Any] = {"games": games, "seed": seed, "replications": replications, "engine": engine}
    swept = [
        k_sweep(scenario(key), **size, tell=counting_from(at * replications, tell)) for at, key in enumerate(K_WORLDS)
    ]
    rest = counting_from(len(K_WORLDS) * replications, tell)
    probation = probation_sweep(scenario(PROBATION_WORLD), **size, tell=rest)
    head = {"study": "sweeps", "games": games, "replications": replications, "seed": seed}
    return head | {"k": rounded(swept, FIGURE_DIGITS), "probation": rounded(probation, FIGURE_DIGITS)}
