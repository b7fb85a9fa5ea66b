"""Ten journeys through the demo club, as people make them: on a phone and at a desk, in the light and in the dark, with
scripts and without; in the other languages on a phone with scripts.

A journey goes by addresses and roles, not by words, so that it is the same in every language. Whatever page it passes
is in the reader's language, light and dark as wished, and must not be wider than the window, log an error, or ask
another host for anything.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Error, Page, expect

from clubrating.web.languages import path_in
from tests.browser.conftest import DESK, PHONE, Opened
from tests.demo_site import PASS_PHRASE

pytestmark = pytest.mark.browser
Journey = Callable[["Reader"], None]
# The language a page says it is in, how much wider than the window it is, and whether its paper is dark.
SEEN = """() => {
  const paper = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).map(Number);
  const root = document.documentElement;
  return [root.lang, Math.max(root.scrollWidth - root.clientWidth, 0), Math.max(...paper.slice(0, 3)) < 128];
}"""


class Reader:
    """Somebody who reads the club's pages in one language, in the light or in the dark."""

    def __init__(self, page: Page, code: str, scheme: str) -> None:
        self.page, self.code, self.scheme = page, code, scheme

    def open(self, path: str) -> None:
        self.page.goto(path_in(path, self.code))
        self.look()

    def follow(self, pattern: str, within: str = "main") -> None:
        """Click the first link whose address matches the CSS pattern, e.g. `[href$="/ratings/"]`."""
        before = self.page.url
        self.page.locator(f"{within} a{pattern}:visible").first.click()
        self.page.wait_for_url(lambda url: url != before)
        self.look()

    def send(self, form: str, **values: str) -> None:
        """Fill the fields of a form by their names, and press its button."""
        for name, value in values.items():
            self.page.locator(f"{form} [name={name}]").fill(value)
        with self.page.expect_navigation():
            self.page.locator(form).locator("button, [type=submit]").first.click()
        self.look()

    def look(self) -> None:
        """In the light and in the dark; then the page is as its reader wishes it."""
        for scheme in (OTHER[self.scheme], self.scheme):
            self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            language, too_wide, is_dark = self.page.evaluate(SEEN)
            assert (language, too_wide, is_dark) == (self.code, 0, scheme == "dark"), (self.page.url, scheme)


def find_my_rating(reader: Reader) -> None:
    """Home, the list, my name, my page, and why my last game brought what it brought."""
    reader.open("/")
    reader.follow('[href$="/ratings/"]', ".nav")
    name = reader.page.locator("tbody tr th a.name").nth(3).inner_text()
    reader.page.locator("main [role=search] [name=q]").fill(name)
    reader.page.keyboard.press("Enter")
    expect(reader.page.locator("tbody tr")).to_have_count(1)
    reader.follow('.name[href*="/players/"]', "tbody")
    expect(reader.page.locator("h1")).to_contain_text(name)
    reader.follow('[href*="/why/"]')
    expect(reader.page.locator(".steps > li").first).to_be_visible()


def look_at_an_earlier_list(reader: Reader) -> None:
    """The list as it was published: its first day is another page than today's."""
    reader.open("/ratings/standard/")
    today = reader.page.locator("h1").inner_text()
    reader.follow('[href*="?on="]')
    expect(reader.page.locator("h1")).not_to_have_text(today)
    expect(reader.page.locator("tbody tr").first).to_be_visible()


def follow_an_event(reader: Reader) -> None:
    """Events, one of them, its standings, its crosstable, a round."""
    reader.open("/")
    reader.follow('[href$="/tournaments/"]', ".nav")
    reader.follow('[href*="/tournaments/"]', "tbody")
    for page in ("standings", "crosstable"):
        reader.follow(f'[href$="/{page}/"]')
        expect(reader.page.locator("tbody tr").first).to_be_visible()
    reader.follow('[href*="/rounds/"]')
    expect(reader.page.locator(".result").first).to_be_visible()


def compare_two_players(reader: Reader) -> None:
    """The best of the list and whom he met most: both names stand over their games."""
    reader.open("/ratings/standard/")
    reader.follow('.name[href*="/players/"]', "tbody")
    own = reader.page.locator("h1").inner_text().split()[-1]
    reader.follow('[href*="/vs/"]')
    expect(reader.page.locator("h1")).to_contain_text(own)
    expect(reader.page.locator("tbody .result").first).to_be_visible()


