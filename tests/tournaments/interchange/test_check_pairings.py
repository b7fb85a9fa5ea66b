"""Every round against the Berger tables or the FIDE (Dutch) System, from a report; no database."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tests.tournaments.interchange.trf_files import FOLDER, players_from, real, report, row, text
from tournaments.interchange.checking import (
    MOST_PLAYERS,
    NotCheckedError,
    RoundDifference,
    check_round_robin,
    check_swiss,
    is_round_robin,
)
from tournaments.interchange.standings_of_report import report_of_simulation
from tournaments.interchange.trf import LARGEST, Record, Report, ReportPlayer, read_report, write_report
from tournaments.management.plain_command import read_file
from tournaments.pairing.base import SWISS_EDITIONS
from tournaments.pairing.dutch.system import Dutch
from tournaments.pairing.round_robin import cycles
from tournaments.pairing.simulation import Plan, simulate

ROOT = FOLDER.parent.parent.parent
CHAMPIONSHIP = "hb2025_junior_club_champ_rr8.trf"
Games = list[tuple[int, int, str, str]]
CODES = [("1", "0"), ("=", "="), ("0", "1"), ("+", "-"), ("-", "-"), ("*", "*")]


def tables(count: int, **how: bool) -> list[Games]:
    """All rounds of a round robin, everything drawn; the free one has nobody."""
    rounds = cycles(count + count % 2, **how)
    return [[(white, black, "=", "=") for white, black in boards if max(white, black) <= count] for boards in rounds]


def made(count: int, played: Sequence[Games], **head: object) -> Report:
    return Report(players=players_from(played, count), **head)  # type: ignore[arg-type]


# --- real events ----------------------------------------------------------------------------------------------------
def test_club_round_robins_are_those_of_the_tables_and_exchanged_rounds_are_named() -> None:
    check = check_round_robin(real(CHAMPIONSHIP))
    assert [str(difference) for difference in check.differences] == [
        "round 4: expected 1-4 2-3 7-5 8-6, found 1-6 2-5 3-4 8-7 (round 6 of the tables)",
        "round 6: expected 1-6 2-5 3-4 8-7, found 1-4 2-3 7-5 8-6 (round 4 of the tables)",
    ]
    for name in ("hb2025_western_major_rr6.trf", "hb2026_western_minor_rr6.trf"):
        check = check_round_robin(real(name))
        assert (check.rounds, check.settings, check.differences) == (5, {}, ()), name
    check = check_round_robin(real("tec_round_robin.trf"))
    assert RoundDifference(4, ((6, 5),), ((5, 6),)) in check.differences


def test_a_swiss_is_no_round_robin() -> None:
    for name in ("hb2025_koshnitsky.trf", "lichess_swiss_2020_06.trf", "py4swiss_no_legal_pairings.trf"):
        assert not is_round_robin(real(name)), name
        with pytest.raises(NotCheckedError, match="This is no round robin"):
            check_round_robin(real(name))


@pytest.mark.real_data
def test_the_round_robins_at_hand(real_data: Path) -> None:
    differing = {}
    for path in sorted((real_data / "rr").glob("hb*.trf")):
        check = check_round_robin(read_report(path.read_bytes()))
        differing[path.stem] = [difference.round for difference in check.differences]
    assert differing.pop("hb2025_junior_club_champ_rr8") == [4, 6]
    assert len(differing) == 3
    assert not any(differing.values())


# --- formats --------------------------------------------------------------------------------------------------------
def test_a_single_one_is_recognised_by_its_type_or_by_who_met_whom() -> None:
    for kind in ("Individual: Round-Robin", "round robin", "FIDE_ROUNDROBIN", "", "Berger"):
        for count in (2, 4, 5, 8, 9):
            assert not check_round_robin(made(count, tables(count), kind=kind)).differences, (kind, count)


def test_a_double_one_with_or_without_the_swap_which_the_coded_type_asks_for() -> None:
    for swapped in ({}, {"swap_last_two": True}):
        check = check_round_robin(made(6, tables(6, double=True, **swapped)))
        assert (check.settings, check.differences) == ({"cycles": 2} | swapped, ())
    rounds = tables(6, double=True, swap_last_two=True)
    for code, differing in (("BERGER_DOUBLEROUNDROBIN", [4, 5]), ("FIDE_DOUBLEROUNDROBIN", []), ("", [])):
        records = (Record("192", f"192 {code}"),) if code else ()
        check = check_round_robin(made(6, rounds, records=records, kind="Double Round Robin"))
        assert [difference.round for difference in check.differences] == differing, code


def test_a_running_one_is_checked_as_far_as_it_is_and_what_is_none_refused() -> None:
    check = check_round_robin(made(8, tables(8)[:3], rounds=7, kind="Round-Robin"))
    assert (check.rounds, check.differences) == (3, ())
    assert check_round_robin(made(8, tables(8)[:3], rounds=7)).rounds == 3
    assert check_round_robin(made(8, tables(8, double=True)[:3], rounds=14)).settings == {"cycles": 2}
    with pytest.raises(NotCheckedError, match="4 players have 3 rounds in a round robin, or 6, and the report has 7"):
        check_round_robin(made(4, tables(4), kind="Round-Robin", rounds=7))
    with pytest.raises(NotCheckedError):
        check_round_robin(made(4, tables(4), kind="Team: Round-Robin"))


def test_more_players_than_any_round_robin_has_are_a_swiss_and_no_tables_are_made() -> None:
    found = "202 players are too many for a round robin: those of up to 200 players are checked"
    with pytest.raises(NotCheckedError, match=found):
        check_round_robin(made(MOST_PLAYERS + 2, tables(4), kind="Round-Robin"))
    assert check_round_robin(made(MOST_PLAYERS, tables(MOST_PLAYERS)[:3], kind="Round-Robin")).rounds == 3
    assert is_round_robin(made(MOST_PLAYERS, tables(MOST_PLAYERS)[:3], rounds=MOST_PLAYERS - 1))
    for rounds in (None, MOST_PLAYERS + 1):
        assert not is_round_robin(made(MOST_PLAYERS + 2, tables(4), rounds=rounds)), rounds


# --- what counts as a difference ------------------------------------------------------------------------------------
def test_forfeits_and_two_absent_are_no_difference_but_somebody_who_should_be_free_is() -> None:
    rounds = tables(6)
    rounds[2][1] = (*rounds[2][1][:2], "+", "-")
    assert not check_round_robin(made(6, rounds)).differences
    rounds = tables(6)
    for boards in rounds[2:]:
        boards[:] = [game for game in boards if 3 not in game[:2]]
    assert not check_round_robin(made(6, rounds, kind="Round-Robin")).differences
    rounds = tables(5)
    (white, black, *_codes), free = rounds[0][0], ({1, 2, 3, 4, 5} - {n for game in rounds[0] for n in game[:2]}).pop()
    rounds[0][0] = (white, free, "1", "0")
    check = check_round_robin(made(5, rounds, kind="Round-Robin"))
    assert check.differences == (RoundDifference(1, ((white, black),), ((white, free),)),)


@given(count=st.integers(3, 12), seed=st.integers(0, 999), double=st.booleans(), swapped=st.booleans())
def test_the_tables_never_differ_from_themselves(count: int, seed: int, double: bool, swapped: bool) -> None:
    rng = Random(seed)
    rounds = [
        [(white, black, *rng.choice(CODES)) for white, black, *_codes in boards]
        for boards in tables(count, double=double, swap_last_two=swapped and double)
    ]
    assert not check_round_robin(made(count, rounds)).differences


@given(count=st.integers(4, 12), data=st.data())
def test_one_pair_of_colours_exchanged_is_found_in_its_round(count: int, data: st.DataObject) -> None:
    rounds = tables(count)
    number = data.draw(st.integers(1, len(rounds)))
    board = data.draw(st.integers(0, len(rounds[number - 1]) - 1))
    white, black, mine, theirs = rounds[number - 1][board]
    rounds[number - 1][board] = (black, white, theirs, mine)
    check = check_round_robin(made(count, rounds, kind="Round-Robin"))
    assert check.differences == (RoundDifference(number, ((white, black),), ((black, white),)),)


def test_the_type_says_what_it_is() -> None:
    unchecked = "This is “{kind}” by its type: only round robins and Swisses"
    found = dict.fromkeys(["Individual: Keizer", "Knockout", "KNOCK-OUT", "FIDE_SCHEVENINGEN", "Ladder"], unchecked)
    other = ["Swiss Burstein", "FIDE_DUBOV_2025", "Swiss-System (Lim)", "Double-Swiss"]
    for kind, words in (found | dict.fromkeys(other, "another Swiss system by its type")).items():
        with pytest.raises(NotCheckedError) as refusal:
            is_round_robin(made(6, tables(6)[:2], rounds=2, kind=kind))
        assert words.format(kind=kind) in str(refusal.value)
    for kind in ("Swiss Dutch", "Individual: Swiss-System", "Tournament", "Evening of friends", ""):
        assert not is_round_robin(made(6, tables(6)[:2], rounds=2, kind=kind)), kind
    assert not is_round_robin(made(4, tables(4), kind="Individual: Swiss-System"))
    assert is_round_robin(made(4, tables(4)))


# --- Swisses --------------------------------------------------------------------------------------------------------
def test_boards_byes_and_colours_are_the_expected_ones_of_the_initial_colour() -> None:
    assert check_swiss(report(row(1, "2 w 1"), row(2, "1 b 0"), row(3, "- - U"))).differences == ()
    other = report(row(1, "3 w 1"), row(2, "- - U"), row(3, "1 b 0"))
    assert str(check_swiss(other).differences[0]) == "round 1: expected 1-2 3-bye, found 1-3 2-bye"
    games = (row(1, "3 w 1"), row(2, "4 b 1"), row(3, "1 b 0"), row(4, "2 w 0"))
    assert check_swiss(report("XXC white1", *games)).differences == ()
    assert check_swiss(report("XXC black1", *games)).differences == (
        RoundDifference(1, ((3, 1), (2, 4)), ((1, 3), (4, 2))),
    )
    assert check_swiss(report(row(1, "3 w 1"), row(2, "4 - +"), row(3, "1 b 0"), row(4, "2 - -"))).differences == ()


def test_the_edition_the_rounds_to_come_and_one_that_cannot_be_paired() -> None:
    read = report("042 2025/12/01", row(1, "2 w 1"), row(2, "1 b 0"))
    assert [check_swiss(read, edition).edition for edition in (None, 2025, 2026)] == [2025, 2025, 2026]
    assert check_swiss(report("XXR 5", row(1, "2 w 1|- - H"), row(2, "1 b 0"), row(3, "- - U"))).rounds == 1
    read = report("XXR 3", row(1, "2 w 1|2 b 1"), row(2, "1 b 0|1 w 0"))
    (difference,) = check_swiss(read).differences
    assert (difference.round, difference.found) == (2, ((2, 1),))
    assert str(difference).startswith("round 2: expected none (The round cannot be paired")
    assert str(difference).endswith("found 2-1")


@examples(60)
@given(seed=st.integers(0, 500), edition=st.sampled_from(SWISS_EDITIONS))
def test_a_simulated_event_never_differs_and_a_changed_board_does(seed: int, edition: int) -> None:
    rng = Random(seed)
    chosen = {"rounds": 4, "first_colour": rng.choice(("white", "black"))}
    read = report_of_simulation(simulate(Plan(Dutch(), rng.randint(9, 16), chosen, edition=edition), rng), "Open")
    assert not check_swiss(read).differences
    altered = turned_around(read, rng.randint(1, 4))
    if altered != read:
        assert len(check_swiss(altered, edition).differences) >= 1


def turned_around(read: Report, number: int) -> Report:
    """The colours of that round's first board exchanged."""
    cells = {player.number: player.cells[number - 1] for player in read.players}
    white = next((one for one, cell in cells.items() if cell.colour == "w" and cell.code in "10="), 0)
    swap = {white: "b", cells[white].opponent: "w"} if white else {}
    return replace(read, players=tuple(_recoloured(player, number, swap) for player in read.players))


