"""What web processes remember together: counted in one step, kept as long as was said, the same for all of them."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.cache import BaseCache
from django.core.management import call_command
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubrating.ops.shared_cache import SharedCache
from tests.databases import copy_template
from tests.live import Site

TABLE = "club_cache_of_tests"
# A guesser at a door: each time in a process of its own he knocks so often, then it is told whether the door is closed
# to him, and to somebody else.
TRY = """
import os
import django; django.setup()
from django.core.management import call_command
from django.db import connections
from clubrating.web.rate_limits import RateLimit

def try_often(times, tries):
    door, who = RateLimit("door", tries, 600), "192.0.2.7"
    for _ in range(times):
        door.count(who)
    print(door.is_exceeded_by(who), door.is_exceeded_by("192.0.2.8"), flush=True)

def fork(*asked):
    connections.close_all()
    pid = os.fork()
    if pid == 0:
        try_often(*asked)
        os._exit(0)
    return pid

def end(*pids):
    for pid in pids:
        assert os.waitpid(pid, 0)[1] == 0
"""
TOGETHER = f"""{TRY}
call_command("createcachetable", verbosity=0)
end(fork(8, 1000), fork(8, 1000))
end(fork(0, 16))
end(fork(0, 17))
"""
ALONE = f"""{TRY}
end(fork(8, 8))
end(fork(0, 8))
"""
BACKED_UP = f"""{TRY}
import sys
call_command("upgrade")
end(fork(3, 3))
call_command("backup", sys.argv[1], verbosity=0, stdout=sys.stderr)
call_command("restore", sys.argv[1], yes=True, verbosity=0, stdout=sys.stderr)
end(fork(0, 1))
"""
# Somebody at a calculator, the database taking nothing meanwhile: what is answered, and whether that was counted.
CALCULATE = """
import django
from django.conf import settings
settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
django.setup()
import sqlite3
from django.core.cache import caches
from django.core.management import call_command
from django.test import Client
call_command("createcachetable", verbosity=0)
writer = sqlite3.connect(settings.DATABASES["default"]["NAME"], isolation_level=None)
writer.execute("BEGIN IMMEDIATE")
answer = Client(SERVER_NAME="localhost").get("/tools/elo/?white=1500")
print(answer.status_code, caches["readers"].get("calculators:127.0.0.1"))
"""
# Where each kind of remembering lies.
PLACES = """
from django.conf import settings
for name, row in settings.CACHES.items():
    print(f"{name}={row['BACKEND'].rpartition('.')[2]}:{row.get('KEY_PREFIX') or row['LOCATION']}", end=" ")
"""


@pytest.fixture
def shared(db: None) -> BaseCache:
    with override_settings(
        CACHES={"default": {"BACKEND": "clubrating.ops.shared_cache.SharedCache", "LOCATION": TABLE}}
    ):
        call_command("createcachetable", verbosity=0)
    return SharedCache(TABLE, {})


def test_it_counts(shared: BaseCache) -> None:
    shared.set("tries", 1)
    assert shared.incr("tries") == 2
    assert shared.incr("tries", 5) == 7
    assert shared.decr("tries") == 6
    assert shared.get("tries") == 6


def test_what_is_not_there_or_over_cannot_be_counted(shared: BaseCache) -> None:
    with pytest.raises(ValueError, match="tries"):
        shared.incr("tries")
    shared.set("tries", 1, timeout=-1)
    with pytest.raises(ValueError, match="tries"):
        shared.incr("tries")


def test_counting_leaves_the_time_that_is_left(shared: BaseCache, monkeypatch: pytest.MonkeyPatch) -> None:
    shared.set("tries", 1, timeout=3600)
    shared.incr("tries")
    later = timezone.now() + timedelta(minutes=50)
    monkeypatch.setattr("clubrating.ops.shared_cache.timezone.now", lambda: later)
    assert shared.get("tries") == 2
    later += timedelta(minutes=11)
    assert shared.get("tries") is None


def test_who_reads_does_nothing_else(shared: BaseCache) -> None:
    shared.set("new", {"any": "thing"})
    shared.set("old", 1, timeout=-1)
    with CaptureQueriesContext(connection) as asked:
        assert shared.get_many(["new", "old", "none"]) == {"new": {"any": "thing"}}
    assert [each["sql"].split()[0] for each in asked] == ["SELECT"]
    assert shared.get_many([]) == {}
    assert shared.add("old", 2)
    assert shared.get("old") == 2


# --- several processes -----------------------------------------------------------------------------------------
SHARED = {"CLUB_CACHE_URL": "db://"}


@pytest.fixture
def site(tmp_path: Path, django_db_setup: None) -> Site:
    """A migrated database; processes remember together."""
    copy_template(tmp_path)
    return Site(tmp_path, extra=SHARED)


@pytest.mark.extended
def test_two_processes_close_one_door(site: Site) -> None:
    """Eight tries in each of two processes at once close a door of sixteen, and to that one only."""
    assert site.run("-c", TOGETHER).splitlines() == ["False False"] * 2 + ["True False", "False False"]


def test_two_processes_close_one_door_on_postgresql(tmp_path: Path, migrated_postgres: str) -> None:
    test_two_processes_close_one_door(Site(tmp_path, migrated_postgres, SHARED))


@pytest.mark.slow
def test_a_calculator_waits_for_no_writer(site: Site) -> None:
    """Each question used to be counted in the database: behind a long writing it came as an error, after 40 seconds."""
    assert site.run("-c", CALCULATE) == "200 1\n"


@pytest.mark.parametrize(
    ("address", "default", "tries", "readers"),
    [
        ("", "LocMemCache:cache", "LocMemCache:doors", "LocMemCache:readers"),
        ("db://", "SharedCache:club_cache", "SharedCache:club_doors", "LocMemCache:readers"),
        ("redis://h/0", "RedisCache:club_cache", "RedisCache:club_doors", "RedisCache:club_readers"),
    ],
)
def test_no_kind_pushes_another_out_and_readers_write_nothing(
    tmp_path: Path, address: str, default: str, tries: str, readers: str
) -> None:
    (tmp_path / "redis.py").touch()  # the package of an extra: its name is all that is asked for here
    site = Site(tmp_path, extra={"CLUB_CACHE_URL": address, "PYTHONPATH": str(tmp_path)})
    said = site.run("-c", PLACES)
    assert said == f"default={default} tries={tries} readers={readers} pages=LocMemCache:pages "


@pytest.mark.slow
def test_otherwise_each_process_counts_for_itself(tmp_path: Path) -> None:
    assert Site(tmp_path).run("-c", ALONE).splitlines() == ["True False", "False False"]


@pytest.mark.slow
def test_what_is_remembered_is_in_no_backup(site: Site) -> None:
    assert site.run("-c", BACKED_UP, str(site.data / "club.zip")).splitlines() == ["True False", "False False"]
