"""Studies in the background: asked for on a page, carried out by the workers in parts, to be cancelled at any time.

A part is so many replications, so any number of workers on any number of machines share a study, and a machine that
goes down costs one part. What is finished stays: a cancelled study shows the replications it has. The pictures are
drawn with the first part into the data folder; they follow from the seed and can be drawn again. One run is asked for
by the site itself, so that its page of pictures is not empty (`CLUB_LAB_PICTURES=0`: never).

A typed system is a question: the same formulas are tried once for everybody. A formula that cannot be worked out in a
game of the study is an answer too: it would stop there every time.
"""

from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_tasks import task

from clubrating.ground.marks import Sentence
from players.jobs.services import (
    LIVE,
    OVER,
    Question,
    Stopped,
    check_not_stopped,
    finish_chunk,
    finish_job,
    hold_lease,
    job_of,
    lease_chunk,
    report_progress,
)
from players.models import Job, JobChunk
from ratings.lab.contenders import STUDY
from ratings.lab.engine import Engine, best_engine
from ratings.lab.formulas import FormulaError, Place
from ratings.lab.study import Accumulated, Study, with_thin_curves
from ratings.lab.study_files import write_study_files
from ratings.lab.typed import TypedRules
from ratings.lab.typed_study import Tell, dot_charts, typed_report

STUDY_RUN = "lab-study"
PART = 10  # replications: half a second compiled, a quarter of a minute plainly
BEHIND = -10  # in the queue: a correction of the club goes before the next part
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


SHIPPED = StudyOrder("imitator", games=100_000, replications=1, seed=1)  # the seed of the committed documents
TRIED_AGAIN = timedelta(days=1)
_MOST_LOOKED_AT = 20


@transaction.atomic
def request_study(order: StudyOrder, *, by: User | None, question: str = "") -> Job:
    """Ask for a study in the background. `question`: the key of one that is asked for once; raises IntegrityError where
    it is asked for already."""
    job = Job.objects.create(kind=STUDY_RUN, payload=asdict(order), requested_by=by, question=question)
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
    return Path(settings.DATA_DIR) / "lab" / f"{job.requested_at:%Y%m%d%H%M%S}-{job.pk}"


def file_names(job: Job) -> list[str]:
    """The names of all files of the run, sorted; none where nothing is drawn."""
    folder = folder_of(job)
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def pictured_run() -> Job | None:
    """The newest finished run whose pictures are there. One query."""
    done = Job.objects.filter(kind=STUDY_RUN, state=Job.State.DONE)[:_MOST_LOOKED_AT]
    return next((job for job in done if folder_of(job).is_dir()), None)


def shipped_question() -> Question:
    """What the run of the shipped seed answers: one job has it."""
    return Question(STUDY_RUN, asdict(SHIPPED))


def shipped_run() -> Job | None:
    """The run the site asked for by itself. One query."""
    return job_of(shipped_question())


@transaction.atomic
def ask_for_pictures() -> Job | None:
    """Ask for the run of the shipped seed where no run has left pictures; None where they are there or on their way,
    and where the last try was stopped, or failed within a day."""
    if not settings.LAB_PICTURES or pictured_run() is not None:
        return None
    last = shipped_run()
    if last is not None:
        is_done, tried = last.state == Job.State.DONE, timezone.now() - last.requested_at
        if last.state == Job.State.CANCELLED or (last.state in LIVE and not is_done):
            return None
        if last.state == Job.State.FAILED and tried < TRIED_AGAIN:
            return None
        if is_done:  # the database came here without its pictures
            Job.objects.filter(pk=last.pk).update(question="")
    try:
        return request_study(SHIPPED, by=None, question=shipped_question().key)
    except IntegrityError:  # asked for twice at the same moment
        return None


def figures_of(job: Job) -> Mapping[str, Any] | None:
    """The document of what is finished of a study, curves with a value per 1000 games; None where nothing is. Put
    together once for each part that is finished."""
    done = job.chunks.filter(done=True).exclude(result=None)
    key = f"lab-run:{job.pk}:{job.requested_at:%Y%m%d%H%M%S}:{done.count()}"
    found = cache.get(key)
    if found is None:
        parts = done.order_by("number").values_list("result", flat=True)
        merged = [Accumulated.from_document(part) for part in parts if part is not None]
        found = with_thin_curves(order_of(job).whole.report(Accumulated.merged(merged))) if merged else {}
        cache.set(key, found)
    return found or None


