"""Who can still come first, and who already has: exactly, and as trying every outcome finds."""

from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tests.tournaments.forecast.races import both_ties, finished, is_among, races
from tournaments.forecast import clinching as clinch
from tournaments.forecast.clinching import Race, Ties, TooManyWaysError, can_reach, has_clinched

SHARED, ALONE = Ties.SHARED, Ties.ALONE
# Half-points before the last round: 1 leads by one game over 2 and meets 3; 2 meets 4.
LEADER = Race({1: 8, 2: 6, 3: 5, 4: 1}, ((1, 3), (2, 4)))


def test_one_game_ahead_with_one_to_play_is_enough_where_sharing_is() -> None:
    assert has_clinched(LEADER, 1, ties=SHARED)
    assert not has_clinched(LEADER, 1, ties=ALONE), "2 may draw level"
    assert can_reach(LEADER, 2, ties=SHARED)
    assert not can_reach(LEADER, 2, ties=ALONE)
    assert not can_reach(LEADER, 3)
    assert can_reach(LEADER, 3, top=2)
    table = Race({1: 5, 2: 5, 3: 2}, ())
    assert [has_clinched(table, player) for player in (1, 2, 3)] == [True, True, False]
    assert not any(can_reach(table, player, ties=ALONE) for player in (1, 2, 3))


def test_what_the_others_take_from_each_other_decides() -> None:
    # 3 reaches 8 by winning; but 1 and 2 have 8 each and meet, so one of them gets past him.
    race = Race({1: 8, 2: 8, 3: 6, 4: 0}, ((1, 2), (3, 4)))
    assert not can_reach(race, 3)
    assert can_reach(race, 3, top=2), "the loser of their game stays on 8, and so does he"
    assert not can_reach(race, 3, top=2, ties=ALONE)
    race = Race({1: 3, 2: 3, 3: 3, 4: 4}, ((1, 2), (2, 3), (1, 3)))
    assert not can_reach(race, 4)
    assert can_reach(Race({1: 2, 2: 2, 3: 2, 4: 4}, race.games), 4), "6 + 6 = 3 × 4: all draws"
    race = Race({1: 4, 2: 3, 3: 3}, ((2, 3),))
    assert not has_clinched(race, 1)
    assert has_clinched(race, 1, top=2)


@given(race=races(), top=st.integers(1, 4), ties=both_ties, data=st.data())
@examples(300)
def test_both_answers_are_those_of_every_outcome(race: Race, top: int, ties: Ties, data: st.DataObject) -> None:
    player = data.draw(st.sampled_from(sorted(race.points)))
    outcomes = [is_among(points, player, top, ties) for _halves, points in finished(race)]
    assert can_reach(race, player, top, ties) == any(outcomes)
    assert has_clinched(race, player, top, ties) == all(outcomes)


@given(race=races(largest=8, games=20), top=st.integers(1, 4), data=st.data())
def test_level_not_being_enough_asks_for_more(race: Race, top: int, data: st.DataObject) -> None:
    player = data.draw(st.sampled_from(sorted(race.points)))
    assert has_clinched(race, player, top, SHARED) or not has_clinched(race, player, top, ALONE)
    assert can_reach(race, player, top, SHARED) or not can_reach(race, player, top, ALONE)
    assert can_reach(race, player, top) or not has_clinched(race, player, top)
    assert can_reach(race, player, top + 1) or not can_reach(race, player, top)


@given(race=races(largest=8, games=20))
def test_somebody_can_always_come_first(race: Race) -> None:
    assert any(can_reach(race, player) for player in race.points)


@pytest.mark.parametrize("ask", [can_reach, has_clinched])
def test_the_first_none_and_a_stranger_are_refused(ask: Callable[..., bool]) -> None:
    with pytest.raises(ValueError, match="nobody"):
        ask(LEADER, 1, top=0)
    with pytest.raises(KeyError):
        ask(LEADER, 9)


def test_too_many_sets_are_refused_rather_than_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    others = range(2, 9)
    race = Race({1: 3} | dict.fromkeys(others, 0), tuple(combinations(others, 2)))
    assert not has_clinched(race, 1, top=4)
    assert not can_reach(race, 1, top=2)
    monkeypatch.setattr(clinch, "MOST_SETS", 35)
    assert not has_clinched(race, 1, top=4)
    monkeypatch.setattr(clinch, "MOST_SETS", 34)
    for ask in (has_clinched, can_reach):
        with pytest.raises(TooManyWaysError, match="35 sets"):
            ask(race, 1, top=4)
