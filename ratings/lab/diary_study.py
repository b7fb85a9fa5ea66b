"""The diary over many replications, and beside its remedies, summed up as one document (pure).

Source: the Elo diary of 2009 (`ratings.lab.diary`), its findings and the remedies it names: the strongest runs away,
more so without draws; only finite chances stop him; leagues by rating; the loser's −1. All worlds see the same
strengths and lots where they have the same size, so their figures differ by the rules alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log10
from typing import Any, NamedTuple

from ratings.lab.diary import (
    FIRST_ATTEMPT,
    LAST,
    SECOND_ATTEMPT,
    TOURNAMENTS,
    Decides,
    DiaryFigures,
    DiaryGame,
    DiaryRules,
    DiaryRun,
    diary_replication,
    run_diary,
)
from ratings.lab.engine import PLAIN, Engine
from ratings.lab.summary import spearman, summaries, summarise
from ratings.systems.base import AGE_UNKNOWN
from ratings.systems.elo import expected_score
from ratings.systems.performance import performance_400

REPLICATIONS = 200
POINTS = 50  # points of a course: small enough to keep, fine enough to draw
EARLY = 10  # the early look at the fault comes after this part of the tournaments


@dataclass(frozen=True, slots=True)
class World:
    """A world of the document; its tournaments are cut to one in `part`."""

    key: str
    rules: DiaryRules
    part: int = 1


WORLDS = (
    World("last", LAST),
    World("no-draws", DiaryRules(draws=0.0)),
    World("many-draws", DiaryRules(draws=0.3)),
    World("leagues", DiaryRules(leagues=2)),
    World("chances", DiaryRules(decides=Decides.CHANCE)),
    World("chances-leagues", DiaryRules(decides=Decides.CHANCE, leagues=2)),
    World("bug-early", DiaryRules(bug=True), part=EARLY),
    World("bug", DiaryRules(bug=True)),
    World("first-attempt", FIRST_ATTEMPT),
    World("second-attempt", SECOND_ATTEMPT),
)


def diary_report(
    *,
    tournaments: int = TOURNAMENTS,
    replications: int = REPLICATIONS,
    seed: int = 1,
    worlds: Sequence[World] = WORLDS,
    engine: Engine = PLAIN,
    tell: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """The document. `tell` hears how many worlds are done."""
    found: dict[str, Any] = {}
    for done, world in enumerate(worlds, start=1):
        found[world.key] = world_report(world, tournaments, replications, seed, engine)
        tell(done)
    run = run_diary(LAST, tournaments, seed, 0, engine=engine)
    return {
        "study": "diary-worlds",
        "tournaments": tournaments,
        "replications": replications,
        "seed": seed,
        "worlds": found,
        "event": {"tournament": tournaments, "lines": event_lines(run, tournaments, seed, 0, engine=engine)},
    }


def world_report(world: World, tournaments: int, replications: int, seed: int, engine: Engine) -> dict[str, Any]:
    """A world's figures over replications, the mean course of the two highest ratings, and the last table of
    replication 0: strength, rating, games, wins, draws, losses, peak."""
    count = max(1, tournaments // world.part)
    every = max(1, count // POINTS)
    measured, courses = [], []
    table: list[list[int]] = []
    for number in range(replications):
        run = run_diary(world.rules, count, seed, number, engine=engine)
        measured.append(measures(run))
        courses.append(run.course(every))
        table = table or [list(player) for player in run.table]
    return {
        "tournaments": count,
        "figures": {key: _summary([figures[key] for figures in measured]) for key in measured[0]},
        "course": {"every": every, **_course(courses)},
        "table": table,
    }


def measures(run: DiaryRun) -> dict[str, float]:
    """A replication's figures. The order is also measured among the weaker and the stronger half apart; `lead` is the
    leader's over the second, `below_zero` a number of players."""
    by_strength = sorted(run.players, key=lambda player: player.strength)
    half = len(by_strength) // 2
    return {
        **run.figures._asdict(),
        "weaker_half": _order(by_strength[:half]),
        "stronger_half": _order(by_strength[half:]),
        "lead": run.top[-1] - run.runner_up[-1],
        "lowest": min(run.ratings),
        "below_zero": sum(rating < 0 for rating in run.ratings),
    }


def resting_gap(draws: float, scale: float = 400.0) -> float | None:
    """How many rating points above his opponents a player comes to rest who wins every game that is not drawn; None
    where nothing stops him. He rests where he scores what is expected of him: 1 − draws / 2."""
    return scale * log10((2.0 - draws) / draws) if draws > 0.0 else None


