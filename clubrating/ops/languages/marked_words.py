"""Every marked string of the project: of Python read with `ast`, of templates as Django itself templatizes them.

A string is marked by the functions of `django.utils.translation` under whatever name a module imports them, and in
pure code by `marked`, `sentence` and `counted` of `clubrating.ground.marks`. What is not a literal is looked up when
the page is made, and is marked where it is written down.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.translation.template import templatize

APPS = ("clubrating", "players", "ratings", "tournaments")
_DJANGO, _OURS = "django.utils.translation", "clubrating.ground.marks"
# What each function is handed first: the message, its plural, a context.
_ROLES = {
    "gettext": ("message",),
    "gettext_lazy": ("message",),
    "gettext_noop": ("message",),
    "ngettext": ("message", "plural"),
    "ngettext_lazy": ("message", "plural"),
    "pgettext": ("context", "message"),
    "pgettext_lazy": ("context", "message"),
    "npgettext": ("context", "message", "plural"),
    "npgettext_lazy": ("context", "message", "plural"),
    "marked": ("message",),
    "sentence": ("message",),
    "counted": ("message", "plural"),
}
_LITERAL = r"u?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
_CALL = re.compile(rf"\b(?P<name>n?p?gettext|_)\((?P<given>{_LITERAL}(?:,\s*{_LITERAL})*)", re.DOTALL)
_PLACEHOLDER = re.compile(r"%%|%\([^)]+\)[a-z]|%[+\-.0-9]*[sdf]|\{[a-z_][a-z_0-9.]*(?::[^{}]*)?\}")


class UnreadableMarkError(Exception):
    """A marked string no catalogue can hold, with its place."""


@dataclass(frozen=True, slots=True)
class Message:
    """A marked string: in English, its plural where it counts, a context where one English word means two things."""

    text: str
    plural: str = ""
    context: str = ""

    @property
    def key(self) -> tuple[str, str]:
        return self.context, self.text


def messages() -> dict[Message, list[str]]:
    """Every marked string with the files it stands in, in the order of the files and in them of the lines.

    Raises UnreadableMarkError for a string put together before it is looked up, and for two plurals of one singular."""
    found: dict[Message, list[str]] = {}
    for path in _sources():
        name = path.relative_to(settings.BASE_DIR).as_posix()
        read = of_python if path.suffix == ".py" else of_template
        for message in read(path.read_text(encoding="utf-8"), name):
            places = found.setdefault(message, [])
            if name not in places:
                places.append(name)
    return _one_plural_each(found)


def of_python(source: str, name: str) -> Iterator[Message]:
    """The marked strings of a Python file, in the order of its lines."""
    if _DJANGO not in source and _OURS not in source:
        return  # nothing that marks is imported: not worth the reading
    nodes = list(ast.walk(ast.parse(source, name)))
    called = _imported(nodes)
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    marks = [(call, called[function]) for call in calls if (function := getattr(call.func, "id", "")) in called]
    for call, role in sorted(marks, key=lambda mark: (mark[0].lineno, mark[0].col_offset)):
        if message := _message_of(call, role, name):
            yield message


def of_template(source: str, name: str) -> Iterator[Message]:
    """The marked strings of a template, in the order of its lines."""
    for call in _CALL.finditer(templatize(source, origin=name)):
        function = "gettext" if call["name"] == "_" else call["name"]
        given = [ast.literal_eval(literal) for literal in re.findall(_LITERAL, call["given"], re.DOTALL)]
        yield Message(**_by_role(_ROLES[function], given))


def _sources() -> list[Path]:
    root = Path(settings.BASE_DIR)
    python = [path for app in APPS for path in (root / app).rglob("*.py") if "migrations" not in path.parts]
    templates = [path for kind in ("*.html", "*.txt") for path in (root / "templates").rglob(kind)]
    return sorted(python) + sorted(templates)


def _imported(nodes: list[ast.AST]) -> dict[str, tuple[str, ...]]:
    """What the module of those nodes calls the functions that mark."""
    return {
        alias.asname or alias.name: _ROLES[alias.name]
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module in (_DJANGO, _OURS)
        for alias in node.names
        if alias.name in _ROLES
    }


def _message_of(call: ast.Call, role: tuple[str, ...], name: str) -> Message | None:
    given = call.args[: len(role)]
    if len(given) < len(role):
        return None
    for argument in given:
        if isinstance(argument, ast.JoinedStr | ast.BinOp):
            raise UnreadableMarkError(
                f"{name}:{call.lineno}: a marked string is one literal; put values in afterwards."
            )
    literals = [argument.value for argument in given if isinstance(argument, ast.Constant)]
    texts = [text for text in literals if isinstance(text, str) and text]
    if len(texts) < len(role):
        return None
    return Message(**_by_role(role, texts))


def _by_role(role: tuple[str, ...], given: list[str]) -> dict[str, str]:
    return {"text" if part == "message" else part: text for part, text in zip(role, given, strict=False)}


def _are_at_odds(one: Message, other: Message) -> bool:
    """Whether one entry cannot serve both: two plurals, or a form 0 with a value that is missing without a count."""
    if one.plural and other.plural:
        return one.plural != other.plural
    longer = one.plural or other.plural
    return bool(longer) and placeholders(longer) != placeholders(one.text)


def placeholders(text: str) -> list[str]:
    """What values are put into the text: %(name)s, %s, {name}; and doubled per cents, which must stay doubled."""
    return sorted(_PLACEHOLDER.findall(text))


def _one_plural_each(found: dict[Message, list[str]]) -> dict[Message, list[str]]:
    """One entry for each singular: where it stands with a plural and without, the one with it serves both, unless the
    plural carries values that the one without is not handed."""
    kept: dict[tuple[str, str], Message] = {}
    for message in found:
        other = kept.get(message.key)
        if other and _are_at_odds(message, other):
            raise UnreadableMarkError(
                f"“{message.text}” cannot be one string in {found[other][0]} and {found[message][0]}: write another "
                "one, or give it a context."
            )
        if other is None or message.plural:
            kept[message.key] = message
    places: dict[tuple[str, str], list[str]] = {}
    for message, files in found.items():
        places.setdefault(message.key, []).extend(file for file in files if file not in places.get(message.key, ()))
    return {kept[key]: files for key, files in places.items()}
