"""The parts of the Dutch system one by one: colours due, floats, the bye, acceleration, the order of boards."""

import pytest

from tests.tournaments.swiss_cases import drawn, pairs
from tournaments.pairing.base import Field, PairingError
from tournaments.pairing.dutch import Dutch
from tournaments.pairing.dutch.acceleration import baku
from tournaments.pairing.dutch.competitor import (
    Competitor,
    Float,
    Preference,
    Strength,
    competitors_of,
    preference_of,
)
from tournaments.standings.points import point_system

W, B = True, False


def competitor(field: Field, number: int, rounds: int = 9) -> Competitor:
    return next(player for player in competitors_of(field, rounds, {}) if player.number == number)


# --- colours due (art. 1.6, 1.7) ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("colours", "white", "strength"),
    [
        ((), None, Strength.NONE),
        ((W,), B, Strength.STRONG),
        ((W, B), W, Strength.MILD),
        ((B, W), B, Strength.MILD),
        ((W, B, W), B, Strength.STRONG),
        ((W, W), B, Strength.ABSOLUTE),
        ((B, W, W), B, Strength.ABSOLUTE),
        ((W, B, B), W, Strength.ABSOLUTE),
        ((B, B, W, B), W, Strength.ABSOLUTE),
        ((W, W, B, B), W, Strength.ABSOLUTE),
    ],
)
def test_the_colour_due(colours: tuple[bool, ...], white: bool | None, strength: Strength) -> None:
    assert preference_of(colours) == Preference(white, strength)


def test_a_forfeited_game_gives_no_colour_and_is_no_meeting() -> None:
    player = competitor(drawn(4, "1-3 +-, 2-4 1-0"), 1)
    assert (player.colours, player.met, player.score) == ((), frozenset(), 2)
    assert player.unplayed == 1


def test_an_adjourned_game_is_a_draw_and_a_meeting_for_the_pairing() -> None:
    player = competitor(drawn(4, "1-3 *, 2-4 1-0"), 1)
    assert (player.colours, player.met, player.score) == ((W,), frozenset({3}), 1)


# --- floats (art. 1.4) ----------------------------------------------------------------------------------------
def test_who_met_a_lower_score_floated_down_and_the_other_up() -> None:
    field = drawn(6, "1-4 1-0, 5-2 ½, 3-6 1-0", "2-1 0-1, 6-3 ½, 4-5 ½")
    assert competitor(field, 1).floats[0] is Float.DOWN
    assert competitor(field, 2).floats[0] is Float.UP


@pytest.mark.parametrize(
    ("line", "edition", "floated"),
    [
        ("1 U", 2026, Float.DOWN),
        ("1 H", 2026, Float.DOWN),
        ("1 F", 2026, Float.DOWN),
        ("1 Z", 2026, Float.NONE),
        ("1-2 -+", 2026, Float.NONE),
        ("1-2 +-", 2026, Float.DOWN),
        ("1 Z", 2025, Float.DOWN),
        ("1-2 -+", 2025, Float.DOWN),
    ],
)
def test_floats_of_those_who_did_not_play(line: str, edition: int, floated: Float) -> None:
    assert competitor(drawn(3, line, edition=edition), 1).floats == (floated, Float.NONE)


def test_who_has_not_come_yet_floated_only_by_the_older_rules() -> None:
    assert competitor(drawn(4, "1-3 1-0"), 2).floats[0] is Float.NONE
    assert competitor(drawn(4, "1-3 1-0", edition=2025), 2).floats[0] is Float.DOWN


# --- the bye (C2, C5) -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "edition", "may"),
    [
        ("1 U", 2026, False),
        ("1-2 +-", 2026, False),
        ("1 F", 2026, False),
        ("1 F", 2025, True),
        ("1 H", 2026, True),
        ("1-2 -+", 2026, True),
        ("1 Z", 2026, True),
    ],
)
def test_who_may_have_the_bye(line: str, edition: int, may: bool) -> None:
    assert competitor(drawn(3, line, edition=edition), 1).may_have_bye is may


