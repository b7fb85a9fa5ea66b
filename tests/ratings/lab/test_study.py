"""The study over replications: indices by hand, exact sums that merge in any order, the committed documents."""

import json
import statistics
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.lab import study as module
from ratings.lab.contenders import STUDY, Contender, contenders
from ratings.lab.engine import PLAIN
from ratings.lab.study import Accumulated, Replication, Study, with_thin_curves, without_curves
from ratings.lab.table import Table
from ratings.lab.world import stretches
from tests.ratings.lab.golden import committed

PAIR = Study("imitator", 10_300, 1, contenders(["league", "elo"]))
SHORT = Study("imitator", 400, 1, contenders(["league", "elo", "kd"]))
LOOKS = st.lists(st.integers(0, 500), min_size=4, max_size=4)


def accumulated(*made: Replication) -> Accumulated:
    found = Accumulated()
    for each in made:
        found.add(each)
    return found


@st.composite
def replications(draw: st.DrawFn) -> list[Replication]:
    count = draw(st.integers(1, 8))
    return [Replication(number, {key: draw(LOOKS) for key in SHORT.keys}) for number in range(count)]


# --- indices by hand ------------------------------------------------------------------------------------------
def test_the_first_index_is_the_mean_to_game_10_000_and_the_second_that_of_the_rest_to_100_000() -> None:
    row = Replication(0, {"league": [3] * 100 + [6, 9, 12], "elo": [2] * 100 + [1, 2, 3]})
    systems = PAIR.report(accumulated(row))["systems"]
    assert systems["league"]["index_1"] == {"mean": 3.0, "sd": 0.0, "se": 0.0}
    assert systems["league"]["index_2"]["mean"] == 9.0
    assert systems["league"]["ratio_to_elo"]["index_1"]["mean"] == 1.5
    assert systems["league"]["ratio_to_elo"]["index_2"]["mean"] == 4.5
    assert systems["elo"]["ratio_to_elo"]["index_2"]["mean"] == 1.0
    longer = Study("imitator", 200_000, 1, contenders(["elo"]))
    row = Replication(0, {"elo": [1] * 100 + [5] * 900 + [1000] * 1000})
    found = longer.report(accumulated(row))["systems"]["elo"]
    assert (found["index_1"]["mean"], found["index_2"]["mean"]) == (1.0, 5.0)
    assert len(found["curve"]["mean"]) == 2000


def test_a_replication_of_another_length_is_refused() -> None:
    assert SHORT.read({"replication": 7, "index": {key: [1, 2, 3, 4] for key in SHORT.keys}}).number == 7
    with pytest.raises(ValueError, match="another length"):
        SHORT.read({"replication": 7, "index": {key: [1, 2, 3] for key in SHORT.keys}})


def test_a_stream_too_short_for_an_index_has_none() -> None:
    report = SHORT.report(accumulated(SHORT.replication(0, PLAIN)))
    assert report["systems"]["kd"]["index_2"] == {"mean": None, "sd": None, "se": None}
    assert report["systems"]["kd"]["ratio_to_elo"]["index_2"]["mean"] is None
    assert {order["range"] for order in report["orders"]} == {1}
    nothing = Study("imitator", 99, 1, contenders(["elo"]))
    report = nothing.report(accumulated(nothing.replication(0, PLAIN)))
    assert report["systems"]["elo"]["index_1"]["mean"] is None
    assert report["orders"] == []


def test_orders_come_with_the_share_in_which_they_held() -> None:
    made = [
        Replication(0, {"league": [5] * 4, "elo": [1] * 4, "kd": [3] * 4}),
        Replication(1, {"league": [5] * 4, "elo": [1] * 4, "kd": [3] * 4}),
        Replication(2, {"league": [2] * 4, "elo": [2] * 4, "kd": [2] * 4}),
        Replication(3, {"league": [9] * 4, "elo": [1] * 4, "kd": [3] * 4}),
    ]
    orders = SHORT.report(accumulated(*made))["orders"]
    assert orders == [
        {"range": 1, "order": ["elo", "kd", "league"], "share": 0.75},
        {"range": 1, "order": ["league", "elo", "kd"], "share": 0.25},  # equals as they were named
    ]


def test_no_ratio_without_elo_nor_to_an_index_of_nothing() -> None:
    alone = Study("imitator", 400, 1, contenders(["kd"]))
    assert "ratio_to_elo" not in alone.report(accumulated(alone.replication(0, PLAIN)))["systems"]["kd"]
    made = Replication(0, {"league": [5] * 4, "elo": [0] * 4, "kd": [3] * 4})
    assert SHORT.report(accumulated(made))["systems"]["kd"]["ratio_to_elo"]["index_1"]["mean"] is None


# --- one replication ------------------------------------------------------------------------------------------
def test_golden_first_looks_of_one_stream() -> None:
    made = Study("imitator", 500, 1, STUDY).replication(0, PLAIN)
    assert made.index == {
        "league": [164, 179, 165, 175, 170], "solo-zerg": [111, 148, 164, 167, 178],
        "r2": [109, 141, 171, 168, 185], "kd": [155, 196, 192, 180, 191],
        "elo": [153, 187, 192, 180, 175], "glicko": [162, 194, 181, 173, 175],
    }  # fmt: skip
    alone = Study("imitator", 2000, 3, contenders(["elo"])).replication(5, PLAIN)
    together = Study("imitator", 2000, 3, STUDY).replication(5, PLAIN)
    assert alone.index["elo"] == together.index["elo"]


