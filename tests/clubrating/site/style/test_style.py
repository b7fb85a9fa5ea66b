"""The style guide shows every component there is: a class of the stylesheet that is not on it fails here."""

import re
from html.parser import HTMLParser

import pytest
from django.test import Client

from players.models import Club
from tests import ROOT

pytestmark = pytest.mark.django_db
STYLESHEET = ROOT / "static" / "css" / "club.css"
# Parts of one page each, shown there: the boards of a round's results, and the frame of the administration.
SHOWN_ELSEWHERE = {
    *("board", "boards", "key", "keys", "no", "say", "long", "rare", "white"),
    *("desk-bar", "crumbs", "club"),
}


def classes_of(layer: str) -> set[str]:
    """The classes a layer of the stylesheet has something to say about."""
    text = re.sub(r"/\*.*?\*/", "", STYLESHEET.read_text(encoding="utf-8"), flags=re.S)
    start = text.index(f"@layer {layer} {{")
    end = text.find("\n@layer", start + 1)
    return set(re.findall(r"\.([a-z][\w-]*)", text[start : end if end > 0 else None]))


class Classes(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.update((dict(attrs).get("class") or "").split())


@pytest.fixture
def page(club: Club) -> str:
    return Client().get("/style/").text


def test_every_component_is_shown(page: str) -> None:
    assert classes_of("components") - SHOWN_ELSEWHERE - Classes(page).found == set()


def test_every_exception_is_one(page: str) -> None:
    assert classes_of("components") >= SHOWN_ELSEWHERE


def test_its_figures_are_those_of_the_stylesheet(page: str) -> None:
    """As the design has them printed: 16.0 and 14.3 for ink, 6.2 and 9.1 for the probation colour."""
    cells = re.sub(r"<[^>]+>", " ", page)
    assert re.search(r"--ink\s+text\s+16\.0\s+14\.3", cells)
    assert re.search(r"--probation\s+on probation\s+6\.2\s+9\.1", cells)
    assert page.count("protanopia") == page.count("deuteranopia") == 2


def test_it_is_in_english_only_and_says_so_by_offering_nothing_else(page: str) -> None:
    assert "hreflang" not in page
    assert Client().get("/ru/style/").status_code == 404
