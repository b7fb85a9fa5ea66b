"""The page on the scenarios shows what the committed documents say, row by row."""

import pytest

from ratings.lab.scenario_games import SCENARIOS
from tests import ROOT
from tests.ratings.lab.golden import committed

DOCS = ROOT / "docs"
PAGE = (DOCS / "algorithms" / "lab-scenarios.md").read_text(encoding="utf-8")
SCENARIO_RESULTS, SWEEPS = committed("scenarios"), committed("sweeps")


def test_every_scenario_has_its_line_and_the_replications_are_named() -> None:
    for each in SCENARIOS:
        assert f"\n| `{each.key}` |" in PAGE
    assert f"{SCENARIO_RESULTS['replications']} replications, seed 1" in PAGE
    assert PAGE.count(f"{SWEEPS['replications']} replications") >= 2


@pytest.mark.parametrize("key", ["league", "elo", "fide", "glicko", "glicko2", "bradley-terry"])
@pytest.mark.parametrize("measure", ["log_loss", "tau"])
def test_the_tables_of_the_scenarios(measure: str, key: str) -> None:
    cells = [
        f"{each['systems'][key][measure]['mean']:.3f}" if measure in each["systems"][key] else "–"
        for each in SCENARIO_RESULTS["scenarios"]
    ]
    assert f"| `{key}` | {' | '.join(cells)} |" in PAGE


def test_the_tables_of_k_and_of_the_probation() -> None:
    swept = SWEEPS["k"]
    for k in swept[0]["values"]:
        figures = [each["systems"][f"k{k}"] for each in swept]
        losses = " | ".join(f"{each['log_loss']['mean']:.4f}" for each in figures)
        errors = " | ".join(f"{figures[2][name]['mean']:.0f}" for name in ("newcomer_30", "newcomer_100"))
        assert f"\n| {k} | {losses} | {errors} |" in PAGE
    for length, figures in SWEEPS["probation"]["lengths"].items():
        off = f"{figures['off']['mean']:.0f} ± {figures['off']['sd']:.0f}"
        errors = " | ".join(f"{figures[f'after_{own}']['mean']:.0f}" for own in (30, 50, 100))
        assert f"\n| {length} | {off} | {errors} |" in PAGE
