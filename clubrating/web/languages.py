"""The languages of the site. The address alone decides in which one a page is written: `/ru/`, `/zh-hans/`,
`/zh-hant/` before it, nothing for English. What the browser wishes is only offered, in one line, in its own language.
"""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.utils.encoding import escape_uri_path
from django.utils.translation import get_language, get_language_from_request, override
from django.utils.translation import gettext as _

# For whoever builds the pages.
ENGLISH_ONLY = ("/style/",)


@dataclass(frozen=True, slots=True)
class Edition:
    """A page in one of the languages: its code (BCP 47), its own name for itself, and the address."""

    code: str
    name: str
    address: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class Offer:
    """The line a reader gets whose browser wishes for another of our languages."""

    code: str
    address: str
    words: str


def plain_path(path: str) -> str:
    """The path without its language: /ru/ratings/ → /ratings/. It begins with one slash: after two a browser reads the
    name of a host."""
    first, slash, rest = path[1:].partition("/")
    return "/" + (rest if slash and first in _PREFIXED else path).lstrip("/")


def path_in(path: str, code: str) -> str:
    """The same page in another language."""
    plain = plain_path(path)
    return plain if code == settings.LANGUAGE_CODE else f"/{code}{plain}"


def editions(request: HttpRequest) -> list[Edition]:
    """The page in every language, with what was asked of it; none of a page that is in English only."""
    if request.path.startswith(ENGLISH_ONLY):
        return []
    query = request.GET.urlencode()
    here = get_language()
    path = escape_uri_path(request.path)  # a browser takes a backslash for a slash, and leaves out a tab
    return [
        Edition(code, name, path_in(path, code) + (f"?{query}" if query else ""), code == here)
        for code, name in settings.LANGUAGES
    ]


def offer(request: HttpRequest) -> Offer | None:
    """The page in the language the browser wishes for, where it is another one than the page's. None without a wish."""
    if "Accept-Language" not in request.headers:
        return None
    wished = get_language_from_request(request)
    found = next((row for row in editions(request) if row.code == wished and not row.is_here), None)
    if found is None:
        return None
    with override(wished):
        return Offer(found.code, found.address, _("Read this page in English"))


_PREFIXED = {code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE}
