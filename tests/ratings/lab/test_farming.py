"""Farming and agreed results: sums by hand in systems whose points are easily added up, and who can be milked."""

from statistics import pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.lab.contenders import contender, contenders
from ratings.lab.engine import PLAIN
from ratings.lab.table import Table
from ratings.lab.trials import TRIAL, Gain, farm, pump, swap, weakest
from ratings.lab.world import stretches
from ratings.systems.elo import expected_score


def table(key: str, players: int = 4) -> Table:
    """A fresh table: everybody at the start."""
    return Table(contenders([key])[0], PLAIN, [10.0] * players)


def settled(key: str) -> Table:
    """The study's table after 5,000 games."""
    stretch = next(stretches(5000, 2, 0, PLAIN))
    found = Table(contenders([key])[0], PLAIN, [person.strength for person in stretch.joining])
    found.play(stretch.white, stretch.black, stretch.scores)
    return found


def test_the_weakest_come_first_and_trials_that_are_none_are_refused() -> None:
    assert weakest([40, 10, 20, 10, 5], 3) == (4, 1, 3)
    with pytest.raises(ValueError, match="farmer"):
        farm(table("elo"), 0, [0, 1])
    with pytest.raises(ValueError, match="farmer"):
        farm(table("elo"), 0, [])
    with pytest.raises(ValueError, match="farmer"):
        farm(table("elo"), 0, [1], games=0)
    with pytest.raises(ValueError, match="two"):
        pump(table("elo"), 1, 1)
    with pytest.raises(ValueError, match="two"):
        swap(table("elo"), 0, 1, games=0)


def test_one_game_farmed_is_one_game_won_and_the_league_pays_twenty_for_ever() -> None:
    """League: 40 for a win between equals, and the loser's 30 are not the farmer's affair."""
    found = farm(table("league"), 0, [1], games=1)
    assert (found.gain.points, found.gain.games, found.gain.per_hundred) == (40, 1, 4000)
    assert (found.above_before, found.above_after) == (0, 0)
    found = farm(settled("league"), 0, [1, 2], games=400)
    more = farm(settled("league"), 0, [1, 2], games=500)
    assert more.gain.points - found.gain.points == 100 * 20


def test_farming_elo_game_by_game_meets_victims_in_turn() -> None:
    """Second way: the same wins added up by hand, K 20, colours without weight."""
    found = farm(table("elo-k20"), 0, [1, 2], games=10)
    ratings = [1000.0, 1000.0, 1000.0]
    for game in range(10):
        victim = 1 + game % 2
        step = 20 * (1 - expected_score(ratings[0], ratings[victim], 400, 10))
        ratings[0], ratings[victim] = ratings[0] + step, ratings[victim] - step
    assert found.gain.points == pytest.approx(ratings[0] - 1000)
    played = table("elo", players=5)
    farm(played, 4, [0, 2, 3], games=7)
    assert played.games == [3, 0, 2, 2, 7]


def test_places_gained_are_those_passed_and_a_fresh_table_has_no_spread() -> None:
    played = settled("elo-k32")
    before, weak = played.ratings, weakest(played.strengths, 10)
    farmer = 140 // 2
    found = farm(played, farmer, weak, games=TRIAL)
    assert found.above_before == sum(rating > before[farmer] for rating in before)
    assert found.above_after < found.above_before
    assert found.gain.spread == pstdev(before)
    assert found.gain.spreads == found.gain.points / pstdev(before)
    assert pump(table("kd"), 0, 1).spreads is None
    assert Gain(50.0, 200, 100.0).per_hundred == 25.0
    assert Gain(50.0, 200, 100.0).spreads == 0.5


def test_two_who_swap_wins_get_nothing_out_of_one_k_but_something_out_of_two_and_the_league() -> None:
    assert swap(table("elo-k20"), 0, 1).points == pytest.approx(0, abs=1e-9)
    assert swap(table("league"), 0, 1, games=100).points == 100 * 10
    found = Table(contender("fide", "FIDE", "elo", {"preset": "club", "start": 1000}), PLAIN, [10.0] * 3)
    found.trace([0, 2] * 15, [2, 0] * 15, [1.0, 0.0] * 15)  # the first becomes established, at the third's cost
    gain = swap(found, 0, 1, games=2)
    assert gain.points != pytest.approx(0, abs=0.1)


@given(st.integers(1, 60))
def test_what_is_pumped_is_the_loser_s_loss_where_points_are_kept(games):
    played = table("elo-k20")
    gain = pump(played, 1, 3, games)
    assert gain.points > 0
    assert played.ratings[1] - 1000 == pytest.approx(1000 - played.ratings[3]) == pytest.approx(gain.points)
    assert played.ratings[0] == played.ratings[2] == 1000.0
