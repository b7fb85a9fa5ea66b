"""The format adviser's questions, answered in the background: which formats a field and a hall allow, and what is to be
said of each (`tournaments.forecast.adviser`).

A question is made of ratings, never of people. The seed is always the same, so the same question has one answer.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from players.jobs.services import Question
from players.models import Job
from ratings.systems.draws import rate_between_equals
from tournaments.forecast.adviser import Advice, Estimate, Field, advise
from tournaments.forecast.formats import Format, Hall, Kind, usual_formats
from tournaments.forecast.outlook import Tell

ADVICE = "advice"
SAMPLES = 1000  # a chance near a half is known to 0.03 then
SEED = 1
EDITION = 1  # of what is compared, computed and stored: another one makes every question a new one


def advice_question(ratings: Sequence[int], draws: int, hall: Hall) -> Question:
    """Which format? `ratings` in whole points, in any order; `draws`: of 100 games between equals so many are drawn."""
    payload = {
        "ratings": sorted(ratings, reverse=True),
        "draws": draws,
        "hall": asdict(hall),
        "samples": SAMPLES,
        "seed": SEED,
        "edition": EDITION,
    }
    return Question(ADVICE, payload)


def answer_advice(job: Job, tell: Tell) -> list[dict[str, Any]]:
    """The advice on every usual format, as plain values; progress is reported after each."""
    asked = job.payload
    hall = Hall(**asked["hall"])
    field = Field(tuple(map(float, asked["ratings"])), rate_between_equals(asked["draws"] / 100.0))
    formats = usual_formats(len(field.ratings), hall)
    answer = []
    for done, form in enumerate(formats, start=1):
        (found,) = advise(field, hall, [form], samples=asked["samples"], seed=asked["seed"])
        answer.append(asdict(found))
        tell(done, len(formats))
    return answer


def advice_of(answer: Sequence[dict[str, Any]]) -> tuple[Advice, ...]:
    """The advice out of a stored answer."""
    return tuple(_advice(row) for row in answer)


def _advice(row: dict[str, Any]) -> Advice:
    form = Format(**{**row["form"], "kind": Kind(row["form"]["kind"])})
    shares = {name: Estimate(**row[name]) for name in ("best_wins", "tied_first", "one_sided")}
    return Advice(**{**row, "form": form, **shares})
