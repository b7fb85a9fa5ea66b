"""What the address of a list asks of its rows: who they are, their tier, their age group, a name. All of it combines,
and stays in the address."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet
from django.http import HttpRequest

from clubrating.site.lists.views import rank
from clubrating.web.forms import asked_for
from players.people.selectors import named
from players.privacy.rules import NOBODY, Viewer, names_seen
from ratings.lists.selectors.lists import on_probation, tier_bounds
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
        start=rank.number_in(request, "from"),
        around=rank.number_in(request, "around"),
        marked=rank.number_in(request, "around") or rank.number_in(request, "player"),
        age_withheld=age is not None and not may_see_ages,
    )


def narrowed(
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
        rows = rows if low is None else rows.filter(rating__gte=low)
        rows = rows if high is None else rows.filter(rating__lt=high)
    if chosen.age:
        # An age group reveals ages: only players whose names this viewer sees are in it.
        rows = rows.filter(names_seen(viewer, "player__"), chosen.age.born(today, "player__"))
    return searched(rows, chosen.search, viewer)


def searched(rows: QuerySet[PlayerRating], search: str, viewer: Viewer) -> QuerySet[PlayerRating]:
    """Only names the viewer may read are searched, else the search would confirm a guess."""
    words = search.casefold().split()
    return rows.filter(names_seen(viewer, "player__"), named(words, "player__")) if words else rows
