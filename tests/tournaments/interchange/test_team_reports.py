"""Reports of teams are read as they are found: real events, every record, every quirk."""

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from tests.tournaments.interchange.team_files import TEAMS, team, team_file
from tests.tournaments.interchange.trf_files import report, row
from tournaments.interchange.team_event_of_report import (
    is_team_report,
    team_event_of,
    team_notes,
    team_records,
    teams_of,
)
from tournaments.interchange.team_matches_of_report import TeamMatch, matches_of
from tournaments.interchange.trf import Report, read_report
from tournaments.interchange.trf.team_records import ByeAsked, TeamAcceleration, TeamOfReport, TeamsApart
from tournaments.standings.team_event import TeamBye, TeamEvent, TeamPenalty, team_scores


def totals(event: TeamEvent) -> dict[int, tuple[Fraction, Fraction]]:
    """Match points and game points of every team, as they are shown."""
    unit = event.scoring.points.unit
    scores = team_scores(event)
    return {team: (Fraction(one.match_points, 2), Fraction(one.game_points, unit)) for team, one in scores.items()}


def matches(read: Report) -> tuple[TeamMatch, ...]:
    return matches_of(read, team_records(read))


def seats(match: TeamMatch) -> list[tuple[int, int]]:
    return [(one.player, other.player) for one, other in match.boards]


# --- real events ------------------------------------------------------------------------------------------------------
def test_a_club_day_where_game_points_decide() -> None:
    read = team_file("interclub_rr6_gp.trf")
    event = team_event_of(read, primary="GP")
    half = Fraction(1, 2)
    assert totals(event) == {
        1: (8, 23), 2: (6, 14 + half), 3: (10, 21 + half), 4: (0, 8 + half), 5: (2, 10), 6: (4, 12 + half),
    }  # fmt: skip
    assert (event.scoring.primary, event.scoring.boards, event.rounds, event.swiss) == ("GP", 6, 5, False)
    assert (len(event.meetings), event.byes, list(team_notes(read, event))) == (15, (), [])


def test_a_double_default_leaves_two_to_nothing_on_two_boards() -> None:
    event = team_event_of(team_file("two_team_match.trf"))
    first, second = event.meetings
    assert (first.first, first.game_points, first.played) == (1, (0, 4), True)
    assert [(board.played, board.decided) for board in first.boards] == [(False, True), (True, True), (True, True)]
    assert (second.first, second.game_points) == (2, (1, 5)), "the other team has White on board 1 the second time"
    assert set(totals(event).values()) == {(Fraction(2), Fraction(5, 2))}


def test_fides_exercise_has_the_points_of_its_records_byes_and_the_match_by_default() -> None:
    read = team_file("tec_teams14.trf")
    event = team_event_of(read)
    said = {team.number: (Fraction(team.match_points), Fraction(team.game_points)) for team in teams_of(read)}
    assert totals(event) == said
    assert list(team_notes(read, event)) == []
    assert (event.swiss, event.edition, event.scoring.boards, event.rounds) == (True, 2023, 4, 7)
    assert event.byes == (
        TeamBye(5, 12, "pab", 2, 4), TeamBye(5, 14, "half", 2, 4),
        TeamBye(7, 7, "zero", 0, 0), TeamBye(7, 14, "pab", 2, 4),
    )  # fmt: skip
    (default,) = [one for one in event.meetings if not one.played]
    assert (default.round, default.first, default.second, default.game_points) == (6, 1, 6, (8, 0))


def test_an_allocated_bye_without_a_worth_brings_a_draw_and_the_points_of_its_boards() -> None:
    read = read_report((TEAMS.parent / "team_reports" / "team_swiss_nine.trf").read_bytes())
    event = team_event_of(read)
    said = {one.number: (Fraction(one.match_points), Fraction(one.game_points)) for one in teams_of(read)}
    assert (totals(event), len(event.byes)) == (said, 7)


