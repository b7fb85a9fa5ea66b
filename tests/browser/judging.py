"""What every page must keep: the accessibility rules, the width of the window, one heading, a title; tables that fit,
and a finger's room for all one taps."""

from collections.abc import Iterable, Iterator

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import DESK, PHONE, Opened

RULES: dict[str, object] = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "resultTypes": ["violations"],
    "preload": False,
}
# Contrast takes most of the time: what lies over what is asked of everything with words. It is not asked of what bears
# the mark below.
AXE = Axe().axe_script + """;axe.configure({rules: [{id: "color-contrast", selector: "*:not([data-judged])"}]});"""
RUN = "rules => axe.run(rules).then(found => [found.violations, found.passes.length])"
# Two things are of one kind that differ alone in their words, in what they lead to and in the measures of what is
# drawn. A thing without words is of another kind, and so is one whose names refer to each other in another way.
KIND = """
  const words = "href|action|name|value|title|datetime|data-[-a-z]+|aria-label";
  const measures = "[dxyr]|[cr][xy]|[xy][12]|width|height|points|transform";
  const own = new RegExp(` (${words}|${measures})="([^"]*)"`, "g");
  const kind = html => {
    const order = {};
    const called = names => names.split(" ").map(name => order[name] ??= Object.keys(order).length).join(" ");
    return html.replace(own, (_all, name, value) => ` ${name}${value ? "=x" : ""}`)
      .replace(/ (id|for|form|aria-(?:labelledby|describedby|controls))="([^"]*)"/g,
        (_all, name, names) => ` ${name}=${called(names)}`)
      .replace(/>[^<]*/g, words => words.length > 1 && words.slice(1).trim() ? ">x" : ">");
  };"""
# Where a table, a list or a drawing has more than a handful of rows, the rules are asked of two of each kind. Then all
# are put back.
A_HANDFUL, A_PAIR = 4, 2
SHORTEN = f"""([most, few]) => {{{KIND}
  window.unshortened = [...document.querySelectorAll("tbody, ul, ol, svg, g")]
    .filter(list => list.children.length > most).map(list => [list, [...list.childNodes]]);
  for (const [list] of window.unshortened) {{
    const seen = {{}};
    for (const child of [...list.children]) {{
      const one = kind(child.outerHTML);
      seen[one] = (seen[one] ?? 0) + 1;
      if (seen[one] > few) child.remove();
    }}
  }}
}}"""
LENGTHEN = """() => {
  window.unshortened.forEach(([list, children]) => list.replaceChildren(...children));
  document.querySelectorAll("[data-judged]").forEach(one => delete one.dataset.judged);
}"""
# Colours come of the style sheets, the window, what a thing is and what it stands in: the top and the foot of the site
# are judged once, and of every page what no page before it had. It marks the rest, and tells what is new.
MARK = f"""judged => {{{KIND}
  const known = new Set(judged.split(",")), fresh = [];
  const digest = text => {{
    let one = 0, two = 7;
    for (let at = 0; at < text.length; at++) {{
      one = Math.imul(one ^ text.charCodeAt(at), 16777619);
      two = Math.imul(two + text.charCodeAt(at), 31);
    }}
    return `${{one}} ${{two}}`;
  }};
  const shell = one => kind(one.cloneNode(false).outerHTML) +
    [...one.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const look = (one, around) => {{
    const name = digest(around + kind(one.outerHTML));
    if (known.has(name)) return [one, ...one.querySelectorAll("*")].forEach(part => part.dataset.judged = "");
    known.add(name);
    fresh.push(name);
    const inside = around + shell(one);
    if (!(one instanceof SVGElement)) for (const child of one.children) look(child, inside);
  }};
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches, sheets = [...document.styleSheets];
  look(document.body, sheets.map(sheet => sheet.href) + innerWidth + isDark + shell(document.documentElement));
  return fresh.join();
}}"""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
HEADS = """[document.title, [...document.querySelectorAll("h1")].filter(one =>
  one.checkVisibility({visibilityProperty: true})).length]"""
