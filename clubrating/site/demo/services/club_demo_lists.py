"""The demo club's published lists: one at the end of every month of the season, and a correction made since, so that
the pages have a difference to explain."""

from collections.abc import Iterator
from datetime import date, timedelta

from django.contrib.auth.models import User

from players.models import AuditEvent
from ratings.models import RatingList
from tournaments.models import Game
from tournaments.rated_games.past_lists import publish_list
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

PUBLISHED = ("standard", "rapid")
CORRECTED_AFTER = timedelta(weeks=10)  # before today; the game that turns out to have been entered wrongly


def month_ends(first: date, today: date) -> Iterator[date]:
    """The last days of the months from the first day's to the one before today's."""
    day = first.replace(day=1)
    while True:
        following = (day + timedelta(days=32)).replace(day=1)
        if following > today.replace(day=1):
            return
        yield following - timedelta(days=1)
        day = following


def publish_season(first: date, today: date, by: User) -> None:
    """Publish the club's lists as of the month ends, oldest first."""
    for rating_list in RatingList.objects.filter(slug__in=PUBLISHED):
        for on in month_ends(first, today):
            publish_list(rating_list, on, by=by)


def correct_one(today: date, by: User) -> None:
    """One result of ten weeks ago was entered the wrong way round."""
    games = Game.objects.filter(played_on__lte=today - CORRECTED_AFTER, pool="standard", result=Result.WHITE_WINS)
    game = games.order_by("-played_on", "-sequence").first()
    if game is not None:
        correct_result(game=game.pk, result=Result.BLACK_WINS, by=by, reason=AuditEvent.Reason.WRONG_COLOURS)
