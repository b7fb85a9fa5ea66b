"""`/tournaments/<slug>/forecast/`: how the event may end, what somebody needs, and how good earlier forecasts were.

What the page shows, row by row: chances as figures and shades, the course of the title odds, games.

Nothing is worked out here: a forecast is the answer to a question (`clubrating.web.questions`), and so is what depends
on tie-breaks. What was said before the rounds is shown as it was said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubrating.ground.bars import Segment, bar
from clubrating.ground.curves import Curve
from clubrating.ground.figures import percents
from clubrating.ground.numbers import whole_number
from clubrating.web.formatting import decimals
from clubrating.web.questions import Asked, ask_from, asked, keep_looking
from clubrating.web.requests import ClubRequest
from players.privacy.rules import Viewer, shown_name
from ratings.lab_pages.charts import Drawing
from tournaments.event_pages.views.event import event_context, pages_or_404, team_event_of
from tournaments.events.selectors.event_data import Entrant, EventData
from tournaments.events.selectors.events import stages_at
from tournaments.events.selectors.standings import by_number, points_of
from tournaments.forecast.needs import Verdict
from tournaments.forecast.outlook import EXACT
from tournaments.forecasts.selectors.forecasts import (
    EventForecast,
    GameSaid,
    LineSaid,
    forecast_from,
    forecast_kind,
    forecast_question,
    is_over,
    next_unplayed,
    stored_forecasts,
)
from tournaments.forecasts.selectors.needs import OF_PARTS, counts_halves, needs_of, needs_question, stand
from tournaments.forecasts.selectors.scores import Score, score_of, titles_of
from tournaments.forecasts.views.teams import league_forecast
from tournaments.forecasts.words import NeedLine, goal_words, need_lines, reach_words, sentences
from tournaments.models import ForecastKind
from tournaments.templatetags.events import marks

# --- rows and games -----------------------------------------------------------------------------------------------
PLACES_SHOWN = 16  # with more, the places after the first ten share a column
FIRST_PLACES = 10
STEPS = 10  # shades of a chance: one for every tenth
CURVES = 6  # kinds of lines the stylesheet has
NAMES = 18  # letters of a name at the end of a curve
STRIP, EDGE = 160, 8  # pixels of the strip of places, and what it keeps free at either end
_A_HAIR = 1e-5  # of what was only sampled, nothing is shown as impossible or certain


@dataclass(frozen=True, slots=True)
class Heat:
    """A chance in its cell: per cent, and its shade 0 … 10."""

    percent: float

    @property
    def step(self) -> int:
        return 0 if self.percent < 0.5 else min(int(self.percent * STEPS / 100) + 1, STEPS)


@dataclass(frozen=True, slots=True)
class ForecastRow:
    """One entrant's line: title in per cent, the mean of points (empty in a knockout), the chance of each group of
    places, and where the strip is drawn."""

    line: LineSaid
    title: float
    points: str
    heats: tuple[Heat, ...]
    verdict: str
    chosen: bool
    low_x: float
    median_x: float
    high_x: float


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game: its chances as a bar and as whole per cents, and its result as the forecast has White (empty: open)."""

    said: GameSaid
    percents: tuple[int, ...]
    segments: tuple[Segment, ...]
    came: str


@dataclass(frozen=True, slots=True)
class RoundSaid:
    """What was said before a round: its games, and how good it was where some are played."""

    forecast: EventForecast
    games: tuple[GameRow, ...]
    score: Score | None


def place_groups(places: int) -> list[tuple[int, int]]:
    """The columns of the table of places: each alone, or the first ten and the others together."""
    if places <= PLACES_SHOWN:
        return [(place, place) for place in range(1, places + 1)]
    return [*((place, place) for place in range(1, FIRST_PLACES + 1)), (FIRST_PLACES + 1, places)]


def rows_of(forecast: EventForecast, stands: Mapping[int, Verdict], chosen: int | None, unit: int) -> list[ForecastRow]:
    """Everybody, the highest chance of the title first. `stands`: who has the title already, or cannot any more; points
    are in `unit`ths."""
    # At a draw rate of 0 draws have no chance though they may come, so that chances of 0 and 1 prove nothing.
    is_exact = forecast.method == EXACT and forecast.draw_rate > 0.0
    places = len(forecast.lines[0].places) if forecast.lines else 0
    return [
        ForecastRow(
            line,
            title=_percent(line.title, proven=is_exact or verdict in (Verdict.SURE, Verdict.LOST)),
            points="" if line.points is None else decimals(line.points / unit, 1),
            heats=tuple(Heat(100.0 * sum(line.places[first - 1 : last])) for first, last in place_groups(places)),
            verdict=verdict.value,
            chosen=line.entrant.number == chosen,
            low_x=_strip_x(line.low, places),
            median_x=_strip_x(line.median, places),
            high_x=_strip_x(line.high, places),
        )
        for line in forecast.lines
        for verdict in [_verdict(line, stands.get(line.entrant.number or 0, Verdict.OPEN), exact=is_exact)]
    ]


