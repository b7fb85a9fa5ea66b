"""TrueSkill against golden figures, worked examples, its tails, and what must hold for every contest."""

import json
from math import exp, inf, isfinite
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import trueskill
from ratings.systems.trueskill import TrueSkill, beyond, chances, draw_margin, rate_sides, within
from tests import ROOT
from tests.choosing import examples

GOLDEN = json.loads((ROOT / "tests" / "data" / "parties" / "trueskill.json").read_text(encoding="utf-8"))
NEW = (25.0, 25.0 / 3.0)
PLAIN = TrueSkill()
Sides = list[list[tuple[float, float]]]


def flat(sides: Sides) -> list[float]:
    return [figure for side in sides for player in side for figure in player]


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: str(row["contest"]))
def test_golden_contests(row: dict[str, Any]) -> None:
    found = flat(rate_sides(row["sides"], row["places"], TrueSkill(**row["settings"]), row["weights"]))
    assert found == pytest.approx(flat(row["after_converged"]), abs=1e-8)
    assert found == pytest.approx(flat(row["after_library"]), abs=1e-6)


def of_two(own: float, other: float, deviation: float) -> list[float]:
    return [own, deviation, other, deviation]


@pytest.mark.parametrize(
    ("sides", "places", "weights", "after"),
    [
        ([[NEW], [NEW]], [1, 2], None, of_two(29.395832, 20.604168, 7.171476)),
        ([[NEW], [NEW]], [1, 1], None, of_two(25, 25, 6.457516)),
        ([[(20, 4)], [(30, 5)]], [1, 2], None, [23.155751, 3.634801, 25.069910, 4.264381]),
        ([[(30, 5)], [(20, 4)]], [1, 1], None, [26.706103, 4.095106, 22.108423, 3.554151]),
        (
            [[(27, 4), (22, 6)], [(25, 5), (28, 3)]],
            [1, 2],
            None,
            [28.376412, 3.850672, 25.096180, 5.480855, 22.849692, 4.704123, 27.225507, 2.938293],
        ),
        ([[NEW], [NEW, NEW]], [1, 2], None, [33.730671, 7.317365, 16.269329, 7.317365, 16.269329, 7.317365]),
        ([[NEW]] * 3, [1, 2, 3], None, [31.675352, 6.655986, 25, 6.207897, 18.324648, 6.655986]),
        ([[NEW]] * 3, [1, 1, 3], None, [27.551961, 5.974128, 27.557338, 5.972007, 19.890701, 6.735245]),
        (
            [[NEW, NEW], [NEW, NEW]],
            [1, 2],
            [[1, 0.5], [1, 1]],
            [30.674785, 7.494814, 27.837392, 8.132134, 19.325215, 7.494814, 19.325215, 7.494814],
        ),
        ([[(0, 1)], [(300, 1)]], [1, 2], None, of_two(8.246704, 291.753296, 0.989624)),
    ],
)
def test_worked_examples(sides: Sides, places: list[int], weights: Any, after: list[float]) -> None:
    """The last one is where the library raises an error."""
    assert flat(rate_sides(sides, places, PLAIN, weights)) == pytest.approx(after, abs=1e-6)


def test_eight_newcomers_each_alone() -> None:
    first_four = flat(rate_sides([[NEW]] * 8, list(range(1, 9)), PLAIN)[:4])
    after = [36.771096, 5.749284, 32.242343, 5.132913, 29.073982, 4.942715, 26.322179, 4.874549]
    assert first_four == pytest.approx(after, abs=1e-6)


@pytest.mark.parametrize(("members", "margin"), [(2, 0.740466587), (4, 1.047177890)])
def test_the_draw_margin_counts_heads(members: int, margin: float) -> None:
    assert draw_margin(PLAIN, members) == pytest.approx(margin, abs=1e-9)


