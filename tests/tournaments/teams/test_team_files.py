"""A season of teams comes from files and leaves as a file; its table is that of the file, cell by cell."""

import io
import json
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from players.models import Player, Visibility
from players.refusals import Refused
from tests.choosing import examples
from tests.factory import MONDAY
from tests.tournaments.interchange.team_files import team as team_line
from tests.tournaments.interchange.trf_files import row
from tests.tournaments.teams.team_cases import make_team_event, match_between, play, team
from tournaments.interchange.team_event_of_report import team_event_of
from tournaments.interchange.trf import Report, read_report, write_report
from tournaments.management.standings_text import cells
from tournaments.models import Seat, Team, TeamMatch, TeamPenalty, TeamPlayer, Tournament
from tournaments.reports.selectors import report_of
from tournaments.reports.services.importing import Imported, import_report
from tournaments.reports.services.plan import Terms
from tournaments.standings.points import Result
from tournaments.standings.team_event import TeamEvent
from tournaments.standings.team_standings import team_standings
from tournaments.standings.team_tiebreaks import team_tiebreaks_of
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.services.line_ups import hand_in, open_match
from tournaments.teams.services.matches import Ruling, penalise, plan_match, rule_on_match, set_absent
from tournaments.teams.services.teams import add_players, order_players

pytestmark = pytest.mark.usefixtures("standard")
CODES = "MPvGP,EDE,EDEBT,BC,TBR,BBE,EMMSB,EMGSB,EGMSB,EGGSB,SSSC,BH:MP/C1,WON,DE,BERLIN"
PLAIN = "MPvGP,EDE,EDEBT,BC,EMGSB,EGGSB,WON,DE"


def import_file(content: bytes, **terms: Any) -> Imported:
    return import_report(read_report(content), Terms(today=MONDAY + timedelta(days=60), **terms), by=None)


def import_again(report: Report) -> Tournament:
    """As an event of its own, under another name."""
    return import_report(replace(report, name="Again"), Terms(today=MONDAY), by=None).tournament


def exported(event: Tournament, version: int = 26) -> bytes:
    return write_report(report_of(event, version=version), version)


def table(event: TeamEvent, codes: str = CODES) -> list[tuple[object, ...]]:
    """Places, points (a file may have another smallest unit) and tie-breaks as they are printed."""
    unit = event.scoring.points.unit
    return [
        (row.place, row.team, row.score.match_points, Fraction(row.score.game_points, unit), cells(row.tiebreaks))
        for row in team_standings(event, team_tiebreaks_of(codes))
    ]


def everything(event: Tournament) -> dict[str, list[Any]]:
    """The event without its keys."""
    matches = TeamMatch.objects.filter(round__stage__tournament=event).order_by("round__number", "number")
    seats = Seat.objects.filter(round__stage__tournament=event).order_by("round__number", "pairing__board", "line")
    lists = TeamPlayer.objects.filter(team__tournament=event)
    return {
        "teams": list(Team.objects.filter(tournament=event).values_list("number", "name", "short_name")),
        "lists": list(lists.values_list("team__number", "place", "entry__number", "entry__player")),
        "matches": list(
            matches.values_list(
                *("round__number", "number", "home__number", "away__number", "bye", "first_white", "absent"),
                *("ruled_home", "ruled_away", "played_on"),
            )
        ),
        "seats": list(
            seats.values_list(
                *("round__number", "pairing__board", "line", "colour", "entry__number", "pairing__match_board"),
                *("pairing__match__number", "pairing__bye", "pairing__games__result"),
            )
        ),
        "points": list(
            TeamPenalty.objects.filter(team__tournament=event).values_list(
                "team__number", "from_round", "match_points", "game_points"
            )
        ),
    }


def told(path: Path) -> list[tuple[object, ...]]:
    """What `manage.py standings` prints of a file."""
    out = io.StringIO()
    call_command("standings", path, tiebreaks=PLAIN, json=True, stdout=out, stderr=io.StringIO())
    rows = json.loads(out.getvalue())["standings"]
    return [(row["place"], row["team"], Fraction(row["match_points"]), Fraction(row["game_points"])) for row in rows]


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["tec_teams14", "interclub_rr6_gp", "two_team_match"])
def test_a_season_from_a_file_has_the_files_table_here_and_as_it_leaves(
    name: str, real_data: Path, tmp_path: Path
) -> None:
    content = (real_data / "teams" / f"{name}.trf").read_bytes()
    event, wanted = import_file(content).tournament, table(team_event_of(read_report(content)))
    assert table(team_facts(event).event) == wanted
    left = tmp_path / "left.trf"
    left.write_bytes(exported(event))
    assert table(team_event_of(read_report(left.read_bytes()))) == wanted
    here = table(team_facts(event).event, PLAIN)
    assert told(left) == [(row[0], row[1], Fraction(row[2], 2), row[3]) for row in here]  # type: ignore[arg-type]


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["tec_teams14", "interclub_rr6_gp", "two_team_match"])
def test_what_leaves_comes_back_as_the_same_event(name: str, real_data: Path) -> None:
    event = import_file((real_data / "teams" / f"{name}.trf").read_bytes()).tournament
    left = exported(event)
    assert not import_file(left).written
    again = import_again(read_report(left))
    assert everything(again) == everything(event)


