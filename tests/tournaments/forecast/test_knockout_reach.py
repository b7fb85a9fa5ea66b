"""Who can still reach what in a knockout: as playing out every bracket finds."""

from collections.abc import Iterator, Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.forecast.knockout_playouts import Key, Reach, knockout_reach
from tournaments.pairing.base import Bracket, Match, Source
from tournaments.pairing.knockout import Knockout
from tournaments.standings.formats import BracketMatch, bracket_places

EIGHT = Knockout().bracket(8, {}, Random(0))  # 1–8 4–5 2–7 3–6
WITH_THIRD = Knockout().bracket(8, {"third_place": True}, Random(0))
Played = dict[Key, tuple[int | None, int | None, int | None]]  # upper, lower, winner


def reach_of(player: int, bracket: Bracket, winners: Mapping[Key, int]) -> Reach:
    return next(one for one in knockout_reach(bracket, winners) if one.player == player)


def played_out(bracket: Bracket, winners: Mapping[Key, int], played: Played | None = None) -> Iterator[Played]:
    """Every way in which the bracket may still go."""
    played = played or {}
    if len(played) == len(bracket):
        yield dict(played)
        return
    match = bracket[len(played)]
    key = (match.round, match.board)
    upper, lower = (who(source, played) for source in (match.upper, match.lower))
    may_win = [one for one in (upper, lower) if one is not None and winners.get(key, one) == one]
    for winner in may_win:
        yield from played_out(bracket, winners, played | {key: (upper, lower, winner)})


def who(source: Source, played: Played) -> int | None:
    if source.match is None:
        return source.seed
    upper, lower, winner = played[source.match]
    return (lower if winner == upper else upper) if source.loser else winner


def places(bracket: Bracket, played: Played) -> dict[int, tuple[int, int]]:
    def as_played(match: Match) -> BracketMatch:
        return BracketMatch(match.round, *played[match.round, match.board], third_place=match.third_place)

    return {one.player: (one.first, one.last) for one in bracket_places(map(as_played, bracket))}


@given(players=st.integers(2, 8), third=st.booleans(), pairs=st.sampled_from(["neighbours", "crossed"]), data=st.data())
def test_reach_is_what_every_way_to_go_on_finds(players: int, third: bool, pairs: str, data: st.DataObject) -> None:
    bracket = Knockout().bracket(players, {"third_place": third, "pairs": pairs}, Random(0))
    truth = data.draw(st.sampled_from(list(played_out(bracket, {}))[:256]))
    known = data.draw(st.integers(0, len(bracket)))
    winners = {
        key: winner for key, (upper, lower, winner) in list(truth.items())[:known] if None not in (upper, lower, winner)
    }
    ends: dict[int, set[tuple[int, int]]] = {}
    meets: dict[int, dict[Key, set[int]]] = {}
    for played in played_out(bracket, winners):
        for player, place in places(bracket, played).items():
            ends.setdefault(player, set()).add(place)
        for key, (upper, lower, _winner) in played.items():
            if key not in winners and upper is not None and lower is not None:
                meets.setdefault(upper, {}).setdefault(key, set()).add(lower)
                meets.setdefault(lower, {}).setdefault(key, set()).add(upper)
    for one in knockout_reach(bracket, winners):
        assert set(one.places) == ends[one.player]
        assert dict(one.opponents) == meets.get(one.player, {})
        for top in range(1, players + 1):
            assert one.has_clinched(top) == all(last <= top for _first, last in ends[one.player])
            assert one.can_reach(top) == any(last <= top for _first, last in ends[one.player])


@given(players=st.integers(2, 8), third=st.booleans(), top=st.integers(1, 8), data=st.data())
def test_so_many_wins_are_enough_and_one_fewer_is_not(players: int, third: bool, top: int, data: st.DataObject) -> None:
    bracket = Knockout().bracket(players, {"third_place": third}, Random(0))
    player = data.draw(st.integers(1, players))
    wins = reach_of(player, bracket, {}).wins_for(top)
    assert wins is not None
    for played in played_out(bracket, {}):
        won = 0
        for upper, lower, winner in played.values():
            if player in (upper, lower) and None not in (upper, lower):
                if winner != player:
                    break
                won += 1
        if won >= wins:
            assert places(bracket, played)[player][1] <= top
        elif won == wins - 1 and not third:
            assert places(bracket, played)[player][1] > top


def test_everybody_can_win_at_first_a_finalist_has_second_place_and_who_lost_his() -> None:
    one = reach_of(1, EIGHT, {})
    assert one.places == ((1, 1), (2, 2), (3, 4), (5, 8))
    assert [one.wins_for(top) for top in (1, 2, 4, 8)] == [3, 2, 1, 0]
    assert one.opponents == {(1, 1): {8}, (2, 1): {4, 5}, (3, 1): {2, 3, 6, 7}}
    finalist = reach_of(2, EIGHT, {(1, 3): 2, (1, 4): 3, (2, 2): 2})
    assert finalist.places == ((1, 1), (2, 2))
    assert (finalist.has_clinched(2), finalist.has_clinched(1), finalist.wins_for(1)) == (True, False, 1)
    assert finalist.opponents == {(3, 1): {1, 4, 5, 8}}
    beaten = reach_of(8, EIGHT, {(1, 1): 1})
    assert (beaten.places, beaten.opponents, beaten.wins_for(4)) == (((5, 8),), {}, None)


def test_the_match_for_third_place_is_still_to_be_played() -> None:
    winners = {(1, 1): 1, (1, 2): 4, (1, 3): 2, (1, 4): 3, (2, 1): 1}
    assert reach_of(4, WITH_THIRD, winners).places == ((3, 3), (4, 4))
    assert reach_of(4, WITH_THIRD, winners).wins_for(3) == 1
    assert reach_of(4, WITH_THIRD, winners).opponents == {(3, 2): {2, 3}}
    semifinalist = reach_of(2, WITH_THIRD, winners)
    assert semifinalist.places == ((1, 1), (2, 2), (3, 3), (4, 4))
    assert [semifinalist.wins_for(top) for top in (1, 2, 3, 4)] == [2, 1, 1, 0]


def test_nobody_wins_a_match_he_is_not_in() -> None:
    with pytest.raises(ValueError, match="3 cannot have won match 1 of round 1"):
        knockout_reach(EIGHT, {(1, 1): 3})
