"""The ratings that grades of go are read from."""

from collections.abc import Iterable

from django.utils import timezone

from ratings.lists.selectors.lists import live_ratings, main_of
from ratings.lists.services import rules_of
from ratings.models import RatingList


def has_grades(rating_list: RatingList) -> bool:
    """Whether a rating of that list means a grade of go."""
    rule = rules_of(rating_list).on(timezone.localdate())
    return rule.system.listing(rule.settings).grades


def ratings_on_go_scale(pool: str, players: Iterable[int]) -> dict[int, float]:
    """The ratings of those players (by key) in the pool's list with grades; empty where it has none."""
    found = main_of(each for each in RatingList.objects.filter(pool=pool) if has_grades(each))
    rows = live_ratings().filter(rating_list=found, player__in=list(players))
    return dict(rows.values_list("player", "rating")) if found else {}


def lists_without_stones(pool: str) -> list[RatingList]:
    """The pool's public lists that rate a game with handicap stones as an even one."""
    lists = RatingList.objects.filter(pool=pool, public=True).prefetch_related("rules")
    today = timezone.localdate()
    return [each for each in lists if not rules_of(each).on(today).system.reads_handicap]
