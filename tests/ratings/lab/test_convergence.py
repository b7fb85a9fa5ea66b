"""Newcomers and jumps: figures by hand, a second way by playing game after game, and what the study's world shows."""

from itertools import pairwise
from math import log10

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.lab.contenders import CONTENDERS, contender, contenders
from ratings.lab.convergence import (
    AFTER,
    Moment,
    NewcomerError,
    Reaction,
    enough,
    level_of,
    moments,
    newcomer_error,
    newcomer_errors,
    on_elo_scale,
    own_curve,
    place_errors,
    points_errors,
    probation_table,
    reaction,
    true_ratings,
)
from ratings.lab.engine import PLAIN
from ratings.lab.table import Table
from ratings.lab.world import stretches
from ratings.systems.elo import expected_score

STRENGTHS = [10.0, 20.0, 20.0, 40.0]
TABLES = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 3)), min_size=2, max_size=25)


def error(place: int, own: int, points: float | None, places: float = 0.0) -> NewcomerError:
    return NewcomerError(place, own, points, places, None if points is None else 40.0, 0.02)


# --- True ratings and places ----------------------------------------------------------------------------------------
def test_true_ratings_give_the_study_s_chances_and_whose_400_points_are_ten_to_one() -> None:
    strong, weak = true_ratings([640, 10])
    assert expected_score(strong, weak, 400, 10) == pytest.approx(640 / 650)
    assert strong - weak == pytest.approx(400 * log10(64))
    off = {each.key for each in CONTENDERS if not on_elo_scale(each)}
    assert off == {"league", "solo-zerg", "r2", "kd"}
    assert not on_elo_scale(contender("wide", "Wide", "elo", {"preset": "constant", "scale": 800}))


def test_places_off_by_hand():
    """The strongest last is three places of three off; of four level at 1.5, true places are 3, 1–2, 1–2 and 0."""
    for ratings, off in (
        ([900, 1000, 1100, 1200], [0, 0, 0, 0]),
        ([900, 1100, 1000, 1200], [0, 0, 0, 0]),  # only equals change places
        ([1000, 1100, 1200, 900], [1 / 3, 0, 1 / 3, 1]),
        ([1000.0] * 4, [0.5, 0, 0, 0.5]),
    ):
        assert place_errors(ratings, STRENGTHS).tolist() == off
    assert place_errors([1000.0], [10.0]).tolist() == [0.0]


@given(TABLES)
def test_places_off_are_counted_one_by_one(table):
    ratings, truth = [float(r) for r, _ in table], [float(t) for _, t in table]
    for own, off in enumerate(place_errors(ratings, truth)):
        stands = sum((r > ratings[own]) + (r == ratings[own]) / 2 for r in ratings) - 0.5
        first = sum(t > truth[own] for t in truth)
        last = len(table) - 1 - sum(t < truth[own] for t in truth)
        nearest = min(max(stands, first), last)
        assert off == pytest.approx(abs(stands - nearest) / (len(table) - 1))


@given(TABLES, st.integers(1, 9))
def test_places_do_not_ask_for_the_scale(table, factor):
    ratings, truth = [float(r) for r, _ in table], [float(t) for _, t in table]
    stretched = [factor * rating**3 - 5 for rating in ratings]
    assert place_errors(stretched, [2**each for each in truth]).tolist() == place_errors(ratings, truth).tolist()


def test_points_off_are_taken_from_where_the_established_stand():
    """Two established 10 and 30 above their truth: 20 is nobody's fault; the newcomer is 80 short."""
    off = points_errors([1010, 1230, 1140], [0, 200, 200], established=[0, 1])
    assert off.tolist() == [-10, 10, -80]


@given(TABLES, st.floats(-500, 500), st.floats(-500, 500))
def test_points_off_do_not_ask_for_the_zero_of_either_scale(table, rated, true):
    ratings, truth = [float(r) for r, _ in table], [100.0 * t for _, t in table]
    shifted = points_errors([r + rated for r in ratings], [t + true for t in truth], [0, 1])
    assert shifted == pytest.approx(points_errors(ratings, truth, [0, 1]), abs=1e-6)


