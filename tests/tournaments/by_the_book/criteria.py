"""The quality criteria of both editions, each as the failure of a candidate: the smaller, the better.

Sources: C.04.3 art. 2.3 (from 1 February 2026), and C.5 to C.19 of the edition before it. C8 (the older C.7), which
looks into the following bracket, stands with the round.
"""

from collections.abc import Callable, Iterator
from typing import Any

from tests.tournaments.by_the_book.candidates import Candidate
from tests.tournaments.by_the_book.colours import Pair, colours_of
from tests.tournaments.by_the_book.people import ABSOLUTE, DOWN, STRONG, UP, WHITE, Person

Criterion = Callable[[Candidate], Any]
LAST, BEFORE = "last_float", "float_before"


def descending(numbers: Iterator[Any]) -> list[Any]:
    return sorted(numbers, reverse=True)


# --- who floats -----------------------------------------------------------------------------------------------
def number_of_floaters(made: Candidate) -> int:
    return len(made.floaters)


def scores_of_floaters(made: Candidate) -> list[int]:
    return descending(person.score for person in made.floaters)


def unplayed_of_bye(bye_score: tuple[int, ...]) -> Criterion:
    """C9, where the bracket floats one player and he must be the one with the bye."""

    def failure(made: Candidate) -> int:
        if len(made.floaters) != 1 or tuple(person.score for person in made.floaters) != bye_score:
            return 0
        return sum(person.unplayed for person in made.floaters)

    return failure


# --- colours: the same in both editions -----------------------------------------------------------------------
def colour_criteria(first_colour: str) -> tuple[Criterion, ...]:
    def seats(made: Candidate) -> Iterator[tuple[Person, str]]:
        for pair in made.pairs:
            yield from colours_of(pair, first_colour)

    def top_seats(made: Candidate) -> Iterator[tuple[Person, str]]:
        for pair in made.pairs:
            if pair[0].is_topscorer or pair[1].is_topscorer:
                yield from colours_of(pair, first_colour)

    def too_wide(made: Candidate) -> int:
        """Wider than before and than 2: one who had 3 and gets his colour gets no wider."""
        gets = [
            (person.difference, person.difference + (1 if colour == WHITE else -1))
            for person, colour in top_seats(made)
        ]
        return sum(abs(after) > max(2, abs(before)) for before, after in gets)

    def thrice(made: Candidate) -> int:
        return sum(person.had_twice == colour for person, colour in top_seats(made))

    def not_granted(made: Candidate) -> int:
        return sum(person.wants not in (None, colour) for person, colour in seats(made))

    def strong_not_granted(made: Candidate) -> int:
        refused = (person for person, colour in seats(made) if person.wants not in (None, colour))
        return sum(person.strength in (STRONG, ABSOLUTE) for person in refused)

    return too_wide, thrice, not_granted, strong_not_granted


# --- repeated floats, 2026 ------------------------------------------------------------------------------------
def resident_floaters(when: str) -> Criterion:
    def failure(made: Candidate) -> int:
        return sum(getattr(person, when) == DOWN for person in made.floaters if person in made.bracket.residents)

    return failure


def opponents_of_moved(when: str) -> Criterion:
    def failure(made: Candidate) -> int:
        return sum(getattr(pair[1], when) == UP for pair in made.moved_pairs)

    return failure


def differences_of_moved(when: str) -> Criterion:
    """One who floats again has a difference greater than any other."""

    def failure(made: Candidate) -> list[tuple[int, int]]:
        again = [
            (1, person.score)
            for person in made.floaters
            if person in made.bracket.moved and getattr(person, when) == DOWN
        ]
        paired = [(0, gap(pair)) for pair in made.moved_pairs if getattr(pair[0], when) == DOWN]
        return descending(iter(again + paired))

    return failure


def differences_of_opponents(when: str) -> Criterion:
    def failure(made: Candidate) -> list[int]:
        return descending(gap(pair) for pair in made.moved_pairs if getattr(pair[1], when) == UP)

    return failure


def gap(pair: Pair) -> int:
    return pair[0].score - pair[1].score


def float_criteria_2026() -> tuple[Criterion, ...]:
    return (
        resident_floaters(LAST),
        opponents_of_moved(LAST),
        resident_floaters(BEFORE),
        opponents_of_moved(BEFORE),
        differences_of_moved(LAST),
        differences_of_opponents(LAST),
        differences_of_moved(BEFORE),
        differences_of_opponents(BEFORE),
    )


# --- score differences and repeated floats, before 2026 -------------------------------------------------------
def fall(made: Candidate, person: Person, point: int) -> int:
    """The score difference of one who floats down: to one point less than the lowest score of the bracket."""
    return person.score - (made.bracket.lowest_score - point)


def score_differences(point: int) -> Criterion:
    def failure(made: Candidate) -> list[int]:
        return descending(iter([gap(pair) for pair in made.pairs] + [fall(made, one, point) for one in made.floaters]))

    return failure


def down_again(when: str, point: int) -> Callable[[Candidate], list[int]]:
    """The score differences of all who get the same downfloat again."""

    def falls(made: Candidate) -> list[int]:
        paired = [gap(pair) for pair in made.pairs if gap(pair) > 0 and getattr(pair[0], when) == DOWN]
        floating = [fall(made, person, point) for person in made.floaters if getattr(person, when) == DOWN]
        return descending(iter(paired + floating))

    return falls


def up_again(when: str) -> Callable[[Candidate], list[int]]:
    def rises(made: Candidate) -> list[int]:
        return descending(gap(pair) for pair in made.pairs if gap(pair) > 0 and getattr(pair[1], when) == UP)

    return rises


def how_many(listed: Callable[[Candidate], list[int]]) -> Criterion:
    return lambda made: len(listed(made))


def float_criteria_2025(point: int) -> tuple[Criterion, ...]:
    down, up = down_again(LAST, point), up_again(LAST)
    down_before, up_before = down_again(BEFORE, point), up_again(BEFORE)
    return (
        how_many(down),
        how_many(up),
        how_many(down_before),
        how_many(up_before),
        down,
        up,
        down_before,
        up_before,
    )
