"""`/ratings/<list>/forecast/`: where the list may stand at the year's end; `?on=D` what was said by that day.

Nothing is worked out here: somebody asks with a button (or `manage.py daily` once a month), a worker answers, and what
was said is kept. Of people whose names the reader does not see nothing is shown.
"""

from dataclasses import dataclass

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from clubrating.site.lists.views.days import asked_moment
from clubrating.site.lists.views.leaderboard import list_seen
from clubrating.web.formatting import decimals
from clubrating.web.questions import ask_from, asked, keep_looking
from clubrating.web.requests import ClubRequest
from players.models import Player
from players.privacy.rules import sees_name
from players.refusals import Refused
from ratings.lists.selectors.listing import listing_of
from tournaments.forecasts.selectors.season import (
    SaidOfPlayer,
    forecast_days,
    lines_said,
    said_on,
    score_said,
    season_question,
)
from tournaments.forecasts.services.season import why_no_season

PER_PAGE = 100
_A_HAIR = 1e-5  # of what was only sampled, nothing is shown as impossible or certain


@dataclass(frozen=True, slots=True)
class ForecastRow:
    """One line of the table, figures as they are written; chances in per cent, None where there is nothing to say."""

    player: Player
    place: int | None
    places: str
    now: str
    ends: str
    games: str
    first: float
    four: float
    settles: float | None
    rises: float | None
    bound: str


def list_forecast(request: ClubRequest, slug: str) -> HttpResponse:
    """The page; posted to: the forecast is asked for. 404 where the club makes none."""
    found, _lists = list_seen(request, slug)
    if not settings.FORECASTS:
        raise Http404
    here, today, reason = reverse("ratings:forecast", args=[found.slug]), timezone.localdate(), why_no_season(found)
    question = season_question(found, today)
    if request.method == "POST" and not reason:
        return ask_from(request, question, here)
    try:
        moment = asked_moment(request)
    except Refused as refusal:
        return render(request, "ratings/bad_day.html", {"sentence": refusal, "back": here}, status=400)
    days = forecast_days(found)
    day = next((each for each in days if moment is None or each <= moment.day), None)
    forecast = said_on(found, day) if day else None
    lines = lines_said(forecast) if forecast else []
    digits = listing_of(found).digits
    shown = [row_of(each, digits) for each in lines if sees_name(each.player, request.viewer)]
    page = Paginator(shown, PER_PAGE).get_page(request.GET.get("page"))
    state = asked(question)
    context = {
        "list": found,
        "reason": reason,
        "forecast": forecast,
        "days": days,
        "day": day,
        "page": page,
        "hidden": len(lines) - len(shown),
        "asked": state,
        "ask_to": here,
        "is_of_today": bool(days) and days[0] == today,
        "settling": any(row.settles is not None for row in page.object_list),
        "rising": any(row.rises is not None for row in page.object_list),
        "score": score_said(forecast, lines, today) if forecast else None,
    }
    return keep_looking(render(request, "ratings/list_forecast.html", context), state)


def row_of(said: SaidOfPlayer, digits: int) -> ForecastRow:
    """The line as the table writes it."""
    line = said.line
    return ForecastRow(
        said.player,
        line.place,
        "" if line.places is None else _span(line.places[0], line.places[2]),
        decimals(line.now, digits),
        f"{decimals(line.fan[-1][0], digits)}–{decimals(line.fan[-1][-1], digits)}",
        decimals(line.games, 0),
        _percent(line.first),
        _percent(line.four),
        None if line.settles is None else _percent(line.settles),
        None if line.rises is None else _percent(line.rises),
        "" if line.bound is None else decimals(line.bound, 0),
    )


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def _percent(chance: float) -> float:
    return 100.0 * min(max(chance, _A_HAIR), 1.0 - _A_HAIR)