WIDTHS = (PHONE["width"], DESK["width"])
# A tablet held upright and lying, a desk: there no table scrolls but those that own to it (.wide).
TABLE_WIDTHS = (768, 1024, DESK["width"])
TABLES = """() => [...document.querySelectorAll(".table-scroll:not(.wide)")]
  .filter(box => box.scrollWidth > box.clientWidth)
  .map(box => `a table is ${box.scrollWidth - box.clientWidth} px too wide: ${box.innerText.slice(0, 40)}`)"""
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
FIT = f"""([isPhone, isEnd, least]) => [
  {WIDER} > 0 ? [`the page is ${{{WIDER}}} px wider`] : [],
  isPhone && ({MENU})() ? ["the menu hides an item"] : [],
  isPhone ? ({SMALL})(least) : ({TABLES})(),
  isEnd ? ({LABELS})() : [],
].flat()"""
LIGHT_DESK = {"viewport": DESK, "color_scheme": "light"}
DARK_PHONE = {"viewport": PHONE, "color_scheme": "dark"}
# A change of colours that takes its time is over.
AT_ONCE = """() => document.getAnimations().filter(one => one instanceof CSSTransition).forEach(one => one.finish())"""


def broken_rules(page: Page, judged: set[str] | None = None) -> list[str]:
    """What axe finds on the page as it is open. The contrast of what is among the judged is taken as read; what was
    looked at now is one of them afterwards."""
    judged = set() if judged is None else judged
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    page.evaluate(SHORTEN, [A_HANDFUL, A_PAIR])
    # One long word: a list would be sent piece by piece.
    judged.update(page.evaluate(MARK, ",".join(judged)).split(","))
    faults, passes = page.evaluate(RUN, RULES)
    page.evaluate(LENGTHEN)
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
    """What does not fit the page, its folds opened, from a phone to a desk: what runs out of the window; on a phone
    items of the menu out of sight, and what is too low for a finger; on wider windows tables that run out of their
    place; on both ends labels of charts. It begins at the end where the window is, and leaves it at the other."""
    found, widths = [], [PHONE["width"], *TABLE_WIDTHS]
    page.evaluate(UNFOLD)
    if page.viewport_size and page.viewport_size["width"] == widths[-1]:
        widths.reverse()
    for width in widths:
        page.set_viewport_size({"width": width, "height": PHONE["height"]})
        here = [width == PHONE["width"], width in WIDTHS, FINGER]
        found += [f"at {width} px {fault}" for fault in page.evaluate(FIT, here)]
    return found


def complaints(page: Page, addresses: Iterable[str]) -> list[str]:
    """What is wrong with those pages."""
    found, judged = [], set[str]()
    for address in addresses:
        page.goto(address)
        found += [f"{address}: {fault}" for fault in (*too_wide(page), *headless(page), *broken_rules(page, judged))]
    return found


def headless(page: Page) -> list[str]:
    title, heads = page.evaluate(HEADS)
    untitled = [] if title.split("·")[0].strip() else ["no title"]
    return [*untitled, *([f"{heads} headings of the first level"] if heads != 1 else [])]


def complaints_both_ways(opened: Opened, addresses: Iterable[str]) -> list[str]:
    return [fault for _address, _page, found in both_ways(opened, addresses) for fault in found]


def both_ways(opened: Opened, addresses: Iterable[str]) -> Iterator[tuple[str, Page, list[str]]]:
    """What is wrong with each page at a desk in the light, then on a phone in the dark, where it is still open. Each is
    loaded once: none asks how wide its window is, and its colours follow the wish of its reader at once."""
    page, judged = opened(**LIGHT_DESK), set[str]()
    page.add_init_script(AXE)
    for address in addresses:
        page.set_viewport_size(DESK)
        page.emulate_media(color_scheme="light")
        page.goto(address)
        found = [f"{address}: {fault}" for fault in broken_here(page, judged)]
        page.set_viewport_size(PHONE)
        page.emulate_media(color_scheme="dark")
        page.evaluate(AT_ONCE)
        yield address, page, found + [f"{address} on a phone: {fault}" for fault in broken_here(page, judged)]


def broken_here(page: Page, judged: set[str]) -> list[str]:
    """What is wrong with the page in this window."""
    over = page.evaluate(WIDER)
    return [*([f"{over} px wider than the window"] if over > 0 else []), *headless(page), *broken_rules(page, judged)]
