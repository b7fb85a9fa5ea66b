"""K rules: each is a function from a player's figures to a step, and the steps say K and the code of the reason.

The functions take and return plain numbers, so that a compiled replay runs the very same text. `rating`, `games`
(rated so far) and `peak` are those before the game, `age` the difference of calendar years (AGE_UNKNOWN where the
year of birth is not known).

Sources: FIDE Rating Regulations (B.02) art. 8.3.3 in force since 1 March 2024, order of its steps confirmed on
published lists; the FIDE rules as a 2017 article tells them (10 by the present rating); FIDE's rule before 2014;
US Chess' three classes; the Chinese xiangqi association's classes; the diary of 2009; the study of six systems.
Not done: the cap K·n ≤ 700, a rule of rating periods (`ratings.systems.fide`). "Reached 2400 with more than 30 games"
of FIDE's old rule is read as both together, not as both at the same moment.
"""

from collections.abc import Callable
from dataclasses import dataclass

# rating, games, peak, age -> index of the step
StepChooser = Callable[[float, int, float, int], int]


@dataclass(frozen=True, slots=True)
class KStep:
    """K and the code of its reason (put into words by `ratings.explain.elo.K_REASONS`)."""

    k: float
    reason: str


@dataclass(frozen=True, slots=True)
class KRule:
    """The steps, in the order they are tried, and the function that finds the one that holds.

    `kept`: the step rests on the count of games, the peak and the age, but not on the present rating; `newcomer_games`
    is the count at which it changes (0: none). So it need not be asked again while neither moves.
    """

    steps: tuple[KStep, ...]
    choose: StepChooser
    kept: bool = False
    newcomer_games: int = 0

    def step(self, rating: float, games: int, peak: float, age: int) -> KStep:
        """The step that gives this player's K."""
        return self.steps[self.choose(rating, games, peak, age)]


def fide(rating: float, games: int, peak: float, age: int) -> int:
    if peak >= 2400.0:
        return 0
    if age <= 18 and peak < 2300.0:
        return 1
    return 2 if games < 30 else 3


def fide_simple(rating: float, games: int, peak: float, age: int) -> int:
    if games < 30:
        return 0
    if age < 18 and rating < 2300.0:
        return 1
    return 2 if rating >= 2400.0 else 3


def fide_old(rating: float, games: int, peak: float, age: int) -> int:
    if games < 30:
        return 0
    return 1 if peak >= 2400.0 else 2


def uscf(rating: float, games: int, peak: float, age: int) -> int:
    if rating >= 2400.0:
        return 0
    return 1 if rating >= 2100.0 else 2


def xiangqi(rating: float, games: int, peak: float, age: int) -> int:
    if peak >= 2400.0:
        return 0
    if rating >= 2100.0:
        return 1
    if rating >= 1800.0:
        return 2
    return 3 if rating >= 1500.0 else 4


def diary(rating: float, games: int, peak: float, age: int) -> int:
    if rating > 2100.0:
        return 0
    if rating > 1900.0:
        return 1
    if rating > 1700.0:
        return 2
    return 3 if games > 30 else 4


def study(rating: float, games: int, peak: float, age: int) -> int:
    if rating >= 2400.0:
        return 0
    return 1 if rating >= 1000.0 else 2


K_RULES: dict[str, KRule] = {
    "fide": KRule(
        (KStep(10, "reached-2400"), KStep(40, "junior"), KStep(40, "newcomer"), KStep(20, "regular")),
        fide,
        kept=True,
        newcomer_games=30,
    ),
    "fide-simple": KRule(
        (KStep(40, "newcomer"), KStep(40, "under-18"), KStep(10, "from-2400"), KStep(20, "regular")), fide_simple
    ),
    "fide-old": KRule(
        (KStep(25, "newcomer"), KStep(10, "reached-2400"), KStep(15, "regular")),
        fide_old,
        kept=True,
        newcomer_games=30,
    ),
    "uscf": KRule((KStep(16, "from-2400"), KStep(24, "from-2100"), KStep(32, "regular")), uscf),
    "xiangqi": KRule(
        (
            KStep(10, "reached-2400"),
            KStep(10, "from-2100"),
            KStep(25, "from-1800"),
            KStep(40, "from-1500"),
            KStep(55, "regular"),
        ),
        xiangqi,
    ),
    "diary": KRule(
        (
            KStep(10, "above-2100"),
            KStep(15, "above-1900"),
            KStep(20, "above-1700"),
            KStep(22, "after-30-games"),
            KStep(25, "regular"),
        ),
        diary,
    ),
    "study": KRule((KStep(10, "from-2400"), KStep(15, "from-1000"), KStep(25, "regular")), study),
}

CONSTANT = "constant"


def constant(k: float) -> KRule:
    """One K for everybody."""
    return KRule((KStep(k, "everybody"),), lambda rating, games, peak, age: 0, kept=True)


def common_k(gap: float, score: float, white_k: float, black_k: float) -> float:
    """One K for both: the higher rated's if he won, else the lower rated's; of equals the smaller one. `gap`: White's
    rating − Black's."""
    if gap == 0.0:
        return min(white_k, black_k)
    favourite_won = score == (1.0 if gap > 0 else 0.0)
    return white_k if favourite_won == (gap > 0) else black_k
