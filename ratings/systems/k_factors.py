"""K rules as data: each rule is a list of steps read from the top, and the first that fits gives K.

Sources: FIDE Rating Regulations (B.02) art. 8.3.3 in force since 1 March 2024: 40 for a newcomer's first 30 games,
20 below 2400, 10 for good once 2400 was reached, 40 for juniors under 2300 until the end of the year of their 18th
birthday. Order of the steps confirmed on published lists (ever 2400, junior, newcomer, the rest).
Not done: the cap K·n ≤ 700 (a rule of rating periods; this rates game by game).
"""

from dataclasses import dataclass
from datetime import date
from math import inf

from ratings.systems.base import PlayerState


@dataclass(frozen=True, slots=True)
class KStep:
    """One step: K, the code of its reason, and the conditions that must all hold.

    `peak_from`/`peak_below`: the best rating ever reached; `games_below`: rated games so far; `age_to`: the age in
    whole calendar years (year of the game minus year of birth), never met where the birth year is unknown.
    """

    k: float
    reason: str
    peak_from: float = -inf
    peak_below: float = inf
    games_below: float = inf
    age_to: int | None = None

    def fits(self, state: PlayerState, on: date) -> bool:
        if not self.peak_from <= state.peak < self.peak_below or state.games >= self.games_below:
            return False
        return self.age_to is None or (state.birth_year is not None and on.year - state.birth_year <= self.age_to)


KRule = tuple[KStep, ...]

K_RULES: dict[str, KRule] = {
    "fide": (
        KStep(10, "reached-2400", peak_from=2400),
        KStep(40, "junior", age_to=18, peak_below=2300),
        KStep(40, "newcomer", games_below=30),
        KStep(20, "regular"),
    ),
}


def k_step(rule: KRule, state: PlayerState, on: date) -> KStep:
    """The step that gives this player's K on that day. Raises LookupError where a rule leaves a gap."""
    for step in rule:
        if step.fits(state, on):
            return step
    raise LookupError("No step of the K rule fits: its last step must have no condition.")
