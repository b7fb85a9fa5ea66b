"""The Elo calculator: two ratings in, expected scores and the change for each result out. No login, no database.

Every system with every preset; figures a system does not know are dashes."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from ratings.forms import EloForm, ways
from ratings.systems import RatingSystem
from ratings.systems.base import Period, PlayerState, Side
from ratings.systems.single import rate_single
from ratings.tables_tools import WaysTable

# The example of the first source: 2344 against 2777, K 20 and 10.
EXAMPLE = {"a": 2344, "ga": 100, "b": 2777, "gb": 100, "system": "elo"}
SCORES = (1.0, 0.5, 0.0)


@dataclass(frozen=True, slots=True)
class Half:
    """What one result does to one of the two: None where the system knows no such figure or rates no such game."""

    before: float
    expected: float | None
    k: float | None
    change: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one result does to both."""

    score: float
    own: Half
    other: Half


@dataclass(frozen=True, slots=True)
class Way:
    """A system with a preset, and what each result means under it to the player asked for."""

    key: str
    words: str
    expected: float | None
    outcomes: tuple[Outcome, ...]

    def change(self, score: float) -> float | None:
        return next(outcome.own.change for outcome in self.outcomes if outcome.score == score)


def elo(request: HttpRequest) -> HttpResponse:
    """The form and, for good input, the tables. Without input the example is shown."""
    asked = {key: request.GET[key] for key in EXAMPLE if key in request.GET}
    form = EloForm(EXAMPLE | asked)
    context: dict[str, object] = {"form": form, "is_example": not asked}
    if form.is_valid():
        context |= _answers(form.cleaned_data, timezone.localdate())
    return render(request, "ratings/elo.html", context)


def _answers(asked: dict[str, Any], on: date) -> dict[str, object]:
    figures = {name: asked[name] for name in ("a", "ga", "b", "gb")}
    words, system, raw = ways()[asked["system"]]
    settings = system.read_settings(raw)
    others = [way_of(key, **figures, on=on) for key, (_, each, _raw) in ways().items() if each.elo_scale]
    return {
        "outcomes": outcomes(**figures, system=system, settings=settings, on=on),
        "words": words,
        "draws": knows_draws(system, settings, on),
        "by_period": system.period(settings) == Period.ALL,
        "others": WaysTable(others, asked=figures, chosen=asked["system"]),
    }


def way_of(key: str, *, a: float, ga: int, b: float, gb: int, on: date) -> Way:
    """One system with one preset, for the comparison."""
    words, system, raw = ways()[key]
    found = outcomes(a=a, ga=ga, b=b, gb=gb, system=system, settings=system.read_settings(raw), on=on)
    return Way(key, words, found[0].own.expected, tuple(found))


def outcomes(*, a: float, ga: int, b: float, gb: int, system: RatingSystem, settings: Any, on: date) -> list[Outcome]:
    """Win, draw and loss of a player rated `a` (after `ga` games) against one rated `b` (after `gb`)."""
    own, other = PlayerState(a, ga, peak=a), PlayerState(b, gb, peak=b)
    if system.period(settings) == Period.ALL:
        # A fit of all games: two ratings and one game do not tell what it gives.
        sides = [_only_expected(system, settings, *pair) for pair in ((own, other), (other, own))]
        return [Outcome(score, *sides) for score in SCORES]
    found = []
    for score in SCORES:
        halves = rate_single(system, settings, own, other, score, on)
        found.append(Outcome(score, *(_half(side) for side in halves)))
    return found


def knows_draws(system: RatingSystem, settings: Any, on: date) -> bool:
    """Whether a draw moves anybody in that system."""
    if system.period(settings) != Period.GAME:
        return True
    start = system.newcomer(settings, None, on.toordinal())
    rating = start.rating if start else 1500.0
    low, high = PlayerState(rating, 50, rating), PlayerState(rating + 10, 50, rating + 10)
    return rate_single(system, settings, low, high, 0.5, on)[0].change is not None


def _half(side: Side) -> Half:
    before = side.before or 0.0
    rated = side.change is not None or side.expected is not None
    change = side.after - before if rated and side.after is not None else side.change
    return Half(before, side.expected, side.k, change, side.after if rated else None)


def _only_expected(system: RatingSystem, settings: Any, own: PlayerState, other: PlayerState) -> Half:
    return Half(own.rating, system.expected(settings, own, other), None, None, None)
