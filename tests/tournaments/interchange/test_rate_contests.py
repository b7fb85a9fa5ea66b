"""`manage.py rate CONTESTS.csv`: teams, and more than two sides at a table."""

import json
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import ROOT
from tests.choosing import examples
from tests.tournaments.interchange.test_rate_command import Files, rate, ratings, refused, report, table
from tournaments.interchange.contests_csv import (
    is_contests_file,
    make_contest_stream,
    read_contests,
    read_exported_contests,
)
from tournaments.interchange.tables_csv import UnreadableFileError

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
        (HEADER, "a,1,,Anna\na,2,1,Ben\n", "line 2: place is missing: write a number from 1 on"),
        (HEADER, TABLE + THREE + TABLE, "line 8: contest “a” begins in line 2 already"),
        (HEADER + ",weight", "a,1,1,Anna,0\na,2,2,Ben,1\n", "line 2: weight 0 is nobody’s"),
        (HEADER + ",importance", "a,1,1,Anna,2\na,2,2,Ben,2\n", "line 2: importance 2 means nothing to TrueSkill"),
    ],
)
def test_bad_rows_are_named_with_the_remedy(files: Files, header: str, rows: str, line: str) -> None:
    sentence, lines = refused(files.games(rows, header), *TRUESKILL)
    assert sentence.startswith("Nothing was written")
    assert any(found.startswith(line) for found in lines), lines


def test_contests_of_a_published_list_have_their_day_and_players_by_number() -> None:
    def read(text: str) -> tuple[list[tuple[str, object]], list[str]]:
        found, bad = read_exported_contests(text.encode(), today=date(2026, 1, 31), default_pool="standard")
        return [(pool, contest.contest) for pool, contest in found], [str(row) for row in bad]

    day = "2026-01-05"
    good, named = f"a,1,1,#1,{day}\na,2,2,#2,{day}\n", f"b,1,1,Ada,{day}\nb,2,2,#2,{day}\n"
    found, (bad,) = read(f"{HEADER},date\n{good}{named}")
    assert found == [("standard", "a")]
    assert bad.startswith("line 4: player “Ada” is no number")
    found, (bad,) = read(f"{HEADER}\na,1,1,#1\na,2,2,#2\n")
    assert not found
    assert bad.startswith("line 2: the date is missing: a list is of a day")


def test_rows_of_a_contest_say_the_same_of_it_and_those_of_a_pool_are_taken_alone() -> None:
    today = date(2026, 1, 31)
    text = f"{HEADER},date,event,importance,pool,score\na,1,1,Ada,2026-01-05,Cup,2,rapid,9\n"
    for other, named in (
        ("2026-01-06,Cup,2,rapid,3", "date"),
        ("2026-01-05,Pot,2,rapid,3", "event"),
        ("2026-01-05,Cup,1,rapid,3", "importance"),
        ("2026-01-05,Cup,2,blitz,3", "pool"),
    ):
        (bad,) = read_contests(f"{text}a,2,2,Bo,{other}\n".encode(), today=today).bad
        assert str(bad) == f"line 3: {named} is another than in line 2: correct one of the two"
    with pytest.raises(UnreadableFileError, match="lacks “place”"):
        read_contests(b"contest,side,player\na,1,Ada\n", today=today)
    rows = f"{HEADER},pool\na,1,1,Ada,rapid\na,2,2,Bo,rapid\nb,1,1,Cleo,\nb,2,2,Dag,\n"
    contests = read_contests(rows.encode(), today=today).rows
    for pool, names in (("rapid", ("Ada", "Bo")), ("standard", ("Cleo", "Dag"))):
        assert make_contest_stream(contests, today=today, pool=pool).names == names


def test_games_in_which_a_contest_is_named_are_games() -> None:
    assert is_contests_file(f"{HEADER}\n{TABLE}".encode())
    assert not is_contests_file(b"white,black,result,event\nAda,Bo,1-0,Song contest\n")


def test_partial_play_is_refused_where_it_means_nothing(files: Files) -> None:
    rows = files.games("a,1,1,Anna,0.5\na,2,2,Ben,1\n", HEADER + ",weight")
    assert report(rows, *TRUESKILL)["rated"] == 1
    assert refused(rows, *WENG_LIN)[1][0].startswith("line 2: weight 0.5 means nothing to Weng–Lin: write 1 or leave")
    assert refused(rows)[1][0].startswith("line 2: weight 0.5 means nothing to Elo: write 1 or leave")


def test_what_does_not_go_together_is_refused_with_a_sentence(files: Files) -> None:
    contests = files.games(TABLE, HEADER)
    assert refused(contests, "--system", "glicko")[0].startswith("Glicko-1 does not rate contests with sides; choose")
    mixed = files.games("a,1,1,Anna,Ben\n", HEADER + ",white", "mixed.csv")
    assert "write contests and games into two files" in refused(mixed, *TRUESKILL)[0]
    assert "sigma is no number: “25/0”" in refused(contests, *TRUESKILL, "--set", "sigma=25/0")[0]


