"""One page of every kind the public sees, and those only members see, of the demo club: the accessibility rules hold
and it fits the window, and a phone with the long words of Russian. Then a first visit to the leaderboard.

Of a kind the page with most on it is taken. The formats of events have their own test, `test_event_pages`.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from clubrating.languages import ENGLISH_ONLY, path_in
from tests.browser.conftest import DESK, PHONE, watch
from tests.browser.test_club_night import complaints
from tests.demo_site import PASS_PHRASE, Demo
from tests.test_whole_site import MOST_OF_A_KIND, crawl, kind_of

pytestmark = pytest.mark.browser
LEADERBOARD = "/ratings/standard/"
MOST_BYTES = 60_000
SLOWER = 4
ANOTHER_ORDER = {"sort", "order", "page"}  # the same table once more
PARTS_OF_A_FIELD = 4  # day, month, year and calendar are stops of one field; the browser shows in which one is
FORMS_FOR_MEMBERS = {"tournaments:absent", "tournaments:report"}

# What the browser measured since it asked for the page: shifts of the layout, or when the largest thing was painted.
MEASURE = """kind => new Promise(done => {
  new PerformanceObserver(list => done(list.getEntries().map(entry => entry.value ?? entry.startTime)))
    .observe({type: kind, buffered: true});
  setTimeout(() => done([]), 1000);
})"""
FOCUS = """() => {
  const here = document.activeElement, box = here.getBoundingClientRect();
  const outlined = element => getComputedStyle(element).outlineStyle !== "none";
  return {
    id: [...document.querySelectorAll("*")].indexOf(here), words: here.textContent.trim(), href: here.href || "",
    page: here === document.body, inside: document.getElementById("main").contains(here),
    seen: box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
      && (outlined(here) || outlined(here.parentElement)),
  };
}"""


@pytest.fixture(scope="module")
def addresses(demo: Demo) -> list[str]:
    """The fullest page of every kind, and the pages to which no link leads."""
    texts = crawl(demo, "/", MOST_OF_A_KIND).texts
    fullest: dict[tuple[str, ...], str] = {}
    for path in sorted(texts, key=lambda path: len(texts[path])):
        view, *asked = kind_of(path)
        fullest[view, *(set(asked) - ANOTHER_ORDER)] = path
    return [*fullest.values(), *ENGLISH_ONLY]


@pytest.fixture
def visit(browser: Browser, demo: Demo, page_faults: list[str]) -> Iterator[Callable[..., Page]]:
    """A page of a new, watched visitor of the demo club: `visit(viewport=PHONE)`."""
    contexts: list[BrowserContext] = []

    def visit_one(**options: object) -> Page:
        context = browser.new_context(base_url=demo.url, **options)  # type: ignore[arg-type]
        contexts.append(context)
        watch(context, urlsplit(demo.url).netloc, page_faults)
        return context.new_page()

    yield visit_one
    for context in contexts:
        context.close()


@pytest.mark.parametrize(("scheme", "window"), [("light", DESK), ("dark", PHONE)], ids=["light", "dark"])
def test_every_kind_of_page_keeps_the_rules(
    visit: Callable[..., Page], addresses: list[str], scheme: str, window: dict[str, int]
) -> None:
    assert len(addresses) > 40, "the club has more kinds of pages than that"
    assert complaints(visit(viewport=window, color_scheme=scheme), addresses) == []


def test_the_pages_for_members_keep_the_rules(visit: Callable[..., Page], addresses: list[str]) -> None:
    page = visit(viewport=PHONE, color_scheme="dark")
    page.goto("/members/")
    page.locator("input[name=pass_phrase]").fill(PASS_PHRASE)
    page.keyboard.press("Enter")
    expect(page.get_by_text("You see the names members see")).to_be_visible()
    forms = [path for path in addresses if kind_of(path)[0] in FORMS_FOR_MEMBERS]
    assert len(forms) == 2
    assert complaints(page, [*forms, "/members/", "/players/"]) == []


def test_long_words_fit_a_phone(visit: Callable[..., Page], addresses: list[str]) -> None:
    page, wide = visit(viewport=PHONE), []
    for path in addresses[: -len(ENGLISH_ONLY)]:
        page.goto(path_in(path, "ru"), wait_until="domcontentloaded")
        if (over := page.evaluate("document.documentElement.scrollWidth") - PHONE["width"]) > 0:
            wide.append(f"{page.url}: {over} px too wide")
    assert wide == []


def test_a_first_visit_to_the_leaderboard_is_small_and_stands_still(
    visit: Callable[..., Page], record_property: Callable[[str, object], None]
) -> None:
    """Every byte that comes over the line counts, heads too. The time is told, not judged: the machine may be busy."""
    page = visit(viewport=PHONE)
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    sizes: list[int] = []
    line.on("Network.loadingFinished", lambda told: sizes.append(int(told["encodedDataLength"])))
    page.goto(LEADERBOARD, wait_until="networkidle")
    shift = sum(page.evaluate(MEASURE, "layout-shift"))
    painted = max(page.evaluate(MEASURE, "largest-contentful-paint"), default=0)
    told = {"bytes": sum(sizes), "requests": len(sizes), "largest_paint_ms": round(painted)}
    record_property(LEADERBOARD, told)
    sys.stdout.write(f"{LEADERBOARD}, processor {SLOWER} times slower: {told}\n")
    assert 0 < sum(sizes) < MOST_BYTES
    assert shift < 0.01


def stops(page: Page) -> Iterator[dict[str, Any]]:
    """Where the Tab key leads, to the end of the page: each stop is seen to have the focus, and none keeps it."""
    visits: Counter[int] = Counter()
    while True:
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUS)
        if stop["page"] or (len(visits) > 1 and stop["id"] == next(iter(visits))):
            return
        visits[stop["id"]] += 1
        assert visits[stop["id"]] <= PARTS_OF_A_FIELD, f"the keyboard is trapped: {stop}"
        assert stop["seen"] or visits[stop["id"]] > 1, f"no focus to be seen: {stop}"
        yield stop


def test_a_keyboard_is_enough_to_read_a_player_and_come_back(visit: Callable[..., Page]) -> None:
    page = visit(viewport=DESK)
    page.goto(LEADERBOARD)
    page.keyboard.press("Tab")
    expect(page.locator(".skip:focus")).to_be_in_viewport()
    page.keyboard.press("Enter")
    after = stops(page)
    assert next(after)["inside"], "the menu is skipped"
    player = next(stop for stop in after if "/players/" in stop["href"])
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text(player["words"])
    page.go_back()
    page.wait_for_url(f"**{LEADERBOARD}#main")
    assert len({stop["id"] for stop in stops(page)}) > 40, "every player is a stop, and the page is left"
