"""The daily backups: one a day, read back, and the right ones kept."""

import json
import stat
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import DjangoAssertNumQueries

from clubrating.ops.backups import store as shelf
from clubrating.ops.backups.archive import verify
from clubrating.ops.backups.restoring import restore_backup
from clubrating.ops.backups.store import BEFORE_RESTORE, BEFORE_UPGRADE, Kept, backups, latest, make_daily, make_now
from players.models import Club, Player
from players.refusals import Refused
from tests import factory

pytestmark = pytest.mark.django_db

TODAY = date(2026, 11, 21)


def copies(days: int) -> list[Path]:
    """Today's backup, and the same file as it would have been made on each day before."""
    first = make_daily(TODAY)
    assert first
    for back in range(1, days):
        day = TODAY - timedelta(days=back)
        for suffix in (".zip", ".json"):
            source = first.path.with_suffix(suffix)
            (source.parent / f"daily-{day}{suffix}").write_bytes(source.read_bytes())
    return sorted(shelf.folder().glob("*.zip"))


# --- one a day ------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_the_days_backup_is_made_once_and_anew_where_it_is_damaged(club: Club, folder: Path) -> None:
    made = make_daily(TODAY)
    assert made
    assert made.path.name == "daily-2026-11-21.zip"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700, "nobody else may read it"
    assert make_daily(TODAY) is None
    assert len(backups()) == 1
    made.path.write_bytes(b"half")
    assert make_daily(TODAY)
    assert verify(made.path)


def test_it_was_read_back_and_the_verdict_stands_beside_it(club: Club) -> None:
    made = make_daily(TODAY)
    assert made
    assert made.verified
    verdict = json.loads(made.path.with_suffix(".json").read_text())
    assert verdict["verified"] is True
    assert verdict["size"] == made.size == made.path.stat().st_size
    assert datetime.fromisoformat(verdict["made_at"]) == made.made_at == verify(made.path).made_at


def test_old_ones_go_with_their_verdicts(club: Club, folder: Path) -> None:
    copies(40)
    make_daily(TODAY + timedelta(days=1))
    left = sorted(path.stem for path in folder.glob("*.zip"))
    assert len(left) <= 23
    assert {f"daily-2026-11-{day}" for day in range(16, 23)} <= set(left)
    assert sorted(path.stem for path in folder.glob("*.json")) == left


def test_a_damaged_one_takes_no_good_ones_place(club: Club, folder: Path) -> None:
    copies(8)
    (folder / "daily-2026-11-20.zip").write_bytes(b"half")
    make_daily(TODAY + timedelta(days=1))
    assert not (folder / "daily-2026-11-20.zip").exists()
    assert (folder / "daily-2026-11-15.zip").exists()


@pytest.mark.extended
def test_those_by_hand_push_no_daily_one_out(club: Club) -> None:
    make_daily(TODAY)
    for _ in range(shelf.OTHERS_KEPT + 2):
        make_now()
    make_now(BEFORE_RESTORE)
    kinds = [row.kind for row in backups()]
    assert kinds.count("daily") == 1
    assert len(kinds) == 1 + shelf.OTHERS_KEPT
    assert kinds[0] == BEFORE_RESTORE


def test_what_a_killed_one_left_behind_goes(club: Club, folder: Path) -> None:
    folder.mkdir()
    for make in (lambda: make_daily(TODAY), make_now):
        (folder / ".daily-2026-11-20.zip.abcd.part").write_bytes(b"half")
        make()
        assert not list(folder.glob(".*.part"))


def test_one_that_cannot_be_read_back_is_told(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_path: Path) -> None:
        raise Refused("damaged")

    monkeypatch.setattr(shelf, "verify", fail)
    with pytest.raises(Refused, match="is the disk failing"):
        make_daily(TODAY)
    assert [row.verified for row in backups()] == [False]


# --- the newest, without a database -----------------------------------------------------------------------------
def test_an_empty_shelf_has_no_newest() -> None:
    assert latest() is None
    assert backups() == []


def test_the_newest_whole_one_is_the_newest(club: Club) -> None:
    good = make_daily(TODAY)
    make_now().path.write_bytes(b"half")
    assert latest() == good


def on_the_shelf(folder: Path, name: str, verdict: str | None) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"1234")
    if verdict is not None:
        (folder / name).with_suffix(".json").write_text(verdict)


