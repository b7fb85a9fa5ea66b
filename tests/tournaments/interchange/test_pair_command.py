"""The next round of a Swiss from its report: which round, who is there, what counts, and how it is said."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tests.tournaments.interchange.trf_files import FOLDER, report, row, text
from tournaments.interchange.pairing_of_report import (
    edition_of,
    first_colour_of,
    next_round,
    points_in,
    round_as_paired,
    round_to_pair,
)
from tournaments.interchange.trf import Report, ReportError
from tournaments.pairing.base import CLASSIC, Field, PairingError
from tournaments.pairing.dutch.system import Dutch
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import Result, point_system

ROOT = FOLDER.parent.parent.parent
SWISSES = FOLDER.parent / "swiss"
FIRST = ("4 w 1", "5 b 1", "6 w 1", "1 b 0", "2 w 0", "3 b 0")  # round 1 of six, the better ones won
SIX = tuple(row(number, cell) for number, cell in enumerate(FIRST, start=1))


def six(*lines: str, **more: str) -> Report:
    """Six after round 1; `p4="0000 - H"` appends a cell to number 4."""
    rows = [row(number, "|".join(filter(None, (cell, more.get(f"p{number}"))))) for number, cell in enumerate(FIRST, 1)]
    return report("XXR 5", *rows, *lines)


def field_of(read: Report, edition: int = 2026) -> Field:
    return round_to_pair(read, edition).field


def present(read: Report) -> list[int]:
    return sorted(field_of(read).present)


# --- which round ----------------------------------------------------------------------------------------------------
def test_the_round_after_the_last_with_games_is_paired() -> None:
    assert next_round(report(row(1), row(2))) == 1
    assert next_round(report(*SIX)) == 2
    assert next_round(report(row(1, "2 w 1|- - H"), row(2, "1 b 0"))) == 2
    assert next_round(report(row(1, "2 w 1|- - U"), row(2, "1 b 0"))) == 3
    still_open = report(row(1, "2 w 1|3 b"), row(2, "1 b 0"), row(3, "- - U|1 w"))
    assert next_round(still_open) == 3, "a round whose games are still open is paired already"
    with pytest.raises(PairingError, match="All 1 rounds are paired"):
        round_to_pair(report("XXR 1", row(1, "2 w 1"), row(2, "1 b 0")), 2026)
    with pytest.raises(PairingError, match="Nobody is to be paired in round 1"):
        round_to_pair(report("XXZ 1 2", row(1), row(2)), 2026)


def test_an_event_of_unknown_length_is_in_its_last_round_and_the_edition_is_that_of_its_first_day() -> None:
    for said, rounds in ((["XXR 7"], 7), (["142 7"], 7), ([], 2)):
        assert round_to_pair(report(*said, *SIX), 2026).settings["rounds"] == rounds
    assert edition_of(report(*SIX)) == 2026
    for day, edition in {"2026/01/31": 2025, "2026/02/01": 2026, "2020/05/29": 2025}.items():
        assert edition_of(report(f"042 {day}", *SIX)) == edition, day


# --- who is there ---------------------------------------------------------------------------------------------------
def test_everybody_is_paired_who_is_not_away() -> None:
    assert present(six()) == [1, 2, 3, 4, 5, 6]
    for cell in ("- - Z", "- - H", "- - F", "- - -"):
        assert present(six(p4=cell)) == [1, 2, 3, 5, 6], cell
    assert present(six("XXZ 2 5", "XXZ 6")) == [1, 3, 4]
    assert present(six("240 H   2    4    6")) == [1, 2, 3, 5]
    assert present(six("240 Z   3    4")) == [1, 2, 3, 4, 5, 6], "that is another round"
    ways = [six(p4="- - H"), six("240 H 2 4"), six("XXZ 4")]
    assert len({round_to_pair(way, 2026).pair() for way in ways}) == 1, "however an absence is written"


def test_late_entries_and_whoever_missed_the_last_round_are_paired() -> None:
    late = report(*SIX, row(7))
    assert 7 in present(late)
    assert field_of(late).byes == (Bye(1, 7, 0, "zero"),)
    left = report(row(1, "2 w 1|3 b 1"), row(2, "1 b 0"), row(3, "- - U|1 w 0"))
    assert present(left) == [1, 2, 3]


def test_a_round_that_is_paired_has_whoever_played_or_had_the_allocated_bye() -> None:
    read = report(row(1, "3 w 1|- - H"), row(2, "- - Z|3 w 1"), row(3, "1 b 0|2 b 0"), row(4, "- - U|- - Z"))
    assert [sorted(round_as_paired(read, number, 2026).field.present) for number in (1, 2)] == [[1, 3, 4], [2, 3]]


# --- what counts ----------------------------------------------------------------------------------------------------
def test_points_are_counted_from_the_rounds_whatever_the_file_says() -> None:
    right = round_to_pair(six(), 2026).pair()
    wrong = [row(number, cell, points="5.0" if number == 6 else "0.0") for number, cell in enumerate(FIRST, start=1)]
    assert round_to_pair(report("XXR 5", *wrong), 2026).pair() == right


def test_a_game_that_is_not_over_counts_as_a_draw_and_forfeits_keep_what_they_are() -> None:
    read = report(row(1, "2 w"), row(2, "1 b *"), row(3, "4 w 1"), row(4, "3 b 0"))
    assert field_of(read).meetings == (Meeting(1, 1, 2, Result.DRAW), Meeting(1, 3, 4, Result.WHITE_WINS))
    read = report(row(1, "2 - +"), row(2, "1 - -"), row(3, "4 w -"), row(4, "3 b -"))
    results = [meeting.result for meeting in field_of(read).meetings]
    assert results == [Result.BLACK_FORFEITS, Result.BOTH_FORFEIT]


def test_byes_bring_what_the_points_say() -> None:
    read = report("XXS W=3 D=1 L=0 PAB=1", row(1, "- - U"), row(2, "- - H"), row(3, "- - F"), row(4, "- - Z"))
    worths = [(bye.kind, bye.points) for bye in field_of(read).byes]
    assert worths == [("pab", 1), ("half", 1), ("full", 3), ("zero", 0)]


def test_the_only_full_bye_of_a_round_is_the_allocated_one_where_nobody_has_that_in_so_many_words() -> None:
    old = report(row(1, "2 w 1"), row(2, "1 b 0"), row(3, "- - +"))
    assert [bye.kind for bye in field_of(old).byes] == ["pab"]
    two = report(row(1, "- - F"), row(2, "- - F"), row(3, "4 w 1"), row(4, "3 b 0"))
    assert [bye.kind for bye in field_of(two).byes] == ["full", "full"]
    both = report(row(1, "- - F|3 w 1"), row(2, "- - U|- - F"), row(3, "4 w 1|1 b 0"), row(4, "3 b 0|- - Z"))
    assert [bye.kind for bye in field_of(both).byes] == ["full", "pab", "full", "zero"]


def test_known_point_systems_are_ours_and_others_are_counted_in_their_smallest_unit() -> None:
    assert points_in(report(*SIX)) == CLASSIC
    for line in ("162  W 3.0    D 1.0    L 0.0", "XXS W=3 D=1"):
        assert points_in(report(line, *SIX)) == point_system("football")
    points = points_in(report("XXS W=2 D=0.75 L=0.25 PAB=0.5", *SIX))
    assert (points.unit, points.win, points.draw, points.loss, points.allocated_bye) == (4, 8, 3, 1, 2)


# --- acceleration ---------------------------------------------------------------------------------------------------
def test_virtual_points_are_those_of_each_round_and_may_be_finer_than_the_others() -> None:
    assert field_of(six("XXA    1  1.0  0.5", "XXA    2  1.0")).accelerated == {1: (2, 1), 2: (2,)}
    for line in ("250       1.0   1   2    1    2", "250  1          1   2    1    2"):
        assert field_of(six(line)).accelerated == {1: (2, 2), 2: (2, 2)}
    field = field_of(six("XXA 1 0.25"))
    assert (field.points.unit, field.points.win, field.accelerated) == (4, 4, {1: (1,)})


def test_the_coded_type_says_baku_where_no_points_are_given_and_the_upper_half_meets_among_itself() -> None:
    baku = "192 FIDE_DUTCH_2025_BAKU"
    for lines, setting in (([], "none"), ([baku[:-5]], "none"), ([baku], "baku"), ([baku, "XXA 1 1.0"], "none")):
        assert round_to_pair(six(*lines), 2026).settings["acceleration"] == setting, lines
    boards = round_to_pair(report(baku, "XXR 9", *(row(number) for number in range(1, 9))), 2026).pair()
    assert [(board.white, board.black) for board in boards] == [(1, 3), (4, 2), (5, 7), (8, 6)]


# --- who must not meet ----------------------------------------------------------------------------------------------
def test_a_group_that_must_not_meet_is_every_pair_of_it_for_its_rounds() -> None:
    assert field_of(six("XXP 1 2 3")).prohibited == {frozenset(pair) for pair in ((1, 2), (1, 3), (2, 3))}
    for span, pairs in (("1   3", 1), ("3   5", 0), ("2   2", 1)):
        assert len(field_of(six(f"260   {span}    1    2")).prohibited) == pairs, span
    free, apart = (
        {frozenset((board.white, board.black)) for board in round_to_pair(read, 2026).pair()}
        for read in (six(), six("XXP 1 2"))
    )
    assert frozenset((1, 2)) in free - apart


# --- numbers and colours --------------------------------------------------------------------------------------------
def test_numbers_by_rank_pair_in_the_order_of_ranks_and_the_histories_follow_them() -> None:
    ranks = {1: "4", 2: "3", 3: "2", 4: "1"}
    read = report("XXC rank white1", *(row(number, rank=rank) for number, rank in ranks.items()))
    assert [(board.white, board.black) for board in round_to_pair(read, 2026).pair()] == [(4, 2), (1, 3)]
    read = report("XXC rank", row(1), row(2, rank="1"), row(3))
    assert round_to_pair(read, 2026).numbers == (2, 1, 3), "who has no rank comes after those who have one"
    people = (row(1, "2 w 1", rank="2"), row(2, "1 b 0", rank="3"), row(3, "- - H", rank="1"))
    field = field_of(report("XXC rank", "XXP 1 3", *people))
    assert field.meetings == (Meeting(1, 2, 3, Result.WHITE_WINS),)
    assert field.byes == (Bye(1, 1, 1, "half"),)
    assert field.prohibited == {frozenset((1, 2))}


def test_the_initial_colour_is_said_or_seen() -> None:
    for lines, colour in (
        ([row(1, "2 w 1"), row(2, "1 b 0")], "white"),
        ([row(1, "2 b 1"), row(2, "1 w 0")], "black"),
        ([row(1, "2 b 1"), row(2, "1 w 0"), "XXC white1"], "white"),
        ([row(1), row(2), "152 B"], "black"),
        ([row(1, "2 - +"), row(2, "1 - -")], "white"),
        ([row(1), row(2)], "white"),
        ([row(1, "- - H"), row(2, "3 w 1"), row(3, "2 b 0")], "white"),
    ):
        assert first_colour_of(report(*lines)) == colour, lines


# --- what cannot be used --------------------------------------------------------------------------------------------
def test_a_line_that_cannot_be_read_is_refused_with_what_was_expected() -> None:
    expected = {
        "starting numbers of 1 to 6": ("XXZ 7", "XXZ two", "XXP 1 0", "XXA 9 1.0", "XXA"),
        "points of 0 to 100": ("XXA 1 one", "XXA 1 101"),
        "H, F or Z, a round, and starting numbers": ("240 Q 2 1", "240 H", "240"),
        "a round of 1 to 999": ("240 H 0 1", "250 1.0 1 1000000 1 2", "260 a b 1 2"),
        "points, a first round, a last round": ("250 1.0",),
        "a first round, a last round, and starting numbers": ("260 1",),
    }
    for found, lines in expected.items():
        for line in lines:
            with pytest.raises(ReportError) as refusal:
                six(line)
            assert f"line 8, column 5: “{line}” cannot be used" in str(refusal.value)
            assert f"expected {found}" in str(refusal.value), line


@examples(600)
@given(
    tag=st.sampled_from(("XXZ", "XXP", "XXA", "240", "250", "260", "XXS", "162", "XXC", "192")),
    words=st.lists(
        st.sampled_from(("1", "2", "6", "7", "0", "-1", "1.0", "0.25", "H", "Z", "x", "٣", "W=2", "9" * 5000, "rank")),
        max_size=7,
    ),
)
def test_whatever_stands_in_those_lines_pairs_or_is_refused_in_words(tag: str, words: list[str]) -> None:
    with suppress(ReportError, PairingError):
        boards = round_to_pair(six(" ".join([tag, *words])), 2026).pair()
        seats = [player for board in boards for player in (board.white, board.black) if player]
        assert len(seats) == len(set(seats))


def test_more_rounds_players_or_teams_than_a_swiss_has_are_refused() -> None:
    for read, found in (
        (report("XXR 31", *SIX), "The report is of 31 rounds: a Swiss has up to 30"),
        (report(row(1)), f"The report has 1 players: a Swiss has 2 to {Dutch.max_players}"),
        (report("192 FIDE_TEAM_BAKU", *SIX), "This is an event of teams"),
        (report("310   1 Team", *SIX), "This is an event of teams"),
    ):
        with pytest.raises(ReportError, match=f"^{found}"):
            round_to_pair(read, 2026)
    assert round_to_pair(report("XXR 30", *SIX), 2026).settings["rounds"] == 30


# --- as it is run ---------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_pairs_are_lines_on_stdout_and_the_rest_on_stderr() -> None:
    command = [sys.executable, str(ROOT / "manage.py"), "pair", str(SWISSES / "bbp_dutch_2025_C5.trf")]
    done = subprocess.run(command, env={}, capture_output=True, text=True, check=False, cwd="/")
    assert (done.returncode, done.stdout) == (0, "3\n1 5\n3 2\n6 0\n")
    assert done.stderr == "Round 3 as the last round by the FIDE (Dutch) System, 2026; initial colour: white.\n"


def test_the_edition_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for edition in ("2025", "2026"):
        call_command("pair", str(SWISSES / "bbp_dutch_2025_C5.trf"), "--edition", edition)
        out, err = capsys.readouterr()
        assert f"FIDE (Dutch) System, {edition}" in err
        answers.append(out)
    assert answers[0] != answers[1]


def test_the_pairs_go_to_a_file_and_never_over_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "round.txt"
    call_command("pair", str(SWISSES / "bbp_dutch_2025_C5.trf"), "--out", str(out))
    assert (out.read_text(), capsys.readouterr().out) == ("3\n1 5\n3 2\n6 0\n", "")
    out.write_bytes(text(*SIX))
    with pytest.raises(CommandError, match="is read by this command") as refusal:
        call_command("pair", str(out), "--out", str(out))
    assert (refusal.value.returncode, out.read_bytes()) == (2, text(*SIX))


def test_refusals_have_a_status_and_name_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "event.trf"
    for data, status, found in (
        (text("001 x"), 2, "event.trf: line 1"),
        (text("XXZ 9", *SIX), 2, "event.trf: line 1, column 5: “XXZ 9” cannot be used"),
        (text("XXR 1", *SIX), 1, "All 1 rounds are paired."),
        (text("XXZ 1 2 3 4 5", *SIX), 1, "two players"),
        ((FOLDER / "py4swiss_no_legal_pairings.trf").read_bytes(), 1, "The round cannot be paired"),
    ):
        path.write_bytes(data)
        with pytest.raises(CommandError) as refusal:
            call_command("pair", str(path))
        assert (refusal.value.returncode, capsys.readouterr().out) == (status, "")
        assert found in str(refusal.value)
    path.write_bytes(text(*SIX[:-1], row(6, FIRST[5], points="3.0")))
    call_command("pair", str(path))
    odd = "3.0 points, and the rounds of 6 give 0.0: these count"
    assert odd in capsys.readouterr().err, "what is odd about the report is told"
