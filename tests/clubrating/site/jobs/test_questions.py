"""How the worker ends a question: answered and over at once, or failed for all to see."""

from collections.abc import Callable
from typing import Any

import pytest

from clubrating.site.jobs import services as questions
from clubrating.site.jobs.words import KINDS
from players.jobs.services import Question, ask, cancel_job
from players.models import Job, JobChunk

pytestmark = pytest.mark.django_db(transaction=True)
WORD = Question("word")
Tell = Callable[[int, int], None]


def answered_by(monkeypatch: pytest.MonkeyPatch, answerer: Callable[[Job, Tell], Any]) -> Job:
    monkeypatch.setattr(questions, "ANSWERERS", {"word": answerer})
    return Job.objects.get(pk=ask(WORD).pk)


def test_officers_read_what_every_question_is_called() -> None:
    assert set(questions.ANSWERERS) <= set(KINDS)


def test_an_answer_and_its_job_are_done_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that dies between the two would leave a job that is never taken up again."""
    real = questions.finish_job

    def dies(chunk: JobChunk, state: str, message: str) -> None:
        if state == Job.State.DONE:
            raise RuntimeError("gone")
        real(chunk, state, message)

    monkeypatch.setattr(questions, "finish_job", dies)
    job = answered_by(monkeypatch, lambda job, tell: 1)
    assert job.state == Job.State.FAILED
    assert JobChunk.objects.get(job=job).result is None


def test_an_answer_that_cannot_be_kept_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    job = answered_by(monkeypatch, lambda job, tell: {1, 2})
    assert job.state == Job.State.FAILED
    assert answered_by(monkeypatch, lambda job, tell: [1, 2]).state == Job.State.DONE


def test_a_question_taken_back_stays_so_and_an_answer_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(job: Job, tell: Tell) -> None:
        cancel_job(job)
        tell(1, 2)

    job = answered_by(monkeypatch, stopped)
    assert (job.state, JobChunk.objects.get(job=job).result) == (Job.State.CANCELLED, None)
    asked: list[int] = []

    def counted(job: Job, tell: Tell) -> int:
        asked.append(job.pk)
        return len(asked)

    job = answered_by(monkeypatch, counted)
    questions.answer_chunk.call(JobChunk.objects.get(job=job).pk)
    assert (asked, JobChunk.objects.get(job=job).result) == ([job.pk], 1)


def test_progress_is_written_down_by_the_per_cent(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    monkeypatch.setattr(questions, "report_progress", lambda chunk, done, of: written.append(done))

    def answerer(job: Job, tell: Tell) -> int:
        for done in range(1, 1001):
            tell(done, 1000)
        return len(written)

    answered_by(monkeypatch, answerer)
    assert len(written) == 101
