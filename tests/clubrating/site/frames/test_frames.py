"""Pages in frames of other sites: for whom they are there, how they are kept, and the line that officers copy."""

import html
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from players.models import Player
from tests import factory
from tests.desk_scene import client_of
from tests.tournaments.event_pages import page_cases
from tests.tournaments.teams.team_cases import make_match_of
from tournaments.models import Tournament
from tournaments.rounds.services.next_round import pair_next_round

pytestmark = pytest.mark.django_db

LIST, STANDINGS, PAIRINGS = "/embed/ratings/standard/", "/embed/events/cup/standings/", "/embed/events/cup/pairings/"


@pytest.fixture(scope="module")
def people(world: None) -> list[Player]:
    factory.make_club()
    factory.make_list()
    return factory.make_players(4)


@pytest.fixture
def cup(people: list[Player], settings: Settings) -> Tournament:
    settings.EMBED_HOSTS = ["www.example.org"]
    return page_cases.make_event(people, "dutch", rounds=3)


def test_without_a_host_there_are_no_such_pages_and_no_line_to_copy(cup: Tournament, settings: Settings) -> None:
    desk = client_of(factory.make_arbiter())
    line = f'<iframe src="http://testserver/ru{STANDINGS}" title="Cup: Положение"'
    assert line in html.unescape(desk.get("/ru/tournaments/cup/files/").text)
    assert f'src="http://testserver{LIST}"' in html.unescape(desk.get("/ratings/standard/").text)
    assert "iframe" not in Client().get("/tournaments/cup/files/").text
    Tournament.objects.update(name='A & "B"><script>')
    escaped = 'title="A &amp; &quot;B&quot;&gt;&lt;script&gt;: Standings"'
    assert escaped in html.unescape(desk.get("/tournaments/cup/files/").text), "what a browser shows can be copied"
    settings.EMBED_HOSTS = []
    assert [Client().get(address).status_code for address in (LIST, STANDINGS, PAIRINGS)] == [404] * 3
    assert "iframe" not in desk.get("/tournaments/cup/files/").text


def test_a_frame_waits_for_the_first_round_and_follows_the_rounds(cup: Tournament) -> None:
    assert "No round is paired yet." in page_cases.text_of(Client(), PAIRINGS)
    pair_next_round(page_cases.first_stage(cup), by=None, day=factory.MONDAY, publish=False)
    assert "No round is paired yet." in page_cases.text_of(client_of(factory.make_arbiter()), PAIRINGS)  # a draft
    page_cases.first_stage(cup).rounds.update(state="published")
    shown = page_cases.text_of(Client(), PAIRINGS)
    assert shown == page_cases.text_of(Client(), f"{PAIRINGS}?round=1")
    assert "Ada Alvarez" in shown
    for never in ("<nav", "<form", "<script", "/absent/", "/print/"):
        assert never not in shown
    for wrong in ("2", "x", ""):
        assert Client().get(f"{PAIRINGS}?round={wrong}").status_code == 404


def test_matches_and_the_table_of_teams_are_framed_too(people: list[Player], settings: Settings) -> None:
    settings.EMBED_HOSTS = ["www.example.org"]
    event = make_match_of((people[:2], people[2:])).round.stage.tournament
    for part in ("standings", "pairings"):
        shown = page_cases.text_of(Client(), f"/embed/events/{event.slug}/{part}/")
        assert '<base target="_blank">' in shown
        assert "<nav" not in shown
    assert Client().get(f"/embed/events/{event.slug}/pairings/?round=2").status_code == 404


def test_a_page_that_is_kept_or_unchanged_may_be_framed_as_when_it_was_made(
    cup: Tournament, settings: Settings, tmp_path: Path
) -> None:
    locmem = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": str(tmp_path)}
    settings.CACHES = {**settings.CACHES, "pages": locmem}
    made, kept = Client().get(STANDINGS), Client().get(STANDINGS)
    unchanged = Client().get(STANDINGS, headers={"If-None-Match": made.headers["ETag"]})
    assert (kept.status_code, unchanged.status_code) == (200, 304)
    for answer in (made, kept, unchanged):
        assert "frame-ancestors www.example.org;" in answer.headers["Content-Security-Policy"] + ";"
        assert "X-Frame-Options" not in answer.headers