def event_lines(
    run: DiaryRun, number: int, seed: int, replication: int, *, engine: Engine = PLAIN
) -> list[dict[str, Any]]:
    """One tournament as the diary shows it, best performance by the algorithm of 400 first: a line a player with his
    strength, opponents' ratings before it, scores, performance, expected score, K, and his rating before and after."""
    before = run_diary(run.rules, number - 1, seed, replication, engine=engine).players
    after = run_diary(run.rules, number, seed, replication, engine=engine).players
    met: dict[int, list[tuple[int, float]]] = {}
    for game in run.tournament(number):
        for place, opponent, score in _sides(game):
            met.setdefault(place, []).append((opponent, score))
    lines = []
    for place, games in met.items():
        own = before[place]
        opponents, scores = [before[opponent].rating for opponent, _ in games], [score for _, score in games]
        rule = run.rules.k_rule
        lines.append(
            {
                "strength": own.strength,
                "opponents": opponents,
                "scores": scores,
                "performance": round(float(performance_400(opponents, scores)), 2),
                "expected": round(sum(expected_score(own.rating, rating) for rating in opponents), 2),
                "k": rule.step(own.rating, own.games, own.peak, AGE_UNKNOWN).k,
                "before": own.rating,
                "after": after[place].rating,
            }
        )
    return sorted(lines, key=lambda line: -line["performance"])


def _sides(game: DiaryGame) -> tuple[tuple[int, int, float], tuple[int, int, float]]:
    return (game.first, game.second, game.first_score), (game.second, game.first, game.second_score)


def _order(players: Sequence[Any]) -> float:
    return spearman([player.rating for player in players], [player.strength for player in players])


def _summary(values: Sequence[float]) -> dict[str, float]:
    return {name: round(value, 6) for name, value in summarise(values)._asdict().items()}


def _course(courses: Sequence[Sequence[tuple[int, float, float]]]) -> dict[str, list[int]]:
    """Means and deviations over the replications, in whole points."""
    moments = list(zip(*courses, strict=True))
    top = [summarise([point[1] for point in moment]) for moment in moments]
    second = [summarise([point[2] for point in moment]) for moment in moments]
    return {
        "top": [round(point.mean) for point in top],
        "top_sd": [round(point.sd) for point in top],
        "second": [round(point.mean) for point in second],
        "second_sd": [round(point.sd) for point in second],
    }


GAMES = 31_000  # a thousand tournaments
MINUS_ONE = "minus-one"


class DiaryReplication(NamedTuple):
    """One run of the diary."""

    number: int
    figures: DiaryFigures

    def document(self) -> dict[str, Any]:
        """As plain values; `DiaryStudy.read` reads them back."""
        return {"replication": self.number, **self.figures._asdict()}


@dataclass(slots=True)
class DiaryRows:
    """Replications so far, by number."""

    rows: dict[int, DiaryFigures] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return len(self.rows)

    def add(self, made: DiaryReplication) -> None:
        """Add one replication. Raises ValueError where it is in already."""
        if made.number in self.rows:
            raise ValueError(f"Replication {made.number} is there twice.")
        self.rows[made.number] = made.figures


@dataclass(frozen=True, slots=True)
class DiaryStudy:
    """Games of a replication (whole tournaments), seed, and whether the fault is in force: a loser scored -1."""

    games: int
    seed: int
    bug: bool = False
    kind: str = "diary"

    @property
    def details(self) -> dict[str, Any]:
        """What tells this study from others of its kind, games and seed."""
        return {"bug": MINUS_ONE if self.bug else None}

    @property
    def tournaments(self) -> int:
        return self.games // LAST.games

    def replication(self, number: int, engine: Engine) -> DiaryReplication:
        """Play all tournaments once."""
        figures = diary_replication(self.tournaments, self.seed, number, bug=self.bug, engine=engine)
        return DiaryReplication(number, figures)

    def begin(self) -> DiaryRows:
        """Nothing yet."""
        return DiaryRows()

    def read(self, document: Mapping[str, Any]) -> DiaryReplication:
        """A replication as `DiaryReplication.document` gave it."""
        figures = DiaryFigures(*(float(document[name]) for name in DiaryFigures._fields))
        return DiaryReplication(int(document["replication"]), figures)

    def report(self, found: DiaryRows) -> dict[str, Any]:
        """What the replications say, as plain values for JSON. `deficit`: points recorded - points expected, over all
        players and tournaments."""
        rows = [found.rows[number] for number in sorted(found.rows)]
        head = {"study": self.kind, "games": self.games, "replications": found.count, "seed": self.seed}
        return (
            head
            | self.details
            | summaries({name: [getattr(row, name) for row in rows] for name in DiaryFigures._fields})
        )
