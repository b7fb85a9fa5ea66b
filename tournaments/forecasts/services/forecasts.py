"""Jobs of the forecast page: the forecast of a stage, and what everybody needs. Both are answered in the background.

`answer_forecast`: an answer holds plain values: `method`, `samples`, `seed`, `draw_rate`; `sampler`, how well the
strengths were drawn (games of evidence, share of steps accepted, worst split-R̂, smallest effective sample size);
`lines`, one an entry (its key, `title`, `places`, `points`, `strength`, `deviation`); `games`, one a board of the round
to be played and of those put off before it (keys of the game and of both entries, `round`, `win`, `draw`, `loss`,
`by_rating`). Nobody's name is in it. What is said just before a round is saved for good (`store_forecast`).

`answer_needs`: what everybody needs, tie-breaks included.
"""

from datetime import date, datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from players.jobs.services import take_up
from players.models import Job
from players.privacy.rules import NOBODY
from players.refusals import Refused
from players.trail.services import write_audit
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.events import whole_event
from tournaments.forecast.clinching import TooManyWaysError
from tournaments.forecast.everybody import needs_of_all
from tournaments.forecast.needs import MOST_OWN_GAMES
from tournaments.forecast.outlook import Tell
from tournaments.forecasts.selectors.forecasts import (
    GAME_FIGURES,
    LINE_FIGURES,
    due_round,
    facts_digest,
    forecast_kind,
    forecast_question,
    is_stored,
    next_unplayed,
)
from tournaments.forecasts.selectors.needs import is_all_published, needs_question, plain_needs
from tournaments.forecasts.selectors.running import running_of
from tournaments.forecasts.services.making import work_out
from tournaments.forecasts.services.team_forecasts import answer_league
from tournaments.models import Forecast, ForecastGame, ForecastKind, ForecastLine, Game, Stage
from tournaments.pairing.free import Teams
from tournaments.standings.points import Result


# --- forecasts ----------------------------------------------------------------------------------------------------
def answer_forecast(job: Job, tell: Tell) -> dict[str, Any]:
    """The forecast of the stage the job is about; stored where a round is about to be played, unless teams play it.
    Raises Refused where there is none to be made any more."""
    stage = Stage.objects.select_related("tournament").filter(pk=job.subject_key or 0).first()
    if stage is not None and stage.pairing_system == Teams.key:
        return answer_league(stage, job, tell)
    event = whole_event(stage, NOBODY) if stage else None
    kind = forecast_kind(event) if event else None
    if event is None or kind is None:
        raise Refused(_("This event cannot be forecast any more."))
    question = forecast_question(event)
    take_up(job, question)
    changes = _changes_of(event.stage.pk)
    answer = work_out(event, kind, tell)
    if _changes_of(event.stage.pk) == changes:  # differs even where a result came in and was taken back
        store_forecast(event.stage.pk, question.facts, answer)
    return answer


def _changes_of(stage_key: int) -> int:
    """How often the games of the stage's event were changed: it only grows, whatever is taken back."""
    return Game.objects.filter(tournament__stages=stage_key).aggregate(sum=Sum("revision"))["sum"] or 0


def storable_round(event: EventData, today: date) -> int | None:
    """The round a forecast may be stored before. Where games of earlier rounds are still open (postponed ones, in a
    league), its own day decides: from then on nobody waits for them."""
    if (number := due_round(event)) is not None:
        return number
    number = next_unplayed(event)
    row = event.round(number) if number is not None else None
    return number if row and row.planned_on and row.planned_on <= today else None


@transaction.atomic
def store_forecast(
    stage_key: int, facts: str, answer: dict[str, Any], *, at: datetime | None = None
) -> Forecast | None:
    """Keep what was said (`at`: now) before the round that is about to be played. None where nothing is kept: no round
    is, the facts have moved since it was worked out (`facts`: digest it rests on), a result came in, or it is stored
    already."""
    # With these games locked no result can come in; one that came in before has changed the digest of the facts.
    open_games = Game.objects.filter(tournament__stages=stage_key, result=Result.OPEN).order_by("pk")
    list(open_games.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))
    stage = Stage.objects.select_related("tournament").get(pk=stage_key)
    event = whole_event(stage, NOBODY)
    number = storable_round(event, timezone.localdate())
    if number is None or facts_digest(event) != facts or is_stored(stage, number):
        return None
    try:
        with transaction.atomic():
            return _write(stage, number, facts, answer, at or timezone.now())
    except IntegrityError:  # stored at the same moment
        return None


def _write(stage: Stage, number: int, facts: str, answer: dict[str, Any], at: datetime) -> Forecast:
    forecast = Forecast.objects.create(
        stage=stage,
        before_round=number,
        made_at=at,
        facts=facts,
        **{name: answer[name] for name in ("method", "samples", "seed", "draw_rate")},
    )
    ForecastLine.objects.bulk_create(
        ForecastLine(forecast=forecast, entry_id=line["entry"], **{name: line[name] for name in LINE_FIGURES})
        for line in answer["lines"]
    )
    ForecastGame.objects.bulk_create(
        ForecastGame(
            forecast=forecast,
            game_id=game["game"],
            white_id=game["white"],
            black_id=game["black"],
            **{name: game[name] for name in GAME_FIGURES},
        )
        for game in answer["games"]
        if game["round"] == number
    )
    write_audit("forecast.stored", stage.tournament, by=None, after={"stage": stage.pk, "round": number})
    return forecast


# --- needs --------------------------------------------------------------------------------------------------------
REPORTED_EVERY = 50  # endings: a tenth of a second


def answer_needs(job: Job, tell: Tell) -> dict[str, Any]:
    """The needs of everybody in the stage, as `plain_needs`. Raises Refused where there is nothing to be worked out any
    more."""
    stage = Stage.objects.select_related("tournament").filter(pk=job.payload.get("stage", 0)).first()
    event = whole_event(stage, NOBODY) if stage else None
    if event is None or forecast_kind(event) is not ForecastKind.ROUND_ROBIN or not is_all_published(event):
        raise Refused(_("This event cannot be forecast any more."))
    top = int(job.payload["top"])
    take_up(job, needs_question(event, top))
    running = running_of(event)
    race = running.race()
    players = [player for player in race.points if len(race.opponents(player)) <= MOST_OWN_GAMES]

    def now_and_then(done: int, of: int) -> None:
        if done % REPORTED_EVERY == 0:
            tell(done, of)

    try:
        return plain_needs(needs_of_all(running, players, top, tell=now_and_then))
    except TooManyWaysError:
        raise Refused(_("There are too many endings to go through them all.")) from None
