"""What `bin/stress` counts it counts rightly; and one short run of it, with the web server and the worker killed."""

from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stress.__main__ import main
from tests.stress.evening import Size
from tests.stress.faults import Fault
from tests.stress.figures import Broken, Line, Sample, Window, broken_of, lines_of, percentile
from tests.stress.guest import Answer
from tests.stress.journal import ASKED, REFUSED, SAVED, UNKNOWN, Journal, Note, acknowledged, lost, out_of_order
from tests.stress.report import Report, as_text
from tests.stress.running import of_the_disk, run, shuffled
from tests.stress.services import shifted


# --- figures --------------------------------------------------------------------------------------------------
def test_the_99th_percentile_is_the_smallest_value_with_99_of_100_at_or_below_it() -> None:
    hundred = [float(number) for number in range(100, 0, -1)]
    assert (percentile(hundred, 50), percentile(hundred, 99), percentile(hundred, 100)) == (50, 99, 100)
    assert percentile([3.0], 99) == 3
    assert percentile([1.0, 2.0], 50) == 1
    assert percentile([], 99) == 0


@given(st.lists(st.floats(0, 100), min_size=1), st.integers(1, 100))
def test_a_percentile_is_a_value_of_its_own_with_that_share_at_or_below_it(values: list[float], share: int) -> None:
    found = percentile(values, share)
    assert found in values
    assert sum(value <= found for value in values) * 100 >= share * len(values)
    assert sum(value < found for value in values) * 100 < share * len(values)


WINDOW = Window("web killed", 10, 12)


@pytest.mark.parametrize(
    ("begun", "took", "inside"),
    [(8, 1, False), (9, 1, True), (9, 5, True), (11, 0.5, True), (12, 1, True), (12.5, 1, False)],
)
def test_a_request_under_way_at_any_moment_of_a_window_is_inside(begun: float, took: float, inside: bool) -> None:
    assert WINDOW.touches(Sample("read", begun, took, 200)) is inside


def test_no_answer_and_5xx_are_errors_and_a_refusal_is_none() -> None:
    errors = {status for status in (0, 200, 302, 304, 404, 409, 429, 500, 503) if Sample("read", 0, 1, status).is_error}
    assert errors == {0, 500, 503}
    assert errors == {status for status in (0, 200, 302, 404, 409, 500, 503) if Answer(status).is_error}


def test_errors_inside_the_windows_and_outside_are_told_apart() -> None:
    samples = [
        Sample("read", 1, 0.1, 200),
        Sample("read", 2, 0.3, 200),
        Sample("read", 3, 9, 0),  # asked before, under way when it broke
        Sample("enter", 4, 0.2, 500),
        Sample("enter", 11, 0.2, 500),
    ]
    assert lines_of(samples, [WINDOW]) == [Line("enter", 1, 1, 0.2, 0.2), Line("read", 2, 0, 0.1, 0.3)]
    later = Window("web killed", 30, 36)
    assert broken_of(samples, [WINDOW, later]) == [Broken("web killed", 2, 2, 6, 2, 2)]


def test_a_request_without_an_answer_has_no_time() -> None:
    assert lines_of([Sample("read", 1, 60, 0), Sample("read", 1, 2, 200)], []) == [Line("read", 2, 1, 2, 2)]


# --- the journal ----------------------------------------------------------------------------------------------
def notes(*text: str, game: int = 7) -> list[Note]:
    """ "1-0 saved" and so on, one a second."""
    words = (word.split() for word in text)
    return [Note(float(at), 1, game, result, what) for at, (result, what) in enumerate(words)]


