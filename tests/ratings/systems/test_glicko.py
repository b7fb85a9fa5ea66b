"""Glicko-1: Glickman's example, the study's table, then what must hold for any games."""

from datetime import date
from math import sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import glicko
from ratings.systems.base import Group, GroupRating, Memory, Period, PlayedGame, PlayerState, order_key

RATINGS = st.floats(0, 4000)
DEVIATIONS = st.floats(30, 350)
SCORES = st.sampled_from([0.0, 0.5, 1.0])
TODAY = date(2026, 11, 21)
# The papers' player, 1500/200, and his opponents: rating, deviation, his score.
EXAMPLE = ((1400, 30, 1.0), (1550, 100, 0.0), (1700, 300, 0.0))


def state(rating: float, deviation: float | None = 350, **more: Any) -> PlayerState:
    return PlayerState(rating, 0, rating, deviation=deviation, **more)


def game(white: int, black: int, score: float, number: int = 1, on: date = TODAY) -> PlayedGame:
    return PlayedGame(number, white, black, score, order_key(on, number), on.toordinal())


def group(states: dict[int, PlayerState], *games: PlayedGame) -> Group:
    return Group(games, states, {}, games[0].rules_day)


def the_example() -> Group:
    """Player 0 with White, with Black and with White again."""
    opponents = {number: state(r, rd) for number, (r, rd, _) in enumerate(EXAMPLE, 1)}
    return group({0: state(1500, 200), **opponents}, game(0, 1, 1.0), game(2, 0, 1.0, 2), game(0, 3, 0.0, 3))


def in_a_month(played: Group, **settings: float) -> GroupRating:
    return glicko.Glicko().group_rater(glicko.GlickoSettings(period=Period.MONTH, **settings))(played)


def one_game(white: PlayerState, black: PlayerState, score: float, **settings: float) -> tuple[float | None, ...]:
    figures = glicko.Glicko().game_rater(glicko.GlickoSettings(**settings))(white, black, game(1, 2, score))
    assert figures is not None
    return figures


def test_the_steps_of_glickmans_example() -> None:
    gs = [glicko.damping(rd) for _, rd, _ in EXAMPLE]
    es = [glicko.expected_score(1500, r, g) for (r, _, _), g in zip(EXAMPLE, gs, strict=True)]
    assert gs == pytest.approx([0.995498, 0.953149, 0.724235], abs=1e-6)
    assert es == pytest.approx([0.639468, 0.431842, 0.302841], abs=1e-6)
    information = sum(g * g * e * (1 - e) for g, e in zip(gs, es, strict=True))
    assert 1 / (glicko.Q * sqrt(information)) == pytest.approx(231.70, abs=0.005)
    assert sqrt(glicko.variance_after(200, information)) == pytest.approx(151.398902, abs=1e-6)


def test_glickmans_example_as_printed_and_exactly_from_the_rating_before() -> None:
    move = in_a_month(the_example()).moves[0]
    assert (round(1500 + move.change), round(move.deviation or 0, 1)) == (1464, 151.4)
    assert 1500 + move.change == pytest.approx(1464.106463, abs=1e-6)
    assert move.deviation == pytest.approx(151.398902, abs=1e-6)
    rating = in_a_month(the_example())
    assert [white.before for white, _ in rating.sides] == [1500, 1550, 1500]
    assert rating.sides[1][1].expected == pytest.approx(0.431842, abs=1e-6), "player 0 had Black"


def test_the_studys_table_to_the_printed_digit() -> None:
    for r2, rd2, e12, loser, loser_rd, winner, winner_rd in (
        ("1400", "150", ".627", "1435.8", "140", "1464", "140"),
        ("1500", "150", ".5", "1449.2", "140", "1550.8", "140"),
        ("1700", "150", ".261", "1472.7", "142", "1727.3", "142"),
        ("1500", "300", ".5", "1457.3", "143", "1645.5", "237"),
        ("1500", "75", ".5", "1446.4", "138", "1514.1", "73.6"),
        ("2500", "100", ".004", "1499.5", "150", "2500.3", "100"),
        ("500", "100", ".996", "1377.4", "150", "551.6", "100"),
    ):
        white, black = state(1500, 150), state(float(r2), float(rd2))
        figures = one_game(white, black, 0.0)
        found = (figures[0], white.rating, white.deviation, black.rating, black.deviation)
        for printed, value in zip((e12, loser, loser_rd, winner, winner_rd), found, strict=True):
            digits = len(printed.partition(".")[2])
            assert value is not None
            assert f"{value:.{digits}f}" == f"{float(printed):.{digits}f}"


@pytest.mark.parametrize(("periods", "c"), [(39, 55.47), (100, 34.64), (30, 63.25)])
def test_c_takes_a_deviation_of_50_back_to_350(periods: int, c: float) -> None:
    assert glicko.grown(50, c, periods, 1000) == pytest.approx(350, abs=0.05)
    assert glicko.grown(50, c, 10 * periods, 350) == 350, "and no further than a newcomer's"


def test_periods_since_the_last_one() -> None:
    for period, last, day, periods in (
        (Period.DAY, None, date(2026, 11, 21), 0),
        (Period.DAY, date(2026, 11, 20), date(2026, 11, 21), 1),
        (Period.DAY, date(2026, 11, 11), date(2026, 11, 21), 10),
        (Period.MONTH, date(2026, 10, 31), date(2026, 11, 1), 1),
        (Period.MONTH, date(2025, 12, 31), date(2026, 1, 1), 1),
        (Period.MONTH, date(2024, 11, 1), date(2026, 11, 30), 24),
        (Period.EVENT, date(2020, 1, 1), date(2026, 11, 21), 1),
    ):
        assert glicko.periods_since(period, last.toordinal() if last else None, day.toordinal()) == periods


