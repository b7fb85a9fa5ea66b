"""What the address of a list asks for: who its rows are, their tier, age group or name, all of it combined; or ten
places, those around a player, the page somebody stands on, and who is meant by “me”.
"""

from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet
from django.http import HttpRequest

from clubrating.ground.numbers import whole_number
from clubrating.web.forms import asked_for
from clubrating.web.requests import ClubRequest
from players.people.selectors import named
from players.privacy.rules import NOBODY, Viewer, names_seen
from ratings.lists.selectors.listing import column_of, listing_of
from ratings.lists.selectors.lists import (
    around,
    from_place,
    leaderboard,
    on_probation,
    rating_of,
    rows_before,
    tier_bounds,
)
from ratings.models import PlayerRating, RatingList, RatingTier

FILTERS = ("all", "ranked", "provisional", "inactive")


@dataclass(frozen=True, slots=True)
class AgeGroup:
    """People by the age they reach in a year: not above `under` (U18: nobody who turned 18 before this year), or at
    least `least`."""

    key: str
    name: str
    under: int = 0
    least: int = 0

    def born(self, today: date, path: str) -> Q:
        """A condition for the year of birth; an unknown year is in no group."""
        if self.under:
            return Q(**{f"{path}birth_year__gte": today.year - self.under})
        return Q(**{f"{path}birth_year__lte": today.year - self.least})


AGE_GROUPS = (
    *(AgeGroup(f"u{age}", f"U{age}", under=age) for age in (8, 10, 12, 14, 16, 18, 20)),
    *(AgeGroup(str(age), f"{age}+", least=age) for age in (50, 65)),
)


@dataclass(frozen=True, slots=True)
class ListFilter:
    """What is asked for: a filter, a tier, an age group, a search, ten places from one on, those around a player (by
    number). `age_withheld`: an age group was asked for by somebody who may not see one."""

    show: str
    tier: RatingTier | None
    age: AgeGroup | None
    search: str
    start: int | None
    around: int | None
    marked: int | None
    age_withheld: bool = False

    @property
    def narrows(self) -> bool:
        """Whether not everybody is asked for."""
        return bool(self.show != "all" or self.tier or self.age or self.search or self.start or self.around)


def read_filter(request: HttpRequest, tiers: list[RatingTier], viewer: Viewer) -> ListFilter:
    """The filter an address says; what it says wrongly is not asked for."""
    asked = request.GET
    age = next((group for group in AGE_GROUPS if group.key == asked.get("age")), None)
    may_see_ages = viewer.level > NOBODY.level
    return ListFilter(
        show=asked.get("show", "") if asked.get("show") in FILTERS else "all",
        tier=next((tier for tier in tiers if tier.slug == asked.get("tier")), None),
        age=age if may_see_ages else None,
        search=asked_for(request),
        start=number_asked(request, "from"),
        around=number_asked(request, "around"),
        marked=number_asked(request, "around") or number_asked(request, "player"),
        age_withheld=age is not None and not may_see_ages,
    )


def filtered(
    rows: QuerySet[PlayerRating],
    rating_list: RatingList,
    tiers: list[RatingTier],
    chosen: ListFilter,
    viewer: Viewer,
    today: date,
) -> QuerySet[PlayerRating]:
    """The rows that are all the filter asks for at once."""
    if chosen.show == "ranked":
        rows = rows.filter(ranked=True)
    elif chosen.show == "provisional":
        rows = rows.filter(on_probation(rating_list))
    elif chosen.show == "inactive":
        rows = rows.filter(player__active=False)
    if chosen.tier:
        low, high = tier_bounds(tiers, chosen.tier)
        column = column_of(listing_of(rating_list))
        rows = rows if low is None else rows.filter((f"{column}__gte", low))
        rows = rows if high is None else rows.filter((f"{column}__lt", high))
    if chosen.age:
        # An age group reveals ages: only players whose names this viewer sees are in it.
        rows = rows.filter(names_seen(viewer, "player__"), chosen.age.born(today, "player__"))
    return searched(rows, chosen.search, viewer)


def searched(rows: QuerySet[PlayerRating], search: str, viewer: Viewer) -> QuerySet[PlayerRating]:
    """Only names the viewer may read are searched, else the search would confirm a guess."""
    words = search.casefold().split()
    return rows.filter(names_seen(viewer, "player__"), named(words, "player__")) if words else rows


# --- places -----------------------------------------------------------------------------------------------------------
def number_asked(request: HttpRequest, name: str) -> int | None:
    """A whole number from 1 on that the address gives under that name; None for none."""
    return whole_number(request.GET.get(name, "")) or None


def page_of(rating_list: RatingList, number: int, per_page: int) -> str:
    """The address of the page with the player's row marked; empty where the list does not have him."""
    row = rating_of(rating_list, number)
    if row is None:
        return ""
    page = rows_before(rating_list, row) // per_page + 1
    return f"{rating_list.get_absolute_url()}?player={number}&page={page}#player-{number}"


def address_of_me(rating_list: RatingList, request: ClubRequest) -> str:
    """Where “show me” leads: to the ten around the one player of that number or name, else to a search for the name
    with the filters kept. Of names only those this viewer reads are looked at. Nothing is remembered but in the
    address, by number."""
    found = _numbers_called(rating_list, asked_for(request), request.viewer)
    here = rating_list.get_absolute_url()
    if len(found) == 1:
        return f"{here}?around={found[0]}#player-{found[0]}"
    query = request.GET.copy()
    del query["me"]
    return f"{here}?{query.urlencode()}"


def _numbers_called(rating_list: RatingList, text: str, viewer: Viewer) -> list[int]:
    number = whole_number(text.removeprefix("#"))
    rows = leaderboard(rating_list)
    if number is not None:
        rows = rows.filter(player__number=number)
    elif text.strip():
        rows = searched(rows, text, viewer)
    else:
        return []
    return list(rows.values_list("player__number", flat=True)[:2])


def few(rating_list: RatingList, start: int | None, number: int | None) -> QuerySet[PlayerRating] | None:
    """The ten places from `start` on, or the player of that number with those around him; None where neither is asked
    for, or the list does not have him."""
    if start is not None:
        return from_place(rating_list, start)
    row = rating_of(rating_list, number) if number is not None else None
    return around(rating_list, row) if row is not None else None
