"""The Elo calculator: two ratings in, expected scores and the change for each result out. No login, no database.

Every system with every preset; figures a system does not know are dashes. Everything stands in the address."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from ratings.calculators.forms import HIGHEST_OF, EloForm, state_of
from ratings.calculators.tables import WaysTable
from ratings.lists.forms import ways
from ratings.systems import RatingSystem
from ratings.systems.base import Period, PlayerState, Side
from ratings.systems.encounter import rate_single

# The example of the first source: 2344 against 2777, K 20 and 10.
EXAMPLE = {"a": 2344, "ga": 100, "b": 2777, "gb": 100, "system": "elo"}
SCORES = (1.0, 0.5, 0.0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one result does to both; their `change` is None where the system rates no such game."""

    score: float
    own: Side
    other: Side


@dataclass(frozen=True, slots=True)
class Way:
    """A system with a preset, and what a win, a draw and a loss mean under it. `highest`: of a scale the ratings do not
    fit on; then there are no outcomes. `own_scale`: its points are not Elo's."""

    key: str
    words: str
    outcomes: tuple[Outcome, ...]
    own_scale: bool = False
    highest: int | None = None

    @property
    def expected(self) -> float | None:
        return self.outcomes[0].own.expected if self.outcomes else None


@dataclass(frozen=True, slots=True)
class Bar:
    """The bar of chances, in percent of its length. Without a share of draws it shows the expected scores alone."""

    win: float
    draw: float
    loss: float
    has_draws: bool

    @property
    def loss_from(self) -> float:
        return self.win + self.draw


def elo(request: HttpRequest) -> HttpResponse:
    """The form and, for good input, the tables. Without input the example is shown."""
    asked = {key: request.GET[key] for key in EloForm().fields if key in request.GET}
    form = EloForm(EXAMPLE | asked)
    context: dict[str, object] = {"form": form, "is_example": not asked}
    if form.is_valid():
        context |= _answers(form, timezone.localdate())
    return render(request, "ratings/elo.html", context)


def _answers(form: EloForm, on: date) -> dict[str, object]:
    asked = form.cleaned_data
    own, other = state_of(asked, "a", on), state_of(asked, "b", on)
    words, system, raw = ways()[asked["system"]]
    settings = system.read_settings(raw)
    chosen = outcomes(own, other, system=system, settings=settings, on=on)
    others = [way_of(key, own, other, on) for key in ways()]
    return {
        "outcomes": chosen,
        "words": words,
        "gap": abs(own.rating - other.rating),
        "bar": _bar(form, chosen[0].own.expected),
        "draws": knows_draws(system, settings, on),
        "by_period": system.period(settings) == Period.ALL,
        "others": WaysTable(others, asked=form.data, chosen=asked["system"]),
    }


def _bar(form: EloForm, expected: float | None) -> Bar | None:
    """The chances of both; more draws than there can be are refused at their field."""
    if expected is None:
        return None
    share = form.cleaned_data["draws"]
    most = 200 * min(expected, 1 - expected)
    if share is not None and share > most:
        form.refuse_draws(most)
        share = None
    drawn = share or 0.0
    return Bar(100 * expected - drawn / 2, drawn, 100 * (1 - expected) - drawn / 2, share is not None)


def way_of(key: str, own: PlayerState, other: PlayerState, on: date) -> Way:
    """One system with one preset, for the comparison."""
    words, system, raw = ways()[key]
    highest = HIGHEST_OF.get(system.key)
    if highest is not None and max(own.rating, other.rating) > highest:
        return Way(key, words, (), True, highest)
    found = outcomes(own, other, system=system, settings=system.read_settings(raw), on=on)
    return Way(key, words, tuple(found), not system.elo_scale)


def outcomes(own: PlayerState, other: PlayerState, *, system: RatingSystem, settings: Any, on: date) -> list[Outcome]:
    """Win, draw and loss of `own` against `other`."""
    if system.period(settings) == Period.ALL:
        # A fit of all games: two ratings and one game do not tell what it gives.
        first = Side(own.rating, expected=system.expected(settings, own, other))
        second = Side(other.rating, expected=system.expected(settings, other, own))
        return [Outcome(score, first, second) for score in SCORES]
    return [Outcome(score, *rate_single(system, settings, own, other, score, on)) for score in SCORES]


def knows_draws(system: RatingSystem, settings: Any, on: date) -> bool:
    """Whether a draw moves anybody in that system."""
    if system.period(settings) != Period.GAME:
        return True
    start = system.newcomer(settings, None, on.toordinal())
    rating = start.rating if start else 1500.0
    low, high = PlayerState(rating, 50, rating), PlayerState(rating + 10, 50, rating + 10)
    return rate_single(system, settings, low, high, 0.5, on)[0].change is not None
