"""Scenarios, the worlds in which rating systems are compared, and the games played in them.

A scenario is a set of switches, each of which changes one thing in the world of the study of six rating systems; the
leagues by rating come from the diary's remedies. With every switch off it is the study's own world, game for game
(`ratings.lab.world`). True strength is on the Elo scale and may change with time; White's expected score is Elo's with
the advantage of the first move: 1 / (1 + 10^(−(gap + advantage) / 400)). Draws follow Davidson's model with the
expected score kept as it is (`ratings.systems.draws`).

Where pairings depend on ratings (matchmaking, tiers), the ratings of one system decide, `REFERENCE`: the club's own
default list. All systems rate the same games, drawn once per replication in blocks of a hundred: a first player is
drawn uniformly and accepted by his frequency, then a second one likewise until he is another player whom the first may
meet; then one number decides win, draw or loss. Random numbers come from PCG64 seeded by (seed, replication), outside
the compiled code: plain and compiled runs see the same ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log10
from typing import Any, NamedTuple, cast

from clubrating.ground.marks import marked
from ratings.lab.contenders import Contender, contenders
from ratings.lab.engine import Engine
from ratings.lab.table import KINDS, Columns, sort_table
from ratings.lab.vectorised import ColumnRater, Floats, Ints, Rate, column_rater
from ratings.lab.world import GROUPS, OFTEN, Person, UniformNumbers, group
from ratings.systems.draws import draw_of, rate_between_equals
from ratings.systems.elo import expected_score

# --- scenarios -------------------------------------------------------------------------------------------------------
REFERENCE: Contender = contenders(["fide"])[0]
STEP = 120.41199826559248  # Elo points from one strength of the study to the next: 400 log₁₀ 2
CENTRE_STRENGTH, CENTRE = 80.0, 1000.0  # the study's middle strength, and where the lab puts it on the Elo scale


@dataclass(frozen=True, slots=True)
class Scenario:
    """The switches; a zero (or False) is off. Points are Elo points.

    `pace`, `most`: everybody of one group in four gains `pace` points a game of his own, `most` in all. `shock`: half
    way through one group jumps up by so many points and another one down. `turnover`: after so many games, again and
    again, the group that has been there longest leaves and one of newcomers joins. `equal_activity`: all play as often.
    `window`: of two drawn, those a `gap` apart on the reference list meet with probability 1 / (1 + (gap / window)²).
    `draws`: share between equals, 0 … 1. `advantage`: points White is stronger by. `tiers`: so many leagues of equal
    size by the reference list, cut anew every `season` games; whoever plays, plays within his own. `farmers`: so many
    of the strongest, of those who play most, meet only players at least 480 points below them.
    """

    key: str
    name: str
    pace: float = 0.0
    most: float = 0.0
    shock: float = 0.0
    turnover: int = 0
    equal_activity: bool = False
    window: float = 0.0
    draws: float = 0.0
    advantage: float = 0.0
    tiers: int = 0
    season: int = 1000
    farmers: int = 0

    def __post_init__(self) -> None:
        if not 0.0 <= self.draws < 1.0:
            raise ValueError(f"The share of draws lies from 0 to below 1, not at {self.draws}.")
        if self.farmers and (self.tiers or self.turnover or not 0 < self.farmers < 4):
            raise ValueError("One to three of the four strongest farm, and neither in tiers nor with a turnover.")
        if self.tiers and (not 0 < self.tiers <= 35 or self.season < 1):
            raise ValueError("A league has at least four players and a season at least one game.")
        if self.turnover < 0 or self.turnover % 100 or self.season % 100:
            raise ValueError("Who plays, and where, changes after a whole number of hundreds of games.")

    @property
    def draw_rate(self) -> float:
        """Davidson's ν."""
        return rate_between_equals(self.draws)

    @property
    def changes(self) -> bool:
        """Whether anybody's strength changes."""
        return self.pace != 0.0 or self.shock != 0.0


SCENARIOS: tuple[Scenario, ...] = (
    Scenario("constant", marked("Constant strengths")),
    Scenario("improving", marked("A quarter improves"), pace=1.0, most=2 * STEP),
    Scenario("shock", marked("A shock of strength"), shock=2 * STEP),
    Scenario("turnover", marked("Newcomers and leavers"), turnover=2500),
    Scenario("equal-activity", marked("Equal activity"), equal_activity=True),
    Scenario("matchmaking", marked("Opponents by rating"), window=100.0),
    Scenario("draws", marked("Draws"), draws=0.5),
    Scenario("first-move", marked("The first move counts"), advantage=35.0),
    Scenario("tiers", marked("Leagues by rating"), tiers=4),
    Scenario("farming", marked("The strong pick the weak"), farmers=2),
    Scenario(
        "club-life", marked("All together"),
        pace=1.0, most=2 * STEP, turnover=2500, window=200.0, draws=0.3, advantage=35.0,
    ),
)  # fmt: skip


