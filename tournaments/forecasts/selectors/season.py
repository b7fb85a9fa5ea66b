"""Forecasts of a list at its season's end as they are read: which there are, what they said, and how good they were."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from players.jobs.services import Question
from players.models import Player
from ratings.lists.selectors.listing import listing_of
from ratings.models import ListForecast, ListForecastLine, RatingList
from tournaments.forecast.season_scores import Came, SeasonLine, SeasonScore, score_of
from tournaments.rated_games.services.past_lists import known_on

SEASON = "season"  # the kind of question
LINE_FIGURES = ("now", "place", "games", "ends", "fan", "places", "first", "four", "settles", "bound", "rises")


@dataclass(frozen=True, slots=True)
class SaidOfPlayer:
    """A line with whom it is about."""

    player: Player
    line: SeasonLine


def season_end(today: date) -> date:
    """The last day of the year, of the next one on that day itself."""
    return date((today + timedelta(days=1)).year, 12, 31)


def season_question(rating_list: RatingList, today: date) -> Question:
    """Where will the list stand at the year's end, as seen that day?"""
    return Question(SEASON, {"on": today.isoformat()}, about=rating_list.pk)


def forecast_days(rating_list: RatingList) -> list[date]:
    """The days on which a forecast was made, the latest first. One query."""
    return list(rating_list.forecasts.order_by("-made_on").values_list("made_on", flat=True))


def said_on(rating_list: RatingList, day: date) -> ListForecast | None:
    """The forecast of that day."""
    found: ListForecast | None = ListForecast.objects.filter(rating_list=rating_list, made_on=day).first()
    return found


def lines_said(forecast: ListForecast) -> list[SaidOfPlayer]:
    """Everybody's line in today's order of that day, with the person as he is recorded now. One query."""
    rows = ListForecastLine.objects.filter(forecast=forecast).select_related("player").order_by("pk")
    return [SaidOfPlayer(row.player, line_from(row)) for row in rows]


def line_from(row: ListForecastLine) -> SeasonLine:
    """The row as it was worked out."""
    return SeasonLine(row.player_id, **{name: getattr(row, name) for name in LINE_FIGURES})


def latest_line(rating_list: RatingList, player: Player) -> ListForecastLine | None:
    """What the list's latest forecast says of somebody, where that season is still running. One query."""
    rows = ListForecastLine.objects.filter(forecast__rating_list=rating_list, player=player)
    found: ListForecastLine | None = rows.select_related("forecast").order_by("-forecast__made_on").first()
    return found


def score_said(forecast: ListForecast, lines: Sequence[SaidOfPlayer], today: date) -> SeasonScore | None:
    """How good the forecast was, by the list as it is known now for its last day; None while the season runs."""
    if today <= forecast.until:
        return None
    listing = listing_of(forecast.rating_list, forecast.until)
    came = {
        row.player: Came(listing.value(row.rating, row.deviation), row.place)
        for row in known_on(forecast.rating_list, forecast.until)
    }
    return score_of([([each.line for each in lines], came)])
