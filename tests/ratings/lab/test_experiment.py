"""What an experiment says, against second ways: the study's own table, hand-made figures, the committed document."""

from dataclasses import replace
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import pytest

from ratings.lab.ceiling import CEILING
from ratings.lab.contenders import CONTENDERS, STUDY, contenders
from ratings.lab.engine import PLAIN, compiled_engine
from ratings.lab.experiment import FIGURE_DIGITS, Band, replicate, rounded, run_experiment, run_scenarios
from ratings.lab.measures import kendall_tau_b, ordered_pairs
from ratings.lab.recording import MILESTONES, is_fitted, prepared_blocks
from ratings.lab.scenario_games import SCENARIOS, Scenario, scenario
from ratings.lab.table import Table
from ratings.lab.world import stretches
from ratings.systems.elo import expected_score
from tests.ratings.lab.golden import committed

FEW = contenders(["league", "elo"])


def run(world: Scenario, games: int = 2000, replications: int = 2, seed: int = 5) -> dict[str, Any]:
    return run_experiment(
        world, FEW, games=games, seed=seed, replications=replications, engine=PLAIN, tell=lambda _: None
    )


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return run(scenario("constant"))


# --- one replication ----------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_the_index_is_that_of_the_studys_own_table() -> None:
    study = next(stretches(10_400, 3, 1, PLAIN))
    outcomes = replicate(scenario("constant"), STUDY[1:5], 10_400, 3, 1, PLAIN, ceiling=False)
    for contender in STUDY[1:5]:
        table = Table(contender, PLAIN, [person.strength for person in study.joining])
        index = table.play(study.white, study.black, study.scores)
        figures = outcomes[contender.key].figures
        assert (figures["index_1"], figures["index_2"]) == (fmean(index[:100]), fmean(index[100:]))
        assert figures["tau"] == kendall_tau_b(table.ratings, table.strengths)
        assert figures["ordered"] == ordered_pairs(table.ratings, table.strengths)


def test_elos_predictions_are_judged_on_the_second_half_by_hand() -> None:
    games = 1000
    elo = contenders(["elo-k20"])
    figures = replicate(scenario("draws"), elo, games, 2, 0, PLAIN, ceiling=False)["elo-k20"].figures
    ratings, squares, wrong = [1000.0] * 140, [], []
    for prepared in prepared_blocks(scenario("draws"), games, 2, 0, PLAIN):
        block = prepared.block
        for one, two, score, truth in zip(block.white, block.black, block.scores, block.truth, strict=True):
            found = expected_score(ratings[one], ratings[two])
            squares.append((score - found) ** 2)
            wrong.append((truth - found) ** 2)
            ratings[one] += 20.0 * (score - found)
            ratings[two] -= 20.0 * (score - found)
    assert figures["brier"] == pytest.approx(fmean(squares[500:]), rel=1e-12)
    assert figures["probability_error"] == pytest.approx(sqrt(fmean(wrong[500:])), rel=1e-12)


def test_a_newcomers_error_by_hand_and_nearer_game_by_game() -> None:
    """After one game at K 20 he has moved by 10 at most; the field's ratings have their start as mean."""
    figures = replicate(scenario("equal-activity"), contenders(["elo-k20"]), 10_000, 2, 0, PLAIN, ceiling=False)
    truth = [-361.236, -240.824, -120.412, 0.0, 120.412, 240.824, 361.236]
    nearly = fmean(abs(points) for points in truth)
    assert nearly - 10.0 < figures["elo-k20"].figures["newcomer_1"] < nearly + 10.0
    turned = replicate(scenario("turnover"), FEW[1:], 8000, 4, 0, PLAIN, ceiling=False)["elo"].figures
    errors = [turned[f"newcomer_{own}"] for own in MILESTONES]
    assert errors == sorted(errors, reverse=True)


def test_drift_calibration_and_the_ceiling_in_the_document(document: dict[str, Any]) -> None:
    """The league prints ten points a game among 140: 71.4 a thousand games."""
    assert document["systems"]["league"]["drift"]["mean"] == pytest.approx(10_000 / 140)
    for measure in ("tau", "ordered"):
        ceiling = document["systems"][CEILING][measure]["mean"]
        assert ceiling > max(document["systems"][key][measure]["mean"] for key in ("league", "elo"))
    for key in ("league", "elo"):
        assert sum(each["games"] for each in document["calibration"][key]) == 2 * 1000


def test_leavers_are_out_of_the_table() -> None:
    table = Table(FEW[1], PLAIN, [10.0, 40.0, 20.0, 80.0])
    table.leave([1, 3])
    table.look()
    assert table.order == [0, 2]
    assert table.look() == 2  # half as strong stands above
    table.join([160.0])
    table.look()
    assert table.order == [0, 2, 4]


def test_a_shock_leaves_ratings_behind_and_they_follow() -> None:
    lag = replicate(scenario("shock"), FEW[1:], 12_000, 1, 0, PLAIN, ceiling=False)["elo"].curves["lag"]
    assert lag[:6] == [0.0] * 6
    assert 2 * 120.4 > lag[6] > 150.0
    assert 0.9 * lag[6] > lag[11] > 0.0