def scenario(key: str) -> Scenario:
    """The scenario of that key. Raises KeyError for an unknown one."""
    return {each.key: each for each in SCENARIOS}[key]


# --- games, block by block -------------------------------------------------------------------------------------------
LOOK = 100  # games in a block
FARMED = 480.0  # a farmer's opponents stand so far below the strongest, in points
STRONGEST, KEENEST = 640.0, 160.0
GROUP_SIZE = len(group())
FIRST_PLAYERS = GROUPS * GROUP_SIZE


class People(NamedTuple):
    """Columns by place. `strength` is true and on the Elo scale; `pace` comes on top of it with every game of one's
    own up to `limit`. `tier`: only equals meet. `farms` is 1 for farmers, `prey` 1 for those they meet."""

    frequency: Any
    strength: Any
    pace: Any
    limit: Any
    tier: Any
    farms: Any
    prey: Any


class Played(NamedTuple):
    """Columns by game: places, White's score and White's true expected score."""

    white: Any
    black: Any
    scores: Any
    truth: Any


def chance_to_meet(people: People, ratings: Sequence[float], window: float, one: int, two: int) -> float:
    """Probability that these two play each other, once drawn."""
    if people.tier[one] != people.tier[two]:
        return 0.0
    if people.farms[one] > people.prey[two] or people.farms[two] > people.prey[one]:
        return 0.0
    if window <= 0.0:
        return 1.0
    gap = (ratings[one] - ratings[two]) / window
    return 1.0 / (1.0 + gap * gap)


def score_of(uniform: float, expected: float, draw: float) -> float:
    """White's score, by a number from 0 to 1."""
    win = expected - draw / 2.0
    if uniform < win:
        return 1.0
    return 0.5 if uniform < win + draw else 0.0


def sit_down(
    uniforms: Sequence[float], at: int, present: Ints, people: People, ratings: Floats, window: float
) -> tuple[int, int, int]:
    """The next two to play, and how many of the uniform numbers are used by then; −1 where they did not suffice."""
    one = two = -1
    while at + 2 <= len(uniforms):
        place = present[int(uniforms[at] * len(present))]
        uniform = uniforms[at + 1] * OFTEN
        at += 2
        if one < 0:
            if uniform < people.frequency[place]:
                one = place
        elif place != one and uniform < people.frequency[place] * chance_to_meet(people, ratings, window, one, place):
            two = place
            break
    return one, two, at


def improve(people: People, place: int) -> None:
    """Raise the strength of a player who improves with every game of his own."""
    if people.pace[place] > 0.0:
        people.strength[place] = min(people.strength[place] + people.pace[place], people.limit[place])


def meet(
    uniforms: Sequence[float], present: Ints, people: People, rate: Rate, reference: Columns,
    window: float, draws: float, advantage: float, played: Played, first: int,
) -> tuple[int, int]:  # fmt: skip
    """Play games from number `first` on while games are wanted and the uniform numbers suffice.

    Answers the number of games made so far and how many numbers they used; a game they did not suffice for is not
    begun.
    """
    game, used = first, 0
    while game < len(played.white):
        one, two, at = sit_down(uniforms, used, present, people, reference.ratings, window)
        if two < 0 or at + 1 > len(uniforms):
            break
        expected = expected_score(people.strength[one] + advantage, people.strength[two])
        score = score_of(uniforms[at], expected, draw_of(expected, draws))
        played.white[game], played.black[game] = one, two
        played.scores[game], played.truth[game] = score, expected
        rate(reference.ratings, reference.second, reference.third, reference.games, one, two, score)
        reference.games[one] += 1
        reference.games[two] += 1
        improve(people, one)
        improve(people, two)
        used, game = at + 1, game + 1
    return game, used


@dataclass(frozen=True, slots=True)
class Block:
    """Games among one and the same people, the `present` places. `joining` came and `leaving` (places) went just
    before; `strengths` are everybody's true ones on the Elo scale, by place, after these games; `gains` what of it came
    since he joined; `tiers` his league."""

    joining: tuple[Person, ...]
    leaving: tuple[int, ...]
    present: tuple[int, ...]
    white: Any
    black: Any
    scores: Any
    truth: Any
    strengths: list[float]
    gains: list[float]
    tiers: tuple[int, ...]


def on_elo_scale(strength: float) -> float:
    """A strength of the study in Elo points."""
    return CENTRE + 400.0 * log10(strength / CENTRE_STRENGTH)


def as_ratio(points: float) -> float:
    """The other way round, rounded so that a strength of the study comes back as it was."""
    return float(round(CENTRE_STRENGTH * 10.0 ** ((points - CENTRE) / 400.0), 9))


