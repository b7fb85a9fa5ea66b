"""What an upgrade began with stays the way back until it has gone well, and what was put aside on that way goes."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from clubrating.management.commands import upgrade
from clubrating.ops.backups import snapshot
from clubrating.ops.backups import store as shelf
from clubrating.ops.backups.archive import opened, verify, written
from clubrating.ops.backups.staging import check_is_known
from clubrating.ops.backups.store import (
    BEFORE_UPGRADE,
    KEPT_FOR,
    Kept,
    backups,
    clear_put_aside,
    forget_way_back,
    make_now,
    note_way_back,
    way_back,
)
from players.models import Club, Player
from players.refusals import Refused
from tests import factory

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
TODAYS = snapshot.applied_migrations


def before() -> dict[str, tuple[str, ...]]:
    """What the program before knew. The tables are today's: that is all that is played here (see test_backup_power)."""
    found = TODAYS()
    return {**found, "players": found["players"][:-1]}


@pytest.fixture
def first(club: Club) -> Kept:
    """What the first try began with: a database of the program before."""
    with pytest.MonkeyPatch.context() as past:
        past.setattr(snapshot, "applied_migrations", before)
        made = make_now(BEFORE_UPGRADE)
    assert note_way_back(made) == made.path
    return made


# --- which one ------------------------------------------------------------------------------------------------
def test_without_an_upgrade_nobody_is_on_the_way() -> None:
    assert way_back() is None


def test_tried_again_on_a_database_that_has_gone_on_the_first_one_stays(first: Kept) -> None:
    again = make_now(BEFORE_UPGRADE)
    assert note_way_back(again) == first.path
    assert way_back() == first.path
    assert set(verify(first.path).migrations["players"]) < set(verify(again.path).migrations["players"])


@pytest.mark.extended
def test_tried_again_before_anything_was_changed_the_later_one_is_as_good_and_newer(club: Club) -> None:
    note_way_back(make_now(BEFORE_UPGRADE))
    later = make_now(BEFORE_UPGRADE)
    assert note_way_back(later) == later.path == way_back()


def test_a_database_somebody_brought_back_himself_begins_anew(first: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "applied_migrations", before)
    months_later = make_now(BEFORE_UPGRADE)
    assert note_way_back(months_later) == months_later.path


@pytest.mark.extended
@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_bytes(b"half")])
def test_one_that_cannot_be_restored_is_no_way_back(first: Kept, spoil: object) -> None:
    spoil(first.path)  # type: ignore[operator]
    again = make_now(BEFORE_UPGRADE)
    assert note_way_back(again) == again.path


def test_when_it_has_gone_well_the_next_upgrade_begins_with_its_own(first: Kept) -> None:
    forget_way_back()
    assert way_back() is None
    made = make_now(BEFORE_UPGRADE)
    assert note_way_back(made) == made.path
    forget_way_back()
    forget_way_back()


