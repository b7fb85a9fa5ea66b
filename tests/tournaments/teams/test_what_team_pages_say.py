"""What stands on the pages of a team event only where there is such a thing: venues, times, badges, drafts; and what
those pages say where there is nothing."""

import re
from datetime import time, timedelta
from typing import Any

import pytest
from django.test import Client

from ratings.models import RatingList
from tests.factory import MONDAY, make_arbiter, make_players, today
from tests.tournaments.event_pages.page_cases import text_of
from tests.tournaments.teams.team_cases import make_team_event, match_between, play, team
from tournaments.models import Entry, Round, TeamMatch, TeamPlayer, TeamRules, Tournament
from tournaments.standings.points import Result
from tournaments.teams.services.events import NewTeamEvent, create_club, create_team_event
from tournaments.teams.services.leaving import take_team_out
from tournaments.teams.services.matches import plan_match, set_absent
from tournaments.teams.services.rounds import add_round
from tournaments.teams.services.teams import add_players, add_team, change_player, change_team

pytestmark = pytest.mark.usefixtures("event")
EVENT = "/tournaments/team-league/"
NEXT_DAY = MONDAY + timedelta(days=1)
WIN, DRAW = Result.WHITE_WINS, Result.DRAW


def part_of(page: str, heading: str) -> str:
    """The section whose heading has that id."""
    return page.partition(f'aria-labelledby="{heading}"')[2].partition("</section>")[0]


def sheet(client: Client, kind: str) -> str:
    return text_of(client, f"{EVENT}print/?sheets={kind}").partition(f'<div class="{kind}">')[2]


# --- a team and its list ------------------------------------------------------------------------------------------
def test_a_team_tells_its_captain_its_venue_and_when_it_left(event: Tournament, client: Client) -> None:
    anchor = team(event, "Anchor")
    page = part_of(text_of(client, EVENT + "teams/1/"), "team")
    assert not [word for word in ("Captain:", "Venue:", "The team left") if word in page]
    club = create_club("Harbour", by=None, venue="Pier 4")
    captain = anchor.players.get(place=2).entry.player
    change_team(anchor.pk, by=None, club=club.pk, captain=captain.pk)
    page = part_of(text_of(client, EVENT + "teams/1/"), "team")
    assert "Venue: <bdi>Pier 4</bdi>." in page, "its club’s, where it has none of its own"
    assert captain.name in page.partition("Captain:")[2]
    change_team(anchor.pk, by=None, venue="Lighthouse")
    page = part_of(text_of(client, EVENT + "teams/1/"), "team")
    assert "Venue: <bdi>Lighthouse</bdi>." in page
    assert "Pier 4" not in page
    list_of_teams = text_of(client, EVENT + "teams/")
    assert '<span class="sub always">Harbour</span>' in list_of_teams
    assert list_of_teams.count('class="sub always"') == 1
    squads = sheet(client, "squads")
    assert "<bdi>Anchor</bdi></b> <small>· <bdi>Harbour</bdi></small>" in squads
    assert squads.count("Captain:") == 1
    assert squads.count("<small>· <bdi>Lighthouse</bdi></small>") == 1
    take_team_out(anchor.pk, by=None)
    assert "The team left before round 1." in part_of(text_of(client, EVENT + "teams/1/"), "team")


def test_a_club_of_the_teams_own_name_is_not_named_twice(event: Tournament, client: Client) -> None:
    change_team(team(event, "Anchor").pk, by=None, club=create_club("Anchor", by=None).pk)
    squads = sheet(client, "squads")
    assert "<bdi>Anchor</bdi></b>" in squads
    assert "<small>· <bdi>Anchor</bdi></small>" not in squads


@pytest.mark.parametrize(
    ("given", "badge", "printed"),
    [
        ({}, "", ""),
        ({"reserve": True}, "reserve", "reserve"),
        ({"nominated": True}, "nominated", "nominated"),
        ({"since": NEXT_DAY}, "from 6 Jan 2026", "from 6 Jan 2026"),
        ({"since": MONDAY, "until": NEXT_DAY}, "until 6 Jan 2026", "from 5 Jan 2026 until 6 Jan 2026"),
    ],
)
def test_a_line_of_the_squad_says_what_is_special_with_it(
    event: Tournament, client: Client, given: dict[str, Any], badge: str, printed: str
) -> None:
    change_player(TeamPlayer.objects.get(team=team(event, "Anchor"), place=2).pk, by=None, **given)
    squad = part_of(text_of(client, EVENT + "teams/1/"), "squad")
    assert "".join(re.findall(r'<span class="badge">(.*?)</span>', squad)) == badge
    assert "".join(re.findall(r"<small>(.*?)</small>", sheet(client, "squads"))).strip() == printed


def test_who_withdrew_is_told_on_the_squad(event: Tournament, client: Client) -> None:
    Entry.objects.filter(team_places=TeamPlayer.objects.get(team=team(event, "Anchor"), place=2)).update(withdrawn=True)
    assert part_of(text_of(client, EVENT + "teams/1/"), "squad").count('<span class="badge">withdrawn</span>') == 1
    assert sheet(client, "squads").count("withdrawn") == 1


def test_who_played_on_two_boards_has_a_record_of_each(event: Tournament, client: Client) -> None:
    first = TeamPlayer.objects.get(team=team(event, "Anchor"), place=1)
    play(match_between(event, "Anchor", "Delta"), [WIN, DRAW])
    change_player(first.pk, by=None, until=MONDAY)
    play(match_between(event, "Anchor", "Bridge"), [WIN, DRAW])
    squad = part_of(text_of(client, EVENT + "teams/1/"), "squad")
    assert "board 1: 1 of 1 · board 2: ½ of 1" in squad
    assert "of 1 · <" not in squad


