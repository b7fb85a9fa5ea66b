"""What can be told of good writing by machine (docs/words.md): punctuation of the language, and no stray spaces."""

import re
from collections.abc import Iterator

import pytest
from django.conf import settings

from clubrating.ops.languages.catalogues import locales, read_text

HAN = "\u4e00-\u9fff"
# A sign of another script's punctuation, with what it stands beside.
CHINESE = (
    rf"[{HAN}][,;:!?(]",
    rf"[{HAN}]\.(?:\s|$)",
    r"[，。；：、？！]\s",
    rf"[{HAN}] [{HAN}A-Za-z0-9%]",
    rf"[A-Za-z0-9%] [{HAN}]",
    '"',
)
RUSSIAN = ('"', r"\w'\w", r"\s-\s", r"[а-яё)»] – [а-яё]")
SLIPS = {"zh_Hans": CHINESE, "zh_Hant": CHINESE, "ru": RUSSIAN}


def translations(locale: str) -> Iterator[str]:
    """Every translated text, its values told as x; its tags and what it quotes too."""
    for entry in read_text(locale):
        for text in entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]:
            yield re.sub(r"<[^>]*>|“[^”]*”|「[^」]*」", "x", re.sub(r"%\(\w+\)s", "x", text))


@pytest.mark.extended
@pytest.mark.parametrize("locale", locales())
def test_punctuation_is_that_of_the_language(locale: str) -> None:
    slips = re.compile("|".join(SLIPS[locale]))
    assert [text for text in translations(locale) if slips.search(text)] == []


def test_style_sheets_hold_no_words() -> None:
    """What a style sheet writes stands in no catalogue: the page gives it, `content: attr(data-word)`."""
    sheets = (settings.BASE_DIR / "static" / "css").glob("*.css")
    assert [
        found for sheet in sheets for found in re.findall(r'content: *"[^"]*[A-Za-z]{2}[^"]*"', sheet.read_text())
    ] == []


# --- English: the words of the code ---------------------------------------------------------------------------------
LONGEST = 25  # words a sentence


def english() -> list[str]:
    """Every marked text, its values told as x."""
    texts = [text for entry in read_text("ru") for text in (entry.msgid, entry.msgid_plural) if text]
    return [re.sub(r"<[^>]*>", " ", re.sub(r"%\(\w+\)s", "x", text)) for text in texts]


@pytest.mark.extended
def test_no_sentence_is_long() -> None:
    sentences = [part for text in english() for part in re.split(r"(?<=[.!?:;])\s+", text)]
    assert [part for part in sentences if len(part.split()) > LONGEST] == []


@pytest.mark.extended
def test_nobody_is_he_or_she() -> None:
    assert [
        text for text in english() if re.search(r"\b(he|him|his|himself|she|her|hers)\b", text, re.IGNORECASE)
    ] == []
