"""Settings read from the environment: bad values are refused by name, odd folders work, a secret is demanded late."""

import os
import re
import subprocess
import sys
from pathlib import Path
from runpy import run_path

import pytest
from django.conf import LazySettings, settings
from django.core.exceptions import ImproperlyConfigured

from clubrating import env
from clubrating.env import (
    read_cache_address,
    read_count,
    read_flag,
    read_folder,
    read_hosts,
    read_list,
    read_mail_address,
    read_mail_server,
)
from tests import ROOT

OF_A_SITE = ("CLUB_", "DATABASE_", "DJANGO_")


def read_settings(monkeypatch: pytest.MonkeyPatch, folder: Path, **environment: str) -> LazySettings:
    """What the file of settings makes of that environment and no other, beside Django's defaults."""
    for name in [name for name in os.environ if name.startswith(OF_A_SITE)]:
        monkeypatch.delenv(name)
    for name, value in {"CLUB_DATA": str(folder), **environment}.items():
        monkeypatch.setenv(name, value)
    written, found = run_path(str(ROOT / "clubrating" / "settings.py")), LazySettings()
    found.configure(**{name: value for name, value in written.items() if name.isupper()})
    return found


def test_a_flag_is_yes_or_no_and_any_other_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, value in (("1", True), ("yes", True), ("0", False), ("", False), (" Off ", False)):
        monkeypatch.setenv("CLUB_X", text)
        assert read_flag("CLUB_X", default=not value) is value, text
    monkeypatch.setenv("CLUB_X", "maybe")
    with pytest.raises(ImproperlyConfigured, match="CLUB_X='maybe' is neither yes nor no"):
        read_flag("CLUB_X")


def test_a_list_drops_empty_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLUB_X", " a, ,b,")
    assert read_list("CLUB_X") == ["a", "b"]


def test_a_host_is_a_name_and_nothing_that_a_policy_reads_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLUB_X", "www.example.org, localhost:8080")
    assert read_hosts("CLUB_X") == ["www.example.org", "localhost:8080"]
    for text in (
        "*.example.org",
        "https://example.org",
        "example.org/x",
        "x.org; script-src *",
        "'self'",
        "-a.org",
        "é.fr",
    ):
        monkeypatch.setenv("CLUB_X", text)
        with pytest.raises(ImproperlyConfigured, match="CLUB_X"):
            read_hosts("CLUB_X")


def test_a_file_is_no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("CLUB_X", str(file))
    with pytest.raises(ImproperlyConfigured, match="is a file: name a folder"):
        read_folder("CLUB_X", tmp_path)


def test_a_data_folder_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "club #1 50% ?"
    assert read_settings(monkeypatch, folder).DATABASES["default"]["NAME"] == str(folder / "club.sqlite3")


@pytest.mark.extended
def test_the_site_loads_without_a_secret_and_the_web_process_does_not_start(tmp_path: Path) -> None:
    """With one it starts: `test_metrics.test_the_settings_say_where`."""
    code = "import django; django.setup(); print('loaded'); import clubrating.wsgi"
    own = {name: value for name, value in os.environ.items() if not name.startswith(OF_A_SITE)}
    own |= {"DJANGO_SETTINGS_MODULE": "clubrating.settings", "CLUB_DATA": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=own, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "loaded\n")
    assert "Set CLUB_SECRET_KEY" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("CLUB_SECRET_KEY", "short", "shorter than 50"),
        ("DATABASE_URL", "club.db", "DATABASE_URL is no database address"),
        ("CLUB_HTTPS", "perhaps", "CLUB_HTTPS"),
        ("CLUB_LOG", "xml", "CLUB_LOG='xml' is unknown: write plain or json"),
        ("CLUB_METRICS_TOKEN", "short", "CLUB_METRICS_TOKEN is shorter than 20"),
        ("CLUB_PROXIES", "one", "CLUB_PROXIES"),
        ("CLUB_CACHE_URL", "memcached://localhost", "CLUB_CACHE_URL is no shared memory: write db://"),
        ("CLUB_EMBED_HOSTS", "www.example.org,*", "CLUB_EMBED_HOSTS: '*' is no host name: write names like"),
        ("CLUB_PASSKEYS", "http://club.example.org", "is no address of a site: write https://club.example.org"),
        ("CLUB_PASSKEYS", "https://club.example.org/admin", "is no address of a site"),
        ("CLUB_PASSKEYS", "https://[club", "is no address of a site"),
        ("CLUB_PUSH_KEY", "short", "CLUB_PUSH_KEY is no key: make one with manage.py push_key"),
        ("CLUB_PUSH_KEY", "k" * 43, "set without CLUB_PUSH_CONTACT: write mailto:club@example.org"),
        ("CLUB_MAIL_URL", "mail.example.org", "CLUB_MAIL_URL is no mail server"),
        ("CLUB_MAIL_URL", "smtp://mail.example.org", "set CLUB_MAIL_FROM"),
    ],
)
def test_a_bad_setting_is_named_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        read_settings(monkeypatch, tmp_path, **{name: value})
    assert words in str(refused.value)


@pytest.mark.parametrize("https", [True, False])
def test_no_script_and_no_other_site_gets_at_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, https: bool
) -> None:
    """Behind TLS cookies are secure, and http is sent on."""
    environment = {"CLUB_HTTPS": str(int(https)), "CLUB_ALLOWED_HOSTS": "club.example"}
    found = read_settings(monkeypatch, tmp_path, **environment)
    assert (found.SESSION_COOKIE_HTTPONLY, found.SESSION_COOKIE_SAMESITE, found.DEBUG) == (True, "Lax", False)
    assert {found.SESSION_COOKIE_SECURE, found.CSRF_COOKIE_SECURE, found.SECURE_SSL_REDIRECT} == {https}


