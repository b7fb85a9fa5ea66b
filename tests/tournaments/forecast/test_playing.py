"""Formats played many times: against chances worked out exactly, and what symmetry asks for."""

from itertools import product
from math import sqrt
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.draws import odds_of
from ratings.systems.elo import expected_score
from tournaments.forecast.formats import AT_ONCE, Format, Kind, Played, odds_table, play, schedule

RATE = 0.857
FORMATS = (
    Format(Kind.ROUND_ROBIN), Format(Kind.ROUND_ROBIN, cycles=2), Format(Kind.SWISS, rounds=3),
    Format(Kind.KNOCKOUT), Format(Kind.KNOCKOUT, games=2), Format(Kind.GROUPS),
)  # fmt: skip
each_format = pytest.mark.parametrize("form", FORMATS, ids=lambda form: f"{form.kind}-{form.cycles}-{form.games}")


def played(form: Format, ratings: list[float], samples: int = 2000, seed: int = 7) -> Played:
    return play(form, odds_table(ratings, RATE), samples, numpy.random.Generator(numpy.random.PCG64(seed)))


def close(values: Any, expected: float) -> bool:
    """Within four standard errors."""
    return bool(abs(values.mean() - expected) <= 4 * values.std() / sqrt(len(values)) + 1e-12)


def goes_on(one: float, other: float) -> float:
    odds = odds_of(expected_score(one, other), RATE)
    return odds.win / (odds.win + odds.loss) * odds.draw + odds.win


def in_round_robin(ratings: list[float]) -> tuple[float, float]:
    """The first's share of first place, and how often it is shared, over every outcome."""
    games = [pair for pairs in schedule(len(ratings), 1) for pair in pairs]
    share = tied = 0.0
    for halves in product((0, 1, 2), repeat=len(games)):
        chance, points = 1.0, [0] * len(ratings)
        for (one, other), mine in zip(games, halves, strict=True):
            odds = odds_of(expected_score(ratings[one], ratings[other]), RATE)
            chance *= (odds.loss, odds.draw, odds.win)[mine]
            points[one] += mine
            points[other] += 2 - mine
        level = points.count(max(points))
        share += chance / level if points[0] == max(points) else 0.0
        tied += chance if level > 1 else 0.0
    return share, tied


@pytest.mark.parametrize("ratings", [[1600.0, 1500.0, 1400.0], [1700.0, 1500.0, 1450.0, 1400.0]])
def test_a_round_robin_comes_out_as_every_outcome_says(ratings: list[float]) -> None:
    share, tied = in_round_robin(ratings)
    result = played(Format(Kind.ROUND_ROBIN), ratings)
    assert close(result.share[:, 0], share)
    assert close(result.tied, tied)


def test_a_knockout_and_its_matches_come_out_as_reckoned() -> None:
    one, two, three, four = ratings = [1700.0, 1600.0, 1500.0, 1400.0]
    wins = goes_on(one, four) * (goes_on(two, three) * goes_on(one, two) + goes_on(three, two) * goes_on(one, three))
    assert close(played(Format(Kind.KNOCKOUT), ratings).share[:, 0], wins)
    odds = odds_of(expected_score(1600.0, 1500.0), RATE)
    ahead = odds.win**2 + 2 * odds.win * odds.draw
    level = odds.draw**2 + 2 * odds.win * odds.loss
    result = played(Format(Kind.KNOCKOUT, games=2), [1600.0, 1500.0], samples=4000)
    assert close(result.share[:, 0], ahead + level * odds.win / (odds.win + odds.loss))
    assert (result.games == 2).all(), "after one win the other can still draw level"
    assert (played(Format(Kind.KNOCKOUT, games=3), [3000.0, 500.0], samples=50).games == 2).all()


@each_format
def test_equals_win_equally_often_first_place_is_dealt_out_once_and_games_have_two_sides(form: Format) -> None:
    result = played(form, [1500.0] * 8)
    for player in range(8):
        assert close(result.share[:, player], 1 / 8)
    result = played(form, [1500.0 - 30 * player for player in range(9)], samples=100)
    assert numpy.allclose(result.share.sum(axis=1), 1.0)
    assert ((result.share.max(axis=1) < 1.0) == result.tied).all()
    if form.kind in (Kind.KNOCKOUT, Kind.GROUPS):
        assert not result.tied.any()
    result = played(form, [2000.0, 1500.0, 1500.0, 1500.0, 1500.0, 1500.0, 1000.0], samples=50)
    both = result.games.sum(axis=1)
    assert (both % 2 == 0).all()
    assert (result.one_sided <= both // 2).all()


def test_one_sided_games_are_counted_and_the_bye_is_worth_a_win_and_no_game() -> None:
    # 400 points make 0.909, 360 make 0.888: of three games one is one-sided.
    assert (played(Format(Kind.ROUND_ROBIN), [1900.0, 1540.0, 1500.0], samples=5).one_sided == 1).all()
    result = played(Format(Kind.SWISS, rounds=2), [3000.0, 1500.0, 500.0], samples=20)
    assert (result.games.sum(axis=1) == 4).all()
    assert (result.share[:, 0] == 1.0).all()
    assert result.games.tolist() == [[2, 1, 1]] * 20, "the last has the first bye, the other the second"


@given(ratings=st.lists(st.floats(500, 2900), min_size=2, max_size=6), rate=st.floats(0, 5))
def test_odds_keep_the_expected_score(ratings: list[float], rate: float) -> None:
    odds = odds_table(ratings, rate)
    assert numpy.allclose(odds.win + odds.draw + odds.win.T, 1.0)
    assert numpy.allclose(odds.decided + odds.decided.T, 1.0)
    for one, own in enumerate(ratings):
        assert odds.win[one, 0] + odds.draw[one, 0] / 2 == pytest.approx(expected_score(own, ratings[0]))


@each_format
def test_the_same_seed_play_the_same_event_and_of_many_none_is_lost(form: Format) -> None:
    one, other = (played(form, [1600.0, 1550.0, 1500.0, 1450.0, 1400.0], samples=20) for _time in range(2))
    assert (one.share == other.share).all()
    assert (one.games == other.games).all()
    ratings = [1700.0, 1600.0, 1500.0, 1400.0, 1300.0, 1250.0, 1200.0, 1100.0]
    found = played(form, ratings, samples=2 * AT_ONCE + 3)
    assert {len(part) for part in (found.share, found.tied, found.games, found.one_sided)} == {2 * AT_ONCE + 3}
    assert numpy.allclose(found.share.sum(axis=1), 1.0)
    assert (played(form, ratings, samples=AT_ONCE).share == found.share[:AT_ONCE]).all()
