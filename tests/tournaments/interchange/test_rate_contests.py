"""`manage.py rate CONTESTS.csv`: teams, and more than two sides at a table."""

import json
from pathlib import Path

import pytest

from tests import ROOT
from tests.tournaments.interchange.test_rate_command import Files, refused, report, table

GOLDEN = json.loads((ROOT / "tests" / "data" / "parties" / "weng_lin.json").read_text(encoding="utf-8"))
HEADER = "contest,side,place,player"
TABLE = "a,1,1,Anna\na,1,1,Ben\na,2,2,Cleo\n"
THREE = "b,1,1,Anna\nb,2,1,Ben\nb,3,1,Cleo\n"
TRUESKILL = ("--system", "trueskill")
WENG_LIN = ("--system", "weng-lin")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_a_file_of_contests_end_to_end(files: Files) -> None:
    games = files.games(TABLE + THREE, HEADER)
    ledger, ratings = files.folder / "ledger.csv", files.folder / "ratings.csv"
    found = report(games, *TRUESKILL, "--set", "sigma=25/3", "--ledger", ledger, "--ratings", ratings)
    assert (found["games"], found["rated"], found["settings"]["sigma"]) == (2, 2, 25 / 3)
    listed = [row["listed"] for row in found["ratings"]]
    assert listed == sorted(listed, reverse=True)
    assert listed == [row["rating"] - 3 * row["deviation"] for row in found["ratings"]]
    assert [row["player"] for row in table(ratings)] == [row["player"] for row in found["ratings"]]
    rows = [(row["contest"], row["side"], row["place"], row["player"]) for row in table(ledger)]
    assert rows[:3] == [("a", "1", "1", "Anna"), ("a", "1", "1", "Ben"), ("a", "2", "2", "Cleo")]
    assert len(rows) == 6


def test_the_order_of_rows_decides_nothing(files: Files) -> None:
    straight = files.games(THREE, HEADER)
    turned = files.games("".join(THREE.splitlines(keepends=True)[::-1]), HEADER, "turned.csv")
    assert report(straight, *TRUESKILL)["ratings"] == report(turned, *TRUESKILL)["ratings"]


def test_numbers_in_names_are_numbers(files: Files) -> None:
    """A tie is compared in the order of names, and P2 comes before P10."""
    rows = "a,1,1,P2\na,2,1,P10\na,3,1,P11\n"
    people = "P2,30,2\nP10,25,3\nP11,20,4", "player,rating,deviation"
    found = report(files.games(rows, HEADER), *TRUESKILL, "--players", files.players(*people))["ratings"]
    renamed = [text.replace("P2", "A").replace("P10", "B").replace("P11", "C") for text in (rows, people[0])]
    other = report(
        files.games(renamed[0], HEADER, "other.csv"), *TRUESKILL, "--players", files.players(renamed[1], people[1])
    )["ratings"]
    assert [row["rating"] for row in found] == [row["rating"] for row in other]


@pytest.mark.parametrize("model", ["bt_full", "bt_part", "pl", "tm_full", "tm_part"])
def test_weng_lin_by_its_models(files: Files, model: str) -> None:
    how = (*WENG_LIN, "--set", f"model={model}")
    row = next(row for row in GOLDEN if len(row["sides"]) > 2)
    players = [[f"P{side}{member}" for member in range(len(own))] for side, own in enumerate(row["sides"])]
    lines = [f"x,{side + 1},{row['places'][side]},{name}\n" for side, own in enumerate(players) for name in own]
    people = "\n".join(
        f"{name},{mu},{sigma}"
        for names, own in zip(players, row["sides"], strict=True)
        for name, (mu, sigma) in zip(names, own, strict=True)
    )
    brought = files.players(people, "player,rating,deviation")
    found = report(files.games("".join(lines), HEADER), *how, "--players", brought)
    after = {each["player"]: (each["rating"], each["deviation"]) for each in found["ratings"]}
    wanted = {
        name: tuple(figures)
        for names, own in zip(players, row[model], strict=True)
        for name, figures in zip(names, own, strict=True)
    }
    assert found["settings"]["model"] == model
    assert after == {name: pytest.approx(figures, abs=1e-6) for name, figures in wanted.items()}


