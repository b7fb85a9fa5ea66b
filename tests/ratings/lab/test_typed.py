"""Typed systems: the study's rules typed as formulas are the shipped ones to the last bit."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ratings.lab import typed_study
from ratings.lab.contenders import STUDY, Contender
from ratings.lab.engine import PLAIN
from ratings.lab.experiment import rounded, run_experiment
from ratings.lab.formulas import FormulaError
from ratings.lab.pictures import lines_of, look_of, scale_for
from ratings.lab.scenario_games import scenario
from ratings.lab.study import Accumulated, Study, with_thin_curves
from ratings.lab.study_files import write_study_files
from ratings.lab.table import Table
from ratings.lab.typed import EXAMPLES, Program, Standing, TypedRules, typed_contender
from ratings.lab.typed_study import (
    GAMES,
    PREDICTED,
    PREDICTED_GAMES,
    REPLICATIONS,
    SEED,
    dot_charts,
    typed_document,
    typed_report,
)
from ratings.lab.world import stretches
from tests.ratings.lab.golden import committed

SHIPPED = {each.key: each for each in STUDY}
FEW = 4000
SHORT: Any = {"games": 300, "replications": 1, "seed": 1, "engine": PLAIN, "tell": lambda done: None}


def after(contender: Contender) -> tuple[list[float], list[float], int]:
    """Ratings and disorder of a short run, and how often the field was brought down."""
    table, index = Table(contender, PLAIN, []), []
    for stretch in stretches(FEW, 1, 0, PLAIN, newcomers=True, every=2000):
        table.join([person.strength for person in stretch.joining])
        index += table.play(stretch.white, stretch.black, stretch.scores)
    return table.ratings, index, table.normalised


@pytest.mark.parametrize("key", EXAMPLES)
def test_the_study_s_rule_typed_is_the_shipped_one_to_the_last_bit(key: str) -> None:
    typed = after(typed_contender(EXAMPLES[key]))
    assert typed == after(SHIPPED[key])
    assert len(set(typed[0])) > 50


@pytest.mark.parametrize("key", ["elo", "glicko"])
def test_typed_it_expects_what_the_shipped_one_expects(key: str) -> None:
    (stretch,) = stretches(300, 1, 0, PLAIN)
    strengths = [person.strength for person in stretch.joining]
    found = [
        Table(each, PLAIN, strengths).trace(stretch.white, stretch.black, stretch.scores)[0]
        for each in (typed_contender(EXAMPLES[key]), SHIPPED[key])
    ]
    assert found[0] == found[1]


def test_a_typed_rule_s_figures_stand_beside_the_six_as_if_made_with_them() -> None:
    told: list[tuple[int, int]] = []
    small = {"games": 10_100, "replications": 1, "predicted_games": 400, "predicted": 2}
    found = typed_report(EXAMPLES["league"], engine=PLAIN, tell=lambda done, of: told.append((done, of)), **small)
    assert told == [(1, 3), (2, 3), (3, 3)]
    league = SHIPPED["league"]
    shipped = Accumulated()
    shipped.add(Study("imitator", 10_100, 1, (league,)).replication(0, PLAIN))
    whole = with_thin_curves(Study("imitator", 10_100, 1, (league,)).report(shipped))["systems"]["league"]
    assert found["system"] == whole
    tried = run_experiment(scenario("constant"), (league,), games=400, seed=1, replications=2, engine=PLAIN,
                           tell=lambda done: None)  # fmt: skip
    assert found["measures"] == rounded(tried["systems"]["league"], 6)
    assert found["calibration"] == rounded(tried["calibration"]["league"], 6)
    assert (len(found["course"]), len(found["table"])) == (6, 140)
    assert sum(row[5] for row in found["table"]) == shipped.sums["league"].total[-1]
    assert sum(row[4] for row in found["table"]) == 10_100, "somebody wins each game"
    assert [row[2] for row in found["table"]] == sorted((row[2] for row in found["table"]), reverse=True)


@pytest.mark.parametrize("key", ["elo", "kd"])
def test_its_pictures_are_those_the_study_draws_of_the_shipped_one_byte_for_byte(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typed_study, "scale_for", lambda low, high: look_of(SHIPPED[key]).scale)  # of the long study
    drawn = dot_charts(EXAMPLES[key], engine=PLAIN, games=600)
    first, last, *_rest = write_study_files(
        tmp_path, games=600, seed=1, replication=0, newcomers=False, contenders=[SHIPPED[key]], engine=PLAIN, log=False,
        tell=lambda done: None,
    )  # fmt: skip
    assert drawn == {"first": first.read_bytes(), "all": last.read_bytes()}


def test_a_chart_is_as_high_as_the_studys_smallest_that_has_room_unless_it_lies_flat_in_it() -> None:
    own = look_of(SHIPPED["elo"]).scale  # from -500 to 1600
    for low, high, fits in ((-500.0, 1600.0, True), (-501.0, 1600.0, False), (-500.0, 1601.0, False)):
        assert (scale_for(low, high) == own) is fits
    assert [scale_for(500.0, high) == own for high in (1200.0, 1199.0)] == [True, False], "a third of it"


@given(low=st.floats(-1e12, 1e12), high=st.floats(-1e12, 1e12))
@example(low=1e12, high=1e12)
@example(low=0.0, high=0.0)
@example(low=52.0, high=52.0)
@example(low=-3.0, high=3.0)
def test_a_chart_has_room_for_all_ratings_and_a_readable_number_of_lines(low: float, high: float) -> None:
    low, high = sorted((low, high))
    scale = scale_for(low, high)
    assert scale.bottom <= low <= high <= scale.top
    assert 2 <= len(lines_of(scale)) <= 22, "League's own chart has 22"


def test_the_committed_document_says_that_all_six_are_equal_and_is_made_on_the_games_it_says() -> None:
    kept, tried = committed("typed"), committed("scenarios")
    assert kept["typed"].keys() == EXAMPLES.keys()
    for found in (*kept["typed"].values(), *typed_document(**SHORT)["typed"].values()):
        assert found["looks"] == found["equal_looks"] > 0
        assert found["ratings"] == found["equal_ratings"] > 0
    assert (kept["games"], kept["replications"], kept["seed"]) == (GAMES, REPLICATIONS, SEED)
    assert (tried["games"], tried["replications"], tried["seed"]) == (PREDICTED_GAMES, PREDICTED, SEED)


def test_k_may_rest_on_games_and_a_draw_moves_nobody() -> None:
    rules = TypedRules("w + Kw", "l - Kl", k="40 if gr < 30 else 20")
    played = Program(rules).play(Standing(1500.0, 29, 1.0), Standing(1600.0, 30, 1.0), white=True)
    assert played[:2] == (1540.0, 1580.0)
    fallen = Program(TypedRules("w - 600", "l - 700", floor=950.0)).play(*[Standing(1500.0, 29, 1.0)] * 2, white=True)
    assert fallen[:2] == (950.0, 950.0)
    table = Table(typed_contender(rules), PLAIN, [1.0, 2.0])
    table.play([0], [1], [0.5])
    assert table.ratings == [1000.0, 1000.0]


@pytest.mark.parametrize(
    ("rules", "field", "words"),
    [
        (TypedRules("w + Ew", "l"), "winner", "no name “Ew”"),
        (TypedRules("w", "l", expected="w"), "expected", "no name “w”"),
        (TypedRules("w", "l + k"), "loser", "no name “k”"),
        (TypedRules("w", "l", values="b = 1", winner_helper="hw * b + q"), "winner_helper", "no name “q”"),
    ],
)
def test_each_formula_knows_its_own_names(rules: TypedRules, field: str, words: str) -> None:
    with pytest.raises(FormulaError) as refused:
        Program(rules)
    assert refused.value.place.field == field
    assert words in refused.value.what


def test_a_study_stops_where_a_formula_cannot_be_worked_out() -> None:
    wrong = TypedRules("w + 1", "l - 1", expected="0.5 + gap")
    with pytest.raises(FormulaError, match="not to 0 … 1"):
        Study("imitator", 1000, 1, (typed_contender(wrong),)).replication(0, PLAIN)
    unknown = TypedRules("w + 1", "l - 1", expected="1 / gap")
    with pytest.raises(FormulaError, match="divided by zero") as refused:
        Table(typed_contender(unknown), PLAIN, [1.0, 2.0]).trace([0], [1], [1.0])
    assert refused.value.game == (1000.0, 1000.0), "also where it was asked before the game"


def test_typed_systems_are_tried_with_one_seed_only() -> None:
    with pytest.raises(ValueError, match=f"with seed {typed_study.SEED}"):
        typed_study.typed_document(
            games=100, replications=1, seed=typed_study.SEED + 1, engine=PLAIN, tell=lambda done: None
        )
