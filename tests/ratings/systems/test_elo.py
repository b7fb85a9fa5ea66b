"""Elo and its K rule: printed examples of the sources, then properties."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubrating.ground.figures import round_half_away
from ratings.systems.base import PlayedGame, PlayerState, Side, order_key
from ratings.systems.elo import PRESETS, Elo, EloSettings, expected_score, k_step_of
from ratings.systems.encounter import rate_single
from ratings.systems.k_factors import K_RULES, common_k
from ratings.systems.replay import DatedRule, DatedRules, RatedGame, replay

TODAY = date(2026, 11, 21)
RATINGS = st.floats(0, 4000)
SCORES = st.sampled_from([0.0, 0.5, 1.0])


def state(rating: float, *, games: int = 100, peak: float | None = None, born: int | None = None) -> PlayerState:
    return PlayerState(rating, games, rating if peak is None else peak, born)


def rate(
    white: PlayerState, black: PlayerState, score: float, on: date = TODAY, **settings: object
) -> tuple[Side, Side]:
    return rate_single(Elo(), Elo().read_settings(settings), white, black, score, on)


def changes(white: Side, black: Side) -> tuple[float, float]:
    assert white.change is not None
    assert black.change is not None
    return white.change, black.change


@pytest.mark.parametrize(("score", "own", "other"), [(1.0, 18, -9), (0.5, 8, -4), (0.0, -2, 1)])
def test_2344_against_2777_as_the_first_source_prints_it(score: float, own: int, other: int) -> None:
    white, black = changes(*rate(state(2344), state(2777), score, preset="fide-simple"))
    assert (round_half_away(white), round_half_away(black)) == (own, other)


@pytest.mark.parametrize(("gap", "percent"), [(0, 50), (200, 76), (400, 91), (600, 97)])
def test_the_expected_score_of_a_gap(gap: int, percent: int) -> None:
    assert round(100 * expected_score(1500 + gap, 1500)) == percent


def test_k_follows_the_fide_rule() -> None:
    for player, k, reason in (
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
    ):
        step = k_step_of(EloSettings(), player, TODAY)
        assert (step.k, step.reason) == (k, reason)


def test_k_edge_by_edge() -> None:
    for rule, edges in (
        ("fide-simple", [(2500, 29, 2500, 40, 40), (2400, 30, 2400, 40, 10), (2399.9, 30, 2450, 40, 20)]),
        ("fide-simple", [(2299, 30, 2299, 17, 40), (2299, 30, 2299, 18, 20), (2300, 30, 2300, 17, 20)]),
        ("fide-old", [(2500, 29, 2500, 40, 25), (2399, 30, 2399, 40, 15), (2350, 31, 2400, 40, 10)]),
        ("uscf", [(2099.9, 100, 2099.9, 40, 32), (2100, 100, 2100, 40, 24), (2399.9, 100, 2399.9, 40, 24)]),
        ("uscf", [(2400, 100, 2400, 40, 16)]),
        ("xiangqi", [(1499, 0, 1499, 40, 55), (1500, 0, 1500, 40, 40), (1800, 0, 1800, 40, 25)]),
        ("xiangqi", [(1799.9, 0, 1799.9, 40, 40), (2099.9, 0, 2099.9, 40, 25), (2100, 0, 2100, 40, 10)]),
        ("xiangqi", [(1700, 0, 2399.9, 40, 40), (1700, 0, 2400, 40, 10)]),
        ("diary", [(1600, 30, 1600, 40, 25), (1600, 31, 1600, 40, 22), (1700, 31, 1700, 40, 22)]),
        ("diary", [(1700.1, 0, 1700.1, 40, 20), (1900.1, 31, 1900.1, 40, 15), (2100.1, 31, 2100.1, 40, 10)]),
        ("diary", [(1900, 31, 1900, 40, 20), (2100, 31, 2100, 40, 15)]),
        ("study", [(2399.9, 0, 2399.9, 40, 15)]),
        ("study", [(999.9, 0, 999.9, 40, 25), (1000, 0, 1000, 40, 15), (2400, 0, 2400, 40, 10)]),
    ):
        for rating, games, peak, age, k in edges:
            assert K_RULES[rule].step(rating, games, peak, age).k == k, (rating, games, peak, age)
    of_xiangqi = [K_RULES["xiangqi"].step(2100, 0, peak, 40).reason for peak in (2399.9, 2400)]
    assert of_xiangqi == ["from-2100", "reached-2400"], "the same K for another reason"


@pytest.mark.parametrize("gap", [0.5, 300.0])
def test_a_common_k_is_the_higher_rateds_if_he_won_else_the_lower_rateds(gap: float) -> None:
    assert [common_k(gap, score, 10, 40) for score in (1.0, 0.5, 0.0)] == [10, 40, 40]
    assert [common_k(-gap, score, 40, 10) for score in (1.0, 0.5, 0.0)] == [40, 40, 10]
    assert common_k(0.0, 1.0, 10, 40) == common_k(0.0, 1.0, 40, 10) == 10


@given(st.sampled_from(list(K_RULES)), RATINGS, st.integers(0, 100), st.integers(0, 99))
def test_every_k_rule_has_a_step_for_everybody(rule: str, rating: float, games: int, age: int) -> None:
    assert K_RULES[rule].step(rating, games, rating, age) in K_RULES[rule].steps


def test_a_fixed_k_overrules_the_rule() -> None:
    fixed = PlayerState(1500, 0, 1500, fixed_k=7)
    assert rate(fixed, state(1500), 1.0)[0].change == 3.5
    assert k_step_of(EloSettings(), fixed, TODAY).reason == "fixed"
    assert rate(state(100), state(120), 0.0, floor=100)[0].after == 100
    white, black = rate(state(1500), state(1500), 1.0, whole=True, k_rule="constant", k=25)
    assert (white.after, black.after) == (1513, 1488)
    assert rate(state(1500), state(1900), 1.0, base=100)[0].expected == pytest.approx(1 / 101)
    assert rate(state(1500), state(1500), 1.0, preset="constant", k=30)[0].change == 15


# Appendix C of the source, the study's Elo: K of each side and the printed changes.


STUDY = [  # winner, loser and their printed changes
    (750, 750, 12.50, -12.50), (1000, 1000, 7.50, -7.50), (1500, 1500, 7.50, -7.50), (2500, 2500, 5.00, -5.00),
    (700, 1100, 22.73, -13.64), (1100, 700, 1.36, -2.27), (1200, 1400, 11.40, -11.40), (1400, 1200, 3.60, -3.60),
    (1000, 1600, 14.54, -14.54), (1600, 1000, 0.46, -0.46), (2100, 2200, 9.60, -9.60), (2200, 2100, 5.40, -5.40),
    (900, 2500, 25.00, -10.00),
]  # fmt: skip


def test_the_studys_elo_as_printed() -> None:
    for winner, loser, up, down in STUDY:
        gain, loss = changes(*rate(state(winner), state(loser), 1.0, preset="study"))
        assert (round(gain, 2), round(loss, 2)) == (up, down)
    gain, loss = changes(*rate(state(2500), state(900), 1.0, preset="study"))
    assert (round(gain, 4), round(loss, 4)) == (0.0010, -0.0025)


def test_xiangqi_takes_one_k_for_both() -> None:
    for white, black, score, k in (
        (2000, 1700, 1.0, 25),  # the favourite wins: the favourite's K
        (2000, 1700, 0.5, 40),  # a draw or an upset: the other's
        (2000, 1700, 0.0, 40),
        (1700, 2000, 0.0, 25),
        (1700, 2000, 0.5, 40),
        (1700, 1700, 1.0, 40),
    ):
        own, other = rate(state(white), state(black), score, preset="xiangqi")
        assert own.k == other.k == k
        assert sum(changes(own, other)) == pytest.approx(0, abs=1e-9)


def test_xiangqi_reads_its_table_and_of_equals_with_different_ks_takes_the_smaller() -> None:
    own, other = rate(state(1900, peak=2400), state(1900), 1.0, preset="xiangqi")
    assert own.k == other.k == 10
    assert rate(state(2665), state(2663), 1.0, preset="xiangqi")[0].expected == 0.50
    assert rate(state(2200), state(2000), 1.0, preset="xiangqi")[0].expected == 0.76


def test_a_tournament_update_takes_all_expectations_from_before() -> None:
    system = Elo()
    settings = system.read_settings({"preset": "diary", "period": "event", "whole": True})
    states = {1: state(1700), 2: state(1600), 3: state(1500)}
    rules = DatedRules([DatedRule(TODAY, system, settings)])
    results = enumerate(((1, 2, 1.0), (1, 3, 1.0), (2, 3, 0.5)), start=1)
    games = [PlayedGame(number, *result, order_key(TODAY, number), 1, "cup") for number, result in results]
    rows = list(replay(games, [], states=states, birth_years={}, rules=rules))
    expected = expected_score(1700, 1600) + expected_score(1700, 1500)
    assert states[1].rating == round_half_away(1700 + 22 * (2 - expected))
    assert states[2].rating == round_half_away(
        1600 + 22 * (0.5 - expected_score(1600, 1700) - expected_score(1600, 1500))
    )
    rated = [row for row in rows if isinstance(row, RatedGame)]
    assert [row.white.after for row in rated] == [None] * 3
    meetings = ((1700, 1600), (1700, 1500), (1600, 1500))
    assert [row.white.expected for row in rated] == pytest.approx([expected_score(*each) for each in meetings])
    assert [row.black.expected for row in rated] == pytest.approx([expected_score(*each[::-1]) for each in meetings])


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_stored_as_its_name_and_read_again(preset: str) -> None:
    system = Elo()
    settings = system.read_settings({"preset": preset})
    assert system.stored_settings(settings) == {"preset": preset}
    assert system.read_settings(system.stored_settings(settings)) == settings


@given(RATINGS, RATINGS)
def test_both_expectations_add_up_to_one(a: float, b: float) -> None:
    assert expected_score(a, b) + expected_score(b, a) == pytest.approx(1)


@given(RATINGS, RATINGS, SCORES, st.integers(0, 60), st.integers(0, 60))
def test_a_win_never_lowers_and_a_loss_never_raises(a: float, b: float, score: float, ga: int, gb: int) -> None:
    white, black = changes(*rate(state(a, games=ga), state(b, games=gb), score))
    if score == 1.0:
        assert white >= 0 >= black
    if score == 0.0:
        assert white <= 0 <= black


@given(RATINGS, RATINGS, SCORES)
def test_with_a_common_k_no_point_is_made_or_lost_and_colours_do_not_matter(a: float, b: float, score: float) -> None:
    assert sum(changes(*rate(state(a, peak=0), state(b, peak=0), score))) == pytest.approx(0, abs=1e-9)
    own, other = changes(*rate(state(a), state(b), score))
    assert changes(*rate(state(b), state(a), 1 - score)) == pytest.approx((other, own), abs=1e-9)


def test_settings_have_defaults_and_changed_ones_survive_being_stored() -> None:
    assert Elo().read_settings({}) == EloSettings(start=1500, scale=400, k_rule="fide")
    assert Elo().read_settings({"start": "1200"}).start == 1200
    settings = Elo().read_settings({"preset": "uscf", "scale": 300, "period": "month"})
    assert Elo().stored_settings(settings) == {"preset": "uscf", "scale": 300, "period": "month"}
    assert Elo().read_settings(Elo().stored_settings(settings)) == settings
