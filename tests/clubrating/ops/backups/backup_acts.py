"""What `test_backup_power` does to a club's database, each act in a process of its own, on the database of CLUB_DATA or
DATABASE_URL. What has to be killed, or must not come to an end, is forked: it ends at a place, never at a time.

python -m tests.clubrating.ops.backups.backup_acts ACT [FILE]      exit 1 where something is not as it should be
"""

import os
import resource
import signal
import sys
import tempfile
import traceback
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import IO, Any
from unittest import mock

import django

django.setup()

from django.apps import apps  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection, connections, transaction  # noqa: E402
from django.db.migrations.executor import MigrationExecutor  # noqa: E402

from clubrating.management.commands import upgrade  # noqa: E402
from clubrating.ops.backups import restoring, staging  # noqa: E402
from clubrating.ops.backups.archive import verify  # noqa: E402
from clubrating.ops.backups.restoring import restore_backup  # noqa: E402
from clubrating.ops.backups.snapshot import kept_models, write_backup  # noqa: E402
from clubrating.ops.backups.store import OTHERS_KEPT, backups, way_back  # noqa: E402
from manage import main as manage  # noqa: E402
from players.models import AuditEvent, Player  # noqa: E402
from players.people.services import NewPlayer, create_player  # noqa: E402
from players.trail.services import write_audit  # noqa: E402
from tests import factory  # noqa: E402
from tournaments.erasure.services.erasure import anonymise_player, tidy_storage  # noqa: E402

DATA = Path(settings.DATA_DIR)
KILLS_ANYWHERE = 6
Contents = dict[str, list[bytes]]


def contents(path: Path) -> Contents:
    """The lines of every table but the trail's, where each restore leaves one."""
    with zipfile.ZipFile(path) as bundle:
        names = [name for name in bundle.namelist() if name.endswith(".jsonl") and "players_auditevent" not in name]
        return {Path(name).stem: bundle.read(name).splitlines() for name in names}


def kept_now() -> Contents:
    write_backup(DATA / "now.zip", force=True)
    return contents(DATA / "now.zip")


# --- processes --------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Forked:
    """Work in a process of its own; what it says goes into a file."""

    pid: int
    file: IO[str]

    def end(self) -> tuple[int, str]:
        """Status (minus the signal that ended it), and all it said."""
        _pid, status = os.waitpid(self.pid, 0)
        with self.file:
            self.file.seek(0)
            return os.waitstatus_to_exitcode(status), self.file.read()


def fork(work: Callable[[], object]) -> Forked:
    connections.close_all()
    said = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed by whoever reads it)
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
        status: Any = 0
        try:
            work()
        except SystemExit as end:
            status = end.code or 0
        except BaseException:
            traceback.print_exc()
            status = 1
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return Forked(pid, said)


def command(*words: object) -> Callable[[], None]:
    """A command as `manage.py` runs it."""

    def run() -> None:
        sys.argv = ["manage.py", *map(str, words)]
        manage()

    return run


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


# --- acts -------------------------------------------------------------------------------------------------------
def play() -> None:
    """A club with thirty games, and its backup."""
    call_command("migrate", verbosity=0)
    factory.make_club()
    factory.make_list()
    factory.play_all(factory.make_round_robin(factory.make_players(6), cycles=2))
    write_backup(DATA / "club.zip")


def write_meanwhile(club: Path) -> None:
    """After every table a backup has read, somebody else writes a pair of facts that belong together: a player's number
    and the player who has it. The backup shows none of them, and nobody waits."""
    restore_backup(club)
    with ThreadPoolExecutor(1) as other:

        def write(*_table: object) -> None:
            other.submit(create_player, NewPlayer("Busy Writer"), by=None).result()

        write_backup(DATA / "now.zip", progress=write)
        other.submit(connections.close_all).result()
    assert contents(DATA / "now.zip") == contents(club)
    found = sum(b"player.created" in line for line in trail(DATA / "now.zip"))
    assert found == sum(b"player.created" in line for line in trail(club))
    assert Player.objects.count() == 6 + len(kept_models(apps)), "nobody was writing"


def trail(path: Path) -> list[bytes]:
    with zipfile.ZipFile(path) as bundle:
        return bundle.read("tables/players_auditevent.jsonl").splitlines()


