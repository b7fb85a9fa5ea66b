"""In which script something is written, and which scripts the readers of a page know (pure).

A script is called by the first word of its letters' names in Unicode: LATIN, CYRILLIC, CJK, HIRAGANA. Not done: telling
languages apart that share a script.
"""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

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
