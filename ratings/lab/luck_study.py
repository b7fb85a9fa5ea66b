"""The proof of the luck ledger: worlds of known strengths, and how often the truth lies in the intervals stated (pure).

A scenario of the lab is played as a club's evenings, a hundred games a week, and rated by the club's own loop. From the
results alone the history of strengths is fitted, and every player's every season is split (`ratings.lab.luck`) for so
many draws of it. The same split with the true strengths is the truth. A season counts where the page shows one: from
`FEWEST_GAMES` games on. Docs: docs/algorithms/luck.md.

One world is added to the lab's: `wandering`, whose people all change from evening to evening. There alone the gain of
strength is never exactly zero, so there the probability of having improved is held against how many did.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from typing import Any, NamedTuple

import numpy

from ratings.history.whole_history import HistoryGame, When
from ratings.lab.contenders import Contender, contenders
from ratings.lab.engine import Engine
from ratings.lab.luck import BOUND, FEWEST_GAMES, PARTS, Believed, Move, Parts, chance_of_gain, curve, estimates, split
from ratings.lab.scenario_games import LOOK, SCENARIOS, blocks, score_of
from ratings.lab.strength_draws import strengths_from
from ratings.systems.base import PlayedGame, RatedGame, Side, order_key
from ratings.systems.draws import draw_of, rate_between_equals
from ratings.systems.replay import DatedRule, DatedRules, replay

GAMES, REPLICATIONS = 6_000, 2
SEASON = 20  # evenings
DRAWS = 100
LISTS = contenders(["fide", "elo-k32", "glicko"])
FIGURES = (*PARTS, "above", "due")
FIRST_EVENING = date(2001, 1, 1).toordinal()
WEEK = 7
# The wandering world: strengths of a club, and how far they wander in a year; points.
PEOPLE, SPREAD, WANDER, DRAWN = 60, 200.0, 100.0, 0.3

Truth = dict[When, float]  # strength of whoever played, on the days he did


class Evenings(NamedTuple):
    """What was played, and how strong everybody was who did (Elo points)."""

    games: list[PlayedGame]
    truth: Truth


# --- worlds ----------------------------------------------------------------------------------------------------------
def evenings(world: str, games: int, seed: int, replication: int, engine: Engine) -> Evenings:
    """A world's evenings. Raises KeyError for a world there is not."""
    made = Evenings([], {})
    if world == WANDERING:
        stretches = wandering(games, numpy.random.Generator(numpy.random.PCG64([seed, replication])))
    else:
        stretches = _of_scenario(world, games, seed, replication, engine)
    for number, (strengths, played) in enumerate(stretches):
        day = FIRST_EVENING + WEEK * number
        for white, black, score in played:
            order = order_key(date.fromordinal(day), len(made.games))
            made.games.append(PlayedGame(len(made.games), white, black, score, order, day))
            made.truth[When(white, day)], made.truth[When(black, day)] = strengths[white], strengths[black]
    return made


_Evening = tuple[Sequence[float], list[tuple[int, int, float]]]  # strengths by player; (white, black, score)


def _of_scenario(key: str, games: int, seed: int, replication: int, engine: Engine) -> Iterator[_Evening]:
    """Whoever improves does so by a few points an evening: strengths are those at its end."""
    found = {each.key: each for each in SCENARIOS}[key]
    for block in blocks(found, games, seed, replication, engine):
        columns = (
            map(kind, column) for kind, column in ((int, block.white), (int, block.black), (float, block.scores))
        )
        yield block.strengths, list(zip(*columns, strict=True))


