"""How a list shows and orders its ratings: as they are, or less some deviations where its rule of the day says so.

Only a list one of whose rules is `cautious` looks at its rules here; every other keeps its queries and its indexes. A
cautious list is ordered by an expression, without an index: it has as many rows as a club has members.
"""

from datetime import date
from typing import Any

from django.db.models import F, FloatField, QuerySet, Value, prefetch_related_objects
from django.db.models.functions import Coalesce
from django.utils import timezone

from clubrating.ground.figures import round_half_away
from ratings.lists.services import rules_of
from ratings.models import PlayerRating, PublishedList, RatingList
from ratings.systems.published import read_terms
from ratings.systems.rules import AS_RATED, Listing


def listing_of(rating_list: RatingList, on: date | None = None) -> Listing:
    """What the list shows by the rule that holds that day, today where none is given. One query, once a list."""
    if not rating_list.cautious:
        return AS_RATED
    prefetch_related_objects([rating_list], "rules")
    rule = rules_of(rating_list).on(on or timezone.localdate())
    return rule.system.listing(rule.settings)


def listing_when_published(published: PublishedList) -> Listing:
    """What a published list showed, by the rules that were frozen with it; the rating, where they are read no more."""
    try:
        rule = read_terms(published.settings).dated_rules().on(published.on)
    except ValueError:
        return AS_RATED
    return rule.system.listing(rule.settings)


def listed_in(listing: Listing) -> Any:
    """What is listed, as an expression over rows with `rating` and `deviation`."""
    deviation = Coalesce(F("deviation"), Value(listing.unknown), output_field=FloatField())
    return F("rating") - Value(listing.deviations) * deviation if listing.deviations else F("rating")


def with_listed(rows: QuerySet[PlayerRating], listing: Listing) -> QuerySet[PlayerRating]:
    """The rows with `listed`, where that is not the rating itself."""
    return rows.annotate(listed=listed_in(listing)) if listing.deviations else rows


def column_of(listing: Listing) -> str:
    """What rows of `with_listed` are ordered and compared by."""
    return "listed" if listing.deviations else "rating"


def best_first(listing: Listing) -> tuple[str, ...]:
    """The list's order: of equal figures the one reached first is ahead."""
    return (f"-{column_of(listing)}", "reached_order", "player_id")


def plain_figures(row: PlayerRating, listing: Listing) -> dict[str, float]:
    """The figures of a row for programs: a whole number; of a cautious list three, to four decimals."""
    if not listing.deviations:
        return {"rating": round_half_away(row.rating)}
    return {"rating": round(row.rating, 4), **caution_figures(row.rating, row.deviation, listing)}


def caution_figures(rating: float, deviation: float | None, listing: Listing) -> dict[str, float]:
    """What a cautious list says besides the rating, as `manage.py rate` does; nothing for any other."""
    if not listing.deviations:
        return {}
    known = listing.unknown if deviation is None else deviation
    return {"deviation": round(known, 4), "listed": round(listing.value(rating, deviation), 4)}


def shown_of(row: PlayerRating) -> float:
    """What the list shows for that row; its list joined in."""
    return listing_of(row.rating_list).value(row.rating, row.deviation)
