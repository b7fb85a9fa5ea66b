"""The back-test: settled and fitted on the first part, scored on the second, by figures worked out by hand."""

import json
from dataclasses import replace
from math import log

import numpy
import pytest
from hypothesis import given as having
from hypothesis import strategies as st

from ratings.lab.backtest import (
    COIN,
    CONTENDERS,
    BackTest,
    Verdict,
    backtest,
    first_scored,
    report,
    with_first_move,
    with_newcomers,
)
from ratings.lab.contenders import Contender
from ratings.lab.measures import Entrant, History, Predictions, entrant, given
from ratings.lab.sides_measures import ContestHistory
from ratings.lab.summary import Difference
from ratings.systems import SYSTEMS
from tests.choosing import examples
from tests.ratings.lab.streams import history, invented


def contestant(key: str) -> Entrant:
    found: Contender = next(each for each in CONTENDERS if each.key == key)
    return entrant(found)


def fixed(key: str, expected: list[float], gaps: list[float] | None = None) -> Entrant:
    """Somebody who says what the test wants."""
    nothing = [float("nan")] * len(expected)
    return Entrant(key, key, lambda _games, _first: Predictions(numpy.array(expected), numpy.array(gaps or nothing)))


def verdict(found: BackTest, key: str) -> Verdict:
    return next(each for each in found.verdicts if each.entrant.key == key)


NAN = float("nan")


# --- what is scored -------------------------------------------------------------------------------------------------
def test_the_second_half_is_scored_and_no_day_is_cut() -> None:
    for days, first in (
        (None, 3),  # no days: half way
        ([0, 0, 0, 1, 1, 1], 3),
        ([0, 0, 1, 1, 2, 2], 4),  # half way would cut the second day in two
        ([0, 1, 1, 1, 1, 1], 1),  # no later day begins: the last one is scored whole
        ([0, 0, 0, 0, 0, 0], 3),  # one day only
    ):
        assert first_scored(history([(0, 1, 1.0)] * 6, days)) == first


def test_log_loss_and_brier_by_hand() -> None:
    """K 20, four games of two at 1500. White is 20, 38.85 and 56.62 points ahead before the last three; of the third,
    won, 0.555678 is told, of the fourth, drawn, 0.580773."""
    found = backtest(history([(0, 1, 1.0), (0, 1, 1.0), (0, 1, 1.0), (0, 1, 0.5)]), [contestant("elo-k20")], "elo-k20")
    one = found.verdicts[0]
    rating, known = 1500.0, []
    for score in (1.0, 1.0, 1.0, 0.5):
        known.append(1.0 / (1.0 + 10.0 ** ((1500.0 - rating) * 2.0 / 400.0)))
        rating += 20.0 * (score - known[-1])
    assert one.expected.tolist() == pytest.approx(known[2:], abs=1e-12)
    assert known[2:] == pytest.approx([0.555678, 0.580773], abs=1e-6)
    win, draw = -log(known[2]), -(log(known[3]) + log(1.0 - known[3])) / 2.0
    assert one.losses.tolist() == pytest.approx([win, draw])
    assert one.log_loss == pytest.approx((0.587567 + 0.706369) / 2.0, abs=1e-6)
    assert one.brier == pytest.approx(((1.0 - known[2]) ** 2 + (0.5 - known[3]) ** 2) / 2.0)


def test_a_draw_is_half_a_win_and_half_a_loss_and_a_coin_loses_ln_2() -> None:
    lines = [0.5, 0.8]
    drawn, won, lost = (
        backtest(history([(0, 1, 1.0), (0, 1, score)]), [fixed("a", lines)], "a").verdicts[0].log_loss
        for score in (0.5, 1.0, 0.0)
    )
    assert drawn == pytest.approx((won + lost) / 2.0)
    found = backtest(invented(40), [fixed("coin", [0.5] * 40)], "coin")
    assert found.verdicts[0].log_loss == pytest.approx(COIN) == pytest.approx(log(2.0))


def test_what_nobody_knows_is_told_as_a_coin_and_too_few_games_are_refused() -> None:
    games = history([(0, 1, 1.0)] * 4)
    one = backtest(games, [fixed("a", [NAN, NAN, NAN, 0.75])], "a").verdicts[0]
    assert one.expected.tolist() == [0.5, 0.75]
    assert (one.untold, one.slope) == (1, None)
    for count in (0, 1):
        with pytest.raises(ValueError, match=rf"Too few played games \({count}\)"):
            backtest(history([(0, 1, 1.0)] * count), [contestant("elo")], "elo")