def test_ceiling_farming_and_fitted_systems_where_they_belong() -> None:
    figures = replicate(scenario("farming"), FEW, 10_000, 1, 0, PLAIN, ceiling=False)
    assert figures["league"].figures["farmed"] > 100.0 > abs(figures["elo"].figures["farmed"])
    late = replace(scenario("turnover"), turnover=1000)
    assert set(replicate(late, FEW, 2100, 1, 0, PLAIN)[CEILING].figures) == {"tau", "ordered"}
    assert [each.key for each in CONTENDERS if is_fitted(each)] == ["league", "solo-zerg", "r2", "kd"]


# --- over replications --------------------------------------------------------------------------------------------
def test_same_seed_same_document_another_seed_another_and_too_little_is_refused(document: dict[str, Any]) -> None:
    assert run(scenario("constant")) == document
    assert run(scenario("constant"), replications=1, seed=6)["first"] != document["first"]
    for games, replications in ((1, 1), (200, 0)):
        with pytest.raises(ValueError, match="at least one replication"):
            run(scenario("constant"), games, replications)


def test_figures_and_differences_are_those_of_the_replications(document: dict[str, Any]) -> None:
    outcomes = [replicate(scenario("constant"), FEW, 2000, 5, number, PLAIN, ceiling=False) for number in range(2)]
    seen = {key: [each[key].figures["brier"] for each in outcomes] for key in ("league", "elo")}
    found = document["systems"]["league"]["brier"]
    assert found == {
        "mean": fmean(seen["league"]),
        "sd": pytest.approx(stdev(seen["league"])),
        "se": pytest.approx(stdev(seen["league"]) / sqrt(2)),
    }
    apart = [one - other for one, other in zip(seen["league"], seen["elo"], strict=True)]
    difference = document["differences"]["league"]["brier"]
    assert difference["mean"] == pytest.approx(fmean(apart))
    assert difference["high"] - difference["mean"] == pytest.approx(12.7062 * stdev(apart) / sqrt(2), rel=1e-4)
    assert "elo" not in document["differences"]
    curves = [each["elo"].curves["tau"] for each in outcomes]
    band = document["curves"]["systems"]["elo"]["tau"]
    assert band["mean"] == pytest.approx([fmean(pair) for pair in zip(*curves, strict=True)])
    assert band["sd"] == pytest.approx([stdev(pair) for pair in zip(*curves, strict=True)])


def test_a_band_is_the_two_pass_formula() -> None:
    curves = [[1.0, 5.0], [4.0, 5.0], [10.0, 8.0]]
    band = Band()
    for curve in curves:
        band.add(curve)
    assert band.document() == {"mean": pytest.approx([5.0, 6.0]), "sd": pytest.approx([stdev([1, 4, 10]), sqrt(3.0)])}


def test_progress_is_told_over_all_scenarios_and_without_its_baseline_there_are_no_differences() -> None:
    lines: list[int] = []
    found = run_scenarios(
        FEW[:1], games=300, seed=1, replications=2, engine=PLAIN, tell=lines.append, scenarios=SCENARIOS[:2]
    )
    assert lines == [1, 2, 3, 4]
    assert [each["scenario"] for each in found["scenarios"]] == ["constant", "improving"]
    assert [each["differences"] for each in found["scenarios"]] == [{}, {}]


@pytest.mark.slow  # compiled worlds, tables and measures are tried by themselves
def test_plain_and_compiled_experiments_are_the_same_to_the_last_bit() -> None:
    pytest.importorskip("numba")
    world, some = scenario("club-life"), contenders(["glicko2"])
    plain = replicate(world, some, 2600, 9, 0, PLAIN)
    assert replicate(world, some, 2600, 9, 0, compiled_engine()) == plain


# --- the committed document ---------------------------------------------------------------------------------------
def test_the_committed_document_covers_all_scenarios_and_contenders() -> None:
    kept = committed("scenarios")
    assert [each["scenario"] for each in kept["scenarios"]] == [each.key for each in SCENARIOS]
    for each in kept["scenarios"]:
        assert set(each["systems"]) == {*(contender.key for contender in CONTENDERS), CEILING}


@pytest.mark.parametrize(
    ("key", "some"),
    [
        ("club-life", ["elo"]),
        pytest.param("club-life", ["league", "r2", "glicko"], marks=pytest.mark.slow),
        pytest.param("shock", ["league", "r2", "elo", "glicko"], marks=pytest.mark.slow),
    ],
)
def test_the_first_replication_of_the_committed_document_comes_out_again(key: str, some: list[str]) -> None:
    kept = committed("scenarios")
    known = next(each for each in kept["scenarios"] if each["scenario"] == key)
    found = replicate(scenario(key), contenders(some), kept["games"], kept["seed"], 0, PLAIN)
    for each in (*some, CEILING):
        assert rounded(found[each].figures, FIGURE_DIGITS) == known["first"][each]
