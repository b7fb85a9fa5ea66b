"""Events of teams are written as reports and read again as they were."""

from hypothesis import given

from tests.choosing import examples
from tests.tournaments.interchange.team_files import AnyEvent, any_event, facts
from tournaments.interchange.team_event_of_report import team_event_of, team_records, teams_of
from tournaments.interchange.team_matches_of_report import matches_of
from tournaments.interchange.trf import VERSIONS, read_report, write_report


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
