"""Ten journeys through the demo club, as people make them: on a phone and at a desk, in the light and in the dark, with
scripts and without; in English in every combination, in the other languages in one.

A journey goes by addresses and roles, not by words, so that it is the same in every language. Whatever page it passes
must not be wider than the window, log an error, or ask another host for anything.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from clubrating.languages import path_in
from tests.browser.conftest import DESK, PHONE, watch
from tests.demo_site import PASS_PHRASE, Demo

pytestmark = pytest.mark.browser
Journey = Callable[["Reader"], None]


class Reader:
    """Somebody who reads the club's pages in one language."""

    def __init__(self, page: Page, code: str) -> None:
        self.page, self.code = page, code

    def open(self, path: str) -> None:
        self.page.goto(path_in(path, self.code))
        self.look()

    def follow(self, pattern: str, within: str = "main") -> None:
        """Click the first link whose address matches the CSS pattern, e.g. `[href$="/ratings/"]`."""
        before = self.page.url
        self.page.locator(f"{within} a{pattern}").first.click()
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
        """The page is in the right language and no wider than the window."""
        assert self.page.locator("html").get_attribute("lang") == self.code
        width = self.page.viewport_size["width"] if self.page.viewport_size else 0
        assert self.page.evaluate("document.documentElement.scrollWidth") <= width, self.page.url


def find_my_rating(reader: Reader) -> None:
    """Home, the list, my name, my page, and why my last game brought what it brought."""
    reader.open("/")
    reader.follow('[href$="/ratings/"]', ".nav")
    name = reader.page.locator("tbody tr th a.name").nth(3).inner_text()
    reader.page.locator("[role=search] [name=q]").fill(name)
    reader.page.keyboard.press("Enter")
    expect(reader.page.locator("tbody tr")).to_have_count(1)
    reader.follow('.name[href*="/players/"]', "tbody")
    expect(reader.page.locator("h1")).to_contain_text(name)
    reader.follow('[href*="/why/"]')
    expect(reader.page.locator(".steps > li").first).to_be_visible()


def look_at_an_earlier_list(reader: Reader) -> None:
    reader.open("/ratings/standard/")
    reader.follow('[href*="?on="]')
    expect(reader.page.locator("tbody tr").first).to_be_visible()


def follow_an_event(reader: Reader) -> None:
    """Events, one of them, its standings, its crosstable, a round."""
    reader.open("/")
    reader.follow('[href$="/tournaments/"]', ".nav")
    reader.follow('[href*="/tournaments/"]', "tbody")
    reader.follow('[href$="/standings/"]')
    expect(reader.page.locator("tbody tr").first).to_be_visible()
    reader.follow('[href*="/rounds/"]')


def compare_two_players(reader: Reader) -> None:
    reader.open("/ratings/standard/")
    reader.follow('.name[href*="/players/"]', "tbody")
    reader.follow('[href*="/vs/"]')
    expect(reader.page.locator("h1")).to_be_visible()


def calculate(reader: Reader) -> None:
    """Tools, the calculator, two ratings."""
    reader.open("/")
    reader.follow('[href*="/tools/"]', ".nav")
    reader.follow('[href*="/tools/elo/"]')
    reader.send("main form", a="2344", b="2777")
    expect(reader.page.locator("main table").first).to_contain_text("2344" if reader.code == "never" else "")


def build_a_schedule(reader: Reader) -> None:
    """Five names, rounds, and what it prints."""
    reader.open("/tools/schedule/")
    reader.send("main form", names="Anna\nБорис\n陈思远\nDora\nEmil")
    expect(reader.page.locator("main")).to_contain_text("陈思远")
    reader.page.emulate_media(media="print")
    expect(reader.page.locator(".nav")).to_be_hidden()
    reader.page.emulate_media(media="screen")


def draw_a_bracket(reader: Reader) -> None:
    reader.open("/tools/bracket/")
    reader.send("main form", names="Anna\nBea\nCleo\nDora\nEva")
    expect(reader.page.locator(".bracket .match").first).to_be_visible()


def become_a_member(reader: Reader) -> None:
    """The members' door, in and out."""
    reader.open("/members/")
    reader.send("main form", pass_phrase="wrong")
    expect(reader.page.locator("[aria-invalid=true]")).to_be_visible()
    reader.send("main form", pass_phrase=PASS_PHRASE)
    expect(reader.page.locator(".message.good")).to_be_visible()
    reader.open("/members/")
    reader.send("main form:has([name=leave])")


def watch_the_hall(reader: Reader) -> None:
    """The screen in the hall, led to from the event."""
    reader.open("/tournaments/")
    reader.follow('[href*="/tournaments/"]', "tbody")
    event = urlsplit(reader.page.url).path.removesuffix("/")
    reader.page.goto(f"{event}/tv/?seconds=0")
    reader.look()
    expect(reader.page.locator("h1, h2").first).to_be_visible()


def read_about_it(reader: Reader) -> None:
    """About the ratings, the corrections, the words, what is kept of whom; and another language."""
    reader.open("/about/ratings/")
    reader.open("/ratings/corrections/")
    reader.open("/about/glossary/")
    reader.open("/about/privacy/")
    other = "ru" if reader.code == "en" else "en"
    reader.page.locator(f'.colophon a[lang="{other}"]').click()
    expect(reader.page.locator("html")).to_have_attribute("lang", other)


JOURNEYS: tuple[Journey, ...] = (
    *(find_my_rating, look_at_an_earlier_list, follow_an_event, compare_two_players, calculate),
    *(build_a_schedule, draw_a_bracket, become_a_member, watch_the_hall, read_about_it),
)
ENGLISH = [
    (width, scheme, scripts, "en") for width in (390, 1280) for scheme in ("light", "dark") for scripts in (True, False)
]
OTHERS = [(390, "light", "scripts", code) for code in ("ru", "zh-hans", "zh-hant")]


@contextmanager
def visit(browser: Browser, demo: Demo, faults: list[str], **options: object) -> Iterator[Page]:
    context: BrowserContext = browser.new_context(base_url=demo.url, **options)  # type: ignore[arg-type]
    watch(context, urlsplit(demo.url).netloc, faults)
    page = context.new_page()
    page.set_default_timeout(15_000)
    try:
        yield page
    finally:
        context.close()


@pytest.mark.parametrize(("width", "scheme", "scripts", "code"), [*ENGLISH, *OTHERS])
def test_ten_journeys(
    browser: Browser, demo: Demo, page_faults: list[str], width: int, scheme: str, scripts: str, code: str
) -> None:
    size = PHONE if width == 390 else DESK
    options = {
        "viewport": size,
        "color_scheme": scheme,
        "java_script_enabled": scripts == "scripts",
        "has_touch": width == 390,
    }
    broken = []
    for journey in JOURNEYS:
        with visit(browser, demo, page_faults, **options) as page:
            try:
                journey(Reader(page, code))
            except Exception as error:  # every journey is made, and each that breaks is told with its page
                broken.append(f"{journey.__name__} at {page.url}: {str(error).splitlines()[0]}")
    assert not broken, "\n".join(broken)
