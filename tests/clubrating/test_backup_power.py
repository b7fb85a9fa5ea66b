"""Backups from outside, in processes of their own: while others write, while the machine is switched off, without room
on the disk, and between SQLite and PostgreSQL. CLUB_TEST_POSTGRES names a server for these; where it is unset they are
skipped.
"""

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PREPARE = """
import django; django.setup()
from tests import factory
factory.make_club(); factory.make_list()
factory.play_all(factory.make_round_robin(factory.make_players(6), cycles=2))
"""
# A pair of facts that are written together, over and over: a player number and the player who has it.
WRITE = """
import django; django.setup()
from players.services.people import NewPlayer, create_player
print("writing", flush=True)
while True:
    create_player(NewPlayer("Busy Writer"), by=None)
"""

# A club of the version before the desk, brought up to today's, and then put back as it was before.
UPGRADE = """
import json, sys
import django; django.setup()
from pathlib import Path
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
executor = MigrationExecutor(connection)
graph, desk = executor.loader.graph, {("players", "0003_desk"), ("tournaments", "0006_desk")}
before = [leaf for leaf in graph.leaf_nodes() if not desk & set(graph.forwards_plan(leaf))]
past = [("players", "0002_effect_of_corrections"), ("tournaments", "0005_swiss_and_its_standings")]
apps = executor.migrate([*before, *past]).apps
apps.get_model("players", "Club").objects.create(name="Old Club")
apps.get_model("players", "Player").objects.create(name="Ada Alvarez", number=1, visibility="public")
call_command("upgrade")
from players.models import Player
Player.objects.update(name="Somebody Else")
(kept,) = (Path(settings.DATA_DIR) / "backups").glob("before-upgrade-*.zip")
call_command("restore", str(kept), yes=True, verbosity=0)
call_command("upgrade")
print("now", Player.objects.get().name)
"""

# The same upgrade fails twice after its migrations, and then goes on failing.
TWICE = """
import django; django.setup()
from unittest import mock
from django.core.management import call_command
from django.db.migrations.executor import MigrationExecutor
from django.db import connection
from clubrating.backups.archive import verify
from clubrating.backups.shelf import OTHERS_KEPT, backups, way_back
from clubrating.management.commands import upgrade
executor = MigrationExecutor(connection)
graph, desk = executor.loader.graph, {("players", "0003_desk"), ("tournaments", "0006_desk")}
before = [leaf for leaf in graph.leaf_nodes() if not desk & set(graph.forwards_plan(leaf))]
past = [("players", "0002_effect_of_corrections"), ("tournaments", "0005_swiss_and_its_standings")]
executor.migrate([*before, *past]).apps.get_model("players", "Club").objects.create(name="Old Club")

def failing(name, **options):
    call_command(name, **options)
    if name == "createcachetable":
        raise OSError("no room")

for count in range(OTHERS_KEPT + 2):
    with mock.patch.object(upgrade, "call_command", failing):
        try:
            call_command("upgrade", "--keep")
        except OSError:
            print("failed")
print("way back", way_back())
first, second = backups()[-1], backups()[0]
assert way_back() == first.path and len(backups()) == OTHERS_KEPT + 1
assert "0003_desk" not in verify(first.path).migrations["players"]
assert "0003_desk" in verify(second.path).migrations["players"]
"""

# Somebody is erased, the storage is tidied, and a backup from before is brought back.
ERASE = """
import sys
import django; django.setup()
from pathlib import Path
from django.conf import settings
from django.core.management import call_command
call_command("migrate", verbosity=0)
from clubrating.backups.restoring import restore_backup
from clubrating.backups.snapshot import write_backup
from players.models import AuditEvent, Player
from players.services.audit import write_audit
from tests import factory
from tournaments.services.anonymising import anonymise_player, tidy_storage
factory.make_club(); factory.make_list()
people = factory.make_players(4)
factory.play_all(factory.make_round_robin(people))
write_audit("player.changed", people[1], by=None, before={"beside": "Ada Alvarez"}, note="for Ada Alvarez")
old = Path(settings.DATA_DIR) / "old.zip"
write_backup(old)
anonymise_player(people[0].pk, by=None)
assert tidy_storage()
assert restore_backup(old).erased == 1
assert Player.objects.get(number=1).name == ""
assert not AuditEvent.objects.filter(before__icontains="alvarez").exists()
assert not AuditEvent.objects.filter(note__icontains="alvarez").exists()
call_command("rebuild_ratings", check=True)
"""


