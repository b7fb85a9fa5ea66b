"""Rounds of teams from a report: what a team Swiss is paired from, and matches against the rules; no database."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from tests import ROOT
from tests.choosing import examples
from tests.tournaments.interchange.trf_files import report, row
from tournaments.interchange.checking import NotCheckedError
from tournaments.interchange.team_checking import check_teams
from tournaments.interchange.team_pairing_of_report import team_round_to_pair, without_teams
from tournaments.interchange.trf import Report, ReportError, read_report
from tournaments.pairing.base import PairingError
from tournaments.pairing.round_robin import cycles
from tournaments.pairing.team_swiss.field import TeamField
from tournaments.pairing.team_swiss.pairing import pair_teams

TEAMS = ROOT / "tests" / "data" / "teams"
CASES = sorted(path.name.removesuffix(".expected_pairings.txt") for path in TEAMS.glob("*.expected_pairings.txt"))


@pytest.mark.parametrize("case", CASES)
def test_a_worked_round_is_paired_as_it_was_by_hand(case: str, tmp_path: Path) -> None:
    out = tmp_path / "pairs"
    call_command("pair", str(TEAMS / f"{case}.trf"), "--out", str(out))
    assert out.read_text() == (TEAMS / f"{case}.expected_pairings.txt").read_text()


def event(rounds: list[list[tuple[int, int]]], count: int, *lines: str) -> Report:
    """Teams of one player, who have the same numbers; White always wins."""
    cells: dict[int, list[str]] = {team: [] for team in range(1, count + 1)}
    for pairs in rounds:
        seats = {white: f"{black} w 1" for white, black in pairs} | {black: f"{white} b 0" for white, black in pairs}
        for team, own in cells.items():
            own.append(seats.get(team, "- - Z"))
    teams = (f"310 {team:>3} Team {team:<59}{team:>5}" for team in cells)
    return report(*lines, *(row(team, "|".join(own)) for team, own in cells.items()), *teams)


def field(*lines: str, rounds: int = 1) -> TeamField:
    pairs = [[(1, 4), (5, 2), (3, 6)], [(1, 5), (2, 4), (6, 3)]]
    return team_round_to_pair(event(pairs[:rounds], 6, "142 5", *lines))


# --- what is read -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("code", "preferences", "primary", "secondary", "acceleration"),
    [
        ("", "A", "MP", True, "none"),
        ("FIDE_TEAM", "A", "MP", True, "none"),
        ("FIDE_TEAM_BAKU", "A", "MP", True, "baku"),
        ("FIDE_TEAM_TYPEB_GP_MP", "B", "GP", True, "none"),
        ("FIDE_TEAM_TYPEA_GP_BAKU", "A", "GP", False, "baku"),
        ("FIDE_TEAM_MP_GP", "none", "MP", True, "none"),
        ("FIDE_TEAM_MP", "none", "MP", False, "none"),
    ],
)
def test_the_type_says_the_scores_and_the_preferences(
    code: str, preferences: str, primary: str, secondary: bool, acceleration: str
) -> None:
    read = field(*([f"192 {code}"] if code else []))
    found = read.preferences, read.scoring.primary, read.secondary, read.acceleration
    assert found == (preferences, primary, secondary, acceleration)


def test_who_is_away_apart_or_accelerated() -> None:
    read = field("240 H   2    3", "260   1   3    1    5", "260   3   3    1    2", "250  2.0  1.0   1   3    1    2")
    assert sorted(read.present) == [1, 2, 4, 5, 6]
    assert read.prohibited == {frozenset({1, 5})}
    assert read.accelerated == {1: (4, 4, 4), 2: (4, 4, 4)}
    by_games = field("192 FIDE_TEAM_GP", *(f"250  2.0  1.5   {rounds}    1    2" for rounds in ("1   3", "4   4")))
    assert by_games.accelerated[1] == (by_games.scoring.points.unit * 3 // 2,) * 4
    punished = field(*(f"299    -1.0  -1.0    {number}    1" for number in (1, 2, 3)), rounds=2)
    assert [penalty.round for penalty in punished.penalties] == [1, 2], "of the rounds before"
    assert (read.round, read.rounds) == (2, 5)
    away = event([[(1, 2)]], 4)
    later = replace(
        away, players=tuple(replace(one, cells=(*one.cells, away.players[2].cells[0])) for one in away.players)
    )
    with pytest.raises(PairingError, match="No team is to be paired in round 2"):
        team_round_to_pair(later)


def test_the_initial_colour_is_said_or_seen_in_round_1() -> None:
    assert field("152 B").first_white is False
    assert field().first_white is True
    assert team_round_to_pair(event([[(4, 1), (2, 5), (6, 3)]], 6)).first_white is False


def test_a_report_of_more_rounds_or_teams_than_a_swiss_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ReportError, match="of 31 rounds: a team Swiss has up to 30"):
        team_round_to_pair(event([[(1, 2)]], 4, "142 31"))
    assert team_round_to_pair(event([[(1, 2)]], 4, "142 30")).rounds == 30
    monkeypatch.setattr("tournaments.interchange.team_pairing_of_report.MOST_TEAMS", 4)
    assert len(team_round_to_pair(event([[(1, 2)]], 4, "142 5")).teams) == 4
    monkeypatch.setattr("tournaments.interchange.team_pairing_of_report.MOST_TEAMS", 3)
    with pytest.raises(ReportError, match="has 4 teams: a team Swiss has up to 3"):
        team_round_to_pair(event([[(1, 2)]], 4, "142 5"))


def test_after_the_last_round_there_is_none() -> None:
    with pytest.raises(PairingError, match="All 5 rounds are paired"):
        team_round_to_pair(event([[(1, 2)], [(1, 3)], [(1, 4)], [(2, 3)], [(2, 4)]], 4, "142 5"))


@examples(300)
@given(
    tag=st.sampled_from(("310", "013", "300", "320", "330", "240", "250", "260", "299", "352", "362", "192", "142")),
    line=st.lists(
        st.sampled_from(("  1", "  2", "  6", "  9", "  0", "F", "+-", "1.0", "TW", "99.5", "FIDE_TEAM", " ")),
        max_size=8,
    ),
)
def test_whatever_stands_in_those_lines_pairs_or_is_refused_in_words(tag: str, line: list[str]) -> None:
    with suppress(ReportError, PairingError):
        pairs = pair_teams(field(f"{tag} {' '.join(line)}"))
        seats = [team for pair in pairs for team in (pair.white, pair.black) if team]
        assert len(seats) == len(set(seats))
    with suppress(ReportError, NotCheckedError):
        assert check_teams(event([[(1, 4), (5, 2), (3, 6)]], 6, f"{tag} {' '.join(line)}")).rounds == 1


# --- matches against the rules ------------------------------------------------------------------------------------
def swiss(count: int, rounds: int) -> list[list[tuple[int, int]]]:
    made: list[list[tuple[int, int]]] = []
    for _round in range(rounds):
        pairs = pair_teams(team_round_to_pair(event(made, count, f"142 {rounds}", "152 W", "192 FIDE_TEAM")))
        made.append([(pair.white, pair.black or 0) for pair in pairs])
    return made


def test_a_swiss_is_checked_round_by_round() -> None:
    rounds = swiss(8, 4)
    good = check_teams(event(rounds, 8, "142 4", "192 FIDE_TEAM"))
    assert (good.rounds, good.differences) == (4, ())
    (white, black), *others = rounds[1]
    rounds[1] = [(black, white), *others]
    first, *_later = check_teams(event(rounds, 8, "142 4", "152 W", "192 FIDE_TEAM")).differences
    assert str(first) == f"round 2: expected {white}-{black}, found {black}-{white}"
    odd = swiss(5, 2)
    free = "320  1.0  1.0 " + " ".join(f"{white:>3}" for pairs in odd for white, black in pairs if not black)
    met = [[pair for pair in pairs if pair[1]] for pairs in odd]
    assert check_teams(event(met, 5, "142 3", "152 W", "192 FIDE_TEAM", free)).differences == ()
    assert team_round_to_pair(event(met[:1], 5, "142 3", "192 FIDE_TEAM", free)).first_white is True
    apart = ("260   1   3    1    2", "260   1   3    1    3")
    (never,) = check_teams(event([[(1, 2)]], 3, "142 3", "192 FIDE_TEAM", *apart)).differences
    assert str(never).startswith("round 1:")
    assert never.reason


@pytest.mark.parametrize(("count", "double", "turned"), [(6, False, False), (5, False, True), (4, True, True)])
def test_a_round_robin_may_have_the_home_team_on_either_colour(count: int, double: bool, turned: bool) -> None:
    tables = [
        [board[::-1] if turned else board for board in boards if max(board) <= count]
        for boards in cycles(count + count % 2, double=double)
    ]
    assert check_teams(event(tables, count)).differences == ()
    assert check_teams(event(tables[:2], count)).differences == (), "as far as it is"
    tables[1][0] = tables[1][0][::-1]
    white, black = tables[1][0]
    (found,) = check_teams(event(tables, count, "092 Round-Robin")).differences
    assert str(found) == f"round 2: expected {black}-{white}, found {white}-{black}"


def test_what_is_neither_is_refused() -> None:
    with pytest.raises(NotCheckedError, match="Knockout"):
        check_teams(event([[(1, 2)]], 4, "092 Team Knockout"))
    with pytest.raises(NotCheckedError, match="2 teams have 1 rounds in a round robin"):
        check_teams(event([[(1, 2)]] * 3, 2, "092 Round-Robin"))


# --- as it is run -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("interclub_rr6_gp.trf", "All 5 rounds are those of the Berger tables (6 teams, round robin)."),
        ("two_team_match.trf", "All 2 rounds are those of the Berger tables (2 teams, double round robin)."),
    ],
)
def test_real_matches_are_those_of_the_rules(name: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("check_pairings", str(TEAMS / name))
    assert said in capsys.readouterr().err


def test_a_round_that_differs_is_a_line_and_the_status_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError, match="Compared with the FIDE Swiss Team Pairing System, 2026") as refusal:
        call_command("check_pairings", str(TEAMS / "round2.trf"))
    assert refusal.value.returncode == 1
    assert capsys.readouterr().out == "round 1: expected 1-3 4-2, found 1-2 3-4\n"


def test_players_are_paired_where_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("pair", str(TEAMS / "round2.trf"), "--individual")
    assert capsys.readouterr().out.startswith("4\n")
    alone = without_teams(read_report(b"092 Team Swiss\n162 W 3.0\n" + (TEAMS / "round2.trf").read_bytes()))
    assert (alone.coded_kind, alone.kind, [record.tag for record in alone.records]) == ("", "", ["162"])
    with pytest.raises(CommandError) as refusal:
        call_command("pair", str(TEAMS / "two_team_match.trf"))
    assert refusal.value.returncode == 1
