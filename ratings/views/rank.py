"""Where somebody stands in a list: ten places from one on, the page and the row of a player, a tier."""

from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import HttpRequest

from ratings.models import PlayerRating, RatingList, RatingTier
from ratings.selectors import from_place, rating_of, rows_before, tier_bounds
from ratings.views.api import whole


@dataclass(frozen=True, slots=True)
class TierChip:
    """A tier as a filter above the list."""

    tier: RatingTier
    chosen: bool


def asked_for(request: HttpRequest) -> tuple[int | None, int | None]:
    """The number of the player to be shown and the place to begin with; None for what is not asked or no number."""
    player = whole(request, "player", 1) if "player" in request.GET else None
    return player, whole(request, "from", 1) if "from" in request.GET else None


def page_of(rating_list: RatingList, number: int, per_page: int) -> str:
    """The address of the page with the player's row marked; empty where the list does not have him."""
    row = rating_of(rating_list, number)
    if row is None:
        return ""
    page = rows_before(rating_list, row) // per_page + 1
    return f"{rating_list.get_absolute_url()}?player={number}&page={page}#player-{number}"


def narrowed(
    rows: QuerySet[PlayerRating], rating_list: RatingList, tier: str, start: int | None
) -> tuple[QuerySet[PlayerRating], list[TierChip]]:
    """The rows of the tier asked for, or the ten places from `start` on whatever else is asked; and the list's tiers,
    best first."""
    tiers = [TierChip(each, each.slug == tier) for each in rating_list.tiers.all()]
    chosen = next((chip.tier for chip in tiers if chip.chosen), None)
    if chosen is not None:
        low, high = tier_bounds([chip.tier for chip in tiers], chosen)
        rows = rows if low is None else rows.filter(rating__gte=low)
        rows = rows if high is None else rows.filter(rating__lt=high)
    if start is not None:
        rows = from_place(rating_list, start)
    return rows, tiers
