"""Clubs' lists on one scale, files in and files out: what is told, that it can be told again, and what is refused."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from statistics import fmean

import pytest
from django.core.management import CommandError, call_command

from clubrating.management.commands import join_lists
from clubrating.site.one_scale.combined import Combined, Shift, as_csv, as_json, combine
from clubrating.site.one_scale.inputs import Most, UnusableInputError, read_inputs
from tests.clubrating.site.lists.test_verify_list import no_database
from tests.clubrating.site.one_scale.club_files import ON, Files, bridges, club, keys, two_clubs

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def files() -> Files:
    return two_clubs()


def combined(files: Files, **changed: bytes) -> Combined:
    return combine(read_inputs({**files, **changed}, today=ON, most=Most()))


@pytest.fixture(scope="module")
def joined(files: Files) -> Combined:
    """The files as they are, joined."""
    return combined(files)


def shift(files: Files, **changed: bytes) -> Shift:
    return combined(files, **changed).shifts[1]


def test_the_clubs_in_other_order_have_the_opposite_shift(files: Files, joined: Combined) -> None:
    swapped = {"list_a": files["list_b"], "list_b": files["list_a"]}
    swapped |= {"games_a": files["games_b"], "games_b": files["games_a"]}
    swapped["keys"] = keys().replace(b"A,", b"X,").replace(b"B,", b"A,").replace(b"X,", b"B,")
    one, other = joined.shifts[1], shift(files, **swapped)
    assert (one.shift, one.deviation) == pytest.approx((-other.shift, other.deviation), abs=0.11)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=0.11)


@pytest.mark.extended
def test_more_games_say_more_and_wins_lift_the_winners_club(files: Files, joined: Combined) -> None:
    drawn = joined.shifts[1]
    lost, won = (shift(files, bridges=bridges(result=result)) for result in ("1", "0"))
    assert lost.shift < drawn.shift < won.shift
    few = shift(files, bridges=bridges("2026-06-01,a-1,b-1,0.5"))
    assert few.deviation > drawn.deviation
    assert few.assumed > drawn.assumed


@pytest.mark.extended
def test_each_rating_of_the_second_list_is_shifted_and_all_stand_in_one_order(joined: Combined) -> None:
    assert len(joined.rows) == 18
    assert [row.place for row in joined.rows] == list(range(1, 19))
    for row in joined.rows:
        away = joined.shifts[1].shift if row.club == "B" else 0.0
        assert row.joined == pytest.approx(float(row.rating) + away, abs=1.0)
    low, high = joined.shifts[1].low, joined.shifts[1].high
    assert low < joined.shifts[1].shift < high


def test_shifted_lists_stand_as_far_apart_as_the_clubs_are(files: Files) -> None:
    """Also where the second list's mean is another: Glicko's is no constant."""
    found = combined(files, **dict(zip(("list_b", "games_b"), club(2, system="glicko"), strict=True)))
    one, other = (fmean(row.joined for row in found.rows if row.club == letter) for letter in "AB")
    assert other - one == pytest.approx(found.shifts[1].apart, abs=0.6)
    assert abs(found.shifts[1].shift - found.shifts[1].apart) > 20.0


@pytest.mark.extended
def test_the_next_match_tells_more_with_every_board_and_nobody_plays_twice(files: Files, joined: Combined) -> None:
    games = joined.next_games
    assert [games[0].now, *(game.after for game in games)] == sorted(
        [games[0].now, *(game.after for game in games)], reverse=True
    )
    assert len({game.key for game in games}) == len({game.other_key for game in games}) == len(games) == 4
    again = [f"2026-06-29,{game.key},{game.other_key},0.5" for game in games]
    after = shift(files, bridges=bridges(*bridges(result="0.5").decode().splitlines()[1:], *again)).deviation
    assert after == pytest.approx(games[-1].after, rel=0.05)


@pytest.mark.extended
def test_somebody_of_both_clubs_joins_them_without_a_game_and_stands_in_the_list_once(
    files: Files, joined: Combined
) -> None:
    shared = keys().replace(b"B,5,b-5", b"B,5,a-5")
    found = combined(files, keys=shared, bridges=bridges("2026-06-01,a-1,b-1,+/-"))
    assert found.made_from["shared_members"] == 1
    assert found.made_from["bridge_games"] == 0
    assert found.shifts[1].deviation < joined.shifts[1].deviation
    (row,) = [row for row in found.rows if row.key == "a-5"]
    assert (row.club, len(row.rating.split())) == ("A B", 2)
    few = re.sub(rb"A,[5-9],.*\n", b"", shared).replace(b"B,5,a-5", b"B,5,a-1")
    boards = combined(files, keys=few, bridges=bridges("2026-06-01,a-2,b-2,1")).next_games
    assert {game.key for game in boards} == {"a-2", "a-3", "a-4"}, "a-1 is of both clubs"
    assert combined(files, keys=shared, bridges=bridges("2026-06-01,a-5,a-4,1")).made_from["bridge_games"] == 1


def test_names_and_numbers_of_the_lists_are_nowhere_in_what_comes_out(files: Files) -> None:
    found = combined(files, keys=keys().replace(b"A,9,a-9", b"A,#9,kk9"))
    for text in (as_csv(found), as_json(found)):
        assert "Ada" not in text
        assert "Lovelace" not in text
        assert "kk9" in text
        assert '"number"' not in text
    assert json.loads(as_json(found))["players"][0] == found.rows[0]._asdict()


def test_members_have_whole_points_that_name_nobody_and_no_interval_of_their_own(joined: Combined) -> None:
    """Their ratings come from their lists, starting ratings included; what games tell of them is another figure."""
    header, *rows = [line for line in as_csv(joined).splitlines() if not line.startswith("#")]
    assert header == "place,key,club,rating,joined"
    assert len(rows) == 18
    assert not [row for row in rows if "." in row]


def test_a_list_that_looks_at_years_of_birth_is_joined_unchecked_unless_it_was_changed(
    files: Files, joined: Combined
) -> None:
    """The preset that most clubs have, with games as they are exported for others."""
    assert joined.made_from["not_checked"] == []
    usual, games = club(2, preset="club", games=120)
    found = combined(files, list_b=usual, games_b=games)
    assert found.made_from["not_checked"] == ["B"]
    assert {row.club for row in found.rows} == {"A", "B"}
    with pytest.raises(UnusableInputError, match="The list was changed since it was downloaded"):
        combined(files, list_b=usual.replace(b"lace,1", b"lace,2"), games_b=games)


def test_a_shared_key_without_a_place_in_one_list_joins_nothing_and_is_counted(files: Files) -> None:
    shared = keys().replace(b"B,5,b-5", b"B,5,a-5").replace(b"B,6,b-6", b"B,6,a-6")
    whole = files["list_b"].decode()
    (place,) = re.findall(r"^(\d+),6,", whole, re.MULTILINE)
    lines = [re.sub(r"^\d+(?=,6,)", "", line) for line in whole.splitlines()]
    later = [
        re.sub(r"^\d+(?=,)", lambda found: str(int(found[0]) - (int(found[0]) > int(place))), line) for line in lines
    ]
    found = combined(files, keys=shared, list_b="\n".join(later).encode())
    assert (found.made_from["shared_members"], found.made_from["shared_without_place"]) == (1, 1)


# --- the command ----------------------------------------------------------------------------------------------------
class Folder:
    """The files in a folder, and the command on them."""

    def __init__(self, path: Path, files: Files) -> None:
        self.path = path
        for name, data in files.items():
            (path / name).write_bytes(data)

    def join(self, *arguments: str) -> None:
        path = self.path
        clubs = [
            argument
            for side in "ab"
            for argument in ("--club", str(path / f"list_{side}"), str(path / f"games_{side}"))
        ]
        with no_database():
            call_command(
                "join_lists", *clubs, "--keys", str(path / "keys"), "--bridges", str(path / "bridges"), *arguments
            )


@pytest.mark.django_db
def test_the_combined_file_is_made_again_from_the_same_files_and_from_no_others(
    files: Files, tmp_path: Path, capsys: Captured
) -> None:
    folder, out = Folder(tmp_path, files), tmp_path / "combined.csv"
    folder.join("--out", str(out), "--json", str(tmp_path / "combined.json"))
    warning = "It is still open which of the two lists rates its members higher."
    assert re.search(rf"^club B: .*\n  {warning}\nnext between", capsys.readouterr().out)
    plain = json.loads((tmp_path / "combined.json").read_text())
    assert plain["digest"] in out.read_text()
    assert [club["warning"] for club in plain["clubs"]] == ["", warning]
    assert f'"warning":"{warning}"' in out.read_text()
    folder.join("--verify", str(out))
    assert capsys.readouterr().out.startswith("equal: combined.csv follows")
    text = out.read_text()
    with pytest.raises(CommandError, match="--verify writes nothing"):
        folder.join("--verify", str(out), "--json", str(tmp_path / "more.json"))
    for other in (text.replace("a-1,", "a-1X,"), text + "nothing\n", ""):
        out.write_text(other)
        with pytest.raises(CommandError, match="Different") as refusal:
            folder.join("--verify", str(out))
        assert refusal.value.returncode == 1
        assert "computed " in capsys.readouterr().out


@pytest.mark.django_db
def test_one_club_or_a_file_too_large_is_refused(files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder(tmp_path, files)
    names = [str(tmp_path / name) for name in ("list_a", "games_a", "keys", "bridges")]
    with pytest.raises(CommandError, match="Clubs are joined, two to ") as refusal:
        call_command("join_lists", "--club", *names[:2], "--keys", names[2], "--bridges", names[3])
    assert refusal.value.returncode == 2
    monkeypatch.setattr(join_lists, "LARGEST", max(map(len, files.values())))
    folder.join()
    monkeypatch.setattr(join_lists, "LARGEST", max(map(len, files.values())) - 1)
    with pytest.raises(CommandError, match=r"is larger than [\d,]+ bytes") as refusal:
        folder.join()
    assert refusal.value.returncode == 2


REFUSED: list[tuple[str, Callable[[Files], bytes], str]] = [
    ("list_b", lambda files: files["list_a"], "list of club A once more"),
    (
        "list_b",
        lambda files: files["list_b"].replace(b"lace,1", b"lace,2", 1),
        "does not follow from its games. Lines that differ: 2. ",
    ),
    (
        "list_b",
        lambda files: files["list_b"].replace(b'"list":"', b'"list":"\\ud800'),
        "its settings hold signs that are no text.",
    ),
    (
        "list_b",
        lambda files: re.sub(rb'"rules":\[.*?\],', b'"rules":[],', files["list_b"]),
        "cannot be used: A rating list needs at least one rule.",
    ),
    (
        "games_b",
        lambda files: files["games_b"].replace(b",1-0,", b",0-1,", 1),
        "does not follow from its games. Lines that differ: 11. ",
    ),
    (
        "games_b",
        lambda files: files["games_b"].replace(b"#1", b"Ada", 1),
        "games_b: line 2: player “Ada” is no number: write #17",
    ),
    (
        "games_b",
        lambda files: files["games_b"].splitlines()[0],
        "list_b: Nobody with a place in the list has a rated game: ",
    ),
    ("list_b", lambda files: club(2, on=ON - timedelta(days=1))[0], "download both of one day"),
    ("list_b", lambda files: club(2, system="kd")[0], "not in Elo points"),
    ("list_b", lambda files: files["list_b"].replace(b"2026-06-30", b"9999-12-31"), "day that has not come"),
    ("games_b", lambda files: b"\xff", "not UTF-8"),
    ("keys", lambda files: b"club,key\n", "lacks “number”"),
    ("keys", lambda files: keys("C,1,c-1"), "line 20: club “C” is not known: write one of A, B"),
    ("keys", lambda files: keys("A,99,a-99"), "line 20: the list of club A has no number 99"),
    ("keys", lambda files: keys("A,1,a-10"), "“A #1” stands in line 2 already"),
    ("keys", lambda files: keys("A,x1,a-10"), "“x1” is no player’s number"),
    ("keys", lambda files: keys("A,8,Ada Lovelace"), "“Ada Lovelace” is no key"),
    ("keys", lambda files: keys("A,8,Lovelace"), "at least one a digit"),
    ("keys", lambda files: keys("A,8,-A1"), "the first a letter or digit"),
    ("keys", lambda files: keys().replace(b"b-5", b"A-5"), "line 15: “A-5” and “a-5” differ only in capitals"),
    (
        "bridges",
        lambda files: bridges(*["2026-06-01,a-1,b-2,1", "2026-06-01,a-1,b-2,1-0"]),
        "line 3: the same game stands in line 2 already",
    ),
    ("bridges", lambda files: bridges("2026-06-01,a-1,zz-9,1"), "line 2: key “zz-9” stands in no club’s keys"),
    ("bridges", lambda files: bridges("2026-06-01,a-1,a-2,1"), "both play for the same club"),
    ("bridges", lambda files: bridges("2019-06-01,a-1,b-2,1"), "“a-1” had no rated game in club A by that day"),
    (
        "bridges",
        lambda files: bridges("2026-07-01,a-1,b-2,1"),
        "line 2: the game was played after the day of the lists: leave it out",
    ),
    ("bridges", lambda files: b"white,black,result\na-1,b-2,1\n", "line 2: the date is missing"),
    ("bridges", lambda files: bridges("2026-06-01,a-1,b-2,2"), "result “2” is not known"),
    ("bridges", lambda files: bridges("2026-06-01,a-1,b-2,+/-"), "No bridge game and no shared member joins club B"),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "change", "sentence"), REFUSED)
def test_what_cannot_be_joined_is_told_with_its_file_and_nothing_is_written(
    files: Files, tmp_path: Path, capsys: Captured, name: str, change: Callable[[Files], bytes], sentence: str
) -> None:
    folder, out = Folder(tmp_path, {**files, name: change(files)}), tmp_path / "combined.csv"
    with pytest.raises(CommandError, match="Nothing was written") as refusal:
        folder.join("--out", str(out))
    assert refusal.value.returncode == 2
    assert not out.exists()
    err = capsys.readouterr().err
    assert sentence in err
    assert ".." not in err
    assert re.match(r"(list_b|games_b|keys|bridges): ", err), "names the file"


def test_a_game_that_one_of_the_clubs_has_rated_already_is_no_bridge_game(files: Files) -> None:
    day, white, black = files["games_a"].decode().splitlines()[5].split(",")[:3]
    twice = bridges(f"{day},a-{white[1:]},a-{black[1:]},1")
    with pytest.raises(UnusableInputError, match="stands in club A’s own games"):
        combined(files, bridges=twice)


@pytest.mark.parametrize("most", [Most(members=17), Most(games=159), Most(bridges=3), Most(rules=0)])
def test_more_than_can_be_joined_at_once_is_refused_before_it_is_computed(files: Files, most: Most) -> None:
    with pytest.raises(UnusableInputError, match="at most"):
        read_inputs(files, today=ON, most=most)
    assert read_inputs(files, today=ON, most=Most(members=18, games=160, bridges=4, rules=1))
