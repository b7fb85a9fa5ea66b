"""Events of teams are written as reports and read again as they were."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.choosing import examples
from tests.tournaments.interchange.team_files import TEAMS, AnyEvent, any_event, facts, team_file
from tournaments.interchange.report_of_team_event import ForPairing, report_of_team_event
from tournaments.interchange.team_event_of_report import team_event_of, team_records, teams_of
from tournaments.interchange.team_matches_of_report import Seat, TeamMatch, matches_of
from tournaments.interchange.trf import VERSIONS, Report, ReportError, ReportPlayer, read_report, write_report
from tournaments.interchange.trf.team_records import ByeAsked, TeamAcceleration, TeamOfReport, TeamsApart
from tournaments.standings.team_event import BoardPoints, TeamEvent, TeamMeeting, TeamPenalty, TeamScoring


@examples(300)
@given(written=any_event())
def test_any_event_of_teams_is_read_as_it_was_written(written: AnyEvent) -> None:
    for version in VERSIONS:
        report = read_report(write_report(written.report(version), version))
        assert facts(team_event_of(report)) == facts(written.event), version
        assert matches_of(report, team_records(report)) == written.matches
        found = teams_of(report)
        assert [(team.number, team.name, team.players) for team in found] == [
            (team.number, team.name, team.players) for team in written.teams
        ]


@pytest.mark.parametrize("name", ["interclub_rr6_gp.trf", "two_team_match.trf", "tec_teams14.trf"])
def test_a_file_of_another_program_is_written_again_to_the_letter_from_what_was_read(name: str) -> None:
    given = team_file(name)
    records = team_records(given)
    bare = replace(given, players=tuple(replace(one, cells=(), points="") for one in given.players))
    written = report_of_team_event(
        replace(bare, records=()),
        event=team_event_of(given),
        teams=records.teams,
        matches=matches_of(given, records),
        colours=records.colours,
        coded_kind=given.coded_kind,
    )
    theirs, ours = (TEAMS / name).read_bytes(), write_report(written)
    tags = ("001", "082", "192", "310", "320", "330", "300", "240", "352", "362")
    assert same(ours, tags) == same(theirs, tags)


def same(data: bytes, tags: tuple[str, ...]) -> list[str]:
    """The lines of these tags. A rank of 0 is none, and an absence may be blank."""
    lines = [re.sub("^(001.{82})   0", r"\1    ", line) for line in data.decode().splitlines()]
    return sorted(line.replace("0000 - Z", " " * 8).rstrip() for line in lines if line[:3] in tags)


@pytest.mark.real_data
def test_records_of_teams_pass_through_as_they_came(real_data: Path) -> None:
    paths = sorted((real_data / "teams").rglob("*.trf"))
    assert len(paths) == 12
    for path in paths:
        read = read_report(path.read_bytes())
        for version in VERSIONS:
            written = write_report(read, version)
            assert read_report(written) == read, path.name
            lines = written.decode().splitlines()
            records = [line for line in path.read_text().splitlines() if line[:3] in TEAMS_TAGS]
            assert [line for line in lines if line[:3] in TEAMS_TAGS] == records, path.name


TEAMS_TAGS = ("013", "192", "240", "250", "260", "299", "300", "310", "320", "330", "352", "362")


def written_cup(coming: ForPairing | None = None, **more: Any) -> list[str]:
    """Two teams, two boards: 1 beats 2 by 1½–½, in the second round 2 has no opponent and 1 is away."""
    scoring = TeamScoring(2)
    one = ((Seat(1, "w", "1"), Seat(4, "b", "0")), (Seat(2, "b", "="), Seat(5, "w", "=")))
    match = TeamMatch(1, 1, 2, one)
    boards = (BoardPoints(1, 2, 0), BoardPoints(2, 1, 1))
    event = TeamEvent(
        teams=(1, 2),
        scoring=scoring,
        meetings=(TeamMeeting(1, 1, 2, boards),),
        byes=(scoring.bye(2, 1, "half"), scoring.bye(2, 2, "pab")),
        rounds=2,
        swiss=True,
        **more,
    )
    head = Report(players=tuple(ReportPlayer(number, f"Player {number}") for number in range(1, 6)), rounds=2)
    teams = (TeamOfReport(1, "Reds", "RED", players=(1, 2, 3)), TeamOfReport(2, "Blues", "BLU", players=(4, 5)))
    report = report_of_team_event(head, event=event, teams=teams, matches=(match,), colours="WB", coming=coming)
    return write_report(report).decode().splitlines()


def test_records_stand_in_the_columns_of_trf26_and_for_eyes_there_are_801_and_802() -> None:
    lines = written_cup()
    assert lines[-11:] == [
        "192 FIDE_TEAM_TYPEA_MP_GP",
        "352 WB",
        "362 TW 2.0   TD 1.0   TL 0.0",
        "310   1 Reds                             RED             3.0    2.5         1    2    3",
        "310   2 Blues                            BLU             1.0    1.5         4    5",
        "320  1.0  1.0   0   2",
        "240 H   2    1",
        "801   1 RED      3.0    2.5    2 w 1= 12  HPB",
        "801   2 BLU      1.0    1.5    1 b 0= 12  PAB",
        "802   1 RED      3.0    2.5    2 w  1.5   HPB    1.0",
        "802   2 BLU      1.0    1.5    1 b  0.5   PAB    1.0",
    ]


def test_what_is_said_for_rounds_to_come_is_written_too() -> None:
    coming = ForPairing(
        byes=(ByeAsked(3, 1, "F"), ByeAsked(3, 2, "F")),
        apart=(TeamsApart(1, 9, (1, 2)),),
        accelerations=(TeamAcceleration(1, 1, 3, Fraction(2), Fraction(1, 2)),),
    )
    lines = written_cup(coming=coming)
    assert {"240 F   3    1    2", "260   1   9    1    2", "250  2.0  0.5   1   3    1    1"} <= set(lines)
    read = team_records(read_report("\n".join(lines).encode()))
    assert (read.byes[1:], read.apart, read.accelerations) == (coming.byes, coming.apart, coming.accelerations)


def test_points_that_four_columns_cannot_hold_are_refused() -> None:
    assert "299    -9.5  99.5    1    2" in written_cup(penalties=(TeamPenalty(2, 1, -19, 199),))
    for worth in ((-20, 0), (0, 200), (200, 0), (0, -20)):
        with pytest.raises(ReportError, match=r"a report has -9\.5 to 99\.5"):
            written_cup(penalties=(TeamPenalty(1, 1, *worth),))
