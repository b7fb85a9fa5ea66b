"""The candidates of a bracket, twice: in the literal order of the rules, and as all legal pairings with the place each
has in that order.

Source: C.04.3 art. 3 (candidates) and art. 4 (transpositions, exchanges, sets of moved-down players).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

from tests.tournaments.by_the_book.colours import Pair
from tests.tournaments.by_the_book.people import Person

MayMeet = Callable[[Person, Person], bool]
Place = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Bracket:
    """Players moved down into the bracket, and its residents, both in order of rank."""

    moved: tuple[Person, ...]
    residents: tuple[Person, ...]

    @property
    def members(self) -> tuple[Person, ...]:
        return (*self.moved, *self.residents)

    @property
    def lowest_score(self) -> int:
        return min(person.score for person in self.residents)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Pairs, the higher ranked first, and who floats down."""

    bracket: Bracket
    pairs: frozenset[Pair]
    floaters: frozenset[Person]

    @property
    def moved_pairs(self) -> list[Pair]:
        return [pair for pair in self.pairs if pair[0] in self.bracket.moved]


def candidate(bracket: Bracket, pairs: Sequence[Pair]) -> Candidate:
    ordered = frozenset((min(pair, key=lambda one: one.rank), max(pair, key=lambda one: one.rank)) for pair in pairs)
    paired = {person for pair in pairs for person in pair}
    return Candidate(bracket, ordered, frozenset(person for person in bracket.members if person not in paired))


# --- in the order of the rules --------------------------------------------------------------------------------
def in_order(bracket: Bracket, max_pairs: int, paired_moved: int) -> Iterator[Candidate]:
    """All candidates with so many pairs and so many moved-down players paired, legal or not, in the order in which the
    rules make them."""
    for upper in combinations(bracket.moved, paired_moved):
        for lower in permutations(bracket.residents, paired_moved):
            rest = [person for person in bracket.residents if person not in lower]
            for pairs in remainders_in_order(rest, max_pairs - paired_moved):
                yield candidate(bracket, [*zip(upper, lower, strict=True), *pairs])


def all_in_order(bracket: Bracket, pairs: int) -> Iterator[Candidate]:
    """All candidates with so many pairs: as many moved-down players paired as can be, then fewer."""
    for paired_moved in range(min(len(bracket.moved), pairs), -1, -1):
        yield from in_order(bracket, pairs, paired_moved)


def remainders_in_order(people: Sequence[Person], pairs: int) -> Iterator[list[Pair]]:
    """The pairings of a homogeneous bracket or of a remainder."""
    if len(people) < 2 * pairs:
        return
    numbers = range(1, len(people) + 1)
    for upper in sorted(combinations(numbers, pairs), key=lambda upper: exchange(upper, pairs)):
        below = [number for number in numbers if number not in upper]
        for lower in permutations(below, pairs):
            yield [(people[one - 1], people[other - 1]) for one, other in zip(upper, lower, strict=True)]


def exchange(upper: Sequence[int], pairs: int) -> Place:
    """The place of the exchange that makes this upper half, of numbers in the bracket."""
    went = sorted((number for number in range(1, pairs + 1) if number not in upper), reverse=True)
    came = sorted(number for number in upper if number > pairs)
    return len(came), sum(came) - sum(went), [-number for number in went], came


# --- all legal ones, and their place --------------------------------------------------------------------------
def legal_pairings(bracket: Bracket, pairs: int, may_meet: MayMeet) -> Iterator[Candidate]:
    """Every pairing of the bracket with exactly so many pairs of players who may meet."""
    for found in matchings(bracket.members, len(bracket.members) - 2 * pairs, frozenset(bracket.moved), may_meet):
        yield candidate(bracket, found)


def matchings(
    people: tuple[Person, ...], floaters: int, moved: frozenset[Person], may_meet: MayMeet
) -> Iterator[tuple[Pair, ...]]:
    if floaters < 0 or floaters > len(people):
        return
    if not people:
        yield ()
        return
    first, rest = people[0], people[1:]
    for other in rest:
        if not (first in moved and other in moved) and may_meet(first, other):
            left = tuple(person for person in rest if person is not other)
            for found in matchings(left, floaters, moved, may_meet):
                yield ((first, other), *found)
    if floaters:
        yield from matchings(rest, floaters - 1, moved, may_meet)


def place(made: Candidate) -> Place:
    """Where the candidate comes first in the order of the rules, among those of its bracket and its number of pairs."""
    bracket = made.bracket
    moved = sorted(made.moved_pairs, key=lambda pair: pair[0].rank)
    lower = [pair[1] for pair in moved]
    rest = [person for person in bracket.residents if person not in lower]
    return (
        -len(moved),
        [bracket.moved.index(pair[0]) for pair in moved],
        [bracket.residents.index(person) for person in lower],
        remainder_place(rest, [pair for pair in made.pairs if pair[0] not in bracket.moved]),
    )


def remainder_place(people: Sequence[Person], pairs: Sequence[Pair]) -> Place:
    """The earliest of all ways to make these pairs: either player of each may stand in the upper half."""
    number = {person.number: index for index, person in enumerate(people, start=1)}
    places: list[Place] = []
    for turned in product((False, True), repeat=len(pairs)):
        seats = sorted(
            (number[pair[turn].number], number[pair[not turn].number]) for pair, turn in zip(pairs, turned, strict=True)
        )
        upper, lower = [one for one, _other in seats], [other for _one, other in seats]
        places.append((exchange(upper, len(pairs)), lower))
    return min(places)
