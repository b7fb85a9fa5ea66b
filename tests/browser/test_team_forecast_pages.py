"""Forecasts of teams and the comparison of line-ups in a real browser: a desk in the light, a phone in the dark."""

import pytest
from playwright.sync_api import Page, expect

from ratings.models import RatingList
from tests.browser.conftest import Opened, undisturbed
from tests.browser.judging import complaints_both_ways, too_wide
from tests.tournaments.forecasts.forecast_cases import answer
from tests.tournaments.teams.team_cases import NAMES, make_team_event, match_between, rate, squad_of, team
from tournaments.captains.services import make_link
from tournaments.forecasts.selectors.team_forecasts import league_question, usual_line_ups
from tournaments.forecasts.services.team_forecasts import work_out_league
from tournaments.models import TeamMatch, Tournament
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.services.line_ups import open_match

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
LEAGUE = "/tournaments/team-league/"


@pytest.fixture
def event(standard: RatingList) -> Tournament:
    """Six teams in their first round; its first match has its boards, and the league is forecast."""
    event = make_team_event(6, boards=2, size=4, order="rating", promoted=1, relegated=2)
    for place, name in enumerate(NAMES):
        rate(squad_of(team(event, name)), [1900 - 40 * place - 20 * at for at in range(4)])
    open_match(TeamMatch.objects.get(round__number=1, number=1).pk, by=None)
    facts = team_facts(event)
    line_ups = usual_line_ups(facts)
    said = work_out_league(facts, line_ups, lambda done, of: None, draws=200, samples=500)
    answer(league_question(facts, line_ups), said)
    return event


def test_the_pages_of_a_forecast_are_for_everybody(event: Tournament, open_context: Opened) -> None:
    assert complaints_both_ways(open_context, [f"{LEAGUE}forecast/?team=1&top=1", f"{LEAGUE}matches/1/1/"]) == []
    page = open_context()
    page.goto(f"{LEAGUE}forecast/?team=1&top=1")
    page.get_by_text("Place by place").click()
    assert too_wide(page) == []


def test_a_captain_compares_line_ups_without_any_script(
    event: Tournament, open_context: Opened, page_faults: list[str]
) -> None:
    with undisturbed():
        _link, secret = make_link(team(event, "Bridge").pk, by=None)
        match = match_between(event, "Bridge", "Castle")
    page: Page = open_context(java_script_enabled=False)
    page.goto(f"/captain/link/{secret}/")
    page.goto(f"/captain/matches/{match.pk}/{team(event, 'Bridge').pk}/")
    page.get_by_role("link", name="Compare line-ups").click()
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", name="Best line-ups")).to_be_visible()
    for box in page.get_by_role("checkbox").all():
        box.uncheck()
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose who is available")
    page_faults.clear()  # the browser writes down the status 409
