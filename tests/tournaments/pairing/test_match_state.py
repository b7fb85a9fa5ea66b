"""How a match stands by its games: decided early, gone on with after a draw, armageddon, and too many games."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.pairing import PairingError, matches
from tournaments.pairing.matches import ARMAGEDDON, CLASSICAL, EXTRA_CHOICES, RAPID, MatchGame, MatchState, match_state
from tournaments.standings.points import Result

UP, DRAW, DOWN = "1", "=", "0"  # as the line above sees it
WORLD_CUP = "rapid2 rapid2 blitz2 blitz1"


def played(marks: str, *, best_of: int = 1, extra: str = "") -> list[MatchGame]:
    """Games made one after the other as the match asks for them, with those results for the line above. A dot leaves
    the game open."""
    games: list[MatchGame] = []
    for mark in marks:
        coming = match_state(games, best_of=best_of, extra=extra).to_come[0]
        games.append(MatchGame(coming.number, coming.phase, coming.upper_is_white, _code(mark, coming.upper_is_white)))
    return games


def _code(mark: str, upper_is_white: bool) -> Result:
    if mark == ".":
        return Result.OPEN
    wins, loses = Result.WHITE_WINS, Result.BLACK_WINS
    if not upper_is_white:
        wins, loses = loses, wins
    return {UP: wins, DRAW: Result.DRAW, DOWN: loses, "+": Result.BLACK_FORFEITS, "x": Result.BOTH_FORFEIT}[mark]


def state(marks: str, *, best_of: int = 1, extra: str = "") -> MatchState:
    return match_state(played(marks, best_of=best_of, extra=extra), best_of=best_of, extra=extra)


def test_the_better_score_wins_as_soon_as_it_cannot_be_caught() -> None:
    for marks, best_of, winner, score in (
        (UP, 1, 1, (2, 0)), (DOWN, 1, 2, (0, 2)), ("+", 1, 1, (2, 0)), ("x", 1, 0, (0, 0)),
        ("1=", 2, 1, (3, 1)), ("10", 2, 0, (2, 2)), ("11", 3, 1, (4, 0)), ("1=", 3, 0, (3, 1)),
        ("1=0", 3, 0, (3, 3)), ("===1", 4, 1, (5, 3)), ("11=", 4, 1, (5, 1)),
    ):  # fmt: skip
        now = state(marks, best_of=best_of)
        assert (now.winner, (now.upper, now.lower)) == (winner, score), (marks, best_of)
    assert state("x").to_come == ()


def test_a_match_not_begun_waits_for_its_first_game_and_an_open_or_adjourned_one_keeps_it_open() -> None:
    assert state("").to_come == (MatchGame(1, CLASSICAL, True),)
    assert match_state([], best_of=2, upper_starts=False).to_come == (MatchGame(1, CLASSICAL, False),)
    assert state(".").to_come == ()
    adjourned = match_state([MatchGame(1, CLASSICAL, True, Result.ADJOURNED)], best_of=2)
    assert (adjourned.to_come, adjourned.winner) == ((), 0)


def test_colours_alternate_and_a_block_of_two_is_played_out_unless_it_is_decided() -> None:
    games = played("===========", best_of=2, extra=WORLD_CUP)
    assert [game.upper_is_white for game in games] == [True, False] * 5 + [True]
    assert [game.number for game in games] == list(range(1, 12))
    assert [game.phase for game in games] == [CLASSICAL] * 2 + [RAPID] * 4 + [matches.BLITZ] * 5
    assert state("==1", best_of=2, extra=WORLD_CUP).winner == 0, "the other may still draw level"
    assert state("==1=", best_of=2, extra=WORLD_CUP).by == RAPID
    assert state("=" * 9 + "1", best_of=2, extra=WORLD_CUP).winner == 1, "the last block goes on: one game decides"
    assert state("==10", best_of=2, extra=WORLD_CUP).to_come[0].phase == RAPID


def test_a_draw_in_armageddon_sends_black_on_and_leaves_the_score_even() -> None:
    now = state("==", best_of=1, extra="armageddon1")
    assert (now.by, now.upper, now.lower) == (ARMAGEDDON, 2, 2)
    assert now.winner == 1, "the line above had Black in the second game"
    assert state("===", best_of=2, extra="armageddon1").winner == 2, "here it had White"
    assert [state(marks, extra="armageddon1").winner for marks in ("=1", "=0")] == [1, 2], "a win is a win"


def test_without_a_plan_the_arbiter_makes_the_extra_games_and_some_may_be_too_many() -> None:
    even = played("=")
    assert match_state(even, best_of=1).to_come == ()
    rapid = [MatchGame(2, RAPID, False, Result.BLACK_WINS), MatchGame(3, RAPID, True)]
    assert match_state([*even, *rapid], best_of=1).winner == 0, "the second game of the run is still to come"
    assert match_state([*even, rapid[0]], best_of=1).winner == 1
    games = [MatchGame(number, CLASSICAL, number % 2 == 1, _code(UP, number % 2 == 1)) for number in (1, 2, 3)]
    assert match_state(games, best_of=3).surplus == {3}
    assert match_state([*games, MatchGame(4, RAPID, False)], best_of=3).surplus == {3, 4}


def test_every_plan_offered_can_be_read_and_others_are_refused() -> None:
    for extra, _words in EXTRA_CHOICES:
        assert all(games >= 1 for _phase, games in matches.blocks_of(extra))
    for extra in ("rapid", "chess2", "rapid0", "2rapid"):
        with pytest.raises(PairingError, match="no block"):
            matches.blocks_of(extra)


@given(
    best_of=st.integers(1, 9),
    extra=st.sampled_from([value for value, _words in EXTRA_CHOICES]),
    marks=st.text(alphabet="1=0", max_size=30),
)
def test_a_match_goes_on_until_it_is_decided_and_never_after(best_of: int, extra: str, marks: str) -> None:
    games: list[MatchGame] = []
    for mark in marks:
        now = match_state(games, best_of=best_of, extra=extra)
        assert bool(now.to_come) == (not now.winner and not (not extra and len(games) >= best_of))
        if not now.to_come:
            break
        coming = now.to_come[0]
        games.append(MatchGame(coming.number, coming.phase, coming.upper_is_white, _code(mark, coming.upper_is_white)))
    now = match_state(games, best_of=best_of, extra=extra)
    assert now.upper + now.lower == 2 * len(games)
    assert not now.surplus
    if now.winner and now.by != ARMAGEDDON:
        assert (now.upper > now.lower) == (now.winner == 1)
