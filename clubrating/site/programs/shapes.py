"""Shapes of JSON values: what a program may send and is answered, as data.

One description serves three readers: requests are checked by it, the documents are written from it (JSON Schema
2020-12, as OpenAPI 3.1 takes it), and the tests compare real answers with it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


@dataclass(frozen=True, slots=True)
class Shape:
    """A value. `kind`: JSON's own words, "date" for a day as text, "any" for whatever it is. `most`: the largest
    number, or letters or items at most. `of`: what an array holds. `fields`: those of an object; a name that ends in ?
    may be missing. An object without fields may have any."""

    kind: str
    words: str = ""
    null: bool = False
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    of: "Shape | None" = None
    fields: Mapping[str, "Shape"] = field(default_factory=dict)

    def or_null(self, words: str = "") -> "Shape":
        return replace(self, null=True, words=words or self.words)

    def known(self) -> Iterator[tuple[str, "Shape", bool]]:
        """The fields by name, and whether each must be there."""
        for name, shape in self.fields.items():
            yield name.removesuffix("?"), shape, not name.endswith("?")


def text(words: str = "", *choices: str, most: int | None = None) -> Shape:
    return Shape("string", words, choices=choices, most=most)


def day(words: str = "") -> Shape:
    return Shape("date", words)


def whole(words: str = "", *, least: int = 0, most: int = 2**31 - 1) -> Shape:
    return Shape("integer", words, least=least, most=most)


def number(words: str = "") -> Shape:
    return Shape("number", words)


def flag(words: str = "") -> Shape:
    return Shape("boolean", words)


def rows(of: Shape, words: str = "", *, most: int | None = None) -> Shape:
    return Shape("array", words, of=of, most=most)


def record(words: str = "", /, **fields: Shape) -> Shape:
    return Shape("object", words, fields=fields)


def anything(words: str = "") -> Shape:
    return Shape("any", words)


# --- checking -------------------------------------------------------------------------------------------------------
def problem_in(value: Any, shape: Shape, place: str = "") -> tuple[str, str] | None:
    """Where a value is not of the shape, and a sentence that says what is wanted there; None where it fits."""
    if value is None and (shape.null or shape.kind == "any"):
        return None
    wrong = _wrong(value, shape)
    if wrong:
        return place, f"{place or 'The body'} is {wrong}."
    if shape.kind == "object" and shape.fields:
        return _in_object(value, shape, place)
    if shape.kind == "array" and shape.of is not None:
        found = (problem_in(each, shape.of, f"{place}[{index}]") for index, each in enumerate(value))
        return next((each for each in found if each), None)
    return None


def _in_object(value: dict[str, Any], shape: Shape, place: str) -> tuple[str, str] | None:
    dot = f"{place}." if place else ""
    known = {name: (each, must) for name, each, must in shape.known()}
    for name in value:
        if name not in known:
            shown = f"{dot}{name[:40]}"
            return shown, f"There is no field {shown} here: known are {', '.join(known)}."
    for name, (each, must) in known.items():
        if name not in value and must:
            return f"{dot}{name}", f"The field {dot}{name} is missing."
        if name in value and (found := problem_in(value[name], each, f"{dot}{name}")):
            return found
    return None


def _wrong(value: Any, shape: Shape) -> str:
    """What is wanted instead, as the end of a sentence; empty where the value itself fits."""
    if shape.kind == "any":
        return ""
    if shape.kind == "date":
        return "" if _is_day(value) else "not a day: write YYYY-MM-DD"
    if not isinstance(value, _KINDS[shape.kind]) or (isinstance(value, bool) and shape.kind != "boolean"):
        return f"not {_NAMES[shape.kind]}"
    if shape.choices and value not in shape.choices:
        return f"none of {', '.join(shape.choices)}"
    size: float = len(value) if isinstance(value, str | list) else value  # type: ignore[assignment]
    if shape.least is not None and size < shape.least:
        return f"less than {shape.least}"
    if shape.most is not None and size > shape.most:
        return f"more than {shape.most}{' letters' if isinstance(value, str) else ''}"
    return ""


_NAMES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}


def _is_day(value: Any) -> bool:
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


# --- JSON Schema ------------------------------------------------------------------------------------------------------
def schema_of(shape: Shape) -> dict[str, Any]:
    """The shape as JSON Schema."""
    if shape.kind == "any":
        return {"description": shape.words} if shape.words else {}
    kind = "string" if shape.kind == "date" else shape.kind
    found: dict[str, Any] = {"type": [kind, "null"] if shape.null else kind}
    if shape.kind == "date":
        found["format"] = "date"
    if shape.words:
        found["description"] = shape.words
    if shape.choices:
        found["enum"] = [*shape.choices, *([None] if shape.null else [])]
    least, most = _BOUNDS.get(kind, ("minimum", "maximum"))
    found |= {least: shape.least} if shape.least is not None else {}
    found |= {most: shape.most} if shape.most is not None else {}
    if shape.of is not None:
        found["items"] = schema_of(shape.of)
    if shape.fields:
        found["properties"] = {name: schema_of(each) for name, each, _must in shape.known()}
        found["required"] = [name for name, _each, must in shape.known() if must]
    return found


_BOUNDS = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")}
