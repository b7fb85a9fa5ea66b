"""The answer to a masters' forecast of one's own, worked out in the background: plain values, players by number."""

from typing import Any

from django.utils.translation import gettext as _

from players.jobs.services import take_up
from players.models import Job
from players.refusals import Refused
from ratings.models import RatingList
from tournaments.forecast.masters_study import Sizes, side_by_side
from tournaments.forecast.outlook import Tell
from tournaments.forecasts.selectors.own_masters import own_event

SEED = 1
SAMPLES = Sizes(20_000, 4)  # some seconds


def answer_own_masters(job: Job, tell: Tell) -> dict[str, Any]:
    """What `side_by_side` finds, with the players' numbers by rating. Raises Refused where somebody may not be shown
    any more, or the list is gone."""
    rating_list = RatingList.objects.filter(pk=job.subject_key or 0, public=True).first()
    event = own_event(rating_list, job.payload["players"], job.payload) if rating_list else None
    if event is None:
        raise Refused(_("One of these players is not shown by name any more, or has no rating in the list."))
    take_up(job, event.question)
    found = side_by_side(event.field, event.rule, SEED, lambda percent: tell(percent, 100), event.plan, SAMPLES)
    return {"players": [player.number for player in event.players], **found}
