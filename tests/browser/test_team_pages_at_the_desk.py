"""The pages of a team event at the desk: they fit a phone, and the score of a match follows each key."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from ratings.models import RatingList
from tests import factory
from tests.browser.conftest import DESK, PHONE, Opened, sign_in, undisturbed
from tests.browser.test_rounds_at_the_desk import sideways
from tests.tournaments.admin_pages import url
from tests.tournaments.teams.team_cases import make_team_event, match_between, play
from tournaments.models import TeamMatch, Tournament
from tournaments.standings.points import Result

pytestmark = [pytest.mark.browser, pytest.mark.django_db]


@pytest.fixture
def league(standard: RatingList) -> Tournament:
    event = make_team_event(4)
    play(match_between(event, "Anchor", "Delta"), [Result.WHITE_WINS])
    return event


def addresses(league: Tournament) -> list[str]:
    opened = match_between(league, "Anchor", "Delta")
    planned = TeamMatch.objects.filter(round__stage__tournament=league, round__number=3)[0]
    names = ("teams", "matches", "team_rules", "team_round", "standings", "change")
    own = [url(name, league.pk) for name in names]
    own += [url("team_match", opened.pk), url("team_match", planned.pk), url("line_up_home", planned.pk)]
    return [
        *own,
        url("team", opened.home_id or 0),
        url("results", opened.round_id),
        "/admin/tournaments/tournament/new/teams/",
    ]


def test_the_pages_of_teams_fit_a_phone(open_context: Opened, server: LiveServer, league: Tournament) -> None:
    with undisturbed():
        found = addresses(league)
    phone = sign_in(open_context(viewport=PHONE), server, factory.make_arbiter())
    for address in found:
        phone.goto(address)
        assert sideways(phone) == 0, address


def test_the_score_of_a_match_follows_a_key(open_context: Opened, server: LiveServer, league: Tournament) -> None:
    page: Page = sign_in(open_context(viewport=DESK), server, factory.make_arbiter())
    with undisturbed():
        match = match_between(league, "Anchor", "Delta")
    page.goto(url("results", match.round_id))
    score = page.locator(f"#match-score-{match.pk}")
    expect(score).to_have_text("1 : 0")
    page.locator("fieldset.board").nth(1).focus()
    page.locator("fieldset.board").nth(1).locator("label, input").first.focus()
    page.keyboard.press("=")
    expect(score).to_have_text("1½ : ½")