def test_only_games_with_newcomers_are_scored_where_they_are_asked_for() -> None:
    games = history([(0, 1, 1.0)] * 4 + [(0, 2, 1.0), (0, 1, 1.0), (3, 1, 0.5), (2, 0, 0.0)])
    lines = [0.5] * 4 + [0.6, 0.7, 0.8, 0.9]
    found = backtest(games, [fixed("a", lines)], "a", newcomers=1)
    assert (found.played, found.fitted_on, found.scored) == (8, 4, 2)
    assert found.verdicts[0].expected.tolist() == [0.6, 0.8]
    assert report(found)["newcomers"] == 1
    assert "newcomers" not in report(backtest(games, [fixed("a", lines)], "a"))
    with pytest.raises(ValueError, match="fewer than 1"):
        backtest(history([(0, 1, 1.0)] * 4), [fixed("a", lines[:4])], "a", newcomers=1)
    with pytest.raises(ValueError, match="in games of two"):
        with_newcomers(ContestHistory([], {}, True), 1)


# --- what is fitted -------------------------------------------------------------------------------------------------
def test_a_logistic_is_fitted_to_the_first_parts_gaps_and_to_given_ratings() -> None:
    """Three of four won with 100 points ahead: odds of three to one at 100 points, so ln 3 / 100 a point; 200 ahead
    that is nine to one."""
    games = history([(0, 1, 1.0), (0, 1, 1.0), (0, 1, 0.0), (0, 1, 1.0), *[(0, 1, 0.0)] * 4])
    gaps = [100.0] * 4 + [0.0, 100.0, 200.0, -100.0]
    one = backtest(games, [fixed("a", [NAN] * 8, gaps)], "a").verdicts[0]
    assert one.slope == pytest.approx(log(3.0) / 100.0)
    assert one.expected.tolist() == pytest.approx([0.5, 0.75, 0.9, 0.25])
    ratings = dict.fromkeys(range(1, 9), (1600.0, 1500.0))
    games = history([(0, 1, 1.0), (0, 1, 1.0), (0, 1, 0.0), (0, 1, 1.0)] * 2, given=ratings)
    one = backtest(games, [given("given", "Given")], "given").verdicts[0]
    assert one.expected.tolist() == pytest.approx([0.75] * 4)


def test_the_slope_knows_nothing_of_the_scored_games_nor_of_expected_scores() -> None:
    games = invented(200)
    turned = replace(games, games=(*games.games[:100], *(each._replace(score=0.5) for each in games.games[100:])))
    one, other = (backtest(each, [contestant("league")], "league").verdicts[0].slope for each in (games, turned))
    assert one == other
    assert (one or 0.0) > 0.0
    assert backtest(invented(40), [contestant("elo")], "elo").verdicts[0].slope is None


# --- White's advantage -----------------------------------------------------------------------------------------------
def test_whites_advantage_is_that_of_the_first_part() -> None:
    """Three points of four among those told to be equals: three to one from then on, whatever the second part says."""
    games = history([(0, 1, 1.0), (0, 1, 1.0), (0, 1, 1.0), (0, 1, 0.0), *[(0, 1, 0.0)] * 4])
    plain = fixed("a", [0.5] * 6 + [0.25, NAN])
    one, other = backtest(games, [plain, with_first_move(plain)], "a").verdicts
    assert (one.first_move, one.entrant.key) == (None, "a")
    assert (other.first_move, other.entrant.key) == (pytest.approx(400 * log(3) / log(10)), "a+first-move")
    assert one.expected.tolist() == pytest.approx([0.5, 0.5, 0.25, 0.5])
    assert other.expected.tolist() == pytest.approx([0.75, 0.75, 0.5, 0.5])  # odds times three; nothing said stays ½
    assert (one.untold, other.untold) == (1, 1)
    assert other.difference.mean == pytest.approx(other.log_loss - one.log_loss)


def test_whites_advantage_is_fitted_after_the_gaps_logistic_and_there_may_be_none() -> None:
    games = history([(0, 1, 1.0), (0, 1, 1.0), (0, 1, 0.0), (0, 1, 1.0)] * 2)
    plain = fixed("a", [NAN] * 8, [100.0] * 8)
    one, other = backtest(games, [plain, with_first_move(plain)], "a").verdicts
    assert one.slope == other.slope
    assert other.first_move == pytest.approx(0.0, abs=1e-6)  # the slope has taken up all of it
    for games, key in ((invented(40), "bradley-terry"), (history([(0, 1, 1.0)] * 8), "elo")):
        one, other = backtest(games, [contestant(key), with_first_move(contestant(key))], key).verdicts
        assert other.first_move is None
        assert one.losses.tolist() == other.losses.tolist()


