"""The proof of probation by evidence: worlds of known strengths, and how soon ratings find who is new (pure).

Scenarios of the lab are played with newcomers: every 5,000 games a quarter of the club leaves and 35 others join. The
same games are rated by lists that differ only in how a newcomer's K and his probation end (`ratings.systems.evidence`),
through the club's own loop, and by Glicko, whose probation is counted, beside them. A newcomer's error is his rating
less his strength, less the mean of that over the established, whoever has `LAST` games. Counted are those who reach
`LAST` games themselves, and joined when there were established players. Docs: docs/algorithms/probation.md.

Not done: the world "farming", which knows no newcomers; clubs in which all are new.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from math import sqrt
from statistics import fmean, quantiles
from typing import Any, NamedTuple

from ratings.lab.backtest import CONTENDERS
from ratings.lab.contenders import Contender
from ratings.lab.engine import Engine
from ratings.lab.scenario_games import SCENARIOS, Block, Scenario, blocks
from ratings.lab.summary import difference
from ratings.systems.base import PlayedGame, RatedGame, Side, order_key
from ratings.systems.probation import Probation
from ratings.systems.replay import DatedRule, DatedRules, replay

GAMES, REPLICATIONS, TURNOVER = 40_000, 2, 5_000
BY_COUNT = "fide"
LISTS = tuple(each for each in CONTENDERS if each.key in (BY_COUNT, "fide-known", "fide-evidence", "glicko"))
NOT_TRIED = ("farming", "turnover")  # it knows no newcomers; with newcomers it is the world "constant"
WORLDS: tuple[Scenario, ...] = tuple(
    replace(each, turnover=TURNOVER) for each in SCENARIOS if each.key not in NOT_TRIED
)
AFTER = (1, 10, 20, 30, 40, 50, 60, 80, 100)  # own games at which newcomers are looked at
LAST = AFTER[-1]
SAME_AS = (30, 60)  # own games under the count whose error others reach sooner or later
PROBATIONS = (10, 15, 20, 30)  # games, or as much by evidence
REGULAR_K = 20.0  # FIDE's for the established: whoever moves by no more is a newcomer no longer
ENOUGH = 1.25  # times the error of the established
DAY = date(2001, 1, 1)


class Look(NamedTuple):
    """A newcomer's error after so many own games, the mean size of the established's, and the deviation that the list
    tells of him (None where it knows none). Points."""

    own_games: int
    error: float
    established: float
    told: float | None


@dataclass
class Career:
    """What was seen of one newcomer: after each number of own games, as his K ceased to be a newcomer's, and as he came
    off probation."""

    after: dict[int, Look] = field(default_factory=dict)
    left: Look | None = None
    off: dict[int, Look] = field(default_factory=dict)  # by the length of the probation


# --- one replication -------------------------------------------------------------------------------------------------
def careers(each: Contender, played: Sequence[Block]) -> dict[int, Career]:
    """Everybody who joined later than the second time, by place."""
    watched = _Watched(played, {games: each.system.probation(each.settings, games) for games in PROBATIONS})
    rules = DatedRules([DatedRule(date.min, each.system, each.settings)])
    for row in replay(_games(played), (), states={}, birth_years={}, rules=rules):
        if isinstance(row, RatedGame):
            watched.see(row)
    return watched.careers


def _games(played: Sequence[Block]) -> Iterator[PlayedGame]:
    number = 0
    for block in played:
        for white, black, score in zip(block.white, block.black, block.scores, strict=True):
            yield PlayedGame(number, int(white), int(black), float(score), order_key(DAY, number), DAY.toordinal())
            number += 1


class _Watched:
    """Ratings as the rows go by, and looks at the newcomers among them."""

    def __init__(self, played: Sequence[Block], probations: Mapping[int, Probation]) -> None:
        self.played, self.block, self.done = played, 0, 0  # the block that is played, and games of it
        self.probations = probations
        self.ratings: dict[int, float] = {}
        self.games: dict[int, int] = {}
        joined = [block.present[-len(block.joining) :] for block in played if block.joining]
        self.careers = {place: Career() for group in joined[2:] for place in group}

    def see(self, row: RatedGame) -> None:
        now = self.played[self.block]
        for place, side in ((row.played.white, row.white), (row.played.black, row.black)):
            self._leave(place, side, now)
        for place, side in ((row.played.white, row.white), (row.played.black, row.black)):
            assert side.after is not None
            self.ratings[place], self.games[place] = side.after, side.games + 1
        for place in (row.played.white, row.played.black):
            if place in self.careers and self.games[place] in AFTER:
                self.careers[place].after[self.games[place]] = self._look(place, now, None)
        self.done += 1
        if self.done == len(now.white):
            self.block, self.done = self.block + 1, 0

    def _leave(self, place: int, side: Side, now: Block) -> None:
        """The first game at the regular K, and the first off probation: he had left before it."""
        career = self.careers.get(place)
        if career is None or not side.games:
            return
        if career.left is None and side.k is not None and side.k <= REGULAR_K:
            career.left = self._look(place, now, side.deviation)
        for games, probation in self.probations.items():
            if games not in career.off and not probation.holds(side):
                career.off[games] = self._look(place, now, side.deviation)

    def _look(self, place: int, now: Block, told: float | None) -> Look:
        off = {each: self.ratings[each] - now.strengths[each] for each in now.present if each in self.ratings}
        established = [off[each] for each in off if self.games[each] >= LAST and each != place]
        mean = fmean(established) if established else 0.0
        error = fmean(abs(each - mean) for each in established) if established else 0.0
        return Look(self.games[place], self.ratings[place] - now.strengths[place] - mean, error, told)


# --- the document ----------------------------------------------------------------------------------------------------
def probation_report(
    *,
    games: int,
    replications: int,
    seed: int,
    engine: Engine,
    tell: Callable[[int], None],
    worlds: Sequence[Scenario] = WORLDS,
) -> dict[str, Any]:
    """The document, by world and list. `tell` hears how many replications are done in all. Raises ValueError for fewer
    games than it takes newcomers to come and play, or no replication."""
    if games < 6 * TURNOVER or replications < 1:
        raise ValueError(f"The study of newcomers needs {6 * TURNOVER} games and one replication at least.")
    rows, done = [], 0
    for world in worlds:
        found: dict[str, list[Career]] = {each.key: [] for each in LISTS}
        for replication in range(replications):
            played = list(blocks(world, games, seed, replication, engine))
            for each in LISTS:
                seen = careers(each, played)
                found[each.key] += [seen[place] for place in sorted(seen) if LAST in seen[place].after]
            done += 1
            tell(done)
        rows += [{"world": world.key, "list": key, **_figures(found, key)} for key in found]
    return {
        "study": "probation", "games": games, "replications": replications, "seed": seed, "after": list(AFTER),
        "same_as": list(SAME_AS), "enough": ENOUGH, "probations": list(PROBATIONS), "rows": rows,
    }  # fmt: skip


def _figures(found: Mapping[str, Sequence[Career]], key: str) -> dict[str, Any]:
    """Mean sizes of the errors after each number of games; own games until the error is that of the count after 30 and
    60, and until it is near that of the established; how far it is from the count's, with the interval of 95 % over
    newcomers; how they left, and how they came off probation. Points; None where a curve does not get so far."""
    own, count = (_curve(found[name]) for name in (key, BY_COUNT))
    established = [fmean(each.after[games].established for each in found[key]) for games in AFTER]
    near = [error / ENOUGH - others for error, others in zip(own, established, strict=True)]
    return {
        "newcomers": len(found[key]),
        "error": [round(each, 1) for each in own],
        "established": [round(each, 1) for each in established],
        "same_error": [reached(own, count[AFTER.index(games)]) for games in SAME_AS],
        "near": reached(near, 0.0),
        "less": None if key == BY_COUNT else [_less(found, key, games) for games in SAME_AS],
        "left": _left([each.left for each in found[key] if each.left], len(found[key])),
        "off": [
            _left([each.off[games] for each in found[key] if games in each.off], len(found[key]))
            for games in PROBATIONS
        ],
    }


def _curve(seen: Sequence[Career]) -> list[float]:
    return [fmean(abs(each.after[games].error) for each in seen) for games in AFTER]


def reached(curve: Sequence[float], level: float) -> float | None:
    """Own games after which the curve (values after `AFTER`) is no higher than `level`, on straight lines between its
    points; None where it never is."""
    for at, value in enumerate(curve):
        if value <= level:
            if at == 0:
                return float(AFTER[0])
            before = curve[at - 1]
            return round(AFTER[at - 1] + (AFTER[at] - AFTER[at - 1]) * (before - level) / (before - value), 1)
    return None


def _less(found: Mapping[str, Sequence[Career]], key: str, games: int) -> list[float]:
    sizes = [[abs(each.after[games].error) for each in found[name]] for name in (key, BY_COUNT)]
    off = difference(*sizes)
    return [round(off.mean, 1), *(round(bound, 1) for bound in (off.low, off.high) if bound is not None)]


def _left(looks: Sequence[Look], newcomers: int) -> dict[str, Any] | None:
    """How those left who did: own games (mean, and of nine in ten more and fewer), mean size and root mean square of
    the error, root mean square of the deviation that was told. None where the list's K is nobody's newcomer's."""
    if len(looks) < 2:
        return None
    games, told = [look.own_games for look in looks], [look.told for look in looks if look.told is not None]
    tenths = quantiles(games, n=10, method="inclusive")
    return {
        "share": round(len(looks) / newcomers, 3),
        "games": round(fmean(games), 1),
        "tenths": [tenths[0], tenths[-1]],
        "size": round(fmean(abs(look.error) for look in looks), 1),
        "error": round(sqrt(fmean(look.error**2 for look in looks)), 1),
        "told": round(sqrt(fmean(each * each for each in told)), 1) if told else None,
    }