def test_an_all_play_all_comes_with_the_rounds_that_are_still_to_be_played() -> None:
    event = make_team_event(5)
    play(match_between(event, "Anchor", "Delta"), [Result.WHITE_WINS, Result.DRAW])
    again = import_file(exported(event), name="").plan
    assert again.known == event
    assert [len(row) for row in again.teams.rounds] == [3] * 5  # type: ignore[union-attr]
    assert not import_again(report_of(event)).closed


@pytest.mark.parametrize(
    ("default", "codes", "absent"), [("+-", ("+", "-"), "away"), ("-+", ("-", "+"), "home"), ("--", ("-", "-"), "both")]
)
def test_a_match_by_default_a_team_without_a_name_and_a_bye_worth_more_come_from_a_report(
    default: str, codes: tuple[str, str], absent: str
) -> None:
    """The rows name no colours: those of the boards alternate. The bye brings two match points and a game point, and of
    two lists of tie-breaks one can be used."""
    own, other = codes
    met = {1: f"4 - {own}", 2: f"5 - {own}", 4: f"1 - {other}", 5: f"2 - {other}"}
    players = [row(number, met.get(number, "")) for number in range(1, 7)]
    teams = (team_line(1, "Reds", 1, 2, 3), team_line(2, "", 4, 5), team_line(3, "", 6))
    more = (
        f"330 {default}   1   1   2",
        "299 Z   2.0   1.0         3",
        "299    -1.0   0.0    2    1",
        "202 NONSENSE",
        "212 WON",
        "222 5400+30",
        "299 -   0.0   1.0         1   2",
    )
    lines = ("012 Cup", "192 FIDE_TEAM", "142 3", *players, *teams, *more)
    content = "".join(f"{line}\n" for line in lines).encode()
    event = import_file(content).tournament
    teams_here = Team.objects.filter(tournament=event).order_by("number")
    assert [each.name for each in teams_here] == ["Reds", "Team 2", "Team 3"]
    match = TeamMatch.objects.get(round__stage__tournament=event, round__number=1, away__isnull=False)
    assert match.absent == absent
    here, there = (
        {row[1]: row[2:4] for row in table(facts, PLAIN)}
        for facts in (team_facts(event).event, team_event_of(read_report(content)))
    )
    assert here == there, "with the game point that the report gives whoever lost by default"
    colours = Seat.objects.filter(pairing__match=match, line=1).order_by("pairing__match_board")
    assert list(colours.values_list("colour", flat=True)) == ["w", "b"]
    more_points = TeamPenalty.objects.filter(team__tournament=event).order_by("-team__number")
    assert [(each.team.number, each.from_round, each.match_points) for each in more_points] == [(3, 1, 4), (1, 2, -2)]
    assert event.team_rules.tiebreaks == "WON"
    left = exported(event).decode().splitlines()
    for tag, texts in (("202", ["202 WON"]), ("222", ["222 5400+30"]), ("192", ["192 FIDE_TEAM"])):
        assert [line for line in left if line.startswith(tag)] == texts, "what came with the file leaves with it"
    with pytest.raises(Refused, match="No event here has the report’s points of a game"):
        import_file("".join(f"{line}\n" for line in (*lines, "162 W 5.0 D 2.0 L 1.0")).encode(), name="Other")


SHARES = st.sampled_from(
    [Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.BLACK_FORFEITS, Result.BOTH_FORFEIT]
)
FATE = st.sampled_from(["played", "played", "played", "open", "default", "ruled", "postponed"])


@pytest.fixture
def season() -> Tournament:
    return make_team_event()


@pytest.mark.extended
@pytest.mark.usefixtures("season")
@examples(60)
@given(st.data())
def test_the_table_of_any_season_is_that_of_its_file(data: st.DataObject) -> None:
    """Each begins with the same event, and is taken back."""
    with transaction.atomic():
        check_a_season(data)
        transaction.set_rollback(True)


