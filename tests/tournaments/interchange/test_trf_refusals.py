"""A tournament report that cannot be used is refused with line, column, and what was expected there."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.interchange.trf_files import FOLDER, GOOD, real, report, row
from tournaments.interchange.tables_csv import UnreadableFileError
from tournaments.interchange.trf import Note, ReportError, read_report, reader, write_report
from tournaments.interchange.trf.games import games_of
from tournaments.standings.points import Result

GAME = (row(1, "2 w 1"), row(2, "1 b 0"))


def refused(*lines: str) -> list[str]:
    with pytest.raises(ReportError) as refusal:
        report(*lines)
    return [str(problem) for problem in refusal.value.problems]


def test_each_defect_is_told_with_line_column_and_what_was_expected() -> None:
    for name, found in {
        "missing_result": "line 2, column 132: round 5: 2 met 3, whose line 3 says they met nobody: expected",
        "too_many_results": "line 2, column 142: round 6, and the report is of 5 (XXR or 142): expected no more",
        "missing_starting_number": "line 7, column 5: number 8, and nobody has number 7: expected numbers from 1",
        "incompatible_color": "line 2, column 137: round 5: 2 and 3 both have Black: expected one White, one Bl",
        "incompatible_result": "line 2, column 139: round 5: 2 and 3 have “1” and “1”: expected two results of",
        "invalid_code": "line 7, column 1: 101 is no record and the line looks like a player’s: expected 001",
    }.items():
        with pytest.raises(ReportError) as refusal:
            real(f"py4swiss_bad_{name}.trf")
        assert str(refusal.value).startswith(found)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["XXX"] * 50_001, "The file has more than 50000 lines"),
        (["012 Cup", "013" * 7_000], "line 2: The line has more"),
    ],
)
def test_a_report_longer_than_any_is_refused_before_it_is_read(lines: list[str], found: str) -> None:
    """A line of 5 MB used to take minutes."""
    with pytest.raises(ReportError) as refusal:
        read_report("\n".join(lines).encode())
    assert str(refusal.value).startswith(found)


def test_as_many_lines_as_there_may_be_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("012 Cup", row(1, "2 w 1"), row(2, "1 b 0"))
    monkeypatch.setattr(reader, "MOST_LINES", len(lines))
    assert len(report(*lines).players) == 2
    with pytest.raises(ReportError, match="more than 3 lines"):
        report(*lines, "022 Town")


def test_a_line_as_long_as_one_may_be_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LONGEST_LINE", len(GAME[0]))
    assert len(report(*GAME).players) == 2
    monkeypatch.setattr(reader, "LONGEST_LINE", len(GAME[0]) - 1)
    assert refused(*GAME)[0].startswith("line 1: The line has more than")


def test_every_line_that_cannot_be_is_told_with_what_was_expected() -> None:
    line = row(1, "2 w 1")
    for lines, found in (
        (
            (row(1), row(1)),
            "line 2, column 5: number 1 stands in line 1 already: expected a number of its own for each player",
        ),
        (("001    x      Somebody",), "line 1, column 5: “x” is no starting number: expected one"),
        (("001    0      Somebody",), "line 1, column 5: “0” is no starting number: expected one"),
        (("001    12     Somebody",), "line 1, column 9: “1” goes on beyond column 8: expected a blank in column 9"),
        (
            (row(1, "3 w 1"), row(2)),
            "line 1, column 92: round 1: opponent 3 is not in the report: expected one of 1 to 2",
        ),
        ((row(1, "1 w 1"),), "is named as their own opponent"),
        (
            (row(1, "2 w 1"), row(2, "3 b 0"), row(3, "2 w 1")),
            "round 1: 1 met 2, whose line 2 says they met 3: expected the same game in both",
        ),
        ((row(1, "2 x 1"), row(2, "1 b 0")), "line 1, column 97: round 1: “x” is no colour: expected w, b or -"),
        ((row(1, "2 - 1"), row(2, "1 - 0")), "expected w or b"),
        ((row(1, "2 w 1"), row(2, "1 w 0")), "both have White: expected one White, one Black"),
        ((row(1, "2 w +"), row(2, "1 - -")), "only one colour between them"),
        ((row(1, "2 w ?"), row(2)), "“?” is no result: expected 1, 0, ="),
        ((row(1, "- - ?"), row(2)), "“?” is no"),
        ((row(1, "2 w H"), row(2, "1 b H")), "is a bye and there is an opponent"),
        ((row(1, "- - W"),), "is a game and there is no opponent"),
        ((line[:96] + "ww  1", row(2)), "is no round: expected an opponent in four columns"),
        (("XXR five", *GAME), "line 1, column 5: “five” is no number of rounds: expected a whole number"),
        (("XXR as many as we have time for", *GAME), "line 1, column 5: “as many as we have t” is no number of rounds"),
    ):
        problems = refused(*lines)
        assert found in problems[0]
        assert len(problems) == 1 or not found.startswith("line"), problems
    read = report(row(1, "2 - -"), row(2, "1 - +"))
    games = [(game.white, game.black, game.result) for game in games_of(read)]
    assert games == [(1, 2, Result.WHITE_FORFEITS)], "only a forfeit may do without colours"


PAIRS = {
    ("1", "0"): Result.WHITE_WINS,
    ("0", "1"): Result.BLACK_WINS,
    ("=", "="): Result.DRAW,
    ("+", "-"): Result.BLACK_FORFEITS,
    ("-", "+"): Result.WHITE_FORFEITS,
    ("-", "-"): Result.BOTH_FORFEIT,
    ("0", "0"): Result.NO_POINTS,
    ("=", "0"): Result.WHITE_DRAWS_BLACK_PENALISED,
    ("0", "="): Result.BLACK_DRAWS_WHITE_PENALISED,
    ("W", "L"): Result.WHITE_WINS_UNRATED,
    ("L", "W"): Result.BLACK_WINS_UNRATED,
    ("D", "D"): Result.DRAW_UNRATED,
    ("*", "*"): Result.OPEN,
}


def test_two_results_of_one_game() -> None:
    """Every pair of codes is a result of ours, or a contradiction."""
    for white, black in product("10=+-WDL*", repeat=2):
        lines = row(1, f"2 w {white}"), row(2, f"1 b {black}")
        if (white, black) in PAIRS:
            assert [game.result for game in games_of(report(*lines))] == [PAIRS[white, black]]
        else:
            assert refused(*lines)[0].endswith("expected two results of one game"), (white, black)


def test_everything_wrong_is_told_at_once() -> None:
    places = [line.split(":")[0] for line in refused("XXR no", row(1, "2 x 1|2 w ?"), "001 none", row(2))]
    assert places == ["line 1, column 5", "line 2, column 97", "line 2, column 109", "line 3, column 5"]


def test_a_line_of_a_player_is_recognised_whatever_stands_behind_the_number() -> None:
    line = "101" + row(1, points="1.0", rank="1")[3:]
    for written in (line, f"{line[:8]}m{line[9:]}"):
        assert "looks like a player’s: expected 001" in refused(written, *GAME)[0], written


def test_behind_so_many_problems_the_rest_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MOST_BAD", 2)
    assert [found.split(",")[0] for found in refused("XXR no", "XXR x", "XXR y", *GAME)] == ["line 1", "line 2"]
    mixed = ReportError([Note(3, 1, "c"), Note(2, 5, "b"), Note(2, 1, "a")])
    assert [note.text for note in mixed.problems] == ["a", "b", "c"], "in the order of the file"


def test_of_two_numbers_of_rounds_the_first_counts_and_it_is_said() -> None:
    read = report("XXR 5", "142 6", *GAME)
    assert read.rounds == 5
    assert [str(note) for note in read.notes] == ["line 2, column 5: 6 rounds here, 5 before: the first counts"]


def test_a_file_without_players_or_that_is_no_text_is_no_report() -> None:
    for data in (b"", b"\n\n", b"012 Cup\n", b"white,black,result\nA,B,1\n"):
        with pytest.raises(UnreadableFileError, match="There is no player: expected a line 001"):
            read_report(data)
    with pytest.raises(ReportError, match="no plain text"):
        read_report("012 Cup".encode("utf-16"))


def test_a_report_cut_short_never_breaks_the_reader() -> None:
    data = (FOLDER / "hb2025_koshnitsky.trf").read_bytes()
    for cut in range(0, 1000, 37):
        players, problems = read_or_refused(data[: len(data) - cut])
        assert players or all(problem.line for problem in problems), cut


def read_or_refused(data: bytes) -> tuple[int, tuple[Note, ...]]:
    """How many players are read, and what is wrong. What is read comes back as it was when written."""
    try:
        read = read_report(data)
    except ReportError as refusal:
        return 0, refusal.problems
    assert read_report(write_report(read)) == read
    return len(read.players), ()


MUTATIONS = st.lists(st.tuples(st.integers(0, 3000), st.binary(max_size=3)), min_size=1, max_size=8)


@given(name=st.sampled_from(GOOD), changes=MUTATIONS)
def test_whatever_stands_in_a_file_it_is_read_or_refused(name: str, changes: list[tuple[int, bytes]]) -> None:
    data = (FOLDER / name).read_bytes()
    for at, put in changes:
        data = data[: at % len(data)] + put + data[at % len(data) + len(put) :]
    players, problems = read_or_refused(data)
    assert bool(players) != bool(problems)
