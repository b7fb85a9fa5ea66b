"""The ceiling: the club's own fit, found again through the ledger's way; nothing of the future in a prediction."""

from datetime import date
from itertools import pairwise
from math import isclose, log

import numpy
import pytest

from ratings.lab.ceiling import MOST_FITS, Games, ceiling, sample_points
from ratings.lab.engine import PLAIN
from ratings.lab.measures import kendall_tau_b, log_loss
from ratings.lab.world import stretches
from ratings.systems.base import Group, PlayedGame, order_key
from ratings.systems.bradley_terry import expected_score, fit_group

TODAY = date(2026, 11, 21)
STREAM = next(stretches(3000, 6, 0, PLAIN))
STRENGTHS = [person.strength for person in STREAM.joining]
COLUMNS = (STREAM.white, STREAM.black, STREAM.scores)


def test_the_fit_is_the_one_the_club_s_list_is_rated_by():
    """The same games through `fit_group`, draws among them."""
    white, black, scores = [0, 1, 2, 0, 2, 1], [1, 2, 0, 2, 1, 0], [1, 0.5, 0, 1, 0.5, 1]
    played = [
        PlayedGame(number, *game, order_key(TODAY, number), 1)
        for number, game in enumerate(zip(white, black, scores, strict=True))
    ]
    theta, nu = fit_group(Group(played, {}, {}, 1))
    found, drawn = Games(white, black, scores, players=3).fit(6)
    assert found == [theta[0], theta[1], theta[2]]
    assert drawn == nu > 0


def test_two_players_have_the_odds_of_their_score():
    """Three of four won; the virtual games draw both towards the middle, so a little less than 3 to 1."""
    theta, nu = Games([0, 1, 0, 0], [1, 0, 1, 1], [1, 0, 1, 0], players=2).fit(4)
    assert nu == 0
    assert isclose(theta[0], -theta[1])
    assert 0 < theta[0] - theta[1] < log(3)
    pull = 3 - 4 * expected_score(2 * theta[0], 0)
    assert isclose(pull, expected_score(theta[0], 0) - 0.5, abs_tol=1e-9)


@pytest.mark.extended
def test_predictions_know_nothing_of_what_they_predict_as_arrays_or_lists() -> None:
    changed = (STREAM.white, STREAM.black, [*STREAM.scores[:1000], *[1.0] * 2000])
    one, other = Games(*COLUMNS, 140), Games(*changed, 140)
    found = one.expected(*one.fit(1000), 1000, 3000)
    assert found == other.expected(*other.fit(1000), 1000, 3000)
    assert len(found) == 2000
    assert ceiling(*COLUMNS, STRENGTHS, [1000])[0].log_loss != ceiling(*changed, STRENGTHS, [1000])[0].log_loss
    arrays = ceiling(*map(numpy.asarray, COLUMNS), STRENGTHS, [1000, 3000])
    assert arrays == ceiling(*COLUMNS, STRENGTHS, [1000, 3000])


def test_between_two_fits_the_earlier_one_predicts():
    whole = ceiling(*COLUMNS, STRENGTHS, [1000, 2000])
    games = Games(*COLUMNS, 140)
    for point, (first, last) in zip(whole, ((1000, 2000), (2000, 3000)), strict=True):
        expected = games.expected(*games.fit(first), first, last)
        assert point.log_loss == log_loss(expected, STREAM.scores[first:last])


def test_more_games_order_better_by_the_table_of_the_fit() -> None:
    early, _, late = ceiling(*COLUMNS, STRENGTHS, [300, 1000, 3000])
    assert late.tau > early.tau
    assert late.ordered > early.ordered
    assert late.index < early.index
    assert late.log_loss is None
    point = ceiling(*COLUMNS, STRENGTHS, [3000])[0]
    theta, _ = Games(*COLUMNS, 140).fit(3000)
    assert point.tau == kendall_tau_b(theta, STRENGTHS)
    order = sorted(range(140), key=lambda place: -theta[place])
    ratios = [STRENGTHS[below] / STRENGTHS[above] for above, below in pairwise(order)]
    assert point.index == sum(3 if r >= 4 else 2 if r > 1 else 1 if r <= 0.25 else 0 for r in ratios)


def test_newcomers_stand_in_the_middle_until_they_are_fitted():
    """Place 2 first plays after four games, and is predicted as one of whom nothing is known."""
    games = Games([0, 0, 1, 0, 2, 2], [1, 1, 0, 1, 0, 1], [1, 1, 0, 1, 1, 1], 3)
    theta, nu = games.fit(4)
    assert theta[2] == 0.0
    assert games.expected(theta, nu, 4, 6) == [expected_score(0.0 - theta[0], nu), expected_score(0.0 - theta[1], nu)]


def test_points_are_spread_evenly_and_those_that_are_none_of_the_stream_are_refused():
    assert sample_points(100_000) == tuple(range(10_000, 100_001, 10_000))
    assert (sample_points(250), sample_points(30)) == ((125, 250), (30,))
    assert len(sample_points(10**6, fits=MOST_FITS)) == 10
    for points in ([], [0], [2000, 1000], [4000], list(range(100, 1300, 100))):
        with pytest.raises(ValueError, match="ascending"):
            ceiling(*COLUMNS, STRENGTHS, points)
    few = [[0, 1, 0, 2, 1, 2] * 2, [1, 2, 2, 0, 0, 1] * 2, [1.0, 0.5, 0.0] * 4, [30.0, 20.0, 10.0]]
    for points in ([1], [12], [6, 6], list(range(1, MOST_FITS + 1))):
        assert [point.games for point in ceiling(*few, points)] == points
