"""On invented careers the intervals hold, by the true model and by one found from the games."""

import pytest

from ratings.history.careers import DRIFT, Club, careers, questions
from ratings.history.tuning import DRIFTS, PRIORS, tuned
from ratings.history.whole_history import HistoryGame

SMALL = Club(years=6, members=16, evenings=12)


def test_a_world_is_the_same_from_the_same_seed_and_no_other_is_known() -> None:
    assert careers(DRIFT, 1, 0, SMALL) == careers(DRIFT, 1, 0, SMALL) != careers(DRIFT, 2, 0, SMALL)
    with pytest.raises(ValueError, match="Worlds are"):
        careers("paradise", 1, 0)


@pytest.mark.slow
def test_intervals_across_eras_hold_what_they_promise() -> None:
    """95 ± 2 % over 1,500 questions of 150 worlds; `run_study eras` has the whole proof."""
    asked = [
        each for number in range(150) for each in questions(DRIFT, 1, number, count=10, is_tuned=False, club=SMALL)
    ]
    assert 0.93 <= sum(each.is_held for each in asked) / len(asked) <= 0.97


def test_the_model_found_predicts_best_of_those_tried_and_knows_the_first_sides_advantage() -> None:
    known = careers(DRIFT, 3, 0, Club(years=3, members=12))
    found = tuned(known.games)
    assert [each.model.drift for each in found.tried[: len(DRIFTS)]] == list(DRIFTS)
    best = min(found.tried[len(DRIFTS) :], key=lambda each: each.loss).model
    assert (found.model.drift, found.model.prior) == (best.drift, best.prior)
    assert found.model.prior in PRIORS
    wins = [HistoryGame(each.first, each.second, each.day, 1.0) for each in known.games]
    assert tuned(wins + known.games).model.advantage > found.model.advantage + 50.0
    assert tuned(wins).model.draw_rate == 0.0
