"""K by evidence in worlds of known strengths: what the study looks at, and that newcomers are found sooner."""

import json
from math import log
from pathlib import Path

import pytest

import ratings.lab.probation_study as study
from ratings.lab.engine import PLAIN
from ratings.lab.probation_study import AFTER, WORLDS, careers, probation_report, reached
from ratings.lab.scenario_games import blocks
from ratings.systems.evidence import best_k

DOCUMENT = json.loads((Path(study.__file__).parent / "results" / "probation.json").read_text())


def test_own_games_are_read_between_two_looks() -> None:
    curve = [200.0, 100.0, 80.0, *[70.0] * (len(AFTER) - 3)]
    assert [reached(curve, level) for level in (250.0, 150.0, 90.0, 60.0)] == [1.0, 5.5, 15.0, None]


@pytest.fixture(scope="module")
def seen() -> dict[str, dict[int, study.Career]]:
    played = list(blocks(WORLDS[0], 18_000, 1, 0, PLAIN))
    return {each.key: careers(each, played) for each in study.LISTS}


def test_all_lists_watch_the_same_newcomers_and_the_count_lets_them_go_at_thirty(
    seen: dict[str, dict[int, study.Career]],
) -> None:
    assert len({tuple(found) for found in seen.values()}) == 1
    for place, career in seen["fide"].items():
        assert career.left is None or career.left.own_games == 30
        assert career.after.keys() == seen["fide-evidence"][place].after.keys()
    told = [each.left.told for each in seen["fide-evidence"].values() if each.left]
    assert told
    assert all(each is not None and best_k(each, log(10.0) / 400.0) <= study.REGULAR_K for each in told)


def test_evidence_finds_newcomers_sooner(seen: dict[str, dict[int, study.Career]]) -> None:
    sizes = {
        key: [abs(each.after[30].error) for each in found.values() if 30 in each.after] for key, found in seen.items()
    }
    assert sum(sizes["fide-evidence"]) < 0.9 * sum(sizes["fide"])


def test_the_kept_document_says_what_the_page_of_the_algorithm_says() -> None:
    """In every world the error of 30 games is reached in 15 to 19, that of 60 in 25 to 38; leaving later alone saves
    seven games of sixty at most."""
    same = {(row["world"], row["list"]): row["same_error"] for row in DOCUMENT["rows"]}
    assert {world for world, _ in same} == {world.key for world in WORLDS}
    for world in WORLDS:
        thirty, sixty = same[world.key, "fide-evidence"]
        assert 15.0 < thirty < 19.0
        assert 25.0 < sixty < 38.0
        assert 53.0 < same[world.key, "fide-known"][1] < 61.0


def test_a_study_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="30000 games and one replication"):
        probation_report(games=20_000, replications=1, seed=1, engine=PLAIN, tell=lambda done: None)
