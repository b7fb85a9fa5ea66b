"""Translation catalogues: brought up to date with the code, compiled, and checked.

A catalogue (`clubrating/locale/<locale>/LC_MESSAGES/django.po`) has its strings in the order of the project's files,
with the names of those files and no line numbers, so that diffs show only real changes. The compiled files are stored
with the site's data (`LOCALE_PATHS`) and are made at set-up.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polib
from django.conf import settings
from django.utils.translation import to_locale

from clubrating.ops.languages.marked_words import Message, placeholders

# --- catalogues ------------------------------------------------------------------------------------------------------
# The numbers of each language: how many forms, and which of them a number takes.
PLURAL_FORMS = {
    "ru": "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);",
    "zh_Hans": "nplurals=1; plural=0;",
    "zh_Hant": "nplurals=1; plural=0;",
}
_WIDTH = 120


@dataclass(frozen=True, slots=True)
class Change:
    """What an update did to one file."""

    added: int
    dropped: int
    empty: int


def locales() -> list[str]:
    """The languages that have a catalogue: every one of the site but the one it is written in."""
    return [to_locale(code) for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def text_file(locale: str) -> Path:
    return Path(settings.BASE_DIR) / "clubrating" / "locale" / locale / "LC_MESSAGES" / "django.po"


def compiled_file(locale: str) -> Path:
    return Path(settings.LOCALE_PATHS[0]) / locale / "LC_MESSAGES" / "django.mo"


def read_text(locale: str) -> polib.POFile:
    """The catalogue of that language; one without entries where there is no file yet. Raises OSError for a file that is
    none."""
    path = text_file(locale)
    return polib.pofile(str(path), wrapwidth=_WIDTH) if path.is_file() else polib.POFile(wrapwidth=_WIDTH)


def forms_of(locale: str) -> int:
    """How many forms a counted word has in that language."""
    return int(PLURAL_FORMS[locale].partition("nplurals=")[2].partition(";")[0])


def merged(old: polib.POFile, found: dict[Message, list[str]], locale: str) -> polib.POFile:
    """The catalogue with exactly those strings: what was translated stays, what is new is empty, the rest is gone."""
    known = {(entry.msgctxt or "", entry.msgid): entry for entry in old if not entry.obsolete}
    new = polib.POFile(wrapwidth=_WIDTH)
    new.metadata = {
        "Project-Id-Version": "Club Rating",
        "Language": locale,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": PLURAL_FORMS[locale],
    }
    new.extend(_entry(message, places, known.get(message.key), locale) for message, places in found.items())
    return new


def _entry(message: Message, places: list[str], old: polib.POEntry | None, locale: str) -> polib.POEntry:
    entry = polib.POEntry(
        msgid=message.text,
        msgctxt=message.context or None,
        occurrences=[(place, "") for place in places],
        flags=["python-format"] if "%" in message.text + message.plural else [],
        comment=old.comment if old else "",
        tcomment=old.tcomment if old else "",
    )
    if message.plural:
        entry.msgid_plural = message.plural
        entry.msgstr_plural = dict.fromkeys(range(forms_of(locale)), "")
    if old and old.fuzzy:
        entry.flags.insert(0, "fuzzy")
    if old and message.plural and set(old.msgstr_plural) == set(entry.msgstr_plural):
        entry.msgstr_plural = old.msgstr_plural
    elif old and not message.plural:
        entry.msgstr = old.msgstr
    return entry


def update(found: dict[Message, list[str]], locale: str) -> Change:
    """Brings the file of that language up to date; one that already is stays untouched."""
    old = read_text(locale)
    new = merged(old, found, locale)
    write_whole(text_file(locale), str(new).encode() + b"\n")
    before, after = ({(entry.msgctxt, entry.msgid) for entry in file} for file in (old, new))
    return Change(len(after - before), len(before - after), sum(not entry.translated() for entry in new))


def compile_texts() -> list[str]:
    """Compiles the catalogues that changed since they were compiled last; which ones those were."""
    made = []
    for locale in locales():
        text, compiled = text_file(locale), compiled_file(locale)
        if not text.is_file() or (compiled.is_file() and compiled.stat().st_mtime_ns == text.stat().st_mtime_ns):
            continue
        write_whole(compiled, read_text(locale).to_binary())
        # The time of the text is the mark by which the next start sees that nothing changed.
        os.utime(compiled, ns=(text.stat().st_atime_ns, text.stat().st_mtime_ns))
        made.append(locale)
    return made


def write_whole(path: Path, content: bytes) -> None:
    """The file with that content, at once or not at all; untouched where it has it already."""
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(f".{os.getpid()}.new")
    aside.write_bytes(content)
    aside.replace(path)


# --- the check -------------------------------------------------------------------------------------------------------
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
