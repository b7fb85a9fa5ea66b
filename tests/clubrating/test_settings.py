"""Settings read from the environment: bad values are refused by name, odd folders work, a secret is demanded late."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from clubrating.env import read_flag, read_folder, read_list

ROOT = Path(__file__).resolve().parents[2]
SECRET = "s" * 60


def in_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("CLUB_", "DATABASE_", "DJANGO_"))}
    own |= {"DJANGO_SETTINGS_MODULE": "clubrating.settings"} | environment
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=own, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("text", "value"), [("1", True), ("yes", True), ("0", False), ("", False), (" Off ", False)])
def test_a_flag_is_yes_or_no(monkeypatch: pytest.MonkeyPatch, text: str, value: bool) -> None:
    monkeypatch.setenv("CLUB_X", text)
    assert read_flag("CLUB_X", default=not value) is value


def test_any_other_flag_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLUB_X", "maybe")
    with pytest.raises(ImproperlyConfigured, match="CLUB_X='maybe' is neither yes nor no"):
        read_flag("CLUB_X")


def test_a_list_drops_empty_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLUB_X", " a, ,b,")
    assert read_list("CLUB_X") == ["a", "b"]


def test_a_file_is_no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("CLUB_X", str(file))
    with pytest.raises(ImproperlyConfigured, match="is a file: name a folder"):
        read_folder("CLUB_X", tmp_path)


def test_a_data_folder_may_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "club #1 50% ?"
    code = "from django.conf import settings; print(settings.DATABASES['default']['NAME'])"
    assert in_python(code, CLUB_DATA=str(folder)).stdout.strip() == str(folder / "club.sqlite3")


def test_settings_load_without_a_secret_and_the_web_process_does_not_start(tmp_path: Path) -> None:
    assert in_python("import django; django.setup()", CLUB_DATA=str(tmp_path)).returncode == 0
    refused = in_python("import clubrating.wsgi", CLUB_DATA=str(tmp_path))
    assert refused.returncode == 1
    assert "Set CLUB_SECRET_KEY" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert in_python("import clubrating.wsgi", CLUB_DATA=str(tmp_path), CLUB_SECRET_KEY=SECRET).returncode == 0


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("CLUB_SECRET_KEY", "short", "shorter than 50"),
        ("DATABASE_URL", "club.db", "DATABASE_URL is no database address"),
        ("CLUB_HTTPS", "perhaps", "CLUB_HTTPS"),
    ],
)
def test_a_bad_setting_is_named_with_the_remedy(tmp_path: Path, name: str, value: str, words: str) -> None:
    done = in_python("import django; django.setup()", CLUB_DATA=str(tmp_path), **{name: value})
    assert done.returncode
    assert words in done.stderr.splitlines()[-1]


def test_behind_tls_cookies_are_secure_and_http_is_sent_on(tmp_path: Path) -> None:
    code = "from django.conf import settings as s; print(s.SESSION_COOKIE_SECURE, s.SECURE_SSL_REDIRECT, s.DEBUG)"
    done = in_python(code, CLUB_DATA=str(tmp_path), CLUB_HTTPS="1", CLUB_ALLOWED_HOSTS="club.example")
    assert done.stdout.strip() == "True True False"
