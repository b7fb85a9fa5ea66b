"""The chance of first place: sums to 1, needs no order, and agrees with closed forms and with sampling."""

import random
from collections import Counter
from math import asin, exp, log, pi, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import SYSTEMS, rating_system
from ratings.systems.base import PlayerState
from ratings.systems.sides import Shown, alone_in_front, below, first_of_gumbels, first_of_normals
from ratings.systems.trueskill import draw_margin
from tests.choosing import examples

SHOWN = st.builds(Shown, st.floats(-50, 50), st.sampled_from([1e-6, 0.01, 1.0, 30.0, 900.0]) | st.floats(0.001, 1000))


@examples(100)
@given(sides=st.lists(SHOWN, min_size=2, max_size=9))
def test_one_of_them_is_first_whatever_their_order(sides: list[Shown]) -> None:
    found = first_of_normals(sides)
    assert sum(found) == pytest.approx(1, abs=1e-9)
    assert all(0 <= chance <= 1 + 1e-9 for chance in found)
    assert first_of_normals(sides[::-1]) == pytest.approx(found[::-1], abs=1e-12)
    shifted = [Shown(60 * side.mean + 1500, 3600 * side.variance) for side in sides]
    assert first_of_normals(shifted) == pytest.approx(found, abs=1e-9), "another scale"


@examples(100)
@given(one=SHOWN, other=SHOWN)
def test_two_sides_and_one_that_never_wins_are_two_sides(one: Shown, other: Shown) -> None:
    """The integral against the closed form."""
    assert first_of_normals([one, other, Shown(-1e5, 1.0)])[:2] == pytest.approx(
        first_of_normals([one, other]), abs=1e-9
    )


@examples(50)
@given(variances=st.tuples(*[st.floats(1e-4, 1e4)] * 3))
def test_three_equal_means_have_the_angle_of_their_differences(variances: tuple[float, float, float]) -> None:
    """P(t₁ > t₂ and t₁ > t₃) = ¼ + asin(ρ)/2π, Sheppard's formula, ρ the correlation of the two differences."""
    v, second, third = variances
    rho = v / sqrt((v + second) * (v + third))
    found = first_of_normals([Shown(25.0, each) for each in variances])
    assert found[0] == pytest.approx(0.25 + asin(rho) / (2 * pi), abs=1e-9)


def test_sixty_four_equal_sides() -> None:
    assert first_of_normals([Shown(25.0, 70.0)] * 64) == pytest.approx([1 / 64] * 64, abs=1e-12)
    assert first_of_gumbels([3.0] * 64) == pytest.approx([1 / 64] * 64)


def test_gumbels_keep_their_odds_and_bear_any_gap() -> None:
    one, other, third = first_of_gumbels([1.0, 0.0, -0.5])
    assert (one / other, other / third) == pytest.approx((exp(1), exp(0.5)))
    assert first_of_gumbels([1e6, 0.0, -1e6]) == (1.0, 0.0, 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("law", ["normal", "gumbel"])
def test_as_often_first_as_in_a_sample(law: str) -> None:
    rng, count = random.Random(7), 200_000
    sides = [Shown(25.0, 70.0), Shown(30.0, 20.0), Shown(20.0, 100.0), Shown(27.0, 45.0)]

    def shown(side: Shown) -> float:
        if law == "normal":
            return rng.gauss(side.mean, sqrt(side.variance))
        return side.mean / 5 - log(rng.expovariate(1.0))

    found = first_of_normals(sides) if law == "normal" else first_of_gumbels([side.mean / 5 for side in sides])
    seen = Counter(max(range(4), key=[shown(side) for side in sides].__getitem__) for _ in range(count))
    for place, chance in enumerate(found):
        assert seen[place] / count == pytest.approx(chance, abs=5 * sqrt(0.25 / count))


# --- as the systems say it ------------------------------------------------------------------------------------------
def states(*sides: tuple[float, ...]) -> list[list[PlayerState]]:
    return [[PlayerState(rating, 40, rating, deviation=3.0 + rating % 7) for rating in side] for side in sides]


RAW = [
    *((each.key, {}) for each in SYSTEMS),
    ("elo", {"preset": "constant", "base": 3, "scale": 250}),
    ("elo", {"preset": "constant", "curve": "fide-table"}),
    *(("weng-lin", {"model": model}) for model in ("pl", "tm_full", "tm_part")),
]


@pytest.mark.parametrize(("key", "raw"), RAW)
def test_of_two_players_the_chance_is_the_expected_score(key: str, raw: dict[str, object]) -> None:
    system = rating_system(key)
    settings = system.read_settings(raw)
    one, other, third = states((31.0,), (25.0,), (27.0,))
    found = system.chances(settings, [one, other])
    if system.contest_rater(settings) is None:
        assert found is None
        return
    assert found is not None
    assert found.expected == pytest.approx(system.expected(settings, one[0], other[0]), abs=1e-15)
    assert sum(found.first) + found.tied == pytest.approx(1, abs=1e-12)
    of_three = system.chances(settings, [one, other, third])
    assert of_three is not None
    assert sum(of_three.first) + of_three.tied == pytest.approx(1, abs=1e-9)
    assert of_three.first[0] > of_three.first[2] > of_three.first[1]


def test_elo_takes_the_mean_or_the_sum_and_any_two_make_the_curve() -> None:
    elo = rating_system("elo")
    sides = states((1600.0, 1400.0), (1550.0, 1500.0), (1700.0, 1500.0))
    other_curve = 1 / (1 + 3 ** ((1525 - 1500) / 250))
    of_two = [({}, 0.464084073), ({"sides": "sum"}, 0.428536883), ({"base": 3, "scale": 250}, other_curve)]
    for raw, expected in of_two:
        found = elo.chances(elo.read_settings(raw), sides)
        assert found is not None
        assert found.first[0] / (found.first[0] + found.first[1]) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("key", "sides", "printed"),
    [
        ("elo", [1600.0, 1500.0, 1400.0], (0.5323, 0.2993, 0.1683)),
        ("trueskill", [25.0, 25.0], (0.4776, 0.4776)),
    ],
)
def test_the_figures_of_the_documents(key: str, sides: list[float], printed: tuple[float, ...]) -> None:
    system = rating_system(key)
    found = system.chances(system.read_settings({}), [[PlayerState(rating, 0, rating)] for rating in sides])
    assert found is not None
    assert found.first == pytest.approx(printed, abs=5e-5)
    assert found.tied == pytest.approx(1 - sum(printed), abs=1e-4)