def check_a_season(data: st.DataObject) -> None:
    event = Tournament.objects.get()
    for match in TeamMatch.objects.filter(round__stage__tournament=event, away__isnull=False):
        fate = data.draw(FATE)
        if fate == "default":
            set_absent(match.pk, data.draw(st.sampled_from(["home", "away", "both"])), by=None, reason="other")
        elif fate == "postponed":
            plan_match(match.pk, None, by=None)
        else:
            play(match, data.draw(st.lists(SHARES, min_size=2, max_size=2)) if fate != "open" else [])
        if fate == "ruled":
            games = data.draw(st.none() | st.tuples(st.integers(0, 4), st.integers(0, 4)))
            rule_on_match(match.pk, Ruling(data.draw(st.integers(0, 4)), 0, "An error", games), by=None)
    penalise(team(event, "Bridge").pk, by=None, reason="Late", match_points=-2, game_points=1)
    here = table(team_facts(event).event, PLAIN)
    for version in (16, 26):
        left = read_report(exported(event, version))
        assert table(team_event_of(left), PLAIN) == here
    again = import_again(left)
    assert table(team_facts(again).event, PLAIN) == here
    assert everything(again)["seats"] == everything(event)["seats"]


def test_what_was_ruled_stays_with_its_team_where_the_guests_have_white_on_board_one() -> None:
    """The report names such a match the other way round."""
    event = make_team_event(first_white="away")
    match = match_between(event, "Anchor", "Delta")
    play(match, [Result.WHITE_WINS, Result.DRAW])
    rule_on_match(match.pk, Ruling(3, 1, "An error", (4, 1)), by=None)
    left = read_report(exported(event))
    (met,) = team_event_of(left).meetings
    assert (met.first, met.ruled) == (match.away.number, (1, 3))  # type: ignore[union-attr]
    again = import_again(left)
    ours, theirs = ([row for row in everything(each)["matches"] if row[7]] for each in (event, again))
    assert ours == theirs != []
    assert table(team_facts(again).event, PLAIN) == table(team_facts(event).event, PLAIN)


def test_a_report_says_who_sat_where_and_no_hidden_name(client: Client) -> None:
    event = make_team_event()
    play(match_between(event, "Anchor", "Delta"), [Result.WHITE_WINS, Result.DRAW])
    Player.objects.update(visibility=Visibility.HIDDEN)
    answer = client.get(f"/tournaments/{event.slug}/report.trf")
    assert answer.status_code == 200
    report = read_report(answer.content)
    names = set(Player.objects.values_list("name", flat=True))
    assert not names & {player.name for player in report.players}
    assert len(team_event_of(report).meetings) == 1


@pytest.mark.extended
@pytest.mark.parametrize("named", [(2, 1), (1, 2), (1, 1)])
def test_a_board_with_one_player_or_nobody_is_in_the_file_as_it_is(named: tuple[int, int]) -> None:
    event = make_team_event()
    match = match_between(event, "Anchor", "Delta")
    for side, count in zip((match.home, match.away), named, strict=True):
        assert side
        hand_in(match.pk, side.pk, [row.pk for row in side.players.order_by("place")[:count]], by=None)
    play(match, [Result.WHITE_WINS])
    (here,) = team_facts(event).event.meetings
    for version in (16, 26):
        (written,) = team_event_of(read_report(exported(event, version))).meetings
        assert (written.first, written.second) == (here.first, here.second)
        assert written.boards == here.boards


def test_who_played_for_two_teams_is_in_no_report() -> None:
    event = make_team_event(several_teams=True)
    somebody = TeamPlayer.objects.filter(team__name="Anchor")[0].entry.player
    row = add_players(team(event, "Bridge").pk, [somebody], by=None)[0]
    order = [row.pk, *TeamPlayer.objects.filter(team__name="Bridge").exclude(pk=row.pk).values_list("pk", flat=True)]
    order_players(team(event, "Bridge").pk, order, by=None)
    assert exported(event)
    for name in ("Anchor", "Bridge"):
        open_match(match_between(event, name, "Delta").pk, by=None)
    with pytest.raises(Refused, match="played for two teams"):
        exported(event)


@pytest.mark.real_data
def test_a_wrong_file_is_named_by_its_line_and_leaves_nothing(real_data: Path, tmp_path: Path) -> None:
    lines = (real_data / "teams" / "two_team_match.trf").read_text().splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith(("310", "013")))
    bad = tmp_path / "bad.trf"
    bad.write_text("\n".join([*lines[: at + 1], lines[at], *lines[at + 1 :]]))
    with pytest.raises(CommandError, match=f"line {at + 2}"):
        call_command("import_trf", bad)
    assert not Tournament.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("options", "teams", "events"), [({}, 2, 1), ({"individual": True}, 0, 1), ({"dry_run": True}, 0, 0)]
)
def test_the_command_makes_teams_unless_it_is_told_not_to(
    options: dict[str, bool], teams: int, events: int, real_data: Path
) -> None:
    out = io.StringIO()
    call_command("import_trf", real_data / "teams" / "two_team_match.trf", stdout=out, stderr=io.StringIO(), **options)
    assert (Team.objects.count(), Tournament.objects.count()) == (teams, events)
    assert ("teams: 2, matches: 2" in out.getvalue()) == ("individual" not in options)