class World:
    """One replication of a scenario while it is played."""

    def __init__(self, scenario: Scenario, games: int, seed: int, replication: int, engine: Engine) -> None:
        self.scenario, self.engine, self.games = scenario, engine, games
        self._rng = UniformNumbers(seed, replication)
        self._rater = cast(ColumnRater, column_rater(REFERENCE, engine))  # which runs over columns
        self._meet: Any = engine.compile(meet)
        self._people = People(*(self.engine.column([], kind) for kind in (float, float, float, float, int, int, int)))
        self._reference = Columns(*(self.engine.column([], kind) for kind in KINDS))
        self._present: list[int] = []
        self._born: list[float] = []  # true strength at the start, by place

    def blocks(self) -> Iterator[Block]:
        """The games, a hundred at a time (fewer in the last block)."""
        done = 0
        while done < self.games:
            joining, leaving = self._turn_over(done)
            self._shock(done)
            self._cut(done)
            count = min(LOOK, self.games - done)
            yield self._block(count, joining, leaving)
            done += count

    # --- what changes between blocks --------------------------------------------------------------------------
    def _turn_over(self, done: int) -> tuple[tuple[Person, ...], tuple[int, ...]]:
        if done == 0:
            joining = group() * GROUPS
            self._join(joining)
            return joining, ()
        if not self.scenario.turnover or done % self.scenario.turnover:
            return (), ()
        leaving = tuple(self._present[:GROUP_SIZE])
        self._present = self._present[GROUP_SIZE:]
        self._join(group())
        return group(), leaving

    def _join(self, joining: Sequence[Person]) -> None:
        known = len(self._born)
        self._present += range(known, known + len(joining))
        self._born += [on_elo_scale(person.strength) for person in joining]
        more = [self._facts(known + index, person) for index, person in enumerate(joining)]
        self._people = People(*self._longer(self._people, list(zip(*more, strict=True))))
        starts = [(*self._rater.start, 0)] * len(joining)
        self._reference = Columns(*self._longer(self._reference, list(zip(*starts, strict=True))))

    def _facts(self, place: int, person: Person) -> tuple[float, ...]:
        """A row of `People`."""
        rules, strength = self.scenario, on_elo_scale(person.strength)
        improves = rules.pace > 0.0 and place // GROUP_SIZE % GROUPS == 0
        farms = person == Person(STRONGEST, KEENEST) and place // GROUP_SIZE < rules.farmers
        prey = strength <= on_elo_scale(STRONGEST) - FARMED
        return (
            OFTEN if rules.equal_activity else person.frequency,
            strength,
            rules.pace if improves else 0.0,
            strength + rules.most if improves else strength,
            max(0, rules.tiers - 1),  # whoever joins during a season begins in the last league
            int(farms),
            int(prey),
        )

    def _longer(self, columns: Sequence[Any], more: Sequence[Sequence[float]]) -> Iterator[Any]:
        for column, new in zip(columns, more, strict=True):
            yield self.engine.column([*list(column), *new], float if isinstance(new[0], float) else int)

    def _shock(self, done: int) -> None:
        if not self.scenario.shock or done != self.games // 2 // LOOK * LOOK:
            return
        for place in self._present:
            sign = {0: 1.0, 1: -1.0}.get(place // GROUP_SIZE % GROUPS, 0.0)
            self._people.strength[place] += sign * self.scenario.shock

    def _cut(self, done: int) -> None:
        """The leagues of a new season, best first: equal parts of the reference list, the last ones a player smaller
        where it does not divide."""
        if not self.scenario.tiers or done % self.scenario.season:
            return
        order = list(self._present)
        sort_table(order, list(self._reference.ratings))
        for at, place in enumerate(order):
            self._people.tier[place] = at * self.scenario.tiers // len(order)

    # --- the games --------------------------------------------------------------------------------------------
    def _block(self, count: int, joining: tuple[Person, ...], leaving: tuple[int, ...]) -> Block:
        kinds = (int, int, float, float)
        played = Played(*(self.engine.column([0] * count, kind) for kind in kinds))
        rules, made = self.scenario, 0
        present = self.engine.column(self._present, int)
        while True:
            uniforms = self._rng.left if self.engine.is_compiled else self._rng.left.tolist()
            made, used = self._meet(
                uniforms, present, self._people, self._rater.rate, self._reference,
                rules.window, rules.draw_rate, rules.advantage, played, made,
            )  # fmt: skip
            self._rng.use(used)
            if made == count:
                break
            self._rng.more()
        strengths = [float(value) for value in self._people.strength]
        gains = [now - born for now, born in zip(strengths, self._born, strict=True)]
        tiers = tuple(int(tier) for tier in self._people.tier)
        return Block(joining, leaving, tuple(self._present), *played, strengths, gains, tiers)


def blocks(scenario: Scenario, games: int, seed: int, replication: int, engine: Engine) -> Iterator[Block]:
    """The games of one replication. Same seed and replication, same games, whatever the engine."""
    return World(scenario, games, seed, replication, engine).blocks()
