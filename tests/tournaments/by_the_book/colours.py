"""Who has White, and in which order the boards are published: C.04.3 art. 5, C.04.2 art. 3.6."""

from tests.tournaments.by_the_book.people import ABSOLUTE, BLACK, OTHER, WHITE, Person
from tournaments.pairing.base import Board

Pair = tuple[Person, Person]  # the higher ranked first


def colour_of_higher(pair: Pair, first_colour: str) -> str:
    """The colour of the higher ranked of the two."""
    higher, lower = pair
    if higher.wants != lower.wants or not higher.wants:
        if higher.wants or lower.wants:
            return higher.wants or OTHER[lower.wants or WHITE]
        return first_colour if higher.odd else OTHER[first_colour]
    stronger = stronger_of(higher, lower)
    if stronger:
        return (higher.wants or WHITE) if stronger is higher else OTHER[lower.wants or WHITE]
    for mine, theirs in zip(reversed(higher.colours), reversed(lower.colours), strict=False):
        if mine != theirs:
            return OTHER[mine]
    return higher.wants


def stronger_of(higher: Person, lower: Person) -> Person | None:
    """Whose preference goes first, of two with the same one; None where that is open."""
    if higher.strength != lower.strength:
        return max(higher, lower, key=lambda person: person.strength)
    if higher.strength == ABSOLUTE and abs(higher.difference) != abs(lower.difference):
        return max(higher, lower, key=lambda person: abs(person.difference))
    return None


def colours_of(pair: Pair, first_colour: str) -> tuple[tuple[Person, str], tuple[Person, str]]:
    colour = colour_of_higher(pair, first_colour)
    return (pair[0], colour), (pair[1], OTHER[colour])


def boards_of(pairs: list[Pair], byes: list[Person], first_colour: str) -> tuple[Board, ...]:
    """The boards in the order in which they are published, without regard to virtual points; the bye last."""

    def place(pair: Pair) -> tuple[int, int, int]:
        higher = min(pair, key=lambda person: (-person.points, person.number))
        return -higher.points, -sum(person.points for person in pair), higher.number

    seated = [
        Board(
            *(
                person.number
                for person, _colour in sorted(colours_of(pair, first_colour), key=lambda seat: seat[1] == BLACK)
            )
        )
        for pair in sorted(pairs, key=place)
    ]
    return (*seated, *(Board(person.number, None) for person in byes))
