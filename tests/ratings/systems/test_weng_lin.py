"""Weng and Lin's five models against golden figures, worked examples, and what must hold for every contest."""

import json
from math import exp, isfinite, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.weng_lin import Model, WengLin, chances, rate_sides
from tests import ROOT
from tests.choosing import examples

GOLDEN = json.loads((ROOT / "tests" / "data" / "parties" / "weng_lin.json").read_text(encoding="utf-8"))
NEW = (25.0, 25.0 / 3.0)
FULL = (Model.BT_FULL, Model.PL, Model.TM_FULL)
PLAYER = st.tuples(st.floats(0, 50), st.floats(0.5, 9))
Sides = list[list[tuple[float, float]]]


def flat(sides: Any) -> list[float]:
    return [figure for side in sides for player in side for figure in player]


@pytest.mark.parametrize("model", Model)
@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: str(row["contest"]))
def test_golden_contests(row: dict[str, Any], model: Model) -> None:
    found = flat(rate_sides(row["sides"], row["places"], WengLin(model)))
    assert found == pytest.approx(flat(row[model]), abs=1e-6)


@pytest.mark.parametrize(
    ("model", "sides", "places", "after"),
    [
        (Model.BT_FULL, [[NEW], [NEW]], [1, 2], [27.635389, 8.065901, 22.364611, 8.065901]),
        (Model.PL, [[NEW], [NEW]], [1, 2], [27.635389, 8.065901, 22.364611, 8.065901]),
        (Model.TM_FULL, [[NEW], [NEW]], [1, 2], [29.230972, 7.631294, 20.769028, 7.631294]),
        (Model.TM_PART, [[NEW], [NEW]], [1, 2], [27.109107, 8.249325, 22.890893, 8.249325]),
        (Model.BT_FULL, [[NEW]] * 3, [1, 2, 3], [30.270779, 7.788847, 25, 7.788847, 19.729221, 7.788847]),
        (Model.BT_PART, [[NEW]] * 3, [1, 2, 3], [27.635389, 8.065901, 25, 8.065901, 22.364611, 8.065901]),
        (Model.PL, [[NEW]] * 3, [1, 2, 3], [27.869049, 8.205243, 25.717262, 8.058224, 21.413689, 8.058224]),
        (Model.TM_FULL, [[NEW]] * 3, [1, 2, 3], [33.461943, 6.857253, 25, 6.857253, 16.538057, 6.857253]),
        (Model.TM_PART, [[NEW]] * 3, [1, 2, 3], [27.109107, 8.249325, 25, 8.249325, 22.890893, 8.249325]),
        # Ties of Thurstone–Mosteller, the second one far out; by the formula in 2,000 digits.
        (Model.TM_FULL, [[(30, 3)], [(20, 8)]], [1, 1], [29.164007, 2.964663, 25.940902, 5.890431]),
        (Model.TM_FULL, [[(0, 1)], [(300, 1)]], [1, 1], [8.222347, 1.001187, 291.777653, 1.001187]),
        (
            Model.BT_FULL,
            [[(30, 3)], [(25, 4)], [(20, 5)]],
            [1, 1, 3],
            [30.068118, 2.968543, 25.986244, 3.892004, 18.270113, 4.789633],
        ),
    ],
)
def test_worked_examples(model: Model, sides: Sides, places: list[int], after: list[float]) -> None:
    assert flat(rate_sides(sides, places, WengLin(model))) == pytest.approx(after, abs=1e-6)


@pytest.mark.parametrize(
    ("model", "after"),
    [
        (Model.BT_FULL, [27.859459, 23.933317, 23.657305, 27.516391]),
        (Model.BT_PART, [27.859459, 23.933317, 23.657305, 27.516391]),
        (Model.PL, [27.859459, 23.933317, 23.657305, 27.516391]),
        (Model.TM_FULL, [28.528937, 25.439278, 22.611410, 27.139683]),
        (Model.TM_PART, [27.670307, 23.507827, 23.952809, 27.622825]),
    ],
)
def test_two_against_two(model: Model, after: list[float]) -> None:
    moved = rate_sides([[(27, 4), (22, 6)], [(25, 5), (28, 3)]], [1, 2], WengLin(model))
    assert [mu for side in moved for mu, _ in side] == pytest.approx(after, abs=1e-6)


def test_somebody_far_above_does_not_hide_what_others_show_of_each_other() -> None:
    """Plackett–Luce's weights e^(μ/c) of the others can no longer be written down beside that one's."""
    near, far = (rate_sides([[(top, 1)], [(0, 1)], [(0, 1)]], [1, 2, 3], WengLin(Model.PL)) for top in (2e3, 1e5))
    assert near[1][0][0] == pytest.approx(0.067824, abs=1e-6)
    assert flat(far[1:]) == pytest.approx(flat(near[1:]), rel=1e-9)


@st.composite
def contests(draw: st.DrawFn) -> tuple[Sides, list[int]]:
    player = st.tuples(st.floats(-100, 150), st.floats(0.1, 12))
    sides = draw(st.lists(st.lists(player, min_size=1, max_size=3), min_size=2, max_size=6))
    raw = draw(st.lists(st.integers(1, len(sides)), min_size=len(sides), max_size=len(sides)))
    return sides, [1 + sum(other < own for other in raw) for own in raw]


