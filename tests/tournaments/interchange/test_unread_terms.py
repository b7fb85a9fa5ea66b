"""What a report says and we do not understand: refused where it counts, else named; never dropped in silence."""

from fractions import Fraction
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tests.tournaments.interchange.trf_files import FOLDER, report, row, text
from tournaments.interchange.pairing_of_report import edition_of, first_colour_of, points_in
from tournaments.interchange.standings_of_report import contest_of
from tournaments.interchange.trf import Report, ReportError, read_report
from tournaments.interchange.trf.games import points_of, worths

GAME = (row(1, "2 w 1", rank="1"), row(2, "1 b 0", rank="2"))


def test_a_line_about_points_colours_or_rules_that_is_not_understood_is_refused_with_its_place() -> None:
    for line in (
        "162 W x", "162 W 1.0 D", "162 W=1.0; D=0.5", "162 W 3.0 Q 1.0", "162 W 3.0 A 2.0", "162 W -1", "162 three",
        "XXS W=abc", "XXS W 3", "XXS WW=3", "XXS W=3 HPB=0", "XXS QQ=1", "XXS W=1 W=2",
        "BBW x", "BBD -1", "BBZ 0.5", "BBF 1", "152 Q", "152 W B", "XXC purple", "XXC white1 blue", "XXR five",
        "142 0", "192 FIDE_DUTCH_2099", "192 FIDE_DUTSCH_2026", "192 something", "092 FIDE_DUTCH_2099",
        "240 Q 2 1", "240 H x 1", "240 H 2 9", "250 1.0 1 2 1", "250 x 1 2 1 2", "250 9 1.0 1.0 1 2 1 2",
        "260 2 1 1 2", "260 1 2 one", "XXA nobody 1.0", "XXA 1 many", "XXZ 9", "XXP 1 x", "299 1 2.0",
    ):  # fmt: skip
        with pytest.raises(ReportError) as refusal:
            report("012 Cup", line, *GAME)
        (problem,) = refusal.value.problems
        assert (problem.line, problem.column) in ((2, 5), (0, 0)), line
        assert "expected" in problem.text, line
    for lines in (("XXC white1", "152 B"), ("162 W 3.0", "XXS W=2"), ("XXC rank", row(3, rank="x"))):
        with pytest.raises(ReportError):
            report(*lines, *GAME)


def test_such_a_line_is_not_lost_as_a_comment_where_its_tag_stands_wrongly() -> None:
    for line in (
        "1427", "142x", " 142 7", "152W", "162W 3.0", "XXCblack1", "xxc black1", " XXC black1", "192FIDE_DUTCH_2025",
        "0422008-06-07", "240H 2 1", "001x   3",
    ):  # fmt: skip
        with pytest.raises(ReportError) as refusal:
            report("012 Cup", line, *GAME)
        (problem,) = refusal.value.problems
        assert (problem.line, problem.column) == (2, 1), line
        assert f"expected {line.strip()[:3].upper()} at the start of the line, then a blank" in problem.text
    for ruler in ("0123456789012345", "1234567890", "         1         2", "---------|---------"):
        assert not report(ruler, *GAME).notes, ruler


def test_two_types_and_the_line_of_a_type_are_told() -> None:
    for lines, place in (
        (("192 FIDE_DUTCH_2025", "192 FIDE_DUTCH_2025", "192 FIDE_DUTCH_2026"), 3),
        (("012 Cup", "092 FIDE_DUTCH_2099"), 2),
    ):
        with pytest.raises(ReportError) as refusal:
            report(*lines, *GAME)
        assert [problem.line for problem in refusal.value.problems] == [place]


def test_what_says_the_same_as_we_count_is_read_and_anything_else_is_named() -> None:
    for line in ("162 W 1.0 D 0.5 L 0.0 A 0.0 P 1.0 X 0.5", "XXS WW=1 BW=1 WD=0.5 FL=0 ZPB=0 HPB=0,5", "BBZ 0.0"):
        assert not report(line, *GAME).notes, line
    for line, place in {
        "QQQ whatever": (1, 1), "162": (1, 5), "XXC": (1, 5), "192": (1, 5), "062 two": (1, 5), "132 someday": (1, 5),
        "062 2 x": (1, 5), "072 x": (1, 5), "082 -1": (1, 5), "0622": (1, 1), "132 2026/01/05 soon": (1, 5),
        f"{'132':<91}26/13/40": (1, 5), "042 soon": (1, 5), row(3, birth="in spring"): (1, 70),
        row(3)[:52] + "9" + row(3)[53:]: (1, 53),
    }.items():  # fmt: skip
        notes = report(line, *GAME).notes
        assert [(note.line, note.column) for note in notes] == [place], line
    (note,) = report("012 Cup", "012 Pot", *GAME).notes
    assert (note.line, note.text) == (2, "a second line 012 is kept and not used")


