"""On invented careers the intervals hold, by the true model and by one found from the games."""

import numpy
import pytest

from ratings.history.careers import DRIFT, TRUE, Club, careers
from ratings.history.proof import answered, eras_report
from ratings.history.tuning import DRIFTS, PRIORS, Tried, averaged, tuned
from ratings.history.whole_history import HistoryGame, Model
from tests import ROOT
from tests.ratings.lab.golden import committed

SMALL = Club(years=6, members=16, evenings=12)


def test_a_world_is_the_same_from_the_same_seed_and_no_other_is_known() -> None:
    assert careers(DRIFT, 1, 0, SMALL) == careers(DRIFT, 1, 0, SMALL) != careers(DRIFT, 2, 0, SMALL)
    with pytest.raises(ValueError, match="Worlds are"):
        careers("paradise", 1, 0)


@pytest.mark.slow
def test_intervals_across_eras_hold_what_they_promise() -> None:
    """95 ± 2 % over 1,500 questions of 150 worlds; `run_study eras` has the whole proof."""
    rng = numpy.random.default_rng(1)
    asked = [answered(careers(DRIFT, 1, number, SMALL), TRUE, rng, 10) for number in range(150)]
    held = [each.is_held for some in asked for each in some]
    assert 0.93 <= sum(held) / len(held) <= 0.97


def test_the_model_found_lies_among_those_tried_and_knows_the_first_sides_advantage() -> None:
    known, told = careers(DRIFT, 3, 0, Club(years=3, members=12)), list[tuple[int, int]]()
    found = tuned(known.games, tell=lambda done, of: told.append((done, of)))
    assert told == [(done, len(found.tried)) for done in range(1, len(found.tried) + 1)]
    assert [each.model.drift for each in found.tried[: len(DRIFTS)]] == list(DRIFTS)
    assert min(DRIFTS) < found.model.drift < max(DRIFTS)
    assert min(PRIORS) < found.model.prior < max(PRIORS)
    wins = [HistoryGame(each.first, each.second, each.day, 1.0) for each in known.games]
    assert tuned(wins + known.games).model.advantage > found.model.advantage + 50.0
    assert tuned(wins).model.draw_rate == 0.0


def test_models_that_predict_equally_well_count_alike_and_one_that_is_far_better_alone() -> None:
    even = [Tried(Model(drift=drift), 0.7) for drift in (30.0, 90.0)]
    assert averaged(even, "drift", games=500) == pytest.approx(((30.0**2 + 90.0**2) / 2.0) ** 0.5)
    assert averaged([even[0], Tried(Model(drift=90.0), 0.8)], "drift", games=500) == pytest.approx(30.0)


def test_the_proof_asks_every_world_and_its_kept_figures_stand_on_the_page_of_the_algorithm() -> None:
    report = eras_report(evenings=8, replications=2, tell=lambda done: None)
    kept = committed("eras")
    assert {(row["world"], row["model"]) for row in report["lines"]} == {
        (row["world"], row["model"]) for row in kept["lines"]
    }
    page = (ROOT / "docs" / "algorithms" / "whole-history.md").read_text(encoding="utf-8")
    for row in kept["lines"]:
        held, low, high = (f"{100 * row[name]:.1f}" for name in ("held", "low", "high"))
        figures = f"| {held} ({low} to {high}) | {row['deviation']:.0f} | {row['error']:.0f} |"
        assert f"| `{row['world']}` | {row['model']} {figures}" in page
    with pytest.raises(ValueError, match="two replications"):
        eras_report(replications=1, tell=lambda done: None)
