"""Pages of measurements are made of their records: no figure stands there by hand, and one command takes them anew."""

import json
import re
import subprocess
from dataclasses import replace
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from benchmarks import page, records
from benchmarks.command import Command
from benchmarks.federation import BARE_ROW, DISK, MADE, OVER_ITS_FLOOR, RATED, SMALL
from benchmarks.measure import Measured, missing
from benchmarks.page import MARKED, NEEDS, PAGES, figure, filled, needs
from benchmarks.records import Machine, Record, kept, known_keys, this_machine
from benchmarks.subjects import SUBJECTS, Size

DOCS = settings.BASE_DIR / "docs"
MACHINE = Machine("A processor", 2, 8, "Linux 6.1", "3.11.7", "5.2.8", "SQLite 3.40.1", 0.25)
TIME_OR_SIZE = re.compile(r"\d\s?(?:ns|µs|ms|s|seconds?|minutes?|kB|MB|GB|bytes)\b")


def record(*results: Measured, key: str = "web") -> Record:
    return Record(key, Size(0, 5000), "2026-05-01", MACHINE, results)


# --- the pages that are there -----------------------------------------------------------------------------------
@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_what_its_records_say(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    assert filled(text, kept(DOCS)) == text, "bin/benchmark … --write makes the tables"


def test_every_section_has_its_place_once() -> None:
    texts = [(DOCS / name).read_text(encoding="utf-8") for name in PAGES]
    marks = [found["key"] for text in texts for found in MARKED.finditer(text)]
    assert sorted(marks) == sorted([*known_keys(), NEEDS])


def test_every_section_was_measured() -> None:
    assert kept(DOCS).keys() == set(known_keys())


@pytest.mark.parametrize("name", PAGES)
def test_no_time_and_no_size_is_written_by_hand(name: str) -> None:
    text = MARKED.sub("", (DOCS / name).read_text(encoding="utf-8"))
    assert TIME_OR_SIZE.findall(text) == []


# --- how they are made ------------------------------------------------------------------------------------------
def test_a_table_tells_ratio_goal_and_machine() -> None:
    results = Measured("a page", "a bare one", 1.4, goal=1.5), Measured("another", "it", 33.33, goal=2)
    text = "Before.\n<!-- measured: web -->\nold\n<!-- end -->\nAfter 12 ms.\n"
    made = filled(text, {"web": record(*results, missing("a third", "it", "not installed", 1))})
    assert made.startswith("Before.\n<!-- measured: web -->\n")
    assert made.endswith("<!-- end -->\nAfter 12 ms.\n")
    assert "| a page | a bare one | 1.4 | 1.5 |" in made
    assert "| another | it | 33 | 2, missed |" in made
    assert "| a third | it | – (not installed) | 1 |" in made
    assert "*2026-05-01, 5,000 games. A processor, 2 cores, 8 GiB, Linux 6.1, Python 3.11.7" in made
    assert "load 0.25 when it began" in made
    assert "old" not in made


def test_what_was_not_measured_says_so_and_an_unknown_mark_is_refused() -> None:
    assert "Not measured yet." in filled("<!-- measured: web -->\n<!-- end -->\n", {})
    with pytest.raises(ValueError, match="no-such --> names no section"):
        filled("<!-- measured: no-such -->\n<!-- end -->\n", {})


@pytest.mark.parametrize(
    ("ratio", "told"),
    [
        (0.0, "0"),
        (0.0123, "0.012"),
        (0.31, "0.31"),
        (0.97, "0.97"),
        (1.0, "1.00"),
        (1.049, "1.05"),
        (1.06, "1.1"),
        (14.4, "14"),
        (250.4, "250"),
    ],
)
def test_two_figures_are_told(ratio: float, told: str) -> None:
    assert figure(ratio) == told


def test_a_hundred_times_as_large_is_reckoned_from_the_slopes() -> None:
    """By hand: a million games and 100,000 people measured, so two tenfold steps of games and one of people: 2 s that
    grow threefold are 18 s; 0.1 s that shrank stay 0.1 s; 4 s that grow 1.2 times as much as their rows are 48 s; a
    minute for a million games is a hundred for a hundred million; 21 bytes 20 times over are 42 GB."""
    size = "(100000 people, 1000000 games)"
    rows = (
        Measured(f"a search {size}", "a bare view", 40.0, 2.0, 0.05),
        Measured(f"a search {size}{OVER_ITS_FLOOR}", SMALL, 3.0, goal=2.0),
        Measured(f"a result {size}", "a commit", 5.0, 0.1, 0.02),
        Measured(f"a result {size}{OVER_ITS_FLOOR}", SMALL, 0.9, goal=2.0),
        Measured(f"a list {size}", "its rows", 1.8, 4.0, 2.2),
        Measured(f"a list {size}{OVER_ITS_FLOOR}", SMALL, 1.2),
        Measured(f"{MADE} {size}", "its list", 3.0, 180.0),
        Measured(f"{RATED} {size}", SMALL, 10.0, 60.0),
        Measured(f"{DISK} {size}", "its barest row", 20.0),
    )
    found = needs(replace(record(*rows, key="size"), size=Size(100_000, 1_000_000)))
    assert "| a search | 2 s | × 3 | 18 s |" in found
    assert "| a result | 100 ms | × 1 | 100 ms |" in found
    assert "| a list | 4 s | × 12 | 48 s |" in found
    assert f"| {RATED}, one process | 1 min | × 10 | 1.7 h |" in found
    assert f"| {MADE}, one process | 3 min | × 10 | 5 h |" in found
    assert f"| {DISK}, {20 * BARE_ROW} bytes a game | 420 MB | × 10 | 42 GB |" in found


def test_a_record_is_read_as_it_was_kept(tmp_path: Path) -> None:
    own = record(Measured("a", "b", 1.25, 0.5, 0.4, 2.0), missing("c", "d", "no compiler"))
    records.keep(own, tmp_path)
    assert kept(tmp_path) == {"web": own}


def test_a_record_of_another_shape_is_named(tmp_path: Path) -> None:
    (tmp_path / records.FOLDER).mkdir()
    (tmp_path / records.FOLDER / "web.json").write_text('{"section": "web"}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"web\.json is no record"):
        kept(tmp_path)


def test_the_machine_is_told() -> None:
    machine = this_machine()
    assert machine.processor
    assert machine.cores >= 1
    assert machine.memory_gib >= 1
    assert re.fullmatch(r"(SQLite|PostgreSQL) [\d.]+", machine.database)


# --- the command ------------------------------------------------------------------------------------------------
@pytest.fixture
def docs(tmp_path: Path) -> Path:
    for name in PAGES:
        (tmp_path / name).write_text("<!-- measured: web -->\n<!-- end -->\n", encoding="utf-8")
    return tmp_path


def test_a_subject_keeps_what_it_measured(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = SUBJECTS["web"][0]
    monkeypatch.setitem(SUBJECTS, "web", (_answering(section, Measured("a page", "a bare one", 1.25, goal=1.0)),))
    out = StringIO()
    call_command(Command(), "web", "--games", "70", "--write", str(docs), stdout=out)
    assert "(goal 1: MISSED)" in out.getvalue()
    values = json.loads((docs / records.FOLDER / "web.json").read_text(encoding="utf-8"))
    assert (values["games"], values["results"][0]["ratio"]) == (70, 1.25)
    assert "| a page | a bare one | 1.2 | 1, missed |" in (docs / page.PAGES[0]).read_text(encoding="utf-8")


def _answering(section: Any, *answers: Measured) -> Any:
    return SimpleNamespace(key=section.key, sized=True, scratch=False, engine=False, measure=lambda size: iter(answers))


def test_all_measures_each_subject_in_a_process_of_its_own(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[list[str], str]] = []

    def run(command: list[str], *, env: dict[str, str], **_: Any) -> SimpleNamespace:
        asked.append((command[3:], env.get("DATABASE_URL", "")))
        return SimpleNamespace(returncode=1 if command[3] == "lab" else 0)

    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(CommandError, match="broke off: lab"):
        call_command(Command(), "all", "--write", str(docs), "--postgres", "postgres://there", stdout=StringIO())
    large, write = ["--players=100000", "--games=1000000"], ["--write", str(docs)]
    own = [arguments for arguments, url in asked if not url]
    assert own == [[subject, *(large if subject == "database" else []), *write] for subject in SUBJECTS]
    assert [arguments for arguments, url in asked if url == "postgres://there"] == [
        ["ratings", "--section=ledger", *write],
        ["crowd", "--section=phones", *write],
        ["database", "--section=size", *large, *write],
    ]


@pytest.mark.parametrize("wrong", [["--games", "5"], ["--players", "5"], ["--section", "web"]])
def test_all_takes_the_usual_sizes(wrong: list[str]) -> None:
    with pytest.raises(CommandError, match="usual sizes"):
        call_command(Command(), "all", *wrong)


def test_a_folder_without_the_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"has no performance\.md"):
        call_command(Command(), "web", "--write", str(tmp_path))
