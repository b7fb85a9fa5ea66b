"""Elo over sides against golden figures, worked examples, the game of two, and what must hold for every contest."""

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import PlayedGame, PlayerState
from ratings.systems.elo import Elo
from ratings.systems.elo_sides import Combine, Normaliser, side_changes, side_figures
from tests import ROOT
from tests.choosing import examples

GOLDEN = json.loads((ROOT / "tests" / "data" / "parties" / "elo_sides.json").read_text(encoding="utf-8"))
RATING = st.floats(0, 4000)
COMBINE = st.sampled_from(get_args(Combine))
NORMALISER = st.sampled_from(get_args(Normaliser))
Contest = tuple[list[list[float]], list[int]]


@st.composite
def contests(draw: st.DrawFn) -> Contest:
    sides = draw(st.lists(st.lists(RATING, min_size=1, max_size=4), min_size=2, max_size=8))
    raw = draw(st.lists(st.integers(1, len(sides)), min_size=len(sides), max_size=len(sides)))
    return sides, [1 + sum(other < own for other in raw) for own in raw]


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: str(row["contest"]))
def test_golden_contests(row: dict[str, Any]) -> None:
    assert side_changes(row["sides"], row["places"], row["k"]) == pytest.approx(row["change_per_side"], abs=1e-9)


@pytest.mark.parametrize(
    ("k", "combine", "sides", "places", "changes"),
    [
        (20, "mean", [[1600, 1400], [1550, 1500]], [1, 2], [10.718318539, -10.718318539]),
        (20, "sum", [[1600, 1400], [1550, 1500]], [1, 2], [11.429262348, -11.429262348]),
        (
            30,
            "mean",
            [[1600], [1500], [1450], [1700]],
            [2, 1, 4, 3],
            [2.966149965, 18.283488090, -9.168342066, -12.081295990],
        ),
        (
            30,
            "mean",
            [[1600], [1500], [1450], [1700]],
            [1, 1, 3, 4],
            [7.966149965, 13.283488090, 0.831657934, -22.081295990],
        ),
        (24, "mean", [[1500, 1520], [1490], [1600, 1400, 1500]], [1, 2, 2], [11.482347023, -5.482347023, -6]),
        (20, "mean", [[1500], [1500, 1500]], [1, 2], [10, -10]),
    ],
)
def test_worked_examples(
    k: float, combine: Combine, sides: list[list[float]], places: list[int], changes: list[float]
) -> None:
    assert side_changes(sides, places, k, combine=combine) == pytest.approx(changes, abs=1e-9)


def test_expected_share_of_a_ledger() -> None:
    one, other = side_figures([[1600, 1400], [1550, 1500]], [1, 2], 20)
    assert one.expected == pytest.approx(0.464084073, abs=1e-9)
    assert (one.score, other.score, one.k) == (1.0, 0.0, 20.0)
    middle = side_figures([[1500]] * 3, [1, 2, 3], 20)[1]
    assert middle == (0.5, 0.5, 20.0, 0.0)


@pytest.mark.parametrize(("normaliser", "change"), [("n-1", 10.0), ("none", 70.0), ("half", 17.5)])
def test_what_eight_equals_play_for(normaliser: Normaliser, change: float) -> None:
    """K 20: the first of eight equals scores half a point more than expected against each of the seven."""
    first, *_others, last = side_changes([[1500]] * 8, [1, 2, 3, 4, 5, 6, 7, 8], 20, normaliser=normaliser)
    assert (first, last) == (change, -change)


@examples(200)
@given(
    white=RATING,
    black=RATING,
    score=st.sampled_from([0.0, 0.5, 1.0]),
    k=st.floats(0.1, 100),
    combine=COMBINE,
    normaliser=NORMALISER,
)
def test_two_sides_of_one_are_a_game_to_the_last_bit(
    white: float, black: float, score: float, k: float, combine: Combine, normaliser: Normaliser
) -> None:
    of_white, of_black = PlayerState(white, 0, white), PlayerState(black, 0, black)
    system = Elo()
    rate = system.game_rater(system.read_settings({"preset": "constant", "k": k}))
    figures = rate(of_white, of_black, PlayedGame(1, 1, 2, score, 1 << 40, 1))
    places = [1 if score >= 0.5 else 2, 1 if score <= 0.5 else 2]
    sides = side_figures([[white], [black]], places, k, combine=combine, normaliser=normaliser)
    assert [white + sides[0].change, black + sides[1].change] == [of_white.rating, of_black.rating]
    assert (sides[0].expected, sides[0].k, sides[1].expected, sides[1].k) == figures


