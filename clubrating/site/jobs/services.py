"""Who answers which question in the background: one function a kind, in one list.

An answerer gets the job and a function to report progress, which raises Stopped where the job was cancelled; what it
returns (plain values) is stored as the answer. It may be run twice without harm.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django_tasks import task

from clubrating.site.research.selectors import BACKTEST, PROPOSAL
from clubrating.site.research.services import answer_backtest, answer_proposal
from players.jobs.services import (
    BEHIND,
    Stopped,
    check_not_stopped,
    finish_chunk,
    finish_job,
    lease_chunk,
    lost_chunks,
    report_progress,
)
from players.models import Job, JobChunk
from players.refusals import Refused
from ratings.lab_pages.services import STUDY_RUN, run_part
from tournaments.builders.services import ADVICE, answer_advice
from tournaments.corrections.services.jobs import run_chunk
from tournaments.forecast.outlook import Tell
from tournaments.forecasts.selectors.forecasts import FORECAST
from tournaments.forecasts.selectors.needs import NEEDS
from tournaments.forecasts.services.forecasts import answer_forecast, answer_needs

ANSWERERS: Mapping[str, Callable[[Job, Tell], Any]] = {
    FORECAST: answer_forecast,
    BACKTEST: answer_backtest,
    PROPOSAL: answer_proposal,
    ADVICE: answer_advice,
    NEEDS: answer_needs,
}


@task(priority=BEHIND)
def answer_chunk(chunk_key: int) -> None:
    """Answer the question of a chunk; one that is answered, leased to another worker or cancelled is left alone."""
    chunk = lease_chunk(chunk_key)
    if chunk is None:
        return
    try:
        result = ANSWERERS[chunk.job.kind](chunk.job, _progress_of(chunk))
        with transaction.atomic():  # together: a chunk that is done while its job is not would never be taken up again
            finish_chunk(chunk, result)
            finish_job(chunk, Job.State.DONE, "")
    except Stopped:
        return
    except Refused as refusal:
        finish_job(chunk, Job.State.FAILED, str(refusal))
    except Exception:
        finish_job(chunk, Job.State.FAILED, _("The work broke off; ask for it again."))
        raise


def _progress_of(chunk: JobChunk) -> Tell:
    """Stores the progress only when it has moved by a per cent: every write delays those who enter results."""
    last = -1

    def report(done: int, of: int) -> None:
        nonlocal last
        if (percent := 100 * done // max(of, 1)) != last:
            check_not_stopped(chunk)
            report_progress(chunk, done, of)
            last = percent

    return report


def requeue_lost_chunks(*, no_worker_runs: bool = False, begun: bool = False) -> int:
    """Queue chunks again whose worker went away; how many there were."""
    lost = lost_chunks(no_worker_runs=no_worker_runs, begun=begun)
    for chunk in lost:
        task_of(chunk.job.kind).enqueue(chunk.pk)
    return len(lost)


def task_of(kind: str) -> Any:
    """The task that carries out a chunk of such a job."""
    if kind in ANSWERERS:
        return answer_chunk
    return run_part if kind == STUDY_RUN else run_chunk
