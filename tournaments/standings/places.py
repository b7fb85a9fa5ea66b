"""Places of a contest as somebody types them ("1 2 2 4"), or from its scores.

The normal form is 1-2-2-4; 1-2-2-3 is read as that. Errors are ValueErrors with a sentence.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from clubrating.ground.marks import sentence
from clubrating.ground.numbers import number_in
from ratings.systems.sides import read_places


def typed_places(text: str, sides: int) -> list[int]:
    """The place of each side in turn, parted by blanks, commas or hyphens."""
    words = text.replace(",", " ").replace("-", " ").split()
    wrong = next((word for word in words if not 1 <= number_in(word) <= 999), None)
    if wrong is not None:
        raise ValueError(sentence("“%(given)s” is no place: write numbers, like 1 2 2 4.", given=wrong[:20]))
    if len(words) != sides:
        raise ValueError(
            sentence(
                "There are %(places)s places for %(sides)s sides: write one place a side.",
                places=len(words),
                sides=sides,
            )
        )
    return read_places([int(word) for word in words])


def places_by_scores(
    scores: Sequence[Fraction], given: Sequence[int | None] | None = None, *, lower_is_better: bool = False
) -> list[int]:
    """The places that follow from the scores. `given`: places that part equal scores; all sides of one score have one,
    or none; a place must not contradict the scores."""
    if given is None or all(place is None for place in given):
        given = [None] * len(scores)
    if len(given) != len(scores):
        raise ValueError(f"{len(scores)} sides have {len(scores)} places, not {len(given)}")
    known = [place for place in given if place is not None]
    named = list(read_places(known)) if len(known) == len(scores) else list(given)
    keys = [-score if not lower_is_better else score for score in scores]
    for (one, place), (other, theirs) in combinations(zip(keys, named, strict=True), 2):
        if one == other and (place is None) != (theirs is None):
            raise ValueError("of sides with equal scores all have a place, or none")
    whole = [(key, place or 0) for key, place in zip(keys, named, strict=True)]
    places = [1 + sum(other < own for other in whole) for own in whole]
    for place, wanted in zip(places, named, strict=True):
        if wanted not in (None, place):
            raise ValueError(f"place {wanted} contradicts the scores: by them it is {place}")
    return places
