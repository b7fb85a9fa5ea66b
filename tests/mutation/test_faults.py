"""Which faults are found in a source, and that each run draws the same ones."""

import json
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from tests.mutation.__main__ import moved
from tests.mutation.faults import draw, find_faults
from tests.mutation.loaded import change_code
from tests.mutation.reach import Recorded, plant_recorder, read_reach, read_tests
from tests.mutation.trial import Loaded, in_order, within

RULES = "tournaments/services/example.py"
WEB = "tournaments/admin/example.py"
SOURCE = '''"""Text + text."""
LIMIT = 1 + 2


@transaction.atomic
def change(row, white, black):
    """Not 1 < 2."""
    if row.a < 3 and not white:
        raise PermissionDenied
    elif row.b == white:
        row.total += (row.a + row.b) * 2
    rows = Game.objects.select_for_update().filter(visibility="public", row=row)
    check_may(request, "x")
    return shown_name(row, viewer), rows.filter(pk=1), f"{1 + 1}", "a" + "b"
'''


def faults_in(path: str, source: str = SOURCE) -> set[tuple[str, int, str, str]]:
    return {(fault.kind, fault.line, fault.before, fault.text) for fault in find_faults(path, source.encode())}


def test_every_kind_is_found_in_a_function_and_nothing_outside_of_one() -> None:
    found = faults_in(RULES)
    assert found >= {
        ("lock", 5, "@transaction.atomic", "# transaction.atomic"),
        ("permission", 8, "row.a < 3 and not white", "False"),
        ("boundary", 8, "<", "<="),
        ("boundary", 8, "3", "4"),
        ("condition", 8, "and", "or"),
        ("colour", 8, "white", "black"),
        ("forgotten", 9, "raise PermissionDenied", "pass"),
        ("comparison", 10, "==", "!="),
        ("condition", 10, "row.b == white", "not (row.b == white)"),
        ("arithmetic", 11, "+", "-"),
        ("arithmetic", 11, "*", "/"),
        ("lock", 12, "Game.objects.select_for_update()", "Game.objects.all()"),
        ("permission", 13, 'check_may(request, "x")', "pass"),
        ("visibility", 14, "shown_name(row, viewer)", "row.name"),
        ("filter", 14, "rows.filter(pk=1)", "rows"),
    }
    assert min(line for _kind, line, _before, _text in found) == 5
    assert not [before for _kind, line, before, _text in found if line == 14 and before == "+"]


def test_in_views_only_what_is_about_who_may_do_and_see() -> None:
    assert {kind for kind, *_ in faults_in(WEB)} == {"permission", "visibility", "lock"}


def test_the_same_faults_are_drawn_again_and_all_of_them_compile() -> None:
    sources = {RULES: SOURCE.encode(), WEB: SOURCE.encode()}
    drawn = draw(sources, 100, seed=1)
    assert drawn == draw(sources, 100, seed=1)
    assert {fault.kind for fault in drawn} >= {"arithmetic", "permission", "lock"}
    for fault in drawn:
        compile(fault.plant(sources[fault.path]), "fault", "exec")


def test_a_fault_is_planted_again_where_its_function_has_moved_to(tmp_path: Path) -> None:
    drawn = find_faults(RULES, SOURCE.encode())
    file = tmp_path / RULES
    file.parent.mkdir(parents=True)
    file.write_text(
        SOURCE.replace("LIMIT = 1 + 2", "LIMIT = 1 + 2\nMORE = 3").replace('    check_may(request, "x")\n', "")
    )
    found = {fault: moved(fault, tmp_path) for fault in drawn}
    assert {fault.line for fault, there in found.items() if there is None} == {13}
    once = {fault: there for fault, there in found.items() if there and fault.kind != "colour" and fault.line < 13}
    assert {there.line - fault.line for fault, there in once.items()} == {1}
    assert all(there.change == fault.change for fault, there in once.items())


