"""A language in which every marked string is its English within ⟦ and ⟧, so that what nobody marked stands out.

Values put into a sentence stand outside its brackets: an English word handed to a translated sentence is found too.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import polib

from clubrating.ops.languages.catalogues import PLURAL_FORMS, merged
from clubrating.ops.languages.marked_words import Message

_KEPT = re.compile(r"(<[^<>]+>|&[a-z]+;|%%|%\([^)]+\)[a-z]|%[+\-.0-9]*[sdf]|\{[a-z_][a-z_0-9.]*(?::[^{}]*)?\})")
_MARKED = re.compile(r"⟦[^⟦⟧]*(?:⟧|…)")  # a chart cuts a long label
WORD = re.compile(r"[A-Za-z]{2,}")
_READ_ALOUD = ("title", "alt", "aria-label", "placeholder", "label", "data-label")
_SILENT = {"script", "style", "template", "code"}
_EMPTY = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


def bracketed(text: str) -> str:
    """The text within brackets, its placeholders and tags outside them."""
    return "".join(part if _KEPT.fullmatch(part) else _around(part) for part in _KEPT.split(text))


def _around(part: str) -> str:
    core = part.strip()
    return part.replace(core, f"⟦{core}⟧", 1) if core else part


def write_catalogue(folder: Path, found: dict[Message, list[str]], locale: str) -> None:
    """The language, compiled in the place of that locale below `folder`."""
    texts = merged(polib.POFile(), found, locale)
    for entry in texts:
        if entry.msgid_plural:
            entry.msgstr_plural = dict.fromkeys(entry.msgstr_plural, bracketed(entry.msgid_plural))
        else:
            entry.msgstr = bracketed(entry.msgid)
    assert texts.metadata["Plural-Forms"] == PLURAL_FORMS[locale]
    path = folder / locale / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True)
    texts.save_as_mofile(str(path))


class Words(HTMLParser):
    """Everything on a page that is read or heard: texts, and attributes that are words. What another language's mark
    covers (`lang`) is left out."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        silent = self._is_silent() or tag in _SILENT or ("lang" in given and tag != "html")
        if tag not in _EMPTY:
            self._open.append((tag, silent))
        if not silent:
            self.found += self._spoken(tag, given)

    def _spoken(self, tag: str, given: dict[str, str]) -> Iterator[str]:
        yield from (given[name] for name in _READ_ALOUD if name in given)
        if tag == "meta" and given.get("name", given.get("property", "")).endswith(("description", "title")):
            yield given.get("content", "")
        if tag == "input" and given.get("type") in ("submit", "button"):
            yield given.get("value", "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _EMPTY:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not self._is_silent():
            self.found.append(data)

    def _is_silent(self) -> bool:
        return bool(self._open) and self._open[-1][1]


def unmarked(html: str, names: re.Pattern[str]) -> list[str]:
    """Texts of the page with Latin words outside brackets, beside those `names` fits."""
    left = []
    for text in Words(html).found:
        rest = names.sub(" ", _MARKED.sub(" ", text))
        if WORD.search(rest):
            left.append(" ".join(text.split()))
    return left
