"""Queues the task that updates forecasts after a round is made or finished.

The settings name the task (`FOLLOW_UP_TASK`), so services that write facts import no forecast. It is queued in the
transaction of the fact, so a worker sees it once that is committed.
"""

from django.conf import settings
from django.utils.module_loading import import_string

from tournaments.models import ForecastKind, Game, Stage
from tournaments.standings.points import Result


def queue_follow_up(stage: Stage) -> None:
    """Have forecasts of the stage's next round asked for, where its kind is forecast (`CLUB_FORECASTS=0`: never)."""
    if _is_forecast(stage):
        import_string(settings.FOLLOW_UP_TASK).enqueue(stage.pk)


def queue_after_result(game: Game) -> None:
    """The same once the last game of a round has its result; one query until then, none where nothing is forecast."""
    row = game.pairing.round
    if row is None or not _is_forecast(game.pairing.stage):
        return
    if not Game.objects.filter(pairing__round=row, result__in=(Result.OPEN, Result.ADJOURNED)).exists():
        queue_follow_up(game.pairing.stage)


def _is_forecast(stage: Stage) -> bool:
    return settings.FORECASTS and stage.pairing_system in list(ForecastKind) and stage.tournament.entry_size == 1
