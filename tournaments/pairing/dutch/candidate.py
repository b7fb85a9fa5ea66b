"""The best candidate for a bracket: its pairs, and who floats down (pure).

Three questions, one after the other, each answered by a matching at the least cost:
1. how many pairs there can be, looking one bracket ahead (C6 to C8): as many players are S1;
2. by all criteria, whom those moved down meet;
3. by all criteria, how the others meet, in the order in which candidates are generated.

The bracket is looked at alone, or with the score group that follows where somebody must float. Whether all others can
still be paired is asked of the answer (C4); only where they cannot, everybody is put into the question. Source: FIDE
C.04.3 art. 3 (edition 2025: B and C.4). The rules try candidate after candidate; every method that comes to the same
one is allowed.

Of equal candidates the earliest generated is taken; that order is written as costs. Homogeneous brackets and
remainders: the first half, S1, meets the second, S2, in order. First S2 is transposed, in the order of the opponents of
the first of S1, then of the second …; only then players are exchanged between the halves: as few as possible, numbers
as close as possible, the lowest ranked of S1 down, the highest ranked of S2 up. In a pair the higher ranked always
stands in S1. So a pair of two from the upper half means that its lower one was exchanged, a pair of two from the lower
half that its higher one was, and a floater of the upper half was exchanged too: the whole order follows from the pairs
and the floaters, and becomes digits of the cost. Those moved down: the set with the smaller first different number is
taken, then the opponents in the order of numbers. Source: FIDE C.04.3 art. 4 (edition 2025: D.1 to D.3).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tournaments.pairing.dutch.competitor import Bracket, Competitor
from tournaments.pairing.dutch.costs import Costs, Pair, Two, Way, Ways, cheapest_pairs, failures_of, ways_of
from tournaments.pairing.dutch.criteria import COUNTING, Criterion
from tournaments.pairing.dutch.legal import BYE, Legal
from tournaments.pairing.matching import dearest_pairs, maximum_matching, possible_left_over


# --- the best candidate -------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Candidate:
    """The pairs, the higher ranked first, and those who float down, all in order."""

    pairs: tuple[Two, ...]
    floaters: tuple[Competitor, ...]


def best_candidate(
    bracket: Bracket, legal: Legal, criteria: Sequence[Criterion], *, complete: bool
) -> Candidate | None:
    """The candidate that the rules choose. `complete`: everybody else must remain pairable; None where that cannot
    be."""
    search = _Search(bracket, legal, complete=complete)
    if search.alone or not bracket.below:
        perfect = first_perfect(bracket, legal, criteria)
        if perfect is not None:
            return search.with_pairs(perfect)
    pairs = search.most_pairs(criteria)
    if pairs is None:
        return None
    decided = replace(bracket, decides_bye=_decides_bye(bracket, len(bracket.players) - 2 * pairs, legal))
    return search.best(decided, criteria, pairs)


def decides_bye(bracket: Bracket, candidate: Candidate, legal: Legal) -> bool:
    """Whether one floats, and gets the bye: nobody below may have it (C9)."""
    return _decides_bye(bracket, len(candidate.floaters), legal)


def _decides_bye(bracket: Bracket, floaters: int, legal: Legal) -> bool:
    return legal.odd and floaters == 1 and legal.byes.isdisjoint(player.number for player in bracket.below)


class _Search:
    """The questions about one bracket: all ways are the same, the costs differ."""

    def __init__(self, bracket: Bracket, legal: Legal, *, complete: bool) -> None:
        self.bracket, self.legal, self.complete = bracket, legal, complete
        ways = ways_of(bracket, legal, ahead=False)
        self.alone = self._pairs_up(ways)
        self.ways = ways if self.alone else ways_of(bracket, legal, ahead=True)

    def _pairs_up(self, ways: Ways) -> bool:
        """Whether nobody needs to float: the brackets below have no say then."""
        graph = self._graph(ways)
        return len(maximum_matching(graph)) == len(graph) and self._completes(self.legal.with_bye(self.bracket.below))

    def most_pairs(self, criteria: Sequence[Criterion]) -> int | None:
        """How many pairs the chosen candidate has; None where the others cannot be paired with any."""
        if self.alone or self._leaves_one():
            return len(self.bracket.players) // 2
        counting = [criterion for criterion in criteria if criterion.key in COUNTING]
        found = self.answer(_costs(self.bracket, counting, self.ways), self.ways)
        return None if found is None else len(found.pairs)

    def _leaves_one(self) -> bool:
        """Whether an odd number can leave over a single player: fewer floaters there cannot be."""
        others = self.legal.with_bye(self.bracket.below)
        left_over = sorted(possible_left_over(self._graph(self.ways)))
        return any(self._completes([number, *others]) for number in left_over)

    def _graph(self, ways: Ways) -> dict[int, list[int]]:
        """Who can meet whom in the bracket."""
        graph: dict[int, list[int]] = {player.number: [] for player in self.bracket.players}
        for one, other in ways.here:
            graph[one.number].append(other.number)
            graph[other.number].append(one.number)
        return graph

    def with_pairs(self, pairs: Sequence[Two]) -> Candidate:
        """The candidate of those pairs: everybody else floats."""
        paired = {player.number for pair in pairs for player in pair}
        return Candidate(
            tuple(sorted(pairs, key=lambda pair: pair[0].order)),
            tuple(player for player in self.bracket.players if player.number not in paired),
        )

    def best(self, bracket: Bracket, criteria: Sequence[Criterion], pairs: int) -> Candidate | None:
        """The best by all criteria, of equal ones the first generated."""
        costs = _costs(bracket, criteria, self.ways)
        moved: tuple[Two, ...] = ()
        if bracket.moved_down:
            first = costs.of(self.ways)
            add_moved_down(first, self.ways, bracket.moved_down, bracket.residents)
            found = self.answer(first, self.ways)
            if found is None:
                return None
            moved = tuple(pair for pair in found.pairs if bracket.is_moved_down(pair[0]))
        taken = {player.number for pair in moved for player in pair}
        others = [player for player in bracket.residents if player.number not in taken]
        ways = _without(self.ways, taken, bracket)
        costs = costs.of(ways)
        add_halves(costs, ways, others, pairs - len(moved))
        rest = self.answer(costs, ways)
        return None if rest is None else self.with_pairs(moved + rest.pairs)

    def answer(self, costs: Costs, ways: Ways) -> Candidate | None:
        """The cheapest candidate; None where the others cannot be paired with any."""
        pairs, singles = costs.total()
        mates = cheapest_pairs(pairs, singles)
        left = [number for number in singles if number not in mates]
        others = self.legal.with_bye(self.bracket.below if self.alone else self.bracket.rest)
        if not self._completes([*left, *others]):
            mates = self._with_everybody(pairs, singles, others)
            if any(number not in mates for number in singles):
                return None
        return self.with_pairs([(one, other) for one, other in ways.here if mates.get(one.number) == other.number])

    def _with_everybody(
        self, costs: Mapping[Pair, int], singles: Mapping[int, int], others: Collection[int]
    ) -> dict[int, int]:
        """The answer where everybody not paired yet, `others` too, has a partner."""
        everybody = {**dict.fromkeys(others, 0), **singles}
        pairs: dict[Pair, int] = dict(costs)
        for number in others:
            if number == BYE:
                pairs |= {(BYE, player): everybody[player] for player in self.legal.byes if player in everybody}
            else:
                open_to = (player for player in self.legal.opponents[number] if player in everybody)
                pairs |= {(number, player): everybody[player] for player in open_to if (player, number) not in pairs}
        most = (max(pairs.values(), default=0) + 1) * (len(everybody) + 1)
        return cheapest_pairs(pairs, dict.fromkeys(everybody, most))

    def _completes(self, numbers: Collection[int]) -> bool:
        return not self.complete or self.legal.may_complete(numbers)


def _costs(bracket: Bracket, criteria: Iterable[Criterion], ways: Ways) -> Costs:
    costs = Costs(ways)
    for criterion in criteria:
        costs.add(failures_of(criterion, bracket, ways))
    return costs


def _without(ways: Ways, taken: Collection[int], bracket: Bracket) -> Ways:
    """The ways of those not taken; who was moved down and is not taken floats again."""
    return replace(
        ways,
        here=tuple(
            (one, other)
            for one, other in ways.here
            if one.number not in taken and other.number not in taken and not bracket.is_moved_down(one)
        ),
        down=tuple((one, other) for one, other in ways.down if one.number not in taken),
        alone=tuple(one for one in ways.alone if one.number not in taken),
    )


# --- the order in which candidates are generated ------------------------------------------------------------------
def add_halves(costs: Costs, ways: Ways, players: Sequence[Competitor], pairs: int) -> None:
    """Exchanges, then transpositions, for players of whom so many `pairs` are made; the first so many are S1."""
    at = {player.number: index for index, player in enumerate(players)}
    count = len(players)
    halves: list[tuple[Way, int, int]] = [
        ((one.number, other.number), at[one.number], at[other.number]) for one, other in ways.here if one.number in at
    ]
    down = {way: index for way, index in _leaving(ways, at) if index < pairs}
    down |= {way: lower for way, _upper, lower in halves if lower < pairs}
    up = {way: upper for way, upper, _lower in halves if upper >= pairs}
    costs.add_order(dict.fromkeys(down, 1), count + 1)
    # Who is moved up less who is moved down differs by the sum of S1 alone.
    costs.add_order({way: upper for way, upper, _lower in halves}, count * count + 1)
    costs.add_order({way: _larger_first(index, pairs) for way, index in down.items()}, (count + 1) << (pairs + 1))
    costs.add_order({way: _smaller_first(index, count) for way, index in up.items()}, (count + 1) << (count + 1))
    base = count + 1
    opponents = {way: (lower + 1) * base ** (count - 1 - upper) for way, upper, lower in halves}
    costs.add_order(opponents, base ** (count + 1))


def add_moved_down(costs: Costs, ways: Ways, moved_down: Sequence[Competitor], residents: Sequence[Competitor]) -> None:
    """Which of those moved down are paired, then with whom."""
    first = {player.number: index for index, player in enumerate(moved_down)}
    second = {player.number: index for index, player in enumerate(residents)}
    most, base = len(moved_down), len(residents) + 2
    floating = {way: 1 << (most - 1 - index) for way, index in _leaving(ways, first)}
    costs.add_order(floating, 1 << most)
    opponents: dict[Way, int] = {
        (one.number, other.number): (second[other.number] + 1) * base ** (most - 1 - first[one.number])
        for one, other in ways.here
        if one.number in first
    }
    costs.add_order(opponents, base**most)


def _leaving(ways: Ways, at: dict[int, int]) -> list[tuple[Way, int]]:
    """All ways on which one of `at` floats, with his place."""
    alone: list[tuple[Way, int]] = [(one.number, at[one.number]) for one in ways.alone if one.number in at]
    return alone + [((one.number, other.number), at[one.number]) for one, other in ways.down if one.number in at]


def _larger_first(index: int, limit: int) -> int:
    """Of as many indexes below `limit` those with the larger first different one are the cheaper."""
    return (1 << limit) - (1 << index)


def _smaller_first(index: int, limit: int) -> int:
    return (1 << limit) - (1 << (limit - 1 - index))


# --- a perfect candidate ------------------------------------------------------------------------------------------
# The rules take a perfect candidate at once (art. 3.4; edition 2025: B.4). In a score group to which nobody was moved
# down the first one is found by a matching of the halves: the first of S1 gets the highest ranked of S2 who leaves the
# others pairable, then the second … An odd last bracket has one place more in S1, at its end, for whoever has the bye.
def first_perfect(bracket: Bracket, legal: Legal, criteria: Sequence[Criterion]) -> tuple[Two, ...] | None:
    """The pairs of the first perfect candidate in which nobody floats, but one to have the bye where nobody is below;
    None where there is none, or it cannot be told so simply."""
    group = bracket.residents
    odd = len(group) % 2
    if bracket.moved_down or (odd and bracket.below) or group[0].score != group[-1].score:
        return None
    choosing = [criterion for criterion in criteria if criterion.key not in COUNTING]
    upper, lower = group[: len(group) // 2], group[len(group) // 2 :]

    def fits(one: Competitor, other: Competitor) -> bool:
        return legal.allows(one, other) and not any(criterion.pair(one, other) for criterion in choosing)

    graph = {one.number: [other.number for other in lower if fits(one, other)] for one in upper}
    if odd:
        graph[BYE] = _free_of(bracket, legal, choosing, lower)
    met: dict[int, list[int]] = {other.number: [] for other in lower}
    for one, others in graph.items():
        for other in others:
            met[other].append(one)
    found = dearest_pairs(graph | met)
    if found is None:
        return None
    known = {player.number: player for player in group}
    return tuple((known[one], known[other]) for one, other in found if one != BYE)


def _free_of(bracket: Bracket, legal: Legal, choosing: Sequence[Criterion], lower: Sequence[Competitor]) -> list[int]:
    """Who may have the bye so that nothing fails. It is not noted yet that the bye is decided here, so C9 is minded by
    hand: of those who may have it nobody has played more."""
    fewest = min((player.unplayed for player in bracket.residents if player.number in legal.byes), default=0)
    minds = any(criterion.key == "C9" for criterion in choosing)
    return [
        player.number
        for player in lower
        if player.number in legal.byes
        and not (minds and player.unplayed > fewest)
        and not any(criterion.floater(bracket, player) for criterion in choosing)
    ]