@pytest.mark.real_data
def test_matches_and_boards_are_those_of_the_tables_they_were_made_from(real_data: Path) -> None:
    for name in ("interclub_rr6_gp", "two_team_match"):
        read = team_file(f"{name}.trf")
        event = team_event_of(read)
        found = {
            (one.round, team, opponent): Fraction(one.game_points[side], 2)
            for one in event.meetings
            for side, (team, opponent) in enumerate([(one.first, one.second), (one.second, one.first)])
        }
        for line in rows(real_data / "teams" / f"{name}.matches.csv"):
            number, one, other = (int(line[key]) for key in ("round", "team_1", "team_2"))
            assert found[number, one, other] == Fraction(line["game_points_1"])
            assert found[number, other, one] == Fraction(line["game_points_2"])
        games = {
            (one.round, at, *sorted(board)) for one in matches(read) for at, board in enumerate(seats(one), start=1)
        }
        played = [
            [int(line[key]) for key in ("round", "board", "white", "black")] for line in games_of(real_data, name)
        ]
        assert games == {(number, board, *sorted(both)) for number, board, *both in played}


def games_of(folder: Path, name: str) -> list[dict[str, str]]:
    return rows(folder / "teams" / f"{name}.games.csv")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


# --- records ----------------------------------------------------------------------------------------------------------
PLAYERS = (row(1, "4 w 1"), row(2, "5 b ="), row(3), row(4, "1 b 0"), row(5, "2 w ="), row(6))
REDS = team(1, "Reds", 1, 2, 3, points=("2.0", "1.5"), nickname="RED", strength="2486", rank="1")
BLUES = team(2, "Blues", 4, 5, 6, nickname="BLU", rank="2")
TWO = (*PLAYERS, REDS, BLUES)


def test_every_column_of_a_team_is_read() -> None:
    reds, blues = teams_of(report(*TWO))
    assert reds == TeamOfReport(1, "Reds", "RED", "2486", "2.0", "1.5", 1, (1, 2, 3))
    assert blues == TeamOfReport(2, "Blues", "BLU", rank=2, players=(4, 5, 6)), "points that are not known are blank"
    assert is_team_report(report(*TWO))
    assert not is_team_report(report(*PLAYERS, "013", "082 2"))


def test_without_line_ups_whoever_sat_alone_has_a_board_by_the_order_of_the_list() -> None:
    alone = (row(1, "4 w 1"), row(2, "6 b ="), row(3), row(4, "1 b 0"), row(5, "- - +"), row(6, "2 w ="))
    (match,) = matches(report(*alone, team(1, "Reds", 1, 2, 3), team(2, "Blues", 4, 5, 6)))
    assert seats(match) == [(1, 4), (0, 5), (2, 6)]


def test_teams_are_read_in_any_manner() -> None:
    long = REDS.replace("RED  ", "REDSTARS")
    for line, nickname in (
        (REDS.replace("310   1", "310 001"), "RED"),
        (long, "REDSTARS"),
        (REDS + " 0000    0", "RED"),
    ):
        reds = teams_of(report(*PLAYERS, line, BLUES))[0]
        assert (reds.number, reds.nickname, reds.strength, reds.match_points) == (1, nickname, "2486", "2.0"), line
        assert reds.players == (1, 2, 3)
    by_bytes = REDS.replace("Reds" + " " * 6, "Zürich Ä")
    found = teams_of(report(*PLAYERS, by_bytes, BLUES))[0]
    assert (found.name, found.nickname, found.players) == ("Zürich Ä", "RED", (1, 2, 3)), "laid out in bytes"
    assert [team.name for team in teams_of(report(*PLAYERS, BLUES, REDS))] == ["Reds", "Blues"], "in any order"


def test_teams_of_the_old_record_are_numbered_in_their_order_and_may_have_one_name() -> None:
    for first in (37, 38):
        lines = [f"{'013 Reds':<{first - 1}}{1:>4} {2:>4} {3:>4}", f"{'013 Reds':<{first - 1}}{4:>4} {5:>4}"]
        read = report(*PLAYERS, *lines)
        assert [(team.number, team.name, team.players) for team in teams_of(read)] == [
            (1, "Reds", (1, 2, 3)),
            (2, "Reds", (4, 5)),
        ], first
        assert totals(team_event_of(read)) == {1: (2, Fraction(3, 2)), 2: (0, Fraction(1, 2))}
    for alone, kinds in (((7,), ["pab"]), ((7, 8), ["full", "full"])):
        rest = [row(number, "- - F" if number in alone else "") for number in (7, 8)]
        old = [f"{'013 ' + name:<36}{number:>4}" for name, number in (("Greens", 7), ("Blacks", 8))]
        byes = team_event_of(report(*PLAYERS, *rest, *lines, *old)).byes
        assert [bye.kind for bye in byes][: len(kinds)] == kinds, "the only full point of a round is allocated"
    for letters in (32, 33):
        long = "A name of as many letters as go".ljust(letters, "!")
        found = teams_of(report(*PLAYERS, f"013 {long}   1    2    3"))[0]
        assert (found.name, found.players) == (long, (1, 2, 3))
    assert teams_of(report(*TWO, "013 Greens"))[0].name == "Reds", "310 counts where both stand"