def _verdict(line: LineSaid, stands: Verdict, *, exact: bool) -> Verdict:
    """Points may leave open what the endings, tie-breaks and all, have decided."""
    if stands in (Verdict.SURE, Verdict.LOST) or not exact:
        return stands
    return Verdict.LOST if line.title <= 0.0 else Verdict.SURE if line.title >= 1.0 else stands


def _percent(chance: float, *, proven: bool) -> float:
    return 100.0 * (chance if proven else min(max(chance, _A_HAIR), 1.0 - _A_HAIR))


def _strip_x(place: int, places: int) -> float:
    return round(EDGE + (STRIP - 2 * EDGE) * (place - 1) / max(places - 1, 1), 1)


def games_of(forecast: EventForecast) -> tuple[GameRow, ...]:
    """The games a forecast speaks of."""
    found = []
    for said in forecast.games:
        chances = (said.win, said.draw, said.loss)
        came = "" if said.came is None else marks(said.came)
        found.append(GameRow(said, tuple(percents(chances)), bar(chances), came))
    return tuple(found)


def rounds_said(stored: Sequence[EventForecast]) -> list[RoundSaid]:
    """What was said before every round, the latest first."""
    return [RoundSaid(forecast, games_of(forecast), score_of([forecast])) for forecast in reversed(stored)]


def course_of(
    stored: Sequence[EventForecast], now: EventForecast | None, at: int, chosen: int | None, viewer: Viewer
) -> Drawing | None:
    """The title odds before each round, of the first six and of whom was chosen; None for a single moment. `at`: the
    round before which the event stands now, and `now`."""
    found = [(each.before_round or at, each) for each in stored]
    if now is not None and now.before_round is None:
        found = [(number, each) for number, each in found if number < at] + [(at, now)]
    if len(found) < 2:
        return None
    chances = [{line.entrant.key: line.title for line in each.lines} for _number, each in found]
    lines = found[-1][1].lines
    shown = list(lines[:CURVES])
    if chosen is not None and chosen not in [line.entrant.number for line in shown]:
        shown = [*shown[: CURVES - 1], *(line for line in lines if line.entrant.number == chosen)]
    curves = [
        Curve(
            shown_name(line.entrant.player, viewer),
            look,
            [float(number) for (number, _said), odds in zip(found, chances, strict=True) if line.entrant.key in odds],
            [100.0 * odds[line.entrant.key] for odds in chances if line.entrant.key in odds],
        )
        for look, line in enumerate(shown, start=1)
    ]
    whole = [curve for curve in curves if len(curve.xs) == len(found)]  # without those who came later
    return Drawing(whole, places=0, across=_("Before round"), letters=NAMES, whole=True) if whole else None


# --- the page -----------------------------------------------------------------------------------------------------
GOALS = (1, 2, 3, 4, 5, 6, 8, 10)


@dataclass(frozen=True, slots=True)
class NeedsPart:
    """What the chosen player needs: the sentences, the combinations of results, whom he meets (in a knockout: may
    meet), and the question where the tie-breaks can be gone through. `is_exact`: every ending was considered."""

    person: Entrant
    goal: str
    said: list[str]
    opponents: tuple[Entrant, ...]
    lines: list[NeedLine]
    asked: Asked | None
    ask_to: str
    is_exact: bool
    meets: tuple[tuple[int, tuple[Entrant, ...]], ...] = ()