@examples(200)
@given(contest=contests(), combine=COMBINE, normaliser=NORMALISER, k=st.floats(1, 100))
def test_nothing_is_made_or_lost(contest: Contest, combine: Combine, normaliser: Normaliser, k: float) -> None:
    figures = side_figures(*contest, k, combine=combine, normaliser=normaliser)
    assert sum(side.change for side in figures) == pytest.approx(0, abs=1e-9)
    assert all(side.change == pytest.approx(side.k * (side.score - side.expected), abs=1e-9) for side in figures)


@examples(200)
@given(contest=contests(), k=st.floats(0.1, 100))
def test_a_contest_moves_nobody_by_k(contest: Contest, k: float) -> None:
    assert all(abs(change) < k for change in side_changes(*contest, k))


@examples(200)
@given(contest=contests(), combine=COMBINE, normaliser=NORMALISER)
def test_alone_in_first_place_nobody_falls_and_alone_in_last_place_nobody_rises(
    contest: Contest, combine: Combine, normaliser: Normaliser
) -> None:
    _, places = contest
    changes = side_changes(*contest, 20, combine=combine, normaliser=normaliser)
    if places.count(1) == 1:
        assert changes[places.index(1)] >= 0
    if places.count(max(places)) == 1:
        assert changes[places.index(max(places))] <= 0


@examples(200)
@given(contest=contests(), combine=COMBINE, turn=st.integers(1, 7))
def test_the_order_of_sides_and_of_members_decides_nothing(contest: Contest, combine: Combine, turn: int) -> None:
    sides, places = contest
    order = [(number + turn) % len(sides) for number in range(len(sides))]
    straight = side_changes(sides, places, 20, combine=combine)
    turned = side_changes([sides[each][::-1] for each in order], [places[each] for each in order], 20, combine=combine)
    assert turned == pytest.approx([straight[each] for each in order], abs=1e-10)


@examples(200)
@given(contest=contests(), combine=COMBINE)
def test_equals_who_share_a_place_move_alike(contest: Contest, combine: Combine) -> None:
    sides, places = contest
    changes = side_changes([*sides, sides[0]], [*places, places[0]], 20, combine=combine)
    assert changes[0] == pytest.approx(changes[-1], abs=1e-10)


@examples(200)
@given(contest=contests(), by=st.floats(-2000, 2000))
def test_only_gaps_count(contest: Contest, by: float) -> None:
    sides, places = contest
    shifted = side_changes([[rating + by for rating in side] for side in sides], places, 20)
    assert shifted == pytest.approx(side_changes(sides, places, 20), abs=1e-9)


@examples(200)
@given(contest=contests(), combine=COMBINE, data=st.data())
def test_a_better_place_is_never_worse(contest: Contest, combine: Combine, data: st.DataObject) -> None:
    """Two sides change places; who comes to the better one does not change for the worse."""
    sides, places = contest
    one, other = data.draw(st.lists(st.integers(0, len(sides) - 1), min_size=2, max_size=2, unique=True))
    swapped = list(places)
    swapped[one], swapped[other] = places[other], places[one]
    gainer = one if places[other] <= places[one] else other
    before, after = (side_changes(sides, each, 20, combine=combine)[gainer] for each in (places, swapped))
    assert after >= before - 1e-12


def test_figures_stay_figures_for_any_gap() -> None:
    sides = [[5000.0 * number] * 32 for number in range(64)]
    changes = side_changes(sides, list(range(1, 65)), 20, combine="sum")
    assert changes[0] == 20.0
    assert changes[-1] == -20.0
    assert sum(changes) == pytest.approx(0, abs=1e-9)
