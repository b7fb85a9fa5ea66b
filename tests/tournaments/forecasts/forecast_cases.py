"""Forecasts for the pages that show them: made up, stored and answered as the services do, without working any out."""

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from players.jobs.services import Question
from players.models import Job, JobChunk
from players.privacy.rules import NOBODY
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.events import facts_of, stages_at
from tournaments.forecasts.selectors.forecasts import facts_digest, forecast_question, next_unplayed
from tournaments.models import Forecast, ForecastGame, ForecastLine, Tournament

GAME = (0.5, 0.3, 0.2)  # win, draw, loss of White


def facts(event: Tournament) -> EventData:
    return facts_of(stages_at(event.slug), NOBODY)[0]


def said_of(event: Tournament, titles: Sequence[float] = (), *, method: str = "sampled") -> dict[str, Any]:
    """What might be said of an event: the given chances of the title by number (even ones unless told), the other
    places sharing the rest; the same odds for every game of the next round."""
    shown = facts(event)
    people = [person for person in shown.entrants if person.number is not None]
    count = len(people)
    chances = titles or [1.0 / count] * count
    lines = [
        {
            "entry": person.key,
            "title": chance,
            "places": [chance] + [(1.0 - chance) / (count - 1)] * (count - 1),
            "points": None if shown.is_bracket else 3.0,
            "strength": 1500.0,
            "deviation": 80.0,
        }
        for person, chance in zip(people, chances, strict=True)
    ]
    return {"method": method, "samples": 0 if method == "exact" else 4000, "seed": 1, "draw_rate": 0.7} | {
        "lines": lines,
        "games": _games(shown),
    }


def _games(shown: EventData) -> list[dict[str, Any]]:
    number = next_unplayed(shown)
    row = shown.round(number) if number else None
    boards = [*row.boards, *(game for match in row.matches for game in match.games)] if row else []
    win, draw, loss = GAME
    return [
        {"game": board.key, "round": number, "white": board.white.key, "black": board.black.key}
        | {"win": win, "draw": draw, "loss": loss, "by_rating": 0.5}
        for board in boards
    ]


def store(event: Tournament, titles: Sequence[float] = (), *, method: str = "sampled") -> Forecast:
    """Said before the next round, and kept."""
    shown, said = facts(event), said_of(event, titles, method=method)
    number = next_unplayed(shown)
    assert number is not None
    forecast = Forecast.objects.create(
        stage=shown.stage,
        before_round=number,
        facts=facts_digest(shown),
        **{name: said[name] for name in ("method", "samples", "seed", "draw_rate")},
    )
    for line in said["lines"]:
        ForecastLine.objects.create(forecast=forecast, entry_id=line.pop("entry"), **line)
    for game in said["games"]:
        keys = {"game_id": game["game"], "white_id": game["white"], "black_id": game["black"]}
        odds = {name: game[name] for name in ("win", "draw", "loss", "by_rating")}
        ForecastGame.objects.create(forecast=forecast, **keys, **odds)
    return forecast


def answer(question: Question, result: Any) -> Job:
    """The question is asked and answered."""
    job = Job.objects.create(
        kind=question.kind,
        subject_key=question.about,
        payload=dict(question.payload),
        question=question.key,
        state=Job.State.DONE,
        finished_at=timezone.now(),
    )
    JobChunk.objects.create(job=job, number=1, done=True, result=result)
    return job


def forecast_now(event: Tournament, titles: Sequence[float] = (), *, method: str = "sampled") -> Job:
    """The event as it stands is forecast, and nothing is kept."""
    return answer(forecast_question(facts(event)), said_of(event, titles, method=method))
