"""Who answers which question in the background: one function a kind, in one list.

An answerer gets the job and a function to report progress, which raises Stopped where the job was cancelled; what it
returns (plain values) is stored as the answer. It may be run twice without harm.

What a worker is at, a chunk or any other task of the queue, it holds on a short lease. Where the worker was killed the
lease lapses, and the next worker gets the work. `manage.py db_worker` calls `renew_leases` and `requeue_lost_work`.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import TaskResultStatus, task
from django_tasks_db.models import DBTaskResult, get_date_max

from clubrating.site.eras.selectors import ERAS
from clubrating.site.eras.services import answer_eras
from clubrating.site.luck.selectors import LUCK
from clubrating.site.luck.services import answer_luck
from clubrating.site.research.selectors import BACKTEST, PROPOSAL
from clubrating.site.research.services import answer_backtest, answer_proposal
from players.jobs.services import (
    BEHIND,
    Stopped,
    check_not_stopped,
    end_lease,
    finish_chunk,
    finish_job,
    lease_chunk,
    lost_chunks,
    report_progress,
)
from players.models import Job, JobChunk
from players.refusals import Refused
from ratings.lab_pages.services import STUDY_RUN, TYPED_RUN, answer_typed, run_part
from tournaments.builders.services import ADVICE, answer_advice
from tournaments.corrections.services.jobs import run_chunk
from tournaments.forecast.outlook import Tell
from tournaments.forecasts.selectors.forecasts import FORECAST
from tournaments.forecasts.selectors.needs import NEEDS
from tournaments.forecasts.selectors.own_masters import OWN_MASTERS
from tournaments.forecasts.selectors.season import SEASON
from tournaments.forecasts.services.forecasts import answer_forecast, answer_needs
from tournaments.forecasts.services.own_masters import answer_own_masters
from tournaments.forecasts.services.season import answer_season
from tournaments.rounds.selectors.certificate import CERTIFICATE
from tournaments.rounds.services.certificate import answer_certificate

ANSWERERS: Mapping[str, Callable[[Job, Tell], Any]] = {
    FORECAST: answer_forecast,
    BACKTEST: answer_backtest,
    PROPOSAL: answer_proposal,
    ERAS: answer_eras,
    ADVICE: answer_advice,
    NEEDS: answer_needs,
    TYPED_RUN: answer_typed,
    OWN_MASTERS: answer_own_masters,
    SEASON: answer_season,
    LUCK: answer_luck,
    CERTIFICATE: answer_certificate,
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


def task_of(kind: str) -> Any:
    """The task that carries out a chunk of such a job."""
    if kind in ANSWERERS:
        return answer_chunk
    return run_part if kind == STUDY_RUN else run_chunk


# --- leases ----------------------------------------------------------------------------------------------------------
# A task that a worker is at bears in `run_after` until when nobody else may take it; its chunk does in `lease_until`.
# Both are renewed together while the worker lives; a task is not lost before it has been at work for a whole lease.
# `get_date_max()` is the queue's "no time is set".
MOST_TRIES = 5  # then the work itself is what kills its workers
TOO_LATE = timedelta(days=1)  # nobody waits any more for what is no chunk: a mail, a look at what is due
_WITH_CHUNK = {each.module_path for each in (answer_chunk, run_part, run_chunk)}


def chunk_of(begun: DBTaskResult[Any, Any]) -> int | None:
    """The key of the chunk that a task of the queue carries; None for a task that is whole by itself."""
    return int(begun.args_kwargs["args"][0]) if begun.task_path in _WITH_CHUNK else None


def renew_leases(worker: str) -> None:
    """That worker lives: what it is at stays its own for another lease."""
    for begun in DBTaskResult.objects.running():
        if begun.worker_ids[-1:] == [worker]:
            _renew(begun)


@transaction.atomic
def _renew(begun: DBTaskResult[Any, Any]) -> None:
    until = timezone.now() + settings.WORK_LEASE
    _as_it_was(begun).update(run_after=until)
    JobChunk.objects.filter(pk=chunk_of(begun) or 0, done=False).exclude(lease_until=None).update(lease_until=until)


def lost_tasks(*, no_worker_runs: bool = False) -> list[DBTaskResult[Any, Any]]:
    """Tasks whose worker went away; where no worker runs, all that one had begun."""
    running, now = DBTaskResult.objects.running(), timezone.now()
    lapsed = Q(run_after__lt=now) | Q(run_after=get_date_max())
    return list(running if no_worker_runs else running.filter(lapsed, started_at__lt=now - settings.WORK_LEASE))


def requeue_lost_work(*, no_worker_runs: bool = False) -> int:
    """Queue again what workers that went away had begun, each piece once; how many pieces there were."""
    count = sum(_take_back(each) for each in lost_tasks(no_worker_runs=no_worker_runs))
    chunks = lost_chunks(no_worker_runs=no_worker_runs)
    if chunks:
        ready = Q(status=TaskResultStatus.READY) | Q(status=TaskResultStatus.RUNNING)
        carried = {chunk_of(each) for each in DBTaskResult.objects.filter(ready, task_path__in=_WITH_CHUNK)}
        left = [chunk for chunk in chunks if chunk.pk not in carried]
        for chunk in left:
            _requeue_chunk(chunk)
        count += len(left)
    return count


@transaction.atomic
def _requeue_chunk(chunk: JobChunk) -> None:
    end_lease(chunk.pk)
    task_of(chunk.job.kind).enqueue(chunk.pk)


@transaction.atomic
def _take_back(begun: DBTaskResult[Any, Any]) -> bool:
    """Queue a lost task again, and end the lease of its chunk; whether that was done. Not one that kills each worker,
    nor one that is out of date."""
    now, key = timezone.now(), chunk_of(begun)
    worn_out = len(begun.worker_ids) >= MOST_TRIES
    if worn_out or now - (begun.started_at or now) > TOO_LATE:
        over = {"status": TaskResultStatus.FAILED, "finished_at": now, "traceback": "Its worker went away."}
        if _as_it_was(begun).update(**over) and worn_out and (chunk := JobChunk.objects.filter(pk=key or 0).first()):
            finish_job(chunk, Job.State.FAILED, _("The work broke off; ask for it again."))
        return False
    if not _as_it_was(begun).update(status=TaskResultStatus.READY, run_after=get_date_max()):
        return False
    if key is not None:
        end_lease(key)
    return True


def _as_it_was(begun: DBTaskResult[Any, Any]) -> QuerySet[DBTaskResult[Any, Any]]:
    """The task, unless somebody has renewed, ended or taken it meanwhile."""
    found: QuerySet[DBTaskResult[Any, Any]] = DBTaskResult.objects.running()
    return found.filter(pk=begun.pk, run_after=begun.run_after, started_at=begun.started_at)
