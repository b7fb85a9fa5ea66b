"""What the pages for captains say of a match: when and where, what was decided without play, how far the card is."""

from datetime import time, timedelta

import pytest
from django.test import Client

from tests.factory import today
from tests.tournaments.event_pages.page_cases import text_of
from tests.tournaments.teams.team_cases import make_team_event, match_between, team
from tests.tournaments.teams.test_captains import captain_of, open_card, page_of, send_line_up
from tournaments.captains.services import confirm_card, enter_card, make_link
from tournaments.models import TeamMatch, TeamRules, Tournament
from tournaments.standings.points import Result
from tournaments.teams.services.matches import Ruling, plan_match, rule_on_match, set_absent

WIN, DRAW = Result.WHITE_WINS, Result.DRAW
# How far a card is.
STATES = ("Both sides say", "All results are in.", "Enter what is finished")


@pytest.fixture(scope="module")
def match(event: Tournament) -> TeamMatch:
    TeamMatch.objects.update(played_on=today())
    return match_between(event, "Anchor", "Delta")


@pytest.fixture
def captain(event: Tournament) -> Client:
    return captain_of(event, "Anchor")


def read(captain: Client, match: TeamMatch) -> str:
    return text_of(captain, page_of(match, team(match.round.stage.tournament, "Anchor")))


def test_it_says_when_and_where_or_that_the_match_is_postponed(match: TeamMatch, captain: Client) -> None:
    words = ("19:30", "Town hall", "postponed")
    assert not [word for word in words if word in read(captain, match)]
    plan_match(match.pk, today(), at=time(19, 30), venue="Town hall", by=None)
    assert [word for word in words if word in read(captain, match)] == ["19:30", "Town hall"]
    plan_match(match.pk, None, by=None)
    assert [word for word in words if word in read(captain, match)] == ["Town hall", "postponed"]
    assert text_of(captain, "/captain/").count(">postponed<") == 1
    TeamMatch.objects.filter(pk=match.pk).update(postponed=False)
    assert text_of(captain, "/captain/").count(">no day yet<") == 1


def test_a_ruling_and_an_absent_team_are_told(match: TeamMatch, captain: Client) -> None:
    assert "ruling:" not in read(captain, match)
    rule_on_match(match.pk, Ruling(4, 0, "A player was not eligible"), by=None)
    assert "The arbiter’s ruling:" in read(captain, match)
    rule_on_match(match.pk, None, by=None)
    assert "Your line-up" in read(captain, match)
    set_absent(match.pk, "away", by=None, reason="a breakdown")
    page = read(captain, match)
    assert "the guests did not come" in page
    assert "Your line-up" not in page
    assert "Match card" not in page


def test_the_card_says_how_far_it_is(event: Tournament, match: TeamMatch, captain: Client) -> None:
    anchor, delta = open_card(event, match)
    assert [words for words in STATES if words in read(captain, match)] == ["Enter what is finished"]
    assert "The card is right" not in read(captain, match)
    enter_card(match.pk, anchor.pk, {1: WIN, 2: DRAW}, by=None)
    assert [words for words in STATES if words in read(captain, match)] == ["All results are in."]
    assert "The card is right" in read(captain, match)
    confirm_card(match.pk, delta.pk, by=None)
    assert [words for words in STATES if words in read(captain, match)] == ["Both sides say"]


def test_who_has_white_is_asked_only_where_nobody_knows(match: TeamMatch, captain: Client) -> None:
    TeamRules.objects.update(line_up_hours=2)
    TeamMatch.objects.filter(pk=match.pk).update(played_on=today() - timedelta(days=1), starts_at=time(19))
    for first_white, asked in (("home", False), ("", True)):
        TeamMatch.objects.filter(pk=match.pk).update(first_white=first_white)
        page = read(captain, match)
        assert "Line-ups were due." in page
        assert ('name="first_white"' in page) == asked


def test_captains_who_toss_say_who_has_white(event: Tournament, match: TeamMatch) -> None:
    TeamMatch.objects.update(first_white="")
    anchor, delta = team(event, "Anchor"), team(event, "Delta")
    client = captain_of(event, "Anchor")
    send_line_up(client, match, anchor, 1, 2)
    assert send_line_up(captain_of(event, "Delta"), match, delta, 1, 2) == 302
    assert "Toss for White" in client.get(page_of(match, anchor)).text
    assert client.post(page_of(match, anchor), {"do": "open", "first_white": "nobody"}).status_code == 409
    assert client.post(page_of(match, anchor), {"do": "open", "first_white": "away"}).status_code == 302
    assert (TeamMatch.objects.get(pk=match.pk).first_white, match.boards.count()) == ("away", 2)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"order": "free"}, "Any order is allowed."),
        ({"order": "rating", "tolerance": 50}, "Order by rating, with a tolerance of 50."),
        ({"order": "fixed", "swaps": False}, "Order of the list."),
        ({"order": "fixed", "swaps": True}, "Order of the list; neighbours may change places."),
    ],
)
def test_the_advice_says_which_order_the_rules_allow(
    event: Tournament, match: TeamMatch, captain: Client, rules: dict[str, object], said: str
) -> None:
    TeamRules.objects.update(**rules)
    page = text_of(captain, f"{page_of(match, team(event, 'Anchor'))}advice/")
    assert f"At most 12 players at once. {said}</p>" in page


def test_no_advice_once_the_boards_are_made(event: Tournament, match: TeamMatch, captain: Client) -> None:
    open_card(event, match)
    page = text_of(captain, f"{page_of(match, team(event, 'Anchor'))}advice/")
    assert "the line-up stands" in page
    assert "Who plays?" not in page


def test_a_device_with_two_links_names_both_teams(event: Tournament, captain: Client) -> None:
    assert "<h1>Anchor</h1>" in text_of(captain, "/captain/")
    later = make_team_event(2)
    for side in (team(later, "Anchor"), *[team(event, "Delta")] * 2):
        captain.get(f"/captain/link/{make_link(side.pk, by=None)[1]}/")
    page = text_of(captain, "/captain/")
    assert "Your teams" in page
    assert page.count('<li class="chip">') == 3
    sides = captain.get("/captain/").context["teams"]
    assert sides == [team(event, "Anchor"), team(event, "Delta"), team(later, "Anchor")]


@pytest.mark.usefixtures("standard")
def test_a_team_that_does_not_play_yet_says_so() -> None:
    event = make_team_event(2, fixtures=False)
    assert "No matches yet." in text_of(captain_of(event, "Anchor"), "/captain/")
