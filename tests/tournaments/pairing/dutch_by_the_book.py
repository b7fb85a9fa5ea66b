"""A round by the rules of the FIDE (Dutch) System, bracket by bracket, by trying everything: for up to ten players.

Of each bracket every legal pairing with as many pairs as can be is listed, and one criterion after the other sifts
them (`sieve`); of those that are left the one that the rules make first is taken. `literal` makes the candidates in the
order of the rules instead; the tests prove the two equal on small brackets.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from tests.tournaments.by_the_book.candidates import Bracket, Candidate, all_in_order, legal_pairings, place
from tests.tournaments.by_the_book.colours import Pair, boards_of
from tests.tournaments.by_the_book.criteria import (
    Criterion,
    colour_criteria,
    float_criteria_2025,
    float_criteria_2026,
    number_of_floaters,
    score_differences,
    scores_of_floaters,
    unplayed_of_bye,
)
from tests.tournaments.by_the_book.people import ABSOLUTE, Person, people_before
from tournaments.pairing.base import Board, Field

Legal = Callable[[Candidate], bool]
Groups = Sequence[tuple[Person, ...]]
# The score of the one with the bye, if there is one; None where no legal pairing exists.
End = tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Event:
    """What the absolute criteria need, and the memory of the search for a complete pairing."""

    prohibited: frozenset[frozenset[int]]
    point: int
    first_colour: str
    ends: dict[frozenset[Person], End] = field(default_factory=dict)

    def may_meet(self, one: Person, other: Person) -> bool:
        """C1 and C3, and the pairs the arbiter has forbidden."""
        if other.number in one.met or frozenset((one.number, other.number)) in self.prohibited:
            return False
        same = one.strength == other.strength == ABSOLUTE and one.wants == other.wants
        return not same or one.is_topscorer or other.is_topscorer

    def end(self, people: frozenset[Person]) -> End:
        """The lowest score with which one of these can have the bye in a complete legal pairing of all of them."""
        if people not in self.ends:
            self.ends[people] = min(self._ends(people), default=None)
        return self.ends[people]

    def _ends(self, people: frozenset[Person]) -> Iterator[tuple[int, ...]]:
        if not people:
            yield ()
            return
        first = min(people, key=lambda person: person.rank)
        rest = people - {first}
        if len(people) % 2 and first.may_have_bye and self.end(rest) is not None:
            yield (first.score,)
        for other in rest:
            if self.may_meet(first, other):
                found = self.end(rest - {other})
                if found is not None:
                    yield found


def book_pairs(field: Field, rounds: int, first_colour: str, acceleration: str = "none") -> tuple[Board, ...] | None:
    """The round the rules give, in the order of boards; None where no legal pairing exists."""
    everyone = people_before(field, rounds, acceleration)
    present = sorted((everyone[number] for number in field.present), key=lambda person: person.rank)
    event = Event(field.prohibited, field.points.unit, first_colour)
    if event.end(frozenset(present)) is None:
        return None
    groups = [tuple(group) for _score, group in groupby(present, key=lambda person: person.score)]
    made = paired_2025(event, groups) if field.edition == 2025 else paired_2026(event, groups)
    pairs: list[Pair] = [pair for one in made for pair in one.pairs]
    return boards_of(pairs, list(made[-1].floaters) if made else [], first_colour)


def all_of(groups: Groups) -> frozenset[Person]:
    return frozenset(person for group in groups for person in group)


def ranked(people: frozenset[Person]) -> tuple[Person, ...]:
    return tuple(sorted(people, key=lambda person: person.rank))


# --- one bracket ----------------------------------------------------------------------------------------------
def widest(event: Event, bracket: Bracket, legal: Legal) -> list[Candidate]:
    """All legal candidates with the greatest number of pairs that any has."""
    for pairs in range(len(bracket.members) // 2, -1, -1):
        found = [made for made in legal_pairings(bracket, pairs, event.may_meet) if legal(made)]
        if found:
            return found
    raise AssertionError("a bracket has a legal candidate, since the round can be completed")


def sieve(found: list[Candidate], criteria: Sequence[Criterion]) -> Candidate:
    """The best by the criteria, one after the other; of equal ones the first by the order of the rules."""
    for criterion in (*criteria, place):
        failures = [criterion(made) for made in found]
        least = min(failures)
        found = [made for made, failure in zip(found, failures, strict=True) if failure == least]
    return found[0]


def literal(found: list[Candidate], criteria: Sequence[Criterion]) -> Candidate:
    """The best of all candidates made in the order of the rules; of equal ones the one made first. `found` are the
    legal ones."""
    bracket, pairs = found[0].bracket, len(found[0].pairs)
    legal = {made.pairs for made in found}
    best: tuple[list[object], Candidate] | None = None
    for made in all_in_order(bracket, pairs):
        if made.pairs in legal:
            failures = [criterion(made) for criterion in criteria]
            if best is None or failures < best[0]:
                best = failures, made
    if best is None:
        raise AssertionError("the order of the rules leaves no legal candidate out")
    return best[1]


# --- from February 2026 ---------------------------------------------------------------------------------------
def paired_2026(event: Event, groups: Groups) -> list[Candidate]:
    bye = event.end(all_of(groups)) or ()
    made: list[Candidate] = []
    moved: tuple[Person, ...] = ()
    for index, group in enumerate(groups):
        bracket, below = Bracket(moved, group), groups[index + 1 :]
        found = widest(event, bracket, completes(event, below, bye))
        made.append(sieve(found, criteria_2026(event, below, bye)))
        moved = ranked(made[-1].floaters)
    return made


def completes(event: Event, below: Groups, bye: tuple[int, ...]) -> Legal:
    """C4 and C5: all not yet paired can be paired, and nobody with more points need have the bye."""
    return lambda made: event.end(made.floaters | all_of(below)) == bye


def criteria_2026(event: Event, below: Groups, bye: tuple[int, ...]) -> tuple[Criterion, ...]:
    return (
        number_of_floaters,
        scores_of_floaters,
        following_2026(event, below, bye),
        unplayed_of_bye(bye),
        *colour_criteria(event.first_colour),
        *float_criteria_2026(),
    )


def following_2026(event: Event, below: Groups, bye: tuple[int, ...]) -> Criterion:
    """C8: how well the following bracket can do by C1 to C7."""

    def failure(made: Candidate) -> list[object]:
        if not below:
            return []
        bracket = Bracket(ranked(made.floaters), below[0])
        found = widest(event, bracket, completes(event, below[1:], bye))
        return [number_of_floaters(found[0]), min(map(scores_of_floaters, found))]

    return remembered(failure)


def remembered(failure: Criterion) -> Criterion:
    """A criterion that depends on the floaters alone, asked once for each set of them."""
    known: dict[frozenset[Person], object] = {}

    def again(made: Candidate) -> object:
        if made.floaters not in known:
            known[made.floaters] = failure(made)
        return known[made.floaters]

    return again


# --- before February 2026 -------------------------------------------------------------------------------------
def paired_2025(event: Event, groups: Groups) -> list[Candidate]:
    made: list[Candidate] = []
    moved: tuple[Person, ...] = ()
    for index, group in enumerate(groups):
        bracket, below = Bracket(moved, group), groups[index + 1 :]
        if not below:
            return [*made, last_2025(event, bracket)]
        best = sieve(widest(event, bracket, anyhow), criteria_2025(event, [following_2025(event, below)]))
        if event.end(best.floaters | all_of(below)) is None:
            return [*made, *collapsed(event, bracket, below)]
        made.append(best)
        moved = ranked(best.floaters)
    return made


def collapsed(event: Event, bracket: Bracket, below: Groups) -> list[Candidate]:
    """The penultimate bracket, paired again so that the round can be completed, and all below as one bracket."""
    rest = all_of(below)
    penultimate = sieve(
        widest(event, bracket, lambda made: event.end(made.floaters | rest) is not None), criteria_2025(event, [])
    )
    return [penultimate, last_2025(event, Bracket(ranked(penultimate.floaters), ranked(rest)))]


def last_2025(event: Event, bracket: Bracket) -> Candidate:
    return sieve(widest(event, bracket, lambda made: event.end(made.floaters) is not None), criteria_2025(event, []))


def anyhow(_made: Candidate) -> bool:
    return True


def criteria_2025(event: Event, following: Sequence[Criterion]) -> tuple[Criterion, ...]:
    return (
        number_of_floaters,
        score_differences(event.point),
        *following,
        *colour_criteria(event.first_colour),
        *float_criteria_2025(event.point),
    )


def following_2025(event: Event, below: Groups) -> Criterion:
    """The older C.7: pairs, then score differences, in the following bracket. In the last one only somebody who may
    have the bye is left over (C.2); floaters with whom that cannot be are worse than all others."""

    def failure(made: Candidate) -> list[object]:
        bracket, last = Bracket(ranked(made.floaters), below[0]), len(below) == 1
        if last and event.end(frozenset(bracket.members)) is None:
            return [len(bracket.members) + 1]
        found = widest(event, bracket, (lambda made: event.end(made.floaters) is not None) if last else anyhow)
        return [number_of_floaters(found[0]), min(map(score_differences(event.point), found))]

    return remembered(failure)