# --- Newcomers ------------------------------------------------------------------------------------------------------
def test_moments_count_a_newcomer_s_own_games_with_either_colour():
    found = moments([0, 2, 0, 1], [2, 1, 1, 2], games=[50, 50, 0], newcomers=[2], after=(1, 3))
    assert found == (Moment(1, 2, 1), Moment(4, 2, 3))
    later = moments([0, 2], [2, 1], games=[0, 0, 8], newcomers=[2], after=(1, 10))
    assert later == (Moment(2, 2, 10),)


def joined(table_of: str):
    """A table of the study's variant after 2,000 games, and what it plays with the 35 who then join."""
    first = next(stretches(2000, 3, 0, PLAIN))
    table = Table(contenders([table_of])[0], PLAIN, [person.strength for person in first.joining])
    table.play(first.white, first.black, first.scores)
    table.join([person.strength for person in first.joining[:35]])
    generator = numpy.random.Generator(numpy.random.PCG64(4))
    pairs = [generator.choice(175, 2, replace=False).tolist() for _ in range(2500)]
    strengths = table.strengths
    wins = [float(generator.random() < strengths[a] / (strengths[a] + strengths[b])) for a, b in pairs]
    return table, [a for a, _ in pairs], [b for _, b in pairs], wins


@pytest.mark.parametrize("key", ["elo", "solo-zerg", "glicko"])
def test_a_stretch_cut_at_the_moments_is_the_stretch_played_game_by_game(key):
    """Second way: after every single game, who has just played his 1st, 5th or 20th is looked at."""
    table, *games = joined(key)
    other, *_ = joined(key)
    elo_scale = key != "solo-zerg"
    newcomers = range(140, 175)
    found = newcomer_errors(table, *games, newcomers, elo_scale=elo_scale, after=(1, 5, 20))
    truth, established = true_ratings(other.strengths), range(140)
    seen = []
    for number, (white, black, score) in enumerate(zip(*games, strict=True), start=1):
        other.play([white], [black], [score])
        for place in (white, black):
            own = other.games[place]
            if place >= 140 and own in (1, 5, 20):
                moment = Moment(number, place, own)
                seen.append(newcomer_error(moment, other.ratings, truth, established, elo_scale=elo_scale))
    assert found == tuple(seen)
    assert table.ratings == other.ratings
    assert {each.own_games for each in found} == {1, 5, 20}
    assert all((each.points is None) != elo_scale for each in found)


def test_one_look_by_hand_and_none_without_anybody_established() -> None:
    """A newcomer at 1000 whose truth is 200 above that of a field that is 10 off either way."""
    ratings, truth = [990.0, 1010.0, 1000.0], [0.0, 0.0, 200.0]
    assert newcomer_error(Moment(7, 2, 1), ratings, truth, [0, 1], elo_scale=True) == NewcomerError(
        place=2, own_games=1, points=-200.0, places=0.5, established_points=10.0, established_places=0.25
    )
    table = Table(contenders(["elo"])[0], PLAIN, [10.0, 20.0])
    with pytest.raises(ValueError, match="Nobody is established"):
        newcomer_errors(table, [0], [1], [1.0], [0, 1], elo_scale=True)


