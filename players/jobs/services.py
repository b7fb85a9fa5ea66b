"""Background jobs: work in chunks that workers lease, and questions answered once and stored for everybody who asks.

The queue only carries keys and may lose them; `Job` and `JobChunk` are authoritative. A lease is short (`WORK_LEASE` in
the settings), and a worker renews it while it is at work (`manage.py db_worker`). Doing a chunk twice does no harm, so
one whose lease expired (the worker was killed, the machine went down) is simply queued again.

Questions are asked on a page and computed once by a worker. A question's key is made of what is asked and of the facts
its answer rests on, so an answer is never out of date: once the facts change, a page asks another question. Answers are
deleted after `KEPT`.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from players.models import Job, JobChunk

# --- chunks ----------------------------------------------------------------------------------------------------------
OVER = (Job.State.DONE, Job.State.FAILED, Job.State.CANCELLED)


@transaction.atomic
def lease_chunk(chunk_key: int) -> JobChunk | None:
    """Take a chunk on a lease; None where it is done, somebody else has it, or its job is over."""
    free = Q(lease_until=None) | Q(lease_until__lt=timezone.now())
    chunks = JobChunk.objects.select_for_update(no_key=True, of=("self",)).select_related("job")
    chunk = chunks.filter(free, pk=chunk_key, done=False).first()
    if chunk is None:
        return None
    # A job that is over stays so.
    if not _not_over(chunk.job_id).update(state=Job.State.RUNNING):
        return None
    chunk.lease_until = timezone.now() + settings.WORK_LEASE
    chunk.save(update_fields=["lease_until"])
    return chunk


def _not_over(job_key: int) -> QuerySet[Job]:
    return Job.objects.filter(pk=job_key).exclude(state__in=OVER)


def hold_lease(chunk: JobChunk) -> None:
    """The work goes on: nobody else may take the chunk for another lease."""
    JobChunk.objects.filter(pk=chunk.pk).update(lease_until=timezone.now() + settings.WORK_LEASE)


def report_progress(chunk: JobChunk, done: int, of: int) -> None:
    """Write down how far the chunk's job is, and hold the lease; 100 is set by `finish_job` only."""
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
    end at the same moment exactly one gets 0."""
    job = Job.objects.select_for_update(no_key=True).get(pk=chunk.job_id)
    JobChunk.objects.filter(pk=chunk.pk).update(done=True, lease_until=None, result=result)
    chunks = JobChunk.objects.filter(job=job)
    left = chunks.filter(done=False).count()
    Job.objects.filter(pk=job.pk).update(progress=99 * (chunks.count() - left) // chunks.count())
    return left


@transaction.atomic
def cancel_job(job: Job) -> bool:
    """Stop work that is not over; what is done of it stays in its chunks. Whether there was anything to stop."""
    return bool(_not_over(job.pk).update(state=Job.State.CANCELLED, finished_at=timezone.now()))


def lost_chunks(*, no_worker_runs: bool = False) -> list[JobChunk]:
    """Unfinished chunks nobody is at. Where no worker runs, as when the one machine of a club starts, every lease is
    void."""
    unfinished = JobChunk.objects.filter(done=False).exclude(job__state__in=OVER).select_related("job")
    free = Q(lease_until=None) | Q(lease_until__lt=timezone.now())
    return list(unfinished if no_worker_runs else unfinished.filter(free))


def end_lease(chunk_key: int) -> None:
    """Whoever had the chunk is gone: the next may take it."""
    JobChunk.objects.filter(pk=chunk_key).update(lease_until=None)


# --- questions -------------------------------------------------------------------------------------------------------
KEPT = timedelta(days=60)
BEHIND = -10  # priority in the queue: corrections of games come first
LIVE = (Job.State.WAITING, Job.State.RUNNING, Job.State.DONE)


class Stopped(Exception):  # noqa: N818 - nothing went wrong
    """The job was cancelled while it was worked on."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the kind of work, plain values saying what of (they are stored with the job, so no names), and a
    digest of the facts the answer rests on. `about`: the key of the row it is about."""

    kind: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    facts: str = ""
    about: int | None = None

    @property
    def key(self) -> str:
        """The same for the same question on the same facts, and for no other."""
        content = json.dumps([self.kind, self.payload, self.facts, self.about], sort_keys=True)
        return sha256(content.encode()).hexdigest()


def job_of(question: Question) -> Job | None:
    """The job that answers it or has answered it; else the last that failed or was cancelled; None where nobody has
    asked. One query."""
    jobs = Job.objects.filter(question=question.key).order_by("-pk")
    found = list(jobs[:5])
    return next((job for job in found if job.state in LIVE), found[0] if found else None)


def answer_of(job: Job | None) -> Any | None:
    """The answer as the worker stored it; None while there is none. One query."""
    if job is None or job.state != Job.State.DONE:
        return None
    return JobChunk.objects.filter(job=job).values_list("result", flat=True).first()


def last_answered(kind: str, about: int | None) -> Job | None:
    """The job that last answered a question of that kind about that row, on whatever facts. One query."""
    return Job.objects.filter(kind=kind, subject_key=about, state=Job.State.DONE).order_by("-pk").first()


def write_question(question: Question, *, by: User | None) -> tuple[Job, JobChunk | None]:
    """The job that answers the question, and its chunk where it is a new one, to be queued."""
    found = job_of(question)
    if found is not None and found.state in LIVE:
        return found, None
    try:
        with transaction.atomic():
            job = Job.objects.create(
                kind=question.kind,
                subject_key=question.about,
                payload=dict(question.payload),
                requested_by=by,
                question=question.key,
            )
            return job, JobChunk.objects.create(job=job, number=1)
    except IntegrityError:  # asked twice at the same moment
        return Job.objects.get(question=question.key, state__in=LIVE), None


@transaction.atomic
def ask(question: Question, *, by: User | None = None) -> Job:
    """Have the question answered by the task that the settings name; the job of whoever asked first where somebody
    has."""
    job, chunk = write_question(question, by=by)
    if chunk is not None:
        import_string(settings.ANSWER_TASK).enqueue(chunk.pk)
    return job


def is_waiting(kind: str, about: int) -> bool:
    """Whether a question of that kind about that row waits for a worker, who will find the facts as they are then."""
    return Job.objects.filter(kind=kind, subject_key=about, state=Job.State.WAITING).exclude(question="").exists()


def was_asked(kind: str, about: int, since: date) -> bool:
    """Whether a question of that kind about that row was asked on that day or later, whatever came of it."""
    return Job.objects.filter(kind=kind, subject_key=about, requested_at__date__gte=since).exists()


def take_up(job: Job, question: Question) -> None:
    """The facts may have moved since it was asked: from now on the job answers the question as it stands. Raises
    Stopped, and cancels the job, where another one answers that."""
    if job.question == question.key:
        return
    try:
        with transaction.atomic():
            Job.objects.filter(pk=job.pk).update(question=question.key, payload=dict(question.payload))
    except IntegrityError:
        cancel_job(job)
        raise Stopped from None


def check_not_stopped(chunk: JobChunk) -> None:
    """Raises Stopped where the chunk's job was cancelled meanwhile."""
    if Job.objects.filter(pk=chunk.job_id, state=Job.State.CANCELLED).exists():
        raise Stopped


def forget_old_answers(*, but: Collection[str] = ()) -> int:
    """Delete answers older than `KEPT`, except those of the kinds in `but`; how many there were."""
    old = Job.objects.exclude(question="").exclude(kind__in=but).filter(requested_at__lt=timezone.now() - KEPT)
    return old.delete()[1].get("players.Job", 0)
