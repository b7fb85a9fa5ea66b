"""The document of the diary's worlds: its figures from single runs, the committed one made again in part, and what the
page says of it."""

from math import isclose
from typing import Any

import pytest

from ratings.lab.diary import LAST, Decides, DiaryRules, run_diary
from ratings.lab.diary_study import WORLDS, World, diary_report, event_lines, measures, resting_gap, world_report
from ratings.lab.engine import PLAIN
from ratings.lab.summary import summarise
from ratings.systems.elo import expected_score
from tests.ratings.lab.golden import RESULTS, committed

QUICK = {"chances-leagues", "bug-early", "second-attempt"}  # between them they change every rule of the last version


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return committed("diary")


def test_a_worlds_figures_are_those_of_its_runs_and_its_course_ends_there() -> None:
    """Two worlds, three replications of forty tournaments."""
    worlds = (World("last", LAST), World("early", DiaryRules(bug=True), part=4))
    small = diary_report(tournaments=40, replications=3, seed=5, worlds=worlds)
    runs = [run_diary(LAST, 40, 5, number) for number in range(3)]
    figures = small["worlds"]["last"]["figures"]
    for name in ("spearman", "top_rating", "second_rating"):
        summary = summarise([getattr(run.figures, name) for run in runs])
        assert figures[name] == {key: round(value, 6) for key, value in summary._asdict().items()}
    assert figures["lead"]["mean"] == pytest.approx(
        figures["top_rating"]["mean"] - figures["second_rating"]["mean"], abs=1e-5
    )
    assert small["worlds"]["last"]["table"] == [list(player) for player in runs[0].table]
    world = small["worlds"]["last"]
    assert world["course"]["every"] * len(world["course"]["top"]) == 40
    assert world["course"]["top"][-1] == round(world["figures"]["top_rating"]["mean"])
    assert world["course"]["second_sd"][-1] == round(world["figures"]["second_rating"]["sd"])
    assert small["worlds"]["early"]["tournaments"] == 10
    assert small["worlds"]["early"]["figures"]["deficit"]["mean"] < -50


def test_the_halves_are_cut_by_strength_and_every_world_done_is_told() -> None:
    run = run_diary(LAST, 60, 5, 0)
    found = measures(run)
    assert (found["lowest"], found["below_zero"]) == (min(run.ratings), 0)
    assert -1 <= found["weaker_half"] <= 1
    assert found["weaker_half"] != found["stronger_half"]
    lines: list[int] = []
    diary_report(tournaments=2, replications=1, worlds=WORLDS[:3], tell=lines.append)
    assert lines == [1, 2, 3]


def test_a_tournament_as_the_diary_shows_it_from_25_and_level() -> None:
    """Every line a second way: performance and change from the ratings before it."""
    run = run_diary(LAST, 30, 5, 0)
    lines = event_lines(run, 30, 5, 0)
    assert len(lines) == 32
    assert sum(len(line["scores"]) for line in lines) == 2 * 31
    assert sum(sum(line["scores"]) for line in lines) == 31
    for line in lines:
        pairs = list(zip(line["opponents"], line["scores"], strict=True))
        mean = sum(rating + 800 * (score - 0.5) for rating, score in pairs) / len(pairs)
        assert isclose(line["performance"], mean, abs_tol=0.005)
        expected = sum(expected_score(line["before"], rating) for rating, _ in pairs)
        assert line["expected"] == pytest.approx(expected, abs=0.005)
        moved = line["k"] * (sum(line["scores"]) - expected)
        assert abs(line["after"] - line["before"] - moved) <= 0.5 + 1e-9
    assert [line["performance"] for line in lines] == sorted((line["performance"] for line in lines), reverse=True)
    first = event_lines(run_diary(LAST, 1, 5, 0), 1, 5, 0)
    assert {(line["k"], line["before"]) for line in first} == {(25, 1600)}


def test_whoever_wins_all_that_is_not_drawn_rests_where_he_scores_what_is_expected() -> None:
    assert resting_gap(0.05) == pytest.approx(636.4, abs=0.05)
    assert resting_gap(0.3) == pytest.approx(301.3, abs=0.05)
    assert resting_gap(0.0) is None
    for draws in (0.05, 0.3, 1.0):
        gap = resting_gap(draws)
        assert gap is not None
        assert expected_score(gap, 0.0) == pytest.approx(1 - draws / 2)


@pytest.mark.extended
def test_the_document_says_how_to_make_it_again_and_what_its_worlds_are(document: dict[str, Any]) -> None:
    assert list(document["worlds"]) == [world.key for world in WORLDS]
    assert document["made_by"] == "manage.py run_study diary-worlds --games 31000 --replications 200 --seed 1"
    assert (document["tournaments"], document["replications"], document["seed"]) == (1000, 200, 1)
    assert (RESULTS / "diary.json").stat().st_size < 60_000
    assert event_lines(run_diary(LAST, 1000, 1, 0), 1000, 1, 0) == document["event"]["lines"]
    rules = {world.key: world.rules for world in WORLDS}
    assert rules["last"] == DiaryRules()
    assert rules["chances-leagues"] == DiaryRules(decides=Decides.CHANCE, leagues=2)
    assert rules["bug"].bug
    assert not rules["many-draws"].bug


@pytest.mark.parametrize(
    "world",
    [pytest.param(each, id=each.key, marks=() if each.key in QUICK else pytest.mark.slow) for each in WORLDS],
)
def test_its_first_replication_made_again_is_the_same(world: World, document: dict[str, Any]) -> None:
    again = world_report(world, 1000, 1, 1, PLAIN)
    assert again["table"] == document["worlds"][world.key]["table"]
    assert again["tournaments"] == document["worlds"][world.key]["tournaments"]


def test_what_the_page_says_in_words_is_what_its_figures_say(document: dict[str, Any]) -> None:
    worlds = document["worlds"].items()
    figures = {key: {name: row["mean"] for name, row in world["figures"].items()} for key, world in worlds}
    last = figures["last"]
    # Ratings follow strength closely, least among the weak.
    assert last["spearman"] > 0.99
    assert last["weaker_half"] < last["stronger_half"]
    # The leader runs away, further without draws, further still in leagues; chances and many draws stop him.
    assert figures["no-draws"]["top_rating"] > figures["leagues"]["top_rating"] > last["top_rating"]
    assert figures["leagues"]["weaker_half"] > last["weaker_half"]
    for key in ("chances", "many-draws"):
        course = document["worlds"][key]["course"]["top"]
        assert course[-1] - course[len(course) // 2] < 25
    for key in ("last", "no-draws", "leagues"):
        course = document["worlds"][key]["course"]["top"]
        assert course[-1] - course[len(course) // 2] > 100
    # The fault: about twelve points a tournament, everybody but one at most far below zero.
    assert -13 < figures["bug"]["deficit"] / 1000 < -11.5
    assert 63 <= figures["bug"]["below_zero"] <= 64
    assert figures["bug-early"]["below_zero"] == 0
    # Where the rating decides, the order is within chance of none.
    for key in ("first-attempt", "second-attempt"):
        spearman = document["worlds"][key]["figures"]["spearman"]
        assert abs(spearman["mean"]) < 3 * spearman["se"]
