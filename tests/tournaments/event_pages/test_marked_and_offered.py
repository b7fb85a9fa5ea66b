"""A draft is marked wherever officers see it, a public round nowhere; a running event alone offers what it offers."""

from datetime import timedelta

import pytest
from django.test import Client

from players.club.services import update_club
from tests import factory
from tests.players.links.link_cases import switch_links_on
from tests.tournaments.teams.team_cases import make_team_event
from tournaments.events.services.closing import close_event
from tournaments.events.services.events import update_tournament
from tournaments.models import Round, Tournament

pytestmark = pytest.mark.django_db
DRAFT, ON_PAPER = "draft, only officers see it", "DRAFT</b>"


@pytest.fixture(scope="module", autouse=True)
def cup(world: None) -> Tournament:
    """Three rounds, the last of them today."""
    factory.make_club()
    factory.make_list()
    return factory.make_round_robin(factory.make_players(4), first_day=factory.today() - timedelta(days=14))


def marks(client: Client, path: str, words: str = DRAFT) -> int:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.text.count(words)


@pytest.mark.extended
@pytest.mark.parametrize(
    ("kind", "every", "sheets"),
    [
        ("players", "calendar/", ("pairings", "slips", "board-cards", "calendar", "blank-results")),
        ("teams", "matches/", ("match-cards", "line-ups", "fixtures")),
    ],
)
def test_a_draft_is_marked_on_every_page_and_sheet_and_a_public_round_on_none(
    client: Client, cup: Tournament, kind: str, every: str, sheets: tuple[str, ...]
) -> None:
    event = make_team_event() if kind == "teams" else cup
    client.force_login(factory.make_arbiter())
    home = f"/tournaments/{event.slug}/"
    pages = {"its own": f"{home}rounds/2/", "every round": f"{home}{every}", "the event": home}
    papers = {sheet: f"{home}print/?round=2&sheets={sheet}" for sheet in sheets}

    def marked() -> set[str]:
        found = {name for name, page in pages.items() if marks(client, page)}
        return found | {name for name, paper in papers.items() if marks(client, paper, ON_PAPER)}

    assert marked() == set()
    Round.objects.filter(stage__tournament=event, number=2).update(state=Round.State.DRAFT)
    assert marked() == {"its own", "every round", *sheets}
    assert marks(client, pages["every round"]) == 1
    assert marks(client, f"{home}rounds/1/") == 0
    papers = {name: paper.replace("round=2", "round=1") for name, paper in papers.items()}
    assert marked() == {"its own", "every round", *{"calendar", "fixtures", "blank-results"} & set(sheets)}


def test_nobody_is_absent_and_reports_where_the_event_is_over(client: Client, cup: Tournament) -> None:
    """On the page of the event and on that of a round."""
    absent, report = "I’m absent", "Report my result"
    pages = (f"/tournaments/{cup.slug}/", f"/tournaments/{cup.slug}/rounds/1/")

    def offered() -> list[tuple[bool, bool]]:
        return [(absent in text, report in text) for text in (client.get(page).text for page in pages)]

    assert offered() == [(True, False)] * 2
    switch_links_on()
    assert offered() == [(True, False)] * 2, "the arbiters enter the results"
    cup = update_tournament(cup.pk, {"player_results": "agreed"}, by=None)
    assert offered() == [(True, True)] * 2
    update_club({"personal_links": False}, by=None)
    assert offered() == [(True, False)] * 2, "no device is known"
    switch_links_on()
    assert "I’m absent tonight" in client.get("/").text
    factory.play_all(cup)
    close_event(cup, by=None)
    assert offered() == [(False, False)] * 2
    assert "I’m absent tonight" not in client.get("/").text


def test_of_teams_nobody_is_absent_where_the_event_is_over(client: Client) -> None:
    league = make_team_event()
    page = f"/tournaments/{league.slug}/"
    assert "I’m absent" in client.get(page).text
    Tournament.objects.filter(pk=league.pk).update(closed=True)
    assert "I’m absent" not in client.get(page).text
