"""A backup brought back: all as it was, on any engine; what must not come back does not; a refusal moves nothing."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission, User
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from clubrating.ops.backups import restoring, staging
from clubrating.ops.backups.archive import Damaged, Row, opened, verify, written
from clubrating.ops.backups.erased_people import erased_file, remember, remembered
from clubrating.ops.backups.restoring import restore_backup
from clubrating.ops.backups.snapshot import LEFT_OUT, kept_models, lineage, write_backup
from players.counters import take_numbers
from players.models import (
    AuditEvent,
    Counter,
    Erasure,
    Job,
    JobChunk,
    LinkDevice,
    LinkPasskey,
    MailSubscription,
    PersonalLink,
    Player,
)
from players.people.services import NewPlayer, create_player
from players.programs.services import make_token, revoke_token, token_of
from players.refusals import Refused
from ratings.models import LedgerEntry, RatingList
from tests import factory
from tournaments.models import Game
from tournaments.rated_games.services.rebuilding import check_list


@pytest.fixture(autouse=True)
def data_dir(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    return tmp_path / "data"


def make_club() -> None:
    """With a round robin that was played."""
    factory.make_club()
    factory.make_list()
    factory.play_all(factory.make_round_robin(factory.make_players(4)))
    factory.make_arbiter()


@pytest.fixture(scope="module")
def club(world: None) -> None:
    make_club()


@pytest.fixture
def backup(club: None, data_dir: Path) -> Path:
    """The club in a file."""
    write_backup(data_dir / "club.zip")
    return data_dir / "club.zip"


def everything() -> dict[str, list[Any]]:
    return {
        model._meta.db_table: list(model._base_manager.order_by("pk").values_list())
        for model in kept_models(apps)
        if model is not AuditEvent
    }


def rewritten(source: Path, change: Callable[[str, list[Row]], list[Row]], **manifest: Any) -> Path:
    """The backup with other rows, and a digest that fits: what nobody but a tester would make."""
    target = source.with_name("changed.zip")
    with opened(source) as reader, written(target, force=True) as archive:
        for table in reader.manifest.tables:
            archive.add(table.name, table.columns, change(table.name, list(reader.rows(table))))
        archive.close(replace(reader.manifest, tables=tuple(archive.tables), **manifest))
    return target


def as_it_is(_name: str, rows: list[Row]) -> list[Row]:
    return rows


# --- which tables ---------------------------------------------------------------------------------------------
def test_every_table_is_kept_unless_it_is_named_as_left_out() -> None:
    kept = {model._meta.label for model in kept_models(apps)}
    left = {model._meta.label for model in apps.get_models(include_auto_created=True)} - kept
    assert all(label in LEFT_OUT or label.split(".")[0] in LEFT_OUT for label in left)
    assert {"players.Player", "players.Erasure", "tournaments.Game", "auth.User", "ratings.LedgerEntry"} <= kept


@pytest.mark.extended
@pytest.mark.django_db
def test_addresses_and_links_are_in_no_backup_and_none_brings_them_back(backup: Path, data_dir: Path) -> None:
    values = {"language": "en", "site": "http://club.example/", "asked_at": timezone.now()}
    MailSubscription.objects.create(player=Player.objects.get(number=1), address="a@example.org", key="k", **values)
    ada = Player.objects.get(number=1)
    link = PersonalLink.objects.create(player=ada, digest="d", devices_left=0, expires_at=timezone.now())
    LinkDevice.objects.create(link=link, digest="d")
    LinkPasskey.objects.create(link=link, digest="d", name="phone")
    write_backup(data_dir / "later.zip")
    tables = {table.name for table in verify(data_dir / "later.zip").tables}
    assert not tables & {
        "players_mailsubscription",
        *(f"players_{name}" for name in ("personallink", "linkdevice", "linkpasskey")),
    }
    restore_backup(data_dir / "later.zip")
    assert not MailSubscription.objects.exists()
    assert not PersonalLink.objects.exists()


@pytest.mark.django_db
def test_a_token_taken_back_since_stays_so_and_work_under_way_is_ended_and_told(club: None, data_dir: Path) -> None:
    officer = User.objects.get()
    kept, lost = (make_token(officer=officer, name=name, scopes=["results"], days=7) for name in ("Door", "Lost"))
    for state in (Job.State.WAITING, Job.State.RUNNING, Job.State.DONE):
        job = Job.objects.create(kind="rebuild-list", state=state)
        JobChunk.objects.create(job=job, number=1, done=state == Job.State.DONE)
    write_backup(data_dir / "later.zip")
    revoke_token(lost[0].pk, by=officer)
    assert restore_backup(data_dir / "later.zip").jobs == 2
    assert token_of(kept[1])
    assert token_of(lost[1]) is None
    assert list(Job.objects.order_by("pk").values_list("state", flat=True)) == ["failed", "failed", "done"]
    assert not JobChunk.objects.filter(done=False).exists()


def test_no_kept_table_points_into_one_left_out() -> None:
    kept = {*kept_models(apps), Permission}
    pointing = [
        f"{model._meta.label}.{field.name}"
        for model in kept - {Permission}
        for field in model._meta.local_concrete_fields
        if field.is_relation and field.related_model not in kept
    ]
    assert pointing == []


# --- there and back -------------------------------------------------------------------------------------------
@pytest.mark.extended
@pytest.mark.django_db
def test_everything_comes_back_as_it_was_and_a_second_time_too(backup: Path) -> None:
    before = everything()
    Game.objects.update(result="")
    Player.objects.update(name="Somebody Else")
    User.objects.all().delete()
    restore_backup(backup)
    assert everything() == before
    restore_backup(backup)
    assert everything() == before


@pytest.mark.extended
@pytest.mark.django_db
def test_the_ledger_equals_its_replay_afterwards(backup: Path) -> None:
    LedgerEntry.objects.all().delete()
    restore_backup(backup)
    assert LedgerEntry.objects.count() == 6
    assert [line for row in RatingList.objects.all() for line in check_list(row)] == []


@pytest.mark.django_db
def test_groups_keep_their_permissions_by_name(backup: Path) -> None:
    group = Group.objects.get(name="arbiter")
    before = set(group.permissions.values_list("codename", flat=True))
    assert before
    # Another database gave other keys.
    Permission.objects.filter(codename="view_player").delete()
    restore_backup(backup)
    restored = set(Group.objects.get(name="arbiter").permissions.values_list("codename", flat=True))
    assert restored == before - {"view_player"}


@pytest.mark.extended
@pytest.mark.django_db
def test_the_trail_says_that_and_what_was_restored(backup: Path) -> None:
    restore_backup(backup)
    event = AuditEvent.objects.get(action="database.restored")
    assert (event.actor, event.subject_kind) == (None, "club")
    assert event.effect["made_at"] == verify(backup).made_at.isoformat()
    assert event.effect["rows"] == verify(backup).rows


# --- what must not come back ----------------------------------------------------------------------------------
@pytest.mark.extended
@pytest.mark.django_db
def test_everybody_is_signed_out(backup: Path) -> None:
    Session.objects.create(session_key="somebody", session_data="", expire_date=timezone.now())
    restore_backup(backup)
    assert not Session.objects.exists()


@pytest.mark.extended
@pytest.mark.django_db
def test_nothing_that_was_kept_of_the_replaced_database_is_shown(
    backup: Path, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    stores = [caches[name] for name in ("default", "tries")]
    for store in stores:
        store.set("page", "of the replaced database")
    with django_capture_on_commit_callbacks(execute=True):
        restore_backup(backup)
    assert [store.get("page") for store in stores] == [None, None]


@pytest.mark.django_db
def test_who_came_since_is_gone_and_the_number_is_never_given_again(backup: Path) -> None:
    given = create_player(NewPlayer("Late Comer"), by=None).number
    sequence = take_numbers("game sequence", 3)[-1]
    restore_backup(backup)
    assert not Player.objects.filter(number=given).exists()
    assert create_player(NewPlayer("Next One"), by=None).number == given + 1
    assert Counter.objects.get(name="game sequence").value == sequence


@pytest.mark.extended
@pytest.mark.django_db
def test_a_number_given_before_a_later_backup_stays_given(backup: Path) -> None:
    Counter.objects.filter(name="player number").update(value=1)
    restore_backup(backup)
    assert Counter.objects.get(name="player number").value == 4


@pytest.mark.django_db
def test_who_was_erased_since_is_erased_again(backup: Path) -> None:
    Erasure.objects.create(number=2)
    done = restore_backup(backup)
    assert done.erased == 1
    assert Player.objects.get(number=2).name == ""
    assert Erasure.objects.filter(number=2).exists()


@pytest.mark.extended
@pytest.mark.django_db
def test_a_new_machine_knows_whom_the_file_of_numbers_names(backup: Path) -> None:
    remember(lineage(), {3})
    restore_backup(backup)
    assert Player.objects.get(number=3).name == ""


def begin_another_day(name: str, rows: list[Row]) -> list[Row]:
    """The trail of a club that began in 2020."""
    if name != "players_auditevent":
        return rows
    at = moment_of(rows[0])
    rows[0][at] = "2020-01-01T00:00:00+00:00"
    return rows


def moment_of(row: Row) -> int:
    return next(place for place, value in enumerate(row) if isinstance(value, str) and value.startswith("20"))


@pytest.mark.extended
@pytest.mark.django_db
def test_another_clubs_erasures_are_nobody_here(backup: Path) -> None:
    """The demo club's number 1 was erased on this machine; the club that moves in keeps its own number 1. Whom the demo
    club erased is erased again when it comes back."""
    Erasure.objects.create(number=1)
    restore_backup(rewritten(backup, begin_another_day))
    assert Player.objects.get(number=1).name == "Ada Alvarez"
    assert not Erasure.objects.exists()
    restore_backup(backup)
    assert Player.objects.get(number=1).name == ""


@pytest.mark.extended
@pytest.mark.django_db
def test_the_numbers_of_the_live_database_are_remembered_for_later(backup: Path) -> None:
    Erasure.objects.create(number=2)
    restore_backup(backup)
    assert remembered(lineage()) == {2}
    assert "Brandt" not in erased_file().read_text()


# --- refusals move nothing ------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_a_newer_backup_is_refused(backup: Path) -> None:
    before = everything()
    migrations = {**verify(backup).migrations, "players": ("0001_foundation", "0999_from_the_future")}
    with pytest.raises(Refused, match=r"newer version of this program \(players 0999_from_the_future\)"):
        restore_backup(rewritten(backup, as_it_is, migrations=migrations))
    assert everything() == before


@pytest.mark.django_db
def test_a_damaged_backup_is_refused(backup: Path) -> None:
    before = everything()
    backup.write_bytes(backup.read_bytes()[:-1000])
    with pytest.raises(Damaged):
        restore_backup(backup)
    assert everything() == before


@pytest.mark.extended
@pytest.mark.django_db
@pytest.mark.parametrize("table", ["players_player", "strange"])
def test_tables_that_are_not_those_of_its_version_are_refused(backup: Path, table: str, tmp_path: Path) -> None:
    target = tmp_path / "tables.zip"
    with opened(backup) as reader, written(target) as archive:
        for row in reader.manifest.tables:
            if row.name != table:
                archive.add(row.name, row.columns, reader.rows(row))
        if table == "strange":
            archive.add(table, ("id",), [[1]])
        archive.close(replace(reader.manifest, tables=tuple(archive.tables)))
    with pytest.raises(Damaged, match="tables of its version"):
        restore_backup(target)


@pytest.mark.django_db
def test_two_restores_at_once_are_one(backup: Path) -> None:
    with restoring._alone(), pytest.raises(Refused, match="Another backup is being restored"):
        restore_backup(backup)


# --- an older backup --------------------------------------------------------------------------------------------
def of_the_past(backup: Path, data_dir: Path) -> Path:
    """The backup as the version before the desk would have made it: without the tables and columns that came since."""
    manifest = verify(backup)
    applied = {"players": 2, "ratings": 4, "tournaments": 5}
    past = {**manifest.migrations, **{app: manifest.migrations[app][:count] for app, count in applied.items()}}
    models = (
        MigrationLoader(None)
        .project_state([(app, past[app][-1]) for app in applied])
        .apps.get_models(include_auto_created=True)
    )
    columns = {each._meta.db_table: {field.column for field in each._meta.local_concrete_fields} for each in models}
    target = data_dir / "past.zip"
    with opened(backup) as reader, written(target) as archive:
        for table in manifest.tables:
            ours = table.name.startswith(tuple(f"{app}_" for app in applied))
            known = columns.get(table.name, set()) if ours else set(table.columns)
            places = [at for at, name in enumerate(table.columns) if name in known]
            if places:
                rows = ([row[at] for at in places] for row in reader.rows(table))
                archive.add(table.name, tuple(table.columns[at] for at in places), rows)
        archive.close(replace(manifest, migrations=past, tables=tuple(archive.tables)))
    return target


@pytest.mark.django_db
@pytest.mark.slow
def test_an_older_backup_is_brought_up_to_date(backup: Path, data_dir: Path) -> None:
    before = everything()
    Player.objects.update(name="Somebody Else")
    restore_backup(of_the_past(backup, data_dir))
    after = everything()
    for table in ("players_player", "tournaments_game", "ratings_ledgerentry", "tournaments_tournament", "auth_user"):
        assert after[table] == before[table], table
    assert set(AuditEvent.objects.exclude(action="database.restored").values_list("origin", flat=True)) == {""}


@pytest.mark.django_db
def test_the_staging_database_is_gone_afterwards(backup: Path, data_dir: Path) -> None:
    restore_backup(backup)
    assert not list(data_dir.glob(f"{staging.PREFIX}*"))
    assert json.dumps(sorted(path.name for path in data_dir.iterdir())) == '["club.zip", "restore.lock"]'
    assert connection.alias == "default"