def test_a_place_that_is_passed_records_the_test_and_its_file_where_it_was_set_up(tmp_path: Path) -> None:
    faults = find_faults(RULES, SOURCE.encode())
    file = tmp_path / RULES
    file.parent.mkdir(parents=True)
    file.write_text(SOURCE)
    plant_recorder(faults, tmp_path, tmp_path / "record")
    compile(file.read_text(), "recording", "exec")
    assert file.read_text().count("reached(") == len(faults)

    lines = [("a.py::one", "(call)"), ("b.py::one", "(setup)"), ("c.py::one", "(call)")]
    (tmp_path / "record").write_text("".join(f"0\t{test} {phase}\n" for test, phase in lines))
    tests = [
        ("a.py::one", "setup", 4, False), ("a.py::one", "call", 1, False), ("a.py::two", "call", 1, False),
        ("b.py::one", "setup", 0.5, False), ("b.py::one", "call", 2, False), ("b.py::two", "call", 1, False),
        ("c.py::one", "call", 1, True), ("d.py::one", "call", 1, True),
    ]  # fmt: skip
    phases = [
        {"test": test, "phase": phase, "seconds": took, "demo": demo, "slow": demo, "outcome": "passed"}
        for test, phase, took, demo in tests
    ]
    phases += [phases[-1] | {"test": "c.py::failed", "outcome": "failed"}]
    (tmp_path / "tests").write_text("\n".join(map(json.dumps, phases)))
    seconds, again, demo, slow = read_tests(tmp_path / "tests")
    assert (again["a.py::one"], again["a.py::two"], again["b.py::one"]) == (1, 1, 2)
    assert (seconds["a.py::one"], seconds["a.py::two"], seconds["b.py::one"]) == (5, 5, 2.5)
    assert (demo, slow) == ({"c.py::one", "d.py::one"}, {"c.py::one", "d.py::one"})
    assert "c.py::failed" not in seconds
    reached = read_reach(tmp_path / "record", seconds, demo)
    assert reached == {0: {"a.py::one", "b.py::one", "b.py::two", "c.py::one", "d.py::one"}}


def test_tests_of_the_same_file_come_first_then_those_of_the_room_then_the_quickest() -> None:
    seconds = {
        "tests/test_walk.py::one": 0.1,
        "tests/tournaments/rounds/test_beside.py::one": 5.0,
        "tests/tournaments/rounds/test_pairing.py::one": 9.0,
        "tests/ratings/lists/test_lists.py::one": 0.2,
    }
    recorded = Recorded(seconds, seconds, set(), set())
    ordered = in_order(seconds, recorded, "tournaments/rounds/services/pairing.py")
    assert [test.split("/")[-1] for test in ordered] == [
        "test_pairing.py::one", "test_beside.py::one", "test_walk.py::one", "test_lists.py::one",
    ]  # fmt: skip
    assert within(14.2, ordered, recorded) == ordered[:3]


def test_what_a_file_sets_up_is_waited_for_once() -> None:
    again = {"tests/test_walk.py::one": 1.0, "tests/test_walk.py::two": 1.0, "tests/test_bin.py::one": 1.0}
    recorded = Recorded({test: took + 9.0 for test, took in again.items()}, again, set(), set())
    asked = within(12, in_order(again, recorded, "ratings/elo.py"), recorded)
    assert asked == ["tests/test_bin.py::one"], "the other file would be set up too"
    assert within(12, list(again)[:2], recorded) == list(again)[:2]
    assert within(0, list(again), recorded) == list(again), "no patience is named: all of them"


def test_what_is_loaded_gets_the_code_of_the_changed_function_and_no_other() -> None:
    source = "def total(rows):\n    return sum(row + 1 for row in rows)\n\n\ndef other(row):\n    return row + 1\n"
    loaded: dict[str, Any] = {}
    exec(compile(source, "rules.py", "exec"), loaded)
    functions: dict[tuple[str, str, int], list[FunctionType]] = {
        ("rules.py", name, loaded[name].__code__.co_firstlineno): [loaded[name]] for name in ("total", "other")
    }
    total = loaded["total"]  # as another module knows it
    assert change_code(functions, "rules.py", "total", source.replace("+", "-").encode()) == 1
    assert (total([2, 3]), loaded["other"](2)) == (3, 3)


def test_a_copy_whose_tests_cannot_be_collected_is_named(tmp_path: Path) -> None:
    loaded = Loaded(tmp_path)  # the plugin is not there either
    with pytest.raises(SystemExit, match=f"cannot collect the tests in {tmp_path}"):
        loaded.wait()
    loaded.close()