def test_the_bye_goes_to_the_lowest_score_even_if_more_have_to_float() -> None:
    # Printed with bbpPairings: the older rules would leave the bye to somebody with a point.
    field = drawn(6, "1-4 1-0, 5-2 0-1, 3-6 1-0", "2-1 0-1, 4-3 0-1, 6-5 0-1", absent=[4])
    assert pairs(Dutch().pair_round(field, {"rounds": 3}))[-1] == "6"


def test_nobody_may_have_the_bye_any_more() -> None:
    field = drawn(3, "1 U, 2-3 1-0", "2 U, 3-1 1-0", "3 U, 1-2 ½")
    with pytest.raises(PairingError, match="Nobody may have the bye"):
        Dutch().pair_round(field, {"rounds": 9})


def test_everybody_has_met() -> None:
    field = drawn(4, "1-3 ½, 4-2 ½", "2-1 ½, 3-4 ½", "1-4 ½, 2-3 ½")
    with pytest.raises(PairingError, match="nobody is left whom number 1, 2, 3, 4 may meet"):
        Dutch().pair_round(field, {"rounds": 9})


def test_one_alone_is_no_round() -> None:
    with pytest.raises(PairingError, match="two players at least"):
        Dutch().pair_round(drawn(3, absent=[2, 3]), {})


# --- colours given (art. 5.2) ---------------------------------------------------------------------------------
def test_round_one_alternates_from_the_colour_drawn() -> None:
    assert pairs(Dutch().pair_round(drawn(6), {})) == ["1-4", "5-2", "3-6"]
    assert pairs(Dutch().pair_round(drawn(6), {"first_colour": "black"})) == ["4-1", "2-5", "6-3"]


def test_odd_and_even_are_counted_among_those_who_have_come() -> None:
    assert pairs(Dutch().pair_round(drawn(7, absent=[2]), {})) == ["1-5", "6-3", "4-7"]


def test_both_get_their_colours() -> None:
    field = drawn(4, "1-3 1-0, 4-2 0-1")
    assert pairs(Dutch().pair_round(field, {}))[0] == "2-1"


# --- points, acceleration, boards -----------------------------------------------------------------------------
def test_baku_gives_a_win_then_a_draw_to_the_upper_half_rounded_up_to_even() -> None:
    points = point_system("classic")
    virtual = baku(range(1, 11), range(1, 11), 9, points)
    assert sorted(virtual) == [1, 2, 3, 4, 5, 6]
    assert virtual[1] == (2, 2, 2, 1, 1)


def test_late_entries_join_the_group_of_their_neighbours() -> None:
    virtual = baku(range(1, 11), [1, 2, 4, 5, 6, 7, 8, 9], 5, point_system("classic"))
    assert sorted(virtual) == [1, 2, 3, 4, 5]


def test_accelerated_halves_meet_among_themselves() -> None:
    assert pairs(Dutch().pair_round(drawn(8), {"acceleration": "baku"})) == ["1-3", "4-2", "5-7", "8-6"]


def test_three_points_for_a_win_part_two_draws_from_a_win_and_a_loss() -> None:
    rounds = ("1-3 ½, 4-2 1-0", "1-4 ½, 2-3 1-0")
    classic, football = (drawn(4, *rounds, points=point_system(key)) for key in ("classic", "football"))
    assert competitor(classic, 1).score == competitor(classic, 2).score
    assert competitor(football, 1).score == 2 < competitor(football, 2).score == 3


def test_boards_stand_by_score_sum_and_number() -> None:
    field = drawn(6, "1-4 0-1, 5-2 ½, 3-6 ½")
    boards = pairs(Dutch().pair_round(field, {}))
    assert boards[0].split("-").count("4") == 1
    assert "1" in boards[-1].split("-")
