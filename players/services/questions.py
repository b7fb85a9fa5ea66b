"""Questions answered in the background: asked on a page, worked out once by a worker, kept for everybody who asks.

A question's key is made of what is asked and of the facts its answer rests on. So an answer is never out of date: once
the facts move, a page asks another question. An answer is kept for `KEPT` and is worked out anew after that.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from players.models import Job, JobChunk

KEPT = timedelta(days=60)
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
        told = json.dumps([self.kind, self.payload, self.facts, self.about], sort_keys=True)
        return sha256(told.encode()).hexdigest()


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
    return JobChunk.objects.filter(job=job, done=True).values_list("result", flat=True).first()


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


def check_not_stopped(chunk: JobChunk) -> None:
    """Raises Stopped where the chunk's job was cancelled meanwhile."""
    if Job.objects.filter(pk=chunk.job_id, state=Job.State.CANCELLED).exists():
        raise Stopped


def forget_old_answers() -> int:
    """Put away answers nobody can be reading any more; how many there were."""
    old = Job.objects.exclude(question="").filter(requested_at__lt=timezone.now() - KEPT)
    return old.delete()[1].get("players.Job", 0)