# --- Elo -------------------------------------------------------------------------------------------------------------
ELO_GOLDEN = json.loads((ROOT / "tests" / "data" / "parties" / "elo_sides.json").read_text(encoding="utf-8"))
NAMES = ["Ann", "Ben", "Cleo", "Dan", "P2", "P10"]


def test_golden_contests_by_elo(files: Files) -> None:
    """Every golden contest in a file of its own players; their K is the contest's."""
    lines, people, wanted = [], [], {}
    for row in ELO_GOLDEN:
        for side, own in enumerate(row["sides"]):
            for member, rating in enumerate(own):
                name = f"C{row['contest']}.{side}.{member}"
                lines.append(f"{row['contest']},{side + 1},{row['places'][side]},{name}\n")
                people.append(f"{name},{rating},{row['k']}\n")
                wanted[name] = rating + row["change_per_side"][side]
    brought = files.players("".join(people), "player,rating,k_factor")
    assert ratings(files.games("".join(lines), HEADER), "--players", brought) == pytest.approx(wanted, abs=1e-8)


def test_sides_normaliser_importance_and_every_members_own_k(files: Files) -> None:
    contests = files.games("x,1,1,A,2\nx,1,1,B,2\nx,2,2,C,2\nx,2,2,D,2\n", HEADER + ",importance")
    people = files.players("A,1600,10\nB,1400,20\nC,1550,40\nD,1500,\n", "player,rating,k_factor")
    ledger = files.folder / "ledger.csv"
    found = ratings(contests, "--players", people, "--set", "sides=sum", "--ledger", ledger)
    share = 11.429262348 / 20
    assert found == pytest.approx(
        {"A": 1600 + 20 * share, "B": 1400 + 40 * share, "C": 1550 - 80 * share, "D": 1500 - 80 * share}, abs=1e-7
    )
    rows = [row for row in table(ledger) if row["kind"] == "contest"]
    assert [float(row["k"]) for row in rows] == [20, 40, 80, 80]
    assert float(rows[0]["expected"]) == pytest.approx(0.428536883)
    eight = files.games("".join(f"x,{place},{place},P{place}\n" for place in range(1, 9)), HEADER, "eight.csv")
    first = {
        how: ratings(eight, "--preset", "constant", "--set", f"normaliser={how}")["P1"]
        for how in ("n-1", "none", "half")
    }
    assert first == {"n-1": 1516, "none": 1612, "half": 1528}


@st.composite
def both_files(draw: st.DrawFn) -> tuple[str, str]:
    """The same games of two as GAMES.csv and as CONTESTS.csv, White on side 1; in one of two orders of rows."""
    games, contests = [], []
    for number in range(draw(st.integers(1, 12))):
        white, black = draw(st.permutations(NAMES))[:2]
        day, weight = draw(st.integers(1, 9)), draw(st.sampled_from(["", "0.5", "3"]))
        own, other = draw(st.integers(0, 30)), draw(st.integers(0, 30))
        result = "1-0" if own > other else "0-1" if other > own else draw(st.sampled_from(["1-0", "0-1", "1/2-1/2"]))
        places = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}[result]
        points = draw(st.booleans())
        shown = (f"{own}", f"{other}") if points else ("", "")
        games.append(f"2026-01-0{day},{white},{black},{result},{weight},{','.join(shown)}\n")
        rows = [
            f"2026-01-0{day},g{number},{side + 1},{places[side]},{name},{weight},{shown[side]}\n"
            for side, name in enumerate((white, black))
        ]
        contests += rows[:: draw(st.sampled_from([1, -1]))]
    return "".join(games), "".join(contests)


@examples(60)
@given(
    both=both_files(),
    settings=st.sampled_from(
        [
            (),
            ("--preset", "club"),
            ("--preset", "uscf", "--set", "sides=sum", "normaliser=half"),
            ("--set", "margin=log", "margin_unit=5", "margin_cap=3", "normaliser=none"),
            ("--set", "margin=nfl"),
            ("--set", "margin=share", "scale=900"),
            ("--set", "margin=capped", "margin_cap=20", "importance=off", "whole=on"),
        ]
    ),
)
def test_contests_of_two_are_the_games_to_the_last_bit(both: tuple[str, str], settings: tuple[str, ...]) -> None:
    for_games = [each for each in settings if not each.startswith(("sides", "normaliser"))]
    for_games = for_games[:-1] if for_games[-1:] == ["--set"] else for_games
    with TemporaryDirectory() as folder:
        files = Files(Path(folder))
        people = files.players("Ann,1612.5,40,2012\nP10,1433,3,\n", "player,rating,games,birth_year")
        games = files.games(both[0], "date,white,black,result,importance,white_points,black_points")
        contests = files.games(both[1], "date,contest,side,place,player,importance,score", "contests.csv")
        one, other = (
            {row["player"]: row for row in report(path, "--players", people, *how)["ratings"]}
            for path, how in ((games, for_games), (contests, settings))
        )
    assert one == other


