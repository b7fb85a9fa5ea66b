"""Answering "how well do our ratings predict?" in the background: the list's own rules, the lab's systems and a coin,
on the list's own games."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from players.models import Job
from players.refusals import Refused
from ratings.lab.backtest import BackTest, backtest, report
from ratings.lab.predictions import Entrant, History, Told
from ratings.models import RatingList
from tournaments.forecast.outlook import Tell
from clubrating.site.research.selectors import (
    CLUB,
    FEWEST_GAMES,
    MOST_GAMES,
    club_history,
    has_enough_games,
    the_coin,
)


def answer_backtest(job: Job, tell: Tell) -> dict[str, Any]:
    """The report of `ratings.lab.backtest` on the last MOST_GAMES games of the list the job is about, and `whole`:
    whether these are all. Raises Refused for too few games."""
    rating_list = list_of(job)
    if not has_enough_games(rating_list):
        words = _("Too few rated games to judge by: there must be at least %(count)s.")
        raise Refused(words % {"count": FEWEST_GAMES})
    found = club_history(rating_list, most=MOST_GAMES)
    return {**report(tried(found.history, (*found.entrants, the_coin()), CLUB, tell)), "whole": found.whole}


def list_of(job: Job) -> RatingList:
    """The list a job is about. Raises Refused where it is gone."""
    found = RatingList.objects.filter(pk=job.subject_key or 0).first()
    if found is None:
        raise Refused(_("The list was deleted meanwhile."))
    return found


def tried(history: History, entrants: Sequence[Entrant], baseline: str, tell: Tell) -> BackTest:
    """The back-test, told system by system how far it is."""
    told = [_telling(each, at, len(entrants), tell) for at, each in enumerate(entrants)]
    return backtest(history, told, baseline)


def _telling(each: Entrant, at: int, of: int, tell: Tell) -> Entrant:
    def told(history: History, first: int) -> Told:
        tell(at, of)
        return each.tell(history, first)

    return replace(each, tell=told)
