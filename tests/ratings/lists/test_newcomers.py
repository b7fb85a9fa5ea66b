"""Newcomers at the side of the front page: whoever is on probation and played last, found in the latest games, or among
everybody where they are not there."""

from datetime import timedelta

import pytest

from clubrating.site.demo.services.scale import seed_scale
from ratings.lists.selectors import lists as selectors
from ratings.lists.selectors.lists import newcomers
from ratings.models import PlayerRating, RatingList
from tests import factory

pytestmark = pytest.mark.django_db


def by_plain_reading(rating_list: RatingList) -> list[tuple[object, int]]:
    rows = PlayerRating.objects.filter(rating_list=rating_list, player__active=True).select_related("player")
    new = [row for row in rows if row.games < rating_list.provisional_games or row.reentry]
    played = [(row.last_played, row.games) for row in new if row.last_played]
    return sorted(played, key=lambda row: (row[0], row[1]), reverse=True)[:5]


@pytest.fixture(scope="module")
def scale(world: None) -> int:
    """The list of a club of eighty."""
    seed_scale(80, 600, today=factory.today())
    return RatingList.objects.get().pk


@pytest.mark.extended
@pytest.mark.parametrize("looked_at", [10, 50, 5000])
def test_they_are_those_who_played_last_or_all_where_they_stayed_away(
    monkeypatch: pytest.MonkeyPatch, scale: int, looked_at: int
) -> None:
    monkeypatch.setattr(selectors, "LATEST_GAMES", looked_at)
    rating_list = RatingList.objects.get(pk=scale)
    assert [(row.last_played, row.games) for row in newcomers(rating_list)] == by_plain_reading(rating_list)
    PlayerRating.objects.filter(last_played__gt=factory.today() - timedelta(days=900)).update(games=99)
    found = newcomers(rating_list)
    assert [(row.last_played, row.games) for row in found] == by_plain_reading(rating_list)
    assert found
