"""The sheets of team events as they leave the printer, and as pages."""

import pytest
from playwright.sync_api import Page

from tests import factory
from tests.browser.conftest import Opened
from tests.browser.judging import complaints_both_ways
from tests.browser.test_print_pages import FITS, UPRIGHT, paper, print_on
from tests.tournaments.teams.team_cases import make_team_event, match_between, play
from tournaments.models import Tournament
from tournaments.standings.points import Result

pytestmark = [pytest.mark.browser, pytest.mark.django_db, pytest.mark.usefixtures("league")]
SHEETS = ("match-cards", "line-ups", "standings", "fixtures", "squads")
EVERYTHING = "&".join(f"sheets={key}" for key in SHEETS)


@pytest.fixture(scope="module")
def league(world: None) -> Tournament:
    """Six teams on ten boards, the first match played."""
    factory.make_club()
    factory.make_list()
    event = make_team_event(6, boards=10, size=10)
    play(match_between(event, "Anchor", "Bridge"), [Result.WHITE_WINS] * 10)
    return event


@pytest.mark.parametrize("paper_format", ["A4", "Letter"])
def test_a_card_and_a_line_up_take_a_sheet_each(page: Page, paper_format: str) -> None:
    address = "/tournaments/team-league/print/?round=1&sheets="
    assert len(paper(page, f"{address}match-cards", paper_format)) == 3
    assert len(paper(page, f"{address}line-ups", paper_format)) == 6
    assert len(paper(page, f"{address}standings&sheets=fixtures", paper_format)) == 2


def test_nothing_hangs_over_the_edge_of_the_paper(page: Page) -> None:
    print_on(page, f"/tournaments/team-league/print/?{EVERYTHING}", UPRIGHT)
    assert all(sheet.evaluate(FITS) for sheet in page.locator(".sheet").all())


def test_the_page_keeps_the_rules_of_the_others(open_context: Opened) -> None:
    addresses = [f"/tournaments/team-league/print/?{EVERYTHING}", "/tournaments/team-league/print/?round=3"]
    assert complaints_both_ways(open_context, addresses) == []
