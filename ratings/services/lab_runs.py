"""Studies in the background: asked for on a page, carried out by the workers in parts, to be cancelled at any time.

A part is so many replications, so any number of workers on any number of machines share a study, and a machine that
goes down costs one part. What is finished stays: a cancelled study shows the replications it has. The pictures are
drawn with the first part into the data folder; they follow from the seed and can be drawn again.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_tasks import task

from players.models import Job, JobChunk
from players.services.jobs import finish_chunk, finish_job, hold_lease, lease_chunk
from ratings.lab.contenders import STUDY
from ratings.lab.engine import Engine, best_engine
from ratings.lab.study import Accumulated, Study, with_thin_curves
from ratings.lab.study_files import write_study_files

STUDY_RUN = "lab-study"
PART = 10  # replications: half a second compiled, a quarter of a minute plainly
MOST_GAMES, MOST_REPLICATIONS = 500_000, 1000


@dataclass(frozen=True, slots=True)
class StudyOrder:
    """What is asked for: "imitator" or "newcomers", games a replication, replications, seed."""

    study: str
    games: int
    replications: int
    seed: int

    @property
    def whole(self) -> Study:
        return Study(self.study, self.games, self.seed, STUDY)


@transaction.atomic
def request_study(order: StudyOrder, *, by: User | None) -> Job:
    """Ask for a study in the background."""
    job = Job.objects.create(kind=STUDY_RUN, payload=asdict(order), requested_by=by)
    count = -(-order.replications // PART)
    chunks = [JobChunk(job=job, number=number, seed=order.seed) for number in range(count)]
    for chunk in JobChunk.objects.bulk_create(chunks):
        run_part.enqueue(chunk.pk)
    return job


def order_of(job: Job) -> StudyOrder:
    """What a study's job was asked for."""
    return StudyOrder(**job.payload)


def folder_of(job: Job) -> Path:
    """Where its pictures are."""
    return Path(settings.DATA_DIR) / "lab" / str(job.pk)


def figures_of(job: Job) -> Mapping[str, Any] | None:
    """The document of what is finished of a study, curves with a value per 1000 games; None where nothing is."""
    parts = job.chunks.filter(done=True).exclude(result=None).order_by("number").values_list("result", flat=True)
    whole = order_of(job).whole
    found = [Accumulated.from_document(part) for part in parts if part is not None]
    return with_thin_curves(whole.report(Accumulated.merged(found))) if found else None


@task()
def run_part(chunk_key: int) -> None:
    """Carry out one part of a study; one that is done, leased to another worker or cancelled is left alone."""
    chunk = lease_chunk(chunk_key)
    if chunk is None:
        return
    order = order_of(chunk.job)
    try:
        result = _replications(chunk, order)
        if result is not None:
            _finish(chunk, result)
    except Exception:
        finish_job(chunk, Job.State.FAILED, _("The study broke off. Ask for it again."))
        raise


@cache
def _engine() -> Engine:
    """One a process: compiling takes seconds."""
    return best_engine()


def _replications(chunk: JobChunk, order: StudyOrder) -> Any:
    """The part's figures as they are stored; None where the study was cancelled meanwhile."""
    whole, engine = order.whole, _engine()
    if chunk.number == 0:
        write_study_files(
            folder_of(chunk.job), games=order.games, seed=order.seed, replication=0,
            newcomers=order.study == "newcomers", contenders=STUDY, engine=engine, log=False,
            tell=lambda games: None,
        )  # fmt: skip
    found = Accumulated()
    for replication in range(chunk.number * PART, min((chunk.number + 1) * PART, order.replications)):
        if Job.objects.filter(pk=chunk.job_id, state=Job.State.CANCELLED).exists():
            return None
        found.add(whole.replication(replication, engine))
        hold_lease(chunk)
    return found.document()


def _finish(chunk: JobChunk, result: Any) -> None:
    if finish_chunk(chunk, result) == 0:
        count = order_of(chunk.job).replications
        words = ngettext("%(count)s replication.", "%(count)s replications.", count) % {"count": count}
        finish_job(chunk, Job.State.DONE, words)