@examples(200)
@given(contest=contests(), model=st.sampled_from(Model))
def test_alone_in_first_place_nobody_falls_and_alone_in_last_place_nobody_rises(
    contest: tuple[Sides, list[int]], model: Model
) -> None:
    sides, places = contest
    after = rate_sides(sides, places, WengLin(model))
    for place, of_side, sign in ((1, min, 1), (max(places), max, -1)):
        if places.count(place) == 1:
            number = places.index(place)
            moves = [new[0] - old[0] for new, old in zip(after[number], sides[number], strict=True)]
            assert sign * of_side(moves) >= -1e-9
    assert all(isfinite(figure) for figure in flat(after))
    assert all(sigma > 0.0 for side in after for _mu, sigma in side)


@examples(200)
@given(contest=contests(), model=st.sampled_from(FULL), turn=st.integers(1, 5))
def test_the_order_of_sides_and_of_members_decides_nothing(
    contest: tuple[Sides, list[int]], model: Model, turn: int
) -> None:
    sides, places = contest
    order = [(number + turn) % len(sides) for number in range(len(sides))]
    straight = rate_sides(sides, places, WengLin(model))
    turned = rate_sides([sides[each][::-1] for each in order], [places[each] for each in order], WengLin(model))
    for number, each in enumerate(order):
        assert flat([turned[number][::-1]]) == pytest.approx(flat([straight[each]]), rel=1e-9, abs=1e-9)


@examples(200)
@given(contest=contests(), model=st.sampled_from(FULL))
def test_equals_who_share_a_place_move_alike(contest: tuple[Sides, list[int]], model: Model) -> None:
    sides, places = contest
    after = rate_sides([*sides, sides[0]], [*places, places[0]], WengLin(model))
    assert flat([after[0]]) == pytest.approx(flat([after[-1]]), rel=1e-9)


@examples(200)
@given(contest=contests(), model=st.sampled_from(Model), by=st.floats(-500, 500))
def test_only_gaps_count_between_sides_of_one_size(contest: tuple[Sides, list[int]], model: Model, by: float) -> None:
    sides = [side[:1] for side in contest[0]]
    after = rate_sides(sides, contest[1], WengLin(model))
    shifted = rate_sides([[(mu + by, sigma) for mu, sigma in side] for side in sides], contest[1], WengLin(model))
    moved = [mu + by for side in after for mu, _ in side]
    assert [mu for side in shifted for mu, _ in side] == pytest.approx(moved, rel=1e-7, abs=1e-6)


@examples(100)
@given(
    pairs=st.lists(st.tuples(PLAYER, PLAYER), min_size=1, max_size=4),
    places=st.sampled_from([[1, 2], [1, 1]]),
    model=st.sampled_from(Model),
)
def test_of_two_sides_what_one_gains_the_other_loses_by_their_variances(
    pairs: list[tuple[tuple[float, float], tuple[float, float]]], places: list[int], model: Model
) -> None:
    sides = [list(side) for side in zip(*pairs, strict=True)]
    after = rate_sides(sides, places, WengLin(model))
    gains = [
        (new - mu) / (sigma**2 + WengLin().tau ** 2)
        for side, moved in zip(sides, after, strict=True)
        for (mu, sigma), (new, _) in zip(side, moved, strict=True)
    ]
    assert sum(gains) == pytest.approx(0, abs=1e-9 * max(1.0, *map(abs, gains)))


@pytest.mark.parametrize("model", Model)
def test_figures_stay_figures_for_sixty_four_sides_and_gaps_of_300_sigma(model: Model) -> None:
    for places in (list(range(1, 65)), [1] * 64, list(range(64, 0, -1))):
        sides = [[(300.0 * number, 1.0)] for number in range(64)]
        after = rate_sides(sides, places, WengLin(model))
        assert all(isfinite(figure) for figure in flat(after))
        assert all(sigma > 0.0 for side in after for _mu, sigma in side)


@pytest.mark.parametrize(
    ("model", "of_two"),
    [
        (Model.BT_FULL, 0.731058579),
        (Model.BT_PART, 0.731058579),
        (Model.PL, 0.731058579),
        (Model.TM_FULL, 0.841344746),
        (Model.TM_PART, 0.841344746),
    ],
)
def test_c_apart_is_first_as_the_model_s_curve_has_it_at_1(model: Model, of_two: float) -> None:
    """1/(1 + 1/e) and Φ(1); of three, the third far away, the two stand to each other as alone (but for PL's c)."""
    settings = WengLin(model)
    c = sqrt(2 * (25 / 3) ** 2 + 2 * (25 / 6) ** 2 + 2 * settings.tau**2)
    two = [[(25 + c, 25 / 3)], [NEW]]
    assert chances(two, settings).first == pytest.approx((of_two, 1 - of_two), abs=1e-9)
    first, second, last = chances([*two, [(-9999.0, 25 / 3)]], settings).first
    assert last == pytest.approx(0, abs=1e-9)
    if model == Model.PL:
        assert first / second == pytest.approx(exp(sqrt(2 / 3)))
    else:
        assert first == pytest.approx(of_two, abs=1e-9)