def test_a_list_that_expects_shares_of_the_points_says_nothing_of_who_is_first() -> None:
    elo = rating_system("elo")
    assert elo.chances(elo.read_settings({"margin": "share"}), states((1600.0,), (1500.0,))) is None


# --- a first place that is shared ---------------------------------------------------------------------------------
def test_alone_in_front_of_three_is_the_closed_form_of_two_where_the_third_never_wins() -> None:
    one, other, margin = Shown(27.0, 70.0), Shown(25.0, 40.0), 3.0
    first = alone_in_front([one, other, Shown(-1e5, 1.0)], [1, 2, 1], lambda own, others: margin * (own + others) / 3)
    assert first[:2] == pytest.approx([below((gap - margin) / sqrt(110.0)) for gap in (2.0, -2.0)], abs=1e-9)


@pytest.mark.extended
def test_trueskill_shares_first_places_as_often_as_a_sample() -> None:
    system, rng, count = rating_system("trueskill"), random.Random(5), 20_000
    settings = system.read_settings({"draw_probability": 0.3})
    sides = states((25.0,), (27.0,), (24.0, 20.0))
    found = system.chances(settings, sides)
    assert sum(found.first) + found.tied == pytest.approx(1, abs=1e-9)
    noise = settings.tau**2 + settings.beta**2
    seen = Counter(_first_of_a_sample(sides, settings, noise, rng) for _ in range(count))
    for place, chance in enumerate([*found.first, found.tied]):
        assert seen[place] / count == pytest.approx(chance, abs=5 * sqrt(0.25 / count))


def _first_of_a_sample(sides: list[list[PlayerState]], settings: Any, noise: float, rng: random.Random) -> int:
    """The side that shows more than all others by the margin; 3 where there is none."""
    shown = [sum(rng.gauss(one.rating, sqrt((one.deviation or 0) ** 2 + noise)) for one in side) for side in sides]
    for place, own in enumerate(shown):
        others = [each for each in range(3) if each != place]
        margins = [draw_margin(settings, len(sides[place]) + len(sides[each])) for each in others]
        if all(own > shown[each] + margin for each, margin in zip(others, margins, strict=True)):
            return place
    return 3


def test_without_draws_nothing_is_shared_and_laws_without_draws_say_so() -> None:
    sides = states((25.0,), (27.0,), (24.0,))
    trueskill = rating_system("trueskill")
    assert trueskill.chances(trueskill.read_settings({"draw_probability": 0}), sides).tied == 0
    for key in ("weng-lin", "elo"):
        system = rating_system(key)
        found = system.chances(system.read_settings({}), sides)
        assert (found.tied, sum(found.first)) == (0, pytest.approx(1))