def test_a_deviation_grows_by_the_months_away() -> None:
    away = state(1500, 50, last_day=date(2026, 8, 2).toordinal())
    move = in_a_month(group({1: away, 2: state(1500)}, game(1, 2, 0.5)), c=34.64).moves[1]
    expected = glicko.after_game(1500, sqrt(50**2 + 3 * 34.64**2), 1500, 350)[2]
    assert move.deviation == pytest.approx(expected)


def test_between_games_as_periods_every_game_is_the_next_period() -> None:
    seasoned, fresh = state(1500, 50, last_day=date(2020, 1, 1).toordinal()), state(1500, 50)
    one_game(seasoned, fresh, 0.5, c=40.0)
    assert seasoned.deviation == pytest.approx(glicko.after_game(1500, sqrt(50**2 + 40**2), 1500, 50)[2])
    assert fresh.deviation == pytest.approx(glicko.after_game(1500, 50, 1500, sqrt(50**2 + 40**2))[2]), (
        "no period before his"
    )


def test_whoever_has_no_deviation_gets_a_newcomers() -> None:
    settings = glicko.GlickoSettings(deviation=200)
    white, black = state(1500, None), state(1600, None)
    known_white, known_black = state(1500, 200), state(1600, 200)
    assert glicko.Glicko().expected(settings, white, black) == glicko.Glicko().expected(
        settings, known_white, known_black
    )
    assert in_a_month(group({1: white, 2: black}, game(1, 2, 1.0)), deviation=200).moves[1].deviation is not None
    assert one_game(white, black, 1.0, deviation=200) == one_game(known_white, known_black, 1.0)
    assert (white, black) == (known_white, known_black)


@given(RATINGS, DEVIATIONS, RATINGS, DEVIATIONS)
def test_both_forecasts_add_up_to_one(a: float, rd_a: float, b: float, rd_b: float) -> None:
    assert glicko.predicted_score(a, rd_a, b, rd_b) + glicko.predicted_score(b, rd_b, a, rd_a) == pytest.approx(1)


@given(RATINGS, DEVIATIONS, RATINGS, DEVIATIONS, SCORES)
def test_a_win_never_lowers_a_loss_never_raises_and_both_are_better_known(
    a: float, rd_a: float, b: float, rd_b: float, score: float
) -> None:
    white, black = state(a, rd_a), state(b, rd_b)
    one_game(white, black, score)
    if score == 1.0:
        assert white.rating >= a
        assert black.rating <= b
    if score == 0.0:
        assert white.rating <= a
        assert black.rating >= b
    assert white.deviation is not None
    assert white.deviation <= rd_a * (1 + 1e-12)


@given(RATINGS, DEVIATIONS, RATINGS, DEVIATIONS, SCORES, st.floats(0, 100))
def test_a_period_of_one_game_is_the_game_rated_at_once(
    a: float, rd_a: float, b: float, rd_b: float, score: float, c: float
) -> None:
    yesterday = TODAY.toordinal() - 1
    white, black = state(a, rd_a, last_day=yesterday), state(b, rd_b, last_day=yesterday)
    rate = glicko.Glicko().group_rater(glicko.GlickoSettings(period=Period.DAY, c=c))
    rating = rate(group({1: white, 2: black}, game(1, 2, score)))
    figures = one_game(white, black, score, c=c)
    for player, before, after in ((1, a, white), (2, b, black)):
        assert before + rating.moves[player].change == pytest.approx(after.rating)
        assert rating.moves[player].deviation == pytest.approx(after.deviation)
    (white_side, black_side), *_ = rating.sides
    assert (white_side.expected, white_side.k, black_side.expected, black_side.k) == pytest.approx(figures)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(5, 9), SCORES), min_size=1, max_size=20), st.randoms())
def test_in_a_period_the_order_does_not_matter_and_the_shares_add_up(
    results: list[tuple[int, int, float]], random: Any
) -> None:
    states = {player: state(1200 + 70 * player, 60 + 20 * player) for player in range(10)}
    games = [game(white, black, score, number) for number, (white, black, score) in enumerate(results, 1)]
    rating = in_a_month(group(states, *games))
    shuffled = in_a_month(group(states, *random.sample(games, len(games))))
    for player, move in rating.moves.items():
        assert move.change == pytest.approx(shuffled.moves[player].change, abs=1e-9)
        shares = [
            share.change or 0.0
            for played, sides in zip(games, rating.sides, strict=True)
            for who, share in zip((played.white, played.black), sides, strict=True)
            if who == player
        ]
        assert sum(shares) == pytest.approx(move.change, abs=1e-9)
    assert set(rating.moves) == {player for white, black, _ in results for player in (white, black)}


def test_the_period_is_a_setting_and_all_is_none() -> None:
    system = glicko.Glicko()
    settings = system.read_settings({"period": "month", "c": "34.6", "start": 1000})
    assert settings == glicko.GlickoSettings(start=1000, c=34.6, period=Period.MONTH)
    assert (system.period(settings), system.memory(settings)) == (Period.MONTH, Memory.LEDGER)
    assert system.read_settings(system.stored_settings(settings)) == settings
    assert system.read_settings({}) == glicko.GlickoSettings(1500, 350, 0, Period.GAME)
