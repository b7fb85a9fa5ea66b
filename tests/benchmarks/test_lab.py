"""The lab's benchmark: C and ours compute the same to the last bit, and what cannot be measured is named."""

import json
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import call_command

from benchmarks import c_study, lab, playouts
from benchmarks.command import Command
from benchmarks.lab import FEW, MANY, Process, look, measure_lab, outcome, study, the_same_in_c
from benchmarks.measure import resident
from ratings.lab.contenders import STUDY, contenders
from ratings.lab.engine import PLAIN, Engine, NumbaMissingError
from ratings.lab.table import NEVER, Table
from ratings.lab.world import GROUPS, group, stretches
from tests.benchmarks.cases import without_collector

needs_c = pytest.mark.skipif(c_study.compiler() is None, reason="no C compiler")


@pytest.fixture(autouse=True)
def _no_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    without_collector(monkeypatch)


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba as if it were there and took no time."""
    monkeypatch.setattr(lab, "compiled_engine", lambda: PLAIN)
    monkeypatch.setattr(lab, "best_engine", lambda: PLAIN)
    monkeypatch.setattr(lab, "_asked", lambda pool, games, many: Process(5.0, 0.05, 20_000, 20_500))


@pytest.mark.extended
@needs_c
@pytest.mark.parametrize("number", [0, 1])
def test_the_c_loop_computes_what_the_lab_computes(number: int) -> None:
    ours, c = outcome(8000, number, PLAIN), the_same_in_c(8000, number)
    assert c is not None
    assert 8000 * 9 < c.run() < 8000 * 14
    assert c.read() == ours
    assert list(study(8000).replication(number, PLAIN).index.values()) == ours.disorder
    assert len(ours.ratings) == len(STUDY)
    assert [len(column) for column in (ours.ratings[0], ours.disorder[0])] == [35 * GROUPS, 80]


@pytest.mark.parametrize("key", ["solo-zerg", "r2"])
def test_that_stream_is_normalised_on_its_way(key: str) -> None:
    """So that part of the C loop is tried too: with the line taken away somebody comes to stand above 3000."""
    (stretch,) = stretches(8000, lab.SEED, 0, PLAIN)
    (each,) = contenders([key])
    table = Table(each, PLAIN, [person.strength for person in stretch.joining])
    table.normalisation = NEVER
    table.play(stretch.white, stretch.black, stretch.scores)
    assert max(table.ratings) > 3000.0


@pytest.mark.extended
@needs_c
def test_random_numbers_that_do_not_suffice_are_told() -> None:
    people = group() * GROUPS
    columns = [each.strength for each in people], [each.frequency for each in people]
    rng = lab.numpy.random.Generator(lab.numpy.random.PCG64(1)).random(50)
    short = c_study.c_study(100, rng, *columns, lab.Q)
    assert short is not None
    assert short.run() == -1


@pytest.mark.extended
@pytest.mark.usefixtures("plainly")
@needs_c
def test_what_is_measured_and_its_goals() -> None:
    values = {f"{each.what} / {each.against}": each for each in measure_lab(500)}
    goals = {what: each.goal for what, each in values.items() if each.goal is not None}
    assert goals == {
        "the study of six systems, 500 games / a C loop that does the same work": 3,
        "figures that differ from the C loop's, ratings and indices / none": 0,
        f"resident size after {MANY} replications / after {FEW}": 1.05,
    }
    assert values["figures that differ from the C loop's, ratings and indices / none"].met
    memory = values[f"resident size after {MANY} replications / after {FEW}"]
    assert (memory.ratio, memory.met) == (1.025, True)
    (start_up,) = (each for each in values.values() if each.what.startswith("start-up"))
    assert (start_up.ratio, start_up.goal) == (100.0, None)


@pytest.mark.usefixtures("plainly")
def test_without_a_compiler_or_numba_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_study, "which", lambda name: None)
    assert [each.note for each in measure_lab(300) if each.ratio is None] == ["no C compiler"]

    def refuse() -> Engine:
        raise NumbaMissingError("Numba is not installed.")

    monkeypatch.setattr(lab, "compiled_engine", refuse)
    assert {each.note for each in measure_lab(300)} == {"Numba is not installed."}
    assert all(each.ratio is None for each in measure_lab(300))


def test_a_process_looks_at_its_own_size_where_the_system_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "best_engine", lambda: PLAIN)
    sizes: Iterator[int] = iter([70, 71])
    monkeypatch.setattr(lab, "resident", lambda: next(sizes))
    seen = look(100, FEW + 2)
    assert (seen.few, seen.many) == (70, 71)
    assert seen.start_up > 0 < seen.replication
    assert resident() >= 0


@pytest.mark.extended
@pytest.mark.usefixtures("plainly")
def test_the_command_prints_one_object(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playouts, "ROUND_ROBIN", 20)
    monkeypatch.setattr(playouts, "SWISS", 2)
    monkeypatch.setattr(playouts, "TIMES", 1)
    out = StringIO()
    call_command(Command(), "lab", "--games", "300", "--json", stdout=out)
    values = json.loads(out.getvalue())
    assert (values["benchmark"], values["games"]) == ("lab", 300)
    assert all({"what", "against", "ratio", "goal", "met"} <= row.keys() for row in values["results"])
    assert sum("playouts" in row["what"] for row in values["results"]) == 5, "forecasts belong to it"
