"""What every command on files keeps to, seen at `rate`: files whole or not at all, refusals, no database."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import execute_from_command_line

from tests.tournaments.interchange.test_rate_command import CLUB_GAMES, ROOT, Files, rate, refused, report, table


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


# --- files written --------------------------------------------------------------------------------------------------
def test_an_input_is_never_overwritten(files: Files) -> None:
    games, brought = files.games("A,B,1\n"), files.players("A,1500,1\n")
    link = files.folder / "link.csv"
    link.symlink_to(games)
    for target in (games, brought, link):
        sentence, _ = refused(games, "--players", brought, "--ratings", target)
        assert sentence == f"“{target}” is read by this command: name another file to write to."
    assert "is written already" in refused(games, "--ratings", files.folder / "o", "--ledger", files.folder / "o")[0]
    assert sorted(path.name for path in files.folder.iterdir()) == ["games.csv", "link.csv", "players.csv"]


def test_a_refusal_leaves_what_stood_there_and_a_file_keeps_its_permissions(files: Files) -> None:
    old = files.folder / "old.csv"
    old.write_text("old")
    old.chmod(0o640)
    games = files.games("A,B,1\n")
    refused(games, "--ledger", old, "--ratings", files.folder / "no" / "where.csv")
    refused(games, "--ledger", old, "--ratings", files.folder)
    assert old.read_text() == "old"
    assert sorted(path.name for path in files.folder.iterdir()) == ["games.csv", "old.csv"]
    rate(games, "--ratings", old)
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert len(table(old)) == 2


# --- what is refused ------------------------------------------------------------------------------------------------
def test_every_bad_row_is_told_with_its_file_and_nothing_is_written(files: Files) -> None:
    games = files.games("A,A,1\nA,B,1\nA,B,2-0\n")
    sentence, lines = refused(games, "--ratings", files.folder / "list.csv")
    assert sentence == "Nothing was written. Bad rows: 2, see above."
    assert [line.split(":")[0] for line in lines] == ["line 2", "line 4"]
    assert not (files.folder / "list.csv").exists()
    brought = files.players("A,1500,0\nB,1500,1001\nC,strong,1\n", "player,rating,k_factor")
    _, lines = refused(files.games("A,A,1\n"), "--players", brought)
    bad = ["games.csv, line 2", *(f"players.csv, line {number}" for number in (2, 3, 4))]
    assert [line.partition(": ")[0] for line in lines] == bad


def test_an_unreadable_file_is_named_and_ratings_out_of_all_proportion_are_refused(files: Files) -> None:
    sentence, _ = refused(files.games("A,B,1\n", "white,black,score"))
    assert sentence.startswith("games.csv: The header lacks “result”")
    assert "cannot be read" in refused(files.folder / "nowhere.csv")[0]
    nameless = Path("games\0.csv")
    for arguments in ((nameless,), (files.games("A,B,1\n"), "--ratings", nameless)):
        assert refused(*arguments)[0] == "This is no path of a file."
    brought = files.players("A,100000,\nB,-100000,\n")
    sentence, _ = refused(files.games("A,B,1\n"), "--system", "glicko", "--players", brought)
    assert "out of all proportion" in sentence


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--system", "elos"], "There is no rating system “elos”; there are: elo, glicko, glicko2, league,"),
        (["--preset", "fides"], "Elo has no preset “fides”; it knows club, fide, fide-simple,"),
        (["--system", "glicko", "--preset", "fide"], "Glicko-1 has no preset “fide”; it has none."),
        (["--preset", "uscf", "--set", "preset=fide"], "Two presets are given, uscf and fide: keep one of them."),
        (["--set", "speed=3"], "Elo has no setting “speed”; it knows base, curve, floor,"),
        (["--set", "k=3"], "k is the K of the rule constant: add k_rule constant, or leave k out."),
        (["--set", "start=-1"], "start must lie between 0 and 4000, not -1."),
        (["--set", "start"], "--set start is no setting: write --set name=value."),
        (["--set", "start=1", "--set", "start=2"], "--set start is given twice: keep one of them."),
        (["--players", "/nowhere/players.csv"], "“/nowhere/players.csv” cannot be read (no such file or directory)."),
    ],
)
def test_a_wrong_argument_is_told_with_what_there_is(files: Files, arguments: list[str], sentence: str) -> None:
    assert refused(files.games("A,B,1\n"), *arguments)[0].startswith(sentence)


# --- as it is run ---------------------------------------------------------------------------------------------------
def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "manage.py", "rate", *arguments]
    return subprocess.run(
        [str(part) for part in command], env=environment, capture_output=True, text=True, check=False, cwd="/"
    )


@pytest.mark.parametrize(
    "environment",
    [
        {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"},
        pytest.param({}, marks=pytest.mark.slow),
        pytest.param({"DATABASE_URL": "sqlite:////nowhere/at/all.sqlite3"}, marks=pytest.mark.slow),
    ],
    ids=["no server", "none", "no file"],
)
def test_it_runs_without_environment_and_without_database(environment: dict[str, str]) -> None:
    done = run(CLUB_GAMES, "--json", **environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == report(CLUB_GAMES)


def test_the_status_of_bad_input_is_two(files: Files) -> None:
    done = run(files.games("A,A,1\n"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[0].startswith("line 2: “A” plays both White and Black")
    for wrong in ([CLUB_GAMES, "--system", "chess"], [CLUB_GAMES, "--provisional", "-1"], []):
        with pytest.raises(SystemExit) as left:
            execute_from_command_line(["manage.py", "rate", *map(str, wrong)])
        assert left.value.code == 2, wrong


@pytest.mark.extended
def test_a_reader_that_goes_away_is_no_error(files: Files) -> None:
    games = files.games("".join(f"Player {number},Rival {number},1\n" for number in range(1000)))
    read, write = os.pipe()
    command = [sys.executable, str(ROOT / "manage.py"), "rate", str(games)]
    with subprocess.Popen(command, stdout=write, stderr=subprocess.PIPE, text=True, env={}) as running:
        os.close(write)
        os.close(read)
        assert running.stderr is not None
        assert running.stderr.read() == ""
    assert running.returncode == 141
