"""Places as people write them, and places that follow from scores (pure)."""

from collections.abc import Sequence

from clubrating.ground.marks import sentence
from players.refusals import Refused


def read_numbers(text: str) -> list[int]:
    """ "1 2 2 4", also with commas, as numbers. Raises Refused naming what is none."""
    found = []
    for part in text.replace(",", " ").replace(";", " ").split():
        if not (part.isascii() and part.isdigit() and len(part) <= 3):
            raise Refused(sentence("“%(given)s” is no place: write numbers, like 1 2 2 4.", given=part[:20]))
        found.append(int(part))
    return found


def places_of_scores(scores: Sequence[float], *, low_wins: bool) -> list[int]:
    """The place of each score, 1-2-2-4; the highest is first, or the lowest where `low_wins`."""
    ordered = sorted(scores, reverse=not low_wins)
    return [ordered.index(score) + 1 for score in scores]
