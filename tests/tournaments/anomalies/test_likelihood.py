"""What a result is worth beside others: by hand on the logistic curve of 400 points, and as properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.elo import expected_score
from tournaments.anomalies import likelihood
from tournaments.anomalies.likelihood import Entered, exchanges, expected_of_winner, times_exchanged, times_mirrored

SCORES = st.sampled_from([0.0, 0.5, 1.0])
EXPECTED = st.floats(0.0, 1.0)


def board(gap: float, score: float, game: int = 1) -> Entered:
    """A game of two with so many points between White and Black."""
    return Entered(game, expected_score(gap, 0.0), score)


def test_by_hand_four_hundred_points_are_ten_to_one_also_exchanged() -> None:
    """Whoever is behind by them wins one game in eleven; eight hundred points are a hundred to one."""
    assert board(400, 1.0).odds == pytest.approx(10)
    assert board(-400, 1.0).odds == pytest.approx(1 / 10)
    assert expected_of_winner(board(400, 0.0)) == pytest.approx(1 / 11)
    assert expected_of_winner(board(-400, 1.0)) == pytest.approx(1 / 11)
    assert expected_of_winner(board(400, 1.0)) == pytest.approx(10 / 11)
    assert times_mirrored(board(800, 0.0)) == pytest.approx(100)
    assert times_mirrored(board(-800, 1.0)) == pytest.approx(100)
    assert times_mirrored(board(800, 1.0)) == pytest.approx(1 / 100)
    # 400 points each way: ten times on the one board, ten times on the other.
    one, other = board(400, 0.0), board(-400, 1.0, 2)
    assert times_exchanged(one, other) == pytest.approx(100)
    # White, 400 ahead, lost; on the other board equals drew: exchanged the draw is √10 times as likely.
    assert times_exchanged(board(400, 0.0), board(0, 0.5, 2)) == pytest.approx(10**0.5)


def test_only_pairs_twenty_times_as_likely_are_named_once_with_the_likeliest_other() -> None:
    """256 points are odds of 4.37: exchanged 19.06 times; 264 points are 4.57: 20.9 times."""
    assert exchanges([board(256, 0.0), board(-256, 1.0, 2)]) == []
    (pair,) = exchanges([board(264, 0.0), board(-264, 1.0, 2)])
    assert (pair.first, pair.second) == (1, 2)
    assert pair.times == pytest.approx(20.9, abs=0.05)
    boards = [board(300, 0.0, 1), board(-300, 1.0, 2), board(-600, 1.0, 3), board(300, 1.0, 4)]
    assert [(pair.first, pair.second) for pair in exchanges(boards)] == [(1, 3)]
    # The favourite by 700 lost, and a favourite by 100 won: the second result would not be likelier elsewhere.
    surprise, plain = board(700, 0.0), board(100, 1.0, 2)
    assert times_exchanged(surprise, plain) > likelihood.MUCH_LIKELIER
    assert exchanges([surprise, plain]) == []


# --- properties ------------------------------------------------------------------------------------------------------
@given(EXPECTED, SCORES)
def test_a_mirror_of_a_mirror_changes_nothing_and_both_colours_tell_the_same(expected: float, score: float) -> None:
    """Seen from Black it is the same game. And nobody is ever quite sure: a table's 1.00 makes no odds without end."""
    white, back = Entered(1, expected, score), Entered(1, expected, 1.0 - score)
    assert times_mirrored(white) * times_mirrored(back) == pytest.approx(1)
    black = Entered(1, 1.0 - expected, 1.0 - score)
    assert times_mirrored(white) == pytest.approx(times_mirrored(black))
    assert expected_of_winner(white) == pytest.approx(expected_of_winner(black))
    chance = expected_of_winner(white)
    assert chance is None or 1.0 - likelihood.SUREST - 1e-9 <= chance <= likelihood.SUREST + 1e-9


@given(EXPECTED, SCORES, EXPECTED, SCORES)
def test_an_exchange_is_the_same_from_both_boards(one: float, score: float, other: float, other_score: float) -> None:
    first, second = Entered(1, one, score), Entered(2, other, other_score)
    assert times_exchanged(first, second) == pytest.approx(times_exchanged(second, first))


@given(st.lists(st.tuples(EXPECTED, SCORES), max_size=12))
def test_named_pairs_are_disjoint_and_much_likelier(games: list[tuple[float, float]]) -> None:
    entered = [Entered(key, *game) for key, game in enumerate(games)]
    found = exchanges(entered)
    named = [key for pair in found for key in (pair.first, pair.second)]
    assert len(named) == len(set(named))
    for pair in found:
        one, other = entered[pair.first], entered[pair.second]
        assert times_exchanged(one, other) >= likelihood.MUCH_LIKELIER
        assert one.score != other.score


@given(st.lists(SCORES, max_size=12))
def test_equals_are_never_asked_about(scores: list[float]) -> None:
    entered = [Entered(key, 0.5, score) for key, score in enumerate(scores)]
    assert exchanges(entered) == []
    assert all(times_mirrored(each) == 1.0 for each in entered)
    assert all(expected_of_winner(each) in (None, 0.5) for each in entered)
