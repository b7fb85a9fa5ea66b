"""When a forecast is asked for without anybody asking: a round is about to be played (`CLUB_FORECASTS=0`: never)."""

from collections.abc import Iterator

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django_tasks import task

from players.jobs.services import BEHIND, answer_of, ask, is_waiting
from players.models import Job
from players.privacy.rules import NOBODY
from tournaments.events.selectors.events import whole_event
from tournaments.events.selectors.stages import whole_stage
from tournaments.forecasts.selectors.forecasts import (
    FORECAST,
    facts_digest,
    forecast_kind,
    forecast_question,
    is_stored,
)
from tournaments.forecasts.services.forecasts import storable_round, store_forecast
from tournaments.models import ForecastKind, Game, Round, Stage
from tournaments.standings.points import Result


def ask_when_due(stage: Stage) -> Job | None:
    """Ask for the forecast before the stage's next round where that is published, all before it is over, and nothing
    of it is known; None where it is not time, or the forecast is stored. Of a part the whole event is forecast."""
    stage = whole_stage(stage)
    if not settings.FORECASTS or stage.pairing_system not in list(ForecastKind):
        return None
    event = whole_event(stage, NOBODY)
    number = storable_round(event, timezone.localdate())
    if number is None or forecast_kind(event) is None or is_stored(stage, number) or is_waiting(FORECAST, stage.pk):
        return None
    job = ask(forecast_question(event))
    if answer := answer_of(job):  # a reader asked before it was time
        store_forecast(stage.pk, facts_digest(event), answer)
    return job


@task(priority=BEHIND)
def follow_up(stage_key: int) -> None:
    """The same for a stage by its key; nothing where it is gone. Queued by `tournaments.rounds.services.follow_up`."""
    stage = Stage.objects.select_related("tournament").filter(pk=stage_key).first()
    if stage is not None:
        ask_when_due(stage)


def ask_for_all_due() -> int:
    """Ask for every forecast that is due, of events that are not closed; how many were asked for."""
    return sum(ask_when_due(stage) is not None for stage in _running())


def _running() -> Iterator[Stage]:
    """Stages that stand for an event with a published round in which something is still to be played."""
    open_games = Game.objects.filter(
        tournament=OuterRef("tournament"), pairing__round__state=Round.State.PUBLISHED, result=Result.OPEN
    )
    stages = Stage.objects.filter(
        Exists(open_games), tournament__closed=False, takes_everybody=True, pairing_system__in=list(ForecastKind)
    )
    yield from stages.select_related("tournament").order_by("pk")
