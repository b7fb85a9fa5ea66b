"""Studies in the background: shared out in parts, told as they go, stopped and taken up again."""

import shutil
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from players.jobs.services import cancel_job, finish_chunk, finish_job, lease_chunk
from players.models import Job, JobChunk
from ratings.lab.engine import PLAIN
from ratings.lab.study import Accumulated, with_thin_curves
from ratings.lab_pages import services as lab_runs
from ratings.lab_pages.services import (
    StudyOrder,
    ask_for_pictures,
    figures_of,
    folder_of,
    order_of,
    request_study,
    run_part,
    shipped_question,
)
from tests import factory

# The immediate backend of the tests runs a task when it is queued, at the latest when the transaction commits.
pytestmark = pytest.mark.django_db(transaction=True)
ORDER = StudyOrder("imitator", games=300, replications=5, seed=3)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(lab_runs, "PART", 2)
    monkeypatch.setattr(lab_runs, "best_engine", lambda: PLAIN)


def undivided() -> Accumulated:
    whole = Accumulated()
    for number in range(ORDER.replications):
        whole.add(ORDER.whole.replication(number, PLAIN))
    return whole


def waiting_job(question: str = "") -> Job:
    """A study whose parts wait for a worker."""
    job = Job.objects.create(kind=lab_runs.STUDY_RUN, payload=asdict(ORDER), question=question)
    for number in range(3):
        JobChunk.objects.create(job=job, number=number, seed=3)
    return job


