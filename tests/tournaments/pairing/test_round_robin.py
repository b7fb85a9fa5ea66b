"""Round robins by Berger tables: the printed tables, their properties for every size, and real schedules."""

from collections import Counter
from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.real_events import RealGame, candidates_2024, candidates_2024_as_delivered, club_event, rounds_of
from tournaments.pairing import PairingError, pairing_system
from tournaments.pairing.base import PairedRound
from tournaments.pairing.round_robin import RoundRobin, berger_table, cycles, draw_lots
from tournaments.pairing.team_round_robin import TeamRoundRobin

# General Regulations for Competitions, Annex 1, as printed.
PRINTED = {
    4: "1-4 2-3 | 4-3 1-2 | 2-4 3-1",
    6: "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3 | "
    "3-8 4-2 5-1 6-7 | 8-7 1-6 2-5 3-4 | 4-8 5-3 6-2 7-1",
}
EVEN = range(4, 41, 2)
CLUB_EVENTS = ("hb2025_junior_club_champ_rr8", "hb2025_western_major_rr6", "hb2026_western_masters_rr6",
               "hb2026_western_minor_rr6")  # fmt: skip


def in_print(rounds: tuple[tuple[tuple[int, int], ...], ...]) -> str:
    return " | ".join(" ".join(f"{white}-{black}" for white, black in boards) for boards in rounds)


def games_of(rounds: tuple[PairedRound, ...]) -> list[tuple[int, int]]:
    return [(board.white, board.black) for boards in rounds for board in boards if board.black is not None]


@pytest.mark.parametrize("players", PRINTED)
def test_berger_tables_are_the_printed_ones(players: int) -> None:
    assert in_print(berger_table(players)) == PRINTED[players]


