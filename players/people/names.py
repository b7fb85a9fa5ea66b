"""What can be derived from a name: initials, the key it sorts and is found by, and its part of an address.

Names are kept as written, in any script, and beside a name perhaps a reading of it in another; nothing here knows who
may see them (that is `players.privacy.rules`). Not done: guessing which word is the family name. "Korchnoi, Viktor" is
read as family name first because of the comma; a name without one keeps its order.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from anyascii import anyascii

MAX_NAME = 100  # as wide as the tables' columns
_MAX_SEARCHED, MAX_SORTED = 500, 200  # letters that the columns hold
_SEPARATORS = re.compile(r"[\s,]+")


def clean_name(text: str) -> str:
    """The name in composed Unicode (NFC), invisible and control characters gone, runs of blanks made one."""
    if text.isascii() and text.isprintable():  # most of them
        return " ".join(text.split())
    composed = unicodedata.normalize("NFC", text)
    visible = "".join(" " if char.isspace() else char for char in composed if char.isspace() or char.isprintable())
    return " ".join(visible.split())


def given_first(name: str) -> str:
    """ "Family, Given" as "Given Family"; any other name unchanged."""
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma and given.strip() else name.strip(" ,")


def initials(name: str) -> str:
    """First letters with points, given name first: "Korchnoi, Dmitri" → "D. K."."""
    words = [word for word in _SEPARATORS.split(given_first(name)) if word[:1].isalnum()]
    return " ".join(f"{word[0].upper()}." for word in words)


def sort_key(name: str) -> str:
    """The key a list of names is ordered by: Latin letters, lower case, family name first where a comma says so."""
    return " ".join(anyascii(name).lower().replace(",", " ").split())


def latin_name(name: str, reading: str) -> str:
    """The reading where it is in Latin letters and the name is not: letter by letter a Japanese name would be read as
    Chinese, and an Arabic one without its vowels. Else the name."""
    return reading if is_latin(reading) and not is_latin(name) else name


def search_key(name: str, reading: str = "") -> str:
    """Text in which any spelling of the name and of its reading is found: as written and in Latin letters, case
    folded."""
    spelt = (f"{each.casefold()} {sort_key(each)} {sort_key(given_first(each))}" for each in (name, reading))
    return " ".join(" ".join(spelt).replace(",", " ").split())[:_MAX_SEARCHED]


_SHORTEST_MISSPELT = 4


def spellings_of(word: str) -> list[str]:
    """A word of a search as it may stand in `search_key`: as written, and in Latin letters without marks. Chinese
    characters, say, stand for themselves: as letters, 陈 would be found in Levchenko."""
    latin = sort_key(word).split()[:1] if word.lower() != word.upper() else []
    return list(dict.fromkeys((word.casefold(), *latin)))


def halves_of(word: str) -> tuple[str, ...]:
    """Parts of a word in Latin letters of which one at least stands unharmed wherever one letter is wrong, missing or
    too many, or two are exchanged: its halves, and the word with the two letters at its middle exchanged. None for a
    word too short for that."""
    if len(word) < _SHORTEST_MISSPELT or not (word.isascii() and word.isalnum()):
        return ()
    middle = len(word) // 2
    exchanged = word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :]
    return word[:middle], word[middle:], exchanged


def misspelt_pattern(word: str) -> str:
    """A regular expression for whole words that are one letter away from this one of ASCII letters and digits."""
    places = range(len(word))
    other = [f"{word[:at]}[^ ]{word[at + 1 :]}" for at in places]
    missing = [f"{word[:at]}[^ ]{word[at:]}" for at in (*places, len(word))]
    too_many = [word[:at] + word[at + 1 :] for at in places]
    exchanged = [word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in places[:-1]]
    return f"(^| )({'|'.join(dict.fromkeys([*other, *missing, *too_many, *exchanged]))})( |$)"


def slug_part(name: str, reading: str = "") -> str:
    """The name as it stands in an address: Latin letters, digits and hyphens, at most 60 characters."""
    latin = re.sub(r"[^a-z0-9]+", "-", anyascii(given_first(latin_name(name, reading))).lower())
    return latin.strip("-")[:60].strip("-")


# --- scripts ---------------------------------------------------------------------------------------------------------
# Which script something is written in, called by the first word of its letters' names in Unicode, and which scripts the
# readers of a page know. Not done: telling languages apart that share a script.
LATIN, CYRILLIC, HAN = "LATIN", "CYRILLIC", "CJK"
# By language: its own script first, then what its readers know too.
READ: Mapping[str, tuple[str, ...]] = {
    "en": (LATIN,),
    "ru": (CYRILLIC, LATIN),
    "zh-hans": (HAN, LATIN),
    "zh-hant": (HAN, LATIN),
}
_ALIKE = {"KATAKANA-HIRAGANA": "KATAKANA", "IDEOGRAPHIC": HAN}


@lru_cache(maxsize=4096)
def _script_of(letter: str) -> str:
    first = unicodedata.name(letter, "").partition(" ")[0]
    return _ALIKE.get(first, first)


def scripts_of(text: str) -> set[str]:
    """The scripts of its letters; none where it has no letter."""
    return {_script_of(char) for char in text if char.isalpha()}


def is_latin(text: str) -> bool:
    """Whether it is written in Latin letters only."""
    return scripts_of(text) == {LATIN}


def is_read_in(text: str, language: str) -> bool:
    """Whether readers of that language know all its letters."""
    return scripts_of(text) <= {*READ.get(language, (LATIN,))}


def is_helped_by(name: str, reading: str, language: str) -> bool:
    """Whether readers of that language are helped by the reading: the name is not in their own script, and they can
    read the reading."""
    return bool(reading) and not scripts_of(name) <= {READ.get(language, (LATIN,))[0]} and is_read_in(reading, language)