@pytest.mark.extended
def test_a_study_in_parts_is_the_undivided_one(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    job = request_study(ORDER, by=None)
    job.refresh_from_db()
    assert (job.state, job.progress, job.message) == (Job.State.DONE, 100, "5 replications.")
    assert job.chunks.count() == 3
    assert order_of(job) == ORDER
    assert len(list(folder_of(job).glob("*_chart_*.png"))) == 13
    whole = figures_of(job)
    assert whole == with_thin_curves(ORDER.whole.report(undivided()))
    with django_assert_num_queries(1):
        assert figures_of(job) == whole, "put together once"
    run_part.call(job.chunks.get(number=1).pk)
    assert figures_of(job) == whole, "a part done twice counts once"


def test_progress_is_told_part_by_part_and_a_stopped_study_keeps_it() -> None:
    job = waiting_job()
    assert figures_of(job) is None
    run_part.call(job.chunks.get(number=1).pk)
    job.refresh_from_db()
    assert (job.state, job.progress) == (Job.State.RUNNING, 33)
    assert (figures_of(job) or {})["replications"] == 2
    assert cancel_job(job)
    run_part.call(job.chunks.get(number=2).pk)
    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED
    assert (figures_of(job) or {})["replications"] == 2
    assert not cancel_job(job)


def test_a_study_stopped_in_the_middle_of_a_part_leaves_no_half_part(monkeypatch: pytest.MonkeyPatch) -> None:
    job = waiting_job()
    monkeypatch.setattr(lab_runs, "hold_lease", lambda chunk: cancel_job(chunk.job))
    run_part.call(job.chunks.get(number=1).pk)
    assert figures_of(job) is None


@pytest.mark.parametrize(("replications", "progress"), [(2, 49), (3, 0)])
def test_a_study_of_one_part_is_as_far_as_its_pictures(replications: int, progress: int) -> None:
    job = waiting_job()
    order = replace(ORDER, replications=replications)
    for games in (150, 155):  # the second is no tenth
        lab_runs._tell(job.chunks.get(number=0), order, games)
        job.refresh_from_db()
        assert job.progress == progress


@pytest.mark.extended
def test_what_a_stopped_worker_left_is_taken_up_again() -> None:
    job = waiting_job()
    assert lease_chunk(job.chunks.get(number=0).pk) is not None
    call_command("requeue_jobs", "--no-worker-runs")
    job.refresh_from_db()
    assert job.state == Job.State.DONE
    assert figures_of(job) == with_thin_curves(ORDER.whole.report(undivided()))


def test_a_study_of_which_a_part_broke_off_is_not_done_whatever_the_others_do(monkeypatch: pytest.MonkeyPatch) -> None:
    job = waiting_job()
    with monkeypatch.context() as broken:
        broken.setattr(lab_runs, "write_study_files", lambda *args, **options: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            run_part.call(job.chunks.get(number=0).pk)
    for number in (1, 2):
        finish_chunk(job.chunks.get(number=number), Accumulated().document())
    finish_job(job.chunks.get(number=2), Job.State.DONE, "all of it")
    job.refresh_from_db()
    assert job.state == Job.State.FAILED


def test_a_study_that_breaks_off_says_so_and_leaves_no_half_of_its_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    def half_drawn(folder: Path, **options: object) -> None:
        folder.mkdir()
        (folder / "(1)_chart_01_league.png").write_bytes(b"half")
        raise OSError("disk full")

    job = waiting_job()
    monkeypatch.setattr(lab_runs, "write_study_files", half_drawn)
    with pytest.raises(OSError, match="disk full"):
        run_part.call(job.chunks.get(number=0).pk)
    assert not folder_of(job).exists()
    assert list(folder_of(job).parent.iterdir()) == []
    job.refresh_from_db()
    assert (job.state, job.message) == (Job.State.FAILED, "The study broke off. Ask for it again.")


# --- the site's own pictures ---------------------------------------------------------------------------------------
@pytest.fixture
def _shipped(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    monkeypatch.setattr(lab_runs, "SHIPPED", replace(ORDER, replications=1))
    settings.LAB_PICTURES = True


@pytest.mark.usefixtures("_shipped")
def test_the_site_draws_its_pictures_once_and_again_where_the_database_came_without_them(
    client: Client, club: object
) -> None:
    job = ask_for_pictures()
    assert job is not None
    assert client.get("/lab/pictures/").text.count("<img") == 13
    for kind, state in (("forecast", Job.State.DONE), (lab_runs.STUDY_RUN, Job.State.FAILED)):
        Job.objects.bulk_create(Job(kind=kind, state=state) for _number in range(20))
    other = Job.objects.create(kind="forecast", state=Job.State.DONE, question="of another")
    assert ask_for_pictures() is None, "however much was done or failed since"
    shutil.rmtree(folder_of(job))
    again = ask_for_pictures()
    assert again is not None
    assert Job.objects.get(pk=other.pk).question == "of another"
    assert folder_of(again).is_dir()


@pytest.mark.usefixtures("_shipped")
def test_pictures_on_their_way_are_said_and_asked_for_by_nobody_else(client: Client, club: object) -> None:
    job = waiting_job(shipped_question().key)
    with pytest.raises(IntegrityError):
        request_study(ORDER, by=None, question=shipped_question().key)
    assert ask_for_pictures() is None
    page = client.get("/lab/pictures/")
    assert page.headers["Refresh"] == "5"
    assert "The thirteen charts are being drawn, from 300 games with seed 3." in page.text
    finish_job(job.chunks.get(number=0), Job.State.FAILED, "")
    assert ask_for_pictures() is None, "what failed just now is not tried again at once"
    assert "No pictures are drawn yet" in client.get("/lab/pictures/").text
    Job.objects.update(requested_at=timezone.now() - timedelta(days=2), state=Job.State.CANCELLED)
    assert ask_for_pictures() is None, "what was stopped is not tried again"
    Job.objects.update(state=Job.State.FAILED)
    assert ask_for_pictures() is not None


@pytest.mark.usefixtures("_shipped")
def test_pictures_of_an_officer_are_enough_and_a_site_may_want_none(settings: Settings) -> None:
    settings.LAB_PICTURES = False
    assert ask_for_pictures() is None
    settings.LAB_PICTURES = True
    request_study(ORDER, by=None)
    assert ask_for_pictures() is None


def test_a_study_stopped_while_it_draws_leaves_no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    job = waiting_job()
    monkeypatch.setattr(lab_runs, "lease_chunk", lambda key: cancel_job(job) and job.chunks.get(pk=key))
    run_part.call(job.chunks.get(number=0).pk)
    assert not folder_of(job).exists()


# --- pages ---------------------------------------------------------------------------------------------------------
ASKED = {"study": "newcomers", "games": 1000, "replications": 3, "seed": 7}


def test_an_officer_asks_for_a_study_and_sees_it(client: Client, club: object) -> None:
    client.force_login(factory.make_rating_officer())
    page = client.post("/lab/runs/", ASKED, follow=True)
    job = Job.objects.get()
    assert page.redirect_chain[-1][0] == f"/lab/runs/{job.pk}/"
    assert job.payload == ASKED
    assert "(4)_chart_13_index.png" in page.text
    pictures = client.get("/lab/pictures/")
    assert pictures.text.count("<img") == 13
    assert "League, games 1 to 1,000" in pictures.text
    assert client.get(f"/lab/runs/{job.pk}/(4)_graph_.png").headers["Content-Type"] == "image/png"
    assert "With newcomers" in client.get("/lab/runs/").text


def test_only_who_may_change_lists_asks_for_studies_or_stops_them(client: Client, club: object) -> None:
    job = waiting_job()
    assert client.post("/lab/runs/", ASKED).status_code == 403
    assert client.post(f"/lab/runs/{job.pk}/cancel/").status_code == 403
    assert "Stop</button>" not in client.get(f"/lab/runs/{job.pk}/").text
    client.force_login(factory.make_arbiter())
    assert client.post("/lab/runs/", ASKED).status_code == 403
    assert '<form class="form"' not in client.get("/lab/runs/").text
    client.force_login(factory.make_rating_officer())
    assert "Stop</button>" in client.get(f"/lab/runs/{job.pk}/").text
    assert client.get(f"/lab/runs/{job.pk}/cancel/").status_code == 405
    client.post(f"/lab/runs/{job.pk}/cancel/")
    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED


def test_another_kind_of_job_is_no_run_of_the_lab(client: Client, club: object) -> None:
    client.force_login(factory.make_rating_officer())
    job = Job.objects.create(kind="forecast")
    addresses = [f"/lab/runs/{job.pk}/", f"/lab/runs/{job.pk}/(4)_graph_.png"]
    assert [client.get(address).status_code for address in addresses] == [404, 404]
    assert client.post(f"/lab/runs/{job.pk}/cancel/").status_code == 404
    assert "Nobody has run the study here yet" in client.get("/lab/runs/").text
    job.refresh_from_db()
    assert job.state == Job.State.WAITING


def test_a_running_study_loads_itself_anew_until_it_is_over(client: Client, club: object) -> None:
    assert "No pictures are drawn yet" in client.get("/lab/pictures/").text
    assert "Nobody has run the study here yet" in client.get("/lab/runs/").text
    job = waiting_job()
    page = client.get(f"/lab/runs/{job.pk}/")
    assert page.headers["Refresh"] == "5"
    assert "<progress" in page.text
    cancel_job(job)
    assert "Refresh" not in client.get(f"/lab/runs/{job.pk}/").headers


def test_a_study_beyond_all_measure_is_refused_with_the_limit(client: Client, club: object) -> None:
    client.force_login(factory.make_rating_officer())
    wrong: list[dict[str, object]] = [{"games": 10}, {"replications": 100_000}, {"seed": -1}, {"games": ""}]
    wrong.append({"study": "diary"})
    for each in wrong:
        page = client.post("/lab/runs/", {**ASKED, **each})
        assert page.status_code == 200, each
        assert page.context["form"].errors, each
    assert not Job.objects.exists()


def test_only_pictures_of_the_run_and_their_figures_are_handed_out(client: Client, club: object) -> None:
    job = request_study(ORDER, by=None)
    assert client.get(f"/lab/runs/{job.pk}/(1)_chart_01_league.png").headers["Content-Type"] == "image/png"
    page = client.get(f"/lab/runs/{job.pk}/")
    for plate in page.context["plates"]:
        assert client.get(f"/lab/runs/{job.pk}/{plate.figures}").headers["Content-Type"].startswith("text/")
    for name in ("(1)_index_.txt", "..%2Fsecret", "club.sqlite3", "(1)_table_.txt"):
        assert client.get(f"/lab/runs/{job.pk}/{name}").status_code == 404
    assert client.get(f"/lab/runs/{job.pk + 1}/").status_code == 404
