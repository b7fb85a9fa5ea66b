"""The ladder: who beats somebody above takes his place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.pairing import pairing_system
from tournaments.pairing.base import FreeSystem
from tournaments.standings.crosstable import Meeting
from tournaments.standings.formats import LadderOrder, ladder_order
from tournaments.standings.points import OUTCOMES, Result


def climb(*games: tuple[int, int, Result], players: int = 6, reach: int = 3) -> LadderOrder:
    """The ladder 1, 2, 3 … after games of White, Black and result."""
    meetings = [Meeting(number, *game) for number, game in enumerate(games, start=1)]
    return ladder_order(range(1, players + 1), meetings, reach)


def test_who_beats_somebody_above_takes_his_place_and_those_between_move_down() -> None:
    after = climb((4, 2, Result.WHITE_WINS))
    assert after.order == (1, 4, 2, 3, 5, 6)
    (step,) = after.steps
    assert (step.moved, step.climber, step.was, step.now) == (True, 4, 4, 2)
    assert climb((2, 4, Result.BLACK_WINS)).order == (1, 4, 2, 3, 5, 6), "Black climbs as well"
    assert climb((2, 3, Result.WHITE_FORFEITS)).order == (1, 3, 2, 4, 5, 6), "who does not come loses his place"


def test_nobody_moves_unless_the_one_below_wins() -> None:
    for result in (code for code in Result if OUTCOMES[code].white != "win"):
        after = climb((4, 2, result))
        assert after.order == (1, 2, 3, 4, 5, 6), result
        assert not after.steps[0].moved, result
        assert not after.steps[0].beyond_reach, result


def test_a_challenge_reaches_so_many_places_up() -> None:
    for reach, moves in ((2, False), (3, True), (50, True)):
        after = climb((5, 2, Result.WHITE_WINS), reach=reach)
        assert after.steps[0].moved == moves
        assert after.steps[0].beyond_reach == (not moves)
        assert after.order == ((1, 5, 2, 3, 4, 6) if moves else (1, 2, 3, 4, 5, 6))
    (step,) = climb((1, 6, Result.BLACK_WINS)).steps
    assert (step.climber, step.was, step.now, step.beyond_reach) == (6, 6, 6, True), "who would have climbed"
    assert not climb((1, 6, Result.WHITE_WINS)).steps[0].beyond_reach, "the one above may win from any distance"


def test_places_are_those_at_the_time_of_the_game_and_of_the_start_without_games() -> None:
    after = climb((6, 3, Result.WHITE_WINS), (6, 1, Result.WHITE_WINS), (1, 6, Result.WHITE_WINS))
    assert after.order == (1, 6, 2, 3, 4, 5)
    assert [(step.was, step.now) for step in after.steps] == [(6, 3), (3, 1), (2, 1)]
    assert climb().order == (1, 2, 3, 4, 5, 6)
    with pytest.raises(KeyError):
        climb((1, 9, Result.DRAW))
    systems = [pairing_system(key) for key in ("ladder", "free")]
    moves = [system.ladder for system in systems if isinstance(system, FreeSystem)]
    assert moves == [True, False], "only the ladder moves places"


PAIRS = st.tuples(st.integers(1, 8), st.integers(1, 8)).filter(lambda pair: pair[0] != pair[1])
GAMES = st.lists(st.tuples(PAIRS, st.sampled_from(list(Result))), max_size=30)


@given(games=GAMES, reach=st.integers(1, 8))
def test_nobody_gets_lost_and_only_winners_climb_as_far_as_they_may(
    games: list[tuple[tuple[int, int], Result]], reach: int
) -> None:
    order = list(range(1, 9))
    after = climb(*((*pair, result) for pair, result in games), players=8, reach=reach)
    assert sorted(after.order) == order
    for step, ((white, black), result) in zip(after.steps, games, strict=True):
        if step.moved:
            assert OUTCOMES[result].white == ("win" if step.climber == white else "loss")
            assert 1 <= step.was - step.now <= reach
            assert order[step.was - 1] == step.climber
            assert order[step.now - 1] in (white, black)
            order.insert(step.now - 1, order.pop(step.was - 1))
    assert tuple(order) == after.order
