"""`manage.py forecast masters`: one JSON object or a table; what cannot be is refused with status 2."""

import json
import subprocess
import sys
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command, execute_from_command_line

from tests import ROOT
from tournaments.forecast.masters import MASTERS, Rule
from tournaments.forecast.masters_estimates import exact


def forecast(*arguments: str) -> tuple[str, str]:
    """What the command says on stdout and stderr."""
    out, err = StringIO(), StringIO()
    call_command("forecast", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def report(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(forecast("masters", "--json", *arguments)[0])
    return found


# --- the object ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["mc", "mh"])
def test_one_object_with_the_fields_that_were_promised(method: str) -> None:
    found = report("--method", method, "--samples", "300", "--rule", "shrunk")
    assert list(found) == ["rule", "method", "samples", "players"]
    assert (found["rule"], found["method"], found["samples"]) == ("shrunk", method, 300)
    fields = ["name", "p_first", "p_top4", "p_station", "se_first", "se_top4"]
    assert [list(player) for player in found["players"]] == [fields] * 8
    assert [player["name"] for player in found["players"]] == list(MASTERS.names)
    assert sum(player["p_first"] for player in found["players"]) == pytest.approx(1)
    assert sum(player["p_top4"] for player in found["players"]) == pytest.approx(4)


@pytest.mark.parametrize("rule", Rule)
def test_exactly_only_the_titles_are_told(rule: Rule) -> None:
    found = report("--method", "exact", "--rule", rule.value)
    assert found["samples"] is None
    for player, expected in zip(found["players"], exact(MASTERS, rule).players, strict=True):
        assert player["p_station"] == expected.p_station
        assert {player[name] for name in ("p_first", "p_top4", "se_first", "se_top4")} == {None}


def test_without_options_it_is_the_score_rate_by_monte_carlo_and_the_seed_decides() -> None:
    found = report()
    assert (found["rule"], found["method"], found["samples"]) == ("score-rate", "mc", 20_000)
    assert report("--samples", "300") == report("--samples", "300", "--seed", "1")
    assert report("--samples", "300") != report("--samples", "300", "--seed", "0")


def test_tables_for_people() -> None:
    out, err = forecast("masters", "--samples", "500", "--seed", "3")
    lines = out.splitlines()
    assert lines[0].startswith("Masters' final, rule score-rate, mc, 500 samples, seed 3; in percent")
    assert lines[2].split() == ["first", "±", "top", "four", "±", "a", "station", "±"]
    assert [line.split("  ")[0] for line in lines[3:11]] == list(MASTERS.names)
    assert len({len(line) for line in lines[2:11]}) == 1
    assert "500 of 500 events" in err
    out, _ = forecast("masters", "--method", "mh", "--samples", "300")
    assert "% of the moves, 6 from one sample to the next, after 500 samples thrown away." in out
    assert "Effective sample size of 300: first " in out
    assert "Effective" not in forecast("masters", "--samples", "300")[0]
    out, err = forecast("masters", "--method", "exact", "--seed", "3")
    assert "Xu Yinchuan        22.13" in out
    assert "Only the title of a station is known exactly" in out
    assert err == "Nothing is drawn: --samples and --seed make no difference.\n"
    assert forecast("masters", "--method", "exact")[1] == ""


# --- refusals -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--rule", "coin"], "invalid choice: 'coin'"), (["--method", "guess"], "invalid choice: 'guess'"),
        (["--samples", "99"], "“99” is no whole number from 100 to 10000000"),
        (["--samples", "10000001"], "is no whole number"), (["--samples", "many"], "is no whole number"),
        (["--seed", "-1"], "“-1” is no seed"), (["--seed", "1" * 19], "is no seed"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_refused(arguments: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        forecast("masters", *arguments)


@pytest.mark.slow
def test_it_runs_without_environment_and_database() -> None:
    command = [sys.executable, str(ROOT / "manage.py"), "forecast", "masters", "--samples", "200", "--json"]
    nowhere = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}
    done = subprocess.run(command, env=nowhere, capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 0
    assert json.loads(done.stdout) == report("--samples", "200")


def test_the_status_of_bad_input_is_two(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        execute_from_command_line(["manage.py", "forecast", "masters", "--samples", "0"])
    assert (left.value.code, capsys.readouterr().out) == (2, "")
