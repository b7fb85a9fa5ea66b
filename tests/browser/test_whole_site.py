"""The whole demo club. Over HTTP: every link leads somewhere, every page is valid HTML, asks no other host for
anything, and carries neither style nor script of its own. In a browser: one page of every kind, those only members see
too, keeps the rules of all pages, also with the long words of Russian. Then a first visit to the leaderboard.

Of a kind the page with most on it is looked at. The formats of events have their own test, `test_event_pages`.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from clubrating.web.languages import ENGLISH_ONLY, path_in
from tests.browser.agreeing import Said
from tests.browser.conftest import DESK, PHONE, Opened
from tests.browser.crawling import Crawl, Found, crawl, kind_of
from tests.browser.judging import DARK_PHONE, both_ways, complaints, out_of_hand
from tests.browser.pressing import idle_forms, idle_links
from tests.demo_site import PASS_PHRASE, Demo

# Every kind of page is judged in the short suite too, in another club: tests/test_leaks.py.
pytestmark = pytest.mark.slow
OTHER_LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
# Besides English: Russian words are the longest, Chinese ones the shortest.
LOOKED_AT = "ru"
LEADERBOARD = "/ratings/standard/"
# Mistakes, and what no link leads to.
BESIDE = [f"{LEADERBOARD}?show=provisional", "/tools/elo/?a=x", "/admin/login/", *ENGLISH_ONLY]
MOST_BYTES = 60_000
SLOWER = 4
ANOTHER_ORDER = {"sort", "order", "page", "span"}  # the same table or chart once more
PARTS_OF_A_FIELD = 4  # day, month, year and calendar are stops of one field; the browser shows in which one is
# On a phone: how far down the first row stands, words of an event's first page, heights of the phone in the lab.
FIRST_ROW, MOST_WORDS, MOST_SCREENS = 420, 350, 6
SEEN_FIRST = """() => Math.min(...[...document.querySelectorAll("main tbody tr")]
  .filter(row => row.checkVisibility()).map(row => row.getBoundingClientRect().top))"""
WORDS = "() => document.querySelector('main').innerText.split(/\\s+/).length"
SCREENS = "() => document.documentElement.scrollHeight / innerHeight"
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
def english(demo: Demo) -> Crawl:
    """The club in English; the other languages are looked at apart."""
    return crawl(demo, "/", 6)


@pytest.fixture(scope="module")
def addresses(english: Crawl) -> list[str]:
    """The fullest page of every kind, and the pages to which no link leads."""
    fullest: dict[tuple[str, ...], str] = {}
    for path in sorted(english.pages, key=lambda path: len(english.pages[path].text)):
        view, *asked = kind_of(path)
        fullest[view, *(set(asked) - ANOTHER_ORDER)] = path
    return list(dict.fromkeys([*fullest.values(), *BESIDE]))


def test_every_link_leads_somewhere_and_to_an_anchor_that_is_there(demo: Demo, english: Crawl) -> None:
    assert english.faults == []
    assert len(english.pages) > 60
    missing = []
    for path, page in english.pages.items():
        for link in page.links:
            address, _, anchor = link.partition("#")
            target = english.pages.get(address.removeprefix(demo.url))
            if anchor and target is not None and anchor not in target.ids:
                missing.append(f"{path} → {link}")
    assert missing == []


def test_every_page_is_valid_and_asks_no_other_host(demo: Demo, english: Crawl) -> None:
    assert [fault for page in english.pages.values() for fault in page.faults(demo.url)] == []


def test_the_same_thing_is_never_two_numbers_on_two_pages(english: Crawl) -> None:
    """Ratings and games on probation, at entry to each event and now; and which round of an event is on."""
    figures: dict[tuple[str, str, str], dict[str, set[str]]] = {}
    unsaid = []
    for address, page in english.pages.items():
        said = Said(address, page.text)
        unsaid += [f"{address}: {figure} without “at entry”" for figure in said.unsaid]
        for key, figure in said.figures:
            figures.setdefault(key, {}).setdefault(figure, set()).add(address)
    compared = Counter(what for (what, *_rest), found in figures.items() if len(set.union(*found.values())) > 1)
    assert min(compared[what] for what in ("rating", "probation", "round")) >= 3
    assert {key: found for key, found in figures.items() if len(found) > 1} == {}
    assert unsaid == []


def test_every_control_has_an_effect_or_says_why_not(demo: Demo, english: Crawl) -> None:
    assert [*idle_links(english), *idle_forms(english, demo.visitor())] == []


def misread(demo: Demo, address: str, code: str, status: int, text: str) -> list[str]:
    """What is wrong with a page in that language: it answers, is valid, says in which language it is."""
    if status != 200:
        return [f"{address}: {status}"]
    told = [] if f'<html lang="{code}"' in text else [f"{address}: another language"]
    return [*told, *Found(demo.url + address, text).faults(demo.url)]


def test_the_languages_no_browser_opens_have_the_same_pages(demo: Demo, english: Crawl) -> None:
    """One of every kind."""
    browser, faults = demo.visitor(), []
    kinds = {kind_of(path): path for path in english.pages if path_in(path, "ru") != path}
    assert len(kinds) > 30
    for code in {*OTHER_LANGUAGES} - {LOOKED_AT}:
        for there in (path_in(path, code) for path in kinds.values()):
            answer = browser.get(there)
            faults += misread(demo, there, code, answer.status, answer.text)
    assert faults == []


@pytest.mark.browser
def test_every_kind_of_page_keeps_the_rules_of_all_pages_and_fits_phone_tablet_and_desk(
    visit: Opened, demo: Demo, addresses: list[str]
) -> None:
    assert len(addresses) > 40, "the club has more kinds of pages than that"
    foreign, faults = visit(viewport=PHONE), []
    for path, page, found in both_ways(visit, addresses):
        faults += found + unfit(page, path)
        if path not in ENGLISH_ONLY:
            address = path_in(path, LOOKED_AT)
            answer = foreign.goto(address)
            assert answer is not None
            faults += misread(demo, address, LOOKED_AT, answer.status, answer.text()) + unfit(foreign, path)
    assert faults == []


def unfit(page: Page, path: str) -> list[str]:
    """What does not fit of a page that is open, in English at that path; and whether one of the lab is too long for a
    phone."""
    found = []
    if kind_of(path)[0].startswith("lab:"):
        page.set_viewport_size(PHONE)
        if (screens := page.evaluate(SCREENS)) > MOST_SCREENS:
            found.append(f"{page.url}: {screens} heights of a phone")
    return [*found, *(f"{page.url}: {fault}" for fault in out_of_hand(page))]


@pytest.mark.browser
def test_a_phone_shows_at_once_what_one_came_for(visit: Opened, english: Crawl) -> None:
    """The first row of lists and of events; an event's first page is short."""
    kinds: dict[str, list[str]] = {}
    for path in english.pages:
        kinds.setdefault(kind_of(path)[0], []).append(path)
    tables = [path for kind in ("round", "standings") for path in sorted(kinds[f"tournaments:{kind}"])]
    overviews = {"/{1}/{2}/".format(*path.split("/")) for path in tables}
    assert len(overviews) > 1
    faults = []
    for code in ("en", "ru"):
        page = visit(viewport=PHONE, locale=code)
        for path in (LEADERBOARD, *sorted(overviews), *tables[::3]):
            page.goto(path_in(path, code))
            if (top := page.evaluate(SEEN_FIRST)) > FIRST_ROW:
                faults.append(f"{page.url}: the first row stands {top} px down")
            if path in overviews and (words := page.evaluate(WORDS)) > MOST_WORDS:
                faults.append(f"{page.url}: {words} words")
    assert faults == []


@pytest.mark.browser
def test_the_pages_for_members_keep_the_rules(visit: Opened, addresses: list[str]) -> None:
    page = visit(**DARK_PHONE)
    page.goto("/members/")
    page.locator("input[name=pass_phrase]").fill(PASS_PHRASE)
    page.keyboard.press("Enter")
    expect(page.get_by_text("You see the names members see")).to_be_visible()
    forms = [path for path in addresses if kind_of(path)[0] in FORMS_FOR_MEMBERS]
    assert len(forms) == 2
    assert complaints(page, [*forms, "/members/", "/players/"]) == []


@pytest.mark.browser
def test_a_first_visit_to_the_leaderboard_is_small_and_stands_still(
    visit: Opened, record_property: Callable[[str, object], None]
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


@pytest.mark.browser
def test_a_keyboard_is_enough_to_read_a_player_and_come_back(visit: Opened) -> None:
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