# --- How long a probation -------------------------------------------------------------------------------------------
def test_the_probation_table_by_hand_counts_only_who_reached_the_last_look() -> None:
    errors = [
        error(7, 1, -200, 0.5), error(8, 1, 100, 0.3),
        error(7, 10, -120, 0.3), error(8, 10, 60, 0.1),
        error(7, 30, 40, 0.1), error(8, 30, -40, 0.1),
    ]  # fmt: skip
    first, ten, thirty = probation_table(errors, (1, 10, 30))
    assert (first.points, first.newcomers, first.points_gain, first.places_gain) == (150, 2, None, None)
    assert (ten.points, ten.places) == (90, pytest.approx(0.2))
    assert (ten.points_gain, ten.places_gain) == (pytest.approx(60 / 0.9), pytest.approx(0.2 / 0.9))
    assert thirty.points_gain == pytest.approx(25)
    assert (first.ratio, ten.ratio, thirty.ratio) == (3.75, 2.25, 1.0)
    assert enough((first, ten, thirty)) == 30
    assert enough((first, ten, thirty), factor=2.25) == 10
    assert enough((first, ten, thirty), factor=0.9) is None
    errors = [error(7, 1, 100), error(8, 1, 900), error(7, 10, 50)]
    first, ten = probation_table(errors, (1, 10))
    assert (first.newcomers, first.points, ten.points) == (1, 100, 50)
    assert probation_table([error(8, 1, 900)], (1, 10)) == ()


def test_off_elo_s_scale_places_decide_and_without_an_error_there_is_no_ratio() -> None:
    row = probation_table([error(7, 1, None, 0.05)], (1,))[0]
    assert (row.points, row.points_gain) == (None, None)
    assert row.ratio == pytest.approx(2.5)
    perfect = NewcomerError(1, 1, 0.0, 0.0, 0.0, 0.0)
    row = probation_table([perfect], (1,))[0]
    assert row.ratio is None
    assert enough([row]) is None


@given(st.lists(st.floats(0, 300), min_size=len(AFTER), max_size=len(AFTER)))
def test_gains_add_up_to_the_whole_way(sizes):
    rows = probation_table([error(1, own, size) for own, size in zip(AFTER, sizes, strict=True)])
    tens = [(b - a) / 10 for a, b in pairwise(AFTER)]
    gained = sum(row.points_gain * ten for row, ten in zip(rows[1:], tens, strict=True))
    assert gained == pytest.approx(sizes[0] - sizes[-1], abs=1e-6)


# --- A jump of strength ---------------------------------------------------------------------------------------------
def test_the_curve_of_own_games_and_the_level_of_a_strength_by_hand() -> None:
    white, black = [1, 2, 1, 5], [2, 3, 9, 1]
    curve = own_curve(white, black, [11, 25, 13, 0], [21, 0, 0, 17], players=[1, 2, 3], length=2)
    assert curve == ((11 + 21) / 2, (13 + 25) / 2)
    assert own_curve(white, black, [0] * 4, [0] * 4, players=[3], length=2) == ()
    assert level_of(40, [1000, 1200, 1300, 1900], [10, 40, 40, 40], without=[3]) == 1250
    with pytest.raises(ValueError, match="strength 80"):
        level_of(80, [1000], [10], without=[])


def test_half_and_nine_tenths_of_a_jump_up_or_down():
    curve = [1000 + 120 * (1 - 0.9**games) for games in range(1, 60)]
    assert reaction(curve, 1000, 1120) == Reaction(half=7, ninety=22)  # 0.9^7 = 0.478, 0.9^22 = 0.0985
    assert reaction([990, 950, 905, 880], 1000, 900) == Reaction(half=2, ninety=3)
    assert reaction([1010, 1049], 1000, 1100) == Reaction(None, None), "not reached"
    assert reaction([1050], 1000, 1100) == Reaction(1, None)
    with pytest.raises(ValueError, match="No jump"):
        reaction([1000], 1000, 1000)


@given(
    st.lists(st.integers(-300, 300), min_size=1, max_size=30), st.integers(10, 300), st.sampled_from([-4, -1, 0.5, 32])
)
def test_reaction_asks_neither_for_the_scale_nor_for_the_direction(steps, jump, unit):
    """Units are powers of two, so that rounding decides nothing."""
    there = reaction(steps, 0, jump)
    assert reaction([unit * each for each in steps], 0, unit * jump) == there
    assert reaction([each + 1024 for each in steps], 1024, 1024 + jump) == there