def environment(data: Path, **extra: str) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("CLUB_", "DATABASE_"))}
    ours = {"CLUB_DATA": str(data), "CLUB_FORECASTS": "0", "DJANGO_SETTINGS_MODULE": "clubrating.settings"}
    return own | ours | extra


def begin(data: Path, *arguments: str, **extra: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, *arguments], cwd=ROOT, env=environment(data, **extra), stdout=pipe, stderr=pipe, text=True
    )


def run(data: Path, *arguments: str, **extra: str) -> tuple[int, str, str]:
    process = begin(data, *arguments, **extra)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def manage(data: Path, *arguments: str, **extra: str) -> str:
    status, out, err = run(data, "manage.py", *arguments, **extra)
    assert status == 0, err[-800:]
    return out


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a club with thirty games, on SQLite, and its backup."""
    data = tmp_path_factory.mktemp("club")
    manage(data, "migrate", "-v0")
    assert run(data, "-c", PREPARE)[0] == 0
    manage(data, "backup", str(data / "club.zip"), "-v0")
    return data


def rows(path: Path, table: str) -> list[Any]:
    with zipfile.ZipFile(path) as bundle:
        return [json.loads(line) for line in bundle.read(f"tables/{table}.jsonl").splitlines()]


def contents(path: Path) -> dict[str, list[Any]]:
    """Everything but the trail, where each restore leaves a line."""
    with zipfile.ZipFile(path) as bundle:
        names = [Path(name).stem for name in bundle.namelist() if name.endswith(".jsonl")]
    return {name: rows(path, name) for name in names if name != "players_auditevent"}


def numbers_in(path: Path) -> tuple[int, int, int]:
    """Players, the last number given, and the lines of the trail that tell of a new player."""
    counter = next(row[1] for row in rows(path, "players_counter") if row[0] == "player number")
    told = [row for row in rows(path, "players_auditevent") if "player.created" in row]
    return len(rows(path, "players_player")), counter, len(told)


# --- while others write -----------------------------------------------------------------------------------------
def test_a_backup_shows_one_moment_while_others_write(club: Path, tmp_path: Path) -> None:
    manage(tmp_path, "migrate", "-v0")
    manage(tmp_path, "restore", str(club / "club.zip"), "--yes", "-v0")
    writer = begin(tmp_path, "-c", WRITE)
    try:
        assert writer.stdout
        assert writer.stdout.readline() == "writing\n"
        seen = []
        for number in range(4):
            file = tmp_path / f"{number}.zip"
            manage(tmp_path, "backup", str(file), "-v0")
            seen.append(numbers_in(file))
    finally:
        writer.kill()
        writer.communicate()
    for players, last, told in seen:
        assert players == last
        assert told == last - 6 + seen_at_first(club)
    assert seen[0] < seen[-1], "nobody was writing"


def seen_at_first(club: Path) -> int:
    return numbers_in(club / "club.zip")[2]


def test_two_daily_ones_at_once_make_one(club: Path) -> None:
    both = [begin(club, "manage.py", "backup", "--daily") for _ in range(2)]
    ended = [(process, *process.communicate(timeout=300)) for process in both]
    assert [process.returncode for process, _, _ in ended] == [0, 0]
    assert sum("read back whole" in out for _, out, _ in ended) == 1
    assert len(list((club / "backups").glob("daily-*.zip"))) == 1


# --- switched off in the middle -----------------------------------------------------------------------------------
def test_a_killed_restore_leaves_the_old_database_or_the_new_one_whole(club: Path, tmp_path: Path) -> None:
    manage(tmp_path, "migrate", "-v0")
    manage(tmp_path, "restore", str(club / "club.zip"), "--yes", "-v0")
    assert run(tmp_path, "-c", PREPARE.replace("factory.make_club(); factory.make_list()\n", ""))[0] == 0
    manage(tmp_path, "backup", str(tmp_path / "old.zip"), "-v0")
    old, new = contents(tmp_path / "old.zip"), contents(club / "club.zip")
    new["players_counter"] = old["players_counter"]  # numbers stay given
    dice, killed = Random(6), 0
    for _ in range(3):
        process = begin(tmp_path, "manage.py", "restore", str(club / "club.zip"), "--yes", "-v0")
        time.sleep(dice.uniform(0.8, 3.5))
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
        manage(tmp_path, "backup", str(tmp_path / "now.zip"), "--force", "-v0")
        assert contents(tmp_path / "now.zip") in (old, new)
    manage(tmp_path, "rebuild_ratings", "--check")
    assert killed, "every restore was done before it was killed"
    manage(tmp_path, "restore", str(club / "club.zip"), "--yes", "-v0")
    assert not list(tmp_path.glob("restore-*"))


# --- a full disk --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kilobytes", [20, 200])
def test_a_full_disk_stops_a_restore_before_it_begins(club: Path, tmp_path: Path, kilobytes: int) -> None:
    manage(tmp_path, "migrate", "-v0")
    size = kilobytes * 1024

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    done = subprocess.run(
        [sys.executable, "manage.py", "restore", str(club / "club.zip"), "--yes", "-v0"],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        preexec_fn=limit,
        check=False,
        timeout=300,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith(".part") or path.name.startswith("restore-")]
    manage(tmp_path, "backup", str(tmp_path / "now.zip"), "-v0")
    assert rows(tmp_path / "now.zip", "players_player") == []


def test_a_folder_that_is_none_is_a_refusal(club: Path) -> None:
    status, _, err = run(club, "manage.py", "backup", "/nowhere/club.zip", "-v0")
    assert status == 2
    assert "/nowhere/club.zip" in err
    assert "Traceback" not in err


def test_a_damaged_file_is_a_refusal_of_one_line(club: Path, tmp_path: Path) -> None:
    (tmp_path / "half.zip").write_bytes((club / "club.zip").read_bytes()[:-500])
    status, _, err = run(club, "manage.py", "restore", str(tmp_path / "half.zip"), "--yes")
    assert (status, len(err.splitlines())) == (2, 1)
    assert "damaged" in err


# --- erased ---------------------------------------------------------------------------------------------------------
def test_a_file_is_read_back_where_there_is_no_database_yet(club: Path, tmp_path: Path) -> None:
    """As on the way back from an upgrade, on a server's new, empty one: it used to be refused there."""
    assert "is whole" in manage(tmp_path, "backup", "--verify", str(club / "club.zip"))
    assert list(tmp_path.iterdir()) == []