@pytest.mark.parametrize(
    ("x", "v", "w"),
    [(-5, 5.18650397, 0.96730357), (-40, 40.02496885, 0.99937733), (-100, 100.00999800, 0.99990006)],
)
def test_tails(x: float, v: float, w: float) -> None:
    assert beyond(x) == pytest.approx((v, w), abs=1e-8)


@pytest.mark.parametrize("x", [-1e3, -1e6, -1e12])
def test_far_tails_follow_the_series(x: float) -> None:
    assert beyond(x) == pytest.approx((-x - 1 / x, 1 - 1 / x**2 + 6 / x**4), rel=1e-9)


def test_the_two_ways_through_a_tail_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    by_fraction = [beyond(x / 10) for x in range(-300, -100)]
    monkeypatch.setattr(trueskill, "TAIL", -inf)
    assert [beyond(x / 10) for x in range(-300, -100)] == [pytest.approx(pair, rel=1e-9) for pair in by_fraction]


@examples(300)
@given(x=st.floats(-60, 60), margin=st.floats(1e-6, 8))
def test_a_tie_cuts_to_the_margin(x: float, margin: float) -> None:
    """The truncated mean and variance by plain summing of the density, where it has not died out."""
    v, w = within(x, margin)
    assert 0.0 <= w <= 1.0
    assert abs(v + x) <= margin + 1e-12, "the mean that is left lies within the margin"
    assert (v, w) == (-within(-x, margin)[0], within(-x, margin)[1])
    mean, variance = _summed(x, margin)
    assert v + x == pytest.approx(mean, abs=1e-4 * margin)
    assert 1 - w == pytest.approx(variance, abs=1e-4 * margin * margin + 1e-11)


def _summed(x: float, margin: float, steps: int = 4000) -> tuple[float, float]:
    points = [margin * ((2 * step + 1) / steps - 1) for step in range(steps)]
    heights = [-((y - x) ** 2) / 2 for y in points]
    highest = max(heights)
    weights = [exp(height - highest) for height in heights]
    mean = sum(y * weight for y, weight in zip(points, weights, strict=True)) / sum(weights)
    return mean, sum((y - mean) ** 2 * weight for y, weight in zip(points, weights, strict=True)) / sum(weights)


@pytest.mark.parametrize("x", [0.4, -0.4, 0.0])
def test_a_tie_that_was_certain_tells_nothing(x: float) -> None:
    assert within(x, 40.0) == (0.0, 0.0)


@pytest.mark.parametrize("margin", [0.0, 1e-15, 1e-9])
@pytest.mark.parametrize("x", [0.0, -3.0, 38.0, 300.0])
def test_a_tie_without_margin_is_the_limit(x: float, margin: float) -> None:
    assert within(x, margin) == (pytest.approx(-x, abs=1e-12), pytest.approx(1.0, abs=1e-12))


@pytest.mark.parametrize(("sides", "deviation"), [(2, 6.455252), (3, 5.692970)])
@pytest.mark.parametrize("draw_probability", [0.0, 1e-9])
def test_newcomers_tie_where_ties_do_not_happen(sides: int, deviation: float, draw_probability: float) -> None:
    """The library's σ grows to 9.588 then. Of three, σ² β² + σ⁴/3 over σ² + β² is left."""
    found = flat(rate_sides([[NEW]] * sides, [1] * sides, TrueSkill(draw_probability=draw_probability)))
    assert found == pytest.approx([25, deviation] * sides, abs=1e-6)


def test_the_order_within_a_tie_of_three_matters_and_is_the_one_given() -> None:
    one, two = rate_sides([[NEW], [NEW], [NEW]], [1, 1, 3], PLAIN)[:2]
    assert one != two
    mixed: Sides = [[(20.0, 3.0)], [(31.0, 6.0)], [(25.0, 2.0)]]
    there, back = rate_sides(mixed, [1, 1, 1], PLAIN), rate_sides(mixed[::-1], [1, 1, 1], PLAIN)
    assert flat(there) == pytest.approx(flat(back[::-1]), abs=1e-8), "turned round, the chain is the same"
    moved = rate_sides([mixed[1], mixed[0], mixed[2]], [1, 1, 1], PLAIN)
    assert abs(moved[1][0][0] - there[0][0][0]) > 1e-4