def test_the_note_is_on_the_disk_before_it_counts(club: Club, data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, flushed = make_now(BEFORE_UPGRADE), list[int]()
    monkeypatch.setattr("os.fsync", lambda number: flushed.append(os.fstat(number).st_ino))
    note_way_back(made)
    assert flushed == [(data_dir / "upgrade-kept").stat().st_ino]


def test_an_empty_note_leads_nowhere(data_dir: Path) -> None:
    (data_dir / "backups").mkdir()
    (data_dir / "upgrade-kept").write_text("")
    assert way_back() is None


def test_nobody_else_may_be_led_elsewhere_by_the_note(first: Kept, data_dir: Path) -> None:
    """Only what lies on the shelf is a way back."""
    (data_dir / "upgrade-kept").write_text(f"{data_dir.parent}/{first.path.name}\n")
    assert way_back() == first.path
    (data_dir / "upgrade-kept").write_text("/etc/passwd\n")
    assert way_back() is None


# --- it stays on the shelf ------------------------------------------------------------------------------------
@pytest.mark.extended
def test_however_often_it_is_tried_again_the_first_one_stays_on_the_shelf(first: Kept) -> None:
    for _ in range(shelf.OTHERS_KEPT + 2):
        note_way_back(make_now(BEFORE_UPGRADE))
    assert way_back() == first.path
    assert verify(first.path)
    assert len(backups()) == shelf.OTHERS_KEPT + 1
    forget_way_back()
    make_now(BEFORE_UPGRADE)
    assert first.path not in [row.path for row in backups()]


@pytest.mark.extended
def test_the_one_that_is_restored_is_not_pushed_off_the_shelf_by_what_is_kept_before(club: Club) -> None:
    """It used to be gone before it was read, where it was the oldest of five."""
    oldest = make_now()
    for _ in range(shelf.OTHERS_KEPT - 1):
        make_now()
    factory.make_players(1)
    call_command("restore", str(oldest.path), yes=True, verbosity=0)
    assert not Player.objects.exists()
    assert oldest.path.exists()


# --- the commands ---------------------------------------------------------------------------------------------
def failing_at(step: str) -> object:
    def fail(name: str, **_options: object) -> None:
        if name == step:
            raise CommandError(f"{step} fails")

    return fail


@pytest.mark.parametrize("step", ["migrate", "createcachetable"])
def test_an_upgrade_that_fails_notes_what_it_began_with(
    club: Club, data_dir: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    monkeypatch.setattr(upgrade, "call_command", failing_at(step))
    with pytest.raises(CommandError, match="fails"):
        call_command("upgrade", "--keep")
    (kept,) = backups()
    assert way_back() == kept.path
    assert (data_dir / "upgrade-kept").read_text() == f"{kept.path}\n", "bin/upgrade reads it"


def test_two_failures_say_which_one_is_the_way_back(
    first: Kept, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(upgrade, "call_command", failing_at("migrate"))
    with pytest.raises(CommandError):
        call_command("upgrade", "--keep")
    newest = backups()[0]
    assert capsys.readouterr().out.splitlines() == [
        f"Before the upgrade everything was kept: {newest.path}",
        f"The way back stays what the first try began with: {first.path}",
    ]


def test_who_asks_to_keep_says_himself_when_it_has_gone_well(club: Club) -> None:
    call_command("upgrade", "--keep")
    assert way_back()
    call_command("upgrade")
    assert way_back() is None


def test_on_an_empty_database_nothing_is_over_yet(first: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """bin/upgrade --back: the tables are made, the backup is restored after that."""
    monkeypatch.setattr(upgrade, "call_command", failing_at("nothing"))
    monkeypatch.setattr("clubrating.management.commands.upgrade.connection.introspection.table_names", lambda *_: [])
    call_command("upgrade")
    assert way_back() == first.path


def test_without_the_note_nothing_is_changed(club: Club, data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (data_dir / "upgrade-kept.part").mkdir()
    monkeypatch.setattr(upgrade, "call_command", failing_at("migrate"))
    with pytest.raises(CommandError, match=r"cannot be written .* The database is as it was") as refusal:
        call_command("upgrade", "--keep")
    assert refusal.value.returncode == 2


# --- too new --------------------------------------------------------------------------------------------------
def of_the_future(path: Path) -> Path:
    """The same backup as a later version of the program makes it."""
    target = path.with_name("future.zip")
    with opened(path) as reader, written(target) as archive:
        for table in reader.manifest.tables:
            archive.add(table.name, table.columns, reader.rows(table))
        reader.manifest.migrations["players"] += ("0999_someday",)  # type: ignore[index]
        archive.close(reader.manifest)
    return target


def test_one_that_is_too_new_is_found_by_looking_at_it(club: Club, capsys: pytest.CaptureFixture[str]) -> None:
    """bin/upgrade --back looks before it stops the site."""
    made = make_now()
    call_command("backup", str(made.path), verify=True)
    assert "is whole" in capsys.readouterr().out
    with pytest.raises(CommandError, match=r"newer version of this program \(players 0999_someday\)") as refusal:
        call_command("backup", str(of_the_future(made.path)), verify=True)
    assert refusal.value.returncode == 2


def test_looking_asks_no_database(club: Club) -> None:
    """The one in its place may be of a newer program, or away."""
    manifest = verify(make_now().path)
    with pytest.MonkeyPatch.context() as away:
        away.setattr("clubrating.ops.backups.staging.connections", None)
        check_is_known(manifest)
    with pytest.raises(Refused, match="newer version"):
        check_is_known(verify(of_the_future(backups()[0].path)))


# --- databases put aside --------------------------------------------------------------------------------------
def put_aside(data_dir: Path, moment: datetime) -> Path:
    folder = data_dir / f"put-aside-{moment:%Y-%m-%d-%H%M%S}"
    folder.mkdir()
    (folder / "club.sqlite3").write_bytes(b"Ada Alvarez")
    return folder


def test_after_two_weeks_what_was_put_aside_goes(data_dir: Path) -> None:
    old = put_aside(data_dir, NOW - KEPT_FOR - timedelta(seconds=1))
    young = put_aside(data_dir, NOW - KEPT_FOR)
    assert clear_put_aside(NOW) == 1
    assert not old.exists()
    assert (young / "club.sqlite3").exists()
    assert timedelta(weeks=2) == KEPT_FOR


def test_what_is_not_named_after_a_moment_is_somebody_elses(data_dir: Path) -> None:
    (data_dir / "elsewhere").mkdir()
    (data_dir / "put-aside-by-hand").mkdir()
    (data_dir / "put-aside-2000-01-01-000000").write_text("a file")
    (data_dir / "put-aside-2000-01-02-000000").symlink_to(data_dir / "elsewhere")
    assert clear_put_aside(NOW) == 0
    assert len(list(data_dir.glob("put-aside-*"))) == 3
    assert (data_dir / "elsewhere").exists()


def test_daily_does_it(club: Club, data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = put_aside(data_dir, NOW.replace(year=2020))
    call_command("daily")
    assert "databases put aside more than two weeks ago, deleted: 1" in capsys.readouterr().out
    assert not old.exists()


def test_what_cannot_be_deleted_is_told_and_the_rest_is_done(
    club: Club, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_aside(data_dir, NOW.replace(year=2020))

    def refuse(_folder: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("clubrating.ops.backups.store.shutil.rmtree", refuse)
    with pytest.raises(CommandError, match="put aside still knows everybody") as refusal:
        call_command("daily")
    assert refusal.value.returncode == 2
    assert backups()
