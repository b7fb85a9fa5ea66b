"""`manage.py rate --system egf`: stones, komi and grades from files, and what other systems say of them."""

import csv
from pathlib import Path

import pytest

from tests import ROOT
from tests.tournaments.interchange.test_rate_command import Files, rate, ratings, refused, report
from tests.tournaments.interchange.test_rate_command import files as files

GOLDEN = ROOT / "tests" / "data" / "parties" / "egf.csv"
GO = ("--system", "egf")
HEADER = "white,black,result,handicap,komi"


def test_the_golden_games(files: Files) -> None:
    with GOLDEN.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    results = {"1.0": "0-1", "0.5": "1/2-1/2", "0.0": "1-0"}
    games = files.games(
        "".join(f"W{r['game']},B{r['game']},{results[r['black_score']]},{r['handicap']},\n" for r in rows), HEADER
    )
    people = files.players(
        "".join(f"W{r['game']},{r['white']}\nB{r['game']},{r['black']}\n" for r in rows), "player,rating"
    )
    found = ratings(games, *GO, "--players", people)
    for row in rows:
        for colour in ("black", "white"):
            after = float(row[colour]) + float(row[f"{colour}_change"])
            assert found[f"{colour[0].upper()}{row['game']}"] == pytest.approx(after, abs=1e-8)


def test_grades_where_no_rating_is_given(files: Files, tmp_path: Path) -> None:
    games = files.games("Ann,Ben,0-1,3,0\n", HEADER)
    people = files.players("Ann,,12k\nAnn2,1800,\nBen,1500,1d\n", "player,rating,grade")
    ledger = tmp_path / "ledger.csv"
    found = report(games, *GO, "--players", people, "--ledger", ledger)
    assert (found["system"], found["preset"], found["settings"]) == ("egf", None, {"start": 100.0, "importance": True})
    row = next(row for row in csv.DictReader(ledger.open(encoding="utf-8")) if row["kind"] == "game")
    assert (float(row["white_before"]), float(row["black_before"])) == (900, 1500)
    assert float(row["white_expected"]) + float(row["black_expected"]) == pytest.approx(1)


def test_komi_in_an_even_game_is_half_a_stone(files: Files) -> None:
    without_komi = ratings(files.games("Ann,Ben,1-0,0,0\n", HEADER), *GO)
    assert without_komi == ratings(files.games("Ann,Ben,1-0,1,\n", HEADER), *GO)
    assert without_komi != ratings(files.games("Ann,Ben,1-0,,6.5\n", HEADER), *GO)
    assert ratings(files.games("Ann,Ben,1-0,,\n", HEADER), *GO) == ratings(files.games("Ann,Ben,1-0\n"), *GO)


def test_bad_stones_komi_and_grades_are_refused_by_line(files: Files) -> None:
    games = files.games("Ann,Ben,1-0,10,\nAnn,Ben,1-0,-1,\nAnn,Ben,1-0,,6.3\nAnn,Ben,1-0,2,x\n", HEADER)
    people = files.players("Ann,,31k\nBen,3300,\n", "player,rating,grade")
    _, lines = refused(games, *GO, "--players", people)
    assert [line.split(":")[0] for line in lines] == [
        *(f"games.csv, line {number}" for number in (2, 3, 4, 5)),
        *("players.csv, line 2", "players.csv, line 3"),
    ]
    assert "write a whole number from 0 to 9" in lines[0]
    assert "write 6.5" in lines[2]
    assert "30k to 1k" in lines[4]


def test_stones_need_to_know_who_is_black(files: Files) -> None:
    _, lines = refused(files.games("Ann,Ben,2\n", "winner,loser,handicap"), *GO)
    assert lines == [
        "line 2: handicap and komi need to know who is Black: write white, black and result, not winner and loser"
    ]


def test_other_systems_say_that_they_rate_as_even(files: Files) -> None:
    even, stones = files.games("Ann,Ben,1-0\n"), files.games("Ann,Ben,1-0,3,\n", HEADER, "stones.csv")
    out, err = rate(stones, "--system", "glicko")
    assert (out, rate(stones)[1].startswith("Games with handicap or unusual komi: 1. Elo rates")) == (
        rate(even, "--system", "glicko")[0],
        True,
    )
    assert "Glicko-1 rates them as even games; --system egf counts the stones." in err
    assert rate(files.games("Ann,Ben,1-0,0,\nAnn,Ben,1-0,,6.5\n", HEADER))[1] == ""
    pools = files.games("Ann,Ben,1-0,3,standard\nAnn,Ben,1-0,,rapid\n", "white,black,result,handicap,pool")
    assert rate(pools, "--pool", "rapid")[1] == "", "only games that are rated here count"
