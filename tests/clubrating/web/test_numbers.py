"""Figures are written as the reader's language does, and for programs as ever."""

import re
from collections import Counter
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.utils.translation import override

from clubrating.web.formatting import written
from clubrating.web.languages import path_in
from ratings.explain.base import decimal, plain
from tests import desk_scene
from tests.clubrating.ops.languages.test_untranslated import crawl

# Attributes people read, or that carry addresses, or the state of one request.
SPOKEN = {"title", "alt", "aria-label", "placeholder", "content", "data-label", "href", "action", "src", "lang"}
DECIMAL_COMMA = re.compile(r"\d,\d")


class Attributes(HTMLParser):
    """Every attribute a program reads, with its element and value."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: Counter[tuple[str, str, str | None]] = Counter()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if ("name", "csrfmiddlewaretoken") not in attrs:
            self.found.update((tag, name, value) for name, value in attrs if name not in SPOKEN)


@pytest.mark.parametrize(("code", "shown"), [("en", "12.5"), ("ru", "12,5"), ("zh-hans", "12.5"), ("zh-hant", "12.5")])
def test_a_decimal_has_the_sign_of_the_language(code: str, shown: str) -> None:
    with override(code):
        assert written("12.5") == plain(12.5) == decimal(12.5, 1) == shown


def test_halves_and_true_minuses_stay() -> None:
    with override("ru"):
        assert written("3½") == "3½"
        assert plain(-0.25) == "−0,25"


@pytest.mark.django_db
@pytest.mark.slow
def test_no_attribute_of_a_page_changes_with_the_language_of_its_numbers(client: Client) -> None:
    desk_scene.build()
    pages = crawl(client, "/", "/")
    assert len(pages) > 20
    odd = {}
    for address, html in pages.items():
        path, _mark, query = address.partition("?")
        other = client.get(f"{path_in(path, 'ru')}?{query}" if query else path_in(path, "ru"), follow=True)
        if changed := Attributes(other.text).found - Attributes(html).found:
            odd[address] = [row for row in changed if row[2] and DECIMAL_COMMA.search(row[2])]
    assert not {address: rows for address, rows in odd.items() if rows}
