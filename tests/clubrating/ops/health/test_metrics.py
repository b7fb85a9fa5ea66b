"""`/metrics`: who may read it, what it says, and that several processes are added up."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import DatabaseError
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import DjangoAssertNumQueries, Settings

from clubrating.ops.backups import store as shelf
from clubrating.ops.health import counters, state
from clubrating.ops.health.metrics import count_request
from clubrating.ops.logs.records import UNKNOWN
from players.models import Club, Job
from players.officers.roles import ROLES
from tests import ROOT, factory
from tests.clubrating.test_settings import read_settings

pytestmark = pytest.mark.django_db

TOKEN = "a word that is long enough to be one"
WITH_TOKEN = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(autouse=True)
def _token(settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN


def figures(client: Client) -> dict[tuple[str, ...], float]:
    """(name, label values …) → value, as Prometheus reads it."""
    answer = client.get("/metrics", headers=WITH_TOKEN)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=")
    found = text_string_to_metric_families(answer.text)
    return {
        (each.name, *dict(sorted(each.labels.items())).values()): each.value
        for family in found
        for each in family.samples
    }


def test_requests_are_counted_by_route_and_status(client: Client, club: Club) -> None:
    before = figures(client)
    factory.make_players(2)
    for path in ("/about/glossary/", "/ru/about/glossary/", "/players/9-no-such/", "/no/such/"):
        client.get(path)
    after = figures(client)

    def more(*key: str) -> float:
        return after.get(key, 0) - before.get(key, 0)

    assert more("club_requests_total", "glossary", "200") == 2
    assert more("club_requests_total", "players:player", "404") == 1
    assert more("club_requests_total", UNKNOWN, "404") == 1
    assert more("club_request_seconds_count", "glossary") == 2
    assert more("club_request_seconds_sum", "glossary") > 0
    assert more("club_request_seconds_bucket", "+Inf", "glossary") == 2


def test_no_address_of_a_page_gets_in(client: Client, club: Club) -> None:
    player = factory.make_players(1)[0]
    client.get(player.get_absolute_url(), {"q": "Quillfeather"})
    client.get("/zebediah/")
    text = client.get("/metrics", headers=WITH_TOKEN).text
    for secret in (player.slug, "Quillfeather", "zebediah", TOKEN, club.name):
        assert secret not in text


def test_what_there_is_is_told(client: Client, club: Club) -> None:
    shelf.make_now()
    factory.make_players(3)
    Job.objects.create(kind="correct", state=Job.State.FAILED)
    found = figures(client)
    assert found["club_part_status", "database"] == 0
    assert found["club_part_status", "jobs"] == 1
    assert found["club_jobs", "failed"] == 1
    assert found["club_jobs", "running"] == 0
    assert found["club_queue_length",] == 0
    assert found["club_queue_lag_seconds",] == 0
    assert found["club_backup_age_seconds",] < 60
    assert found["club_migrations_pending",] == 0
    assert found["club_player_numbers",] == 3
    assert found["club_results",] == 0
    assert found["club_database_bytes",] > 0
    assert found["club_room_bytes",] > 0


def test_without_a_backup_no_age_is_made_up(client: Client, club: Club) -> None:
    assert ("club_backup_age_seconds",) not in figures(client)


def test_where_the_database_is_away_the_counters_still_come(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object) -> None:
        raise DatabaseError

    monkeypatch.setattr(state, "MigrationExecutor", refuse)
    monkeypatch.setattr(state, "database_bytes", refuse)
    count_request("home", 200, 0.01)
    found = figures(client)
    assert found["club_part_status", "database"] == 2
    assert found["club_requests_total", "home", "200"] >= 1
    assert ("club_database_bytes",) not in found


# --- who may --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "given", ["Bearer wrong", f"Bearer {TOKEN}x", f"bearer {TOKEN}", TOKEN, "Basic eDp5", "Bearer ", "Bearer \xff"]
)
def test_a_wrong_word_is_401(client: Client, club: Club, given: str) -> None:
    answer = client.get("/metrics", headers={"Authorization": given})
    assert (answer.status_code, answer.headers["WWW-Authenticate"], answer.content) == (401, "Bearer", b"")


@pytest.mark.parametrize("given", ["Bearer ", "Bearer", "Bearer None"])
def test_without_a_word_in_the_settings_none_is_right(client: Client, settings: Settings, given: str) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": given}).status_code == 401


def test_for_nobody_there_is_nothing_here(client: Client, club: Club) -> None:
    assert client.get("/metrics").status_code == 404
    assert client.post("/metrics", headers=WITH_TOKEN).status_code == 405


@pytest.mark.parametrize("role", ROLES)
def test_of_officers_administrators_only(client: Client, club: Club, role: str) -> None:
    is_chief = role == "administrator"
    client.force_login(factory.make_administrator() if is_chief else factory.make_officer(role, role))
    assert client.get("/metrics").status_code == (200 if is_chief else 404)


def test_a_word_costs_no_session(
    client: Client, club: Club, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(10):
        client.get("/metrics", headers=WITH_TOKEN)


@pytest.mark.parametrize("path", ["/healthz", "/about/glossary/"])
def test_counting_asks_the_database_nothing(
    club: Club, django_assert_max_num_queries: DjangoAssertNumQueries, path: str
) -> None:
    with django_assert_max_num_queries(1 if "glossary" in path else 0):
        Client().get(path)


# --- several processes ----------------------------------------------------------------------------------------
SIBLINGS = """
import os, pathlib, sys
from clubrating.ops.health.counters import share_counters
share_counters(pathlib.Path(sys.argv[1]))
import django; django.setup()
from clubrating.ops.health.metrics import _counted, count_request
if os.fork() == 0:
    for _ in range(3): count_request("home", 200, 0.01)
    os._exit(0)