@task(priority=BEHIND)
def run_part(chunk_key: int) -> None:
    """Carry out one part of a study; one that is done, leased to another worker or cancelled is left alone."""
    chunk = lease_chunk(chunk_key)
    if chunk is None:
        return
    order = order_of(chunk.job)
    try:
        result = _replications(chunk, order)
        _finish(chunk, result)
    except Stopped:
        return
    except Exception:
        finish_job(chunk, Job.State.FAILED, _("The study broke off. Ask for it again."))
        raise


def _replications(chunk: JobChunk, order: StudyOrder) -> Any:
    """The part's figures as they are stored. Raises Stopped where the study was cancelled meanwhile."""
    whole, engine = order.whole, best_engine()
    if chunk.number == 0:
        _draw(chunk, order, engine)
    found = Accumulated()
    for replication in range(chunk.number * PART, min((chunk.number + 1) * PART, order.replications)):
        check_not_stopped(chunk)
        found.add(whole.replication(replication, engine))
        hold_lease(chunk)
    return found.document()


def _draw(chunk: JobChunk, order: StudyOrder, engine: Engine) -> None:
    """All files of the first replication, under their folder's name only once all are there. Raises Stopped."""
    folder = folder_of(chunk.job)
    if folder.is_dir():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent, prefix="drawing-") as drawing:
        write_study_files(
            Path(drawing) / "files", games=order.games, seed=order.seed, replication=0,
            newcomers=order.study == "newcomers", contenders=STUDY, engine=engine, log=False,
            tell=lambda games: _tell(chunk, order, games),
        )  # fmt: skip
        with suppress(OSError):  # another worker was as quick
            (Path(drawing) / "files").rename(folder)


def _tell(chunk: JobChunk, order: StudyOrder, games: int) -> None:
    """A study of one part is drawing most of the time, so that is its progress; every tenth is told."""
    if games * 10 % order.games == 0:
        check_not_stopped(chunk)
        if order.replications <= PART:
            report_progress(chunk, games, order.games)


def _finish(chunk: JobChunk, result: Any) -> None:
    """The part is done; with the last one the study is. One of which a part broke off has failed already."""
    if finish_chunk(chunk, result) == 0:
        count = order_of(chunk.job).replications
        words = ngettext("%(count)s replication.", "%(count)s replications.", count) % {"count": count}
        finish_job(chunk, Job.State.DONE, words)


# --- typed systems ---------------------------------------------------------------------------------------------------
TYPED_RUN = "lab-typed"
EDITION = 1  # of the language and of what is computed: another one makes every question a new one
MOST_WAITING = 20  # typed systems that are not tried yet; each keeps a worker busy for half a minute
MOST_KEPT = 200  # systems whose figures are kept, 25 kB each, and some 120 kB of pictures


def typed_question(rules: TypedRules) -> Question:
    """How good is this system?"""
    return Question(TYPED_RUN, {"rules": rules.document, "edition": EDITION})


def typed_queue_is_full() -> bool:
    """Whether so many typed systems wait that no other one is taken. One query."""
    return Job.objects.filter(kind=TYPED_RUN).exclude(state__in=OVER).count() >= MOST_WAITING


def answer_typed(job: Job, tell: Tell) -> dict[str, Any]:
    """The figures of a typed system, and its pictures in base 64 under `dots`; or under `stopped` the formula that
    could not be worked out, and in which game. Makes room first: the oldest beyond MOST_KEPT are forgotten."""
    newest = list(Job.objects.filter(kind=TYPED_RUN).order_by("-pk").values_list("pk", flat=True)[:MOST_KEPT])
    Job.objects.filter(kind=TYPED_RUN, state__in=OVER).exclude(pk__in=newest).delete()
    rules, engine = TypedRules(**job.payload["rules"]), best_engine()
    try:
        report = typed_report(rules, engine=engine, tell=tell)
        dots = {name: b64encode(file).decode() for name, file in dot_charts(rules, engine=engine).items()}
        return report | {"dots": dots}
    except FormulaError as refused:
        what = refused.what
        text, values = (what.text, what.values) if isinstance(what, Sentence) else (what, {})
        return {"stopped": {"place": refused.place, "text": text, "values": values, "game": refused.game}}


def stopped_at(answer: Mapping[str, Any]) -> FormulaError | None:
    """Why the study of a typed system could not go on; None where it could."""
    found = answer.get("stopped")
    if found is None:
        return None
    return FormulaError(Place(*found["place"]), Sentence(found["text"], found["values"]), tuple(found["game"]))
