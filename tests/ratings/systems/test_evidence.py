"""K of newcomers by evidence: the error it carries is the one ratings make, and no other K would leave less."""

from math import log, sqrt

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import AGE_UNKNOWN, PlayedGame, PlayerState
from ratings.systems.elo import Elo, EloSettings, evidence_of, expected_score
from ratings.systems.evidence import best_k, break_even, error_after, settled
from tests.choosing import examples

Q = log(10.0) / 400.0
deviations = st.floats(1, 1000)


@examples(200)
@given(deviations, deviations, st.floats(0, 1), st.floats(0.1, 1000))
def test_a_game_takes_no_evidence_away_and_an_uncertain_opponent_gives_less(
    own: float, other: float, expected: float, k: float
) -> None:
    after = error_after(own, other, expected, k, Q)
    assert error_after(own, 0.0, expected, k, Q) <= after <= own


@pytest.mark.parametrize("k", [10.0, 20.0, 40.0])
def test_under_one_k_it_comes_to_what_an_established_player_has_whoever_he_meets(k: float) -> None:
    for expected in (0.5, 0.2):
        deviation = 350.0
        for _game in range(20_000):
            deviation = error_after(deviation, 0.0, expected, k, Q)
        assert deviation == pytest.approx(settled(k, Q), rel=0.03)


@examples(200)
@given(deviations)
def test_no_other_k_leaves_less_against_an_equal(deviation: float) -> None:
    best = best_k(deviation, Q)
    left = error_after(deviation, 0.0, 0.5, best, Q)
    assert all(error_after(deviation, 0.0, 0.5, best * factor, Q) >= left for factor in (0.5, 0.9, 1.1, 2.0))
    assert left == pytest.approx(1 / sqrt(1 / deviation**2 + Q * Q / 4)), "as Glicko’s against a known opponent"


def test_from_the_break_even_on_the_regular_k_leaves_less() -> None:
    border = break_even(40.0, 20.0, Q)
    for deviation, newcomers_is_better in ((1.1 * border, True), (0.95 * border, False)):
        newcomer, regular = (error_after(deviation, 0.0, 0.3, k, Q) for k in (40.0, 20.0))
        assert (newcomer < regular) is newcomers_is_better


def test_the_error_told_is_the_error_made() -> None:
    """Two thousand careers whose strengths are known: K 40, opponents of many strengths."""
    rng = numpy.random.default_rng(1)
    strength, rating, told = rng.normal(0.0, 150.0, 2000), numpy.zeros(2000), numpy.full(2000, 150.0)
    for _game in range(40):
        opponent = rng.normal(0.0, 150.0, 2000)
        expected = 1.0 / (1.0 + 10.0 ** ((opponent - rating) / 400.0))
        won = rng.random(2000) < 1.0 / (1.0 + 10.0 ** ((opponent - strength) / 400.0))
        rating += 40.0 * (won - expected)
        told = numpy.array([error_after(own, 0.0, e, 40.0, Q) for own, e in zip(told, expected, strict=True)])
    assert float((rating - strength).std()) == pytest.approx(float(sqrt((told**2).mean())), rel=0.06)


def test_k_ends_to_be_a_newcomers_by_what_his_games_tell() -> None:
    """Against equals that is soon; against somebody 700 points below it takes four times as many games."""
    elo, left = Elo(), {}
    for kind in ("until-known", "evidence"):
        settings = elo.read_settings({"newcomer_k": kind})
        for gap in (0.0, 700.0):
            player, games = PlayerState(1500.0, 0, 1500.0), 0
            evidence = evidence_of(settings)
            assert evidence is not None
            while (step := evidence.step(player, AGE_UNKNOWN)).reason == "newcomer" and games < 400:
                opponent = PlayerState(1500.0 - gap, 500, 1500.0, deviation=40.0)
                elo.game_rater(settings)(player, opponent, PlayedGame(1, 1, 2, expected_score(gap, 0.0), 1 << 60, 1))
                assert step.k > 20.0
                games += 1
            left[kind, gap] = games
    assert left["until-known", 0.0] == 27
    assert left["until-known", 700.0] > 100 < left["evidence", 700.0]


@pytest.mark.parametrize("kind", ["until-known", "evidence"])
def test_importance_moves_the_rating_and_tells_no_less(kind: str) -> None:
    told = {}
    for importance in (1.0, 3.0):
        player = PlayerState(1500.0, 0, 1500.0)
        rate = Elo().game_rater(Elo().read_settings({"newcomer_k": kind}))
        for _game in range(40):
            player.rating, opponent = 1500.0, PlayerState(1500.0, 500, 1500.0, deviation=40.0)
            figures = rate(player, opponent, PlayedGame(1, 1, 2, 0.5, 1 << 60, 1, importance=importance))
        assert figures is not None
        told[importance] = player.deviation
        assert figures[1] == pytest.approx(20.0 * importance, rel=0.05)
    assert told[1.0] == told[3.0]


def test_whoever_played_before_is_taken_for_as_well_known_as_his_games_would_have_made_him() -> None:
    evidence = evidence_of(Elo().read_settings({"newcomer_k": "evidence"}))
    assert evidence is not None
    by_count = 200.0
    for _game in range(23):
        by_count = error_after(by_count, 0.0, 0.5, 40.0, Q)
    assert evidence.deviation(PlayerState(1500.0, 23, 1500.0), AGE_UNKNOWN) == by_count, "at the K that was counted"
    known = [evidence.deviation(PlayerState(1500.0, games, 1500.0), AGE_UNKNOWN) for games in (0, 10, 30, 1000)]
    assert known == sorted(known, reverse=True)
    assert known[0] == 200.0
    assert known[-1] == pytest.approx(settled(20.0, Q), rel=0.05)


@pytest.mark.parametrize(
    ("raw", "refusal"),
    [
        ({"newcomer_k": "soon"}, "newcomer_k “soon” is not known"),
        ({"newcomer_deviation": 200}, "belongs to newcomer_k"),
        ({"newcomer_k": "evidence", "period": "day"}, "a rating after every game"),
        ({"newcomer_k": "evidence", "one_k": True}, "each player’s own K"),
        ({"newcomer_k": "until-known", "k_rule": "uscf"}, "a K of newcomers"),
        ({"newcomer_k": "evidence", "preset": "fide"}, "a rating after every game"),
        ({"newcomer_k": "evidence", "newcomer_deviation": 59}, "With K 40 a first game would tell nothing"),
        ({"newcomer_k": "evidence", "k_rule": "constant", "k": 400}, "newcomer_deviation 200 is too small"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(raw: dict[str, object], refusal: str) -> None:
    with pytest.raises(ValueError, match=refusal):
        Elo().read_settings(raw)


def test_it_is_off_unless_asked_for() -> None:
    assert evidence_of(EloSettings()) is None