# --- matches and rounds -------------------------------------------------------------------------------------------
def test_a_match_tells_when_and_where_until_it_is_decided(event: Tournament, client: Client) -> None:
    match = match_between(event, "Anchor", "Delta")
    plan_match(match.pk, match.played_on, at=time(19, 30), venue="Town hall", by=None)
    for page in ("matches/", f"rounds/{match.round.number}/", "teams/1/"):
        text = text_of(client, EVENT + page)
        assert ", 19:30" in text, page
        assert "<bdi>Town hall</bdi>" in text, page
    printed = sheet(client, "fixtures")
    assert "19:30 <bdi>Town hall</bdi>" in printed
    assert "Mon 5 Jan" not in printed.partition("<tbody>")[2].partition("</tbody>")[0], "it is the day of the round"
    plan_match(match.pk, NEXT_DAY, at=time(19, 30), by=None)
    assert "Tue 6 Jan 2026" in sheet(client, "fixtures")
    play(match, [WIN, DRAW])
    assert "<bdi>Town hall</bdi>" not in text_of(client, EVENT + "matches/")
    assert "<bdi>Town hall</bdi>" not in sheet(client, "fixtures")


def test_printed_fixtures_tell_the_hour_of_a_round_and_how_a_match_was_decided(
    event: Tournament, client: Client
) -> None:
    match = match_between(event, "Anchor", "Delta")
    Round.objects.filter(pk=match.round_id).update(planned_at=time(18, 0))
    plan_match(match.pk, match.played_on, at=time(18, 0), venue="Town hall", by=None)
    printed = sheet(client, "fixtures")
    assert printed.count("18:00") == 1, "a match at the hour of its round does not repeat it"
    set_absent(match.pk, "away", by=None, reason="a breakdown")
    row = sheet(client, "fixtures").partition("<tbody>")[2].partition("</tr>")[0]
    assert "Town hall" not in row
    assert "did not come" in row


def test_a_draft_of_a_round_is_marked_for_officers_and_not_there_for_others(
    standard: RatingList, client: Client
) -> None:
    event = make_team_event(2, fixtures=False)
    Tournament.objects.filter(pk=event.pk).update(slug="drafts")
    add_round(event.pk, [tuple(event.teams.all())], by=None, publish=False)  # type: ignore[list-item]
    assert client.get("/tournaments/drafts/rounds/1/").status_code == 404
    client.force_login(make_arbiter())
    assert "draft, only officers see it" in text_of(client, "/tournaments/drafts/rounds/1/")
    assert "DRAFT" in text_of(client, "/tournaments/drafts/print/?sheets=fixtures")
    assert "draft, only officers" not in text_of(client, EVENT + "rounds/1/")
    assert "DRAFT" not in sheet(client, "fixtures")


def test_the_front_page_tells_the_hour_of_a_match_until_its_boards_are_made(event: Tournament, client: Client) -> None:
    match = match_between(event, "Anchor", "Delta")
    plan_match(match.pk, today(), at=time(19, 30), by=None)
    assert "· 19:30</span>" in text_of(client, "/")
    assert "· 19:30</td>" in text_of(client, "/")
    play(TeamMatch.objects.get(pk=match.pk), [WIN], on=today())
    assert "19:30" not in text_of(client, "/")


# --- where there is nothing ---------------------------------------------------------------------------------------
def test_an_event_without_teams_players_or_matches_says_so(standard: RatingList, client: Client) -> None:
    event = create_team_event(NewTeamEvent("Empty", starts_on=MONDAY, rules={"boards": 2}), by=None)
    assert "No team is entered yet." in text_of(client, "/tournaments/empty/teams/")
    add_players(add_team(event.pk, "Anchor", by=None).pk, make_players(1), by=None)
    add_team(event.pk, "Bridge", by=None)
    assert "No team is entered yet." not in text_of(client, "/tournaments/empty/teams/")
    first, second = (text_of(client, f"/tournaments/empty/teams/{number}/") for number in (1, 2))
    assert "Nobody is on the list yet." in second
    assert "Nobody is on the list yet." not in first
    assert "No matches yet." in part_of(first, "matches")
    assert "No matches yet." not in text_of(client, EVENT + "teams/1/")
    assert 'aria-labelledby="tiebreaks"' not in first


def test_a_tiebreak_over_rounds_is_explained_by_opponents_and_one_over_boards_by_boards(
    event: Tournament, client: Client
) -> None:
    TeamRules.objects.filter(tournament=event).update(tiebreaks="EMGSB/C1,BC")
    for match in TeamMatch.objects.filter(round__stage__tournament=event):
        play(match, [DRAW, DRAW])
    page = text_of(client, EVENT + "teams/1/")
    by_rounds, by_boards = page.partition('id="emgsb-c1"')[2].split('id="bc"')
    assert re.findall(r'<th scope="col"[^>]*>(.*?)</th>', by_rounds) == ["Round", "Opponent", "Counts"]
    assert re.findall(r"<bdi>(\w+)</bdi>", by_rounds) == ["Delta", "Bridge", "Castle"]
    assert re.findall(r'<tr(?: class="(cut)")?><td class="num">(\d)</td>', by_rounds) == [
        ("cut", "1"),
        ("", "2"),
        ("", "3"),
    ]
    assert by_rounds.count("<s>3</s>") == 1
    assert "Sum: 6" in by_rounds
    assert re.findall(r'<th scope="col"[^>]*>(.*?)</th>', by_boards) == ["Board", "", "Counts"]
    assert re.findall(r'<tr><td class="num">(\d)</td>', by_boards) == ["1", "2"]
    assert "2 × 1½ =</span> 3" in by_boards
    assert "<bdi>" not in by_boards
