"""The sheets as they leave the printer: how much paper they take, that nothing of the page around them is printed, and
that the page itself keeps every rule of the others."""

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from players.models import Player
from tests import factory
from tests.browser.conftest import DESK, Opened, sign_in, undisturbed
from tests.browser.judging import complaints_both_ways, too_wide
from tests.tournaments.event_pages.page_cases import (
    DRAW,
    WHITE,
    draw_cup,
    first_stage,
    keizer_club,
    make_event,
    play_bracket,
)
from tests.tournaments.printing.printing_cases import EVERY_SHEET
from tests.tournaments.swiss_events import make_swiss, play_rounds
from tournaments.models import Tournament
from tournaments.rounds.services.next_round import pair_next_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db, pytest.mark.usefixtures("events")]
EVERYTHING = "&".join(f"sheets={key}" for key in EVERY_SHEET)
TIEBREAKS = ("BH", "BH/C1", "SB", "DE", "WIN", "WON", "BPG", "BWG", "PS", "KS", "LOTS")
ACROSS = re.compile(rb"/MediaBox \[0 0 (\d+)[\d.]* (\d+)")
# A4 upright and across, less its margins, in pixels.
UPRIGHT, TURNED = 718, 1047
FITS = "sheet => sheet.scrollWidth <= sheet.clientWidth + 1"


@pytest.fixture(scope="module")
def people(world: None) -> list[Player]:
    factory.make_club()
    factory.make_list()
    return factory.make_players(64)


@pytest.fixture(scope="module")
def events(people: list[Player]) -> None:
    """Keizer competitions of sixty and of eight with their second round paired, a bracket of 64, Swisses, round robins
    by size."""
    for each in (
        keizer_club(people[:60], [[WHITE, DRAW] * 15]),
        keizer_club(people[:8], [[WHITE, DRAW] * 2], name="Evening"),
    ):
        pair_next_round(first_stage(each), by=None, day=factory.MONDAY, publish=True)
    play_bracket(draw_cup(people, name="Big", third_place=True), 2)
    draw_cup(people[:9])
    make_event([], "keizer", name="Empty")
    play_rounds(make_swiss(people[:30], rounds=9), 5, WHITE, DRAW)
    play_rounds(make_swiss(people, name="Wide", rounds=3), 1)
    factory.make_round_robin(people[:12])
    for count in (11, 13, 16, 20):
        factory.make_round_robin(people[:count], name=f"Robin {count}")


def decide_by(slug: str, count: int) -> None:
    """The event is decided by the first so many tie-breaks."""
    with undisturbed():
        Tournament.objects.filter(slug=slug).update(tiebreaks=",".join(TIEBREAKS[:count]))


def print_on(page: Page, address: str, width: int = UPRIGHT) -> None:
    page.goto(address)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": width, "height": 900})


def paper(page: Page, address: str, paper_format: str = "A4") -> list[tuple[int, int]]:
    """The sheets of paper the address takes: width and height of each, in points."""
    page.goto(address)
    sheet = page.pdf(prefer_css_page_size=True, format=paper_format)
    return [(int(width), int(height)) for width, height in ACROSS.findall(sheet)]


# The most sheets of paper sixty players may take.
LITTLE_PAPER = {
    "pairings": 1,
    "names": 1,
    "slips": 3,
    "board-cards": 8,
    "standings": 2,
    "crosstable": 2,
    "start-list": 1,
    "start-list-names": 1,
    "player-cards": 6,
    "blank-pairings": 2,
    "blank-crosstable": 2,
    "blank-standings": 2,
}
LARGE_TYPE = {"pairings": 2, "names": 3, "standings": 3}


def test_sixty_players_take_little_paper_and_large_type_a_little_more(page: Page) -> None:
    for sheet, most in LITTLE_PAPER.items():
        address = f"/tournaments/keizer/print/?round=2&sheets={sheet}"
        sheets = paper(page, address)
        assert 1 <= len(sheets) <= most, sheet
        assert all(width < height for width, height in sheets) or sheet == "crosstable", sheet
        if sheet in LARGE_TYPE:
            assert len(sheets) <= len(paper(page, f"{address}&size=large")) <= LARGE_TYPE[sheet], sheet


