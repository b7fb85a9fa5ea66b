"""The site closed for a while: what is answered meanwhile, and that one look for a file is all an open one pays."""

from io import StringIO
from pathlib import Path
from unittest.mock import patch

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from clubrating.ops.maintenance import LONGEST_MESSAGE, MINUTES, Notice, close, notice, reopen
from players.models import Club
from tests import factory
from tests.desk_scene import client_of

pytestmark = pytest.mark.django_db


def switch(*arguments: str) -> str:
    said = StringIO()
    call_command("maintenance", *arguments, stdout=said)
    return said.getvalue().strip()


def test_on_and_off_by_one_command(client: Client, club: Club) -> None:
    assert switch("status") == "The site is open."
    assert "closed" in switch("on", "--message", "A new disk.", "--minutes", "20")
    assert switch("status") == "The site is closed."
    answer = client.get("/about/glossary/")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "1200"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "in about 20 minutes" in answer.text
    assert "A new disk." in answer.text
    assert switch("off") == "The site is open again."
    assert client.get("/about/glossary/").status_code == 200
    assert switch("off") == "The site was not closed."


def test_the_database_is_not_asked(club: Club, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    close("", 5, timezone.now())
    with django_assert_num_queries(0):
        for path in ("/", "/players/", "/admin/", "/api/v1/", "/tools/elo/", "/welcome/"):
            assert Client().get(path).status_code == 503


@pytest.mark.parametrize(
    ("path", "wish", "language", "words"),
    [
        ("/", "", "en", "Closed for a moment"),
        ("/ru/players/", "", "ru", None),
        ("/zh-hans/", "ru", "zh-hans", None),
        ("/players/", "zh-hant", "zh-hant", None),
        ("/players/", "fr", "en", "Closed for a moment"),
    ],
)
def test_it_speaks_the_visitors_language(
    client: Client, path: str, wish: str, language: str, words: str | None
) -> None:
    close("", 5, timezone.now())
    answer = client.get(path, headers={"Accept-Language": wish} if wish else {})
    assert f'<html lang="{language}"' in answer.text
    assert words is None or words in answer.text


def test_a_message_is_text_and_nothing_else(client: Client) -> None:
    close("<script>alert(1)</script>", 5, timezone.now())
    assert "&lt;script&gt;" in client.get("/").text


def test_who_sent_something_is_told_that_it_was_not_taken(client: Client, club: Club) -> None:
    close("", 5, timezone.now())
    assert "was not taken" in client.post("/members/", {"pass_phrase": "x"}).text
    assert "was not taken" not in client.get("/members/").text


def test_a_program_gets_json(client: Client, club: Club) -> None:
    close("", 5, timezone.now())
    answer = client.get("/api/v1/players/")
    assert (answer.status_code, list(answer.json())) == (503, ["error"])


def test_officers_wait_like_everybody(club: Club) -> None:
    chief = client_of(factory.make_administrator())
    close("", 5, timezone.now())
    assert chief.get("/admin/").status_code == 503


def test_probes_and_files_stay_open_and_nothing_else_by_its_first_letters(client: Client) -> None:
    close("", 5, timezone.now())
    for path in ("/healthz", "/healthz/", "/readyz", "/static/css/club.css", "/metrics"):
        assert client.get(path).status_code != 503, path
    for path in ("/metricsfoo", "/healthz/../players/", "/readyz-x", "/staticfoo/", "/favicon.ico/x"):
        assert client.get(path).status_code == 503, path


def test_a_closed_site_keeps_its_headers(client: Client) -> None:
    close("", 5, timezone.now())
    headers = client.get("/").headers
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert {"X-Request-ID", "X-Frame-Options", "Permissions-Policy"} <= set(headers)


@pytest.mark.parametrize(
    "text", ["", "not JSON", "[]", '{"since": 1}', '{"since": "x", "minutes": "y", "message": ""}']
)
def test_a_file_made_by_hand_closes_too(data_dir: Path, text: str) -> None:
    (data_dir / "maintenance.json").write_text(text)
    assert notice() == Notice("", None, MINUTES)


def test_what_is_too_long_or_too_short_in_a_file_made_by_hand_is_put_right() -> None:
    close("x" * (LONGEST_MESSAGE + 1), 0, timezone.now())
    found = notice()
    assert found
    assert (len(found.message), found.minutes) == (LONGEST_MESSAGE, 1)


def test_a_file_that_is_no_text_closes_too(data_dir: Path) -> None:
    (data_dir / "maintenance.json").write_bytes(b"\xff\xfe")
    assert notice() == Notice("", None, MINUTES)
    assert reopen()


def test_an_open_site_pays_one_look(client: Client, club: Club) -> None:
    client.get("/about/glossary/")  # the first page of a process looks for files of its own
    with patch("clubrating.ops.maintenance.os.path.exists", return_value=False) as looks:
        assert client.get("/about/glossary/").status_code == 200
    assert [call.args[0].name for call in looks.call_args_list] == ["maintenance.json"]


def test_a_site_that_is_opened_this_moment_is_open() -> None:
    with patch("clubrating.ops.maintenance.os.path.exists", return_value=True):
        assert notice() is None


@pytest.mark.parametrize("arguments", [("--minutes", "0"), ("--minutes", "1441"), ("--message", "x" * 501)])
def test_what_makes_no_sense_is_refused(arguments: tuple[str, str]) -> None:
    with pytest.raises(CommandError) as refused:
        switch("on", *arguments)
    assert refused.value.returncode == 2
    assert notice() is None


def test_a_folder_that_cannot_be_written_is_told(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "gone"
    with pytest.raises(CommandError, match="cannot be written"):
        switch("on")
