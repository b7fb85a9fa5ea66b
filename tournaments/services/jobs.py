"""Background work: rebuild a list beside the running site.

The queue only carries keys and may forget; `Job` and `JobChunk` are the truth. A chunk can be run twice without harm,
so one whose lease ran out (the machine went down) is simply queued again.
"""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import task

from players.models import Job, JobChunk
from ratings.models import RatingList
from tournaments.services.rating import rebuild_list

REBUILD = "rebuild-list"
LEASE = timedelta(minutes=10)


@transaction.atomic
def request_rebuild(rating_list: RatingList, *, by: User | None) -> Job:
    """Ask for a list to be rated from nothing in the background; a job already waiting for the list is returned."""
    waiting = Job.objects.filter(kind=REBUILD, subject_key=rating_list.pk, state=Job.State.WAITING).first()
    if waiting:
        return waiting
    job = Job.objects.create(kind=REBUILD, subject_key=rating_list.pk, requested_by=by)
    chunk = JobChunk.objects.create(job=job, number=1)
    run_chunk.enqueue(chunk.pk)
    return job


@task()
def run_chunk(chunk_key: int) -> None:
    """Carry out one chunk; a chunk already done, or leased to another worker, is left alone."""
    chunk = _lease(chunk_key)
    if chunk is None:
        return
    rating_list = RatingList.objects.filter(pk=chunk.job.subject_key or 0).first()
    if rating_list is None:
        _finish(chunk, Job.State.FAILED, _("The list was deleted meanwhile."))
        return
    try:
        games = rebuild_list(rating_list)
    except Exception:
        _finish(chunk, Job.State.FAILED, _("The work broke off; nothing was changed. Ask for it again."))
        raise
    _finish(chunk, Job.State.DONE, _("%(count)s games rated.") % {"count": games})


@transaction.atomic
def _lease(chunk_key: int) -> JobChunk | None:
    free = Q(lease_until=None) | Q(lease_until__lt=timezone.now())
    chunk = JobChunk.objects.select_for_update(no_key=True).filter(free, pk=chunk_key, done=False).first()
    if chunk is None:
        return None
    chunk.lease_until = timezone.now() + LEASE
    chunk.save(update_fields=["lease_until"])
    Job.objects.filter(pk=chunk.job_id).update(state=Job.State.RUNNING)
    return chunk


@transaction.atomic
def _finish(chunk: JobChunk, state: str, message: str) -> None:
    JobChunk.objects.filter(pk=chunk.pk).update(done=True, lease_until=None)
    Job.objects.filter(pk=chunk.job_id).update(state=state, message=message, finished_at=timezone.now())


@transaction.atomic
def requeue_lost_chunks(*, no_worker_runs: bool = False) -> int:
    """Queue chunks again whose worker went away; how many there were. Where no worker runs, as when the one machine
    of a club starts, every lease is void."""
    unfinished = JobChunk.objects.filter(done=False)
    if no_worker_runs:
        unfinished.update(lease_until=None)
    lost = unfinished.filter(Q(lease_until=None) | Q(lease_until__lt=timezone.now()))
    keys = list(lost.values_list("pk", flat=True))
    for key in keys:
        run_chunk.enqueue(key)
    return len(keys)