def test_two_sides_of_one_are_a_game(files: Files) -> None:
    people = files.players("Anna,30,0.5\nBen,20,4", "player,rating,deviation")
    contests = report(files.games("1,1,2,Anna\n1,2,1,Ben\n", HEADER), *TRUESKILL, "--players", people)
    games = report(files.games("Anna,Ben,0-1\n", name="g.csv"), *TRUESKILL, "--players", people)
    assert contests["ratings"] == games["ratings"]
    assert len(contests["ratings"]) == 2


def test_what_players_bring_stands_in_the_ledger(files: Files) -> None:
    people = files.players("#10,30,0.5\n#2,20,4", "player,rating,deviation")
    ledger = files.folder / "ledger.csv"
    report(files.games("x,1,1,#10\nx,2,2,#2\n", HEADER), *TRUESKILL, "--players", people, "--ledger", ledger)
    rows = [(row["kind"], row["player"], row["before"], row["deviation_before"]) for row in table(ledger)]
    assert sorted(rows[:2]) == [("start", "#10", "", ""), ("start", "#2", "", "")]
    assert rows[2:] == [("contest", "#10", "30.0", "0.5"), ("contest", "#2", "20.0", "4.0")]


@pytest.mark.parametrize(
    ("header", "rows", "line"),
    [
        (HEADER, "a,1,1,Anna\n", "line 2: contest “a”: a contest has 2 to 64 sides, this one has 1"),
        (HEADER, "a,1,1,Anna\na,2,2,Anna\n", "line 3: “Anna” stands in line 2 already: remove one of the two"),
        (HEADER, "a,1,1,Anna\na,1,2,Ben\na,2,2,Cleo\n", "line 3: place is another than in line 2"),
        (HEADER, "a,1,1,Anna\na,2,3,Ben\n", "line 2: contest “a”: the places 1, 3 do not follow from each other"),
        (HEADER, "a,1,0,Anna\na,2,1,Ben\n", "line 2: place “0” is not known"),
        (HEADER, TABLE + THREE + TABLE, "line 8: contest “a” begins in line 2 already"),
        (HEADER + ",weight", "a,1,1,Anna,0\na,2,2,Ben,1\n", "line 2: weight 0 is nobody’s"),
        (HEADER + ",importance", "a,1,1,Anna,2\na,2,2,Ben,2\n", "line 2: importance 2 means nothing to TrueSkill"),
    ],
)
def test_bad_rows_are_named_with_the_remedy(files: Files, header: str, rows: str, line: str) -> None:
    sentence, lines = refused(files.games(rows, header), *TRUESKILL)
    assert sentence.startswith("Nothing was written")
    assert any(found.startswith(line) for found in lines), lines


def test_partial_play_is_refused_where_it_means_nothing(files: Files) -> None:
    rows = files.games("a,1,1,Anna,0.5\na,2,2,Ben,1\n", HEADER + ",weight")
    assert report(rows, *TRUESKILL)["rated"] == 1
    assert refused(rows, *WENG_LIN)[1][0].startswith("line 2: weight 0.5 means nothing to Weng–Lin: write 1 or leave")


def test_what_does_not_go_together_is_refused_with_a_sentence(files: Files) -> None:
    contests = files.games(TABLE, HEADER)
    assert refused(contests, "--system", "glicko")[0].startswith("Glicko-1 does not rate contests with sides; choose")
    mixed = files.games("a,1,1,Anna,Ben\n", HEADER + ",white", "mixed.csv")
    assert "write contests and games into two files" in refused(mixed, *TRUESKILL)[0]
    assert "sigma is no number: “25/0”" in refused(contests, *TRUESKILL, "--set", "sigma=25/0")[0]
