"""The example of docs/lab.md, taken out of the page as it stands, goes through the whole lab."""

import importlib.util
import re
import sys
from math import isnan
from pathlib import Path
from types import ModuleType

import pytest

import ratings.systems
from clubrating.ground.marks import marked
from ratings.lab import vectorised as columns
from ratings.lab.contenders import Contender, contender, contenders
from ratings.lab.engine import PLAIN
from ratings.lab.experiment import run_experiment
from ratings.lab.scenario_games import SCENARIOS
from ratings.lab.study import Accumulated, Study
from ratings.lab.table import Table
from ratings.lab.vectorised import column_rater, stated
from tests import ROOT
from tests.ratings.lab.golden import PLAYERS, STRENGTHS, club_replay, golden_games

PAGE = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")
FILE, FASTER = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
GAMES = golden_games()


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The page's file, loaded as one, and its line in SYSTEMS."""
    path = tmp_path / "stake.py"
    path.write_text(FILE, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("stake", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "stake", module)
    spec.loader.exec_module(module)
    assert "\n    Stake(),\n" in PAGE
    monkeypatch.setattr(ratings.systems, "SYSTEMS", (*ratings.systems.SYSTEMS, module.Stake()))
    return module


@pytest.fixture
def stake(example: ModuleType) -> Contender:
    """The page's line in CONTENDERS."""
    (line,) = re.findall(r"^    (contender\(\"stake\".*\)),$", PAGE, re.MULTILINE)
    found = eval(line, {"contender": contender, "marked": marked})
    assert isinstance(found, Contender)
    assert (found.key, found.settings) == ("stake", example.StakeSettings(stake=16.0))
    return found


def test_a_list_of_the_club_can_be_rated_by_its_short_file(stake: Contender) -> None:
    assert len([line for line in FILE.splitlines() if line.strip()]) < 50
    system = stake.system
    assert system.read_settings(system.stored_settings(stake.settings)) == stake.settings
    with pytest.raises(ValueError, match="stake"):
        system.read_settings({"stake": -1})
    states, _rows = club_replay(stake, GAMES)
    lead = [0] * PLAYERS
    for white, black, score in zip(*GAMES, strict=True):
        lead[white] += round(2 * score - 1)
        lead[black] -= round(2 * score - 1)
    assert [state.rating for state in states] == [1000.0 + 16 * more for more in lead]


def test_its_table_is_the_clubs_replay(stake: Contender) -> None:
    table = Table(stake, PLAIN, STRENGTHS)
    assert column_rater(stake, PLAIN) is None
    index = table.play(*GAMES)
    states, _rows = club_replay(stake, GAMES)
    assert table.ratings == [state.rating for state in states]
    assert len(index) == 30
    expected, white_after, black_after = Table(stake, PLAIN, STRENGTHS).trace(*GAMES)
    assert all(map(isnan, expected))
    assert len(white_after) == len(black_after) == 3000


def test_the_stated_way_is_the_faster_way(
    example: ModuleType, stake: Contender, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page's second piece of text, at home in `ratings.lab.vectorised`."""
    room = dict(vars(columns)) | vars(example)
    exec(FASTER, room)
    slow = Table(stake, PLAIN, STRENGTHS)
    slow.play(*GAMES)
    monkeypatch.setitem(columns.COLUMN_RATERS, "stake", room["_stake"])
    column_rater.cache_clear()
    quick = Table(stake, PLAIN, STRENGTHS)
    quick.play(*GAMES)
    assert column_rater(stake, PLAIN) is quick.rater
    column_rater.cache_clear()
    assert (quick.ratings, quick.order) == (slow.ratings, slow.order)
    assert quick.rater.start == stated(stake).start


def test_it_takes_part_in_the_study_and_a_scenario_but_not_without_its_line(stake: Contender) -> None:
    study = Study("newcomers", 1000, 1, (*contenders(["elo"]), stake))
    found = Accumulated()
    for number in range(2):
        found.add(study.replication(number, PLAIN))
    systems = study.report(found)["systems"]
    assert systems["stake"]["index_1"]["mean"] > 0
    assert systems.keys() == {"elo", "stake"}
    lines: list[int] = []
    constant = next(each for each in SCENARIOS if each.key == "constant")
    report = run_experiment(
        constant, (*contenders(["elo"]), stake), games=1000, seed=1, replications=2, engine=PLAIN, tell=lines.append
    )
    assert lines == [1, 2]
    assert "stake" in report["systems"]
    assert report["differences"]["stake"]


def test_without_its_line_nobody_knows_it() -> None:
    with pytest.raises(KeyError):
        contender("stake", "Stake", "stake")
