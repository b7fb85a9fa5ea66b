"""The spread of a list's ratings, and who is ahead of how many."""

from bisect import bisect_right
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubrating.ground.figures import round_half_away
from ratings.lists.selectors.distribution import (
    MOST_CLASSES,
    Distribution,
    class_edges,
    distribution_of,
    percent_behind,
)
from ratings.models import RatingList
from tests.clubrating.site.lists.list_pages import found_list


@pytest.mark.parametrize(
    ("place", "ranked", "percent"), [(1, 1, None), (1, 2, 100), (2, 2, 0), (3, 21, 90), (2, 31, 96), (2, 1000, 99)]
)
def test_the_percentile_counts_the_others_and_is_rounded_down(place: int, ranked: int, percent: int | None) -> None:
    assert percent_behind(place, ranked) == percent


@given(st.integers(0, 3000), st.integers(0, 3000))
def test_classes_cover_the_list_in_round_steps(low: int, span: int) -> None:
    edges = class_edges(low, low + span)
    widths = {above - below for below, above in pairwise(edges)}
    assert edges[0] <= low
    assert low + span < edges[-1]
    assert len(widths) == 1
    assert len(edges) - 1 <= MOST_CLASSES
    assert edges[0] % widths.pop() == 0


@pytest.mark.parametrize(("rating", "number"), [(1399.4, 0), (1400, 0), (1499.4, 0), (1499.5, 1), (2000, 2)])
def test_a_rating_belongs_to_a_class_as_it_is_shown(rating: float, number: int) -> None:
    assert Distribution(1400, 100, (1, 1, 1)).class_of(rating) == number


@pytest.mark.django_db
def test_only_ranked_players_are_counted_each_once(django_assert_num_queries: pytest.FixtureRequest) -> None:
    found_list((1800, 40), (1749.5, 40), (1749.4, 40), (1500, 40), (2100, 3), players=5)
    rating_list = RatingList.objects.get(slug="standard")
    with django_assert_num_queries(3):  # type: ignore[operator]
        spread = distribution_of(rating_list)
    assert spread is not None
    ranked = [1800, 1749.5, 1749.4, 1500]
    assert spread.ranked == len(ranked), "not the one on probation"
    edges = [spread.low + spread.width * at for at in range(len(spread.counts) + 1)]
    second_way = [0] * len(spread.counts)
    for rating in ranked:
        second_way[bisect_right(edges, round_half_away(rating)) - 1] += 1
    assert list(spread.counts) == second_way
    rating_list.ratings.update(ranked=False)
    assert distribution_of(rating_list) is None
