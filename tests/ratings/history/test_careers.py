"""On invented careers the intervals hold, by the true model and by one found from the games."""

from collections import defaultdict
from math import exp

import numpy
import pytest

from ratings.history import proof
from ratings.history.careers import (
    DRIFT,
    EQUALS,
    INFLOW,
    INFLOW_A_YEAR,
    JUMPS,
    LEARNERS,
    LEARNING,
    RISE,
    TRUE,
    WORLDS,
    Careers,
    Club,
    K,
    careers,
)
from ratings.history.proof import answered, eras_report
from ratings.history.tuning import DRIFTS, FOLDS, PRIORS, Tried, averaged, tuned
from ratings.history.whole_history import YEAR, HistoryGame, Model, When
from ratings.systems.elo import expected_score
from tests import ROOT
from tests.ratings.lab.golden import committed

SMALL = Club(years=6, members=16, evenings=12)


def test_a_world_is_the_same_from_the_same_seed_and_no_other_is_known() -> None:
    assert careers(DRIFT, 1, 0, SMALL) == careers(DRIFT, 1, 0, SMALL) != careers(DRIFT, 2, 0, SMALL)
    with pytest.raises(ValueError, match="Worlds are"):
        careers("paradise", 1, 0)


def strengths(world: str, club: Club) -> dict[int, dict[int, float]]:
    """Everybody's true strength by the half-year."""
    found: dict[int, dict[int, float]] = defaultdict(dict)
    for when, strength in careers(world, 1, 0, club).truth.items():
        found[when.player][round(2 * when.day / YEAR)] = strength
    return found


def test_strengths_move_as_each_world_has_it() -> None:
    """All come to every evening: two a year, or one of the club that people leave."""
    stayers, goers = Club(4, 400, 2, 1.0, 1e9), Club(40, 30, 1, 1.0, 2.0)
    for world, still in ((DRIFT, 0.0), (EQUALS, 0.0), (JUMPS, 0.75)):
        paths = strengths(world, stayers).values()
        steps = numpy.array([path[half] - path[half - 1] for path in paths for half in path if half])
        assert len(steps) == 7 * 400
        assert (steps**2).mean() == pytest.approx(TRUE.drift**2 / 2.0, rel=0.2)
        assert (steps == 0.0).mean() == pytest.approx(still, abs=0.05)
    for path in strengths(LEARNERS, stayers).values():
        rise = {half: RISE * (1.0 - exp(-half / 2.0 / LEARNING)) for half in path}
        assert {half: strength - path[0] for half, strength in path.items()} == pytest.approx(rise, rel=0.01)
    for world, inflow in ((DRIFT, 0.0), (INFLOW, INFLOW_A_YEAR)):
        first = numpy.array([next(iter(path.items())) for path in strengths(world, goers).values()])
        assert numpy.polyfit(*first.T, 1)[0] == pytest.approx(inflow / 2.0, abs=1.5)


@pytest.mark.parametrize(("world", "by_rating"), [(EQUALS, True), (DRIFT, False)])
def test_neighbours_of_the_running_list_meet_among_equals_alone(world: str, by_rating: bool) -> None:
    ratings: dict[int, float] = defaultdict(float)
    evenings: dict[int, list[float]] = defaultdict(list)
    for one, other, day, score, _advantage in careers(world, 1, 0, SMALL).games:
        evenings[day] += [ratings[one], ratings[other]]
        change = K * (score - expected_score(ratings[one], ratings[other]))
        ratings[one], ratings[other] = ratings[one] + change, ratings[other] - change
    assert all(evening == sorted(evening) for evening in evenings.values()) == by_rating


@pytest.mark.slow
def test_intervals_across_eras_hold_what_they_promise() -> None:
    """95 ± 2 % over 1,500 questions of 150 worlds; `run_study eras` has the whole proof."""
    rng = numpy.random.default_rng(1)
    asked = [answered(careers(DRIFT, 1, number, SMALL), TRUE, rng, 10) for number in range(150)]
    held = [each.is_held for some in asked for each in some]
    assert 0.93 <= sum(held) / len(held) <= 0.97


def test_two_days_asked_about_lie_at_least_half_the_years_apart() -> None:
    days = range(0, 1201, 100)
    known = Careers([HistoryGame(0, 1, day, 1.0) for day in days], {When(0, day): float(day) for day in days})
    asked = answered(known, TRUE, numpy.random.default_rng(1), 20)
    assert len(asked) == 20
    assert min(abs(each.truth) for each in asked) == 600.0, "the truth is the day here"


@pytest.mark.extended
def test_the_model_found_lies_among_those_tried_and_knows_the_first_sides_advantage() -> None:
    known, told = careers(DRIFT, 3, 0, Club(years=3, members=10, evenings=8)), list[tuple[int, int]]()
    found = tuned(known.games, tell=lambda done, of: told.append((done, of)))
    assert told == [(done, len(found.tried)) for done in range(1, len(found.tried) + 1)]
    assert [each.model.drift for each in found.tried[: len(DRIFTS)]] == list(DRIFTS)
    assert min(DRIFTS) < found.model.drift < max(DRIFTS)
    assert min(PRIORS) < found.model.prior < max(PRIORS)
    assert found.model.drift == averaged(found.tried[: len(DRIFTS)], "drift", len(known.games))
    roughly = tuned(known.games, many=1)  # one game of five is predicted
    assert roughly.model.drift == averaged(roughly.tried[: len(DRIFTS)], "drift", -(-len(known.games) // FOLDS))
    wins = [HistoryGame(each.first, each.second, each.day, 1.0) for each in known.games]
    assert tuned(wins + known.games).model.advantage > found.model.advantage + 50.0
    assert tuned(wins).model.draw_rate == 0.0


def test_models_that_predict_equally_well_count_alike_and_one_that_is_far_better_alone() -> None:
    even = [Tried(Model(drift=drift), 0.7) for drift in (30.0, 90.0)]
    assert averaged(even, "drift", games=500) == pytest.approx(((30.0**2 + 90.0**2) / 2.0) ** 0.5)
    assert averaged([even[0], Tried(Model(drift=90.0), 0.8)], "drift", games=500) == pytest.approx(30.0)


def test_the_proof_asks_every_world_and_its_kept_figures_stand_on_the_page_of_the_algorithm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(proof, "USUAL", Club(years=2, members=6))
    told: list[int] = []
    report = eras_report(evenings=3, replications=2, tell=told.append)
    assert told == list(range(1, 2 * len(WORLDS) + 1))
    assert report["club"] == {"years": 2, "members": 6, "evenings": 1}
    kept = committed("eras")
    assert {(row["world"], row["model"]) for row in report["lines"]} == {
        (row["world"], row["model"]) for row in kept["lines"]
    }
    page = (ROOT / "docs" / "algorithms" / "whole-history.md").read_text(encoding="utf-8")
    for row in kept["lines"]:
        held, low, high = (f"{100 * row[name]:.1f}" for name in ("held", "low", "high"))
        figures = f"| {held} ({low} to {high}) | {row['deviation']:.0f} | {row['error']:.0f} |"
        assert f"| `{row['world']}` | {row['model']} {figures}" in page
    for short in ({"replications": 1}, {"replications": 2, "evenings": 1}):
        with pytest.raises(ValueError, match="two replications"):
            eras_report(**short, tell=lambda done: None)
