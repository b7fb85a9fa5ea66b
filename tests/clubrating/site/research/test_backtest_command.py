"""`manage.py backtest`: files without a database, the club's own games with one, refusals with a remedy."""

import json
import os
import subprocess
import sys
from io import StringIO
from math import log
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ratings.lab.backtest import CONTENDERS, SIDES_CONTENDERS
from ratings.lists.services import NewStart
from ratings.models import LedgerEntry, RatingList
from tests import ROOT, factory
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.standings.points import Result

STREAMS = ROOT / "tests" / "data" / "streams"
FOOTBALL = STREAMS / "football_internationals_first_400.csv"
LICHESS = STREAMS / "lichess_sample_first_300.csv"
CLUB_GAMES = STREAMS / "club_games_2024_first_300.csv"
KEYS = [each.key for each in CONTENDERS]


def run(*arguments: object) -> tuple[str, str]:
    """What the command says on stdout and stderr."""
    out, err = StringIO(), StringIO()
    call_command("backtest", *map(str, arguments), stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def report(*arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json")[0])
    return found


def refused(*arguments: object) -> str:
    """The sentence, and before it what stood on stderr."""
    out, err = StringIO(), StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("backtest", *map(str, arguments), stdout=out, stderr=err)
    assert caught.value.returncode == 2
    assert out.getvalue() == ""
    return f"{err.getvalue()}{caught.value}"


def write(folder: Path, rows: str, header: str = "white,black,result") -> Path:
    path = folder / "games.csv"
    path.write_text(f"{header}\n{rows}", encoding="utf-8")
    return path


# --- files ----------------------------------------------------------------------------------------------------------
def test_the_shape_is_the_interfaces() -> None:
    found = report(FOOTBALL, "--systems", "elo,glicko2")
    assert found["games"] == 400
    assert list(found["systems"]) == ["elo", "glicko2"]
    for each in found["systems"].values():
        assert {"log_loss", "brier", "calibration", "difference"} <= set(each)
        assert set(each["difference"]) == {"mean", "low", "high"}
        assert len(each["calibration"]) == 10
    assert found["systems"]["elo"]["difference"] == {"mean": 0.0, "low": 0.0, "high": 0.0}


def test_every_system_takes_part_where_none_is_named_and_the_baseline_always(tmp_path: Path) -> None:
    for stream, more in ((CLUB_GAMES, []), (LICHESS, ["given"])):
        first = tmp_path / stream.name
        first.write_text("".join(stream.read_text(encoding="utf-8").splitlines(keepends=True)[:61]), encoding="utf-8")
        assert list(report(first)["systems"]) == [*KEYS, *more]
    found = report(FOOTBALL, "--systems", "glicko", "--baseline", "elo-k32")
    assert (found["baseline"], list(found["systems"])) == ("elo-k32", ["elo-k32", "glicko"])


def test_the_home_side_is_worth_something_where_that_is_asked_for() -> None:
    found = report(FOOTBALL, "--systems", "elo,league", "--first-move")["systems"]
    assert list(found) == ["elo", "league", "elo+first-move", "league+first-move"]
    assert found["elo"]["first_move"] is None
    assert found["elo+first-move"]["first_move"] > 20.0
    assert found["elo+first-move"]["difference"]["mean"] < 0.0
    text, _ = run(FOOTBALL, "--systems", "elo", "--first-move")
    assert f"{found['elo+first-move']['first_move']:+.0f} points for White" in text


def test_forfeits_are_only_counted_and_a_pool_is_taken_by_itself(tmp_path: Path) -> None:
    games = write(tmp_path, "a,b,1\na,b,+/-\na,b,0\na,b,0.5\na,b,1\n")
    found = report(games, "--systems", "elo")
    assert (found["games"], found["played"], found["fitted_on"], found["scored"]) == (5, 4, 2, 2)
    games = write(tmp_path, "a,b,1,blitz\na,b,1,\na,b,0,blitz\na,b,1,rapid\n", "white,black,result,pool")
    assert report(games, "--pool", "Blitz", "--systems", "elo")["games"] == 2


def test_the_same_seed_gives_the_same_interval_by_days_or_blocks_of_undated_games() -> None:
    arguments = (FOOTBALL, "--systems", "glicko", "--resamples", 200)
    one, same, other = (report(*arguments, "--seed", seed) for seed in (3, 3, 4))
    assert one == same
    assert one["systems"]["glicko"]["difference"]["low"] != other["systems"]["glicko"]["difference"]["low"]
    assert one["systems"]["glicko"]["log_loss"] == other["systems"]["glicko"]["log_loss"]
    assert report(LICHESS, "--systems", "elo")["resampled"] == {"by": "block", "groups": 3, "resamples": 2000}
    assert report(FOOTBALL, "--systems", "elo")["resampled"]["by"] == "day"


def test_an_interval_from_a_handful_of_days_is_too_narrow_and_of_one_day_there_is_none(tmp_path: Path) -> None:
    games = write(tmp_path, "".join(f"2024-01-0{day},a,b,1\n" for day in range(1, 7)), "date,white,black,result")
    known = "The interval is drawn from 3 days only and is too narrow to be trusted.\n"
    assert run(games, "--systems", "elo")[1] == known
    assert run(FOOTBALL, "--systems", "elo")[1] == ""
    # 300 club games of three days; the third one is scored.
    text, known = run(CLUB_GAMES, "--systems", "elo")
    assert known == "All scored games are of one day, so there is no interval.\n"
    assert "no interval" in text
    found = report(CLUB_GAMES, "--systems", "glicko")["systems"]["glicko"]["difference"]
    assert (found["low"], found["high"]) == (None, None)


def test_the_text_names_the_best_first_and_how_the_baseline_is_calibrated() -> None:
    text, _ = run(LICHESS, "--systems", "league,given")
    lines = text.splitlines()
    assert lines[0] == "Games: 300, played: 300. Scored: the last 150."
    assert lines[1] == "Baseline: elo. A coin: 0.6931."
    assert lines[2] == "Interval: 95 %, 2000 draws of blocks of 50 games, of which there are 3."
    assert lines[5].startswith("given")  # Lichess had known the players for long
    assert "logistic of the gap, slope" in lines[5]
    assert lines[9] == "elo: games told so, and how White scored (95 %)"


CONTESTS = """contest,side,place,player
a,1,1,Ada
a,2,2,Ben
a,3,3,Cem
b,1,2,Ada
b,2,1,Ben
b,3,2,Cem
"""


def test_a_file_of_contests_is_told_by_its_header_and_tested_by_pairs_and_places(tmp_path: Path) -> None:
    file = tmp_path / "contests.csv"
    file.write_text(CONTESTS, encoding="utf-8")
    found = report(file)
    assert list(found["systems"]) == [each.key for each in SIDES_CONTENDERS]
    assert (found["games"], found["scored"], found["pairs"]) == (2, 1, 3)
    assert {"log_loss", "brier", "ranked_probability_score", "difference"} <= set(found["systems"]["trueskill"])
    text, told = run(file, "--systems", "elo-k20")
    lines = text.splitlines()
    assert lines[0] == "Contests: 2, played: 2. Scored: the last 1, with 3 pairs of sides."
    assert lines[4].split()[:3] == ["log-loss", "Brier", "ranked"]
    assert told == "All scored contests are of one block of contests, so there is no interval.\n"
    for arguments, sentence in (
        (["--first-move"], "--first-move belongs to games: nobody has White in a contest. Leave it out."),
        (["--newcomers", "5"], "--newcomers belongs to games of two. Leave it out."),
        (["--systems", "glicko"], "There is no system “glicko”; there are: elo,"),
    ):
        assert refused(file, *arguments).startswith(sentence)
    file.write_text(CONTESTS.replace("b,2,1", "b,2,4"), encoding="utf-8")
    assert "line 5: contest “b”: the places 2, 2, 4 do not follow from each other" in refused(file)


@pytest.mark.slow
def test_a_file_needs_no_database_and_no_environment(tmp_path: Path) -> None:
    bare = {"PATH": os.environ["PATH"], "CLUB_DATA": str(tmp_path / "nowhere"), "DATABASE_URL": "postgres://no.where/x"}
    command = [sys.executable, str(ROOT / "manage.py"), "backtest", str(LICHESS), "--systems", "elo", "--json"]
    ran = subprocess.run(command, env=bare, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["games"] == 300
    assert not (tmp_path / "nowhere").exists()


# --- refusals -------------------------------------------------------------------------------------------------------
def test_one_of_file_and_club_is_named_and_wrong_arguments_told() -> None:
    sentence = "Name a file of games, or --club for the club's own: one of the two."
    assert refused() == sentence
    assert refused(FOOTBALL, "--club") == sentence
    assert refused("--club", "--pool", "blitz").startswith("--pool belongs to a file")
    for arguments, found in (
        (("--systems", "elo,chess"), "There is no system “chess”; there are: elo, elo-k20,"),
        (("--baseline", "chess"), "There is no system “chess”; there are: elo,"),
        (("--systems", " , "), "--systems names none; there are: elo,"),
        (("--systems", "elo,elo"), "--systems names one twice: name each once."),
        (("--systems", "given"), "“given” needs a file with the columns white_rating and black_rating."),
        (("--baseline", "club"), "“club” are the rules of the club's own list: it takes part with --club only."),
        (("--pool", "rapid"), "Too few played games (0): there must be some to settle on and others to score."),
    ):
        assert refused(FOOTBALL, *arguments).startswith(found), arguments
    for argument, found in (
        ("--seed=-1", "“-1” is no seed: write a whole number from 0, of 18 digits at most"),
        ("--seed=9999999999999999999", "is no seed"),
        ("--resamples=5", "“5” is no number of draws: write 100 to 100000"),
        ("--resamples=many", "“many” is no number of draws"),
        ("--newcomers=0", "“0” is no number of games: write 1 to 99999"),
        ("--newcomers=100000", "“100000” is no number of games"),
    ):
        with pytest.raises(CommandError, match=found):
            run(FOOTBALL, argument)


def test_bad_rows_are_all_told_with_line_and_remedy_and_a_file_that_is_none_named(tmp_path: Path) -> None:
    games = write(tmp_path, "a,b,won,1500,x\na,a,1,1500,1500\n", "white,black,result,white_rating,black_rating")
    found = refused(games)
    assert "line 2: result “won” is not known: write 1, 0, 0.5" in found
    assert "line 2: black_rating “x” is not known: write a number from" in found
    assert "line 3: “a” plays both White and Black" in found
    assert found.endswith("Nothing was written. Bad rows: 3, see above.")
    assert refused(tmp_path / "none.csv").endswith("none.csv” cannot be read (no such file or directory).")
    assert refused(write(tmp_path, "", "white,result")) == (
        "games.csv: The header lacks “black”: its columns are “white”, “result”."
    )
    assert refused(write(tmp_path, "a,b,1\n")).startswith("Too few played games (1)")


# --- the club's own games -------------------------------------------------------------------------------------------
def test_the_clubs_own_rules_are_the_baseline_and_tell_what_the_ledger_says(standard: RatingList) -> None:
    """A round robin of six: 15 games on five days, the higher number always beaten."""
    people = factory.make_players(6)
    factory.play_all(factory.make_round_robin(people), Result.WHITE_WINS)
    bring_starting_ratings(standard, [NewStart(people[0].pk, factory.MONDAY, 2000.0)], by=None)
    before = list(LedgerEntry.objects.values_list())
    text, _ = run("--club")
    assert "club" in text
    assert list(LedgerEntry.objects.values_list()) == before, "a back-test writes nothing"
    found = report("--club", "--systems", "fide")
    assert (found["games"], found["baseline"], list(found["systems"])) == (15, "club", ["club", "fide"])
    rows = list(LedgerEntry.objects.filter(rating_list=standard, generation=standard.live_generation).order_by("order"))
    scored = rows[-found["scored"] :]
    losses = [-log(row.white_expected or 0.0) for row in scored]  # White won them all
    assert found["systems"]["club"]["log_loss"] == pytest.approx(sum(losses) / len(losses), abs=1e-12)
    # The same rules and starting ratings under another name.
    assert found["systems"]["fide"]["log_loss"] == found["systems"]["club"]["log_loss"]


@pytest.mark.django_db
def test_without_a_list_or_games_there_is_nothing_to_test() -> None:
    assert refused("--club").startswith("There is no rating list yet")
    factory.make_club()
    factory.make_list()
    assert refused("--club").startswith("Too few played games (0)")


# --- real events ----------------------------------------------------------------------------------------------------
@pytest.mark.extended
@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "games"),
    [("club_games_2024", 2144), ("football_internationals_2000_2013", 13499), ("lichess_sample_5000", 5000)],
)
def test_the_streams_at_hand(real_data: Path, name: str, games: int) -> None:
    """Every file runs, every game is counted, and Elo beats a coin. League orders football less well than Elo; what
    Lichess knew of its players tells more than a few games do."""
    found = report(real_data / "streams" / f"{name}.csv", "--systems", "elo,league", "--resamples", 200)
    assert found["games"] == found["played"] == games
    elo = found["systems"]["elo"]
    assert sum(row["games"] for row in elo["calibration"]) == found["scored"]
    assert elo["log_loss"] < found["coin"]
    if name.startswith("football"):
        assert elo["log_loss"] < found["coin"] - 0.08
        assert found["systems"]["league"]["difference"]["low"] > 0.0
    if name.startswith("lichess"):
        known = report(real_data / "streams" / f"{name}.csv", "--systems", "given", "--resamples", 200)
        assert known["systems"]["given"]["difference"]["high"] < 0.0
