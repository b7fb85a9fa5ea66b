"""The benchmark command: it runs, its ratios are ratios, and it leaves the club's database alone."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command, execute_from_command_line

from benchmarks import baselines, replays
from benchmarks.command import Command
from benchmarks.databases import PLAYERS, make_stream
from benchmarks.measure import Measured, compare, missing
from benchmarks.replays import measure_libraries
from ratings.systems.base import PlayerState
from ratings.systems.elo import Elo
from ratings.systems.replay import DatedRule, DatedRules, replay
from tests.benchmarks.cases import without_collector


@pytest.fixture(autouse=True)
def _no_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    without_collector(monkeypatch)


def test_the_bare_loop_computes_what_we_compute() -> None:
    stream = make_stream(500)
    states: dict[int, PlayerState] = {}
    system = Elo()
    rules = DatedRules(
        [DatedRule(stream.played()[0].played_on, system, system.read_settings({"preset": "constant", "k": 20}))]
    )
    list(replay(stream.played(), [], states=states, birth_years={}, rules=rules))
    bare = baselines.bare_elo(stream.triples)
    assert all(bare[player] == pytest.approx(state.rating, abs=1e-9) for player, state in states.items())
    assert len(bare) == PLAYERS


def test_a_ratio_is_measured_against_its_baseline() -> None:
    measured = compare("twice", lambda: sum(range(40_000)), "once", lambda: sum(range(10_000)), goal=100, rounds=3)
    assert measured.ratio is not None
    assert measured.ratio == pytest.approx((measured.seconds or 0) / (measured.baseline_seconds or 1))
    assert measured.met
    assert Measured("a", "b", 3.0, goal=2).met is False
    assert missing("a", "b", "not installed").met is None


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(replays, "LIBRARY_GAMES", 100)
    monkeypatch.setattr(baselines, "import_module", absent)
    notes = [measured.note for measured in measure_libraries() if measured.ratio is None]
    assert "elote is not installed" in notes


@pytest.mark.extended
def test_the_command_prints_one_object(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "LIBRARY_GAMES", 100)
    out = StringIO()
    call_command(Command(), "ratings", "--games", "200", "--no-database", "--json", stdout=out)
    values = json.loads(out.getvalue())
    assert (values["benchmark"], values["games"]) == ("ratings", 200)
    assert all({"what", "against", "ratio", "goal", "met"} <= row.keys() for row in values["results"])


def test_a_section_of_another_subject_is_refused_with_those_there_are() -> None:
    with pytest.raises(CommandError, match="“database” has no such section; it has: size"):
        call_command(Command(), "database", "--section", "ledger")


def test_the_command_of_before_says_where_it_went(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        execute_from_command_line(["manage.py", "benchmark", "web", "--json"])
    assert ended.value.code == 2
    assert "start bin/benchmark instead" in capsys.readouterr().err