def wandering(games: int, rng: numpy.random.Generator) -> Iterator[_Evening]:
    """People who come every other evening or more rarely, met by lot, and whose strength is never twice the same."""
    strengths, comes = rng.normal(1500.0, SPREAD, PEOPLE), rng.uniform(0.1, 1.0, PEOPLE)
    rate, step = rate_between_equals(DRAWN), WANDER * (WEEK / 365.25) ** 0.5
    for _evening in range(games // LOOK):
        seats = [rng.choice(PEOPLE, 2, replace=False, p=comes / comes.sum()) for _game in range(LOOK)]
        expected = curve(numpy.array([strengths[one] - strengths[two] for one, two in seats]))
        lots = rng.random(LOOK)
        scores = [score_of(lot, each, draw_of(each, rate)) for lot, each in zip(lots, expected.tolist(), strict=True)]
        yield strengths.tolist(), [(int(one), int(two), s) for (one, two), s in zip(seats, scores, strict=True)]
        strengths = strengths + rng.normal(0.0, step, PEOPLE)


WANDERING = "wandering"
WORLDS = (*(each.key for each in SCENARIOS), WANDERING)


# --- a player's seasons ----------------------------------------------------------------------------------------------
class PlayerSeason(NamedTuple):
    """What the ledger has of it, and where it was played: when the player began, and each game's days of both."""

    moves: list[Move]
    start: float
    end: float
    first: When
    own: list[When]
    opponents: list[When]


def seasons_of(rows: Sequence[RatedGame]) -> Iterator[PlayerSeason]:
    """Of everybody every season with enough games, by the rows of a list rated game by game."""
    by_player: dict[int, list[tuple[PlayedGame, bool, Side, Side]]] = {}
    for row in rows:
        white, black = row.white, row.black
        by_player.setdefault(row.played.white, []).append((row.played, True, white, black))
        by_player.setdefault(row.played.black, []).append((row.played, False, black, white))
    for player in sorted(by_player):
        before: When | None = None
        for _number, season in groupby(by_player[player], key=lambda each: _season(each[0].day)):
            played = list(season)
            if len(played) >= FEWEST_GAMES:
                yield _season_of(player, played, before)
            before = When(player, played[-1][0].day)


def _season(day: int) -> int:
    return (day - FIRST_EVENING) // (WEEK * SEASON)


def _season_of(player: int, played: Sequence[tuple[PlayedGame, bool, Side, Side]], before: When | None) -> PlayerSeason:
    moves = []
    for game, is_white, own, other in played:
        score = game.score if is_white else 1.0 - game.score
        moves.append(Move(own.change or 0.0, own.k, score, own.before or 0.0, other.before or 0.0))
    mine = [When(player, game.day) for game, *_rest in played]
    theirs = [When(game.black if is_white else game.white, game.day) for game, is_white, *_rest in played]
    end = played[-1][2].after
    assert end is not None
    return PlayerSeason(moves, moves[0].before, end, before or mine[0], mine, theirs)


# --- one replication -------------------------------------------------------------------------------------------------
@dataclass
class Counted:
    """Of one list: how often the truth lay in the interval, by figure; widths (a deviation each, summed); how often
    strength was gained among so many, by tenths of the probability."""

    seasons: int = 0
    held: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FIGURES, 0))
    deviations: dict[str, float] = field(default_factory=lambda: dict.fromkeys(FIGURES, 0.0))
    errors: dict[str, float] = field(default_factory=lambda: dict.fromkeys(FIGURES, 0.0))
    tenths: list[list[float]] = field(default_factory=lambda: [[0, 0.0, 0] for _tenth in range(10)])

    def count(self, parts: Parts, truth: Parts) -> None:
        """`truth`: parts of one draw, the true one."""
        self.seasons += 1
        found = estimates(parts)
        for name, each in found.items():
            true = float(getattr(truth, name)[0])
            self.held[name] += each.holds(true)
            self.deviations[name] += each.deviation
            self.errors[name] += (each.mean - true) ** 2
        chance = chance_of_gain(found["strength"])
        tenth = self.tenths[min(int(10.0 * chance), 9)]
        tenth[0] += 1
        tenth[1] += chance
        tenth[2] += bool(truth.strength[0] > 0.0)

    def add(self, other: "Counted") -> None:
        self.seasons += other.seasons
        for name in FIGURES:
            self.held[name] += other.held[name]
            self.deviations[name] += other.deviations[name]
            self.errors[name] += other.errors[name]
        self.tenths = [
            [a + b for a, b in zip(*both, strict=True)] for both in zip(self.tenths, other.tenths, strict=True)
        ]


