"""The sheets as they leave the printer: how much paper they take, that nothing of the page around them is printed, and
that the page itself keeps every rule of the others."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from players.models import Player
from tests import factory
from tests.browser.test_club_night import complaints, sign_in
from tests.tournaments.page_cases import DRAW, WHITE, draw_cup, first_stage, keizer_club, make_event, play_bracket
from tests.tournaments.printing_cases import EVERY_SHEET
from tests.tournaments.swiss_events import make_swiss, play_rounds
from tournaments.models import Tournament
from tournaments.services.next_round import pair_next_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
EVERYTHING = "&".join(f"sheets={key}" for key in EVERY_SHEET)
TIEBREAKS = ("BH", "BH/C1", "SB", "DE", "WIN", "WON", "BPG", "BWG", "PS", "KS", "LOTS")
ACROSS = re.compile(rb"/MediaBox \[0 0 (\d+)[\d.]* (\d+)")


@pytest.fixture
def people(live_server: LiveServer) -> list[Player]:
    factory.make_club()
    factory.make_list()
    return factory.make_players(64)


@pytest.fixture
def hall(people: list[Player]) -> Tournament:
    """Sixty players, the second round paired."""
    event = keizer_club(people[:60], [[WHITE, DRAW] * 15])
    pair_next_round(first_stage(event), by=None, day=factory.MONDAY, publish=True)
    return event


@pytest.fixture
def robin(people: list[Player]) -> Tournament:
    return factory.make_round_robin(people[:12])


@pytest.fixture
def bracket(people: list[Player]) -> Tournament:
    cup = draw_cup(people, name="Big", third_place=True)
    play_bracket(cup, 2)
    return cup


def paper(page: Page, address: str, paper_format: str = "A4") -> list[tuple[int, int]]:
    """The sheets of paper the address takes: width and height of each, in points."""
    page.goto(address)
    sheet = page.pdf(prefer_css_page_size=True, format=paper_format)
    return [(int(width), int(height)) for width, height in ACROSS.findall(sheet)]


@pytest.mark.parametrize(
    ("sheet", "most"),
    [
        ("pairings", 1),
        ("names", 1),
        ("slips", 3),
        ("board-cards", 8),
        ("standings", 2),
        ("crosstable", 2),
        ("start-list", 1),
        ("start-list-names", 1),
        ("player-cards", 6),
        ("blank-pairings", 2),
        ("blank-crosstable", 2),
        ("blank-standings", 2),
    ],
)
def test_sixty_players_take_little_paper(page: Page, hall: Tournament, sheet: str, most: int) -> None:
    sheets = paper(page, f"/tournaments/keizer/print/?round=2&sheets={sheet}")
    assert 1 <= len(sheets) <= most
    assert all(width < height for width, height in sheets) or sheet == "crosstable"


@pytest.mark.parametrize(("sheet", "most"), [("pairings", 2), ("names", 3), ("standings", 3)])
def test_large_type_takes_a_little_more(page: Page, hall: Tournament, sheet: str, most: int) -> None:
    address = f"/tournaments/keizer/print/?round=2&sheets={sheet}"
    normal, large = paper(page, address), paper(page, f"{address}&size=large")
    assert len(normal) <= len(large) <= most


@pytest.mark.parametrize("paper_format", ["A4", "Letter"])
def test_every_sheet_begins_on_paper_of_its_own_and_both_sizes_will_do(
    page: Page, robin: Tournament, paper_format: str
) -> None:
    chosen = ("pairings", "names", "slips", "standings", "calendar", "blank-crosstable")
    query = "&".join(f"sheets={key}" for key in chosen)
    assert len(paper(page, f"/tournaments/winter-cup/print/?{query}", paper_format)) == len(chosen)


def test_a_big_bracket_lies_across_and_the_sheets_beside_it_stand_upright(page: Page, bracket: Tournament) -> None:
    sheets = paper(page, "/tournaments/big/print/?sheets=pairings&sheets=bracket")
    assert sheets[0][0] < sheets[0][1], "the pairings stand upright"
    assert all(width > height for width, height in sheets[1:]), "the bracket lies across"
    assert 2 <= len(sheets) <= 6


def test_the_calendar_of_sixteen_players_stays_on_one_sheet(page: Page, people: list[Player]) -> None:
    factory.make_round_robin(people[:16])
    assert len(paper(page, "/tournaments/winter-cup/print/?sheets=calendar")) == 1


@pytest.mark.parametrize(("players", "tiebreaks"), [(16, 3), (13, 6), (11, 8)])
def test_a_crosstable_that_stands_upright_has_room(
    page: Page, people: list[Player], players: int, tiebreaks: int
) -> None:
    factory.make_round_robin(people[:players])
    Tournament.objects.update(tiebreaks=",".join(TIEBREAKS[:tiebreaks]))
    page.goto("/tournaments/winter-cup/print/?sheets=crosstable")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 900})
    box = page.locator(".sheet:not(.across)")
    assert box.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth + 1")


def test_a_long_crosstable_is_turned(page: Page, people: list[Player]) -> None:
    factory.make_round_robin(people[:20])
    sheets = paper(page, "/tournaments/winter-cup/print/?sheets=pairings&sheets=crosstable")
    assert [width > height for width, height in sheets] == [False, True]


@pytest.mark.parametrize("count", [4, 6, 11])
def test_every_tiebreak_is_printed_and_none_beyond_the_edge(page: Page, people: list[Player], count: int) -> None:
    """Long tables are turned; their heads are all there, and nothing is broader than the paper."""
    play_rounds(make_swiss(people[:30], rounds=9), 5, WHITE, DRAW)
    Tournament.objects.update(tiebreaks=",".join(TIEBREAKS[:count]))
    for sheet in ("standings", "crosstable", "crosstable-number"):
        page.goto(f"/tournaments/open/print/?sheets={sheet}")
        heads = page.locator(".sheet thead abbr")
        for medium in ("screen", "print"):
            page.emulate_media(media=medium)
            page.set_viewport_size({"width": 1047 if page.locator(".across").count() else 718, "height": 900})
            assert [head.inner_text() for head in heads.all() if head.is_visible()] == list(TIEBREAKS[:count])
        box = page.locator(".sheet")
        assert box.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth + 1"), sheet


@pytest.mark.parametrize("sheet", ["pairings", "names", "start-list", "crosstable"])
def test_a_head_that_repeats_is_covered_where_the_sheets_own_stands(
    page: Page, people: list[Player], sheet: str
) -> None:
    """Event and round stand over every further sheet of a long table, and once on the first."""
    play_rounds(make_swiss(people, rounds=3), 1)
    page.goto(f"/tournaments/open/print/?sheets={sheet}")
    running = page.locator(".running")
    expect(running).to_be_hidden()
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 900})
    expect(running).to_be_attached()
    assert "Open" in (running.text_content() or "")
    covered, open_below = running.evaluate(
        """line => {
            const box = line.closest("div"), cover = parseFloat(getComputedStyle(box, "::before").blockSize);
            const top = box.getBoundingClientRect().top, own = line.getBoundingClientRect();
            return [own.top >= top && own.bottom <= top + cover + 1, own.bottom + own.height > top + cover];
        }"""
    )
    assert covered, "the line lies under the cover"
    assert open_below, "the words of the head do not"


def test_paper_carries_the_sheets_and_nothing_around_them(page: Page, robin: Tournament) -> None:
    page.goto("/tournaments/winter-cup/print/?sheets=pairings")
    page.emulate_media(media="print")
    for around in (".masthead", ".tabs", "form", "h1", ".colophon"):
        expect(page.locator(around).first).to_be_hidden()
    expect(page.get_by_role("heading", name="Winter Cup")).to_be_visible()
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".sheet").first.evaluate("box => getComputedStyle(box).color") == "rgb(0, 0, 0)"
    assert page.locator(".sheet").first.evaluate("box => getComputedStyle(box).backgroundColor") == "rgb(255, 255, 255)"


def test_no_card_and_no_line_is_cut_at_the_edge_of_the_paper(page: Page, hall: Tournament) -> None:
    """Nothing is broader than the sheet it stands on."""
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 less its margins
    page.goto(f"/tournaments/keizer/print/?round=2&{EVERYTHING}")
    page.emulate_media(media="print")
    broad = page.evaluate(
        "[...document.querySelectorAll('.sheet:not(.across)')].filter(s => s.scrollWidth > s.clientWidth + 1)"
        ".map(s => s.className)"
    )
    assert broad == []


def test_an_arbiter_prints_the_evenings_set_with_two_clicks(page: Page, robin: Tournament) -> None:
    page.goto("/tournaments/winter-cup/rounds/1/")
    page.get_by_role("link", name="Print this round").click()
    page.get_by_role("link", name="The evening’s set").click()
    expect(page.locator(".sheet")).to_have_count(4)
    expect(page.locator(".slip")).to_have_count(6)
    expect(page.get_by_role("link", name="The evening’s set")).to_have_attribute("aria-current", "page")


def test_an_arbiter_chooses_sheets_and_a_round_without_any_script(page: Page, robin: Tournament) -> None:
    factory.make_arbiter()
    sign_in(page)
    page.goto(f"/admin/tournaments/tournament/{robin.pk}/rounds/")
    page.get_by_role("link", name="Print").click()
    page.get_by_label("Round", exact=True).select_option("3")
    page.get_by_role("checkbox", name="Result slips").check()
    page.get_by_role("checkbox", name="Pairings by board").uncheck()
    page.get_by_role("button", name="Show the sheets").click()
    expect(page.locator(".slip")).to_have_count(6)
    expect(page.locator(".sheet")).to_have_count(1)
    expect(page.get_by_role("checkbox", name="Result slips")).to_be_checked()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_print_page_breaks_no_rule_and_does_not_scroll_sideways(
    open_context: Callable[..., Page], hall: Tournament, scheme: str, width: int
) -> None:
    make_event([], "keizer", name="Empty")
    factory.make_round_robin(list(Player.objects.order_by("number")[:12]))
    draw_cup(list(Player.objects.order_by("number")[:9]))
    page = open_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    addresses = [f"/tournaments/{slug}/print/?{EVERYTHING}" for slug in ("keizer", "winter-cup", "cup")]
    assert complaints(page, [*addresses, "/tournaments/empty/print/", f"{addresses[1]}&size=large"]) == []


@pytest.mark.parametrize(
    ("address", "most"),
    [
        ("/tournaments/keizer/standings/", 2),
        ("/tournaments/keizer/rounds/2/", 2),
        ("/tournaments/winter-cup/crosstable/", 1),
        ("/tournaments/winter-cup/calendar/", 2),
        ("/tournaments/winter-cup/standings/", 1),
    ],
)
def test_the_pages_themselves_print_well_too(
    page: Page, hall: Tournament, robin: Tournament, address: str, most: int
) -> None:
    assert 1 <= len(paper(page, address)) <= most