os.wait()
count_request("home", 200, 0.01)
print(_counted().decode())
"""


@pytest.mark.extended
def test_processes_are_added_up_and_one_that_ends_takes_nothing_with_it(tmp_path: Path) -> None:
    own = {name: value for name, value in os.environ.items() if name != counters.VARIABLE}
    own |= {"DJANGO_SETTINGS_MODULE": "clubrating.settings", "CLUB_DATA": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", SIBLINGS, str(tmp_path)], cwd=ROOT, env=own, capture_output=True, text=True, timeout=60
    )
    assert 'club_requests_total{route="home",status="200"} 4.0' in done.stdout, done.stderr


@pytest.fixture
def no_folder_chosen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(counters.VARIABLE, raising=False)
    yield
    os.environ.pop(counters.VARIABLE, None)


@pytest.mark.usefixtures("no_folder_chosen")
def test_the_folder_is_ours_alone_and_those_of_sites_that_are_gone_go(tmp_path: Path) -> None:
    host = counters.socket.gethostname()
    shelf = tmp_path / "metrics"
    gone, anew, elsewhere = shelf / f"{host}-999999-17", shelf / f"{host}-{os.getppid()}-1", shelf / "another-7-7"
    for each in (gone, anew, elsewhere):
        each.mkdir(parents=True)
    counters.share_counters(shelf)
    chosen = Path(os.environ[counters.VARIABLE])
    assert sorted(shelf.iterdir()) == sorted([elsewhere, chosen])
    assert chosen.stat().st_mode & 0o077 == 0
    counters.share_counters(tmp_path / "other")  # who has a folder keeps it
    assert Path(os.environ[counters.VARIABLE]) == chosen


@pytest.mark.usefixtures("no_folder_chosen")
def test_a_disk_that_refuses_leaves_each_process_to_itself(tmp_path: Path) -> None:
    (tmp_path / "metrics").write_text("a file")
    counters.share_counters(tmp_path / "metrics")
    assert counters.VARIABLE not in os.environ


@pytest.mark.usefixtures("no_folder_chosen")
def test_a_site_that_counts_on_memory_now_leaves_nothing_on_the_disk(tmp_path: Path) -> None:
    memory, disk = tmp_path / "run", tmp_path / "metrics"
    left = disk / f"{counters.socket.gethostname()}-999999-17"
    left.mkdir(parents=True)
    counters.share_counters(memory, disk, tmp_path / "never made")
    assert Path(os.environ[counters.VARIABLE]).parent == memory
    assert not left.exists()


@pytest.mark.extended
def test_the_settings_say_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In CLUB_DATA, or where the environment says: read by the web process as it starts."""
    found = read_settings(monkeypatch, tmp_path).COUNTERS_DIR
    assert found == tmp_path / "metrics"
    code = "from clubrating import wsgi; import os; print(os.environ['PROMETHEUS_MULTIPROC_DIR'])"
    own = {name: value for name, value in os.environ.items() if name != counters.VARIABLE}
    own |= {"DJANGO_SETTINGS_MODULE": "clubrating.settings", "CLUB_DATA": str(tmp_path / "data")}
    own |= {"CLUB_SECRET_KEY": "s" * 60, "CLUB_COUNTERS": str(tmp_path / "run")}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=own, capture_output=True, text=True, timeout=600)
    assert Path(done.stdout.strip()).parent == tmp_path / "run", done.stderr


@pytest.mark.usefixtures("no_folder_chosen")
def test_on_a_disk_without_room_nothing_is_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Writing to a mapped page the disk has no room for ends the process.
    usage = counters.shutil._ntuple_diskusage
    monkeypatch.setattr(counters.shutil, "disk_usage", lambda _path: usage(10**9, 10**9, counters.LEAST_ROOM - 1))
    counters.share_counters(tmp_path)
    assert counters.VARIABLE not in os.environ
    monkeypatch.setattr(counters.shutil, "disk_usage", lambda _path: usage(10**9, 0, counters.LEAST_ROOM))
    counters.share_counters(tmp_path)
    assert counters.VARIABLE in os.environ


def test_a_start_is_told_from_another_of_the_same_number() -> None:
    assert counters._started(os.getpid()) == counters._started(os.getpid())
    assert counters._started(os.getpid()) not in ("0", "gone") or not Path("/proc/self/stat").exists()
