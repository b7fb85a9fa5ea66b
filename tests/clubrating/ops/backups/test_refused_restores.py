"""A restore that is refused, breaks or is broken off, in a database that commits: the old one stands as it was."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder

from clubrating.ops.backups import restoring
from clubrating.ops.backups.archive import Row
from clubrating.ops.backups.restoring import restore_backup
from clubrating.ops.backups.snapshot import write_backup
from players.models import Club, Player
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.clubrating.ops.backups.test_restoring import everything, make_club, of_the_past, rewritten

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def backup(transactional_db: None, data_dir: Path) -> Path:
    make_club()
    write_backup(data_dir / "club.zip")
    return data_dir / "club.zip"


def lose_a_player(name: str, rows: list[Row]) -> list[Row]:
    return rows[1:] if name == "players_player" else rows


def play_twice(name: str, rows: list[Row]) -> list[Row]:
    return [*rows, rows[0]] if name == "tournaments_game" else rows


def spoil_a_moment(name: str, rows: list[Row]) -> list[Row]:
    return [[*row[:1], "yesterday", *row[2:]] for row in rows] if name == "players_auditevent" else rows


def break_a_rule(name: str, rows: list[Row]) -> list[Row]:
    """Everybody was born in the year 9."""
    return [[9 if value is None else value for value in row] for row in rows] if name == "players_player" else rows


@pytest.mark.extended
@pytest.mark.parametrize("change", [lose_a_player, play_twice, spoil_a_moment, break_a_rule])
def test_rows_that_make_no_database_are_refused(
    backup: Path, change: Callable[[str, list[Row]], list[Row]], data_dir: Path
) -> None:
    before = everything()
    with pytest.raises(Refused, match=r"Nothing was changed\."):
        restore_backup(rewritten(backup, change))
    assert everything() == before
    assert not list(data_dir.glob("restore-*"))


@pytest.mark.extended
@pytest.mark.parametrize("breaks", ["_empty", "_keep_counters", "_keep_erasures", "write_audit"])
def test_whatever_breaks_on_the_way_leaves_the_old_database(
    backup: Path, breaks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Player.objects.filter(number=1).update(name="Changed Since")
    before = everything()

    def fail(*_args: object, **_kwargs: object) -> None:
        raise DatabaseError("database or disk is full")

    monkeypatch.setattr(restoring, breaks, fail)
    with pytest.raises(Refused, match=r"disk is full\)\. Nothing was changed"):
        restore_backup(backup)
    assert everything() == before


@pytest.mark.extended
def test_ctrl_c_leaves_the_old_database(backup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Player.objects.filter(number=1).update(name="Changed Since")
    before = everything()

    def interrupt(_counters: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(restoring, "_keep_counters", interrupt)
    with pytest.raises(KeyboardInterrupt):
        restore_backup(backup)
    assert everything() == before


@pytest.mark.slow
def test_migrations_of_the_past_never_touch_the_live_database(
    backup: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them asks "the" database for its lists, and queues work for each."""
    past, before = of_the_past(backup, data_dir), everything()

    def fail(_models: object) -> None:
        raise DatabaseError("stop here")

    monkeypatch.setattr(restoring, "_empty", fail)
    with pytest.raises(Refused, match="stop here"):
        restore_backup(past)
    assert everything() == before
    assert RatingList.objects.exists()


@pytest.mark.extended
def test_a_database_of_an_earlier_version_is_migrated_first(backup: Path) -> None:
    recorder = MigrationRecorder(connection)
    newest = max(name for app, name in recorder.applied_migrations() if app == "players")
    recorder.record_unapplied("players", newest)
    with pytest.raises(Refused, match=r"run “manage\.py migrate” first"):
        restore_backup(backup)
    with pytest.raises(Refused, match=r"run “manage\.py migrate” first"):
        write_backup(backup, force=True)
    recorder.record_applied("players", newest)
    restore_backup(backup)


def test_an_empty_database_can_be_kept_and_brought_back(data_dir: Path) -> None:
    write_backup(data_dir / "empty.zip")
    factory.make_club()
    restore_backup(data_dir / "empty.zip")
    assert not Club.objects.exists()
