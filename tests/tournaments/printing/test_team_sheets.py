"""The sheets of a team event: what a captain fills in, and nothing that a captain keeps to himself."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import time, timedelta

import pytest
from django.test import Client

from players.models import Player
from tests.factory import MONDAY, make_administrator, make_club, make_list
from tests.tournaments.printing.printing_cases import content, offered, print_page, words
from tests.tournaments.teams.team_cases import make_team_event, match_between, play, team
from tournaments.captains.services import make_link
from tournaments.models import Entry, Round, TeamMatch, TeamPlayer, TeamRules, Tournament
from tournaments.standings.points import Result
from tournaments.teams.services.line_ups import hand_in, open_match
from tournaments.teams.services.matches import Ruling, penalise, plan_match, rule_on_match, set_absent
from tournaments.teams.services.teams import change_player

pytestmark = pytest.mark.usefixtures("event")
WIN, DRAW = Result.WHITE_WINS, Result.DRAW
ALL = ("match-cards", "line-ups", "standings", "fixtures", "squads")


@pytest.fixture(scope="module")
def event(world: None) -> Tournament:
    make_club()
    make_list()
    return make_team_event()


def squad(event: Tournament, name: str) -> list[TeamPlayer]:
    rows = TeamPlayer.objects.filter(team=team(event, name)).select_related("entry__player")
    return list(rows.order_by("place"))


# --- what there is ----------------------------------------------------------------------------------------------------
def test_everybody_finds_the_sheets_and_the_first_are_match_cards_of_the_present_round(
    client: Client, event: Tournament
) -> None:
    assert f'href="/tournaments/{event.slug}/print/"' in client.get(event.get_absolute_url()).text
    page = print_page(client, event)
    assert offered(page) == list(ALL)
    assert [sheet.kind.key for sheet in page.context["sheets"]] == ["match-cards"]
    assert [preset.address for preset in page.context["presets"]] == [
        "?round=1&size=normal&sheets=match-cards&sheets=line-ups",
        "?round=1&size=normal&sheets=standings&sheets=fixtures",
    ]


def test_a_round_that_is_not_there_has_the_sheets_of_the_event_alone(client: Client, event: Tournament) -> None:
    assert offered(print_page(client, event, round=9)) == ["standings", "fixtures", "squads"]


def test_the_queries_do_not_grow_with_teams(
    client: Client, event: Tournament, django_assert_max_num_queries: Callable[[int], AbstractContextManager[None]]
) -> None:
    for match in TeamMatch.objects.all():
        open_match(match.pk, by=None)
    with django_assert_max_num_queries(18):
        print_page(client, event, *ALL)


def test_a_draft_is_for_officers_and_says_so(client: Client, event: Tournament) -> None:
    Round.objects.filter(stage__tournament=event, number=3).update(state=Round.State.DRAFT)
    assert "match-cards" not in offered(print_page(client, event, round=3))
    client.force_login(make_administrator())
    assert "DRAFT" in words(client, event, "match-cards", round=3)


# --- match cards ------------------------------------------------------------------------------------------------------
def test_a_card_has_a_line_for_every_board_and_colours_that_alternate(client: Client, event: Tournament) -> None:
    cards = content(client, event, "match-cards", round=1)
    assert [[board.number for board in card.boards] for card in cards] == [[1, 2], [1, 2]]
    assert [board.home_is_white for board in cards[0].boards] == [True, False]
    assert [card.is_open for card in cards] == [False, False]


def test_a_line_up_stays_hidden_until_the_boards_are_made(client: Client, event: Tournament) -> None:
    match, rows = match_between(event, "Anchor", "Delta"), squad(event, "Anchor")
    hand_in(match.pk, rows[0].team_id, [rows[2].pk, rows[0].pk], by=None, note="secret plan")
    name = rows[2].entry.player.name
    card = words(client, event, "match-cards", round=match.round.number)
    assert name not in card
    sheet = words(client, event, "line-ups", round=match.round.number)
    assert sheet.index(rows[0].entry.player.name) < sheet.index(name), "in the order of the list"
    assert "secret plan" not in print_page(client, event, *ALL).text
    open_match(match.pk, by=None)
    assert name in words(client, event, "match-cards", round=match.round.number)


def test_results_stand_on_the_card_as_the_home_team_sees_them(client: Client, event: Tournament) -> None:
    match = match_between(event, "Anchor", "Delta")
    play(match, [WIN, DRAW])
    card = words(client, event, "match-cards", round=match.round.number)
    assert "1½ : ½" in card
    assert "write-box" in print_page(client, event, "match-cards", round=match.round.number).text, "of the other match"


def test_who_is_hidden_is_so_on_every_sheet(client: Client, event: Tournament) -> None:
    match, person = match_between(event, "Anchor", "Delta"), squad(event, "Anchor")[0].entry.player
    Player.objects.filter(pk=person.pk).update(visibility="hidden")
    other = match_between(event, "Anchor", "Bridge")
    open_match(match.pk, by=None)
    for number in (match.round.number, other.round.number):
        assert person.name not in print_page(client, event, *ALL, round=number).text
    client.force_login(make_administrator())
    assert person.name in words(client, event, "match-cards", round=match.round.number)


def test_the_square_code_leads_to_the_match_and_holds_no_secret(client: Client, event: Tournament) -> None:
    _link, secret = make_link(team(event, "Anchor").pk, by=None)
    card = content(client, event, "match-cards", round=1)[0]
    assert client.get(card.address).status_code == 200
    assert "/matches/1/1/" in card.address
    page = print_page(client, event, *ALL).text
    assert secret not in page
    assert "/captain/link/" not in page


def test_where_the_captains_toss_the_card_asks_who_has_white(client: Client) -> None:
    event = make_team_event(first_white="toss")
    card = content(client, event, "match-cards", round=1)[0]
    assert {board.home_is_white for board in card.boards} == {None}
    assert "White on board 1:" in words(client, event, "match-cards", round=1)


def test_a_bye_and_a_match_nobody_came_to_have_no_card(client: Client) -> None:
    event = make_team_event(3)
    assert len(content(client, event, "match-cards", round=1)) == 1
    match = TeamMatch.objects.get(round__stage__tournament=event, round__number=1, away__isnull=False)
    set_absent(match.pk, "home", by=None, reason="other")
    assert "match-cards" not in offered(print_page(client, event, round=1))


# --- line-ups ---------------------------------------------------------------------------------------------------------
def test_on_a_line_up_sheet_stands_who_can_play_that_day(client: Client, event: Tournament) -> None:
    match = match_between(event, "Anchor", "Delta")
    first, second, third = squad(event, "Anchor")
    day = match.played_on or MONDAY
    change_player(first.pk, by=None, until=day - timedelta(days=1))
    change_player(second.pk, by=None, reserve=True)
    sheets = content(client, event, "line-ups", round=match.round.number)
    own = next(sheet for sheet in sheets if sheet.team.name == "Anchor")
    assert [one.row.place for one in own.people] == [3, 2], "reserves behind"
    assert len(sheets) == 4
    open_match(match.pk, by=None)
    Entry.objects.filter(pk=third.entry_id).update(withdrawn=True)
    other = TeamMatch.objects.filter(round=match.round).exclude(pk=match.pk).get()
    sheets = content(client, event, "line-ups", round=match.round.number)
    assert [sheet.match.row for sheet in sheets] == [other, other]
    rule_on_match(other.pk, Ruling(2, 2, "Both agreed"), by=None)
    assert "line-ups" not in offered(print_page(client, event, round=match.round.number))
    sheets = content(client, event, "line-ups", round=match_between(event, "Anchor", "Castle").round.number)
    assert [one.row.place for sheet in sheets if sheet.team.name == "Anchor" for one in sheet.people] == [2]


def test_a_line_up_sheet_says_until_when_it_is_due(client: Client, event: Tournament) -> None:
    TeamRules.objects.update(line_up_hours=24)
    TeamMatch.objects.update(starts_at=time(19, 30))
    assert "Due until" in words(client, event, "line-ups", round=1)


# --- table and fixtures -----------------------------------------------------------------------------------------------
def test_the_table_has_its_penalties_as_footnotes(client: Client, event: Tournament) -> None:
    play(match_between(event, "Anchor", "Delta"), [WIN, WIN])
    penalise(team(event, "Delta").pk, by=None, reason="no card in time", match_points=-2)
    sheet = words(client, event, "standings")
    assert "no card in time" in sheet
    assert content(client, event, "standings")[0].rows[0].team.name == "Anchor"


def test_fixtures_tell_what_was_moved_and_what_has_no_day(client: Client, event: Tournament) -> None:
    plan_match(match_between(event, "Anchor", "Delta").pk, None, by=None)
    assert "postponed, no new day yet" in words(client, event, "fixtures")
    assert [part.row.number for part in content(client, event, "fixtures")] == [1, 2, 3]


def test_the_lists_tell_reserves_and_who_leads(client: Client, event: Tournament) -> None:
    rows = squad(event, "Bridge")
    change_player(rows[1].pk, by=None, reserve=True)
    assert f"{rows[1].entry.player.name} reserve" in words(client, event, "squads")