def test_the_type_says_what_decides_and_whether_it_is_a_swiss() -> None:
    for code, primary, swiss in (
        ("FIDE_TEAM", "MP", True), ("FIDE_TEAM_TYPEA_GP_MP", "GP", True), ("FIDE_TEAM_TYPEB_MP_GP_BAKU", "MP", True),
        ("FIDE_TEAM_GP", "GP", True), ("FIDE_TEAM_MP", "MP", True), ("FIDE_TEAM_ROUNDROBIN", "MP", False),
    ):  # fmt: skip
        event = team_event_of(report(f"192 {code}", *TWO))
        assert (event.scoring.primary, event.swiss) == (primary, swiss), code
    assert not team_event_of(report(*TWO)).swiss, "everybody met everybody"
    given = team_event_of(report("192 FIDE_TEAM", "042 2024/01/05", *TWO), primary="GP", edition=2026, swiss=False)
    assert (given.scoring.primary, given.edition, given.swiss) == ("GP", 2026, False)


def test_points_of_games_matches_and_byes_are_those_of_the_report() -> None:
    event = team_event_of(report("162 W 3.0 D 1.0 L 0.0", "362 TW 1.0   TD 0.5   TL 0.0", *TWO))
    assert totals(event) == {1: (1, 4), 2: (0, 1)}
    third = (row(7), team(3, "Greens", 7))
    read = report(*TWO, *third, "320  2.0  4.0   3")
    event = team_event_of(read)
    assert event.byes == (TeamBye(1, 3, "pab", 4, 8),)
    assert team_event_of(report("162 P 5.0", *TWO, *third, "320  2.0  5.0 003")).byes[0].game_points == 10
    event = team_event_of(report(*TWO, row(7, "- - U"), third[1]))
    assert event.byes == (TeamBye(1, 3, "pab", 2, 2),), "without 320 a draw, and the points of the rows"
    assert [bye.kind for bye in team_event_of(report(*TWO, row(7, "- - H"), third[1])).byes] == ["half"]
    event = team_event_of(report(*TWO, row(7, "- - U"), third[1], "320  2.0  4.0   3"))
    assert event.byes == (TeamBye(1, 3, "pab", 4, 8),), "320 counts, not the rows"
    event = team_event_of(report(*TWO, row(7, "- - U"), third[1], "240 Z   1    3"))
    assert event.byes == (TeamBye(1, 3, "zero", 0, 0),), "the rows bring points for an allocated bye only"


def test_penalties_are_counted_and_what_a_result_brings_is_ruled() -> None:
    read = report(*TWO, "299    -1.0  -0.5         2")
    event = team_event_of(read)
    assert event.penalties == (TeamPenalty(2, 0, -2, -1),)
    assert totals(event)[2] == (-1, 0)
    event = team_event_of(report(*TWO, "299 W   3.0   2.0    1    1"))
    assert event.meetings[0].ruled == (6, 0)
    assert totals(event)[1] == (3, 2), "game points are those of the record"
    assert team_event_of(report(*TWO, "299 D   3.0   2.0         1")).meetings[0].ruled is None, "he has drawn none"
    event = team_event_of(report(*TWO, "299 L   1.0"))
    assert totals(event) == {1: (2, Fraction(3, 2)), 2: (1, Fraction(1, 2))}, "whoever loses has a point"


