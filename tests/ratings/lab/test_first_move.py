"""What White is worth: by hand, found again in made-up games, and never from what is scored."""

from math import log, nan

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.lab.findings import POINTS, fit_first_move, moved
from ratings.lab.measures import log_loss


def test_among_equals_it_is_whites_score_alone_and_where_all_came_as_told_nothing() -> None:
    """Three points of four: odds of three to one, ln 3 in the logistic, 190.8 points of Elo."""
    assert fit_first_move([0.5] * 4, [1.0, 1.0, 1.0, 0.0]) == pytest.approx(400 * log(3) / log(10))
    assert fit_first_move([0.5] * 2, [1.0, 0.5]) == pytest.approx(190.848, abs=0.001)
    assert fit_first_move([0.75] * 4, [1.0, 1.0, 1.0, 0.0]) == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(ValueError, match="2 expected scores for 1 games"):
        fit_first_move([0.5, 0.5], [1.0])


@pytest.mark.parametrize("scores", [[], [1.0, 1.0], [0.0, 0.0]])
def test_no_game_and_one_sided_games_have_no_answer(scores: list[float]) -> None:
    assert fit_first_move([0.6] * len(scores), scores) is None


@given(
    st.lists(st.tuples(st.floats(0.0, 1.0), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=40),
    st.floats(-100, 100),
)
def test_no_other_advantage_is_likelier(games: list[tuple[float, float]], other: float) -> None:
    expected, scores = (numpy.array(column) for column in zip(*games, strict=True))
    found = fit_first_move(expected, scores)
    if found is not None:
        best = log_loss(moved(expected, found), scores, clip=1e-300)
        assert best <= log_loss(moved(expected, found + other), scores, clip=1e-300) + 1e-9
        assert moved(expected, found).sum() == pytest.approx(scores.sum())


@settings(max_examples=10, deadline=None)
@given(advantage=st.floats(-120, 120), seed=st.integers(0, 1000))
def test_what_made_the_games_is_found_again(advantage: float, seed: int) -> None:
    rng = numpy.random.default_rng(seed)
    expected = 1.0 / (1.0 + 10.0 ** (rng.normal(0.0, 200.0, 20_000) / 400.0))
    scores = (rng.random(20_000) < moved(expected, advantage)).astype(float)
    error = POINTS / numpy.sqrt((expected * (1 - expected)).sum())
    assert fit_first_move(expected, scores) == pytest.approx(advantage, abs=5 * error)


def test_points_are_added_to_whites_lead_and_a_certain_game_stays_next_to_certain() -> None:
    assert moved([0.5, 10 / 11], 400.0).tolist() == pytest.approx([10 / 11, 100 / 101])
    assert moved([0.3], 0.0).tolist() == pytest.approx([0.3])
    assert numpy.isnan(moved([nan], 50.0)).all()
    assert moved([0.0, 1.0], 70.0).tolist() == pytest.approx([0.0, 1.0], abs=1e-5)
