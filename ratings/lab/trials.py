"""Four trials of rating systems beyond the study: farming, newcomers, a jump of strength, the Bradley–Terry ceiling.

In every replication the study's 140 players settle in the first half of the games; the second half is the trial. All
contenders see the same games.

Farming and collusion: what can be gained by farming weak players, or by two who agree on their results. The farmer wins
every game, so the figures are the most that can be gained. Points of different systems are not comparable; each gain is
also given in spreads, the standard deviation of the ratings in the table before, and a farmer's in places.
Newcomers: 35 join at the beginning of the second half and are measured after given numbers of own games, for the
study's question whether a probation of 30 games is right.
Jump of strength: in the scenario "shock" one group becomes four times as strong. Followed are those of it who now have
equals that were so strong all along, and who play often enough.
The ceiling is fitted to the study's own games (`ratings.lab.ceiling`).

Not done: the risk of an upset; opponents who refuse to play; newcomers who play too rarely to reach the last number.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Any

from ratings.lab.ceiling import CeilingPoint, ceiling, sample_points
from ratings.lab.contenders import Contender
from ratings.lab.convergence import (
    AFTER,
    ProbationRow,
    enough,
    level_of,
    newcomer_errors,
    on_elo_scale,
    own_curve,
    probation_table,
    reaction,
)
from ratings.lab.engine import Engine
from ratings.lab.scenario_games import as_ratio, blocks, scenario
from ratings.lab.summary import summaries
from ratings.lab.table import Table
from ratings.lab.world import FREQUENCIES, STRENGTHS, Person, group, stretches

# --- farming and collusion -------------------------------------------------------------------------------------------
TRIAL = 100  # games


def weakest(strengths: Sequence[float], count: int) -> tuple[int, ...]:
    """The places of the `count` weakest, weakest first; of equals the earliest."""
    return tuple(sorted(range(len(strengths)), key=lambda place: strengths[place])[:count])


@dataclass(frozen=True, slots=True)
class Gain:
    """Points won in a trial of that many games, and the spread of the table's ratings before it."""

    points: float
    games: int
    spread: float

    @property
    def per_hundred(self) -> float:
        """Points a hundred games."""
        return 100.0 * self.points / self.games

    @property
    def spreads(self) -> float | None:
        """The gain in spreads of the table; None where all ratings were equal."""
        return self.points / self.spread if self.spread else None


@dataclass(frozen=True, slots=True)
class Farming:
    """What the farmer gained, and how many stood above him before and after."""

    gain: Gain
    above_before: int
    above_after: int


def farm(table: Table, farmer: int, victims: Sequence[int], games: int = TRIAL) -> Farming:
    """The player at place `farmer` meets the `victims` in turn, who meet nobody else, and wins every game; he has White
    in every other one. Raises ValueError without games or victims, or where he is one of them."""
    if games < 1 or not victims or farmer in victims:
        raise ValueError("A farmer needs games, and others to win them from.")
    before = table.ratings
    opponents = [victims[game % len(victims)] for game in range(games)]
    _win(table, [farmer] * games, opponents)
    after = table.ratings
    gain = Gain(after[farmer] - before[farmer], games, pstdev(before))
    return Farming(gain, _above(farmer, before), _above(farmer, after))


def pump(table: Table, winner: int, loser: int, games: int = TRIAL) -> Gain:
    """What the winner gains where the loser loses every game on purpose. Raises ValueError without games, or where they
    are one person."""
    _two(winner, loser, games)
    before = table.ratings
    _win(table, [winner] * games, [loser] * games)
    return Gain(table.ratings[winner] - before[winner], games, pstdev(before))


def swap(table: Table, one: int, two: int, games: int = TRIAL) -> Gain:
    """What two gain together who beat each other in turn, `one` first: points out of nothing, 0 where what one wins
    the other loses. Raises ValueError without games, or where they are one."""
    _two(one, two, games)
    before = table.ratings
    winners = [(one, two)[game % 2] for game in range(games)]
    _win(table, winners, [one + two - winner for winner in winners])
    after = table.ratings
    return Gain(after[one] + after[two] - before[one] - before[two], games, pstdev(before))


def _win(table: Table, winners: Sequence[int], losers: Sequence[int]) -> None:
    """Rate games in which the winners have White in every other one."""
    pairs = [(w, b) if game % 2 == 0 else (b, w) for game, (w, b) in enumerate(zip(winners, losers, strict=True))]
    scores = [1.0 if game % 2 == 0 else 0.0 for game in range(len(pairs))]
    table.trace([white for white, _ in pairs], [black for _, black in pairs], scores)


