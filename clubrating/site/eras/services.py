"""The answer to a comparison across eras, worked out in the background once for everybody.

How fast strengths change in a list is found from its games (`ratings.history.tuning`), and found anew once an answer's
own is older than `MODEL_KEPT`: it hardly moves with a few games more, and finding it takes most of the time.
"""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.site.eras.selectors import ERAS, FEWEST_GAMES, has_enough_games, history_games
from clubrating.site.research.services import list_of
from players.jobs.services import answer_of, last_answered
from players.models import Job
from players.refusals import Refused
from ratings.history.bridges import bridges
from ratings.history.tuning import tuned
from ratings.history.whole_history import History, HistoryGame, Model, When, prediction, whole_history
from ratings.models import RatingList
from tournaments.forecast.outlook import Tell

MODEL_KEPT = timedelta(days=90)
MOST_POINTS = 24  # of a career
MOST_CARRIERS = 12
_TUNING = 90  # per cent of the work


def answer_eras(job: Job, tell: Tell) -> dict[str, Any]:
    """Plain values, players by key, days as ordinals. Raises Refused for a list that is gone, too few games, and
    somebody who had not begun to play."""
    rating_list = list_of(job)
    if not has_enough_games(rating_list):
        words = _("Too few rated games to compare eras by: there must be at least %(count)s.")
        raise Refused(words % {"count": FEWEST_GAMES})
    games = history_games(rating_list)
    one, other = (When(*pair) for pair in job.payload["whens"])
    model, found_on = _model(rating_list, games, tell)
    try:
        history = whole_history(games, model, also=_asked(one, other))
    except ValueError:
        raise Refused(_("Nobody can be compared before the first rated game.")) from None
    tell(95, 100)
    return {
        "model": asdict(model),
        "found_on": found_on.isoformat(),
        "games": len(games),
        "players": len(history.field.players),
        "since": games[0].day,
        "paths": {str(when.player): _path(history, when.player, {one.day, other.day}) for when in (one, other)},
        **_compared(history, one, other),
    }


def _asked(one: When, other: When) -> dict[int, list[int]]:
    return {
        player: [each.day for each in (one, other) if each.player == player] for player in (one.player, other.player)
    }


def _model(rating_list: RatingList, games: list[HistoryGame], tell: Tell) -> tuple[Model, date]:
    """The model of the list's last answer while it is recent; else one found from its games, and the day."""
    today = timezone.localdate()
    known: Mapping[str, Any] | None = answer_of(last_answered(ERAS, rating_list.pk))
    if known is not None and today - date.fromisoformat(known["found_on"]) <= MODEL_KEPT:
        return Model(**known["model"]), date.fromisoformat(known["found_on"])
    return tuned(games, tell=lambda done, of: tell(_TUNING * done // of, 100)).model, today


def _path(history: History, player: int, asked: set[int]) -> list[list[float]]:
    """[day, mean, deviation] at so many days of a career, its first, its last and the days asked of among them."""
    days = history.days(player)
    every = -(-len(days) // MOST_POINTS)
    chosen = sorted({*days[::every], days[-1], *(asked & set(days))})
    return [[day, round(known.mean, 1), round(known.deviation, 1)] for day, known in history.path(player, chosen)]


def _compared(history: History, one: When, other: When) -> dict[str, Any]:
    gap = history.difference(one, other)
    carried = bridges(history, one, other)
    return {
        "difference": list(gap),
        "prediction": prediction(gap, history.model.draw_rate)._asdict(),
        "joined": carried.are_joined,
        "assumed": carried.assumed,
        "carriers": [[each.player, each.share] for each in carried.carriers[:MOST_CARRIERS]],
        "chain": [[link.one, link.other, link.games] for link in carried.chain],
    }
