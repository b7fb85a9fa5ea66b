"""The Elo calculator: two ratings in, expected scores and the change for each result out. No login, no database."""

from dataclasses import dataclass
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from ratings.forms import EloForm
from ratings.systems import rating_system
from ratings.systems.base import PlayerState, Side
from ratings.systems.single import rate_single

# The example of the first source: 2344 against 2777, K 20 and 10.
EXAMPLE = {"a": 2344, "ga": 100, "b": 2777, "gb": 100, "system": "elo"}
SCORES = (1.0, 0.5, 0.0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one result does to both."""

    score: float
    own: Side
    other: Side


def elo(request: HttpRequest) -> HttpResponse:
    """The form and, for good input, the table. Without input the example is shown."""
    asked = {key: request.GET[key] for key in EXAMPLE if key in request.GET}
    form = EloForm(EXAMPLE | asked)
    context: dict[str, object] = {"form": form, "is_example": not asked}
    if form.is_valid():
        context["outcomes"] = outcomes(**form.cleaned_data, on=timezone.localdate())
    return render(request, "ratings/elo.html", context)


def outcomes(*, a: float, ga: int, b: float, gb: int, system: str, on: date) -> list[Outcome]:
    """Win, draw and loss of a player rated `a` (after `ga` games) against one rated `b` (after `gb`)."""
    chosen = rating_system(system)
    settings = chosen.read_settings({})
    own, other = PlayerState(a, ga, peak=a), PlayerState(b, gb, peak=b)
    return [Outcome(score, *rate_single(chosen, settings, own, other, score, on)) for score in SCORES]