def _above(place: int, ratings: Sequence[float]) -> int:
    return sum(rating > ratings[place] for rating in ratings)


def _two(one: int, two: int, games: int) -> None:
    if games < 1 or one == two:
        raise ValueError("It takes two to agree on games, and games.")


# --- newcomers, a jump of strength, farming in the study -------------------------------------------------------------
GAMES = 44_000  # half to settle, half for the trial
FOLLOWED = 150  # own games of those who jumped
CURVE_EVERY = 10  # own games from one value of the curve to the next
VICTIMS = 10
FIGURES = ("points", "places", "established_points", "established_places", "points_gain", "places_gain")
FITS = 5


@dataclass(frozen=True, slots=True)
class Jump:
    """The games before and after a jump of strength; `strengths` before and after it, by place; `jumped` all whose
    strength changed, `followed` those who are looked at."""

    before: tuple[Sequence[int], Sequence[int], Sequence[float]]
    after: tuple[Sequence[int], Sequence[int], Sequence[float]]
    strengths: tuple[Sequence[float], Sequence[float]]
    jumped: tuple[int, ...]
    followed: tuple[int, ...]


def jump_games(games: int, seed: int, replication: int, engine: Engine, length: int = FOLLOWED) -> Jump:
    """The games of the scenario "shock", cut where the jump comes. Followed are those who jumped up, to a strength
    others have had all along, and then played `length` games."""
    halves: list[list[list[Any]]] = [[[], [], []], [[], [], []]]
    for block in blocks(scenario("shock"), games, seed, replication, engine):
        half = halves[any(block.gains)]
        for column, more in zip(half, (block.white, block.black, block.scores), strict=True):
            column += list(more)
        now = [as_ratio(points) for points in block.strengths]
        born = [as_ratio(points - gain) for points, gain in zip(block.strengths, block.gains, strict=True)]
    played = Counter(map(int, [*halves[1][0], *halves[1][1]]))
    jumped = tuple(place for place in range(len(now)) if now[place] != born[place])
    followed = [place for place in jumped if born[place] < now[place] <= STRENGTHS[-1] and played[place] >= length]
    (white, black, scores), (later_white, later_black, later_scores) = halves
    after = (later_white, later_black, later_scores)
    return Jump((white, black, scores), after, (born, now), jumped, tuple(followed))


def jump_curve(contender: Contender, jump: Jump, engine: Engine, length: int = FOLLOWED) -> tuple[float, ...]:
    """Which share of the jump is in the mean rating of those followed, after their 1st … `length`th own game since:
    0 is where they stood, 1 where their new equals stood at the jump. Empty where nobody is followed."""
    if not jump.followed:
        return ()
    table = Table(contender, engine, jump.strengths[0])
    table.play(*jump.before)
    ratings, now = table.ratings, jump.strengths[1]
    stood = fmean(ratings[place] for place in jump.followed)
    target = fmean(level_of(now[place], ratings, now, jump.jumped) for place in jump.followed)
    white, black, _ = jump.after
    _, white_after, black_after = table.trace(*jump.after)
    curve = own_curve(white, black, white_after, black_after, jump.followed, length)
    return tuple((rating - stood) / (target - stood) for rating in curve)


