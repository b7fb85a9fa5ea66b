"""Which question waits for a worker, how long an answer is kept; no job touches another."""

from datetime import timedelta

import pytest
from django.utils import timezone

from players.jobs.services import (
    KEPT,
    Question,
    Stopped,
    answer_of,
    cancel_job,
    check_not_stopped,
    end_lease,
    finish_chunk,
    finish_job,
    forget_old_answers,
    hold_lease,
    is_waiting,
    job_of,
    last_answered,
    lease_chunk,
    lost_chunks,
    report_progress,
    take_up,
    was_asked,
    write_question,
)
from players.models import Job, JobChunk


def test_a_question_waits_only_until_it_is_taken_up(db: None) -> None:
    for state in Job.State:
        Job.objects.create(kind="word", subject_key=7, question=f"{state}", state=state)
        assert is_waiting("word", 7) == (state == Job.State.WAITING), state
        Job.objects.all().delete()


@pytest.mark.parametrize("other", [{"kind": "other"}, {"subject_key": 8}, {"question": ""}])
def test_other_work_is_no_question_about_it(db: None, other: dict[str, object]) -> None:
    Job.objects.create(**{"kind": "word", "subject_key": 7, "question": "key", "state": Job.State.WAITING, **other})
    assert not is_waiting("word", 7)


def test_answers_are_forgotten_when_they_are_old_but_no_work_of_another_kind(db: None) -> None:
    now, minute = timezone.now(), timedelta(minutes=1)
    for question, kind, age in [
        ("old", "word", KEPT + minute),
        ("new", "word", KEPT - minute),
        ("kept", "picture", KEPT + minute),
        ("", "word", KEPT + minute),
    ]:
        job = Job.objects.create(kind=kind, question=question, state=Job.State.DONE)
        Job.objects.filter(pk=job.pk).update(requested_at=now - age)
    assert forget_old_answers(but=["picture"]) == 1
    assert set(Job.objects.values_list("question", flat=True)) == {"new", "kept", ""}


def asked(word: str, about: int = 7) -> tuple[Job, JobChunk]:
    job, chunk = write_question(Question("word", {"word": word}, about=about), by=None)
    assert chunk is not None
    return job, chunk


def test_whatever_is_done_to_one_job_leaves_the_others(db: None) -> None:
    (first, its), (job, chunk), (last, of_last) = asked("first"), asked("second"), asked("third")
    others = Job.objects.filter(pk__in=[first.pk, last.pk]), JobChunk.objects.filter(pk__in=[its.pk, of_last.pk])
    before = [list(rows.order_by("pk").values()) for rows in others]
    assert lease_chunk(chunk.pk) == chunk
    report_progress(chunk, 1, 2)
    hold_lease(chunk)
    take_up(job, Question("word", {"word": "newer"}, about=7))
    JobChunk.objects.create(job=job, number=2)
    assert finish_chunk(chunk, [1]) == 1
    assert Job.objects.get(pk=job.pk).progress == 49
    assert (lease_chunk(chunk.pk), chunk in lost_chunks()) == (None, False), "done"
    finish_job(chunk, Job.State.DONE, "")
    assert [list(rows.order_by("pk").values()) for rows in others] == before
    assert lease_chunk(its.pk)
    assert lease_chunk(of_last.pk)
    end_lease(its.pk)
    assert lease_chunk(of_last.pk) is None, "somebody has it"
    assert cancel_job(first)
    check_not_stopped(of_last)
    with pytest.raises(Stopped):
        check_not_stopped(its)


def test_what_is_over_stays_over(db: None) -> None:
    job, chunk = asked("first")
    assert [cancel_job(job) for _time in range(2)] == [True, False]
    assert (lease_chunk(chunk.pk), lost_chunks()) == (None, [])
    finish_job(chunk, Job.State.DONE, "")
    assert Job.objects.get().state == Job.State.CANCELLED


def test_work_that_failed_stays_as_far_as_it_came(db: None) -> None:
    for state, progress in ((Job.State.FAILED, 49), (Job.State.DONE, 100)):
        job, chunk = asked(state)
        report_progress(chunk, 1, 2)
        finish_job(chunk, state, "")
        assert Job.objects.get(pk=job.pk).progress == progress


def test_an_answer_is_of_its_own_question(db: None) -> None:
    today, tomorrow = timezone.localdate(), timezone.localdate() + timedelta(days=1)
    made = {word: asked(word, about) for word, about in (("one", 7), ("two", 8), ("three", 7))}
    assert last_answered("word", 7) is None
    for word in ("one", "two"):
        finish_chunk(made[word][1], [word])
        finish_job(made[word][1], Job.State.DONE, "")
    one, two = job_of(Question("word", {"word": "one"}, about=7)), job_of(Question("word", {"word": "two"}, about=8))
    assert (answer_of(one), answer_of(two)) == (["one"], ["two"])
    assert (last_answered("word", 7), last_answered("word", 8), last_answered("other", 7)) == (one, two, None)
    assert was_asked("word", 7, today)
    assert not any([was_asked("word", 9, today), was_asked("other", 7, today), was_asked("word", 7, tomorrow)])
