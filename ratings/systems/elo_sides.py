"""Elo over sides: a contest of n sides is n − 1 games for each, played at once against every other side.

Source: the formula of `ratings.systems.elo`, summed over the other sides. Side i has the rating R, the mean of its
members (or their sum); against side j its score S is 1, ½ or 0 by place, its expected score E the logistic one:

    change of side i = K/(n − 1) Σ (S − E)

Every member takes the change of the side, by the member's own K. S and E of a pair each add up to 1, so with one K the
changes of all sides add up to 0. Scores count pair by pair (`ratings.systems.margins`): S may be the share of the
points or a capped lead, or each pair has a factor f on K, the same for both: K/(n − 1) Σ f (S − E).
Two sides of one player are a game, to the last bit: the side with the lower number is White.
Not done: shares of unequal sides, the NFL form for more than two sides (they count by place).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from math import fsum
from typing import Literal, NamedTuple

from ratings.systems.base import PlayerState
from ratings.systems.margins import NO_MARGIN, Margin, MarginRule
from ratings.systems.sides import MemberFigures, PlayedContest, PlayedSide, States

Combine = Literal["mean", "sum"]
Normaliser = Literal["n-1", "none", "half"]


@dataclass(frozen=True, slots=True)
class SidesRule:
    """How contests are rated. `expectation`: expected score from own and the other's rating. `k_of`: a player's K on a
    day. `importance`: the contest's factor is multiplied into K. `settle`: a new rating as it is kept."""

    expectation: Callable[[float, float], float]
    k_of: Callable[[PlayerState, date], float]
    combine: Combine = "mean"
    normaliser: Normaliser = "n-1"
    margins: MarginRule = NO_MARGIN
    importance: bool = True
    settle: Callable[[float], float] | None = None


class SideFigures(NamedTuple):
    """A side's part of a contest: the share of the others it was expected to leave behind and the share it did, 0 … 1,
    and their difference; `factor`: what K is multiplied with. A player changes by K · `factor` · `surplus`."""

    expected: float
    score: float
    surplus: float
    factor: float


# What one side has of the meeting with another: what it was expected to score and scored, the difference, and the
# factor of the margin.
_Pair = tuple[float, float, float, float]


def side_figures(
    ratings: Sequence[float],
    places: Sequence[int],
    scores: Sequence[float | None],
    rule: SidesRule,
) -> list[SideFigures]:
    """What each side was expected to score and scored, from the sides' ratings, places (1 is first, equal numbers are
    tied) and scores where there are any. Two sides at least.

    A pair counts K/(n − 1); under "none" K, so that n sides play for (n − 1) K; under "half" 2K/n."""
    pairs: list[list[_Pair]] = [[] for _ in ratings]
    for one, other in combinations(range(len(ratings)), 2):
        expected, score, weight = _meeting(one, other, ratings, places, scores, rule)
        surplus = score - expected
        pairs[one].append((expected, score, surplus, weight))
        pairs[other].append((1.0 - expected, 1.0 - score, -surplus, weight))
    others = len(ratings) - 1
    total = {"n-1": 1.0, "none": float(others), "half": 2.0 * others / len(ratings)}[rule.normaliser]
    return [_summed(own, total) for own in pairs]


def _meeting(
    one: int,
    other: int,
    ratings: Sequence[float],
    places: Sequence[int],
    scores: Sequence[float | None],
    rule: SidesRule,
) -> tuple[float, float, float]:
    """What the one is expected to score against the other, what it scored, and the factor of the margin."""
    result = 0.5 if places[one] == places[other] else float(places[one] < places[other])
    expected = rule.expectation(ratings[one], ratings[other])
    own, opponent = scores[one], scores[other]
    if rule.margins.kind == Margin.NONE or own is None or opponent is None:
        return expected, result, 1.0
    margin = abs(own - opponent)
    score = rule.margins.score(result, margin, (own, opponent))
    if rule.margins.kind == Margin.NFL and len(ratings) > 2:
        return expected, score, 1.0
    return expected, score, rule.margins.factor(result, margin, ratings[one], ratings[other])


def _summed(pairs: Sequence[_Pair], total: float) -> SideFigures:
    """The means over the pairs, each by its weight."""
    others = len(pairs)
    expected, scores, surpluses, weights = zip(*pairs, strict=True)
    if weights.count(1.0) == others:  # no margin, which is how nearly every list is rated
        return SideFigures(fsum(expected) / others, fsum(scores) / others, fsum(surpluses) / others, total)
    mean = fsum(weights) / others
    shares = [weight / mean for weight in weights]  # 1 where there is one pair

    def average(values: Sequence[float]) -> float:
        return fsum(share * value for share, value in zip(shares, values, strict=True)) / others

    return SideFigures(average(expected), average(scores), average(surpluses), total * mean)


def side_rating(members: Sequence[float], combine: Combine = "mean") -> float:
    """A side's rating from its members', in any order of them the same to the last bit."""
    total = fsum(members)
    return total / len(members) if combine == "mean" else total


def rate_contest(contest: PlayedContest, states: States, *, rule: SidesRule) -> list[list[MemberFigures]]:
    """A `ContestRater`: moves the members' ratings."""
    order = _in_order(contest.sides)
    found = side_figures(
        [side_rating([state.rating for state in states[place]], rule.combine) for place in order],
        [contest.sides[place].place for place in order],
        [contest.sides[place].score for place in order],
        rule,
    )
    figures = dict(zip(order, found, strict=True))
    importance, on = contest.importance if rule.importance else 1.0, contest.played_on
    return [
        [_moved(state, figures[place], importance, on, rule) for state in side] for place, side in enumerate(states)
    ]


def _in_order(sides: Sequence[PlayedSide]) -> Sequence[int]:
    """Places in the contest's one form; of two players alone, White first. E and 1 − E differ in the last bit from the
    E of the other side, so somebody has to be first."""
    order = range(len(sides))
    if len(sides) == 2 and all(len(side.players) == 1 for side in sides):
        return sorted(order, key=lambda place: sides[place].number)
    return order


def _moved(state: PlayerState, figures: SideFigures, importance: float, on: date, rule: SidesRule) -> MemberFigures:
    k = rule.k_of(state, on) * (importance * figures.factor)
    after = state.rating + k * figures.surplus
    state.rating = after if rule.settle is None else rule.settle(after)
    return MemberFigures(figures.expected, k)