@pytest.mark.parametrize("paper_format", ["A4", "Letter"])
def test_every_sheet_begins_on_paper_of_its_own_and_both_sizes_will_do(page: Page, paper_format: str) -> None:
    chosen = ("pairings", "names", "slips", "standings", "calendar", "blank-crosstable")
    query = "&".join(f"sheets={key}" for key in chosen)
    assert len(paper(page, f"/tournaments/winter-cup/print/?{query}", paper_format)) == len(chosen)


def test_a_big_bracket_lies_across_and_the_sheets_beside_it_stand_upright(page: Page) -> None:
    sheets = paper(page, "/tournaments/big/print/?sheets=pairings&sheets=bracket")
    assert sheets[0][0] < sheets[0][1], "the pairings stand upright"
    assert all(width > height for width, height in sheets[1:]), "the bracket lies across"
    assert 2 <= len(sheets) <= 6


def test_the_calendar_of_sixteen_players_stays_on_one_sheet(page: Page) -> None:
    assert len(paper(page, "/tournaments/robin-16/print/?sheets=calendar")) == 1


def test_a_long_crosstable_is_turned(page: Page) -> None:
    sheets = paper(page, "/tournaments/robin-20/print/?sheets=pairings&sheets=crosstable")
    assert [width > height for width, height in sheets] == [False, True]


def test_a_crosstable_that_stands_upright_has_room(page: Page) -> None:
    for players, tiebreaks in ((16, 3), (13, 6), (11, 8)):
        decide_by(f"robin-{players}", tiebreaks)
        print_on(page, f"/tournaments/robin-{players}/print/?sheets=crosstable")
        assert page.locator(".sheet:not(.across)").evaluate(FITS), (players, tiebreaks)


@pytest.mark.parametrize("count", [4, 6, 11])
def test_every_tiebreak_is_printed_and_none_beyond_the_edge(page: Page, count: int) -> None:
    """Long tables are turned; their heads are all there, and nothing is broader than the paper."""
    decide_by("open", count)
    visible = (
        "heads => heads.filter(head => head.checkVisibility({visibilityProperty: true})).map(head => head.innerText)"
    )
    for sheet in ("standings", "crosstable", "crosstable-number"):
        page.goto(f"/tournaments/open/print/?sheets={sheet}")
        for medium in ("screen", "print"):
            page.emulate_media(media=medium)  # type: ignore[arg-type]
            turned = page.locator(".across").count()
            page.set_viewport_size({"width": TURNED if turned else UPRIGHT, "height": 900})
            heads = page.locator(".sheet thead abbr").evaluate_all(visible)
            assert heads == list(TIEBREAKS[:count]), (sheet, medium)
        assert page.locator(".sheet").evaluate(FITS), sheet


def test_a_head_that_repeats_is_covered_where_the_sheets_own_stands(page: Page) -> None:
    """Event and round stand over every further sheet of a long table, and once on the first."""
    for sheet in ("pairings", "names", "start-list", "crosstable"):
        page.emulate_media(media="screen")
        page.goto(f"/tournaments/wide/print/?sheets={sheet}")
        running = page.locator(".running")
        expect(running).to_be_hidden()
        page.emulate_media(media="print")
        page.set_viewport_size({"width": UPRIGHT, "height": 900})
        expect(running).to_be_attached()
        assert "Wide" in (running.text_content() or ""), sheet
        covered, open_below = running.evaluate(
            """line => {
                const box = line.closest("div"), cover = parseFloat(getComputedStyle(box, "::before").blockSize);
                const top = box.getBoundingClientRect().top, own = line.getBoundingClientRect();
                return [own.top >= top && own.bottom <= top + cover + 1, own.bottom + own.height > top + cover];
            }"""
        )
        assert covered, f"{sheet}: the line lies under the cover"
        assert open_below, f"{sheet}: the words of the head do not"


def test_paper_carries_the_sheets_and_nothing_around_them(page: Page) -> None:
    print_on(page, "/tournaments/winter-cup/print/?sheets=pairings")
    for around in (".masthead", ".tabs", "form", "h1", ".colophon"):
        expect(page.locator(around).first).to_be_hidden()
    expect(page.get_by_role("heading", name="Winter Cup")).to_be_visible()
    page.emulate_media(media="print", color_scheme="dark")
    sheet = page.locator(".sheet").first
    assert sheet.evaluate("box => getComputedStyle(box).color") == "rgb(0, 0, 0)"
    assert sheet.evaluate("box => getComputedStyle(box).backgroundColor") == "rgb(255, 255, 255)"


