"""How the ratings of a list are spread over its ranked players, and which part of them somebody is ahead of."""

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor

from clubrating.ground.figures import round_half_away
from ratings.lists.selectors.listing import best_first, column_of, listing_of, with_listed
from ratings.lists.selectors.lists import RANKED, counted_in, live_rows
from ratings.models import RatingList

MOST_CLASSES = 20
_WIDTHS = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)


@dataclass(frozen=True, slots=True)
class Distribution:
    """How many ranked players stand in each class of ratings. The first class begins at `low`, each is `width` points
    wide, and a rating belongs to a class as it is shown: as a whole number."""

    low: int
    width: int
    counts: tuple[int, ...]

    @property
    def ranked(self) -> int:
        return sum(self.counts)

    @property
    def high(self) -> int:
        """Where the last class ends."""
        return self.low + self.width * len(self.counts)

    def class_of(self, rating: float) -> int:
        """The class of a rating, the nearest one where it lies outside."""
        return min(max((round_half_away(rating) - self.low) // self.width, 0), len(self.counts) - 1)


def distribution_of(rating_list: RatingList) -> Distribution | None:
    """The spread of the list's ranked players; None while nobody is ranked. Two queries, along the index of places:
    each class counts its own rows only."""
    listing = listing_of(rating_list)
    column = column_of(listing)
    ranked = with_listed(live_rows(rating_list), listing).filter(RANKED)
    ratings = ranked.values_list(column, flat=True)
    highest = ratings.order_by(*best_first(listing)).first()
    lowest = ratings.order_by(*best_first(listing)).reverse().first()
    if highest is None or lowest is None:
        return None
    edges = class_edges(round_half_away(lowest), round_half_away(highest))
    bounds = pairwise(edges)
    # As shown: 1599.5 is written 1600, so a class begins half a point lower.
    classes = [ranked.filter((f"{column}__gte", low - 0.5), (f"{column}__lt", high - 0.5)) for low, high in bounds]
    return Distribution(edges[0], edges[1] - edges[0], counted_in(rating_list, classes))


def class_edges(low: int, high: int) -> list[int]:
    """Round numbers at equal distances that cover low … high, the last one beyond it, in at most `MOST_CLASSES`."""
    width = next((each for each in _WIDTHS if high // each - low // each < MOST_CLASSES), _WIDTHS[-1])
    return list(range(floor(low / width) * width, ceil((high + 1) / width) * width + 1, width))


def percent_behind(place: int, ranked: int) -> int | None:
    """The share of the other ranked players who stand behind that place, in whole per cents, rounded down: nobody is
    said to be ahead of all while somebody is ahead. None where there is no other. Place 3 of 21: 90."""
    return 100 * (ranked - place) // (ranked - 1) if ranked > 1 else None
