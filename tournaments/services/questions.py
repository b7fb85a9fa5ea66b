"""Who answers which question in the background: one function a kind, in one list.

An answerer is handed what was asked, and tells how far it is; what it gives back (plain values) is stored as the
answer. It may be run twice without harm.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from django_tasks import task

from players.models import Job, JobChunk
from players.services.jobs import finish_chunk, finish_job, lease_chunk, tell_progress
from players.services.questions import Question, Stopped, check_not_stopped, write_question
from players.services.refusals import Refused
from tournaments.selectors.backtests import BACKTEST, PROPOSAL
from tournaments.selectors.forecasts import FORECAST
from tournaments.selectors.needs import NEEDS
from tournaments.services.advice import ADVICE, answer_advice
from tournaments.services.backtests import answer_backtest
from tournaments.services.forecasts import answer_forecast
from tournaments.services.needs import answer_needs
from tournaments.services.proposals import answer_proposal

BEHIND = -10  # in the queue: a correction of the club goes before
Tell = Callable[[int, int], None]  # so much done, of so much; raises Stopped where the job was cancelled
Answerer = Callable[[Job, Tell], Any]

ANSWERERS: Mapping[str, Answerer] = {
    FORECAST: answer_forecast,
    BACKTEST: answer_backtest,
    PROPOSAL: answer_proposal,
    ADVICE: answer_advice,
    NEEDS: answer_needs,
}


@transaction.atomic
def ask(question: Question, *, by: User | None = None) -> Job:
    """Have the question answered; the job of whoever asked first where somebody has. Raises KeyError for a kind of
    question nobody answers."""
    ANSWERERS[question.kind]
    job, chunk = write_question(question, by=by)
    if chunk is not None:
        answer_chunk.enqueue(chunk.pk)
    return job


@task(priority=BEHIND)
def answer_chunk(chunk_key: int) -> None:
    """Answer the question of a chunk; one that is answered, leased to another worker or cancelled is left alone."""
    chunk = lease_chunk(chunk_key)
    if chunk is None:
        return

    try:
        result = ANSWERERS[chunk.job.kind](chunk.job, _told_by_the_percent(chunk))
        with transaction.atomic():  # or a worker that dies in between leaves a job nobody takes up again
            finish_chunk(chunk, result)
            finish_job(chunk, Job.State.DONE, "")
    except Stopped:
        return
    except Refused as refusal:
        finish_job(chunk, Job.State.FAILED, str(refusal))
    except Exception:
        finish_job(chunk, Job.State.FAILED, _("The work broke off; ask for it again."))
        raise


def _told_by_the_percent(chunk: JobChunk) -> Tell:
    """Writes down how far the work is where that has moved by a per cent: who enters results waits for every write."""
    last = -1

    def tell(done: int, of: int) -> None:
        nonlocal last
        if (percent := 100 * done // max(of, 1)) != last:
            check_not_stopped(chunk)
            tell_progress(chunk, done, of)
            last = percent

    return tell