def probation(
    contender: Contender, games: int, seed: int, replication: int, engine: Engine, after: Sequence[int] = AFTER
) -> tuple[ProbationRow, ...]:
    """The rows of one replication: 35 newcomers join in the middle of the games. Empty where none of them played
    enough."""
    first, second = stretches(games, seed, replication, engine, newcomers=True, every=games - games // 2)
    table = Table(contender, engine, [person.strength for person in first.joining])
    table.play(first.white, first.black, first.scores)
    known = len(first.joining)
    table.join([person.strength for person in second.joining])
    errors = newcomer_errors(
        table, second.white, second.black, second.scores, range(known, known + len(second.joining)),
        elo_scale=on_elo_scale(contender), after=after,
    )  # fmt: skip
    return probation_table(errors, after)


def farming(contender: Contender, games: int, seed: int, replication: int, engine: Engine) -> dict[str, float]:
    """What a hundred games bring, in points and in spreads of the table: the strongest who plays most from the ten
    weakest (`farmed`, and `passed`: how many he passes), one of two equals of middle strength whom the other lets win
    (`pumped`), and two such who win in turn, together (`swapped`). Each from the same settled table."""
    settled = next(stretches(games, seed, replication, engine))
    strengths = [person.strength for person in settled.joining]

    def table() -> Table:
        found = Table(contender, engine, strengths)
        found.play(settled.white, settled.black, settled.scores)
        return found

    one = group().index(Person(STRENGTHS[len(STRENGTHS) // 2], FREQUENCIES[-1]))
    two = one + len(group())
    farmed = farm(table(), group().index(Person(STRENGTHS[-1], FREQUENCIES[-1])), weakest(strengths, VICTIMS))
    found = {"passed": float(farmed.above_before - farmed.above_after)}
    gains = {"farmed": farmed.gain, "pumped": pump(table(), one, two), "swapped": swap(table(), one, two)}
    for name, gain in gains.items():
        found[name] = gain.per_hundred
        if gain.spreads is not None:
            found[f"{name}_spreads"] = gain.spreads
    return found


# --- the document -------------------------------------------------------------------------------------------------
class Trials:
    """What one contender has shown so far."""

    def __init__(self) -> None:
        self.rows: list[tuple[ProbationRow, ...]] = []
        self.curves: list[tuple[float, ...]] = []
        self.farmed: list[dict[str, float]] = []

    def document(self) -> dict[str, Any]:
        rows = [*zip(*filter(None, self.rows), strict=True)]
        curve = [fmean(alike) for alike in zip(*filter(None, self.curves), strict=True)]
        reached = reaction(curve, 0.0, 1.0)
        shared = [name for name in self.farmed[0] if all(name in each for each in self.farmed)]
        return {
            "probation": [_probation_row(alike) for alike in rows],
            "enough": enough([_mean_row(alike) for alike in rows]),
            "jump": {
                "half": reached.half,
                "ninety": reached.ninety,
                "every": CURVE_EVERY,
                "mean": curve[CURVE_EVERY - 1 :: CURVE_EVERY],
            },
            "farming": summaries({name: [each[name] for each in self.farmed] for name in shared}),
        }


def _columns(alike: Sequence[Any], names: Sequence[str]) -> dict[str, list[float]]:
    """The values of these figures, of those that none lacks."""
    found = {name: [getattr(each, name) for each in alike] for name in names}
    return {name: values for name, values in found.items() if None not in values}


def _probation_row(alike: Sequence[ProbationRow]) -> dict[str, Any]:
    head = {"own_games": alike[0].own_games, "newcomers": sum(row.newcomers for row in alike)}
    return head | summaries(_columns(alike, FIGURES))


def _mean_row(alike: Sequence[ProbationRow]) -> ProbationRow:
    means: dict[str, Any] = dict.fromkeys(FIGURES)
    means |= {name: fmean(values) for name, values in _columns(alike, FIGURES).items()}
    return ProbationRow(alike[0].own_games, sum(row.newcomers for row in alike), **means)


def _ceiling_point(alike: Sequence[CeilingPoint]) -> dict[str, Any]:
    return {"games": alike[0].games} | summaries(_columns(alike, ("index", "tau", "ordered", "log_loss")))


def ceilings(games: int, seed: int, replication: int, engine: Engine, fits: int = FITS) -> tuple[CeilingPoint, ...]:
    """The ceiling over the study's games of one replication."""
    stretch = next(stretches(games, seed, replication, engine))
    strengths = [person.strength for person in stretch.joining]
    return ceiling(stretch.white, stretch.black, stretch.scores, strengths, sample_points(games, fits))


def trials_report(
    contenders: Iterable[Contender],
    *,
    games: int = GAMES,
    seed: int,
    replications: int,
    engine: Engine,
    tell: Callable[[int], None],
) -> dict[str, Any]:
    """The JSON document. By system: `probation`, a row a number of own games with mean, sd and se over replications
    (points and their gains only on Elo's scale), `enough`, the shortest that brings newcomers near the established
    (`convergence.enough` of the means over replications), `jump`, own games until half and until nine tenths of it are
    in the mean over all replications, and `farming`. `ceiling`: its points. Raises ValueError for no replication, or
    for fewer games than it takes to settle anybody."""
    if replications < 1 or games < 1000:
        raise ValueError("Trials take at least one replication of 1000 games.")
    systems = {each: Trials() for each in contenders}
    tops = []
    for replication in range(replications):
        jump = jump_games(games, seed, replication, engine)
        for each, trials in systems.items():
            trials.rows.append(probation(each, games, seed, replication, engine))
            trials.curves.append(jump_curve(each, jump, engine))
            trials.farmed.append(farming(each, games // 2, seed, replication, engine))
        tops.append(ceilings(games, seed, replication, engine))
        tell(replication + 1)
    return {
        "study": "trials",
        "games": games,
        "replications": replications,
        "seed": seed,
        "systems": {each.key: trials.document() for each, trials in systems.items()},
        "ceiling": [_ceiling_point(alike) for alike in zip(*tops, strict=True)],
    }
