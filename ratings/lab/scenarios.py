"""Worlds in which rating systems are tried, each the study's world with one thing changed.

A scenario is a row of switches. With all of them off it is the study's own world, game for game: 140 players of seven
strengths and five frequencies who meet as they are drawn. True strength stands on the Elo scale and may change with
time; the favourite's expected score is Elo's, 1 / (1 + 10^(−(gap + advantage) / 400)), and every game carries White's.

Draws: Davidson's, with the expected score kept as it is (`ratings.systems.draws`). `draws` is the share between equals
d, from which ν = 2 d / (1 − d).

Where who meets whom depends on ratings (matchmaking, tiers), those of ONE system decide, `REFERENCE`: the club's own
default list, since by that list the club would pair. The others rate what they are handed, so that all see the same
games and differ by their own doing only. Sources: the study of six systems, its chapters on the population and on what
it leaves out; the diary, its remedy of leagues by rating.
"""

from dataclasses import dataclass

from clubrating.ground.marks import marked
from ratings.lab.contenders import Contender, contenders

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
        return 2.0 * self.draws / (1.0 - self.draws)

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
