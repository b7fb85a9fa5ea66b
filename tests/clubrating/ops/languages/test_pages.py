"""What can be told of good writing only where it is read: on the pages, the public's and the desk's."""

import re
from html.parser import HTMLParser

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests import desk_scene
from tests.clubrating.ops.languages.test_untranslated import crawl
from tests.clubrating.ops.languages.test_words import HAN

SPACE = re.compile(rf"[。，：；！？、]\s+[{HAN}A-Za-z0-9“（]")  # behind a full-width sign
# Another script’s sign beside a character; initials end with one, too, and “A : B” is a ratio.
HALF = re.compile(rf"[{HAN}]{{2}}\.(?!\w)|[{HAN}][,:;!]|[{HAN}]\?(?!\w)|(?<! )[,:;] ?[{HAN}]|[{HAN}] ?\(")
INLINE = {"a", "abbr", "b", "cite", "code", "em", "i", "kbd", "small", "span", "strong", "time"}
AS_WRITTEN = {"pre", "script", "select", "style", "textarea", "title"}  # `title` joins names of pages
MOST_WORDS = 20  # in a caption


class Runs(HTMLParser):
    """The running texts of a page, element by element that breaks the line; captions apart."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts, self.captions = [""], list[str]()
        self._silent = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in AS_WRITTEN and not self._silent:
            self._silent = tag
        if tag not in INLINE:
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("caption", "figcaption"):
            self.captions.append(self.texts[-1])
        if tag == self._silent:
            self._silent = ""
        if tag not in INLINE:
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.texts[-1] += data


@pytest.fixture(scope="module")
def scene(world: None) -> dict[str, str]:
    """A club with a page of every kind; the addresses of its desk and their names."""
    desk_scene.build()
    return {address.path: address.name for address in desk_scene.addresses("admin/")}


def pages(scene: dict[str, str], prefix: str) -> dict[str, Runs]:
    """One language's pages of every kind, the public's and the desk's."""
    found = crawl(Client(), f"{prefix}/", f"{prefix}/")
    client = desk_scene.client_of(User.objects.get(username="founder"))
    for path in scene:
        response = client.get(f"{prefix}{path}")
        if response.status_code == 200 and "html" in response.headers["Content-Type"]:
            found[path] = response.text
    assert len(found) > 120
    return {address: Runs(html) for address, html in found.items()}


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("prefix", ["/zh-hans", "/zh-hant"])
def test_chinese_sentences_stand_side_by_side(scene: dict[str, str], prefix: str) -> None:
    """And have signs of their own, between values too."""
    slips = {
        text[max(0, slip.start() - 20) : slip.end() + 10]: address
        for address, page in pages(scene, prefix).items()
        for text in page.texts
        for rule in (SPACE, HALF)
        for slip in rule.finditer(text)
    }
    assert not slips, "\n".join(f"{address}: {text!r}" for text, address in slips.items())


@pytest.mark.slow
@pytest.mark.django_db
def test_no_caption_is_long(scene: dict[str, str]) -> None:
    captions = {" ".join(text.split()): address for address, page in pages(scene, "").items() for text in page.captions}
    assert len(captions) > 15
    long = {text: address for text, address in captions.items() if len(text.split()) > MOST_WORDS}
    assert not long, "\n".join(f"{address}: {text}" for text, address in long.items())
