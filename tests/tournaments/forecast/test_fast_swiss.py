"""The fast Swiss: what it keeps of the rules holds in every round of every event."""

from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tournaments.forecast.swiss_rounds import History, Way, pair_fast
from tournaments.pairing.base import CLASSIC, SWISS_EDITIONS, Field
from tournaments.pairing.dutch.system import Dutch
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import Result


def new_event(players: int) -> tuple[list[int], list[set[int]], list[bool]]:
    return [0] * players, [set() for _player in range(players)], [False] * players


@given(players=st.integers(2, 17), data=st.data())
def test_everybody_plays_nobody_meets_twice_and_byes_go_round(players: int, data: st.DataObject) -> None:
    points, met, had_bye = new_event(players)
    for _round in range(players // 2):
        pairs, bye = pair_fast(points, met, had_bye)
        seated = [player for pair in pairs for player in pair] + ([] if bye is None else [bye])
        assert sorted(seated) == list(range(players))
        assert (bye is not None) == (players % 2 == 1)
        if bye is not None:
            assert not had_bye[bye]
            had_bye[bye] = True
            points[bye] += 2
        for one, other in pairs:
            assert other not in met[one]
            met[one].add(other)
            met[other].add(one)
            halves = data.draw(st.integers(0, 2))
            points[one] += halves
            points[other] += 2 - halves


@given(players=st.integers(2, 30))
@examples(15)
def test_the_first_round_is_that_of_the_dutch_system(players: int) -> None:
    pairs, bye = pair_fast(*new_event(players))
    everybody = tuple(range(1, players + 1))
    first = Field(everybody, frozenset(everybody), (), (), frozenset(), 1, CLASSIC, SWISS_EDITIONS[-1])
    boards = Dutch().pair_round(first, {"rounds": 1})
    assert {frozenset((one + 1, other + 1)) for one, other in pairs} == {
        frozenset((board.white, board.black)) for board in boards if board.black is not None
    }
    assert [bye + 1 if bye is not None else None] == ([board.white for board in boards if board.is_bye] or [None])


def test_winners_meet_winners_or_the_next_and_wishes_give_way() -> None:
    # Eight players after a first round without surprises: 0–4 1–5 2–6 3–7.
    met = [{4}, {5}, {6}, {7}, {0}, {1}, {2}, {3}]
    assert pair_fast([2, 2, 2, 2, 0, 0, 0, 0], met, [False] * 8) == ([(0, 2), (1, 3), (4, 6), (5, 7)], None)
    assert pair_fast([0, 0, 0, 0], [{2}, set(), {0}, set()], [False] * 4) == ([(0, 3), (1, 2)], None)
    assert pair_fast([2, 0], [{1}, {0}], [False, False]) == ([(0, 1)], None)
    pairs, _bye = pair_fast([0, 0, 0, 0], [set(), {3}, set(), {1}], [False] * 4)
    assert sorted(map(sorted, pairs)) in ([[0, 1], [2, 3]], [[0, 3], [1, 2]])


def test_the_last_without_a_bye_has_it() -> None:
    assert pair_fast([2, 1, 0], [set(), set(), set()], [False, False, True])[1] == 1
    assert pair_fast([2, 1, 0], [set(), set(), set()], [True, True, True])[1] == 2


def test_a_full_point_without_playing_stands_for_a_bye() -> None:
    everybody = (1, 2, 3, 4, 5, 6, 7)
    games = (Meeting(1, 1, 2, Result.BOTH_FORFEIT), Meeting(1, 3, 4, Result.BLACK_FORFEITS))
    byes = (Bye(1, 5, 2, "full"), Bye(1, 6, 1, "half"), Bye(1, 7, 1, "pab"))
    field = Field(everybody, frozenset(everybody), games, byes, frozenset(), 2)
    assert History(field, Way(games, byes)).had_bye == {3, 5, 7}