def test_who_was_erased_is_erased_again_by_a_restore(tmp_path: Path) -> None:
    status, _, err = run(tmp_path, "-c", ERASE)
    assert status == 0, err[-2000:]


def test_on_postgresql_who_was_erased_is_erased_again_too(tmp_path: Path, postgres: str) -> None:
    status, _, err = run(tmp_path, "-c", ERASE, DATABASE_URL=postgres)
    assert status == 0, err[-2000:]


# --- before an upgrade ----------------------------------------------------------------------------------------------
def upgraded(data: Path, **extra: str) -> list[str]:
    status, out, err = run(data, "-c", UPGRADE, **extra)
    assert status == 0, err[-2000:]
    return out.splitlines()


def test_before_an_upgrade_everything_is_kept_and_can_be_brought_back(tmp_path: Path) -> None:
    said = upgraded(tmp_path)
    (kept,) = (tmp_path / "backups").glob("before-upgrade-*.zip")
    assert [line for line in said if "before-upgrade" in line] == [f"Before the upgrade everything was kept: {kept}"]
    assert said[-1] == "now Ada Alvarez"


def test_an_upgrade_that_fails_again_and_again_can_still_be_gone_back_from(tmp_path: Path) -> None:
    status, out, err = run(tmp_path, "-c", TWICE)
    assert status == 0, err[-2000:]
    said = [line for line in out.splitlines() if line.startswith(("failed", "way back"))]
    first = min((tmp_path / "backups").glob("before-upgrade-*.zip"))
    assert said == ["failed"] * 7 + [f"way back {first}"]


