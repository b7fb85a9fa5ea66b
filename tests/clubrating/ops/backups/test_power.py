"""Backups from outside, in processes of their own: while others write, while the machine is switched off, without room
on the disk, and between SQLite and PostgreSQL. CLUB_TEST_POSTGRES names a server for these; where it is unset they are
skipped. What is done, and what has to hold then, stands in `backup_acts`.
"""

import shutil
from pathlib import Path

import pytest

from tests.databases import copy_template
from tests.live import Site


def act(site: Site, name: str, *files: Path) -> None:
    """Fails with what was not as it should be."""
    site.run("-m", "tests.clubrating.ops.backups.backup_acts", name, *map(str, files))


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Path:
    """The backup of a club with thirty games; its database, on SQLite, lies beside it."""
    site = Site(tmp_path_factory.mktemp("club"))
    copy_template(site.data)
    act(site, "play")
    return site.data / "club.zip"


@pytest.fixture(scope="module")
def old_club(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Path:
    """A database of the version before."""
    site = Site(tmp_path_factory.mktemp("old"))
    copy_template(site.data)
    act(site, "be_old")
    return site.data


@pytest.fixture
def site(tmp_path: Path, django_db_setup: None) -> Site:
    """A migrated database without a row."""
    copy_template(tmp_path)
    return Site(tmp_path)


@pytest.fixture
def on_postgres(tmp_path: Path, migrated_postgres: str) -> Site:
    return Site(tmp_path, migrated_postgres)


# --- while others write -----------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_backup_shows_one_moment_while_others_write(club: Path, site: Site) -> None:
    act(site, "write_meanwhile", club)


def test_on_postgresql_a_backup_shows_one_moment_too(club: Path, on_postgres: Site) -> None:
    act(on_postgres, "write_meanwhile", club)


@pytest.mark.slow
def test_two_daily_ones_at_once_make_one(club: Path) -> None:
    act(Site(club.parent), "keep_the_day_twice")


# --- switched off in the middle -----------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_killed_restore_leaves_the_old_database_or_the_new_one_whole(club: Path, site: Site) -> None:
    act(site, "kill_a_restore", club)


def test_a_restore_killed_on_postgresql_leaves_keys_that_can_be_given(club: Path, on_postgres: Site) -> None:
    act(on_postgres, "kill_a_restore", club)


@pytest.mark.slow
def test_a_restore_killed_at_any_moment_leaves_the_old_database_or_the_new_one(club: Path, site: Site) -> None:
    act(site, "kill_restores_anywhere", club)


@pytest.mark.slow
def test_a_restore_killed_at_any_moment_on_postgresql(club: Path, on_postgres: Site) -> None:
    act(on_postgres, "kill_restores_anywhere", club)


# --- refusals -----------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_full_disk_stops_a_restore_before_it_begins(club: Path, site: Site) -> None:
    act(site, "run_out_of_room", club)


@pytest.mark.slow
def test_a_folder_that_is_none_and_a_damaged_file_are_refusals_of_one_line(club: Path, site: Site) -> None:
    act(site, "be_refused", club)


@pytest.mark.slow
def test_a_file_is_read_back_where_there_is_no_database_yet(club: Path, tmp_path: Path) -> None:
    """As on the way back from an upgrade, on a server's new, empty one: it used to be refused there."""
    assert "is whole" in Site(tmp_path).run("manage.py", "backup", "--verify", str(club))
    assert list(tmp_path.iterdir()) == []


# --- erased ---------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_who_was_erased_is_erased_again_by_a_restore(site: Site) -> None:
    act(site, "erase")


def test_on_postgresql_who_was_erased_is_erased_again_too(on_postgres: Site) -> None:
    act(on_postgres, "erase")


# --- before an upgrade ----------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_an_upgrade_that_fails_again_and_again_can_still_be_gone_back_from(old_club: Path, tmp_path: Path) -> None:
    shutil.copytree(old_club, tmp_path, dirs_exist_ok=True)
    act(Site(tmp_path), "upgrade_and_go_back")


@pytest.mark.slow
def test_on_postgresql_it_can_be_gone_back_from_too(on_postgres: Site) -> None:
    act(on_postgres, "be_old")
    act(on_postgres, "upgrade_and_go_back")


@pytest.mark.slow
def test_an_upgrade_that_cannot_be_backed_up_changes_nothing(old_club: Path, tmp_path: Path) -> None:
    shutil.copytree(old_club, tmp_path, dirs_exist_ok=True)
    act(Site(tmp_path), "upgrade_without_a_shelf")


# --- from one engine to the other ----------------------------------------------------------------------------------
def test_a_club_moves_to_postgresql_and_back(club: Path, site: Site, tmp_path: Path, migrated_postgres: str) -> None:
    """Without a difference, and players made on the way get keys and numbers of their own."""
    there = tmp_path / "there"
    there.mkdir()
    act(Site(there, migrated_postgres), "move_in", club)
    act(site, "move_on", there / "b.zip")