def _recoloured(player: ReportPlayer, number: int, swap: dict[int, str]) -> ReportPlayer:
    if player.number not in swap:
        return player
    cells = list(player.cells)
    cells[number - 1] = replace(cells[number - 1], colour=swap[player.number])
    return replace(player, cells=tuple(cells))


# --- as it is run ---------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_the_program_needs_no_database_and_no_environment() -> None:
    """Differing rounds are lines, and the status is one."""
    command = [sys.executable, str(ROOT / "manage.py"), "check_pairings", str(FOLDER / CHAMPIONSHIP)]
    done = subprocess.run(command, env={}, capture_output=True, text=True, check=False, cwd="/")
    assert (done.returncode, [line.split(":")[0] for line in done.stdout.splitlines()]) == (1, ["round 4", "round 6"])
    assert "Paired otherwise: 2 of 7 rounds. Compared with the Berger tables." in done.stderr


RAN = {
    "hb2026_western_minor_rr6.trf": (0, "", "All 5 rounds are those of the Berger tables (6 players, round robin)."),
    "hb2026_western_swiss_open.trf": (0, "", "All 5 rounds are those of the FIDE (Dutch) System, 2026 (13 players)."),
    "hb2025_koshnitsky.trf": (
        1, "round 2, round 3", "Paired otherwise: 2 of 7 rounds. Compared with the FIDE (Dutch) System, 2025.",
    ),
    "trf26_team_small.trf": (2, "", "line 45, column 14: 240 says “7”: expected teams’ numbers of 1 to 2"),
    "py4swiss_bad_missing_result.trf": (2, "", "line 2, column 132: round 5: 2 met 3"),
    "nowhere.trf": (2, "", "cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("name", RAN)
def test_the_status_is_0_where_all_is_right_1_where_rounds_differ_and_2_where_it_cannot_be_checked(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, rounds, known = RAN[name]
    try:
        call_command("check_pairings", str(FOLDER / name))
    except CommandError as refusal:
        found, words = refusal.returncode, str(refusal)
    else:
        found, words = 0, ""
    printed = capsys.readouterr()
    assert (found, ", ".join(line.split(":")[0] for line in printed.out.splitlines())) == (status, rounds)
    if status:
        assert known in words
    else:
        assert printed.err == f"{known}\n"


def test_a_double_one_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "double.trf"
    path.write_bytes(write_report(made(4, tables(4, double=True, swap_last_two=True)), 16))
    call_command("check_pairings", str(path))
    assert "double round robin, last two rounds of the first cycle swapped" in capsys.readouterr().err


def test_a_problem_or_a_line_that_cannot_be_read_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.trf"
    path.write_bytes(b"")
    with pytest.raises(CommandError, match=r"empty\.trf: There is no player"):
        call_command("check_pairings", str(path))
    path = tmp_path / "open.trf"
    path.write_bytes(text("092 Swiss", "XXA 1 many", row(1, "2 w 1"), row(2, "1 b 0")))
    with pytest.raises(CommandError, match=r"open\.trf: line 2, column 5: “XXA 1 many” cannot be used") as refusal:
        call_command("check_pairings", str(path))
    assert refusal.value.returncode == 2


def test_a_file_larger_than_any_report_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.trf"
    path.write_bytes(b"x" * (LARGEST + 1))
    with pytest.raises(CommandError, match=r"large\.trf: The file is larger than 5 MB") as refusal:
        call_command("check_pairings", str(path))
    assert refusal.value.returncode == 2
    assert len(read_file(Path("/dev/zero"), 10)) == 11
    path.write_bytes((b"x" * 1023 + b"\n") * (LARGEST // 1024))
    with pytest.raises(CommandError, match="There is no player"):
        call_command("check_pairings", str(path))


def test_twenty_bad_places_or_oddities_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.trf"
    path.write_bytes(text(*(row(number, "0099 w 1") for number in range(1, 24))))
    with pytest.raises(CommandError) as refusal:
        call_command("check_pairings", str(path))
    lines = str(refusal.value).splitlines()
    assert (len(lines), lines[0].split(",")[0], lines[-1]) == (21, "bad.trf: line 1", "and 3 more")
    path = tmp_path / "odd.trf"
    path.write_bytes(text(*(f"remark {number}" for number in range(25))) + write_report(made(4, tables(4)), 16))
    call_command("check_pairings", str(path))
    found = capsys.readouterr().err.splitlines()
    assert (found[0].split(":")[0], found[19].split(",")[0], found[20]) == ("line 1, column 1", "line 20", "and 5 more")
