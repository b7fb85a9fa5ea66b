"""The pages of every format in a real browser: a bracket of 64, groups, Keizer, a ladder. None breaks an accessibility
rule or scrolls sideways, the bracket's heads stay, and print takes a sheet across."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from players.models import Player
from ratings.lists.services import NewStart
from tests import factory
from tests.browser.conftest import Opened, undisturbed
from tests.browser.judging import broken_rules, complaints_both_ways, too_wide
from tests.tournaments.event_pages.page_cases import (
    BLACK,
    DRAW,
    WHITE,
    draw_cup,
    form_groups,
    keizer_club,
    make_event,
    match_of,
    play_bracket,
    play_match,
    team_match,
)
from tests.tournaments.events.open_events import big_swiss, small_swiss
from tests.tournaments.teams.team_cases import make_match_of, play
from tournaments.free_play.services import record_free_game
from tournaments.models import Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.teams.services.events import create_league
from tournaments.teams.services.matches import penalise

pytestmark = [pytest.mark.browser, pytest.mark.django_db, pytest.mark.usefixtures("every_format")]
BRACKET = "/tournaments/big/bracket/"
ADDRESSES = (
    BRACKET,
    "/tournaments/big/rounds/1/",
    "/tournaments/big/standings/",
    "/tournaments/small/bracket/",
    "/tournaments/cup/",
    "/tournaments/cup/rounds/1/?order=name",
    "/tournaments/cup/entries/",
    "/tournaments/keizer/",
    "/tournaments/match/",
    "/tournaments/ladder/",
    "/tournaments/",
    "/tournaments/open/",
    "/tournaments/open/standings/",
    "/tournaments/open/crosstable/",
    "/tournaments/open/crosstable/?order=number",
    "/tournaments/open/progress/",
    "/tournaments/open/rounds/1/",
    "/tournaments/open/entries/1/",
    "/tournaments/open/entries/3/",
    "/tournaments/big/entries/1/",
    "/tournaments/cup/entries/3/",
    "/tournaments/keizer/entries/7/",
    *(f"/tournaments/team-league/{page}" for page in ("", "standings/", "crosstable/", "matches/", "matches/1/1/")),
    *(f"/tournaments/team-league/{page}" for page in ("rounds/1/", "teams/", "teams/1/", "players/")),
    "/leagues/city-league/",
)

LONG_NAMES = (
    "Featherstonehaugh-Quillfeather, Bartholomew",
    "Schwarzenberger, Annegret",
    "Papadopoulos, Konstantinos",
    "Li, Bo",
)


@pytest.fixture(scope="module")
def people(world: None) -> list[Player]:
    """64 people with names of every length; every seventh is on probation."""
    factory.make_club()
    standard = factory.make_list()
    players = factory.make_players(64)
    starts = [
        NewStart(player.pk, factory.MONDAY, 2000.0 - player.number, 5 if player.number % 7 == 0 else 60)
        for player in players
    ]
    bring_starting_ratings(standard, starts, by=None)
    return players


@pytest.fixture(scope="module")
def big(people: list[Player]) -> Tournament:
    cup = draw_cup(people, name="Big", third_place=True)
    play_bracket(cup, 3)
    return cup


@pytest.fixture(scope="module")
def every_format(big: Tournament, people: list[Player]) -> None:
    small = draw_cup(people[:13], name="Small", games=2, extra="rapid2 blitz2 armageddon1", third_place=True)
    play_match(small, 1, 2, DRAW, DRAW, WHITE, DRAW)
    play_match(small, 1, 3, DRAW)
    form_groups(people[:8])
    keizer_club(people[:7], [[WHITE, DRAW, BLACK], [DRAW, WHITE, WHITE]])
    team_match(people[:8])
    swiss = small_swiss("BH/C1,BH,SB,DE,WIN,PS,ARO,TPR,KS,BPG")
    swiss.entries.filter(number=2).update(rating_games=3, rating_list="standard")
    ladder = make_event(people[:6], "ladder", name="Ladder")
    record_free_game(ladder, people[3], people[1], WHITE, factory.MONDAY + timedelta(days=90), by=None)
    league = create_league("City League", by=None)
    match = make_match_of((people[:5], people[5:9]), boards=4, league_id=league.pk, promoted=1, relegated=1)
    play(match, [WHITE, DRAW, BLACK])
    penalise(match.home_id, by=None, reason="Late card", match_points=-1)


def test_no_format_breaks_wcag_and_none_scrolls_sideways(open_context: Opened) -> None:
    assert complaints_both_ways(open_context, ADDRESSES) == []


def test_no_width_scrolls_a_swiss_sideways(open_context: Opened) -> None:
    event = big_swiss(8, rounds=7)
    for entry, name in zip(event.entries.select_related("player"), LONG_NAMES, strict=False):
        Player.objects.filter(pk=entry.player_id).update(name=name)
    event.entries.update(rating=1874, rating_games=3, rating_list="standard")
    page, wide = open_context(viewport={"width": 320, "height": 900}), []
    for tiebreaks in ("BH/C1,BH,SB,DE", "BH/C1,BH,SB,DE,WIN,PS,ARO,TPR,BPG,WON,BH/M1"):
        with undisturbed():
            Tournament.objects.filter(pk=event.pk).update(name="hb2026_rookies_juniors_cup", tiebreaks=tiebreaks)
        for part in ("", "standings/", "calendar/", "rounds/1/"):
            page.goto(f"/tournaments/big-open/{part}")
            widths = (320, 365, 390, 480, 635, 700, 768, 905, 1055, 1280)
            wide += [f"{part} with {tiebreaks}: {fault}" for fault in too_wide(page, widths)]
    assert wide == []


def test_a_tiebreak_that_left_the_table_stands_under_the_name(page: Page) -> None:
    for width in (390, 900):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto("/tournaments/open/standings/")
        row = page.locator("tbody tr").first
        expect(row.locator(".ties a:visible", has_text="WIN")).to_have_count(1)
        assert row.locator("a.worth:visible").count() == row.locator("td a.worth").count()


def test_a_phone_shows_the_board(phone_page: Page) -> None:
    phone_page.goto("/tournaments/open/rounds/1/")
    board = phone_page.locator("[aria-labelledby=round] tbody td").first
    expect(board).to_have_text("1")
    expect(board).to_be_visible()


def test_a_printed_card_tells_black_from_white(page: Page) -> None:
    page.goto("/tournaments/open/entries/1/")
    shown = "side => [getComputedStyle(side).backgroundColor, getComputedStyle(side).printColorAdjust]"
    for scheme in ("light", "dark"):
        page.emulate_media(media="print", color_scheme=scheme)  # type: ignore[arg-type]
        assert page.locator(".side.black").first.evaluate(shown) == ["rgb(0, 0, 0)", "exact"]
        assert page.locator(".side:not(.black)").first.evaluate(shown) == ["rgb(255, 255, 255)", "exact"]


def test_the_heads_of_a_big_bracket_stay_while_it_scrolls_in_its_own_frame(page: Page) -> None:
    page.goto(BRACKET)
    frame, head = page.locator(".bracket-scroll"), page.locator("#round-1 h3")
    page.evaluate("document.querySelector('.bracket-scroll').scrollTop = 900")
    top = frame.evaluate("box => box.getBoundingClientRect().top")
    assert head.evaluate("head => head.getBoundingClientRect().top") == pytest.approx(top, abs=2)


def test_the_lines_of_a_big_bracket_lead_to_the_middle_of_the_next_match(page: Page, big: Tournament) -> None:
    """Whoever follows a line finds the match: a match stands half-way between the two that feed it. At a desk no word
    says so."""
    page.goto(BRACKET)
    expect(page.locator(".feeds").first).to_be_hidden()
    middles = page.locator("[id^=match-]").evaluate_all(
        "boxes => boxes.map(box => [box.id, box.getBoundingClientRect()]).map(([id, r]) => [id, r.top + r.height / 2])"
    )
    middle = dict(middles)
    for number in range(1, 6):
        for slot in range(1, 2 ** (6 - number) // 2 + 1):
            feeding = ((number, 2 * slot - 1), (number, 2 * slot), (number + 1, slot))
            first, second, after = (middle[f"match-{match_of(big, *where).pk}"] for where in feeding)
            assert (first + second) / 2 == pytest.approx(after, abs=3), (number, slot)


def test_on_a_phone_a_pair_says_where_its_winners_meet(phone_page: Page, big: Tournament) -> None:
    phone_page.goto(BRACKET)
    feeds = phone_page.locator("#round-4 .feeds a").first
    expect(feeds).to_be_visible()
    expect(feeds).to_have_text("SF 1")
    feeds.click()
    expect(phone_page.locator(f"#match-{match_of(big, 5, 1).pk}")).to_be_in_viewport()


def test_on_a_phone_the_tab_one_is_on_is_on_the_screen(phone_page: Page) -> None:
    for part in ("", "bracket/", "entries/", "calendar/", "files/"):
        phone_page.goto(f"/tournaments/big/{part}")
        box = phone_page.locator(".tabs [aria-current], .menu:has([aria-current]) summary").bounding_box()
        assert box is not None, part
        assert 0 <= box["x"] <= box["x"] + box["width"] <= phone_page.evaluate("innerWidth"), part


def test_a_big_bracket_prints_on_few_sheets_across(page: Page) -> None:
    page.goto(BRACKET)
    sheet = page.pdf(prefer_css_page_size=True)
    sizes = sheet.count(b"/MediaBox [0 0 792 612]") + sheet.count(b"/MediaBox [0 0 841")
    assert sizes == sheet.count(b"/MediaBox"), "every sheet lies across"
    assert 2 <= sheet.count(b"/MediaBox") <= 6


def test_a_site_that_is_named_shows_a_page_in_a_frame_and_no_other_does(
    page: Page, server: LiveServer, settings: Settings, page_faults: list[str]
) -> None:
    settings.EMBED_HOSTS = ["named.example"]
    pages = ("events/big/pairings", "events/open/standings", "events/team-league/standings", "ratings/standard")
    page.set_viewport_size({"width": 300, "height": 600})
    for address in pages:
        page.goto(f"/embed/{address}/")
        assert not broken_rules(page) + too_wide(page, (300,)), address

    with another_site(f'<iframe src="{server.url}/embed/events/open/standings/"></iframe>') as port:
        settings.EMBED_HOSTS = [f"127.0.0.1:{port}"]
        page.goto(f"http://127.0.0.1:{port}/")
        heading = page.frame_locator("iframe").get_by_role("heading", name="Open")
        with page.context.expect_page() as opened:
            heading.get_by_role("link").click()
        opened.value.wait_for_load_state()
        assert opened.value.evaluate("window.opener") is None
        opened.value.close()
        assert not [fault for fault in page_faults if "frame-ancestors" in fault]
        page.goto(f"http://localhost:{port}/")
        expect(heading).to_have_count(0)
        assert [fault for fault in page_faults if "frame-ancestors" in fault]
    page_faults.clear()


@contextmanager
def another_site(body: str) -> Iterator[int]:
    """A site that is not ours with one page, on that port of this machine."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<!doctype html><title>Club</title>{body}".encode())

        def log_message(self, *_words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as site:
        Thread(target=site.serve_forever, daemon=True).start()
        yield site.server_port
        site.shutdown()
