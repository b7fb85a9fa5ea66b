"""The page on the scenarios shows what the committed documents say, row by row."""

import json
from pathlib import Path
from typing import Any

import pytest

from ratings.lab.scenarios import SCENARIOS

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "algorithms" / "lab-scenarios.md").read_text(encoding="utf-8")


def result(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "ratings" / "lab" / "results" / name).read_text(encoding="utf-8"))
    return found


def test_every_scenario_has_its_line() -> None:
    for each in SCENARIOS:
        assert f"\n| `{each.key}` |" in PAGE


@pytest.mark.parametrize("key", ["league", "elo", "fide", "glicko", "glicko2", "bradley-terry"])
@pytest.mark.parametrize("measure", ["log_loss", "tau"])
def test_the_tables_of_the_scenarios(measure: str, key: str) -> None:
    cells = [
        f"{each['systems'][key][measure]['mean']:.3f}" if measure in each["systems"][key] else "–"
        for each in result("scenarios.json")["scenarios"]
    ]
    assert f"| `{key}` | {' | '.join(cells)} |" in PAGE


def test_the_table_of_k() -> None:
    swept = result("sweeps.json")["k"]
    for k in swept[0]["values"]:
        figures = [each["systems"][f"k{k}"] for each in swept]
        losses = " | ".join(f"{each['log_loss']['mean']:.4f}" for each in figures)
        errors = " | ".join(f"{figures[2][name]['mean']:.0f}" for name in ("newcomer_30", "newcomer_100"))
        assert f"\n| {k} | {losses} | {errors} |" in PAGE


def test_the_table_of_the_probation() -> None:
    for length, figures in result("sweeps.json")["probation"]["lengths"].items():
        off = f"{figures['off']['mean']:.0f} ± {figures['off']['sd']:.0f}"
        errors = " | ".join(f"{figures[f'after_{own}']['mean']:.0f}" for own in (30, 50, 100))
        assert f"\n| {length} | {off} | {errors} |" in PAGE


def test_the_page_names_the_replications() -> None:
    assert f"{result('scenarios.json')['replications']} replications, seed 1" in PAGE
    assert PAGE.count(f"{result('sweeps.json')['replications']} replications") >= 2