@pytest.mark.parametrize(
    ("told", "kept", "gone"),
    [
        (["1-0 asked", "1-0 saved"], ["1-0"], ["", "0-1"]),
        (["1-0 asked", "1-0 refused"], [""], ["1-0"]),
        (["1-0 asked", "1-0 unknown"], ["", "1-0"], ["0-1"]),
        (["1-0 asked"], ["", "1-0"], ["1/2"]),
        (["1-0 asked", "1-0 saved", "0-1 asked", "0-1 saved"], ["0-1"], ["1-0", ""]),
        (["1-0 asked", "1-0 saved", "0-1 asked", "0-1 unknown"], ["1-0", "0-1"], [""]),
        (["1-0 asked", "1-0 unknown", "0-1 asked", "0-1 saved"], ["0-1"], ["1-0", ""]),
        (["1-0 asked", "1-0 unknown", "1-0 asked", "1-0 refused"], ["", "1-0"], ["0-1"]),
    ],
)
def test_only_what_was_acknowledged_can_be_lost(told: list[str], kept: list[str], gone: list[str]) -> None:
    assert [lost(notes(*told), {7: stands}) for stands in kept] == [{}] * len(kept)
    assert [lost(notes(*told), {7: stands}) for stands in gone] == [{7: stands} for stands in gone]


def test_a_game_that_is_not_there_at_all_is_lost() -> None:
    assert lost(notes("1-0 asked", "1-0 saved"), {}) == {7: ""}


def test_saved_results_are_counted_corrections_among_them() -> None:
    assert acknowledged(notes("1-0 asked", "1-0 saved", "0-1 asked", "0-1 refused", "0-1 asked", "0-1 saved")) == 2


def test_a_result_asked_for_after_another_was_saved_is_numbered_after_it() -> None:
    lines = [Note(0, 1, 1, "1-0", ASKED), Note(1, 1, 1, "1-0", SAVED), Note(2, 1, 2, "1-0", ASKED)]
    lines += [Note(2.5, 2, 3, "1-0", ASKED), Note(3, 1, 2, "1-0", SAVED), Note(4, 2, 3, "1-0", SAVED)]
    assert out_of_order(lines, {1: 10, 2: 20, 3: 30}) == []
    assert out_of_order(lines, {1: 10, 2: 30, 3: 20}) == []  # both under way at once: either may be first
    assert out_of_order(lines, {1: 40, 2: 20, 3: 50}) == [2]


def test_a_correction_keeps_the_number_and_an_unanswered_result_says_nothing_of_the_order() -> None:
    lines = [Note(0, 1, 1, "1-0", ASKED), Note(1, 1, 1, "1-0", SAVED), Note(2, 1, 2, "1-0", ASKED)]
    lines += [Note(3, 1, 2, "1-0", SAVED), Note(4, 1, 1, "0-1", ASKED), Note(5, 1, 1, "0-1", SAVED)]
    assert out_of_order(lines, {1: 10, 2: 20}) == []
    unknown = [replace(note, what=UNKNOWN) if note.what == SAVED else note for note in lines]
    assert out_of_order(unknown, {1: 20, 2: 10}) == []


def test_a_journal_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    journal, found = Journal(tmp_path / "journal"), notes("1-0 asked", "1-0 saved", "1/2 refused")
    for note in found:
        journal.write(note)
    assert journal.read() == found
    assert [note.what for note in found] == [ASKED, SAVED, REFUSED]
    journal.close()


# --- what is said ---------------------------------------------------------------------------------------------
REPORT = Report(
    database="SQLite 3",
    python="3.11",
    cores=2,
    minutes=5,
    seed=1,
    lines=[Line("read", 200, 0, 0.0123, 0.25)],
    broken=[Broken("web killed", 2, 3.04, 3.55, 20, 7)],
    waits=[Broken("worker killed", 1, 4, 4, 0, 0)],
    skipped={"disk": "only root may mount a small disk"},
    saved=100,
    killed_by_disk=2,
    lost=0,
    disordered=0,
    checks=3,
    jobs=5,
    jobs_left=0,
    faults=[],
)