def forecast(request: ClubRequest, slug: str) -> HttpResponse:
    """The page; `?player=` (a number of the event) and `?top=`: what that player needs. Posted to: the forecast is
    asked for. 404 where the event is none that is forecast."""
    stages = stages_at(slug)
    if teams := team_event_of(stages):
        return league_forecast(request, teams)
    event, sections = pages_or_404(request, slug, stages=stages)
    kind = forecast_kind(event)
    if kind is None:
        raise Http404
    over, question = is_over(event), forecast_question(event)
    if request.method == "POST" and not over:
        return ask_from(request, question, request.get_full_path())
    chosen, top = (None, 1) if kind in OF_PARTS else _wanted(request, event)
    found, stored = asked(question), stored_forecasts(event)
    answer = None if over else _answer(event, found)
    shown = answer or (stored[-1] if stored else None)
    needs = None if chosen is None or over else _needs_part(event, kind, chosen, top, request.viewer)
    context = event_context(event, sections, "forecast") | {
        "kind": kind,
        "tells_needs": kind not in OF_PARTS,
        "is_over": over,
        "asked": found,
        "ask_to": request.get_full_path(),
        "forecast": shown,
        "is_older": shown is not None and answer is None and not over,
        "rows": rows_of(shown, stand(event), chosen, points_of(event).unit) if shown and not over else [],
        "places": place_groups(len(shown.lines[0].places)) if shown and shown.lines else [],
        "course": course_of(stored, answer, next_unplayed(event) or event.rounds_done + 1, chosen, request.viewer),
        "coming": _coming(shown) if not over else [],
        "rounds_said": rounds_said(stored),
        "score": score_of(stored),
        "titles": [(title.before_round, 100.0 * title.chance) for title in titles_of(event, stored)],
        "needs": needs,
        "chosen": chosen,
        "top": top,
        "people": _people(event, request.viewer),
        "goals": [(goal, goal_words(goal)) for goal in _goals(event)],
    }
    response = render(request, "tournaments/forecast.html", context)
    if needs is not None and needs.asked is not None:
        keep_looking(response, needs.asked)
    return response if over else keep_looking(response, found)


@require_POST
def ask_needs(request: ClubRequest, slug: str) -> HttpResponse:
    """Ask for what everybody needs, tie-breaks included, on behalf of whoever looks at one player."""
    event, _sections = pages_or_404(request, slug)
    chosen, top = _wanted(request, event)
    if forecast_kind(event) is not ForecastKind.ROUND_ROBIN or is_over(event):
        raise Http404
    back = reverse("tournaments:forecast", args=[slug])
    return ask_from(request, needs_question(event, top), f"{back}?{_asked_for(chosen, top)}#needs")


def _answer(event: EventData, found: Asked) -> EventForecast | None:
    """The forecast of the event as it is now; None while nobody has asked, or it is still worked out."""
    if found.answer is None or found.job is None:
        return None
    return forecast_from(event, found.answer, found.job.finished_at or timezone.now())


def _coming(shown: EventForecast | None) -> list[tuple[int, list[GameRow]]]:
    """The games the forecast speaks of, by their rounds."""
    games = games_of(shown) if shown else ()
    return [(number, list(rows)) for number, rows in groupby(games, key=lambda row: row.said.round)]


def _wanted(request: HttpRequest, event: EventData) -> tuple[int | None, int]:
    """Whom and how many first places the address asks for. 404 for a number that is none of the event's."""
    people, goals = by_number(event), _goals(event)
    asked_player, asked_top = request.GET.get("player", ""), request.GET.get("top", "1")
    top, player = whole_number(asked_top), whole_number(asked_player)
    if top not in goals or (asked_player and player not in people):
        raise Http404
    return player, top


def _goals(event: EventData) -> list[int]:
    return [goal for goal in GOALS if goal == 1 or goal < len(by_number(event))]


def _asked_for(chosen: int | None, top: int) -> str:
    return urlencode({"player": chosen or "", "top": top})


def _people(event: EventData, viewer: Viewer) -> list[tuple[int, str]]:
    """Whom one may choose, by the name this viewer sees."""
    people = ((number, shown_name(person.player, viewer)) for number, person in by_number(event).items())
    return sorted(people, key=lambda row: (row[1].casefold(), row[0]))


def _needs_part(event: EventData, kind: ForecastKind, number: int, top: int, viewer: Viewer) -> NeedsPart | None:
    people = by_number(event)
    found = asked(needs_question(event, top)) if kind is ForecastKind.ROUND_ROBIN else None
    known = needs_of(event, number, top, found.answer if found else None)
    if known is None:
        return None
    said = sentences(known, counts_halves=counts_halves(event))
    meets: tuple[tuple[int, tuple[Entrant, ...]], ...] = ()
    if known.reach is not None:
        said += reach_words(known.reach, top)
        meets = tuple(
            (round_number, tuple(people[other] for other in sorted(others)))
            for (round_number, _board), others in known.reach.opponents.items()
        )
    return NeedsPart(
        person=people[number],
        goal=goal_words(top),
        said=said,
        opponents=tuple(people[other] for other in known.needs.opponents) if known.needs else (),
        lines=need_lines(known.needs) if known.needs else [],
        asked=found if known.asks or (found is not None and found.is_under_way) else None,
        ask_to=f"{reverse('tournaments:ask-needs', args=[event.tournament.slug])}?{_asked_for(number, top)}",
        is_exact=known.needs is not None or known.reach is not None,
        meets=meets,
    )
