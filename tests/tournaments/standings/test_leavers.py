"""Who leaves a round robin: before half of his games nothing counts, from half on everything does."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.crosstables import contest_with, value
from tournaments.pairing.round_robin import RoundRobin
from tournaments.standings.crosstable import (
    ALL,
    FIDE,
    Bye,
    Crosstable,
    Meeting,
    OwnGames,
    annulled,
    build_crosstable,
    matrix,
    own_games,
)
from tournaments.standings.points import Result, point_system
from tournaments.standings.rank import rank
from tournaments.standings.tiebreaks import tiebreak

CLASSIC = point_system("classic")
TIEBREAKS = [tiebreak("SB"), tiebreak("WIN")]


def round_robin(players: int) -> list[Meeting]:
    """All meetings; the lower number always wins."""
    return [
        Meeting(number, board.white, board.black, Result.WHITE_WINS if board.white < board.black else Result.BLACK_WINS)
        for number, boards in enumerate(RoundRobin().schedule(players, {}), start=1)
        for board in boards
        if board.black is not None
    ]


def left_after(meetings: list[Meeting], player: int, games: int) -> list[Meeting]:
    """The player's games after his first so many are open."""
    own = sorted((one for one in meetings if player in (one.white, one.black)), key=lambda one: one.round)
    return [replace(one, result=Result.OPEN) if one in own[games:] else one for one in meetings]


def table_without(player: int, meetings: list[Meeting], players: int) -> Crosstable:
    return build_crosstable(range(1, players + 1), meetings, [], CLASSIC, annulled={player})


# --- half of one's own games ----------------------------------------------------------------------------------
def test_exactly_half_of_ones_own_games_counts() -> None:
    cases = {(0, 7): False, (3, 7): False, (4, 7): True, (3, 6): True, (2, 6): False}
    assert {case: not annulled({5: OwnGames(*case)}, FIDE) for case in cases} == cases
    assert annulled({5: OwnGames(1, 7), 6: OwnGames(5, 7)}, FIDE) == {5}, "each is judged by his own"
    assert annulled({5: OwnGames(0, 7)}, ALL) == frozenset(), "a club may let everything count"
    with pytest.raises(ValueError, match="no rule “ours”"):
        annulled({}, "ours")


def test_forfeits_of_his_leaving_do_not_complete_his_games() -> None:
    meetings = [
        Meeting(1, 1, 2, Result.DRAW),
        Meeting(2, 3, 1, Result.WHITE_FORFEITS),  # number 3 did not come: completed for 1
        Meeting(3, 1, 4, Result.WHITE_FORFEITS),
        Meeting(4, 5, 1, Result.BOTH_FORFEIT),
        Meeting(5, 1, 6, Result.OPEN),
        Meeting(6, 7, 1, Result.ADJOURNED),
        Meeting(1, 3, 4, Result.WHITE_WINS),
    ]
    assert own_games(1, meetings) == OwnGames(2, 6)
    assert [own_games(player, meetings) for player in (3, 4)] == [OwnGames(1, 2), OwnGames(2, 2)]
    assert own_games(8, meetings) == OwnGames(0, 0)
    assert own_games(1, [Meeting(1, 1, 2, Result.NO_POINTS)]) == OwnGames(1, 1), "a penalised game was played"


# --- the table ------------------------------------------------------------------------------------------------
def test_his_games_are_shown_and_bring_nobody_anything() -> None:
    meetings = left_after(round_robin(6), 6, 2)
    table = table_without(6, meetings, 6)
    assert [table[player].points for player in range(1, 7)] == [8, 6, 4, 2, 0, 0]
    assert table[6].cells == ()
    assert sum(cell.decided for cell in table[6].annulled) == 2
    assert all(cell.opponent == 6 and not cell.counts for player in range(1, 6) for cell in table[player].annulled)
    byes = build_crosstable([1, 2], [], [Bye(1, 1, 1), Bye(1, 2, 1)], CLASSIC, annulled={1})
    assert (byes[1].points, byes[2].points) == (0, 1), "his bye brings nothing either"
    table = table_without(4, left_after(round_robin(4), 4, 1), 4)
    square = matrix(table, [1, 2, 3, 4])
    shown = [cell for row in square for games in row if games for cell in games]
    assert sum(not cell.counts for cell in shown) == 2, "one game, seen from both sides"
    assert sum(cell.counts for cell in shown) == 6


def test_a_leaver_stands_last_even_among_those_without_points() -> None:
    meetings = left_after(round_robin(6), 1, 2)
    standings = rank(contest_with(table_without(1, meetings, 6)), TIEBREAKS)
    assert [row.player for row in standings] == [2, 3, 4, 5, 6, 1]
    assert (standings[-1].place, standings[-1].counts, standings[-1].points) == (6, False, 0)
    assert (standings[-2].place, standings[-2].counts, standings[-2].points) == (5, True, 0)
    two = rank(contest_with(build_crosstable(range(1, 5), round_robin(4), [], CLASSIC, annulled={1, 3})), TIEBREAKS)
    assert [(row.player, row.place) for row in two] == [(2, 1), (4, 2), (1, 3), (3, 3)], "two share the last places"


@given(players=st.integers(3, 12), data=st.data())
def test_without_the_leaver_standings_are_those_of_a_field_he_never_was_in(players: int, data: st.DataObject) -> None:
    leaver = data.draw(st.integers(1, players))
    results = data.draw(st.lists(st.sampled_from(list(Result)), min_size=players * players, max_size=players * players))
    meetings = [replace(one, result=result) for one, result in zip(round_robin(players), results, strict=False)]
    others = [player for player in range(1, players + 1) if player != leaver]
    never = build_crosstable(others, [m for m in meetings if leaver not in (m.white, m.black)], [], CLASSIC)
    table = table_without(leaver, meetings, players)
    for player in others:
        assert table[player].points == never[player].points
        assert table[player].cells == never[player].cells
    assert rank(contest_with(table), TIEBREAKS)[:-1] == rank(contest_with(never), TIEBREAKS)


def test_without_leavers_the_table_is_what_it_was() -> None:
    meetings = round_robin(5)
    table = build_crosstable(range(1, 6), meetings, [], CLASSIC)
    assert table == build_crosstable(range(1, 6), meetings, [], CLASSIC, annulled=frozenset())
    assert all(line.counts and not line.annulled for line in table.values())
    assert value(contest_with(table), "SB", 1) == 3 + 2 + 1