@pytest.mark.parametrize("verdict", [None, "", "[]", "null", "{}", '{"verified": 1, "size": 4, "made_at": "x"}', "\0"])
def test_a_verdict_that_is_none_counts_as_not_read_back(folder: Path, verdict: str | None) -> None:
    on_the_shelf(folder, "daily-2026-11-20.zip", verdict)
    (row,) = backups()
    assert not row.verified
    assert row.verified_at is None
    assert row.size == 4


def test_looking_at_the_shelf_asks_no_database(folder: Path, at_most: DjangoAssertNumQueries) -> None:
    on_the_shelf(folder, "daily-2026-11-20.zip", json.dumps({"verified": True, "size": 4}))
    with at_most(0):
        newest = latest()
    assert newest
    assert newest.verified


def test_foreign_files_are_left_alone(folder: Path) -> None:
    on_the_shelf(folder, "holiday.zip", None)
    on_the_shelf(folder, "daily-somewhen.txt", None)
    assert backups() == []


@pytest.mark.parametrize(("hours", "old"), [(1, False), (48, False), (49, True)])
def test_after_two_days_it_is_old(hours: int, old: bool) -> None:
    made = datetime(2026, 11, 21, tzinfo=UTC)
    row = Kept(Path("daily-2026-11-21.zip"), "daily", made, 1, True, made)
    assert row.is_old(made + timedelta(hours=hours)) is old


# --- the command ----------------------------------------------------------------------------------------------
def test_the_command_makes_it_and_the_second_says_nothing(club: Club, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("backup", daily=True)
    assert "read back whole" in capsys.readouterr().out
    call_command("backup", daily=True)
    assert capsys.readouterr().out == ""


def test_the_command_writes_a_file_and_reads_it_back(
    club: Club, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("backup", str(tmp_path / "club.zip"))
    found = capsys.readouterr()
    assert "players_club: 1" in found.err
    call_command("backup", str(tmp_path / "club.zip"), verify=True)
    assert "is whole" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["club.zip", "--daily"], ["--daily", "--force"], ["--daily", "--verify"]])
def test_what_is_asked_must_be_clear(club: Club, arguments: list[str]) -> None:
    with pytest.raises(CommandError, match="Name one file") as refusal:
        call_command("backup", *arguments)
    assert refusal.value.returncode == 2


def test_a_restore_by_command_keeps_what_was_there_first(
    club: Club, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("backup", str(tmp_path / "club.zip"), verbosity=0)
    factory.make_players(1)
    call_command("restore", str(tmp_path / "club.zip"), yes=True, check=True, verbosity=0)
    assert "There is no rating list yet" in capsys.readouterr().err, "the lists are compared"
    assert not Player.objects.exists()
    (kept,) = backups()
    assert kept.kind == BEFORE_RESTORE
    restore_backup(kept.path)
    assert Player.objects.get().name == "Ada Alvarez"


@pytest.fixture
def asked(club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A backup without players, and a database with one; somebody sits at the keyboard."""
    call_command("backup", str(tmp_path / "club.zip"), verbosity=0)
    factory.make_players(1)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    return tmp_path / "club.zip"


def test_a_restore_asks_first(asked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda _question: "yes")
    call_command("restore", str(asked), verbosity=0)
    assert not Player.objects.exists()


@pytest.mark.parametrize("answer", ["no", "", "y", "yes please"])
def test_anything_but_yes_restores_nothing(asked: Path, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda _question: answer)
    with pytest.raises(CommandError, match="Nothing was changed") as refusal:
        call_command("restore", str(asked), verbosity=0)
    assert refusal.value.returncode == 2
    assert Player.objects.exists()


def test_without_anybody_to_ask_nothing_is_restored(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call_command("backup", str(tmp_path / "club.zip"), verbosity=0)
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)
    with pytest.raises(CommandError, match="--yes"):
        call_command("restore", str(tmp_path / "club.zip"))


# --- at every upgrade -----------------------------------------------------------------------------------------
@pytest.mark.extended
def test_an_upgrade_keeps_a_database_of_this_version_where_it_is_asked_to(club: Club, folder: Path) -> None:
    call_command("upgrade")
    assert backups() == []
    call_command("upgrade", "--keep")
    (kept,) = backups()
    assert (kept.kind, kept.verified) == (BEFORE_UPGRADE, True)
