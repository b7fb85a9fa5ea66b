"""Background work in parts: who does which, how far it is, how it ends.

The queue only carries keys and may forget; `Job` and `JobChunk` are the truth. A chunk can be done twice without harm,
so one whose lease ran out (the machine went down) is simply queued again.
"""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from players.models import Job, JobChunk

LEASE = timedelta(minutes=10)
OVER = (Job.State.DONE, Job.State.FAILED, Job.State.CANCELLED)


@transaction.atomic
def lease_chunk(chunk_key: int) -> JobChunk | None:
    """Take a chunk for LEASE; None where it is done, somebody else has it, or its job is over."""
    free = Q(lease_until=None) | Q(lease_until__lt=timezone.now())
    chunks = JobChunk.objects.select_for_update(no_key=True, of=("self",)).select_related("job")
    chunk = chunks.filter(free, pk=chunk_key, done=False).exclude(job__state__in=OVER).first()
    if chunk is None:
        return None
    # A job that is cancelled at this very moment stays so.
    if not _not_over(chunk.job_id).update(state=Job.State.RUNNING):
        return None
    chunk.lease_until = timezone.now() + LEASE
    chunk.save(update_fields=["lease_until"])
    return chunk


def _not_over(job_key: int) -> QuerySet[Job]:
    return Job.objects.filter(pk=job_key).exclude(state__in=OVER)


def hold_lease(chunk: JobChunk) -> None:
    """The work goes on: nobody else may take the chunk for another LEASE."""
    JobChunk.objects.filter(pk=chunk.pk).update(lease_until=timezone.now() + LEASE)


def tell_progress(chunk: JobChunk, done: int, of: int) -> None:
    """Write down how far the chunk's job is, and hold the lease; the last of a hundred is the end's."""
    Job.objects.filter(pk=chunk.job_id).update(progress=min(99 * done // max(of, 1), 99))
    hold_lease(chunk)


@transaction.atomic
def finish_job(chunk: JobChunk, state: str, message: str) -> None:
    """The chunk is done, and with it its job. A job that is over, cancelled say, stays as it is."""
    JobChunk.objects.filter(pk=chunk.pk).update(done=True, lease_until=None)
    _not_over(chunk.job_id).update(
        state=state,
        message=message,
        finished_at=timezone.now(),
        progress=100 if state == Job.State.DONE else F("progress"),
    )


@transaction.atomic
def finish_chunk(chunk: JobChunk, result: Any) -> int:
    """The chunk is done and has this result; how many of its job are not. The job is locked meanwhile, so of two that
    end at the same moment one is told 0."""
    job = Job.objects.select_for_update(no_key=True).get(pk=chunk.job_id)
    JobChunk.objects.filter(pk=chunk.pk).update(done=True, lease_until=None, result=result)
    chunks = JobChunk.objects.filter(job=job)
    left = chunks.filter(done=False).count()
    Job.objects.filter(pk=job.pk).update(progress=min(99 * (chunks.count() - left) // chunks.count(), 99))
    return left


@transaction.atomic
def cancel_job(job: Job) -> bool:
    """Stop work that is not over; what is done of it stays in its chunks. Whether there was anything to stop."""
    return bool(_not_over(job.pk).update(state=Job.State.CANCELLED, finished_at=timezone.now()))


def lost_chunks(*, no_worker_runs: bool = False, begun: bool = False) -> list[JobChunk]:
    """Chunks whose worker went away. Where no worker runs, as when the one machine of a club starts, every lease is
    void. `begun`: only those a worker had begun; the others may well be in the queue."""
    unfinished = JobChunk.objects.filter(done=False).exclude(job__state__in=OVER)
    if no_worker_runs:
        unfinished.update(lease_until=None)
    gone = Q(lease_until__lt=timezone.now())
    return list(unfinished.filter(gone if begun else gone | Q(lease_until=None)).select_related("job"))
