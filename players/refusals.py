"""Refusals of services: exceptions whose text is shown to the person who made the request; and how code says what it
says in the reader’s language."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubrating.ground.marks import Sentence


class Refused(ValueError):  # noqa: N818 — it is an answer, not a malfunction
    """The request cannot be carried out. The text says why and what to do; nothing was changed."""


class Stale(Refused):
    """Somebody else changed the same fact meanwhile."""


def said(words: Any) -> str:
    """What pure code said, in the reader's language: a marked text, a sentence, or the error that carries one. Anything
    else stays as it is."""
    text = str(words)
    if isinstance(text, Sentence):
        values = {name: said(value) for name, value in text.values.items()}
        return _(text.text) % values if values else _(text.text)
    return _(text) if text else ""


def first_of(lines: Sequence[str], most: int) -> list[str]:
    """The first lines, and how many more there are."""
    more = len(lines) - most
    return [*lines[:most], *([_("and %(more)s more") % {"more": more}] if more > 0 else [])]


_WIDE = {", ": "，", ": ": "：", "; ": "；", "、": "、", " (": "（", ")": "）", ".": "。", "?": "？", " ": ""}
_NARROW = {"、": ", "}


def sign(mark: str) -> str:
    """The sign between two values as the page's language writes it; "、" stands between the items of a list."""
    return _WIDE[mark] if (get_language() or "").startswith("zh") else _NARROW.get(mark, mark)


def listed(items: Iterable[object]) -> str:
    """The items in a row: a, b, c."""
    return sign("、").join(map(str, items))
