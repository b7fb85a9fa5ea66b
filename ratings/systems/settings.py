"""Settings of the systems: frozen dataclasses read from stored values, with one sentence for what is wrong."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from enum import StrEnum
from math import isfinite
from typing import Any, TypeVar

Word = TypeVar("Word", bound=StrEnum)


def refuse_unknown(raw: Mapping[str, Any], settings: type, system: str, *, also: Iterable[str] = ()) -> None:
    """Raises ValueError for a name the system has no setting for."""
    known = {field.name for field in fields(settings)} | set(also)
    unknown = sorted(set(raw) - known)
    if unknown:
        raise ValueError(f"{system} has no setting {unknown[0]!r}; it knows {', '.join(sorted(known))}.")


def number(raw: Mapping[str, Any], name: str, default: float, *, low: float, high: float) -> float:
    """A number between `low` and `high`, or the default where none is given. Raises ValueError naming the setting."""
    try:
        if isinstance(raw.get(name), bool):
            raise TypeError
        value = float(raw[name]) if name in raw else default
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} is no number: {raw[name]!r}.") from None
    if not isfinite(value) or not low <= value <= high:
        raise ValueError(f"{name} must lie between {low:g} and {high:g}, not {value:g}.")
    return value


def switch(raw: Mapping[str, Any], name: str, default: bool) -> bool:
    """On or off: true, false, and the words people type. Raises ValueError naming the setting."""
    value = raw.get(name, default)
    if isinstance(value, bool):
        return value
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    if str(value).lower() not in words:
        raise ValueError(f"{name} is on or off, not {value!r}.")
    return words[str(value).lower()]


def choice(raw: Mapping[str, Any], name: str, default: str, known: Iterable[str]) -> str:
    """One of the known words. Raises ValueError naming the setting and the words."""
    value = str(raw.get(name, default))
    words = list(known)
    if value not in words:
        raise ValueError(f"{name} {value!r} is not known; choose one of {', '.join(words)}.")
    return value


def word(raw: Mapping[str, Any], name: str, default: Word, allowed: Iterable[Word] | None = None) -> Word:
    """`choice` for an enumeration."""
    kind = type(default)
    return kind(choice(raw, name, default.value, [each.value for each in allowed or kind]))