def test_two_sides_are_the_chain_of_one_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [(row["sides"], row["places"], TrueSkill(**row["settings"]), row["weights"]) for row in GOLDEN]
    two = [case for case in cases if len(case[0]) == 2]
    closed = [flat(rate_sides(*case)) for case in two]
    monkeypatch.setattr(trueskill, "_learn_from_two", trueskill._learn_from_chain)
    assert [flat(rate_sides(*case)) for case in two] == [pytest.approx(found, abs=1e-9) for found in closed]
    assert len(two) >= 10


def test_messages_that_do_not_settle_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trueskill, "SWEEPS", 2)
    with pytest.raises(ArithmeticError, match="3 sides do not settle in 2 sweeps"):
        rate_sides([[NEW]] * 3, [1, 2, 3], PLAIN)


# --- what must hold for every contest -----------------------------------------------------------------------------
@st.composite
def contests(draw: st.DrawFn, most: int = 6, gap: float = 50, ties: bool = True) -> tuple[Sides, list[int], Any]:
    """Sides, places as 1-2-2-4, shares."""
    player = st.tuples(st.floats(25 - gap, 25 + gap), st.floats(0.5, 12))
    sides = draw(st.lists(st.lists(player, min_size=1, max_size=3), min_size=2, max_size=most))
    if ties:
        given = draw(st.lists(st.integers(1, len(sides)), min_size=len(sides), max_size=len(sides)))
    else:
        given = draw(st.permutations(range(1, len(sides) + 1)))
    places = [1 + sum(other < place for other in given) for place in given]
    return sides, places, [[draw(st.sampled_from([1.0, 0.5, 0.25])) for _ in side] for side in sides]


@examples(200)
@given(contest=contests(ties=False), data=st.data())
def test_without_ties_sides_and_members_stand_in_any_order(contest: Any, data: st.DataObject) -> None:
    sides, places, shares = contest
    order = data.draw(st.permutations(range(len(sides))))
    mixed = [list(zip(sides[side], shares[side], strict=True))[::-1] for side in order]
    found = rate_sides(
        [[player for player, _ in side] for side in mixed],
        [places[side] for side in order],
        PLAIN,
        [[share for _, share in side] for side in mixed],
    )
    straight = rate_sides(sides, places, PLAIN, shares)
    assert [pytest.approx(flat([side[::-1]]), abs=1e-9) for side in found] == [flat([straight[side]]) for side in order]


@examples(200)
@given(contest=contests(most=2))
def test_of_two_sides_neither_gains_on_the_other(contest: Any) -> None:
    """Σ change/(σ² + τ²) = 0 with sides of one size and whole shares."""
    sides, places, _ = contest
    size = min(map(len, sides))
    sides = [side[:size] for side in sides]
    after = rate_sides(sides, places, PLAIN)
    terms = [
        (new[0] - old[0]) / (old[1] ** 2 + PLAIN.tau**2)
        for side, moved in zip(sides, after, strict=True)
        for old, new in zip(side, moved, strict=True)
    ]
    assert sum(terms) == pytest.approx(0, abs=1e-9 * max(1, *map(abs, terms)))


@examples(200)
@given(contest=contests(), factor=st.sampled_from([60.0, 0.04, 1000.0]))
def test_another_unit_changes_nothing_else(contest: Any, factor: float) -> None:
    sides, places, shares = contest
    scaled = [[(mu * factor, sigma * factor) for mu, sigma in side] for side in sides]
    settings = TrueSkill(beta=PLAIN.beta * factor, tau=PLAIN.tau * factor)
    found = [figure / factor for figure in flat(rate_sides(scaled, places, settings, shares))]
    assert found == pytest.approx(flat(rate_sides(sides, places, PLAIN, shares)), abs=1e-7)


