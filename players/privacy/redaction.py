"""What erasing a person takes away: the name in free text, and the rows that say who the person is.

Names in free text are found however they are spelt and replaced by something else. Found are the words of the name in
their order or rotated ("Viktor Korchnoi", "KORCHNOI, Viktor"), as written and in Latin letters, in any case, with
anything between the words (so in an address too: "viktor-korchnoi"), and a name cut at the 33 columns of a tournament
report. Not found: nicknames, and names with letters left out.

`PERSONAL` says what becomes of the person's rows, table by table; it is used by the erasing itself and by the rewriting
of backup files. Not here: entries, games, ratings and published lists carry the number alone and stay as they are; the
year of birth is removed only where no rating was computed with it, which the database knows; which columns hold free
text is in `tournaments.erasure.services.free_text`.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from players.people.names import given_first, sort_key

# --- names in free text ----------------------------------------------------------------------------------------------
_BETWEEN = r"(?:[\W_]|%20)+"
_SEPARATORS = re.compile(r"[\s,]+")
_REPORT_WIDTH = 33
SHORTEST_PART = 3


def finder(names: Iterable[str], *, least_words: int = 1) -> re.Pattern[str] | None:
    """What finds those names, of names with at least so many words; None where there is nothing to look for."""
    wanted: set[str] = set()
    for name in names:
        for spelling in (name, sort_key(name), sort_key(given_first(name))):
            words = [word for word in _SEPARATORS.split(unicodedata.normalize("NFC", spelling)) if word]
            if len(words) >= least_words:
                wanted |= _turned(words)
    return _any_of(wanted)


def parts_finder(names: Iterable[str]) -> re.Pattern[str] | None:
    """What finds single words of those names, of three letters and more: for text that is about nobody else."""
    words = {word for name in names for spelt in (name, sort_key(name)) for word in _SEPARATORS.split(spelt)}
    return _any_of(_edged(re.escape(word), word, word) for word in words if len(word) >= SHORTEST_PART)


def redacted(value: Any, found: re.Pattern[str], instead: str) -> Any:
    """The text, or the list or mapping of texts, with `instead` wherever the pattern matches; else as it was."""
    if isinstance(value, str):
        composed = unicodedata.normalize("NFC", value)
        changed = found.sub(lambda _match: instead, composed)
        return value if changed == composed else changed
    if isinstance(value, list):
        return [redacted(item, found, instead) for item in value]
    if isinstance(value, dict):
        return {redacted(key, found, instead): redacted(item, found, instead) for key, item in value.items()}
    return value


def _turned(words: list[str]) -> set[str]:
    """Patterns for the words in every rotation."""
    found = set()
    for at in range(len(words)):
        turned = [*words[at:], *words[:at]]
        found.add(_edged(_BETWEEN.join(map(re.escape, turned)), turned[0], turned[-1]))
        if len(cut := " ".join(turned)) > _REPORT_WIDTH:
            found.add(_BETWEEN.join(map(re.escape, cut[: _REPORT_WIDTH - 1].split())))
    return found


def _edged(pattern: str, first: str, last: str) -> str:
    """Whole words only, in scripts that have words: "Ann" is not in "Anna", but a Chinese name is in a sentence."""
    before = r"(?<![^\W_])" if _has_words(first[0]) else ""
    behind = r"(?![^\W_])" if _has_words(last[-1]) else ""
    return f"{before}{pattern}{behind}"


def _has_words(char: str) -> bool:
    return char.isupper() or char.islower() or char.isdigit()


def _any_of(patterns: Iterable[str]) -> re.Pattern[str] | None:
    longest_first = sorted(set(patterns), key=lambda pattern: (-len(pattern), pattern))
    return re.compile("|".join(longest_first), re.IGNORECASE) if longest_first else None


# --- the person's rows -----------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Personal:
    """One table: `key` is the column with the player's key; `blank` what the columns become, nothing given where the
    rows are deleted."""

    key: str
    blank: Mapping[str, str | bool | None] | None = None


_NOBODY = MappingProxyType(
    {
        "name": "",
        "reading": "",
        "sort_name": "",
        "search_name": "",
        "sex": "",
        "title": "",
        "visibility": "hidden",
        "active": False,
        "joined_on": None,
    }
)
# Database table → what becomes of the person's rows in it.
PERSONAL: Mapping[str, Personal] = MappingProxyType(
    {
        "players_player": Personal("id", _NOBODY),
        "players_playeridentity": Personal("player_id"),
        "players_guardian": Personal("player_id"),
        "players_subscription": Personal("player_id"),
        "players_mailsubscription": Personal("player_id"),
        "tournaments_entryrequest": Personal("player_id"),
    }
)
