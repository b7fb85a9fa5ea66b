"""Lists as they were published, and what of them stands beside the ratings of now."""

from collections.abc import Iterable
from datetime import date

from django.db.models import FloatField, OuterRef, QuerySet, Subquery

from ratings.lists.selectors.listing import listed_in
from ratings.models import PlayerRating, PublishedList, PublishedRow, RatingList
from ratings.systems.rules import AS_RATED, Listing


def published_lists(rating_list: RatingList) -> list[PublishedList]:
    """Every publication of the list, latest day first, without settings."""
    return list(PublishedList.objects.filter(rating_list=rating_list).defer("settings"))


def published_days(lists: Iterable[RatingList]) -> dict[int, list[date]]:
    """The days every one of those lists was published for, the latest first, by the list's key. One query."""
    days: dict[int, list[date]] = {}
    for key, on in PublishedList.objects.filter(rating_list__in=lists).values_list("rating_list_id", "on"):
        days.setdefault(key, []).append(on)
    return days


def published_on(rating_list: RatingList, day: date) -> PublishedList | None:
    """The list as published on a day: the last one published for that day or an earlier one."""
    return PublishedList.objects.filter(rating_list=rating_list, on__lte=day).select_related("rating_list").first()


def published_rows(published: PublishedList) -> QuerySet[PublishedRow]:
    """The rows in the list's order, with the person joined in."""
    return PublishedRow.objects.filter(published_list=published).select_related("player").order_by("pk")


def first_places(lists: Iterable[PublishedList], count: int) -> dict[int, list[PublishedRow]]:
    """The rows of the first `count` places of each of those lists, by its key, the person joined in. One query."""
    heads: dict[int, list[PublishedRow]] = {}
    rows = PublishedRow.objects.filter(published_list__in=lists, place__lte=count).select_related("player")
    for row in rows.order_by("place", "pk"):
        heads.setdefault(row.published_list_id, []).append(row)
    return heads


def with_last_published(
    rows: QuerySet[PlayerRating], published: PublishedList | None, listing: Listing = AS_RATED
) -> QuerySet[PlayerRating]:
    """The same rows with `published_rating`: what the list showed of the player then, None where he was not in it."""
    last = PublishedRow.objects.filter(published_list=published, player=OuterRef("player")).order_by()
    shown = last.values_list(listed_in(listing))[:1]
    return rows.annotate(published_rating=Subquery(shown, output_field=FloatField()))
