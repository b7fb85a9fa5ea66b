"""Form, average opponent, strengths and rivals: worked by hand, and a second way."""

from dataclasses import replace
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubrating.ground.figures import round_half_away
from clubrating.site.player_pages.records import Form, average_of, favourite, record_of, strengths_of, toughest
from players.models import Player
from ratings.lists.selectors.history import CareerRow
from ratings.systems.base import Tally
from tests.clubrating.site.player_pages.test_careers import row
from tournaments.meetings.selectors import Met

ratings = st.one_of(st.none(), st.integers(1000, 2500).map(float))
games = st.builds(
    lambda score, own, other: row(score, other, before=own), st.sampled_from([0.0, 0.5, 1.0]), ratings, ratings
)


@pytest.mark.parametrize(
    ("own", "other", "side"),
    [
        (1500, 1551, "stronger"), (1500, 1550, "equal"), (1500, 1450, "equal"), (1500, 1449, "weaker"),
        # As shown: 1500 against 1551, though they are less than 51 apart.
        (1500.4, 1550.6, "stronger"),
    ],
)  # fmt: skip
def test_opponents_are_equal_up_to_fifty_points_either_way(own: float, other: float, side: str) -> None:
    found = strengths_of([row(1.0, other, before=own)])
    assert {name: getattr(found, name).games for name in ("stronger", "equal", "weaker")} == {
        "stronger": 0, "equal": 0, "weaker": 0, side: 1,
    }  # fmt: skip


def test_games_without_a_rating_on_either_side_are_of_no_strength() -> None:
    found = strengths_of([row(1.0, None), row(1.0, 1500.0, before=None)])
    assert found.stronger.games + found.equal.games + found.weaker.games == 0


@given(st.lists(games, max_size=30))
def test_strengths_share_out_the_games_and_the_average_is_the_mean(rows: list[CareerRow]) -> None:
    found = strengths_of(rows)
    parts = (found.stronger, found.equal, found.weaker)
    rated = [each for each in rows if each.before is not None and each.opponent is not None]
    assert sum(part.half_points for part in parts) == sum(round(2 * each.score) for each in rated)
    assert found.stronger.games == sum((each.opponent or 0) - (each.before or 0) > 50 for each in rated)
    opponents = [each.opponent for each in rows if each.opponent is not None]
    assert average_of(rows) == (round_half_away(fmean(opponents)) if opponents else None)


def test_form_is_that_of_the_last_ten_games() -> None:
    rows = [row(0.0, 2400.0, game=1), row(0.0, 2400.0, game=2)]
    rows += [row(1.0 if at % 2 else 0.5, 1500.0 + at, game=3 + at, change=2.5) for at in range(10)]
    # 5 wins, 5 draws; 1500 … 1509: 1504.5, halves up; ten times 2.5.
    assert record_of(rows).form == Form(tuple(rows[2:]), Tally(5, 5, 0), 25.0, 1505)
    assert record_of(rows).average == round_half_away((2 * 2400 + 15045) / 12)
    none = record_of([replace(rows[0], change=None, opponent=None)]).form
    assert (none.change, none.average) == (None, None)


@pytest.mark.parametrize(
    ("tallies", "best", "worst"),
    [
        ([], None, None),
        ([(1, 1, 0), (0, 0, 2)], None, None),  # met less than three times
        ([(2, 1, 2)], None, None),  # level
        ([(2, 1, 0), (0, 2, 1)], 0, 1),  # met three times
        ([(3, 0, 1), (6, 5, 4), (1, 3, 2), (0, 2, 3)], 0, 3),  # two more wins, as the next one: who is first
    ],
)
def test_rivals_are_whom_the_margin_is_widest_with(
    tallies: list[tuple[int, int, int]], best: int | None, worst: int | None
) -> None:
    met = [Met(Player(number=at), Tally(*each)) for at, each in enumerate(tallies)]
    assert favourite(met) is (None if best is None else met[best])
    assert toughest(met) is (None if worst is None else met[worst])
