"""How long a newcomer is a newcomer: decided by what his games tell, not by their number. Docs: probation.md.

Elo knows no deviation. Here one is carried beside the rating, from the games alone: how far a rating that moves by
K (S − E) is from strength, as a standard deviation in points. With v = E (1 − E), q = ln(base) / scale and m = K q v
the error e of a rating becomes (1 − m) e + m e_opponent + K (S − p), so its variance V becomes

    V' = (1 − m)² V + m² V_opponent + K² v            a game never takes evidence away: V' ≤ V

Under one K for ever V falls to K / (2 q): what an established player has, whoever his opponents are (41.7 points for
K 20). Two rules are read off it. `until-known`: of two Ks the smaller leaves the smaller V' once V ≤ (K₁ + K₂) / (2 q);
until then a newcomer keeps the K of newcomers. `evidence`: the K that leaves the smallest V' against an equal is
q V / (1 + q² V / 4); that is K for as long as it is above the rule's K for the established. Under both the probation
ends by evidence too (`ratings.systems.probation`).

The recursion is the linear one of adaptive filters (B. Widrow and M. Hoff, "Adaptive switching circuits", 1960); the K
of `evidence` is R. Kalman's gain (1960), and Glicko's (`ratings.systems.glicko`) against a known opponent. Not done:
errors of opponents that are not independent (newcomers who meet only one another); strengths that change; draws, which
vary less than v.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt
from typing import Any

from clubrating.ground.marks import marked, sentence
from ratings.systems.base import Period, PlayerState
from ratings.systems.k_factors import KRule, KStep
from ratings.systems.probation import MOST_BY_EVIDENCE

EVEN = 0.25  # v of a game between equals
ENOUGH_GAMES = 1000  # more than any K rule asks of a newcomer
_MIDDLE = 1500.0  # a rating that no K rule makes an exception of
JUNIOR, ADULT = 10, 999  # ages: one of the youngest, and one at which no K rule knows juniors


class NewcomerK(StrEnum):
    """`rule`: the K rule counts games. `until-known`: its K of newcomers until the evidence suffices. `evidence`: the K
    that the evidence calls for, down to the K rule's own."""

    RULE = "rule"
    UNTIL_KNOWN = "until-known"
    EVIDENCE = "evidence"


# --- arithmetic: plain numbers in, plain numbers out -----------------------------------------------------------------
def error_after(deviation: float, opponent: float, expected: float, k: float, q: float) -> float:
    """The deviation after a game, from both before it (points), the expected score and K, unweighed."""
    v = expected * (1.0 - expected)
    m = k * q * v
    variance = (1.0 - m) ** 2 * deviation * deviation + (m * opponent) ** 2 + k * k * v
    return min(deviation, sqrt(variance))


def settled(k: float, q: float) -> float:
    """The deviation that a rating under one K comes to in the end: what an established player has."""
    return sqrt(k / (2.0 * q))


def break_even(newcomer_k: float, regular_k: float, q: float) -> float:
    """The deviation from which on a game at the regular K leaves a smaller one than at the newcomer's."""
    return sqrt((newcomer_k + regular_k) / (2.0 * q))


def best_k(deviation: float, q: float) -> float:
    """The K that leaves the smallest deviation, against an equal whose strength is known."""
    variance = deviation * deviation
    return q * variance / (1.0 + q * q * variance * EVEN)


# --- a list's rule ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Evidence:
    """A K rule whose newcomers are told by evidence. `newcomer`: how far a newcomer's strength lies from the starting
    rating, as a standard deviation; `q`: ln(base) / scale."""

    rule: KRule
    kind: NewcomerK
    newcomer: float
    q: float

    def step(self, state: PlayerState, age: int) -> KStep:
        """K and its reason, for a player as he stands."""
        games = (0, ENOUGH_GAMES)
        first, later = (self.rule.step(state.rating, count, state.peak, age) for count in games)
        deviation = self.deviation(state, age)
        if self.kind is NewcomerK.UNTIL_KNOWN:
            return first if deviation > break_even(first.k, later.k, self.q) else later
        k = best_k(deviation, self.q)
        return KStep(k, "newcomer") if k > later.k else later

    def deviation(self, state: PlayerState, age: int) -> float:
        """How far his rating is from strength. Of whom none has been kept yet (he played under another rule, or brought
        his rating along) it is what his number of games would have left against equals, at the Ks that are counted."""
        if state.deviation is not None:
            return state.deviation
        return [self.newcomer, *self._counted(state.games, state.rating, state.peak, age)][-1]

    def after_count(self, games: int) -> tuple[float, ...]:
        """The deviations after 1, 2, … of so many games against equals, for a newcomer whose K goes by the count: what
        whoever leaves a probation of that length by count has, and had on the way. Of an adult's and a junior's the
        larger: with a junior's K, which stays large, nobody comes below his own, however many games he plays."""
        return tuple(map(max, *(self._counted(games, _MIDDLE, _MIDDLE, age) for age in (JUNIOR, ADULT))))

    def carry(
        self, white: PlayerState, black: PlayerState, year: int, expected: float, ks: tuple[float, float]
    ) -> None:
        """Keep both deviations after a game of that year; `expected` is White's score, `ks` the Ks before importance
        and margin weigh them: weighed twice, no game would tell anything, and a newcomer's K would never fall."""
        own, other = self.deviation(white, white.age_on(year)), self.deviation(black, black.age_on(year))
        white.deviation = error_after(own, other, expected, ks[0], self.q)
        black.deviation = error_after(other, own, expected, ks[1], self.q)

    def _counted(self, games: int, rating: float, peak: float, age: int) -> Iterator[float]:
        """The deviations after 1, 2, … games against equals, each at the K that goes by their number."""
        found = self.newcomer
        for count in range(min(games, MOST_BY_EVIDENCE)):
            found = error_after(found, 0.0, 0.5, self.rule.step(rating, count, peak, age).k, self.q)
            yield found


def check_newcomers(raw: Mapping[str, Any], evidence: Evidence | None, period: Period, one_k: bool) -> None:
    """Raises ValueError for settings that do not go together, naming them."""
    if evidence is None:
        if "newcomer_deviation" in raw:
            raise ValueError(marked("newcomer_deviation belongs to newcomer_k until-known or evidence."))
        return
    if one_k or period is not Period.GAME:
        raise ValueError(marked("newcomer_k by evidence needs each player’s own K, and a rating after every game."))
    newcomers, regular = (evidence.rule.step(_MIDDLE, games, _MIDDLE, ADULT).k for games in (0, ENOUGH_GAMES))
    if evidence.kind is NewcomerK.UNTIL_KNOWN and newcomers == regular:
        raise ValueError(
            sentence(
                "newcomer_k “%(kind)s” needs a k_rule that has a K of newcomers; “evidence” goes with all of them.",
                kind=evidence.kind.value,
            )
        )
    if error_after(evidence.newcomer, 0.0, 0.5, newcomers, evidence.q) >= evidence.newcomer:
        raise ValueError(
            sentence(
                "With K %(k)s a first game would tell nothing: newcomer_deviation %(deviation)s is too small.",
                k=f"{newcomers:g}",
                deviation=f"{evidence.newcomer:g}",
            )
        )
