"""`benchmark tournaments`: it runs, its figures are ratios, and what is asked of a library is the same round."""

import json
from collections.abc import Iterator
from functools import cache
from io import StringIO
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.core.management import call_command

from benchmarks import measure, rounds, web
from benchmarks.command import Command
from benchmarks.measure import Measured
from benchmarks.rounds import measure_rounds, simulated
from tournaments.standings.tiebreaks import tiebreaks_of

simulated_once = cache(simulated)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "CLUB_PLAYERS", 12)
    monkeypatch.setattr(rounds, "TIMES", 1)
    monkeypatch.setattr(rounds, "simulated", simulated_once)
    monkeypatch.setattr(measure, "gc", Mock())  # it would look through all that pytest has collected, at every run


@pytest.mark.extended
@pytest.mark.usefixtures("quick")
def test_the_command_prints_one_object() -> None:
    out = StringIO()
    call_command(Command(), "tournaments", "--players", "16", "--no-database", "--json", stdout=out)
    values = json.loads(out.getvalue())
    assert (values["benchmark"], values["players"]) == ("tournaments", 16)
    assert len(values["results"]) == 20
    measured = [row for row in values["results"] if not row["note"]]
    assert len(measured) == 14
    for row in measured:
        assert row["ratio"] == pytest.approx(row["seconds"] / row["baseline_seconds"])


@pytest.mark.extended
@pytest.mark.usefixtures("quick")
def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(rounds, "import_module", absent)
    notes = [measured.note for measured in measure_rounds(16) if measured.ratio is None]
    theirs = ["py4swiss is not installed", "CLUB_BBP_PAIRINGS does not name the program"]
    assert notes == ["caissify-pairings is not installed", *theirs * 6]


@pytest.mark.usefixtures("quick")
def test_a_program_that_pairs_otherwise_is_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "other"
    program.write_text("#!/bin/sh\necho 2\necho 1 2\necho 3 4\n")
    program.chmod(0o700)
    monkeypatch.setenv(rounds.BBP_PROGRAM, f"{program}")
    assert rounds.against_bbp(16, 2).note == "it pairs event 1 otherwise"


@pytest.mark.usefixtures("quick")
def test_libraries_are_asked_for_the_very_round() -> None:
    """The same boards come back from them, so that both have done the same work."""
    theirs, ours = rounds.caissify_round(simulated_once(12, 7))
    assert {frozenset((pair["white_id"], pair["black_id"])) for pair in theirs()} == {
        frozenset((board.white, board.black)) for board in ours()
    }
    for number in (2, 9):
        theirs, ours = rounds.py4swiss_round(16, number)
        assert {(pair.white, pair.black) for pair in theirs()} == {(board.white, board.black) for board in ours()}


def test_the_ten_tiebreaks_are_ten() -> None:
    assert len(tiebreaks_of(rounds.TEN_TIEBREAKS)) == 10


def test_pages_need_a_secret_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLUB_SECRET_KEY", raising=False)
    found: Iterator[Measured] = web.measure_pages()
    assert [measured.note for measured in found] == ["pages need a secret: set CLUB_SECRET_KEY"]
