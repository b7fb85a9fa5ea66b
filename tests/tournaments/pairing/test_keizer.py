"""Keizer: the list whose values follow from the list, and rounds of neighbours who have not met lately."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tournaments.pairing import PairingError, pairing_system
from tournaments.pairing.base import Board, Field, PairedRound, RoundSystem
from tournaments.pairing.keizer import Keizer
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.keizer import KeizerLine, KeizerRules, keizer_list
from tournaments.standings.points import Result

WHITE, DRAW, BLACK = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS
PLAYED = (WHITE, DRAW, BLACK)


def ranked(players: int, games: list[Meeting], byes: list[Bye] | None = None, **rules: object) -> list[KeizerLine]:
    return keizer_list(range(1, players + 1), games, byes or [], KeizerRules(**rules))  # type: ignore[arg-type]


def scores(lines: list[KeizerLine]) -> dict[int, Fraction]:
    return {line.player: line.score for line in lines}


# --- the list -------------------------------------------------------------------------------------------------
def told(lines: list[KeizerLine]) -> list[tuple[object, ...]]:
    return [(line.place, line.player, line.value, line.score) for line in lines]


def test_a_win_is_worth_what_the_opponent_is_worth_today_and_a_draw_half_of_him() -> None:
    assert told(ranked(4, [])) == [(1, 1, 4, 0), (1, 2, 3, 0), (1, 3, 2, 0), (1, 4, 1, 0)], "the starting order"
    # 1 beats 4 (1), 2 beats 3 (2): order 2 1 3 4, values 4 3 2 1; nothing moves any more.
    first = [Meeting(1, 1, 4, WHITE), Meeting(1, 3, 2, BLACK)]
    assert told(ranked(4, first)) == [(1, 2, 4, 2), (2, 1, 3, 1), (3, 3, 2, 0), (3, 4, 1, 0)]
    # Number 4 beats 2 and 3 and comes up to the second place: having beaten him is worth 3 now.
    now = ranked(4, [*first, Meeting(2, 4, 2, WHITE), Meeting(3, 4, 3, WHITE)])
    assert told(now) == [(1, 1, 4, 3), (1, 4, 3, 3), (3, 2, 2, 1), (4, 3, 1, 0)]
    games = [Meeting(1, 1, 2, WHITE), Meeting(1, 3, 4, WHITE), Meeting(2, 1, 3, WHITE), Meeting(2, 2, 4, WHITE)]
    assert told(ranked(4, games)) == [(1, 1, 4, 5), (2, 2, 3, 1), (2, 3, 2, 1), (4, 4, 1, 0)], "it reproduces itself"


def test_after_one_draw_both_are_worth_the_same_and_share_the_place() -> None:
    """The lower one gets more for it, so the two would change places for ever."""
    lines = ranked(2, [Meeting(1, 1, 2, DRAW)])
    assert [(line.place, line.player, line.value, line.score) for line in lines] == [
        (1, 1, Fraction(3, 2), Fraction(3, 4)),
        (1, 2, Fraction(3, 2), Fraction(3, 4)),
    ]


def test_byes_absences_and_forfeits_bring_what_the_rules_say() -> None:
    lines = ranked(4, [], [Bye(1, 1, 1, "half"), Bye(1, 2, 0, "zero"), Bye(1, 3, 2, "full")])
    # 3 has his whole value, 4 when he leads; 1 a third of 3.
    assert scores(lines) == {3: 4, 1: 1, 2: 0, 4: 0}
    worths = {"half": Fraction(5, 2), "third": Fraction(5, 3), "full": Fraction(5), "nothing": Fraction(0)}
    assert worths == {key: scores(ranked(5, [], [Bye(1, 1, 2, "pab")], allocated=key))[1] for key in worths}
    assert ranked(3, [], [Bye(1, 2, 0, "pab")]) == ranked(3, [], [Bye(1, 2, 2, "pab")]), "whatever it counts elsewhere"
    won = ranked(3, [Meeting(1, 1, 2, Result.BLACK_FORFEITS)])
    assert scores(won) == scores(ranked(3, [Meeting(1, 1, 2, WHITE)]))
    assert scores(ranked(3, [Meeting(1, 1, 2, Result.BOTH_FORFEIT)])) == {1: 0, 2: 0, 3: 0}
    assert scores(ranked(2, [Meeting(1, 1, 2, Result.WHITE_DRAWS_BLACK_PENALISED)])) == {1: Fraction(1, 2), 2: 0}


def test_an_open_game_brings_nothing_a_line_tells_its_score_and_values_may_start_higher() -> None:
    for code in (Result.OPEN, Result.ADJOURNED):
        lines = ranked(2, [Meeting(1, 1, 2, code)])
        assert [(line.score, line.played, line.gains) for line in lines] == [(0, 0, ()), (0, 0, ())], code
    (first, *_) = ranked(3, [Meeting(2, 1, 3, WHITE), Meeting(1, 2, 1, BLACK)], [Bye(3, 1, 1, "half")])
    assert [(gain.round, gain.opponent, gain.worth) for gain in first.gains] == [(1, 2, 2), (2, 3, 1), (3, None, 1)]
    assert (first.score, first.played) == (4, 2)
    with pytest.raises(KeyError):
        ranked(2, [Meeting(1, 1, 9, DRAW)])
    assert [line.value for line in ranked(3, [], top=50)] == [50, 49, 48]
    assert [line.value for line in ranked(3, [], top=1)] == [3, 2, 1]


GAMES = st.lists(
    st.tuples(st.integers(1, 9), st.integers(1, 9), st.sampled_from(PLAYED)).filter(lambda game: game[0] != game[1]),
    max_size=25,
)
BYES = st.lists(st.tuples(st.integers(1, 9), st.sampled_from(["pab", "half", "zero", "full"])), max_size=8)


@given(games=GAMES, byes=BYES)
def test_scores_are_the_sums_of_their_rounds_in_exact_numbers(
    games: list[tuple[int, int, Result]], byes: list[tuple[int, str]]
) -> None:
    meetings = [Meeting(number, *game) for number, game in enumerate(games, start=1)]
    free = [Bye(30 + number, player, 0, kind) for number, (player, kind) in enumerate(byes)]
    lines = ranked(9, meetings, free)
    value = {line.player: line.value for line in lines}
    assert sum(value.values()) == 45, "the values are shared out, never lost"
    for line in lines:
        assert isinstance(line.score, Fraction)
        assert line.score == sum(gain.worth for gain in line.gains)
        assert all(gain.worth == gain.share * value[gain.value_of] for gain in line.gains)
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    assert [line.place for line in lines] == [1 + sum(other.score > line.score for other in lines) for line in lines]


@given(games=GAMES, mixed=st.randoms(use_true_random=False))
def test_the_order_in_which_games_are_handed_in_does_not_matter(
    games: list[tuple[int, int, Result]], mixed: Random
) -> None:
    meetings = [Meeting(number, *game) for number, game in enumerate(games, start=1)]
    shuffled = mixed.sample(meetings, len(meetings))
    assert ranked(9, meetings) == ranked(9, shuffled)


@given(games=GAMES)
def test_where_values_are_whole_the_list_is_in_their_order(games: list[tuple[int, int, Result]]) -> None:
    """Either the order reproduces itself, or the values are averages of a circle."""
    lines = ranked(9, [Meeting(number, *game) for number, game in enumerate(games, start=1)])
    if all(line.value.denominator == 1 for line in lines) and len({line.value for line in lines}) == 9:
        assert [line.value for line in lines] == list(range(9, 0, -1))


# --- the round ------------------------------------------------------------------------------------------------
def field(
    players: int,
    games: list[Meeting] | None = None,
    *,
    number: int = 1,
    absent: tuple[int, ...] = (),
    byes: list[Bye] | None = None,
    prohibited: tuple[tuple[int, int], ...] = (),
) -> Field:
    everybody = tuple(range(1, players + 1))
    apart = frozenset(frozenset(pair) for pair in prohibited)
    return Field(everybody, frozenset(everybody) - set(absent), tuple(games or ()), tuple(byes or ()), apart, number)


def pair(given_field: Field, **chosen: object) -> PairedRound:
    return Keizer().pair_round(given_field, chosen)


def who_meets(boards: PairedRound) -> list[tuple[int, ...]]:
    return [tuple(sorted(number for number in (board.white, board.black) if number)) for board in boards]


def season(players: int, rounds: int, *, lots: int, attendance: float = 1.0, **chosen: object) -> list[PairedRound]:
    """Rounds with results by lot, and everybody there as often as `attendance` says."""
    coin, games, byes, paired = Random(lots), [], [], []
    for number in range(1, rounds + 1):
        absent = [player for player in range(3, players + 1) if coin.random() >= attendance]
        boards = pair(field(players, games, number=number, absent=tuple(absent), byes=byes), **chosen)
        paired.append(boards)
        byes += [Bye(number, board.white, 0, "pab") for board in boards if board.is_bye]
        byes += [Bye(number, player, 0, coin.choice(["half", "zero"])) for player in absent]
        games += [Meeting(number, board.white, board.black, coin.choice(PLAYED)) for board in boards if board.black]
    return paired


def test_neighbours_of_those_who_are_there_meet_from_the_top() -> None:
    assert pair(field(6)) == (Board(1, 2), Board(3, 4), Board(5, 6)), "at first in the starting order"
    games = [Meeting(1, 1, 2, BLACK), Meeting(1, 3, 4, BLACK), Meeting(1, 5, 6, BLACK)]
    assert [line.player for line in ranked(6, games)] == [2, 4, 6, 1, 3, 5]
    assert who_meets(pair(field(6, games, number=2))) == [(2, 4), (1, 6), (3, 5)]
    assert who_meets(pair(field(6, absent=(2, 5)))) == [(1, 3), (4, 6)]
    assert pair(field(4, absent=(1, 2, 3))) == (Board(4, None),), "one alone has the bye"
    with pytest.raises(PairingError, match="Nobody is there for round 3"):
        pair(field(2, absent=(1, 2), number=3))


def test_the_same_two_wait_some_rounds_and_meet_so_often_at_most() -> None:
    games = [Meeting(1, 1, 2, DRAW), Meeting(1, 3, 4, DRAW)]
    again = [(1, 2) in who_meets(pair(field(4, games, number=number), apart=2)) for number in (2, 3, 4)]
    assert again == [False, False, True]
    games = [Meeting(number, 1, 2, DRAW) for number in (1, 10, 20)]
    assert [(1, 2) in who_meets(pair(field(4, games, number=90), most=most)) for most in (4, 3)] == [True, False]


def test_limits_give_way_before_somebody_is_left_over_and_the_rounds_between_first() -> None:
    for boards in season(4, 20, lots=1, most=1):
        assert sorted(number for met in who_meets(boards) for number in met) == [1, 2, 3, 4]
    games = [Meeting(1, 1, 2, WHITE), Meeting(1, 3, 4, WHITE), Meeting(2, 1, 3, DRAW), Meeting(2, 2, 4, DRAW)]
    games += [Meeting(3, 1, 4, WHITE), Meeting(3, 2, 3, BLACK)]
    # Everybody has met everybody: a second game of those who met longest ago, though 1 and 3 are neighbours.
    assert [line.player for line in ranked(4, games)[:2]] == [1, 3]
    assert who_meets(pair(field(4, games, number=4), apart=6, most=2)) == [(1, 2), (3, 4)]


@pytest.mark.extended
def test_large_clubs_keep_the_limits_and_pairs_that_must_not_meet_are_paired_at_once() -> None:
    last: dict[tuple[int, ...], int] = {}
    for number, boards in enumerate(season(24, 20, lots=3), start=1):
        for met in who_meets(boards):
            assert number - last.get(met, -99) > 6
            last[met] = number
    coin = Random(7)
    prohibited = tuple(both for both in combinations(range(1, 81), 2) if coin.random() < 0.9)
    boards = pair(field(80, prohibited=prohibited), most=1)
    assert len(boards) == 40
    assert not set(who_meets(boards)) & set(prohibited)


def test_prohibited_pairs_never_meet_even_where_limits_give_way() -> None:
    games: list[Meeting] = []
    for number in range(1, 9):
        boards = pair(field(4, games, number=number, prohibited=((1, 2),)), most=1)
        assert (1, 2) not in who_meets(boards)
        games += [Meeting(number, board.white, board.black, DRAW) for board in boards if board.black]
    with pytest.raises(PairingError, match="Round 2 cannot be paired: the pairs that must not meet"):
        pair(field(4, number=2, prohibited=((1, 2), (1, 3), (1, 4))))


# --- the bye --------------------------------------------------------------------------------------------------
def test_the_lowest_has_the_bye_and_again_only_after_the_others() -> None:
    assert pair(field(5))[-1] == Board(5, None)
    boards = pair(field(5, number=2, byes=[Bye(1, 5, 0, "pab"), Bye(1, 4, 0, "zero")]))
    assert boards[-1] == Board(4, None), "an absence is no bye of this kind"
    boards = pair(field(5, prohibited=((1, 2), (1, 3), (1, 4))))
    assert boards[-1] == Board(4, None), "1 may meet only 5, so 5 cannot stand out"
    assert (1, 5) in who_meets(boards)


@given(players=st.integers(1, 7).map(lambda half: 2 * half + 1), lots=st.integers(0, 99))
@examples(20)
def test_everybody_has_one_bye_before_anybody_has_a_second(players: int, lots: int) -> None:
    free = [boards[-1].white for boards in season(players, 2 * players, lots=lots)]
    assert sorted(free[:players]) == sorted(free[players:]) == list(range(1, players + 1))


# --- colours --------------------------------------------------------------------------------------------------
def test_white_goes_by_number_then_turn_then_the_lower_number_and_forfeits_have_no_colour() -> None:
    assert pair(field(2, [Meeting(1, 1, 2, DRAW)], number=2)) == (Board(2, 1),)
    assert pair(field(2, [Meeting(2, 2, 1, DRAW), Meeting(1, 1, 2, DRAW)], number=3)) == (Board(1, 2),)
    assert pair(field(2, [Meeting(1, 2, 1, DRAW), Meeting(2, 1, 2, DRAW)], number=3)) == (Board(2, 1),)
    assert pair(field(4, absent=(1, 2))) == (Board(3, 4),)
    boards = pair(field(2, [Meeting(1, 2, 1, Result.WHITE_FORFEITS)], number=2))
    assert boards == (Board(1, 2),), "the lower number has White, as if they had not met"
    assert pair(field(4, [Meeting(1, 1, 3, Result.OPEN)], number=2)) == pair(field(4, number=2))


@given(players=st.integers(4, 14), lots=st.integers(0, 99))
@examples(20)
def test_white_goes_to_whom_colours_owe_it(players: int, lots: int) -> None:
    balance: Counter[int] = Counter()
    for boards in season(players, 12, lots=lots, attendance=0.8):
        for board in boards:
            if board.black is not None:
                assert balance[board.white] <= balance[board.black]
                balance[board.white] += 1
                balance[board.black] -= 1


# --- every field ----------------------------------------------------------------------------------------------
@given(players=st.integers(2, 40), lots=st.integers(0, 999), data=st.data())
@examples(60)
def test_everybody_who_is_there_is_paired_once(players: int, lots: int, data: st.DataObject) -> None:
    coin = Random(lots)
    games = [
        Meeting(number, *coin.sample(range(1, players + 1), 2), coin.choice(PLAYED))
        for number in range(1, data.draw(st.integers(1, 60)))
    ]
    absent = data.draw(st.sets(st.integers(1, players), max_size=players - 1))
    given_field = field(players, games, number=61, absent=tuple(absent))
    boards = pair(given_field)
    assert sorted(number for met in who_meets(boards) for number in met) == sorted(given_field.present)
    assert sum(board.is_bye for board in boards) == len(given_field.present) % 2
    assert boards == pair(given_field), "the same field, the same round"


def test_a_setting_that_is_none_and_a_list_too_long_are_refused() -> None:
    for name, value in {"most": 0, "apart": -1, "lots": 1}.items():
        with pytest.raises(PairingError, match=name):
            pair(field(4), **{name: value})
    with pytest.raises(PairingError, match="up to 200 players, not 201"):
        pair(field(201))
    assert pair(field(200, absent=tuple(range(3, 201)))) == (Board(1, 2),)
    assert isinstance(pairing_system("keizer"), RoundSystem)
    assert Keizer().rules({"top": 40, "allocated": "third"}) == KeizerRules(40, "third")
