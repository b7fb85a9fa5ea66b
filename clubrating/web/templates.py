"""Our templates as they are read: the signs between two values become those of the page's language.

{{ day }}, {{ event }} is written in a template as everywhere; read, it is {{ day }}{% sign ", " %}{{ event }}. What
stands within a sentence to translate is the catalogue's. A comma that leaves out the last of a loop, or the first, is
one between the items of a list. Brackets change around a value. A full stop
changes at the end of a paragraph only: {{ number }}. may begin one.
"""

import re

from django.template import Origin
from django.template.loaders import filesystem

_SENTENCE = re.compile(r"(\{% blocktranslate\b.*?\{% endblocktranslate %\})", re.DOTALL)
_SIGN = re.compile(
    r'(?P<behind>^|\}\}|%\}|class="hidden">)(?P<ends>(?:</\w+>)*)'
    r"(?:(?P<mark>[,:;])\s+|(?P<stop>[.?])(?=</(?:p|li|h2)>|<br>))"
)
_BRACKET = re.compile(r" \((?=\{|$)|(?:^|(?<=\}))\)")  # around a value
_OF_A_LIST = re.compile(r"forloop\.(?:first|last) %\}$")


def signed(source: str) -> str:
    """The template's text, with {% sign %} for the signs behind values and tags."""
    parts = _SENTENCE.split(source)
    return "".join(part if odd % 2 else _BRACKET.sub(_bracket, _SIGN.sub(_tag, part)) for odd, part in enumerate(parts))


def _tag(found: re.Match[str]) -> str:
    if found["stop"]:
        return f'{found["behind"]}{found["ends"]}{{% sign "{found["stop"]}" %}}'
    is_list = found["mark"] == "," and _OF_A_LIST.search(found.string, 0, found.end("behind"))
    mark = "、" if is_list else f"{found['mark']} "
    return f'{found["behind"]}{found["ends"]}{{% sign "{mark}" %}}'


def _bracket(found: re.Match[str]) -> str:
    return f'{{% sign "{found[0]}" %}}'


class Loader(filesystem.Loader):
    """Reads the project's folder of templates; those of Django and of other packages are left as they are."""

    def get_contents(self, origin: Origin) -> str:
        return signed(super().get_contents(origin))
