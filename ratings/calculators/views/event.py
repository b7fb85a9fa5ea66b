"""The Elo calculator for a whole event: one's own rating and the games in, what they bring in every system out.

No login, no database; everything stands in the address. Systems that rate game by game move the player with every
game; federations' own methods move him once, by the rules of the event's day."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from clubrating.ground.figures import points_text
from ratings.calculators.forms import HIGHEST_OF, EventForm, state_of
from ratings.calculators.one_event import EventOutcome, rate_event
from ratings.calculators.tables import EventGamesTable, EventWaysTable, MethodsTable
from ratings.calculators.views.performance import methods_of
from ratings.lists.forms import ways
from ratings.systems.base import Period, PlayerState
from ratings.systems.fide import GAMES_TO_PUBLISH, fide_floor, initial_rating
from ratings.systems.fide_tables import nearest

# The field of a club tournament, met by somebody rated 1950.
EXAMPLE = {"a": 1950, "ga": 80, "games": "2025 1\n1876 ½\n2103 0\n1840 1\n1990 ½", "system": "elo"}


@dataclass(frozen=True, slots=True)
class EventWay:
    """What the event brings in one system; None where the system needs more than one player's games, or another
    scale. `by_event`: one update at the end."""

    key: str
    words: str
    outcome: EventOutcome | None
    by_event: bool = False
    own_scale: bool = False


def elo_event(request: HttpRequest) -> HttpResponse:
    """The form and, for good input, the tables. Without input the example is shown."""
    asked = {key: request.GET[key] for key in EventForm().fields if key in request.GET}
    form = EventForm({**asked, "system": asked.get("system", EXAMPLE["system"])} if asked else EXAMPLE)
    context: dict[str, object] = {"form": form, "is_example": not asked}
    if form.is_valid():
        context |= _answers(form, timezone.localdate())
    return render(request, "ratings/elo_event.html", context)


def _answers(form: EventForm, today: date) -> dict[str, object]:
    asked, ratings, scores = form.cleaned_data, form.lines.ratings, form.scores
    on = asked["on"] or today
    own = None if asked["a"] is None else state_of({**asked, "ga": asked["ga"] or 0}, "a", on)
    found = {key: way_of(key, own, ratings, scores, on) for key in ways()}
    chosen = found[asked["system"]]
    sides: list[Any] = list(chosen.outcome.sides) if chosen.outcome else [None] * len(scores)
    columns = ("number", "opponent", "score", "side")
    lines = zip(range(1, len(scores) + 1), ratings, scores, sides, strict=True)
    return {
        "points": points_text(round(2 * sum(scores))),
        "count": len(scores),
        "own": asked["a"],
        "chosen": chosen,
        "games": EventGamesTable([dict(zip(columns, line, strict=True)) for line in lines]),
        "ways": EventWaysTable(list(found.values()), asked=form.data, chosen=asked["system"]),
        "methods": MethodsTable(methods_of(ratings, scores)),
        "first": None if own else _first(ratings, scores, on),
    }


def way_of(key: str, own: PlayerState | None, ratings: list[float], scores: list[float], on: date) -> EventWay:
    """What the event brings under one system with one preset. Opponents are taken for established players."""
    words, system, raw = ways()[key]
    settings, highest = system.read_settings(raw), HIGHEST_OF.get(system.key)
    period = system.period(settings)
    fits = highest is None or max([*ratings, own.rating if own else 0.0]) <= highest
    if period == Period.ALL or not fits:
        return EventWay(key, words, None, own_scale=not system.elo_scale)
    opponents = [PlayerState(rating, 100, rating) for rating in ratings]
    outcome = rate_event(system, settings, own, opponents, scores, on)
    return EventWay(key, words, outcome, period == Period.EVENT, not system.elo_scale)


def _first(ratings: list[float], scores: list[float], on: date) -> dict[str, object]:
    """FIDE's first rating, and why it does not stand on the list yet."""
    found = initial_rating([nearest(rating) for rating in ratings], scores)
    floor = fide_floor(on.toordinal())
    return {
        "rating": found,
        "too_few": found.games < GAMES_TO_PUBLISH,
        "too_low": found.rating < floor,
        "needed": GAMES_TO_PUBLISH,
        "floor": floor,
        "without_point": not any(scores),
    }