@pytest.mark.extended
def test_newcomers_join_after_22_000_games() -> None:
    variant = Study("newcomers", 22_200, 1, contenders(["elo"])).replication(0, PLAIN).index["elo"]
    plain = Study("imitator", 22_200, 1, contenders(["elo"])).replication(0, PLAIN).index["elo"]
    assert variant[:220] == plain[:220]
    assert variant[220:] != plain[220:]
    table = None
    for stretch in stretches(22_200, 1, 0, PLAIN, newcomers=True):
        strengths = [person.strength for person in stretch.joining]
        if table is None:
            table = Table(contenders(["elo"])[0], PLAIN, strengths)
        else:
            table.join(strengths)
        last = table.play(stretch.white, stretch.black, stretch.scores)
    assert last == list(variant[220:])
    assert table is not None
    assert len(table.ratings) == 175


# --- merging --------------------------------------------------------------------------------------------------
@given(replications(), st.randoms(use_true_random=False), st.integers(1, 4))
def test_parts_merge_to_the_last_bit_in_any_order(made: list[Replication], rng: Any, shards: int) -> None:
    whole = SHORT.report(accumulated(*made))
    rng.shuffle(made)
    parts = [accumulated(*made[first::shards]) for first in range(shards)]
    documents = [json.loads(json.dumps(part.document())) for part in parts]
    merged = Accumulated.merged(Accumulated.from_document(each) for each in documents)
    assert json.dumps(SHORT.report(merged)) == json.dumps(whole)


@given(replications())
def test_the_curve_is_mean_and_sample_deviation(made: list[Replication]) -> None:
    curve = accumulated(*made).curve("kd")
    for at in range(4):
        values = [each.index["kd"][at] for each in made]
        assert curve["mean"][at] == pytest.approx(statistics.fmean(values))
        assert curve["sd"][at] == pytest.approx(statistics.stdev(values) if len(values) > 1 else 0.0)


def test_merging_leaves_the_parts_alone_and_refuses_what_does_not_belong_together() -> None:
    parts = [accumulated(SHORT.replication(number, PLAIN)) for number in range(2)]
    before = json.dumps([part.document() for part in parts])
    Accumulated.merged(parts)
    assert json.dumps([part.document() for part in parts]) == before
    found = accumulated(SHORT.replication(0, PLAIN))
    with pytest.raises(ValueError, match="Replication 0 is there twice"):
        found.add(SHORT.replication(0, PLAIN))
    other = Study("imitator", 400, 1, contenders(["elo"]))
    with pytest.raises(ValueError, match="different systems"):
        Accumulated.merged([accumulated(SHORT.replication(0, PLAIN)), accumulated(other.replication(1, PLAIN))])


# --- shapes ---------------------------------------------------------------------------------------------------
def test_curves_are_left_out_or_thinned() -> None:
    longer = Study("imitator", 2500, 1, contenders(["elo"]))
    report = longer.report(accumulated(longer.replication(0, PLAIN)))
    curve = report["systems"]["elo"]["curve"]
    thin = with_thin_curves(report)["systems"]["elo"]["curve"]
    assert thin == {"every": 1000, "mean": [curve["mean"][9], curve["mean"][19]], "sd": [0.0, 0.0]}
    assert "curve" not in without_curves(report)["systems"]["elo"]
    assert len(report["systems"]["elo"]["curve"]["mean"]) == 25


# --- the committed documents ----------------------------------------------------------------------------------
def first_indices(kind: str, games: int, seed: int, some: Sequence[Contender]) -> dict[str, dict[str, float | None]]:
    study = Study(kind, games, seed, some)
    return study.indices(accumulated(study.replication(0, PLAIN)), 0)


@pytest.mark.parametrize(
    ("kind", "some"),
    [
        ("newcomers", contenders(["elo"])),
        pytest.param("newcomers", STUDY, marks=pytest.mark.slow),
        pytest.param("imitator", STUDY, marks=pytest.mark.slow),
    ],
    ids=["newcomers-elo", "newcomers-all", "imitator-all"],
)
def test_the_kept_document_can_be_made_again(kind: str, some: Sequence[Contender]) -> None:
    kept = committed(kind)
    found = first_indices(kind, kept["games"], kept["seed"], some)
    assert found == {each.key: kept["first"][each.key] for each in some}


def test_the_first_index_without_newcomers_can_be_made_again_of_all_six() -> None:
    """The first ten thousand games; the second index of a kept document is made again with newcomers."""
    kept = committed("imitator")
    for key, found in first_indices("imitator", 10_000, kept["seed"], STUDY).items():
        assert found["index_1"] == kept["first"][key]["index_1"], key


@pytest.mark.parametrize("kind", module.STUDIES)
def test_the_kept_document_says_how_it_was_made_and_holds_all_six(kind: str) -> None:
    kept = committed(kind)
    assert kept["made_by"] == f"manage.py run_study {kind} --games 100000 --replications 1000 --seed 1"
    assert set(kept["first"]) == {each.key for each in STUDY}
    assert kept["replications"] == 1000
    for number in (1, 2):
        shares = [order["share"] for order in kept["orders"] if order["range"] == number]
        assert sum(shares) == pytest.approx(1.0)
    for each in kept["systems"].values():
        curve = each["curve"]
        assert (curve["every"], len(curve["mean"]), len(curve["sd"])) == (1000, 100, 100)
