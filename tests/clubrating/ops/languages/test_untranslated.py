"""Nothing a reader sees is left in English: neither on the pages nor in the catalogues."""

import re
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import Resolver404, resolve

from clubrating.ops.languages.catalogues import complaints, locales
from clubrating.ops.languages.marked_words import Message, messages
from clubrating.web.languages import plain_path
from ratings.models import RatingList
from ratings.systems import SYSTEMS
from ratings.systems.elo import PRESETS
from tests import desk_scene
from tests.pseudo import unmarked, write_catalogue
from tests.visitor import Page
from tournaments.models import Season, Tournament
from tournaments.standings.team_tiebreaks import TEAM_TIEBREAKS
from tournaments.standings.tiebreaks import TIEBREAKS

# Written alike in every language: results, codes of tie-breaks and of files, federations, systems called after people.
SIGNS = (
    "FIDE|US Chess|USCF|TRF(?:16|26)?|CSV|PGN|ICS|JSON|RSS|Atom|QR|SVG|PNG|HTML|XML|Excel|iCalendar|UTC|RD"
    "|GM|IM|FM|CM|WGM|WIM|WFM|WCM"
    "|sessionid|csrftoken|messages|club-device|club-names"  # what cookies are called
)


@pytest.fixture(scope="module")
def found() -> dict[Message, list[str]]:
    return messages()


@pytest.fixture(scope="module")
def scene(world: None) -> None:
    """A club with a page of every kind."""
    desk_scene.build()


@pytest.fixture
def pseudo(tmp_path: Path, settings: object, found: dict[Message, list[str]]) -> None:
    """The site in the language of brackets, at the address of the Russian one."""
    write_catalogue(tmp_path, found, "ru")
    settings.LOCALE_PATHS = [tmp_path]  # type: ignore[attr-defined]


def names() -> re.Pattern[str]:
    """What is written as it was entered, and signs."""
    named = [model for model in apps.get_models() if "name" in {field.name for field in model._meta.fields}]
    rows = [
        *(str(name) for model in named for name in model._default_manager.values_list("name", flat=True)),
        *(name for _code, name in settings.LANGUAGES),
        *(rule.base for rule in (*TIEBREAKS, *TEAM_TIEBREAKS)),
    ]
    longest_first = sorted({re.escape(row) for row in rows if row}, key=len, reverse=True)
    return re.compile(rf"https?://\S+|(?<![A-Za-z])(?:{'|'.join(longest_first)}|{SIGNS})(?![A-Za-z])")


def crawl(client: Client, start: str, inside: str) -> dict[str, str]:
    """Pages reached by links from `start` below `inside`: one of every view, in one language."""
    waiting, seen, found = [start], {start}, {}
    visited = set[str]()
    while waiting:
        address = waiting.pop(0)
        response = client.get(address, follow=True)
        if response.status_code != 200 or "html" not in response.headers.get("Content-Type", ""):
            continue
        found[address] = response.text
        for href, _words in Page(response.text).links:
            path = urlsplit(urljoin(address, href))
            link = path.path + (f"?{path.query}" if path.query else "")
            elsewhere = not path.path.startswith(inside) or (inside == "/" and plain_path(path.path) != path.path)
            if link in seen or elsewhere or path.path.startswith(f"{inside}admin/"):
                continue
            seen.add(link)
            try:
                view = resolve(path.path).view_name
            except Resolver404:
                continue
            if view not in visited:
                visited.add(view)
                waiting.append(link)
    return found


@pytest.mark.slow
@pytest.mark.django_db
def test_no_page_of_the_public_shows_an_unmarked_word(scene: None, client: Client, pseudo: None) -> None:
    known = names()
    pages = crawl(client, "/ru/", "/ru/")
    assert len(pages) > 40
    left = {text: address for address, html in pages.items() for text in unmarked(html, known)}
    assert not left, "\n".join(f"{address}: {text}" for text, address in left.items())


# What stands on the desk’s pages besides: zones, settings and their codes, digests, users, and the words of the scene.
CODES = re.compile(
    rf"\b[A-Z]\w+/[\w/+-]+|\{{[^}}]*\}}|[0-9a-f]{{64}}|\b(?:founder|True|False|on file)\b|{desk_scene.SECRET}.*"
    rf"|\b(?:{'|'.join(sorted({*PRESETS, *(system.key for system in SYSTEMS)}, key=len, reverse=True))})\b"
)


@pytest.mark.slow
@pytest.mark.django_db
def test_no_page_of_the_desk_shows_an_unmarked_word(scene: None, pseudo: None) -> None:
    client = desk_scene.client_of(User.objects.get(username="founder"))
    addressed = (Tournament, RatingList, Season)
    slugs = [re.escape(slug) for model in addressed for slug in model._default_manager.values_list("slug", flat=True)]
    known = re.compile(rf"{names().pattern}|{CODES.pattern}|\b(?:{'|'.join(slugs)})\b")
    left, opened = {}, 0
    for address in desk_scene.addresses("admin/"):
        response = client.get(f"/ru{address.path}")
        if response.status_code == 200 and "html" in response.headers["Content-Type"]:
            opened += 1
            left |= dict.fromkeys(unmarked(response.text, known), address.path)
    assert opened > 60
    assert not left, "\n".join(f"{path}: {text}" for text, path in left.items())


def test_the_whole_project_is_read_in_the_order_of_its_files(
    found: dict[Message, list[str]],
) -> None:
    assert len(found) > 2500
    firsts = [places[0] for places in found.values()]
    python = [place for place in firsts if place.endswith(".py")]
    assert python == sorted(python, key=lambda place: Path(place))
    assert "templates/base.html" in found[Message("Skip to content")]
    assert "tournaments/standings/tiebreaks/buchholz.py" in found[Message("Sum of the opponents’ points.")]


@pytest.mark.parametrize("locale", locales())
def test_no_string_is_untranslated(locale: str, found: dict[Message, list[str]]) -> None:
    wrong = list(complaints(found, locale))
    assert not wrong, "\n".join(map(str, wrong[:50])) + f"\n{len(wrong)} to mend: docs/languages.md says how"
