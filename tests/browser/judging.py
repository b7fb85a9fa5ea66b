"""What every page must keep: the accessibility rules, the width of the window, one heading, a title; tables that fit,
and a finger's room for all one taps."""

from collections.abc import Iterable, Sequence

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import DESK, PHONE, Opened
from tests.choosing import everything

AXE = Axe().axe_script
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "resultTypes": ["violations"],
    "preload": False,
}
RUN = "rules => axe.run(rules).then(found => [found.violations, found.passes.length])"
# Every such page is looked at by axe in the short suite, the longest part of a visit; the rest is looked at on all.
EVERY = 5
# Rows of a table and items of a list are made alike: of more than a dozen the short suite looks at the first few.
A_DOZEN, A_FEW = 12, 6
SHORTEN = """([dozen, few]) => document.querySelectorAll("tbody, ul, ol").forEach(list =>
  list.children.length > dozen && [...list.children].slice(few).forEach(child => child.remove()))"""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
WIDTHS = (PHONE["width"], DESK["width"])
# A tablet held upright and lying, a desk: there no table scrolls but those that own to it (.wide).
TABLE_WIDTHS = (768, 1024, DESK["width"])
TABLES = """() => [...document.querySelectorAll(".table-scroll:not(.wide)")]
  .filter(box => box.scrollWidth > box.clientWidth)
  .map(box => `${box.scrollWidth - box.clientWidth} px too wide: ${box.innerText.slice(0, 40)}`)"""
UNFOLD = "() => document.querySelectorAll('details').forEach(part => part.open = true)"
MENU = "() => [...document.querySelectorAll('.nav')].some(menu => menu.scrollWidth > menu.clientWidth)"
# Figures and words of a chart stand apart, beside its curves and within their picture. A box of text is higher than its
# letters.
LABELS = """() => [...document.querySelectorAll("svg")].filter(one => one.checkVisibility()).flatMap(svg => {
  const frame = svg.getBoundingClientRect();
  const labels = [...svg.querySelectorAll("text")].filter(one => one.checkVisibility({visibilityProperty: true}));
  const boxes = labels.map(one => [one.textContent.trim(), one.getBoundingClientRect()]).filter(([words]) => words);
  const curves = [...svg.querySelectorAll("polyline.line")].filter(one => one.checkVisibility())
    .map(one => [...one.points].map(spot => spot.matrixTransform(one.getScreenCTM())));
  const height = (one, two, x) => two.x > one.x ? one.y + (two.y - one.y) * (x - one.x) / (two.x - one.x) : one.y;
  const runsThrough = box => (one, two) => {
    const from = Math.max(one.x, box.left), to = Math.min(two.x, box.right), ends = [one.y, two.y];
    const [low, high] = (two.x > one.x ? [height(one, two, from), height(one, two, to)] : ends).sort((a, b) => a - b);
    return from < to + .01 && high > box.top + 3 && low < box.bottom - 3;
  };
  return boxes.flatMap(([words, box], at) => [
    curves.some(spots => spots.slice(1).some((spot, before) => runsThrough(box)(spots[before], spot)))
      ? [`a curve runs through “${words}”`] : [],
    Math.max(frame.left - box.left, box.right - frame.right, frame.top - box.top - 2, box.bottom - frame.bottom - 2) > 1
      ? [`“${words}” leaves its picture`] : [],
    boxes.slice(at + 1).filter(([_words, other]) =>
      Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 &&
      Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 4
    ).map(([other]) => `“${words}” lies on “${other}”`),
  ].flat());
})"""
FINGER = 24
# A box to tick is hit by its label. Of a link over two lines each line counts, but for a reading under the name.
SMALL = """least => [...document.querySelectorAll(
    "a[href], button, summary, select, textarea, input:not([type=hidden], [type=checkbox], [type=radio])," +
    "label:has([type=checkbox], [type=radio])")]
  .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.closest(".hidden, .skip, svg"))
  .filter(one => !one.querySelector(".reading"))
  .filter(one => [...one.getClientRects()].some(box => box.width > 1 && box.height < least))
  .map(one => `${one.outerHTML.slice(0, 120)} is ${one.getBoundingClientRect().height} px high`)"""
LIGHT_DESK = {"viewport": DESK, "color_scheme": "light"}
DARK_PHONE = {"viewport": PHONE, "color_scheme": "dark"}


def broken_rules(page: Page) -> list[str]:
    """What axe finds on the page as it is open."""
    if not everything():
        page.evaluate(SHORTEN, [A_DOZEN, A_FEW])
    page.evaluate(AXE)
    faults, passes = page.evaluate(RUN, RULES)
    assert passes, "axe looked at nothing"
    return [f"{fault['id']}: {fault['help']}: {node['html'][:200]}" for fault in faults for node in fault["nodes"]]


def too_wide(page: Page, widths: Iterable[int] = WIDTHS) -> list[str]:
    """At which widths of the window the page runs out of it; it is left as wide as it was."""
    before, found = page.viewport_size, []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        if (over := page.evaluate(WIDER)) > 0:
            found.append(f"{over} px wider than {width}")
    if before:
        page.set_viewport_size(before)
    return found


def out_of_hand(page: Page) -> list[str]:
    """What does not fit the page, its folds opened: on a phone items of the menu out of sight, and what is too low for
    a finger; then tables that run out of their place on wider windows; on both labels of charts. The window is left as
    wide as it was."""
    before, found = page.viewport_size, []
    page.evaluate(UNFOLD)
    page.set_viewport_size(PHONE)
    if page.evaluate(MENU):
        found.append("the menu hides an item")
    found += page.evaluate(SMALL, FINGER) + page.evaluate(LABELS)
    for width in TABLE_WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        found += [f"at {width} px a table is {fault}" for fault in page.evaluate(TABLES)]
    found += page.evaluate(LABELS)
    if before:
        page.set_viewport_size(before)
    return found


def complaints(page: Page, addresses: Iterable[str], widths: Iterable[int] = WIDTHS) -> list[str]:
    """What is wrong with those pages."""
    found = []
    for number, address in enumerate(addresses):
        page.goto(address)
        faults = too_wide(page, widths)
        if (heads := page.locator("h1:visible").count()) != 1:
            faults.append(f"{heads} headings of the first level")
        if not page.title().split("·")[0].strip():
            faults.append("no title")
        if everything() or number % EVERY == 0:
            faults += broken_rules(page)
        found += [f"{address}: {fault}" for fault in faults]
    return found


def complaints_both_ways(opened: Opened, addresses: Sequence[str]) -> list[str]:
    """At a desk in the light, and on a phone in the dark: with --all each page, otherwise every other page."""
    desk, phone = opened(**LIGHT_DESK), opened(**DARK_PHONE)
    step = 1 if everything() else 2
    return complaints(desk, addresses[::step]) + complaints(phone, addresses[step - 1 :: step])
