"""What everybody needs, tie-breaks included, gone through in the background."""

from typing import Any

from django.utils.translation import gettext as _

from players.jobs.services import take_up
from players.models import Job
from players.privacy.rules import NOBODY
from players.refusals import Refused
from tournaments.events.selectors.events import event_data
from tournaments.forecast.clinching import TooManyWaysError
from tournaments.forecast.everybody import Tell, needs_of_all
from tournaments.forecast.needs import MOST_OWN_GAMES
from tournaments.forecasts.selectors.forecasts import ForecastKind, forecast_kind
from tournaments.forecasts.selectors.needs import is_all_published, needs_question, plain_needs
from tournaments.forecasts.selectors.running import running_of
from tournaments.models import Stage

TOLD_EVERY = 50  # endings: a tenth of a second


def answer_needs(job: Job, tell: Tell) -> dict[str, Any]:
    """The needs of everybody in the stage, as `plain_needs`. Raises Refused where there is nothing to be worked out any
    more."""
    stage = Stage.objects.select_related("tournament").filter(pk=job.payload.get("stage", 0)).first()
    event = event_data(stage, NOBODY) if stage else None
    if event is None or forecast_kind(event) is not ForecastKind.ROUND_ROBIN or not is_all_published(event):
        raise Refused(_("This event cannot be forecast any more."))
    top = int(job.payload["top"])
    take_up(job, needs_question(event, top))
    running = running_of(event)
    race = running.race()
    players = [player for player in race.points if len(race.opponents(player)) <= MOST_OWN_GAMES]

    def now_and_then(done: int, of: int) -> None:
        if done % TOLD_EVERY == 0:
            tell(done, of)

    try:
        return plain_needs(needs_of_all(running, players, top, tell=now_and_then))
    except TooManyWaysError:
        raise Refused(_("There are too many endings to go through them all.")) from None