@examples(300)
@given(contest=contests(), draw_probability=st.sampled_from([0.0, 0.1, 0.6]))
def test_alone_in_first_place_never_falls_alone_in_last_never_rises(contest: Any, draw_probability: float) -> None:
    sides, places, shares = contest
    after = rate_sides(sides, places, TrueSkill(draw_probability=draw_probability), shares)
    for side, place in enumerate(places):
        if places.count(place) > 1:
            continue
        changes = [new[0] - old[0] for old, new in zip(sides[side], after[side], strict=True)]
        assert place > 1 or min(changes) >= -1e-9
        assert place < len(places) or max(changes) <= 1e-9


@examples(100)
@given(contest=contests(most=64, gap=3600), draw_probability=st.sampled_from([0.0, 1e-9, 0.1, 0.99]))
def test_figures_stay_figures_however_far_apart(contest: Any, draw_probability: float) -> None:
    """Up to 300 times the largest σ, each side from its neighbour."""
    sides, places, shares = contest
    settings = TrueSkill(draw_probability=draw_probability)
    for side, moved in zip(sides, rate_sides(sides, places, settings, shares), strict=True):
        for (_, sigma), (mu_after, sigma_after) in zip(side, moved, strict=True):
            assert isfinite(mu_after)
            assert 0 < sigma_after <= (sigma**2 + settings.tau**2) ** 0.5 * (1 + 1e-12)


def test_draws_of_sides_that_rounding_keeps_moving_are_rated() -> None:
    """Nine of eleven drew, hundreds of σ apart: their messages never come quite to rest."""
    even = (0.0, 1.0)
    pair, three = [even] * 2, [even] * 3
    far = [(0.0, 4.0), (-1074.0, 1.0)]
    sides = [three, three, far, [(0.0, 5.0)], [(1.0, 1.0)], three, three, [even], pair, [(879.0, 1.0)], [even]]
    shares = [*([1.0] * len(side) for side in sides[:-1]), [0.25]]
    after = rate_sides(sides, [10, 10, *[1] * 9], TrueSkill(draw_probability=0.1), shares)
    assert after[2][1][0] > -1074
    assert after[9][0][0] < 879


def test_sixty_four_sides_in_the_wrong_order() -> None:
    sides = [[(40.0 * place, 1.0)] for place in range(64)]
    after = [side[0][0] for side in rate_sides(sides, list(range(1, 65)), PLAIN)]
    assert all(isfinite(mu) for mu in after)
    assert after[0] > 0
    assert after[-1] < 40.0 * 63


@pytest.mark.extended
@examples(200)
@given(contest=contests(most=8), draw_probability=st.sampled_from([0.0, 0.1, 0.6]))
def test_chances_add_up_and_mirror(contest: Any, draw_probability: float) -> None:
    sides, _, shares = contest
    settings = TrueSkill(draw_probability=draw_probability)
    found, seen = chances(sides, settings, shares), chances(sides[::-1], settings, shares[::-1])
    assert sum(found.first) + found.tied == pytest.approx(1, abs=1e-9)
    assert found.first == pytest.approx(seen.first[::-1], abs=1e-12)
    assert found.tied == pytest.approx(seen.tied)


def test_beta_apart_is_76_percent_and_equals_draw_as_often_as_set() -> None:
    known = TrueSkill(tau=0, draw_probability=0)
    assert chances([[(25.0 + PLAIN.beta, 0.0)], [(25.0, 0.0)]], known).first[0] == pytest.approx(0.760250, abs=1e-6)
    assert chances([[(25.0, 0.0)], [(25.0, 0.0)]], TrueSkill(tau=0)).tied == pytest.approx(0.1)