def test_the_summary_is_a_page_s_tables() -> None:
    assert as_text(REPORT).splitlines() == [
        "SQLite 3, Python 3.11, 2 cores; 5.0 min, seed 1",
        "",
        "| request | how many | errors | p50 | p99 |",
        "|---|---|---|---|---|",
        "| read | 200 | 0 | 12 ms | 250 ms |",
        "",
        "| fault | times | back after (median) | at most | requests meanwhile | unanswered or 5xx |",
        "|---|---|---|---|---|---|",
        "| web killed | 2 | 3.0 s | 3.5 s | 20 | 7 |",
        "| worker killed | 1 | 4.0 s | 4.0 s | – | – |",
        "| disk | left out: only root may mount a small disk | | | | |",
        "",
        "Acknowledged 100, lost 0, out of order 0.",
        "Ledger compared with a fresh replay 3 times.",
        "Errors outside the windows: 0 of 200.",
        "Background work done: 5 jobs, left behind 0.",
        "Web processes ended by a full disk: 2.",
        "All of it held.",
    ]


@pytest.mark.parametrize(
    "worse",
    [
        replace(REPORT, lost=1),
        replace(REPORT, disordered=1),
        replace(REPORT, lines=[Line("read", 200, 1, 0, 0)]),
        replace(REPORT, jobs_left=1),
        replace(REPORT, faults=["ledger after “web killed”: …"]),
        replace(REPORT, saved=0),
    ],
)
def test_one_thing_that_did_not_hold_is_a_bad_run(worse: Report) -> None:
    assert REPORT.is_good
    assert not worse.is_good
    assert "NOT all of it held." in as_text(worse)


def test_an_error_without_a_page_is_rude() -> None:
    assert Answer(500, "Traceback (most recent call last)").is_rude
    assert Answer(500, "Internal Server Error").is_rude
    assert not Answer(500, "<h1>Something went wrong</h1>").is_rude
    assert not Answer(404, "no page").is_rude


# --- running --------------------------------------------------------------------------------------------------
def test_the_same_seed_breaks_the_same_things_in_the_same_order() -> None:
    faults = [Fault(str(number), lambda _evening: None, 1) for number in range(9)]
    assert shuffled(faults, Random(3)) == shuffled(faults, Random(3))
    assert sorted(fault.name for fault in shuffled(faults, Random(3))) == [fault.name for fault in faults]


def test_a_right_clock_needs_no_variables() -> None:
    assert shifted(0) == {}


@pytest.mark.parametrize("words", [["--faults", "kill,flood"], ["--minutes", "0"], ["--minutes", "1000"]])
def test_what_cannot_be_done_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(words)
    assert "bin/stress: error:" in capsys.readouterr().err


# --- the full disk ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("killed", "told", "left", "found"),
    [
        (0, "No room on the disk.", "", []),
        (1, "No room on the disk.", "", ["the full disk ended 1 web processes"]),
        (0, "", "", ["the full disk refused no backup"]),
        (0, "Traceback: OSError", "", ["a backup broke off with a traceback: Traceback: OSError"]),
        (0, "No room on the disk.", "stress-1.zip", ["half a backup was left"]),
    ],
)
def test_a_full_disk_ends_no_process_and_leaves_no_half(
    tmp_path: Path, killed: int, told: str, left: str, found: list[str]
) -> None:
    (tmp_path / "backups").mkdir()
    if left:
        (tmp_path / "backups" / left).touch()
    web = SimpleNamespace(said=lambda words: killed if "SIGBUS" in words else 0)
    evening = SimpleNamespace(
        windows=[Window("disk full", 1, 2)], site=SimpleNamespace(data=tmp_path), full_disk_backup=told, web=web
    )
    assert of_the_disk(evening) == found  # type: ignore[arg-type]
    evening.windows = [WINDOW]
    assert of_the_disk(evening) == [], "no disk was filled"  # type: ignore[arg-type]


# --- a run ------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_short_run_with_the_web_server_and_the_worker_killed_loses_nothing(tmp_path: Path) -> None:
    said: list[str] = []
    size = Size(players=10, arbiters=2, members=2, calm=(0.5, 1.5))
    found = run(tmp_path, minutes=0.05, seed=1, database="sqlite", kinds=("kill",), size=size, say=said.append)
    assert found.is_good, as_text(found)
    assert {"web killed", "worker killed"} <= set(said)
    assert [row.fault for row in found.broken] == ["web killed"]
    assert [row.fault for row in found.waits] == ["worker killed"]
    assert found.checks >= 4  # after each fault, after the evening, after the last work
    assert found.skipped == {}
