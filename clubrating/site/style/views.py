"""`/style/`: every component in every state, for whoever builds a page. In English only, like the code."""

from dataclasses import dataclass
from functools import cache
from typing import get_args

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubrating.ground.colour import Deficiency, contrast, distance, seen_with, tokens_of

# Token → what it says, in the order of the page.
SAYS = {
    "ink": "text",
    "ink-2": "second text, captions",
    "rule": "hairlines (no meaning of their own)",
    "edge": "outlines of controls",
    "accent": "press it, or you are here",
    "probation": "on probation",
    "good": "a record is right",
    "bad": "a record is wrong",
}
OTHERS = ("ink", "ink-2", "accent")
PARTS = (
    *("colour", "type", "probation", "tables", "results", "brackets", "charts", "forms", "messages", "figures"),
    *("small", "desk"),
)


@dataclass(frozen=True, slots=True)
class Swatch:
    """A token as the page shows it: what it says, and its contrast on paper in the light and in the dark."""

    name: str
    says: str
    light: str
    dark: str


@dataclass(frozen=True, slots=True)
class SeenAs:
    """The probation colour for one kind of eyes: contrast on paper and on its tint, and how far its neighbours are."""

    eyes: str
    theme: str
    paper: str
    tint: str
    distances: tuple[str, ...]


def style(request: HttpRequest) -> HttpResponse:
    """The style guide. Its figures are worked out from the stylesheet."""
    return render(request, "style/style.html", {"parts": PARTS, **_figures()})


@cache
def _figures() -> dict[str, object]:
    tokens = tokens_of((settings.BASE_DIR / "static" / "css" / "club.css").read_text(encoding="utf-8"))
    light, dark = ({name: getattr(token, theme) for name, token in tokens.items()} for theme in ("light", "dark"))
    swatches = [
        Swatch(name, says, *(f"{contrast(plain[name], plain['paper']):.1f}" for plain in (light, dark)))
        for name, says in SAYS.items()
    ]
    seen = []
    for theme, plain in (("light", light), ("dark", dark)):
        seen.append(_seen_as("most people", theme, plain))
        for deficiency in get_args(Deficiency):
            seen.append(_seen_as(deficiency, theme, {name: seen_with(c, deficiency) for name, c in plain.items()}))
    return {"swatches": swatches, "seen": seen, "others": OTHERS, "series": range(1, 8)}


def _seen_as(eyes: str, theme: str, colours: dict[str, str]) -> SeenAs:
    own = colours["probation"]
    return SeenAs(
        eyes,
        theme,
        f"{contrast(own, colours['paper']):.1f}",
        f"{contrast(own, colours['probation-soft']):.1f}",
        tuple(f"{distance(own, colours[name]):.0f}" for name in OTHERS),
    )