def replicate(
    world: str, lists: Sequence[Contender], games: int, seed: int, replication: int, engine: Engine
) -> dict[str, Counted]:
    """What one replication of a world says of each list, by its key."""
    made = evenings(world, games, seed, replication, engine)
    rng = numpy.random.Generator(numpy.random.PCG64([seed, replication, 1]))
    found = strengths_from(
        [HistoryGame(game.white, game.black, game.day, game.score) for game in made.games], DRAWS, rng
    )
    places = {when: found.field.place(when) for when in made.truth}
    true = numpy.empty((1, len(found.field.days)))
    for when, place in places.items():
        true[0, place] = made.truth[when]
    return {each.key: _counted(made, each, places, found.draws, true) for each in lists}


def _counted(made: Evenings, each: Contender, places: Mapping[When, int], strengths: Any, true: Any) -> Counted:
    rules = DatedRules([DatedRule(date.min, each.system, each.settings)])
    rows = [row for row in replay(made.games, (), states={}, birth_years={}, rules=rules) if isinstance(row, RatedGame)]
    levelled = level(rows, places, numpy.concatenate([strengths, true]))
    found = Counted()
    for season in seasons_of(rows):
        parts = split(season.moves, season.start, season.end, believed(season, places, levelled))
        # The truth is the last of the draws.
        found.count(parts.some(slice(-1)), parts.some(slice(-1, None)))
    return found


def level(rows: Sequence[RatedGame], places: Mapping[When, int], strengths: Any) -> Any:
    """The strengths of each draw on the list's scale: over all games as high in the mean as the ratings."""
    ratings = numpy.array([value for row in rows for value in (row.white_before, row.black_before)])
    at = [places[When(who, row.played.day)] for row in rows for who in (row.played.white, row.played.black)]
    return strengths + (ratings.mean() - strengths[:, at].mean(axis=1))[:, None]


def believed(season: PlayerSeason, places: Mapping[When, int], strengths: Any) -> Believed:
    """The strengths a season needs, out of those at all places."""
    own, opponents = ([places[when] for when in whens] for whens in (season.own, season.opponents))
    return Believed(strengths[:, places[season.first]], strengths[:, own], strengths[:, opponents])


# --- the document ----------------------------------------------------------------------------------------------------
ENOUGH = (0.93, 0.97)  # of the intervals of 95 %


def luck_report(
    lists: Sequence[Contender],
    *,
    games: int,
    replications: int,
    seed: int,
    engine: Engine,
    tell: Callable[[int], None],
    worlds: Sequence[str] = WORLDS,
) -> dict[str, Any]:
    """The document: of each world and list how many of the intervals hold the truth. `tell` hears how many
    replications are done in all. Raises ValueError for less than one season of games or no replication."""
    if games < LOOK * SEASON or replications < 1:
        raise ValueError(f"The luck study needs {LOOK * SEASON} games, a season, and one replication at least.")
    rows: list[dict[str, Any]] = []
    pooled, tenths, done = Counted(), Counted().tenths, 0
    for world in worlds:
        found = {each.key: Counted() for each in lists}
        for replication in range(replications):
            for key, counted in replicate(world, lists, games, seed, replication, engine).items():
                found[key].add(counted)
            done += 1
            tell(done)
        rows += [{"world": world, "list": key, **_figures(counted)} for key, counted in found.items()]
        for counted in found.values():
            pooled.add(counted)
        if world == WANDERING:
            tenths = next(iter(found.values())).tenths
    return {
        "study": "luck",
        "games": games,
        "replications": replications,
        "seed": seed,
        "season": SEASON,
        "fewest": FEWEST_GAMES,
        "draws": DRAWS,
        "enough": list(ENOUGH),
        "all": _figures(pooled),
        "rows": rows,
        "gains": [[int(count), _share(chance, count), _share(gained, count)] for count, chance, gained in tenths],
    }


def _figures(counted: Counted) -> dict[str, Any]:
    """Shares of intervals that hold the truth, mean half-widths, and root mean squares of the errors; points."""
    count = counted.seasons
    return {
        "seasons": count,
        "held": {name: _share(counted.held[name], count) for name in FIGURES},
        "half_width": {name: round(BOUND * counted.deviations[name] / max(count, 1), 2) for name in FIGURES},
        "rms": {name: round((counted.errors[name] / max(count, 1)) ** 0.5, 2) for name in FIGURES},
    }


def _share(part: float, count: float) -> float | None:
    return round(part / count, 4) if count else None
