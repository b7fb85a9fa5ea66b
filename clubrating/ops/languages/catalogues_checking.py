"""What a translator still has to do: strings without translation, lost placeholders, a wrong number of forms."""

from collections.abc import Iterator
from dataclasses import dataclass

import polib

from clubrating.ops.languages.catalogues import forms_of, merged, read_text
from clubrating.ops.languages.marked_words import Message, placeholders


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing to mend in one catalogue."""

    locale: str
    text: str
    reason: str

    def __str__(self) -> str:
        return f"{self.locale}: {self.reason}: {self.text!r}"


def complaints(found: dict[Message, list[str]], locale: str) -> Iterator[Complaint]:
    """Everything wrong with that catalogue, measured by the strings of the code."""
    file = read_text(locale)
    if str(merged(file, found, locale)) != str(file):
        yield Complaint(locale, "", "not up to date with the code: run “manage.py messages update”")
    for entry in file:
        for reason in _reasons(entry, forms_of(locale)):
            yield Complaint(locale, entry.msgid, reason)


def _reasons(entry: polib.POEntry, forms: int) -> Iterator[str]:
    written = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
    if entry.fuzzy:
        yield "marked as uncertain (fuzzy)"
    if entry.msgid_plural and len(written) != forms:
        yield f"{len(written)} plural forms where there are {forms}"
    if not all(written):
        yield "not translated"
        return
    # A language may count in all its forms what English spells out in the singular: “one game”, “21 игра”.
    wanted = placeholders(entry.msgid_plural or entry.msgid)
    for text in written:
        if placeholders(text) != wanted:
            yield f"placeholders are {placeholders(text)} instead of {wanted} in {text!r}"
        if _edges(text) != _edges(entry.msgid):
            yield f"begins or ends with other blanks: {text!r}"


def _edges(text: str) -> tuple[bool, bool]:
    return text[:1].isspace(), text[-1:].isspace()