@pytest.mark.parametrize(
    ("margin", "changes"),
    [
        (("margin=log", "margin_unit=100", "margin_cap=3"), (20.0, 10.0)),
        (("margin=nfl",), (57.071103, 30.445224)),
        (("margin=share", "scale=1000"), (6.0, 0.4)),
        (("margin=capped", "margin_cap=400", "scale=1000"), (7.5, 0.5)),
        (("margin=capped", "margin_unit=100", "margin_cap=4"), (7.5, 0.5)),
        (("margin=none",), (10.0, 10.0)),
    ],
)
def test_a_400_100_and_a_260_240_in_both_kinds_of_file(
    files: Files, margin: tuple[str, ...], changes: tuple[float, float]
) -> None:
    how = ("--preset", "constant", "--set", "k=20", *margin)
    games = files.games("A,B,1,400,100\nC,D,1,260,240\n", "white,black,result,white_points,black_points")
    rows = "x,1,1,A,400\nx,1,1,E,400\nx,2,2,B,100\nx,2,2,F,100\ny,1,1,C,260\ny,2,2,D,240\n"
    contests = files.games(rows, HEADER + ",score", "contests.csv")
    for file in (games, contests):
        found = ratings(file, *how)
        assert (found["A"] - 1500, found["C"] - 1500) == pytest.approx(changes, abs=1e-6)
        assert found["A"] + found["B"] == pytest.approx(3000)


SCORED = HEADER + ",score"
POINTS = "white,black,result,white_points,black_points"


@pytest.mark.parametrize(
    ("margin", "header", "rows", "line"),
    [
        ("log", POINTS, "A,B,0,3,1\n", "line 2: by the points 3:1 White won, by the result Black won: correct one"),
        ("share", POINTS, "A,B,1,3,1\nC,D,1/2-1/2,1,3\n", "line 3: by the points 1:3 Black won, by the result it was"),
        ("log", SCORED, "a,1,1,A,3\na,2,2,B,5\n", "line 3: score 5 at place 2 is against score 3 at place 1: more is"),
        ("log", SCORED, "a,1,1,A,3\na,2,1,B,5\n", "line 3: score 5 at place 1 is against score 3 at place 1"),
        ("log", SCORED, "a,1,1,A,5\na,2,1,B,3\n", "line 3: score 3 at place 1 is against score 5 at place 1"),
        ("log", SCORED, "a,1,1,A,3\na,2,2,B,\na,3,3,C,5\n", "line 4: score 5 at place 3 is against score 3 at place 1"),
        ("share", SCORED, "a,1,1,A,3\na,2,2,B,-5\n", "line 3: score -5 has no share: write scores of 0 or more"),
        (
            "nfl",
            SCORED,
            "a,1,1,A,3\na,2,2,B,2\na,3,3,C,1\n",
            "line 2: contest “a” has 3 sides, and margin nfl is for two",
        ),
    ],
)
def test_points_against_the_result_are_refused_by_line_where_they_count(
    files: Files, margin: str, header: str, rows: str, line: str
) -> None:
    file = files.games(rows, header)
    assert any(found.startswith(line) for found in refused(file, "--set", f"margin={margin}")[1])
    assert report(file)["rated"] >= 1, "where no points are taken they are not read"


def test_what_points_leave_unsaid_is_said(files: Files) -> None:
    games = files.games("A,B,1,4,4\nC,D,1,,\nE,F,+/-,,\n", POINTS)
    assert rate(games, "--set", "margin=on")[1] == (
        "Without points: 1 of 3. They are rated by result or place alone.\n"
    )
    said = rate(games, "--set", "margin=share")[1]
    assert "a scale of 400 is one of results, so a winner may fall" in said
    assert "a scale of 400" not in rate(games, "--set", "margin=share", "scale=900")[1]
    assert rate(games)[1] == ""


@pytest.mark.parametrize(
    ("form", "arguments", "sentence"),
    [
        ("games", ("--set", "sides=sum"), "sides is a setting for contests with sides; the file holds games of two"),
        ("games", ("--set", "normaliser=half"), "normaliser is a setting for contests with sides"),
        ("contests", ("--set", "one_k=off"), "one_k is a setting for games of two; the file holds contests with sides"),
        ("contests", ("--set", "period=day"), "period is a setting for games of two"),
        ("contests", ("--preset", "fide"), "Elo, preset fide rates games of two only: choose another preset"),
        ("contests", ("--preset", "xiangqi"), "Elo, preset xiangqi rates games of two only"),
        ("contests", ("--set", "sides=best"), "sides “best” is not known; choose one of mean, sum"),
        ("contests", ("--set", "normaliser=2"), "normaliser “2” is not known; choose one of n-1, none, half"),
    ],
)
def test_a_setting_of_the_other_kind_of_file_is_refused(
    files: Files, form: str, arguments: tuple[Any, ...], sentence: str
) -> None:
    file = files.games("A,B,1\n") if form == "games" else files.games(TABLE, HEADER)
    assert refused(file, *arguments)[0].startswith(sentence)
