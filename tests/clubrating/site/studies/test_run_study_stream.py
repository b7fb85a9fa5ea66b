"""`manage.py run_study stream`: given games, no random numbers; every bad line told with file, line and remedy."""

from pathlib import Path

import pytest

from tests.clubrating.site.studies.test_run_study import refused, report, run

PEOPLE = "id,strength,frequency\nann,10,160\nbob,20,10\ncid,80,10\n"


class Files:
    """A folder with both files."""

    def __init__(self, folder: Path) -> None:
        self.games, self.players = folder / "games.csv", folder / "players.csv"
        self.players.write_text(PEOPLE)

    def write(self, rows: str, header: str = "winner,loser") -> tuple[object, ...]:
        """The arguments that run them."""
        self.games.write_text(f"{header}\n{rows}")
        return ("stream", "--games", self.games, "--players", self.players)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_league_by_hand(files: Files) -> None:
    """750 beats 750: +40 and -30; 790 beats 720: 20 - 30 and so on, to the end of the rule's clamp at +20/-10."""
    ratings = [750, 750]
    for _ in range(1000):
        winner, loser = ratings
        stake = int(max(-500, min(500, loser - winner)) / 25) + 30
        ratings = [winner + stake + 10, loser - stake]
    found = report(*files.write("ann,bob\n" * 1000), "--systems", "league")["systems"]["league"]["ratings"]["1000"]
    assert found == {"ann": ratings[0], "bob": ratings[1], "cid": 750}


def test_no_milestone_is_shown_that_was_not_reached_and_six_are_asked_where_none_are_named(files: Files) -> None:
    found = report(*files.write("cid,ann\n" * 999), "--systems", "elo")["systems"]["elo"]
    assert found["ratings"] == {}
    assert len(found["index"]) == 9
    found = report(*files.write("cid,ann\n"))["systems"]
    assert list(found) == ["league", "solo-zerg", "r2", "kd", "elo", "glicko"]


def test_white_black_and_result_say_the_same_and_player_is_another_word_for_id(files: Files) -> None:
    one = report(*files.write("cid,ann\nann,bob\n" * 500))
    two = report(*files.write("cid,ann,1-0\nbob,ann,0-1\n" * 500, "white,black,result"))
    assert one["systems"]["league"] == two["systems"]["league"]
    arguments = files.write("cid,ann\n" * 100)
    before = report(*arguments)
    files.players.write_text(PEOPLE.replace("id,", "player,", 1))
    assert report(*arguments) == before


def test_drawn_games_count_and_forfeits_are_left_out(files: Files) -> None:
    found = report(*files.write("cid,ann,0.5\n" * 1000, "white,black,result"), "--systems", "league,kd")
    assert found["systems"]["league"]["ratings"]["1000"] == {"ann": 750.0, "bob": 750.0, "cid": 750.0}
    assert found["systems"]["kd"]["ratings"]["1000"] == {"ann": 15.0, "bob": 15.0, "cid": 15.0}
    arguments = files.write("cid,ann,1\n" * 100 + "cid,ann,+/-\n", "white,black,result")
    assert "Games nobody played are left out: 1." in run(*arguments)[1]
    assert len(report(*arguments, "--systems", "elo")["systems"]["elo"]["index"]) == 1


def test_a_dated_file_is_put_in_order(files: Files) -> None:
    later, earlier = "2024-02-01,ann,cid\n", "2024-01-01,cid,ann\n"
    header = "date,winner,loser"
    one = report(*files.write((later + earlier) * 500, header), "--systems", "elo")
    two = report(*files.write(earlier * 500 + later * 500, header), "--systems", "elo")
    assert one == two


def test_the_shape_is_the_interfaces_and_the_text_names_ratings_and_index(files: Files) -> None:
    arguments = files.write("cid,ann\n" * 1000)
    found = report(*arguments, "--systems", "league,elo")
    assert list(found) == ["systems"]
    assert list(found["systems"]) == ["league", "elo"]
    for each in found["systems"].values():
        assert list(each) == ["ratings", "index"]
        assert list(each["ratings"]) == ["1000"]
        assert list(each["ratings"]["1000"]) == ["ann", "bob", "cid"]  # the players' file's order
        assert each["index"] == [1] * 10  # 80, 20, 10: one pair four times as strong, one twice
    text = run(*arguments, "--systems", "kd")[0]
    assert text.startswith("kd: mean index 1.00, last 1\n  after 1000 games: cid ")


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("cid,ann\nann,dan\n", "games.csv, line 3: “dan” does not stand in the players’ file: write a line for him"),
        ("ann,ann\n", "games.csv, line 2: “ann” plays both White and Black: correct one"),
        ("ann,\n", "games.csv, line 2: Black’s name is missing"),
        ("", "games.csv: line 2: there is no played game: write one a line"),
    ],
)
def test_bad_games_are_told_with_line_and_remedy(files: Files, rows: str, sentence: str) -> None:
    assert sentence in refused(*files.write(rows))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("id,strength\nann,strong\n", "players.csv, line 2: strength “strong” is not known: write a number above 0"),
        ("id,strength\nann,0\n", "line 2: strength “0” is not known: write a number above 0"),
        ("id,strength\nann,-3\n", "line 2: strength “-3”"),
        ("id,strength\nann,inf\n", "line 2: strength “inf”"),
        ("id,strength\nann,nan\n", "line 2: strength “nan”"),
        ("id,strength\nann,\n", "line 2: the strength is missing: write a number above 0"),
        ("id,strength,frequency\nann,10,never\n", "line 2: frequency “never” is not known"),
        ("id,strength\nann,10\nann,20\n", "line 3: “ann” stands in line 2 already: remove one of the two"),
        ("id\nann\n", "players.csv: The header lacks “strength”"),
        ("id,strength\n", "players.csv: line 2: there is no player: write one a line"),
        ("", "players.csv: The file is empty: its first line must name the columns."),
    ],
)
def test_bad_players_are_told_with_line_and_remedy(files: Files, text: str, sentence: str) -> None:
    arguments = files.write("cid,ann\n")
    files.players.write_text(text)
    assert sentence in refused(*arguments)


def test_a_file_that_is_not_there(files: Files) -> None:
    files.write("cid,ann\n")
    assert "cannot be read" in refused("stream", "--games", "nowhere.csv", "--players", files.players)
    assert "cannot be read" in refused("stream", "--games", files.games, "--players", "nowhere.csv")
