"""Half-points dealt out, two a game, nobody above his room: against trying every way."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.forecast.races import races
from tournaments.forecast.clinching import Race, most_dealt


def by_trying(race: Race, room: dict[int, int]) -> int:
    """The most that fits: half-points beyond the room of either are not dealt."""
    best = 0
    for halves in product((0, 1, 2), repeat=len(race.games)):
        taken = dict.fromkeys(race.points, 0)
        for (one, other), mine in zip(race.games, halves, strict=True):
            taken[one] += mine
            taken[other] += 2 - mine
        best = max(best, sum(min(points, room.get(player, 0)) for player, points in taken.items()))
    return best


@given(race=races(), data=st.data())
def test_as_much_is_dealt_as_trying_every_way_finds(race: Race, data: st.DataObject) -> None:
    room = {player: data.draw(st.integers(0, 6)) for player in race.points}
    assert most_dealt(race.games, room) == by_trying(race, room)


def test_half_points_move_along_a_chain_to_make_room() -> None:
    # The first game fills 1; the second has only 1, so the first must move over to 2.
    assert most_dealt([(1, 2), (1, 3)], {1: 2, 2: 2}) == 4
    assert most_dealt([(1, 2), (2, 3), (3, 4), (1, 5)], {1: 2, 2: 2, 3: 2, 4: 2}) == 8
    assert most_dealt([(1, 2)], {}) == 0
    assert most_dealt([(1, 2)], {1: 1}) == 1
    assert most_dealt([], {1: 5}) == 0
