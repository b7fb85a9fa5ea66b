"""The parts of the Dutch system one by one: colours due, floats, the bye, acceleration, the order of boards."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from tests.tournaments.rounds.swiss_cases import drawn, pairs
from tournaments.pairing.base import Field, PairedRound, PairingError
from tournaments.pairing.dutch.competitor import Competitor, Float, Preference, Strength, competitors_of, preference_of
from tournaments.pairing.dutch.criteria import CRITERIA
from tournaments.pairing.dutch.system import Dutch, baku
from tournaments.standings.points import point_system

W, B = True, False


def competitor(field: Field, number: int, rounds: int = 9) -> Competitor:
    return next(player for player in competitors_of(field, rounds, {}) if player.number == number)


# --- colours due (art. 1.6, 1.7) ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("colours", "white", "strength"),
    [
        ((), None, Strength.NONE), ((W,), B, Strength.STRONG), ((W, B, W), B, Strength.STRONG),
        ((W, B), W, Strength.MILD), ((B, W), B, Strength.MILD), ((W, W), B, Strength.ABSOLUTE),
        ((B, W, W), B, Strength.ABSOLUTE), ((W, B, B), W, Strength.ABSOLUTE),
        ((B, B, W, B), W, Strength.ABSOLUTE), ((W, W, B, B), W, Strength.ABSOLUTE),
    ],
)  # fmt: skip
def test_the_colour_due(colours: tuple[bool, ...], white: bool | None, strength: Strength) -> None:
    assert preference_of(colours) == Preference(white, strength)


def test_a_forfeited_game_gives_no_colour_and_is_no_meeting_and_an_adjourned_one_is_a_draw() -> None:
    player = competitor(drawn(4, "1-3 +-, 2-4 1-0"), 1)
    assert (player.colours, player.met, player.score, player.unplayed) == ((), frozenset(), 2, 1)
    player = competitor(drawn(4, "1-3 *, 2-4 1-0"), 1)
    assert (player.colours, player.met, player.score) == ((W,), frozenset({3}), 1)


# --- floats (art. 1.4) ----------------------------------------------------------------------------------------
def test_who_met_a_lower_score_floated_down_and_who_has_not_come_by_the_older_rules() -> None:
    field = drawn(6, "1-4 1-0, 5-2 ½, 3-6 1-0", "2-1 0-1, 6-3 ½, 4-5 ½")
    assert competitor(field, 1).floats[0] is Float.DOWN
    assert competitor(field, 2).floats[0] is Float.UP
    assert competitors_of(replace(field, round=2), 9, {}) == competitors_of(drawn(6, "1-4 1-0, 5-2 ½, 3-6 1-0"), 9, {})
    assert competitor(drawn(4, "1-3 1-0"), 2).floats[0] is Float.NONE
    assert competitor(drawn(4, "1-3 1-0", edition=2025), 2).floats[0] is Float.DOWN


def test_who_floats_again_as_in_the_round_before_counts_by_the_difference_of_scores() -> None:
    """1 has two points, 2 half a point; scores are counted in half points."""
    field = drawn(6, "1-4 1-0, 5-2 ½, 3-6 1-0", "2-1 0-1, 6-3 ½, 4-5 ½")
    one, two = competitor(field, 1), competitor(field, 2)
    failures = {each.key: each.pair(one, two) for each in CRITERIA[2026]}
    assert [failures[key] for key in ("C18", "C19", "C20", "C21")] == [(3,), (3,), (), ()]


@pytest.mark.parametrize(
    ("line", "edition", "floated", "may_have_bye"),
    [
        ("1 U", 2026, Float.DOWN, False), ("1 H", 2026, Float.DOWN, True), ("1 F", 2026, Float.DOWN, False),
        ("1 Z", 2026, Float.NONE, True), ("1-2 -+", 2026, Float.NONE, True), ("1-2 +-", 2026, Float.DOWN, False),
        ("1 Z", 2025, Float.DOWN, True), ("1-2 -+", 2025, Float.DOWN, True), ("1 F", 2025, Float.DOWN, True),
    ],
)  # fmt: skip
def test_floats_and_the_right_to_a_bye_of_those_who_did_not_play(
    line: str, edition: int, floated: Float, may_have_bye: bool
) -> None:
    player = competitor(drawn(3, line, edition=edition), 1)
    assert (player.floats, player.may_have_bye) == ((floated, Float.NONE), may_have_bye)


def test_the_bye_goes_to_the_lowest_score_and_a_round_that_cannot_be_paired_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Printed with bbpPairings: the older rules would leave the bye to somebody with a point.
    field = drawn(6, "1-4 1-0, 5-2 0-1, 3-6 1-0", "2-1 0-1, 4-3 0-1, 6-5 0-1", absent=[4])
    assert pairs(Dutch().pair_round(field, {"rounds": 3}))[-1] == "6"
    alone = drawn(3, absent=[2, 3])
    no_bye = drawn(3, "1 U, 2-3 1-0", "2 U, 3-1 1-0", "3 U, 1-2 ½")
    all_met = drawn(4, "1-3 ½, 4-2 ½", "2-1 ½, 3-4 ½", "1-4 ½, 2-3 ½")
    for field, words in (
        (alone, "two players at least"),
        (drawn(501), "up to 500 players, not 501"),
        (no_bye, "Nobody may have the bye"),
        (all_met, "nobody is left whom number 1, 2, 3, 4 may meet"),
    ):
        with pytest.raises(PairingError, match=words):
            Dutch().pair_round(field, {"rounds": 9})
    monkeypatch.setattr(Dutch, "max_players", 4)
    assert len(Dutch().pair_round(drawn(4), {"rounds": 3})) == 2


def test_round_one_alternates_from_the_colour_drawn() -> None:
    assert pairs(Dutch().pair_round(drawn(6), {})) == ["1-4", "5-2", "3-6"]
    assert pairs(Dutch().pair_round(drawn(6), {"first_colour": "black"})) == ["4-1", "2-5", "6-3"]
    assert pairs(Dutch().pair_round(drawn(7, absent=[2]), {})) == ["1-5", "6-3", "4-7"], "counted among those who came"
    assert pairs(Dutch().pair_round(drawn(4, "1-3 1-0, 4-2 0-1"), {}))[0] == "2-1", "later both get their colours"


# --- points, acceleration, boards -----------------------------------------------------------------------------
def test_baku_gives_a_win_then_a_draw_to_the_upper_half_rounded_up_to_even() -> None:
    points = point_system("classic")
    virtual = baku(range(1, 11), range(1, 11), 9, points)
    assert sorted(virtual) == [1, 2, 3, 4, 5, 6]
    assert virtual[1] == (2, 2, 2, 1, 1)
    late = baku(range(1, 11), [1, 2, 4, 5, 6, 7, 8, 9], 5, points)
    assert sorted(late) == [1, 2, 3, 4, 5], "late entries join the group of their neighbours"
    assert sorted(baku([1, 2], [1], 5, points)) == [1], "of one who came"
    assert pairs(Dutch().pair_round(drawn(8), {"acceleration": "baku"})) == ["1-3", "4-2", "5-7", "8-6"]


def test_three_points_part_two_draws_from_a_win_and_a_loss_and_boards_stand_by_score_and_number() -> None:
    rounds = ("1-3 ½, 4-2 1-0", "1-4 ½, 2-3 1-0")
    classic, football = (drawn(4, *rounds, points=point_system(key)) for key in ("classic", "football"))
    assert competitor(classic, 1).score == competitor(classic, 2).score
    assert competitor(football, 1).score == 2 < competitor(football, 2).score == 3
    field = drawn(6, "1-4 0-1, 5-2 ½, 3-6 ½")
    boards = pairs(Dutch().pair_round(field, {}))
    assert boards[0].split("-").count("4") == 1
    assert "1" in boards[-1].split("-")


# --- two games against each opponent ------------------------------------------------------------------------------
def test_the_return_game_has_the_same_boards_with_colours_exchanged_for_those_who_are_there() -> None:
    double = {"games": 2, "rounds": 6}
    assert pairs(Dutch().pair_round(drawn(5, "1-3 1-0, 4-2 +-, 5 U"), double)) == ["3-1", "2-4", "5"]
    assert pairs(Dutch().pair_round(drawn(4, "1-3 1-0, 4-2 ½", absent=[3]), double)) == ["2-4", "1"]
    assert pairs(Dutch().pair_round(drawn(2, "1-2 1-0"), double)) == ["2-1"]
    with pytest.raises(PairingError, match="Round 2 is the return game of round 1: 1, 5 have no opponent in it"):
        Dutch().pair_round(drawn(5, "1-3 1-0, 4-2 ½, 5 U", absent=[3]), double)
    said = Dutch().why(drawn(4, "1-3 1-0, 4-2 ½"), double, 1) + Dutch().why_not(drawn(4, "1-3 ½, 4-2 ½"), double, 1, 2)
    assert [remark.values for remark in said] == [{"round": 2, "before": 1}] * 2


@pytest.mark.parametrize("acceleration", ["none", "baku"])
def test_matches_of_two_games_are_paired_as_games_with_the_same_results(acceleration: str) -> None:
    """A return game that ends like the first one changes no order, no float and no colour of the rounds to come."""
    for seed in range(12):
        lots, players = Random(seed), 8 + seed % 2
        settings = {"rounds": 4, "acceleration": acceleration}
        once, twice = drawn(players), drawn(players)
        for number in range(1, 5):
            boards = Dutch().pair_round(once, settings)
            for number_of_game in (2 * number - 1, 2 * number):
                double = Dutch().pair_round(twice, {**settings, "rounds": 8, "games": 2})
                if number_of_game % 2:
                    assert double == boards, (seed, number)
                    results = [lots.choice(("1-0", "½", "0-1")) for board in boards if board.black]
                    once = played(once, boards, results)
                else:
                    results = [{"1-0": "0-1", "0-1": "1-0"}.get(one, one) for one in results]
                twice = played(twice, double, results)


def played(field: Field, boards: PairedRound, results: Sequence[str]) -> Field:
    """The field of the round after, once the boards have ended so."""
    text = [f"{board.white}-{board.black} {how}" for board, how in zip(boards, results, strict=False)]
    line = drawn(len(field.players), ", ".join([*text, *(f"{board.white} U" for board in boards if board.is_bye)]))
    meetings = (replace(one, round=field.round) for one in line.meetings)
    byes = (replace(one, round=field.round) for one in line.byes)
    return replace(field, meetings=(*field.meetings, *meetings), byes=(*field.byes, *byes), round=field.round + 1)
