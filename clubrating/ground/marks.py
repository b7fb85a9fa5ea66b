"""Words in pure code, marked for the catalogues (pure): rules know no language, yet what they say is shown in all.

`marked("Direct encounter")` is that text itself; the mark tells the catalogues of it, and who shows it looks it up.
`sentence("Round %(round)s needs two players.", round=3)` is a text too, in English, that remembers what it was made
of; `players.refusals.said` says it in the language of the page.
"""

from typing import Any


def marked(text: str) -> str:
    """The text, marked."""
    return text


class Sentence(str):
    """A sentence with its values put in: an English text that can be said again in another language."""

    __slots__ = ("text", "values")
    text: str
    values: dict[str, Any]

    def __new__(cls, text: str, values: dict[str, Any]) -> "Sentence":
        made = super().__new__(cls, text % values if values else text)
        made.text, made.values = text, values
        return made

    def __str__(self) -> "Sentence":
        # The sentence of an error stays one where somebody asks for the error's words.
        return self

    def __reduce__(self) -> tuple[type["Sentence"], tuple[str, dict[str, Any]]]:
        return Sentence, (self.text, self.values)


def sentence(text: str, **values: Any) -> Sentence:
    """A sentence with %(name)s places and what stands in them; values that are sentences or marked themselves are said
    in the page's language too."""
    return Sentence(text, values)


# Chinese signs: each has its space within.
FULL_WIDTH = ("。", "，", "：", "；", "！", "？", "、")


def joined(*parts: str) -> str:
    """Sentences in a row, a space between them; none behind a full-width sign, which has its space within."""
    row = ""
    for part in filter(None, map(str, parts)):
        row += part if not row or row.endswith(FULL_WIDTH) else f" {part}"
    return row