@pytest.mark.parametrize("players", EVEN)
def test_closed_form_says_the_round_and_the_colours_of_every_pair(players: int) -> None:
    circle = players - 1
    for number, boards in enumerate(berger_table(players), start=1):
        for white, black in boards:
            low, high = sorted((white, black))
            if high == players:
                assert (2 * low - 1) % circle == number % circle
                assert (white == low) == (low <= players // 2)
            else:
                assert (low + high - 1) % circle == number % circle
                assert (white == low) == ((low + high) % 2 == 1)


def test_a_berger_table_needs_an_even_number_and_a_round_robin_two_to_forty() -> None:
    for players in (-2, 0, 1, 3, 7):
        with pytest.raises(PairingError, match="even number"):
            berger_table(players)
    for players, found in ((0, "at least two"), (1, "at least two"), (41, "form groups")):
        with pytest.raises(PairingError, match=found):
            RoundRobin().schedule(players, {})
    assert RoundRobin().schedule(7, {})[0][-1].white == 1, "of seven the first has the bye in round 1"
    assert not pairing_system("round-robin").allocated_bye_scores
    assert TeamRoundRobin().schedule(4, {"home_colour": "black"}) == TeamRoundRobin().schedule(4, {})
    with pytest.raises(PairingError, match="home_colour"):
        TeamRoundRobin().schedule(4, {"home_colour": "red"})


@given(players=st.integers(2, 40))
def test_everybody_meets_everybody_once_and_nobody_sits_twice_in_a_round(players: int) -> None:
    rounds = RoundRobin().schedule(players, {})
    met = [tuple(sorted(game)) for game in games_of(rounds)]
    assert sorted(met) == list(combinations(range(1, players + 1), 2))
    for boards in rounds:
        seated = [player for board in boards for player in (board.white, board.black) if player is not None]
        assert sorted(seated) == list(range(1, players + 1))
    free = [board.white for boards in rounds for board in boards if board.is_bye]
    assert sorted(free) == (list(range(1, players + 1)) if players % 2 else [])
    assert all(boards[-1].is_bye for boards in rounds) == bool(players % 2), "byes stand last"


@given(players=st.integers(2, 40))
def test_colours_of_a_player_differ_by_at_most_one_and_half_of_an_even_field_has_one_white_more(players: int) -> None:
    games = games_of(RoundRobin().schedule(players, {}))
    white, black = Counter(game[0] for game in games), Counter(game[1] for game in games)
    more = {player for player in range(1, players + 1) if white[player] > black[player]}
    assert all(abs(white[player] - black[player]) <= 1 for player in range(1, players + 1))
    assert more == (set() if players % 2 else set(range(1, players // 2 + 1)))


@given(players=st.integers(2, 40))
def test_second_cycle_repeats_the_first_with_colours_reversed(players: int) -> None:
    rounds = RoundRobin().schedule(players, {"cycles": 2})
    half = len(rounds) // 2
    for first, second in zip(rounds[:half], rounds[half:], strict=True):
        assert games_of((second,)) == [(black, white) for white, black in games_of((first,))]


@given(players=st.integers(3, 40), swap=st.booleans())
def test_played_twice_everybody_meets_everybody_once_with_each_colour(players: int, swap: bool) -> None:
    rounds = RoundRobin().schedule(players, {"cycles": 2, "swap_last_two": swap})
    assert sorted(games_of(rounds)) == list(permutations(range(1, players + 1), 2))
    for boards in rounds:
        seated = [player for board in boards for player in (board.white, board.black) if player is not None]
        assert sorted(seated) == list(range(1, players + 1))


def thrice_running(players: int, *, swap: bool) -> list[int]:
    """Who gets the same colour in three rounds running of the double round robin."""
    rounds = cycles(players, double=True, swap_last_two=swap)
    found = []
    for player in range(1, players + 1):
        colours = "".join("w" if player in [white for white, _ in boards] else "b" for boards in rounds)
        if "www" in colours or "bbb" in colours:
            found.append(player)
    return found


@pytest.mark.parametrize("players", EVEN)
def test_swapping_the_last_two_rounds_saves_two_players_a_third_game_with_one_colour(players: int) -> None:
    assert thrice_running(players, swap=False) == [1, players // 2 + 1]
    assert thrice_running(players, swap=True) == []


def test_the_swap_changes_the_first_cycle_only() -> None:
    plain, swapped = cycles(8, double=True), cycles(8, double=True, swap_last_two=True)
    assert swapped == (*plain[:5], plain[6], plain[5], *plain[7:])


@given(entrants=st.integers(0, 40), seed=st.integers(0, 999_999))
def test_lots_give_every_number_once_and_the_same_seed_the_same_lots(entrants: int, seed: int) -> None:
    assert sorted(draw_lots(entrants, seed)) == list(range(1, entrants + 1))
    assert draw_lots(entrants, seed) == draw_lots(entrants, seed)


def assert_is_the_candidates_schedule(games: list[RealGame]) -> None:
    """Rounds 1,2,3,4,5,7,6, then 1 to 7 reversed; the boards were numbered by hand, so pairs are compared as sets."""
    built = RoundRobin().schedule(8, {"cycles": 2, "swap_last_two": True})
    played = [set(boards) for boards in rounds_of(games)]
    assert [set(games_of((boards,))) for boards in built] == played
    table = [set(boards) for boards in berger_table(8)]
    assert [table.index(boards) + 1 for boards in played[:7]] == [1, 2, 3, 4, 5, 7, 6]


def test_the_double_round_robin_is_that_of_the_candidates_2024() -> None:
    assert_is_the_candidates_schedule(candidates_2024())


@pytest.mark.real_data
def test_the_candidates_as_delivered_have_the_same_schedule(real_data: Path) -> None:
    assert candidates_2024_as_delivered(real_data) == candidates_2024()
    assert_is_the_candidates_schedule(candidates_2024_as_delivered(real_data))


@pytest.mark.real_data
@pytest.mark.parametrize("event", CLUB_EVENTS)
def test_pairs_boards_and_colours_are_those_of_the_club_events(event: str, real_data: Path) -> None:
    played = rounds_of(club_event(real_data, event))
    players = max(max(pair) for boards in played for pair in boards)
    built = [games_of((boards,)) for boards in RoundRobin().schedule(players, {})]
    if event == "hb2025_junior_club_champ_rr8":
        built[3], built[5] = built[5], built[3]  # this club played round 6 in the place of round 4
    assert built == played