# --- boards -----------------------------------------------------------------------------------------------------------
def test_the_first_team_is_the_one_with_white_on_board_one() -> None:
    assert [match.first for match in matches(report(*TWO))] == [1]
    turned = (row(1, "4 b 1"), row(2, "5 w ="), row(3), row(4, "1 w 0"), row(5, "2 b ="), row(6), REDS, BLUES)
    assert [match.first for match in matches(report(*turned))] == [2]
    default = (row(1, "4 - +"), row(2, "5 b ="), row(3), row(4, "1 - -"), row(5, "2 w ="), row(6), REDS, BLUES)
    assert [match.first for match in matches(report("352 WB", *default))] == [1], "Black on board 2"
    assert [match.first for match in matches(report("352 WW", *default))] == [2], "White on all boards"


def test_a_line_up_says_who_sat_where_and_an_empty_board_is_lost() -> None:
    read = report(*TWO, "300   1   1   2    2    1", "300   1   2   1    5    4")
    assert seats(matches(read)[0]) == [(5, 2), (4, 1)]
    alone = (row(1, "- - +"), row(2, "5 b ="), row(3), row(4), row(5, "2 w ="), row(6), REDS, BLUES)
    for lines in (("300   1   2   1 0000    5",), ("300   1   1   2    1    2",), ()):
        (match,) = matches(report(*alone, *lines))
        assert (match.first, seats(match)) == (1, [(1, 0), (2, 5)]), lines
        event = team_event_of(report(*alone, *lines))
        assert [(board.first, board.played) for board in event.meetings[0].boards] == [(2, False), (1, True)]
    event = team_event_of(report("352 WBWB", *TWO))
    assert [board.played for board in event.meetings[0].boards] == [True, True, False, False], "the others stayed empty"


def test_a_match_by_default_is_found_by_its_record_alone() -> None:
    nobody = (*(row(number, "- - -") for number in range(1, 7)), REDS, BLUES)
    for tag, kind, points in (("330", "-+", (0, 4)), ("340", "+-", (4, 0)), ("330", "--", (0, 0))):
        event = team_event_of(report("352 WB", *nobody, f"{tag} {kind} 001 002 001"))
        (meeting,) = event.meetings
        assert (meeting.first, meeting.second, meeting.game_points, meeting.played) == (2, 1, points, False)
        assert event.scoring.match_points(meeting) == {(0, 4): (0, 4), (4, 0): (4, 0), (0, 0): (0, 0)}[points]


def test_a_game_that_is_not_over_leaves_the_match_open() -> None:
    (meeting,) = team_event_of(
        report(row(1, "4 w"), row(2, "5 b ="), row(3), row(4, "1 b"), row(5, "2 w ="), row(6), REDS, BLUES)
    ).meetings
    assert ([board.decided for board in meeting.boards], meeting.decided) == ([False, True], False)


# --- for the pairing --------------------------------------------------------------------------------------------------
def test_what_is_said_for_rounds_to_come_is_there_for_the_pairing_and_counts_nothing() -> None:
    read = report(
        *TWO, "240 H   2    1    2", "260   1   3    1    2", "250  2.0        1   3    1    2", "300   2   1   2    3"
    )
    records = team_records(read)
    assert records.byes == (ByeAsked(2, 1, "H"), ByeAsked(2, 2, "H"))
    assert records.apart == (TeamsApart(1, 3, (1, 2)),)
    assert records.accelerations == tuple(TeamAcceleration(team, 1, 3, Fraction(2), Fraction(0)) for team in (1, 2))
    event = team_event_of(read)
    assert (event.rounds, event.byes, len(event.meetings)) == (1, (), 1)


def test_an_allocated_bye_of_the_round_to_come_does_not_count_yet() -> None:
    third = (row(7), team(3, "Greens", 7))
    event = team_event_of(report(*TWO, *third, "320  1.0  1.0   3   2"))
    assert (event.rounds, event.byes) == (1, (TeamBye(1, 3, "pab", 2, 2),))
    event = team_event_of(report(*TWO, *third, "320  1.0  1.0   3   2", "240 Z   2    1    3"))
    assert (event.rounds, len(event.byes)) == (2, 4), "nobody is to be paired any more"


def test_points_that_do_not_add_up_are_a_note() -> None:
    read = report(*PLAYERS, REDS.replace("2.0    1.5", "3.0    9.5"), BLUES)
    notes = list(team_notes(read, team_event_of(read)))
    assert [(note.line, note.column) for note in notes] == [(7, 55), (7, 62)]
    assert str(notes[1]).endswith("9.5 game points, and the matches of team 1 give 1.5: these count")