def keep_the_day_twice() -> None:
    """Two processes that begin at the same moment."""
    wait, begin = os.pipe()

    def keep() -> None:
        os.close(begin)
        os.read(wait, 1)
        command("backup", "--daily")()

    both = [fork(keep) for _ in range(2)]
    os.close(begin)
    ended = [each.end() for each in both]
    assert [status for status, _said in ended] == [0, 0], ended
    assert sum("read back whole" in said for _status, said in ended) == 1, ended
    assert len(list((DATA / "backups").glob("daily-*.zip"))) == 1


@contextmanager
def deadly(module: Any, name: str, time: int = 0) -> Iterator[None]:
    """The process is killed where it calls that for the first time, or a later one."""
    ours, times = getattr(module, name), count()

    def call(*args: Any, **options: Any) -> Any:
        if next(times) == time:
            die()
        return ours(*args, **options)

    with mock.patch.object(module, name, call):
        yield


def deadly_tables() -> list[int]:
    """First, middle and last."""
    last = len(kept_models(apps)) - 1
    return [0, last // 2, last]


@contextmanager
def deadly_once_committed() -> Iterator[None]:
    def say(*_args: object, **_options: object) -> None:
        transaction.on_commit(die)

    with mock.patch.object(restoring, "write_audit", say):
        yield


def another_season(club: Path) -> tuple[Contents, Contents]:
    """The club has played on since its backup: what it keeps now, and what a restore of the backup makes of it."""
    restore_backup(club)
    factory.play_all(factory.make_round_robin(factory.make_players(4), name="Later Cup"))
    old = kept_now()
    return old, {**contents(club), "players_counter": old["players_counter"]}  # numbers stay given


def kill_a_restore(club: Path) -> None:
    old, new = another_season(club)
    places = [
        deadly(staging, "_make_tables"),
        deadly(staging, "write_rows", len(kept_models(apps)) // 2),
        deadly(restoring, "_put_in_place"),
        deadly(restoring, "_empty"),
        *(deadly(restoring, "_copy", table) for table in deadly_tables()),
        deadly(restoring, "_raise_sequences"),
        deadly(restoring, "write_audit"),
    ]
    for number, place in enumerate(places):
        assert killed(place, club) == -signal.SIGKILL, f"it never came to place {number}"
        assert kept_now() == old, f"killed at place {number}"
        factory.make_players(1)  # keys can be given
        old = kept_now()
    call_command("rebuild_ratings", check=True, verbosity=0)
    new["players_counter"] = old["players_counter"]
    assert killed(deadly_once_committed(), club) == -signal.SIGKILL
    assert kept_now() == new
    assert list(DATA.glob("restore-*")), "nothing was left behind"
    restore_backup(club)
    assert not list(DATA.glob("restore-*"))
    factory.make_players(1)
    call_command("rebuild_ratings", check=True, verbosity=0)


def killed(place: Any, club: Path) -> int:
    def work() -> None:
        with place:
            restore_backup(club)

    return fork(work).end()[0]


def kill_restores_anywhere(club: Path) -> None:
    """At moments by the clock: wherever it is then, or done."""
    old, new = another_season(club)
    begun, rng = monotonic(), Random(6)
    assert fork(lambda: restore_backup(club)).end()[0] == 0
    took = monotonic() - begun
    for _ in range(KILLS_ANYWHERE):
        there = kept_now()
        process = fork(lambda: restore_backup(club))
        sleep(rng.uniform(0, took))
        os.kill(process.pid, signal.SIGKILL)
        process.end()
        assert kept_now() in (there, new)
        factory.make_players(1)
        new["players_counter"] = kept_now()["players_counter"]
    call_command("rebuild_ratings", check=True, verbosity=0)
    assert old != new


def run_out_of_room(club: Path) -> None:
    """No file may become larger than that."""

    def cramped(size: int) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        command("restore", club, "--yes", "-v0")()

    call_command("migrate", verbosity=0)
    for kilobytes in (20, 200):
        status, said = fork(partial(cramped, kilobytes * 1024)).end()
        assert status == 2, said
        assert "Traceback" not in said, said
        left = [path for path in DATA.rglob("*") if path.suffix == ".part" or path.name.startswith("restore-")]
        assert not left, left
        assert kept_now()["players_player"] == []


def be_refused(club: Path) -> None:
    """A folder that is none, and a damaged file: a sentence each."""
    status, said = fork(command("backup", "/nowhere/club.zip", "-v0")).end()
    assert (status, len(said.splitlines())) == (2, 1), said
    assert "/nowhere/club.zip" in said
    (DATA / "half.zip").write_bytes(club.read_bytes()[:-500])
    status, said = fork(command("restore", DATA / "half.zip", "--yes")).end()
    assert (status, len(said.splitlines())) == (2, 1), said
    assert "damaged" in said


def erase() -> None:
    """Somebody is erased, the storage is tidied, and a backup from before is brought back."""
    call_command("migrate", verbosity=0)
    factory.make_club()
    factory.make_list()
    people = factory.make_players(4)
    factory.play_all(factory.make_round_robin(people))
    write_audit("player.changed", people[1], by=None, before={"beside": "Ada Alvarez"}, note="for Ada Alvarez")
    write_backup(DATA / "old.zip")
    anonymise_player(people[0].pk, by=None)
    assert tidy_storage()
    assert restore_backup(DATA / "old.zip").erased == 1
    assert Player.objects.get(number=1).name == ""
    assert not AuditEvent.objects.filter(before__icontains="alvarez").exists()
    assert not AuditEvent.objects.filter(note__icontains="alvarez").exists()
    call_command("rebuild_ratings", check=True, verbosity=0)


def move_in(club: Path) -> None:
    """From another engine; three more players join before the club moves on."""
    call_command("restore", str(club), yes=True, check=True, verbosity=0)
    assert kept_now() == contents(club)
    factory.make_players(3)
    write_backup(DATA / "b.zip")


def move_on(club: Path) -> None:
    call_command("restore", str(club), yes=True, check=True, verbosity=0)
    assert kept_now() == contents(club)
    assert Player.objects.count() == 9


# --- a club of the version before ---------------------------------------------------------------------------------
NEWEST, BEFORE = ("players", "0017_page_reports"), ("players", "0016_link_passkeys")


def be_old() -> None:
    factory.make_club()
    create_player(NewPlayer("Ada Alvarez"), by=None)
    MigrationExecutor(connection).migrate([BEFORE])
    connections.close_all()


def is_new(path: Path) -> bool:
    return NEWEST[1] in verify(path).migrations["players"]


def upgrade_and_go_back() -> None:
    """The upgrade fails after its migrations, and then goes on failing; the way back stays the first one's backup,
    and that brings everything back."""

    def failing(name: str, **options: Any) -> None:
        call_command(name, **options)
        if name == "createcachetable":
            raise OSError("no room")

    for number in range(OTHERS_KEPT + 2):
        with mock.patch.object(upgrade, "call_command", failing):
            status, said = fork(command("upgrade", *(["--keep"] if number else []))).end()
        assert status == 1, said
        assert "no room" in said or "OSError" in said, said
        if number == 0:
            (kept,) = (DATA / "backups").glob("before-upgrade-*.zip")
            assert said.count("before-upgrade") == 1, said
            assert f"Before the upgrade everything was kept: {kept}\n" in said
    first, second = backups()[-1], backups()[0]
    assert way_back() == first.path == kept
    assert len(backups()) == OTHERS_KEPT + 1
    assert not is_new(first.path)
    assert is_new(second.path)
    Player.objects.update(name="Somebody Else")
    restore_backup(kept)
    assert fork(command("upgrade")).end() == (0, "")
    assert Player.objects.get().name == "Ada Alvarez"


def upgrade_without_a_shelf() -> None:
    """What cannot be backed up is not changed."""
    (DATA / "backups").write_text("a file in the folder's place")
    status, said = fork(command("upgrade")).end()
    assert status == 2, said
    assert "The database is as it was, of the earlier version." in said
    assert NEWEST not in MigrationExecutor(connection).loader.applied_migrations


ACTS: tuple[Callable[..., None], ...] = (
    *(play, write_meanwhile, keep_the_day_twice, kill_a_restore, kill_restores_anywhere, run_out_of_room),
    *(be_refused, erase, move_in, move_on, be_old, upgrade_and_go_back, upgrade_without_a_shelf),
)

if __name__ == "__main__":
    {act.__name__: act for act in ACTS}[sys.argv[1]](*map(Path, sys.argv[2:]))