def calculate(reader: Reader) -> None:
    """Tools, the calculator, two ratings: 2344 against 2777 may expect 0.076 of a point."""
    reader.open("/")
    reader.follow('[href*="/tools/"]', ".nav")
    reader.follow('[href*="/tools/elo/"]')
    reader.send("main form", a="2344", b="2777")
    expect(reader.page.locator("main table").last).to_contain_text(re.compile("0[.,]076"))


def build_a_schedule(reader: Reader) -> None:
    """Five names make five rounds, and the site's own frame is not printed with them."""
    reader.open("/tools/schedule/")
    reader.send("main form", names="Anna\nБорис\n陈思远\nDora\nEmil")
    expect(reader.page.locator(".berger tbody tr")).to_have_count(5)
    for name in ("Anna", "Борис", "陈思远", "Dora", "Emil"):
        expect(reader.page.locator(".crosstable")).to_contain_text(name)
    reader.page.emulate_media(media="print")
    expect(reader.page.locator(".nav")).to_be_hidden()
    expect(reader.page.locator(".crosstable")).to_be_visible()


def draw_a_bracket(reader: Reader) -> None:
    reader.open("/tools/bracket/")
    reader.send("main form", names="Anna\nBea\nCleo\nDora\nEva")
    expect(reader.page.locator(".bracket .match").first).to_be_visible()


def become_a_member(reader: Reader) -> None:
    """The members' door, in and out. The wrong word is one of those the door counts, far fewer than would close it."""
    reader.open("/members/")
    reader.send("main form", pass_phrase="wrong")
    expect(reader.page.locator("[aria-invalid=true]")).to_be_visible()
    reader.send("main form", pass_phrase=PASS_PHRASE)
    expect(reader.page.locator(".message.good")).to_be_visible()
    reader.open("/members/")
    expect(reader.page.locator("[name=pass_phrase]")).to_have_count(0)
    reader.send("main form:has([name=leave])")
    expect(reader.page.locator("[name=pass_phrase]")).to_be_visible()


def watch_the_hall(reader: Reader) -> None:
    """The screen in the hall, led to from the event, and back by its code."""
    reader.open("/tournaments/")
    reader.follow('[href*="/tournaments/"]', "tbody")
    event = reader.page.url
    reader.page.locator(".menu summary").click()
    reader.follow('[href$="/tv/"]')
    expect(reader.page.locator("h1")).to_be_visible()
    reader.follow(".tv-code", "header")
    assert reader.page.url == event


def read_about_it(reader: Reader) -> None:
    """About the ratings, the corrections, the words, what is kept of whom; and another language."""
    reader.open("/about/ratings/")
    reader.open("/ratings/corrections/")
    reader.open("/about/glossary/")
    reader.open("/about/privacy/")
    other = "ru" if reader.code != "ru" else "en"
    reader.page.locator(f'.colophon a[lang="{other}"]').click()
    expect(reader.page.locator("html")).to_have_attribute("lang", other)


JOURNEYS: tuple[Journey, ...] = (
    *(find_my_rating, look_at_an_earlier_list, follow_an_event, compare_two_players, calculate),
    *(build_a_schedule, draw_a_bracket, become_a_member, watch_the_hall, read_about_it),
)
OTHER = {"light": "dark", "dark": "light"}
# On either screen, with scripts and without. Traditional Chinese is as wide as Simplified; that its pages are in that
# language `test_whole_site` sees.
COMBINATIONS = [
    ("phone", "dark", "no-scripts", "en"),
    ("desk", "light", "scripts", "en"),
    *(("phone", "light", "scripts", code) for code in ("ru", "zh-hans")),
]
SCREENS = {
    "phone": {"viewport": PHONE, "is_mobile": True, "has_touch": True},
    "desk": {"viewport": DESK},
}


def test_ten_journeys(visit: Opened) -> None:
    broken = []
    for ways in COMBINATIONS:
        screen, scheme, scripts, code = ways
        first = visit(**SCREENS[screen], color_scheme=scheme, java_script_enabled=scripts == "scripts")
        for journey in JOURNEYS:
            page = first.context.new_page()
            try:
                journey(Reader(page, code, scheme))
            except (AssertionError, Error) as error:  # every journey is made; each that breaks is told with its page
                broken.append(f"{journey.__name__} {ways} at {page.url}: {str(error).splitlines()[0]}")
            page.close()
        first.context.close()
    assert not broken, "\n".join(broken)