def test_no_card_and_no_line_is_cut_at_the_edge_of_the_paper(page: Page) -> None:
    """Nothing is broader than the sheet it stands on."""
    print_on(page, f"/tournaments/keizer/print/?round=2&{EVERYTHING}")
    sheets = page.locator(".sheet:not(.across)")
    assert sheets.count() > 10
    broad = "sheets => sheets.filter(s => s.scrollWidth > s.clientWidth + 1).map(s => s.className)"
    assert sheets.evaluate_all(broad) == []


def test_an_arbiter_prints_the_evenings_set_with_two_clicks(page: Page) -> None:
    page.goto("/tournaments/winter-cup/rounds/1/")
    page.get_by_role("link", name="Print this round").click()
    page.get_by_role("link", name="The evening’s set").click()
    expect(page.locator(".sheet")).to_have_count(4)
    expect(page.locator(".slip")).to_have_count(6)
    expect(page.get_by_role("link", name="The evening’s set")).to_have_attribute("aria-current", "page")


def test_an_arbiter_chooses_sheets_and_a_round_without_any_script(open_context: Opened, server: LiveServer) -> None:
    page = sign_in(open_context(java_script_enabled=False), server, factory.make_arbiter())
    event = Tournament.objects.get(slug="winter-cup")
    page.goto(f"/admin/tournaments/tournament/{event.pk}/rounds/")
    page.get_by_role("link", name="Print").click()
    page.get_by_label("Round", exact=True).select_option("3")
    page.get_by_role("checkbox", name="Result slips").check()
    page.get_by_role("checkbox", name="Pairings by board").uncheck()
    page.get_by_role("button", name="Show the sheets").click()
    expect(page.locator(".slip")).to_have_count(6)
    expect(page.locator(".sheet")).to_have_count(1)
    expect(page.get_by_role("checkbox", name="Result slips")).to_be_checked()


def test_the_print_page_breaks_no_rule_and_does_not_scroll_sideways(open_context: Opened) -> None:
    addresses = [f"/tournaments/{slug}/print/?{EVERYTHING}" for slug in ("evening", "winter-cup", "cup")]
    addresses += ["/tournaments/empty/print/"]
    assert complaints_both_ways(open_context, addresses) == []
    page = open_context(viewport=DESK)
    page.goto(f"{addresses[1]}&size=large")  # in the same colours
    assert too_wide(page) == []


RUNNING = """() => {
  const ruled = rule =>
    rule.cssRules && !(rule instanceof CSSPageRule) ? [...rule.cssRules].flatMap(ruled) : [rule.cssText];
  const rules = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]).flatMap(ruled);
  const head = rules.filter(text => text.startsWith("@page {")).at(-1);
  const running = getComputedStyle(document.documentElement).getPropertyValue("--running");
  return head.includes("var(--running)") ? running : "";
}"""


def test_every_sheet_of_an_ordinary_page_says_what_it_is_from(page: Page) -> None:
    """In the margin: title, club and day; the sheets of the print page have heads of their own."""
    heads = {}
    for address in ("/tournaments/winter-cup/standings/", "/ru/ratings/standard/", "/tournaments/winter-cup/print/"):
        page.goto(address)
        page.emulate_media(media="print")
        heads[address] = page.evaluate(RUNNING)
    standings, ratings, sheets = heads.values()
    assert standings.startswith('"Standings, Winter Cup · Test Club · '), standings
    assert ratings.endswith(' г."'), "the day as the page's language writes it"
    assert sheets == ""


def test_the_pages_themselves_print_well_too(page: Page) -> None:
    keizer, cup = "/tournaments/keizer/", "/tournaments/winter-cup/"
    most = {f"{keizer}standings/": 2, f"{keizer}rounds/2/": 2}
    most |= {"/tournaments/robin-20/standings/": 1, f"{cup}crosstable/": 1, f"{cup}calendar/": 2, f"{cup}standings/": 1}
    taken = {address: len(paper(page, address)) for address in most}
    assert {address: count for address, count in taken.items() if not 1 <= count <= most[address]} == {}