def test_an_upgrade_that_cannot_be_backed_up_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "backups").write_text("a file in the folder's place")
    status, _, err = run(tmp_path, "-c", UPGRADE)
    assert status != 0
    assert "The database is as it was, of the earlier version." in err
    with closing(sqlite3.connect(tmp_path / "club.sqlite3")) as there:
        applied = there.execute("SELECT name FROM django_migrations WHERE app = 'players'").fetchall()
    assert ("0003_desk",) not in applied


# --- from one engine to the other ----------------------------------------------------------------------------------
@pytest.fixture
def postgres() -> Iterator[str]:
    """The address of a new, empty database on the server of CLUB_TEST_POSTGRES."""
    server = os.environ.get("CLUB_TEST_POSTGRES")
    if not server:
        pytest.skip("CLUB_TEST_POSTGRES is not set: no PostgreSQL server is at hand")
    name = f"backup_test_{os.getpid()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_a_club_moves_to_postgresql_and_back(club: Path, tmp_path: Path, postgres: str) -> None:
    """Without a difference, and players made on the way get keys and numbers of their own."""
    there, back = tmp_path / "there", tmp_path / "back"
    for data, extra in ((there, {"DATABASE_URL": postgres}), (back, {})):
        data.mkdir()
        manage(data, "migrate", "-v0", **extra)
    manage(there, "restore", str(club / "club.zip"), "--yes", "--check", "-v0", DATABASE_URL=postgres)
    manage(there, "backup", str(there / "a.zip"), "-v0", DATABASE_URL=postgres)
    assert contents(there / "a.zip") == contents(club / "club.zip")
    more = "import django; django.setup()\nfrom tests import factory\nfactory.make_players(3)\n"
    assert run(there, "-c", more, DATABASE_URL=postgres)[0] == 0
    manage(there, "backup", str(there / "b.zip"), "-v0", DATABASE_URL=postgres)
    manage(back, "restore", str(there / "b.zip"), "--yes", "--check", "-v0")
    manage(back, "backup", str(back / "c.zip"), "-v0")
    assert contents(back / "c.zip") == contents(there / "b.zip")
    assert len(rows(back / "c.zip", "players_player")) == 9


def test_on_postgresql_everything_is_kept_before_an_upgrade_too(tmp_path: Path, postgres: str) -> None:
    assert upgraded(tmp_path, DATABASE_URL=postgres)[-1] == "now Ada Alvarez"


def test_on_postgresql_a_backup_shows_one_moment_too(club: Path, tmp_path: Path, postgres: str) -> None:
    manage(tmp_path, "migrate", "-v0", DATABASE_URL=postgres)
    manage(tmp_path, "restore", str(club / "club.zip"), "--yes", "-v0", DATABASE_URL=postgres)
    writer = begin(tmp_path, "-c", WRITE, DATABASE_URL=postgres)
    try:
        assert writer.stdout
        assert writer.stdout.readline() == "writing\n"
        for number in range(3):
            manage(tmp_path, "backup", str(tmp_path / f"{number}.zip"), "-v0", DATABASE_URL=postgres)
    finally:
        writer.kill()
        writer.communicate()
    seen = [numbers_in(tmp_path / f"{number}.zip") for number in range(3)]
    assert all(players == last and told == last - 6 + seen_at_first(club) for players, last, told in seen)
    assert seen[0] < seen[-1]


def test_a_restore_killed_on_postgresql_leaves_keys_that_can_be_given(
    club: Path, tmp_path: Path, postgres: str
) -> None:
    manage(tmp_path, "migrate", "-v0", DATABASE_URL=postgres)
    manage(tmp_path, "restore", str(club / "club.zip"), "--yes", "-v0", DATABASE_URL=postgres)
    dice = Random(3)
    for _ in range(3):
        process = begin(tmp_path, "manage.py", "restore", str(club / "club.zip"), "--yes", "-v0", DATABASE_URL=postgres)
        time.sleep(dice.uniform(1, 4))
        process.kill()
        process.communicate()
        more = "import django; django.setup()\nfrom tests import factory\nfactory.make_players(1)\n"
        assert run(tmp_path, "-c", more, DATABASE_URL=postgres)[0] == 0
    manage(tmp_path, "rebuild_ratings", "--check", DATABASE_URL=postgres)
