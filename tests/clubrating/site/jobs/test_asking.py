"""Which question waits for a worker, and how long an answer is kept."""

from datetime import timedelta

import pytest
from django.utils import timezone

from players.jobs.services import KEPT, forget_old_answers, is_waiting
from players.models import Job


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
