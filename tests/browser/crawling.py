"""The whole demo club, page after page, over HTTP.

Pages of one kind (one view, asked the same way) are made by the same code: of each kind so many are opened, and of all
others it is made sure that there is such an address.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urljoin, urlsplit

import html5lib
from django.conf import settings
from django.urls import Resolver404, resolve

from clubrating.web.languages import plain_path
from tests.demo_site import Demo

PRIVATE = ("/admin/", "/account/")
LOADING = ("img", "script", "link", "source", "iframe", "use")


@dataclass
class Found(HTMLParser):
    """What one page holds."""

    address: str
    text: str
    links: set[str] = field(default_factory=set)
    ids: Counter[str] = field(default_factory=Counter)
    own: list[str] = field(default_factory=list)
    loads: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids.update([given["id"]] if "id" in given else [])
        if "style" in given or tag == "style" or any(name.startswith("on") for name in given):
            self.own.append(f"<{tag}> carries its own style or script")
        if tag == "script" and "src" not in given and given.get("type") != "application/json":
            self.own.append("a script of its own")
        if tag in ("a", "form") and (href := given.get("href", given.get("action"))) is not None:
            self.links.add(urljoin(self.address, href))
        if tag in LOADING and given.get("rel") not in ("alternate", "canonical"):
            self.loads.update(urljoin(self.address, given[name]) for name in ("src", "href") if name in given)

    def faults(self, host: str) -> list[str]:
        """What is not valid, or is not the host's."""
        parser = html5lib.HTMLParser()
        parser.parse(self.text)
        found = [f"line {line[0]}: {code} {known}" for line, code, known in parser.errors]
        found += [f"two elements are called {name}" for name, count in self.ids.items() if count > 1]
        found += [f"loads {address}" for address in self.loads if not address.startswith(host)]
        return [f"{self.address}: {fault}" for fault in found + self.own]


@dataclass
class Crawl:
    """The pages opened, by address, and where each link was found."""

    pages: dict[str, Found] = field(default_factory=dict)
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
        elif answer.status != 200:
            found.faults.append(f"{path} (from {found.from_where.get(path)}): {answer.status}")
        elif answer.text.lstrip().lower().startswith("<!doctype html"):
            found.pages[path] = Found(demo.url + path, answer.text)
            for link in _leads_to(demo, found.pages[path]):
                if link not in found.from_where:
                    found.from_where[link] = path
                    waiting.append(link)
    return found


def _leads_to(demo: Demo, page: Found) -> Iterator[str]:
    """The page's own links that are pages of the site."""
    for link in sorted(page.links):
        parts = urlsplit(link)
        own = f"{parts.scheme}://{parts.netloc}" == demo.url
        if own and plain_path(parts.path) == parts.path and not parts.path.startswith((*PRIVATE, settings.STATIC_URL)):
            yield parts.path + (f"?{parts.query}" if parts.query else "")
