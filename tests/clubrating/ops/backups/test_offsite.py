"""Copies off site: which backup is handed to the club's program, and what is known of it afterwards."""

import os
import shutil
import subprocess
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from clubrating import env
from clubrating.ops.backups import offsite, store
from clubrating.ops.backups.archive import verify
from clubrating.ops.backups.erased_people import erase_from_backups
from clubrating.ops.health import state
from players.models import Club
from tests import factory
from tests.live import ROOT
from tournaments.erasure.services.erasure import anonymise_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def program(club: Club, settings: Settings, tmp_path: Path) -> Path:
    """A program that copies; its folder is `away`, its status what stands in `status`."""
    path, data = tmp_path / "copy", tmp_path / "data"
    for folder in (data, tmp_path / "away"):
        folder.mkdir()
    path.write_text(
        f'#!/bin/sh\nenv >{tmp_path}/variables\ncp "$1" {tmp_path}/away/\necho "no room there" >&2\n'
        f'exit "$(cat {tmp_path}/status 2>/dev/null || echo 0)"\n'
    )
    path.chmod(0o755)
    settings.DATA_DIR, settings.OFFSITE_PROGRAM = data, str(path)
    return path


def daily() -> str:
    said = StringIO()
    call_command("daily", stdout=said)
    return said.getvalue()


def part() -> state.Part:
    return next(row for row in state.parts() if row.name == "offsite")


def test_without_a_program_nothing_is_said_of_it(club: Club) -> None:
    assert "off site" not in daily()
    assert not [row for row in state.parts() if row.name == "offsite"]


def test_each_backup_is_carried_away_once(program: Path) -> None:
    assert part() == state.Part("offsite", "warning", {"age_seconds": None, "exit_status": None})
    assert offsite.send_newest() is None, "there is none yet, not even their folder"
    assert "carried off site" in daily()
    assert daily() == ""
    by_hand = store.make_now()
    assert "carried off site" in daily()
    away = sorted(path.name for path in (program.parent / "away").iterdir())
    assert away == [by_hand.path.name, f"daily-{factory.today()}.zip"]
    assert (part().status, part().figures["exit_status"]) == ("ok", 0)
    assert (part().figures["age_seconds"] or 0) < 600
    for row in store.backups():
        row.path.write_bytes(b"half")
    assert offsite.send_newest() is None, "none of them is whole"


@pytest.mark.extended
@pytest.mark.parametrize("why", ["it fails", "it is gone", "it takes too long"])
def test_what_fails_is_told_and_tried_again(
    program: Path, why: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    daily()
    store.make_now()
    status, words = 3, "no room there"
    if why == "it fails":
        (program.parent / "status").write_text("3")
    elif why == "it is gone":
        settings.OFFSITE_PROGRAM, status, words = "/nowhere/at-all", 127, "No such file"
    else:
        program.write_text("#!/bin/sh\nsleep 600\n")
        monkeypatch.setattr(offsite, "LONGEST", timedelta(milliseconds=200))
        status, words = 124, "not done within"
    for _hour in range(2):
        with pytest.raises(CommandError, match=f"status {status}, {words}") as refusal:
            daily()
        assert refusal.value.returncode == 2
    assert (part().status, part().figures["exit_status"]) == ("warning", status)
    assert part().figures["age_seconds"] is not None, "the one before is still there"


def test_the_page_and_the_probe_tell_of_it(program: Path, client: Client) -> None:
    client.force_login(factory.make_administrator())
    assert "Last copy off site" in client.get("/admin/state/").text
    (program.parent / "status").write_text("3")
    with pytest.raises(CommandError):
        daily()
    text = client.get("/admin/state/").text
    assert "the last try failed with status 3" in text
    assert client.get("/readyz").json()["parts"]["offsite"]["exit_status"] == 3
    (program.parent / "status").unlink()
    daily()
    assert "club_offsite_age_seconds" in client.get("/metrics").text


def test_an_old_copy_is_told_of(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    daily()
    monkeypatch.setattr(state, "OLD_AFTER", timedelta(0))
    assert part().status == "warning"


def test_the_program_learns_none_of_the_sites_secrets(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLUB_SECRET_KEY", "CLUB_MAIL_URL", "CLUB_METRICS_TOKEN", "DATABASE_URL"):
        monkeypatch.setenv(name, "a secret of the site")
    monkeypatch.setenv("RESTIC_REPOSITORY", "elsewhere")
    daily()
    given = (program.parent / "variables").read_text()
    assert "a secret of the site" not in given
    assert "RESTIC_REPOSITORY=elsewhere" in given
    assert f"CLUB_DATA={program.parent / 'data'}" in given


def test_after_an_erasure_the_rewritten_backup_is_carried_away(program: Path) -> None:
    ada = factory.make_players(2)[0]
    daily()
    anonymise_player(ada.pk, by=None)
    erase_from_backups({ada.number})
    assert "carried off site" in daily()
    (away,) = (program.parent / "away").iterdir()
    assert ada.number in verify(away).erased


def test_a_program_is_named_by_its_whole_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLUB_OFFSITE", "restic")
    with pytest.raises(ImproperlyConfigured, match="no whole path"):
        env.read_program("CLUB_OFFSITE")


# --- the scripts beside the guide ------------------------------------------------------------------------------------
HOOKS = ROOT / "docs/deploy/offsite"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("restic") is None, reason="restic is not installed")
def test_restic_carries_away_what_nobody_reads_without_the_key(
    program: Path, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "key").write_text("the key of the club")
    settings.OFFSITE_PROGRAM = str(HOOKS / "restic")
    monkeypatch.setenv("RESTIC_REPOSITORY", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("RESTIC_PASSWORD_FILE", str(tmp_path / "key"))
    for _day in range(2):
        made = store.make_now()
        assert "carried off site" in daily()
    packed = b"".join(path.read_bytes() for path in (tmp_path / "elsewhere").rglob("*") if path.is_file())
    assert b"manifest.json" in made.path.read_bytes()
    assert b"manifest.json" not in packed
    subprocess.run(["restic", "-q", "restore", "latest", "--target", tmp_path / "back"], check=True)
    (back,) = (tmp_path / "back").rglob("*.zip")
    assert back.read_bytes() == made.path.read_bytes()
    (tmp_path / "key").write_text("another key")
    store.make_now()
    with pytest.raises(CommandError, match="copy off site failed"):
        daily()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("rclone") is None, reason="rclone is not installed")
def test_rclone_goes_to_an_encrypted_remote_only(
    program: Path, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RCLONE_CONFIG", str(tmp_path / "rclone.conf"))
    config = ("rclone", "config", "create")
    subprocess.run([*config, "plain", "local"], check=True, capture_output=True)
    crypt = ("club", "crypt", f"remote={tmp_path / 'elsewhere'}", "password=the key of the club", "--obscure")
    subprocess.run([*config, *crypt], check=True, capture_output=True)
    settings.OFFSITE_PROGRAM = str(HOOKS / "rclone")
    monkeypatch.setenv("OFFSITE_REMOTE", f"plain:{tmp_path / 'elsewhere'}")
    with pytest.raises(CommandError, match="not of type crypt"):
        daily()
    assert not (tmp_path / "elsewhere").exists()
    monkeypatch.setenv("OFFSITE_REMOTE", "club:")
    assert "carried off site" in daily()
    (packed,) = (tmp_path / "elsewhere").iterdir()
    assert b"manifest.json" not in packed.read_bytes()
    subprocess.run(["rclone", "copy", "club:", tmp_path / "back"], check=True, env=os.environ)
    (back,) = (tmp_path / "back").iterdir()
    assert verify(back)
