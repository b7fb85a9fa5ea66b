"""Every control that asks a page something, pressed: links with a question in them, and forms that only ask."""

from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urlencode, urljoin, urlsplit

from django.urls import resolve

from tests.browser.crawling import Crawl, kind_of
from tests.live import Browser
from tests.visitor import Form, Page

# Keeps a choice on the device, in a cookie; this browser has none.
KEPT = "names"
FILLED = {"number": "2", "date": "2026-01-31"}


class Boxes(HTMLParser):
    """The boxes one writes in, by name: their kind; those a browser does not send while they are empty; and links to
    where one is already."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.kinds: dict[str, str] = {}
        self.required: set[str] = set()
        self.here: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "a" and "aria-current" in given:
            self.here.add(given.get("href", "").partition("#")[0])
        if tag in ("input", "textarea") and given.get("type") not in ("hidden", "submit", "radio", "checkbox"):
            self.kinds[given.get("name", "")] = given.get("type", "text")
            self.required |= {given.get("name", "")} if "required" in given else set()


def idle_links(found: Crawl) -> Iterator[str]:
    """Links with a question whose answer is the very page they stand on, and which do not say that one is there."""
    for link, page in found.pages.items():
        origin = found.from_where.get(link, "")
        if "?" not in link or origin not in found.pages or urlsplit(origin).path != urlsplit(link).path:
            continue
        here = {urljoin(origin, href) for href in Boxes(found.pages[origin].text).here}
        one_row = found.pages[origin].text.count("<tr") <= 2  # which stands first and last in every order
        if link not in here and not one_row and Page(found.pages[origin].text).words == Page(page.text).words:
            yield f"{link} on {origin}"


def idle_forms(found: Crawl, browser: Browser) -> Iterator[str]:
    """Forms of one kind once, every button, with empty and with filled boxes: what changes nothing and says nothing."""
    seen = set()
    for path, page in found.pages.items():
        boxes = Boxes(page.text)
        for form in Page(page.text).forms:
            action = urlsplit(urljoin(path, form.action)).path
            kind = (kind_of(path), resolve(action).view_name, *sorted(form.names))
            if form.method != "get" or kind in seen or kind[1] == KEPT:
                continue
            seen.add(kind)
            base = words_at(path if action == urlsplit(path).path else action, found, browser)
            for values in answers_to(form, boxes):
                address = f"{action}?{urlencode(values, doseq=True)}"
                status, words = opened(browser, address)
                if status not in (200, 400) or words == base:
                    yield f"{address} on {path}: {status}"


def answers_to(form: Form, boxes: Boxes) -> Iterator[dict[str, object]]:
    """What is sent: nothing written, where a browser sends that; something written; each with every button."""
    written = [name for name in form.values if name in boxes.kinds]
    filled = {name: FILLED.get(boxes.kinds[name], "a") for name in written}
    chosen = {name: options[-1] for name, options in form.choices.items()}
    sent: list[dict[str, object]] = [{**form.values, **filled, **chosen}]
    if written and not boxes.required & {*written}:
        sent.append({**form.values, **dict.fromkeys(written, "")})
    for values in sent:
        for name, value, _words in form.buttons:
            yield values | ({name: value} if name else {})


def words_at(path: str, found: Crawl, browser: Browser) -> str:
    return Page(found.pages[path].text).words if path in found.pages else opened(browser, path)[1]


def opened(browser: Browser, path: str) -> tuple[int, str]:
    """The answer and its words, wherever the address leads."""
    answer = browser.get(path)
    while answer.status in (301, 302):
        answer = browser.get(answer.location)
    return answer.status, Page(answer.text).words