# --- what is compared -----------------------------------------------------------------------------------------------
def test_differences_are_to_the_baseline_and_who_else_takes_part_changes_nobodys_figures() -> None:
    games = invented(200, days=20)
    found = backtest(games, [contestant("elo"), contestant("glicko")], "elo")
    assert verdict(found, "elo").difference == Difference(0.0, 0.0, 0.0)
    alone = verdict(found, "glicko")
    assert alone.difference.mean == pytest.approx(alone.log_loss - verdict(found, "elo").log_loss)
    among = verdict(backtest(games, [contestant(each.key) for each in CONTENDERS], "elo"), "glicko")
    assert (alone.log_loss, alone.brier, alone.difference) == (among.log_loss, among.brier, among.difference)
    with pytest.raises(KeyError, match="glicko"):
        backtest(invented(20), [contestant("elo")], "glicko")


def test_days_are_drawn_where_there_are_days_and_blocks_of_fifty_elsewhere() -> None:
    one = [contestant("elo")]
    dated, undated = (backtest(invented(240, days=days), one, "elo") for days in (12, None))
    assert (dated.by_day, dated.groups, dated.scored) == (True, 6, 120)
    assert (undated.by_day, undated.groups, undated.scored) == (False, 3, 120)


@pytest.mark.extended
@examples(10)
@having(seed=st.integers(0, 1000), since=st.integers(50, 99))
def test_the_losses_of_what_came_before_do_not_know_the_future(seed: int, since: int) -> None:
    games = invented(100, seed=seed)
    later = games.games[since:]
    turned = tuple(
        own._replace(white=other.black, black=other.white, score=other.score)
        for own, other in zip(later, reversed(later), strict=True)
    )
    another = History((*games.games[:since], *turned), {}, False, {})
    everybody = [contestant(each.key) for each in CONTENDERS]
    everybody += [with_first_move(each) for each in everybody]
    one, two = (backtest(each, everybody, "elo", resamples=2) for each in (games, another))
    for own, other in zip(one.verdicts, two.verdicts, strict=True):
        assert own.losses[: since - 50].tolist() == other.losses[: since - 50].tolist()


# --- plain values ---------------------------------------------------------------------------------------------------
def test_the_report_is_plain_and_its_bins_hold_every_scored_game() -> None:
    found = backtest(invented(200), [contestant("elo"), contestant("league")], "elo", seed=5, resamples=100)
    values = json.loads(json.dumps(report(found), allow_nan=False))
    assert (values["played"], values["fitted_on"], values["scored"]) == (200, 100, 100)
    assert (values["baseline"], values["seed"], values["coin"]) == ("elo", 5, COIN)
    assert values["resampled"] == {"by": "block", "groups": 2, "resamples": 100}
    assert list(values["systems"]) == ["elo", "league"]
    for each in values["systems"].values():
        assert list(each)[:4] == ["log_loss", "brier", "calibration", "difference"]
        assert list(each["difference"]) == ["mean", "low", "high"]
        assert sum(row["games"] for row in each["calibration"]) == 100
        assert all(
            row["interval"][0] <= row["score"] <= row["interval"][1] for row in each["calibration"] if row["games"]
        )
    assert {each["first_move"] for each in values["systems"].values()} == {None}
    assert values["systems"]["elo"]["fitted_slope"] is None
    assert values["systems"]["league"]["fitted_slope"] > 0.0


def test_a_slope_without_end_is_none_in_the_report() -> None:
    """Every game of the first part went to the higher rated: no finite slope is best, and JSON knows no infinity."""
    one = fixed("a", [NAN] * 4, [50.0, 50.0, 50.0, -50.0])
    found = backtest(history([(0, 1, 1.0)] * 4), [one], "a")
    assert found.verdicts[0].expected.tolist() == [1.0, 0.0]
    assert report(found)["systems"]["a"]["fitted_slope"] is None


def test_every_system_of_the_register_takes_part_that_predicts_without_stones() -> None:
    assert {each.system.key for each in CONTENDERS} == {each.key for each in SYSTEMS if not each.reads_handicap}
    assert len({each.key for each in CONTENDERS}) == len(CONTENDERS)
