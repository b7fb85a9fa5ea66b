"""Which question waits for a worker."""

import pytest

from players.jobs.services import is_waiting
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
