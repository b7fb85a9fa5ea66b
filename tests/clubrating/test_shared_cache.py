"""What web processes remember together: counted in one step, kept as long as was said, the same for all of them."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.cache import BaseCache
from django.core.management import call_command
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubrating.shared_cache import SharedCache

ROOT = Path(__file__).resolve().parents[2]
TABLE = "club_cache_of_tests"
# A guesser at a door: knocks so often, then tells whether it is closed to him, and to somebody else.
KNOCK = """
import django; django.setup()
import sys
from clubrating.throttle import Throttle
door, who = Throttle("door", int(sys.argv[2]), 600), "192.0.2.7"
for _ in range(int(sys.argv[1])):
    door.count(who)
print(door.is_closed_to(who), door.is_closed_to("192.0.2.8"))
"""
# Somebody at a calculator, the database taking nothing meanwhile: what is answered, and whether that was counted.
CALCULATE = """
import django
from django.conf import settings
settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
django.setup()
from django.core.cache import caches
from django.test import Client
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
    with override_settings(CACHES={"default": {"BACKEND": "clubrating.shared_cache.SharedCache", "LOCATION": TABLE}}):
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
    monkeypatch.setattr("clubrating.shared_cache.timezone.now", lambda: later)
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
def begin(data: Path, *arguments: str, **extra: str) -> subprocess.Popen[str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("CLUB_", "DATABASE_"))}
    own |= {"CLUB_DATA": str(data), "DJANGO_SETTINGS_MODULE": "clubrating.settings"} | extra
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, *arguments], cwd=ROOT, env=own, stdout=pipe, stderr=pipe, text=True)


def told(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err[-800:]
    return out


def knock_together(data: Path, **extra: str) -> None:
    """Eight tries in each of two processes at once close a door of sixteen, and to that one only."""
    told(begin(data, "manage.py", "upgrade", **extra))
    together = [begin(data, "-c", KNOCK, "8", "1000", **extra) for _process in range(2)]
    assert [told(process) for process in together] == ["False False\n"] * 2
    assert told(begin(data, "-c", KNOCK, "0", "16", **extra)) == "True False\n"
    assert told(begin(data, "-c", KNOCK, "0", "17", **extra)) == "False False\n"


def test_two_processes_close_one_door(tmp_path: Path) -> None:
    knock_together(tmp_path, CLUB_CACHE_URL="db://")


def test_two_processes_close_one_door_on_postgresql(tmp_path: Path, postgres: str) -> None:
    knock_together(tmp_path, CLUB_CACHE_URL="db://", DATABASE_URL=postgres)


def test_a_calculator_waits_for_no_writer(tmp_path: Path) -> None:
    """Each question used to be counted in the database: behind a long writing it came as an error, after 40 seconds."""
    told(begin(tmp_path, "manage.py", "upgrade", CLUB_CACHE_URL="db://"))
    with closing(sqlite3.connect(tmp_path / "club.sqlite3", isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert told(begin(tmp_path, "-c", CALCULATE, CLUB_CACHE_URL="db://", CLUB_SECRET_KEY="x" * 60)) == "200 1\n"


@pytest.mark.parametrize(
    ("address", "default", "doors", "readers"),
    [
        ("", "LocMemCache:cache", "LocMemCache:doors", "LocMemCache:readers"),
        ("db://", "SharedCache:club_cache", "SharedCache:club_doors", "LocMemCache:readers"),
        ("redis://h/0", "RedisCache:club_cache", "RedisCache:club_doors", "RedisCache:club_readers"),
    ],
)
def test_no_kind_pushes_another_out_and_readers_write_nothing(
    tmp_path: Path, address: str, default: str, doors: str, readers: str
) -> None:
    (tmp_path / "redis.py").touch()  # the package of an extra: its name is all that is asked for here
    said = told(begin(tmp_path, "-c", PLACES, CLUB_CACHE_URL=address, PYTHONPATH=str(tmp_path)))
    assert said == f"default={default} doors={doors} readers={readers} pages=LocMemCache:pages "


def test_otherwise_each_process_counts_for_itself(tmp_path: Path) -> None:
    assert told(begin(tmp_path, "-c", KNOCK, "8", "8")) == "True False\n"
    assert told(begin(tmp_path, "-c", KNOCK, "0", "8")) == "False False\n"


def test_what_is_remembered_is_in_no_backup(tmp_path: Path) -> None:
    told(begin(tmp_path, "manage.py", "upgrade", CLUB_CACHE_URL="db://"))
    told(begin(tmp_path, "-c", KNOCK, "3", "3", CLUB_CACHE_URL="db://"))
    file = str(tmp_path / "club.zip")
    told(begin(tmp_path, "manage.py", "backup", file, "-v0", CLUB_CACHE_URL="db://"))
    told(begin(tmp_path, "manage.py", "restore", file, "--yes", "-v0", CLUB_CACHE_URL="db://"))
    assert told(begin(tmp_path, "-c", KNOCK, "0", "1", CLUB_CACHE_URL="db://")) == "False False\n"
