"""The whole demo club, page after page, over HTTP: every link leads somewhere, every page is valid HTML, asks no other
host for anything, and carries neither style nor script of its own.

Pages of one kind (one view, asked the same way) are made by the same code: of each kind so many are opened, and of all
others it is made sure that there is such an address.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urljoin, urlsplit

import html5lib
import pytest
from django.conf import settings
from django.urls import Resolver404, resolve

from clubrating.languages import path_in, plain_path
from tests.demo_site import Demo

MOST_OF_A_KIND = 6
PRIVATE = ("/admin/", "/account/")


@dataclass
class Found(HTMLParser):
    """What one page holds."""

    address: str
    links: set[str] = field(default_factory=set)
    ids: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    loads: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids.update([given["id"]] if "id" in given else [])
        if "style" in given or tag == "style" or any(name.startswith("on") for name in given):
            self.faults.append(f"<{tag}> carries its own style or script")
        if tag == "script" and "src" not in given and given.get("type") != "application/json":
            self.faults.append("a script of its own")
        if tag in ("a", "form") and (href := given.get("href", given.get("action"))) is not None:
            self.links.add(urljoin(self.address, href))
        if tag in ("img", "script", "link", "source", "iframe", "use") and given.get("rel") not in (
            "alternate",
            "canonical",
        ):
            self.loads.update(urljoin(self.address, given[name]) for name in ("src", "href") if name in given)


@dataclass
class Crawl:
    """The pages opened, by address, and where each link was found."""

    pages: dict[str, Found] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    from_where: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def kind_of(path: str) -> tuple[str, ...]:
    """The view and what it is asked for. Raises Resolver404."""
    parts = urlsplit(path)
    return (resolve(parts.path).view_name or parts.path, *sorted({name for name, _value in parse_qsl(parts.query)}))


def crawl(demo: Demo, start: str, most: int) -> Crawl:
    """From one page on along all links, the desk left out."""
    browser, waiting, found, opened = demo.visitor(), [start], Crawl(), Counter[tuple[str, ...]]()
    while waiting:
        path = waiting.pop(0)
        try:
            kind = kind_of(path)
        except Resolver404:
            found.faults.append(f"{path} (from {found.from_where.get(path)}): no such address")
            continue
        if opened[kind] >= most:
            continue
        opened[kind] += 1
        answer = browser.get(path)
        if answer.status in (301, 302):
            waiting.insert(0, answer.location)
            found.from_where.setdefault(answer.location, path)
            continue
        if answer.status != 200:
            found.faults.append(f"{path} (from {found.from_where.get(path)}): {answer.status}")
            continue
        for link in _read(demo, path, answer.text, found):
            if link not in found.from_where:
                found.from_where[link] = path
                waiting.append(link)
    return found


def _read(demo: Demo, path: str, text: str, found: Crawl) -> Iterator[str]:
    """The page's own links that are pages of the site."""
    if not text.lstrip().lower().startswith("<!doctype html"):
        return
    page = Found(demo.url + path)
    page.feed(text)
    found.pages[path], found.texts[path] = page, text
    for link in sorted(page.links):
        parts = urlsplit(link)
        own = f"{parts.scheme}://{parts.netloc}" == demo.url
        if own and plain_path(parts.path) == parts.path and not parts.path.startswith((*PRIVATE, settings.STATIC_URL)):
            yield parts.path + (f"?{parts.query}" if parts.query else "")


@pytest.fixture(scope="module")
def english(demo: Demo) -> Crawl:
    """The club in English; the other languages are crawled apart."""
    return crawl(demo, "/", MOST_OF_A_KIND)


def test_every_link_leads_somewhere(english: Crawl) -> None:
    assert english.faults == []
    assert len(english.pages) > 60


def test_every_anchor_is_there(demo: Demo, english: Crawl) -> None:
    missing = []
    for path, page in english.pages.items():
        for link in page.links:
            address, _, anchor = link.partition("#")
            target = english.pages.get(address.removeprefix(demo.url))
            if anchor and target is not None and anchor not in target.ids:
                missing.append(f"{path} → {link}")
    assert missing == []


def faults_of(path: str, page: Found, text: str, host: str) -> list[str]:
    parser = html5lib.HTMLParser()
    parser.parse(text)
    faults = [f"{path}, line {line[0]}: {code} {told}" for line, code, told in parser.errors]
    faults += [f"{path}: two elements are called {name}" for name, count in page.ids.items() if count > 1]
    faults += [f"{path}: {fault}" for fault in page.faults]
    return faults + [f"{path}: loads {address}" for address in page.loads if not address.startswith(host)]


def test_every_page_is_valid_and_asks_no_other_host(demo: Demo, english: Crawl) -> None:
    faults = [
        fault for path, page in english.pages.items() for fault in faults_of(path, page, english.texts[path], demo.url)
    ]
    assert faults == []


@pytest.mark.parametrize("code", [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE])
def test_the_other_languages_have_the_same_pages(demo: Demo, english: Crawl, code: str) -> None:
    """One of every kind: it answers, is valid, says in which language it is, and links to pages in its language."""
    browser, kinds, faults = demo.visitor(), set(), []
    for path in english.pages:
        if (kind := kind_of(path)) in kinds or path_in(path, code) == path:
            continue
        kinds.add(kind)
        there = path_in(path, code)
        answer = browser.get(there)
        if answer.status != 200:
            faults.append(f"{there}: {answer.status}")
            continue
        page = Found(demo.url + there)
        page.feed(answer.text)
        faults += faults_of(there, page, answer.text, demo.url)
        faults += [] if f'<html lang="{code}"' in answer.text else [f"{there}: another language"]
    assert faults == []
    assert len(kinds) > 30
