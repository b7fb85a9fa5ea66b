"""A table that is not finished: a game to come shares two half-points."""

import pytest
from hypothesis import given

from tests.tournaments.forecast.races import finished, races
from tournaments.forecast.clinching import Race

# Four players, two rounds played, in half-points; the last round is 1–2 and 3–4.
LAST_ROUND = Race({1: 4, 2: 3, 3: 1, 4: 0}, ((1, 2), (3, 4)))


def test_a_win_brings_two_half_points_a_draw_one_to_each_and_the_table_stays() -> None:
    after = LAST_ROUND.after(2, [2])
    assert after.points == {1: 4, 2: 5, 3: 1, 4: 0}
    assert after.games == ((3, 4),)
    assert LAST_ROUND.after(4, [1]).points == {1: 4, 2: 3, 3: 2, 4: 1}
    assert LAST_ROUND.points[1] == 4
    race = Race({1: 0, 2: 0, 3: 0}, ((1, 2), (2, 3), (2, 1)))
    assert race.opponents(1) == (2, 2)
    assert race.opponents(2) == (1, 3, 1)
    assert race.after(2, [2, 1, 0]).points == {1: 2, 2: 3, 3: 1}


def test_a_game_has_two_players_of_the_table_and_own_results_are_one_a_game() -> None:
    for games in (((1, 1),), ((1, 9),), ((9, 1),)):
        with pytest.raises(ValueError, match="no game between two players"):
            Race({1: 0, 2: 0}, games)
    for own in ([], [2, 2], [3], [-1]):
        with pytest.raises(ValueError, match="1 games to come"):
            LAST_ROUND.after(1, own)
    with pytest.raises(KeyError):
        LAST_ROUND.opponents(9)


@given(race=races())
def test_every_outcome_deals_out_two_half_points_a_game(race: Race) -> None:
    total = sum(race.points.values()) + 2 * len(race.games)
    assert all(sum(points.values()) == total for _halves, points in finished(race))
