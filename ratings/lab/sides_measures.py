"""Contests with sides: what a system expects of them before they are rated, and how good that was.

A contest of n sides is n(n − 1)/2 pairs. Of each pair a system expects a score, "side i is placed above side j", a tie
counting half; what came is 1, ½ or 0 by place. So logarithmic loss and Brier score are those of games
(`ratings.lab.measures`), over all pairs.

Ranked probability score (E. Epstein, Journal of Applied Meteorology 8, 1969) of the places: of each side the mean over
k = 1 … n − 1 of (F − O)², F being the chance expected of place k or better and O what came, sides that share places
taking an equal part of each; then the mean over the sides. F follows from the pairs by L. Thurstone's law of
comparative judgment, case V (Psychological Review 34, 1927): each side shows its strength and a normal noise, all
noises alike. Two sides have the Brier score; equal sides have every place with the same chance.

Not done: a chance of ties; margins of victory.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations, groupby
from math import erfc, nan, sqrt
from statistics import NormalDist
from typing import Any

import numpy

from ratings.lab.contenders import Contender
from ratings.lab.measures import CLIP, Entrant, Predictions, state_before
from ratings.systems.replay import DatedRule, DatedRules, Row, replay
from ratings.systems.sides import GamesAndContests, PlayedContest, RatedMember, States


# --- pairs of sides --------------------------------------------------------------------------------------------------
def as_entered(contest: PlayedContest) -> list[int]:
    """The places of the sides in the contest, by their numbers: an order that knows nothing of the result."""
    return sorted(range(len(contest.sides)), key=lambda at: contest.sides[at].number)


def pair_scores(contest: PlayedContest) -> list[float]:
    """Of every pair what its first side scored; pairs as `itertools.combinations` has them of the sides as entered."""
    places = [contest.sides[at].place for at in as_entered(contest)]
    return [(one < other) + 0.5 * (one == other) for one, other in combinations(places, 2)]


def pairs_expected(contender: Contender, contest: PlayedContest, states: States) -> list[float]:
    """Of every pair what its first side is expected to score, as if the two met alone; `states` before the contest, in
    the order of its sides. nan where the system expects nothing."""
    chances, settings = contender.system.chances, contender.settings
    found = []
    for pair in combinations(as_entered(contest), 2):
        weights = [contest.sides[at].weights for at in pair]
        expected = chances(settings, [states[at] for at in pair], weights)
        found.append(nan if expected is None else expected.expected)
    return found


def expected_in_replay(contender: Contender, rows: Iterable[Row]) -> Iterator[tuple[PlayedContest, list[float]]]:
    """The contests of a replay, each with what was expected of its pairs before it was rated."""
    members = (row for row in rows if isinstance(row, RatedMember))
    for _key, found in groupby(members, key=lambda row: row.contest.order):
        seated = list(found)
        contest = seated[0].contest
        sides = [[state_before(row, None) for row in group] for _side, group in groupby(seated, lambda row: row.side)]
        yield contest, pairs_expected(contender, contest, sides)


# --- a file of contests, for the back-test ---------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class ContestHistory:
    """Contests in order of replay, as `ratings.lab.measures.History` has games; what is expected and scored are pairs
    of sides."""

    games: Sequence[PlayedContest]
    birth_years: Mapping[int, int | None]
    dated: bool

    @property
    def scores(self) -> Any:
        """What the first side of every pair scored, contest by contest."""
        return numpy.array([score for contest in self.games for score in pair_scores(contest)])

    @property
    def sizes(self) -> Any:
        """How many pairs each contest has."""
        return numpy.array([len(contest.sides) * (len(contest.sides) - 1) // 2 for contest in self.games])

    def ranked(self, first: int, expected: Any) -> float:
        """Mean ranked probability score of the contests from number `first` on, of whose pairs `expected` was said."""
        scores, at = [], 0
        for contest, size in zip(self.games[first:], self.sizes[first:].tolist(), strict=True):
            places = [contest.sides[side].place for side in as_entered(contest)]
            scores.append(ranked_probability_score(places, expected[at : at + size].tolist()))
            at += size
        return sum(scores) / len(scores)


def sides_entrant(contender: Contender) -> Entrant:
    """A contender that is put to the test on contests with sides."""
    rules = DatedRules([DatedRule(date.min, contender.system, contender.settings)])

    def tell(history: ContestHistory, first: int) -> Predictions:
        contests = GamesAndContests((), history.games)
        rows = replay(contests, (), states={}, birth_years=history.birth_years, rules=rules)
        found = [each for _contest, expected in expected_in_replay(contender, rows) for each in expected]
        return Predictions(numpy.array(found), numpy.full(len(found), nan))

    return Entrant(contender.key, contender.name, tell)


# --- places ----------------------------------------------------------------------------------------------------------
# Nodes and weights of the mean over a side's own noise; twenty are good to five digits up to four deviations apart.
_NODES, _WEIGHTS = numpy.polynomial.hermite_e.hermegauss(20)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()
_normal = NormalDist()
_below = numpy.frompyfunc(lambda x: 0.5 * erfc(-x / sqrt(2.0)), 1, 1)


def chances_of_places(sides: int, expected: Sequence[float]) -> Any:
    """The chance of each place for each side, as an array: a row a side, its chances of places 1 … n. `expected`: of
    every pair, 0 … 1, what its first side is expected to score."""
    leads = numpy.zeros((sides, sides))
    for (one, other), score in zip(combinations(range(sides), 2), expected, strict=True):
        lead = sqrt(2.0) * _normal.inv_cdf(min(max(score, CLIP), 1.0 - CLIP))
        leads[one, other], leads[other, one] = lead, -lead
    # Whoever shows `node` more than its strength is passed by another side with this chance, whatever others do.
    passed = _below(-(leads[:, :, None] + _NODES)).astype(float)
    above = numpy.zeros((sides, len(_NODES), sides))  # the chance that so many sides are placed above
    above[:, :, 0] = 1.0
    for other in range(sides):
        chance = passed[:, other, :, None].copy()
        chance[other] = 0.0  # nobody passes oneself
        shifted = numpy.concatenate([numpy.zeros_like(above[:, :, :1]), above[:, :, :-1]], axis=2)
        above = above * (1.0 - chance) + shifted * chance
    return numpy.einsum("sno,n->so", above, _WEIGHTS)


def ranked_probability_score(places: Sequence[int], expected: Sequence[float]) -> float:
    """Of one contest, 0 … 1, least in the mean where the chances are the true ones. `places` in the form 1-2-2-4;
    `expected` of the pairs of those sides in their order."""
    count = len(places)
    if count == 2:
        return float((((places[0] < places[1]) + 0.5 * (places[0] == places[1])) - expected[0]) ** 2)
    found = chances_of_places(count, expected).cumsum(axis=1)
    total = 0.0
    for side, place in enumerate(places):
        sharing = places.count(place)
        for cut in range(1, count):
            came = min(max((cut - place + 1) / sharing, 0.0), 1.0)
            total += (float(found[side, cut - 1]) - came) ** 2
    return total / (count * (count - 1))
