"""Elo and its K rule: printed examples of the sources, then properties."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubrating.figures import round_half_away
from ratings.systems.base import PlayerState
from ratings.systems.elo import Elo, EloSettings, expected_score
from ratings.systems.k_factors import K_RULES, k_step

TODAY = date(2026, 11, 21)
RATINGS = st.floats(0, 4000)
SCORES = st.sampled_from([0.0, 0.5, 1.0])


def state(rating: float, *, games: int = 100, peak: float | None = None, born: int | None = None) -> PlayerState:
    return PlayerState(rating, games, rating if peak is None else peak, born)


@pytest.mark.parametrize(("score", "own", "other"), [(1.0, 18, -9), (0.5, 8, -4), (0.0, -2, 1)])
def test_2344_against_2777_as_the_first_source_prints_it(score: float, own: int, other: int) -> None:
    white, black = Elo().rate(state(2344), state(2777), score, TODAY, EloSettings())
    assert (round_half_away(white.change), round_half_away(black.change)) == (own, other)


@pytest.mark.parametrize(("gap", "percent"), [(0, 50), (200, 76), (400, 91), (600, 97)])
def test_the_expected_score_of_a_gap(gap: int, percent: int) -> None:
    assert round(100 * expected_score(1500 + gap, 1500)) == percent


@pytest.mark.parametrize(
    ("player", "k", "reason"),
    [
        (state(1500, games=0), 40, "newcomer"),
        (state(1500, games=29), 40, "newcomer"),
        (state(1500, games=30), 20, "regular"),
        (state(2399.9), 20, "regular"),
        (state(2400), 10, "reached-2400"),
        (state(2350, peak=2400), 10, "reached-2400"),
        (state(2350, peak=2400, games=5), 10, "reached-2400"),
        (state(1900, born=2008), 40, "junior"),
        (state(1900, born=2007), 20, "regular"),
        (state(2250, peak=2300, born=2010), 20, "regular"),
        (state(2299, born=2010), 40, "junior"),
        (state(1900, born=None), 20, "regular"),
    ],
)
def test_k_follows_the_fide_rule(player: PlayerState, k: float, reason: str) -> None:
    step = k_step(K_RULES["fide"], player, TODAY)
    assert (step.k, step.reason) == (k, reason)


@pytest.mark.parametrize("rule", K_RULES.values(), ids=list(K_RULES))
def test_every_k_rule_ends_with_a_step_for_everybody(rule: tuple) -> None:  # type: ignore[type-arg]
    assert k_step(rule, state(0, games=10**6, peak=0), TODAY) == rule[-1]


def test_a_rule_with_a_gap_says_so() -> None:
    with pytest.raises(LookupError, match="last step"):
        k_step(K_RULES["fide"][:1], state(1500), TODAY)


@given(RATINGS, RATINGS)
def test_both_expectations_add_up_to_one(a: float, b: float) -> None:
    assert expected_score(a, b) + expected_score(b, a) == pytest.approx(1)


@given(RATINGS, RATINGS, SCORES, st.integers(0, 60), st.integers(0, 60))
def test_a_win_never_lowers_and_a_loss_never_raises(a: float, b: float, score: float, ga: int, gb: int) -> None:
    white, black = Elo().rate(state(a, games=ga), state(b, games=gb), score, TODAY, EloSettings())
    if score == 1.0:
        assert white.change >= 0 >= black.change
    if score == 0.0:
        assert white.change <= 0 <= black.change


@given(RATINGS, RATINGS, SCORES)
def test_with_a_common_k_no_point_is_made_or_lost(a: float, b: float, score: float) -> None:
    white, black = Elo().rate(state(a, peak=0), state(b, peak=0), score, TODAY, EloSettings())
    assert white.change + black.change == pytest.approx(0, abs=1e-9)


@given(RATINGS, RATINGS, SCORES)
def test_colours_do_not_matter(a: float, b: float, score: float) -> None:
    white, black = Elo().rate(state(a), state(b), score, TODAY, EloSettings())
    mirrored_white, mirrored_black = Elo().rate(state(b), state(a), 1 - score, TODAY, EloSettings())
    assert white.change == pytest.approx(mirrored_black.change)
    assert black.change == pytest.approx(mirrored_white.change)


@pytest.mark.parametrize(
    ("raw", "names"),
    [({"k": 20}, "'k'"), ({"start": "high"}, "start"), ({"scale": 0}, "scale"), ({"k_rule": "mine"}, "mine")],
)
def test_a_wrong_setting_is_named(raw: dict[str, object], names: str) -> None:
    with pytest.raises(ValueError, match=names):
        Elo().read_settings(raw)


def test_settings_have_defaults() -> None:
    assert Elo().read_settings({}) == EloSettings(start=1500, scale=400, k_rule="fide")
    assert Elo().read_settings({"start": "1200"}).start == 1200