@pytest.mark.parametrize(
    ("url", "host", "port", "user", "password", "at_once"),
    [
        ("smtp://mail.example.org", "mail.example.org", 587, "", "", False),
        ("smtps://club%40x:p%2Fw@mail.example.org", "mail.example.org", 465, "club@x", "p/w", True),
        ("smtp://u:p@10.0.0.5:2525/", "10.0.0.5", 2525, "u", "p", False),
    ],
)
def test_a_mail_server_is_one_address(
    monkeypatch: pytest.MonkeyPatch, url: str, host: str, port: int, user: str, password: str, at_once: bool
) -> None:
    monkeypatch.setenv("CLUB_X", url)
    server = read_mail_server("CLUB_X")
    assert server is not None
    found = (server.host, server.port, server.user, server.password, server.encrypted_at_once)
    assert found == (host, port, user, password, at_once)


@pytest.mark.parametrize(
    "url",
    [
        *("mail.example.org", "http://x", "smtp://"),
        *("smtp://u:geheim@host:port", "smtp://u:geheim@h/x", "smtp://u:geheim@h?x=1"),
    ],
)
def test_a_bad_mail_server_is_refused_without_its_password(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("CLUB_X", url)
    with pytest.raises(ImproperlyConfigured, match="CLUB_X is no mail server") as refused:
        read_mail_server("CLUB_X")
    assert "geheim" not in str(refused.value)


def test_a_sender_may_have_a_name_and_no_mail_comes_from_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    for sender in ("", "club@example.org", "Chess Club <club@example.org>"):
        monkeypatch.setenv("CLUB_X", sender)
        assert read_mail_address("CLUB_X") == sender
    for sender in ("club", "club@", "@x.org", "club@localhost", "a@b.c\nBcc: x@y.z"):
        monkeypatch.setenv("CLUB_X", sender)
        with pytest.raises(ImproperlyConfigured, match="no e-mail address"):
            read_mail_address("CLUB_X")


def test_a_count_is_a_whole_number_and_any_other_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, count in (("", 0), ("0", 0), (" 2 ", 2)):
        monkeypatch.setenv("CLUB_X", text)
        assert read_count("CLUB_X") == count, text
    for text in ("-1", "1.5", "one", "²", "99999"):
        monkeypatch.setenv("CLUB_X", text)
        with pytest.raises(ImproperlyConfigured, match="CLUB_X"):
            read_count("CLUB_X")


def test_mail_is_sent_only_where_a_server_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    everywhere = {"CLUB_ALLOWED_HOSTS": "*"}
    assert "dummy" in read_settings(monkeypatch, tmp_path, **everywhere).EMAIL_BACKEND
    mail = {"CLUB_MAIL_URL": "smtp://mail.example.org", "CLUB_MAIL_FROM": "club@example.org"}
    found = read_settings(monkeypatch, tmp_path, **mail)
    assert "smtp" in found.EMAIL_BACKEND
    assert (found.EMAIL_USE_TLS, found.DEFAULT_FROM_EMAIL) == (True, "club@example.org")
    with pytest.raises(ImproperlyConfigured, match="could lead to anybody’s host"):
        read_settings(monkeypatch, tmp_path, **mail, **everywhere)


# --- middlewares ------------------------------------------------------------------------------------------------
def with_comments(name: str) -> dict[str, str]:
    """The entries of that list in the settings, each with the comment above it."""
    source = (ROOT / "clubrating" / "settings.py").read_text(encoding="utf-8")
    lines = source.partition(f"\n{name} = [\n")[2].partition("\n]\n")[0].splitlines()
    found, comment = {}, ""
    for line in map(str.strip, lines):
        if line.startswith("#"):
            comment = f"{comment} {line.strip('# ')}".strip()
        else:
            found[line.strip('",')], comment = comment, ""
    return found


def test_there_are_few_middlewares_and_each_says_what_it_is_for() -> None:
    found = with_comments("MIDDLEWARE")
    assert list(found) == settings.MIDDLEWARE
    assert len(found) <= 14
    assert all(len(words) > 20 and words.endswith(".") for words in found.values()), found


def test_every_check_of_django_that_is_left_out_has_its_reason_and_a_test() -> None:
    found = with_comments("SILENCED_SYSTEM_CHECKS")
    assert list(found) == settings.SILENCED_SYSTEM_CHECKS
    for words in found.values():
        (test,) = re.findall(r"tests/\S+\.py", words)
        assert (ROOT / test).is_file()


# --- what processes remember together ---------------------------------------------------------------------------
@pytest.mark.parametrize("text", ["", "db://", "redis://cache.example.org", "rediss://user:word@[::1]:6380/2"])
def test_a_shared_memory_is_the_database_or_a_redis_server(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(env, "find_spec", lambda _name: object())
    monkeypatch.setenv("CLUB_X", text)
    assert read_cache_address("CLUB_X") == text


@pytest.mark.parametrize(
    "text",
    ["db", "db://club", "redis://", "redis:///0", "redis://h/first", "redis://h:0", "redis://h:x", "redis://h?db=1"],
)
def test_any_other_shared_memory_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("CLUB_X", text)
    with pytest.raises(ImproperlyConfigured, match="CLUB_X is no shared memory"):
        read_cache_address("CLUB_X")


def test_a_redis_server_needs_its_package_and_the_password_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(env, "find_spec", lambda _name: None)
    monkeypatch.setenv("CLUB_X", "redis://user:pass-word@cache.example.org")
    with pytest.raises(ImproperlyConfigured, match=r"requirements-redis\.txt") as refusal:
        read_cache_address("CLUB_X")
    assert "pass-word" not in str(refusal.value)
