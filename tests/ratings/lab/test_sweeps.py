"""The sweeps over K and over the length of probation, and the document of both that is kept."""

from functools import partial

import pytest

from ratings.lab import sweeps
from ratings.lab.contenders import contenders
from ratings.lab.engine import PLAIN
from ratings.lab.experiment import FIGURE_DIGITS, replicate, rounded
from ratings.lab.scenario_games import FIRST_PLAYERS, blocks, scenario
from ratings.lab.table import Table
from tests.ratings.lab.golden import committed

TURNOVER = scenario("turnover")
GAMES = 6000


def quiet(done: int) -> None:
    """Nobody listens."""


def test_the_clubs_rule_is_forty_for_thirty_games_then_twenty_and_k_twenty_is_the_contender() -> None:
    assert (*sweeps.club_ks(), sweeps.CLUB_LENGTH) == (40.0, 20.0, 30)
    world = scenario("constant")
    swept = replicate(world, [sweeps.constant_k(20)], 1000, 3, 0, PLAIN, ceiling=False)["k20"]
    assert swept == replicate(world, contenders(["elo-k20"]), 1000, 3, 0, PLAIN, ceiling=False)["elo-k20"]


@pytest.mark.parametrize(("length", "key"), [(0, "elo-k20"), (sweeps.CLUB_LENGTH, "fide")])
def test_without_probation_it_is_k_twenty_and_with_thirty_games_the_clubs_own_list(length: int, key: str) -> None:
    """Nobody of the lab comes to 2400, where the club's rule would say 10."""
    own, table = sweeps.Probation(length, PLAIN), Table(contenders([key])[0], PLAIN, [])
    for block in blocks(TURNOVER, 3000, 1, 0, PLAIN):
        own.follow(block)
        table.join([1.0] * len(block.joining))
        table.trace(block.white, block.black, block.scores)
    assert own.ratings == table.ratings


def test_k_is_swept_on_the_same_games_with_differences_against_the_clubs() -> None:
    found = sweeps.k_sweep(
        scenario("constant"), games=1500, seed=1, replications=2, engine=PLAIN, tell=quiet, values=(4, 20, 80)
    )  # fmt: skip
    assert list(found["systems"]) == ["k4", "k20", "k80"]
    assert found["baseline"] == "k20"
    assert set(found["differences"]) == {"k4", "k80"}
    low, high = (found["systems"][key]["probability_error"]["mean"] for key in ("k4", "k20"))
    assert low > high  # so early K 4 has hardly moved


def test_the_best_k_is_judged_by_what_the_measure_wants() -> None:
    systems = {
        "k10": {"tau": {"mean": 0.8}, "brier": {"mean": 0.2}, "lag": {"mean": -3.0}},
        "k20": {"tau": {"mean": 0.9}, "brier": {"mean": 0.3}, "lag": {"mean": 1.0}, "drift": {"mean": 0.0}},
    }
    assert sweeps.best_k(systems, [10, 20]) == {"tau": 20, "brier": 10, "lag": 20}


def test_what_the_established_paid_is_the_sum_of_their_losses() -> None:
    own = sweeps.Probation(30, PLAIN)
    played: list[int] = []
    ratings = [1000.0] * FIRST_PLAYERS
    games = [0] * FIRST_PLAYERS
    table = Table(contenders(["fide"])[0], PLAIN, [])
    paid = []
    for block in blocks(TURNOVER, 5000, 4, 0, PLAIN):
        own.follow(block)
        table.join([1.0] * len(block.joining))
        ratings += [1000.0] * (len(block.strengths) - len(ratings))
        games += [0] * (len(block.strengths) - len(games))
        _told, *after = table.trace(block.white, block.black, block.scores)
        for pair, ends in zip(
            zip(block.white, block.black, strict=True), zip(*after, strict=True), strict=True
        ):  # fmt: skip
            for place, other, end in ((*pair, ends[0]), (*pair[::-1], ends[1])):
                if games[place] >= 100 and games[other] < 50 and other >= FIRST_PLAYERS:
                    paid.append(ratings[place] - end)
            for place, end in zip(pair, ends, strict=True):
                ratings[place] = end
                games[place] += 1
                played.append(place)
    assert own.figures()["paid"] == pytest.approx(sum(paid) / len(paid))


def test_the_document_of_the_probation_and_its_differences() -> None:
    found = sweeps.probation_sweep(
        TURNOVER, games=GAMES, seed=2, replications=2, engine=PLAIN, tell=quiet, lengths=(10, 30)
    )  # fmt: skip
    first = sweeps.probation_replication(TURNOVER, (10, 30), GAMES, 2, 0, PLAIN)
    second = sweeps.probation_replication(TURNOVER, (10, 30), GAMES, 2, 1, PLAIN)
    assert found["lengths"]["10"]["off"]["mean"] == pytest.approx((first[10]["off"] + second[10]["off"]) / 2)
    apart = (first[10]["off"] - first[30]["off"] + second[10]["off"] - second[30]["off"]) / 2
    assert found["differences"]["10"]["off"]["mean"] == pytest.approx(apart)
    assert set(found["differences"]) == {"10"}
    for world, replications in ((scenario("constant"), 1), (TURNOVER, 0)):
        with pytest.raises(ValueError, match="newcomers join, at least once"):
            sweeps.probation_sweep(world, games=200, seed=1, replications=replications, engine=PLAIN, tell=quiet)


@pytest.mark.extended
def test_the_first_replication_of_the_committed_k_sweep_comes_out_again() -> None:
    kept = committed("sweeps")
    assert [each["scenario"] for each in kept["k"]] == list(sweeps.K_WORLDS)
    assert [each["values"] for each in kept["k"]] == [list(sweeps.K_VALUES)] * len(sweeps.K_WORLDS)
    known = kept["k"][1]
    world, some = scenario(known["scenario"]), [sweeps.constant_k(20), sweeps.constant_k(40)]
    found = replicate(world, some, known["games"], known["seed"], 0, PLAIN, ceiling=False)
    for key, outcome in found.items():
        assert rounded(outcome.figures, FIGURE_DIGITS) == known["first"][key]


def test_the_first_replication_of_the_committed_probation_comes_out_again() -> None:
    kept = committed("sweeps")["probation"]
    found = sweeps.probation_replication(TURNOVER, (30,), kept["games"], kept["seed"], 0, PLAIN)
    assert rounded(found[30], FIGURE_DIGITS) == kept["first"]["30"]


def test_the_document_holds_every_world_and_counts_on_through_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are rounded for keeping; K is swept over few values here, and few lengths of the probation."""
    monkeypatch.setattr(sweeps, "K_WORLDS", ("constant", "improving"))
    monkeypatch.setattr(sweeps, "k_sweep", partial(sweeps.k_sweep, values=(20,)))
    monkeypatch.setattr(sweeps, "probation_sweep", partial(sweeps.probation_sweep, lengths=(30,)))
    told: list[int] = []
    found = sweeps.sweeps_report(games=1500, seed=2, replications=2, engine=PLAIN, tell=told.append)
    assert told == [1, 2, 3, 4, 5, 6]
    assert [each["scenario"] for each in (*found["k"], found["probation"])] == ["constant", "improving", "turnover"]
    assert (found["games"], found["seed"], found["replications"]) == (1500, 2, 2)
    alone = sweeps.probation_sweep(TURNOVER, games=1500, seed=2, replications=2, engine=PLAIN, tell=quiet)
    assert found["probation"] == rounded(alone, FIGURE_DIGITS)
