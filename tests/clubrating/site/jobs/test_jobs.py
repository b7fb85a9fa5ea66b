"""Background work: the job's row is the truth, and doing a chunk twice does no harm."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from clubrating.site.jobs.services import requeue_lost_work
from players.models import Job, JobChunk
from ratings.models import LedgerEntry, RatingList
from tests import factory
from tournaments.corrections.services.jobs import CORRECTION, REBUILD, request_rebuild, run_chunk
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.standings.points import Result

# The immediate backend of the tests runs a task when it is queued, at the latest when the transaction commits.
pytestmark = pytest.mark.django_db(transaction=True)


def test_a_requested_rebuild_mends_the_ledger_once_and_says_what_it_did(standard: RatingList) -> None:
    cup = factory.make_round_robin(factory.make_players(2))
    factory.play_round(cup, 1, [Result.WHITE_WINS])
    LedgerEntry.objects.update(white_after=1)
    job = request_rebuild(standard, by=None)
    job.refresh_from_db()
    assert (job.state, job.message) == (Job.State.DONE, "1 games rated.")
    assert check_list(standard) == []
    finished = job.finished_at
    run_chunk.call(job.chunks.get().pk)
    assert Job.objects.get(pk=job.pk).finished_at == finished, "a chunk is done once"
    aside = factory.make_list("aside", primary=False)
    for kind, about in ((REBUILD, aside.pk), (CORRECTION, standard.pk)):
        Job.objects.create(kind=kind, subject_key=about)
    again = request_rebuild(standard, by=None)
    assert (again.kind, again.subject_key, again.pk != job.pk) == (REBUILD, standard.pk, True), "others wait for others"
    waiting = Job.objects.create(kind=REBUILD, subject_key=standard.pk)
    assert request_rebuild(standard, by=None) == waiting, "a list already waiting is not queued twice"


def test_what_a_stopped_worker_left_is_queued_again_and_what_another_holds_is_left_alone(standard: RatingList) -> None:
    job = Job.objects.create(kind=REBUILD, subject_key=standard.pk, state=Job.State.RUNNING)
    JobChunk.objects.create(job=job, number=1, lease_until=timezone.now() + timedelta(minutes=5))
    assert requeue_lost_work() == 0
    call_command("requeue_jobs", "--no-worker-runs")
    job.refresh_from_db()
    assert job.state == Job.State.DONE, "where no worker runs every lease is void"
    job = Job.objects.create(kind=REBUILD, subject_key=standard.pk, state=Job.State.RUNNING)
    chunk = JobChunk.objects.create(job=job, number=1, lease_until=timezone.now() - timedelta(minutes=1))
    call_command("requeue_jobs")
    chunk.job.refresh_from_db()
    assert chunk.job.state == Job.State.DONE


def test_a_rebuild_of_a_list_that_is_gone_fails_with_a_word(standard: RatingList) -> None:
    job = Job.objects.create(kind=REBUILD, subject_key=standard.pk + 99)
    chunk = JobChunk.objects.create(job=job, number=1)
    run_chunk.call(chunk.pk)
    job.refresh_from_db()
    assert (job.state, job.message) == (Job.State.FAILED, "The list was deleted meanwhile.")


def test_work_that_breaks_off_says_so_and_changes_nothing(
    standard: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_off(rating_list: RatingList) -> int:
        raise RuntimeError("disk full")

    monkeypatch.setattr("tournaments.corrections.services.jobs.rebuild_list", break_off)
    job = request_rebuild(standard, by=None)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "nothing was changed" in job.message
