"""Every page and file a viewer can reach from the front page, and those no page leads to."""

import io
import re
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from html import unescape
from urllib.parse import parse_qsl, urljoin, urlsplit

from django.http import HttpResponse
from django.test import Client
from django.urls import resolve

from clubrating.web.languages import plain_path
from players.models import Player
from tests.choosing import everything
from tournaments.models import Tournament

# What no page leads to, or not every page.
STARTS = ("/", "/api/v1/", "/api/v1/ratings/standard/?from=1", "/sitemap.xml", "/robots.txt", "/style/")
API = ("", "entries/", "standings/", "rounds/", "rounds/1/", "tables/", "matches/", "teams/")
# A list can be narrowed, sorted and turned over in thousands of ways: of each way so many are opened, these first.
MOST_OF_A_WAY, MOST_IN_SHORT = 3, 2
ABOUT_NOBODY = ("lab:", "tools:")  # views of systems and numbers: one of each in short
PERSON = "players:player"  # everybody's: nowhere else readings stand
IN_ORDER = ("/tournaments/winter-cup/crosstable/?order=number", "/tournaments/cup/rounds/1/?order=name")
FEED = "/tournaments/team-league/results.atom"

# Wherever a page leads: links, feeds, what scripts fetch, what a screen turns to by itself.
_LINK = re.compile(r'\s(?:href|hx-get|data-address)="([^"]+)"|http-equiv="refresh"[^>]*url=([^"]+)"')


def links_of(base: str, text: str) -> set[str]:
    """In what words say a quotation mark is written otherwise."""
    found = (unescape(one or other) for one, other in _LINK.findall(text))
    return {urljoin(base, link) for link in found if not link.startswith("#")}


def text_of(content: bytes) -> str:
    """A page or file as text; of a workbook every part, shown or not."""
    if not content.startswith(b"PK"):
        return content.decode()
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        return "\n".join(parts.read(name).decode() for name in parts.namelist())


def crawl(client: Client, most_of_a_view: int | None = None) -> Iterator[tuple[str, str]]:
    """Every page and file reachable from the front page, with its address; the admin is left out, and the same pages in
    other languages, which are scanned apart."""
    yield from ((address, text_of(answer.content)) for address, answer in answers(client, most_of_a_view))


def answers(
    client: Client, most_of_a_view: int | None = None, always: Sequence[str] = ()
) -> Iterator[tuple[str, HttpResponse]]:
    """The same with what the server says of each; those of `always` are opened, however many others of their kind."""
    events = [f"/api/v1/tournaments/{event.slug}/{part}" for event in Tournament.objects.all() for part in API]
    people = list(Player.objects.all())
    maybe = [*events, *(f"/api/v1/players/{player.number}/" for player in people)]
    maybe += [f"/players/{one.slug}/vs/{other.slug}/" for one in people for other in people]
    maybe += [*IN_ORDER, FEED]
    waiting, seen, ways = [*STARTS, *maybe, *always], set[str](), Counter[tuple[str, ...]]()
    while waiting:
        address = waiting.pop()
        parts = urlsplit(address)
        if address in seen or parts.netloc or parts.path.startswith(("/admin/", "/static/")):
            continue
        seen.add(address)
        view, kept = resolve(parts.path), {name for name, _value in parse_qsl(parts.query)}
        is_of_few = most_of_a_view or kept or view.view_name.startswith(ABOUT_NOBODY)
        about = str(next(iter(view.kwargs.values()), "")) if not is_of_few or view.view_name == PERSON else ""
        way = (view.view_name, about, *sorted(kept))
        if ways[way] >= (most_of_a_view or most_of(way)) and address not in always:
            continue
        response = client.get(address)
        ways[way] += response.status_code == 200
        assert response.status_code in (200, 301, 302) or address in maybe, address
        yield address, response
        links = {*links_of(parts.path, text_of(response.content)), urljoin(address, response.get("Location", ""))}
        found = (link.split("#")[0] for link in sorted(links))
        waiting += [link for link in found if link.startswith("/") and plain_path(path := urlsplit(link).path) == path]


def most_of(way: tuple[str, ...]) -> int:
    """How many addresses of one view are opened that are about the same event, person or list, or are narrowed and
    sorted by the same names."""
    view, _about, *kept = way
    if everything():
        return MOST_OF_A_WAY if kept else sys.maxsize
    return 1 if view.startswith(ABOUT_NOBODY) or not kept else MOST_IN_SHORT