def test_teams_lines_are_kept_as_they_came_and_named() -> None:
    read = report("192 FIDE_TEAM_BAKU", "240 Z   7    7", "260   1   3    6    9", "299 1 2", *GAME)
    assert [record.tag for record in read.records] == ["192", "240", "260", "299"]
    read = report("310   1 Alpha", "362 TW purple", "013 Beta", *GAME)
    (note,) = read.notes
    assert (note.line, note.text.partition(" are")[0]) == (1, "lines of teams (013, 310, 362)")


def test_a_file_of_byes_counts_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    byes = (row(1, "- - F|- - F", points="2.0"), row(2, "- - H|- - Z", points="0.5"))
    read = report("092 Swiss", *byes)
    assert not read.notes
    contest = contest_of(read)
    assert (contest.rounds, [contest.table[number].points for number in (1, 2)]) == (2, [4, 1])
    path = tmp_path / "byes.trf"
    path.write_bytes(text("092 Swiss", *byes))
    for path_of in (path, tmp_path / "entries.trf"):
        path_of.write_bytes(path.read_bytes() if path_of == path else text("092 Swiss", row(1), row(2)))
        with pytest.raises(CommandError, match="nothing to check") as refusal:
            call_command("check_pairings", str(path_of))
        assert refusal.value.returncode == 2
    coming = report("092 Swiss", row(1, "2 w 1|- - H", points="1.0"), row(2, "1 b 0|", points="0.0"))
    assert (coming.notes, contest_of(coming).rounds) == ((), 1), "a bye of the round to come is not counted yet"


# --- any value ------------------------------------------------------------------------------------------------------
WORDS = ("x", "-1", "9999", "1,5", "W=", "Q", "FIDE_X", "1 2 3", "٣", "w", "=", "?", ";")
VALUES = {"042": "2026/01/05", "052": "2026/01/06", "062": "2", "132": "2026/01/05", "142": "3", "152": "W"}
VALUES |= {"162": "W 1.0 D 0.5 L 0.0 P 1.0", "192": "FIDE_DUTCH_2026", "XXR": "3", "XXC": "white1", "XXP": "1 2"}
VALUES |= {"XXS": "W=1 D=0.5 L=0", "XXA": "1 0.0", "XXZ": "1", "240": "Z 2 1", "250": "0.0 1 2 1 2", "260": "1 1 1 2"}


def check(lines: list[int]) -> None:
    """A refusal names its lines."""
    assert lines
    assert all(lines)


def counting(read: Report) -> object:
    """All of a report that points, colours and pairings rest on, days included, without the text of records."""
    worth = worths(read)
    points = [points_of(player, worth) for player in read.players]
    cells = [player.cells for player in read.players]
    settings = (read.rounds, read.first_colour, first_colour_of(read), read.by_rank, edition_of(read))
    return (points_in(read), points, cells, settings)


@examples(300)
@given(tag=st.sampled_from(sorted(VALUES)), junk=st.sampled_from(WORDS), at=st.integers(0, 30), cut=st.integers(0, 3))
def test_a_value_that_is_no_value_is_refused_named_or_changes_nothing(tag: str, junk: str, at: int, cut: int) -> None:
    """A record of its own in a good file, with junk in its value. What is still read says the same as a value of that
    kind does: nobody gets other points or another colour because a word was dropped."""
    value = VALUES[tag]
    place = at % (len(value) + 1)
    changed = f"{tag} {value[:place]}{junk}{value[place + cut :]}"
    try:
        read = report(changed, *GAME)
    except ReportError as refusal:
        check([problem.line for problem in refusal.problems])
        return
    words = changed.split()[1:]
    understood = tag in ("XXC", "152") or not ({"x", "Q", "?", ";", "FIDE_X", "٣"} & set(words))
    assert read.notes or understood or counting(read) == counting(report(*GAME)), changed


@pytest.mark.extended
@given(at=st.integers(4, 100), junk=st.sampled_from("x?9 -"))
def test_a_character_of_a_players_line_changes_no_points_unnoticed(at: int, junk: str) -> None:
    data = (FOLDER / "hb2025_koshnitsky.trf").read_bytes()
    before = read_report(data)
    lines = data.decode().splitlines()
    index = next(at for at, line in enumerate(lines) if line.startswith("001"))
    lines[index] = lines[index][:at] + junk + lines[index][at + 1 :]
    try:
        after = read_report("\n".join(lines).encode())
    except ReportError as refusal:
        check([problem.line for problem in refusal.problems])
        return
    assert after.notes or counting(after) == counting(before)


def test_points_of_each_way_to_say_them() -> None:
    for line in ("162 W 3 D 1 P 3", "XXS W=3 D=1 PAB=3", "XXS W=3,0  D=1,0  PAB = 3"):
        found = worths(report(line, *GAME))
        assert (found.win, found.draw, found.allocated) == (3, 1, 3), line
    assert worths(report("BBW 2", "BBD 0.5", *GAME)).draw == Fraction(1, 2)
