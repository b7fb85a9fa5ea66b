"""Which tests are repeated on another database: enough of them to ask every statement there."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from players.models import Club
from players.people.services import NewPlayer, create_player
from tests.choosing import examples
from tests.statements import Asked, Recorder, enough, file_of, kinds_of, shape, to_be_repeated

FEW = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 9), max_size=4).map(Asked)
NAMES = [f"{file}.py::test_{number}" for file in "xyz" for number in range(4)]


@examples(200)
@given(
    tests=st.dictionaries(st.sampled_from(NAMES), FEW), shared=st.dictionaries(st.sampled_from(["x.py", "y.py"]), FEW)
)
def test_every_statement_is_asked_and_no_test_could_be_left_out(
    tests: dict[str, Asked], shared: dict[str, Asked]
) -> None:
    def asked_by(names: set[str]) -> set[str]:
        return {key for name in names for asked in (tests[name], shared.get(file_of(name), {})) for key in asked}

    found = enough(shared, tests)
    assert asked_by(found) == asked_by({*tests})
    assert [name for name in found if asked_by(found - {name}) == asked_by(found)] == []


def test_what_asks_nothing_new_and_what_costs_more_for_the_same_is_left_out() -> None:
    tests = {"x::dear": Asked(a=900, b=1), "x::one": Asked(a=1, b=1), "x::two": Asked(a=2, b=2), "y::none": Asked()}
    assert enough({}, tests) == {"x::one"}
    assert enough({"x": Asked(scene=1)}, tests) == {"x::one"}


def test_numbers_of_values_and_of_rows_make_no_other_statement() -> None:
    insert = "INSERT INTO t (a, b) VALUES (%s, %s)"
    assert shape(f"{insert}, (%s, %s), (%s, %s) LIMIT 21") == shape(f"{insert} LIMIT 5")
    assert shape("SELECT a FROM t") != shape("SELECT b FROM t")


def test_values_on_which_databases_differ_do() -> None:
    assert kinds_of(["Ada", 7, 2**31 - 1, True, 1.5]) == kinds_of(None) == set()
    assert kinds_of(["Zoë", None, "a\0", 2**31, 2**63]) == {"wide", "null", "zero", "big", "long"}
    assert kinds_of({"name": None}) == {"null"}


@pytest.mark.django_db
def test_what_a_service_asks_is_another_statement_than_what_a_test_asks(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    recorder = Recorder(tmp_path)
    with connection.execute_wrapper(recorder.execute):
        Club.objects.count()
        once = Asked(recorder.own)
        Club.objects.count()
        assert recorder.own == once + once
        create_player(NewPlayer("Ada Alvares"), by=None)
    other: Any = SimpleNamespace(nodeid="other.py::test", get_closest_marker=lambda _name: None)
    recorder.tests = {other.nodeid: Asked(recorder.own), request.node.nodeid: Asked(dict.fromkeys(recorder.own, 9))}
    recorder.pytest_sessionfinish(request.session)
    assert to_be_repeated(tmp_path, [request.node, other]) == {other.nodeid: recorder.own.total()}
    for nothing_known in ({}, {request.node.nodeid: Asked()}):
        recorder.tests = nothing_known
        recorder.pytest_sessionfinish(request.session)
        assert list(to_be_repeated(tmp_path, [request.node])) == [request.node.nodeid]


@pytest.mark.slow
def test_several_processes_write_down_what_they_asked(tmp_path: Path) -> None:
    asked = f"{Path(__file__)}::test_what_a_service_asks_is_another_statement_than_what_a_test_asks"
    command = [sys.executable, "-m", "pytest", "-q", "-n", "1", "--dist", "loadfile", f"--statements={tmp_path}", asked]
    subprocess.run(command, check=True, capture_output=True)
    (file,) = tmp_path.iterdir()
    _shared, tests = json.loads(file.read_text())
    assert [len(asked) > 2 for asked in tests.values()] == [True]
