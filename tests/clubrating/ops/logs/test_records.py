"""The log: a line for every request in JSON, each with the request's name, and nobody's name or address in any."""

import json
import logging
import re
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.test import Client, override_settings
from hypothesis import given
from hypothesis import strategies as st

from clubrating.ops.logs.failures import without_words
from clubrating.ops.logs.middleware import HEADER
from clubrating.ops.logs.records import JsonLines, PlainLines, WithoutPeople, request_id, route_at
from players.models import Club, Player
from ratings.models import RatingList
from tests import factory
from tests.settings import LOGGING

pytestmark = pytest.mark.django_db

NAME = "Zebediah Quillfeather"


def way_out(formatter: logging.Formatter) -> tuple[logging.Handler, StringIO]:
    """The console of the settings, with a sheet of paper behind it."""
    paper = StringIO()
    handler = logging.StreamHandler(paper)
    handler.setFormatter(formatter)
    handler.addFilter(WithoutPeople())
    return handler, paper


@pytest.fixture
def written() -> Iterator[StringIO]:
    """What `CLUB_LOG=json` writes meanwhile, of every logger and at every level."""
    handler, paper = way_out(JsonLines())
    root, requests = logging.getLogger(), logging.getLogger("club.requests")
    before = root.level, requests.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    requests.setLevel(logging.INFO)
    yield paper
    root.removeHandler(handler)
    root.setLevel(before[0])
    requests.setLevel(before[1])


def lines(paper: StringIO, logger: str = "club.requests") -> list[dict[str, Any]]:
    found = [json.loads(line) for line in paper.getvalue().splitlines()]
    return [line for line in found if line["logger"] == logger]


def test_a_request_is_told_by_its_route(client: Client, club: Club, written: StringIO) -> None:
    player = factory.make_players(1)[0]
    answer = client.get(player.get_absolute_url(), {"list": "standard"})
    (line,) = lines(written)
    assert (line["method"], line["route"], line["status"]) == ("GET", "players:player", answer.status_code)
    assert line["milliseconds"] > 0
    assert line["request"] == answer.headers[HEADER]
    assert line["level"] == "info"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line["time"])


class BrokenError(Exception):
    """Its words name somebody, as those of a database often do."""


def test_nobody_is_in_the_log(client: Client, standard: RatingList, written: StringIO, monkeypatch: Any) -> None:
    """Signing in rightly and wrongly, searching a name, opening its page and one that is not there, breaking on it."""
    settings_of_tests = {"AXES_ENABLED": True, "PROXIES": 1}
    player = factory.make_players(1)[0]
    Player.objects.filter(pk=player.pk).update(name=NAME, search_name=NAME.lower())
    User.objects.create_superuser("quillkeeper", password="pass-for-tests")
    at = {"X-Forwarded-For": "198.51.100.77"}
    with override_settings(**settings_of_tests):
        sign_in = {"username": "quillkeeper", "password": "not-the-password"}
        client.post("/admin/login/", sign_in, headers=at)
        client.post("/admin/login/", {**sign_in, "password": "pass-for-tests"}, headers=at)
        client.get("/players/", {"q": "Quillfeather"}, headers=at)
        client.get(Player.objects.get(pk=player.pk).get_absolute_url(), headers=at)
        client.get("/players/zebediah-quillfeather-who-is-not-there/", headers=at)
        client.post("/members/", b"pass_phrase=Quillfeather", content_type="application/x-quillfeather", headers=at)
        Client(enforce_csrf_checks=True).post("/members/", {"pass_phrase": NAME}, headers=at)

        words = f"UNIQUE (name)=({NAME}) at 198.51.100.77"

        def breaks(*_args: object, **_kwargs: object) -> None:
            raise BrokenError(words) from ValueError(words)

        monkeypatch.setattr("clubrating.site.player_pages.views.player.person_at", breaks)
        broken = Client(raise_request_exception=False)
        answer = broken.get(f"/players/{player.number}-zebediah-quillfeather/", {"q": NAME}, headers=at)
    text = written.getvalue().lower()
    for secret in ("zebediah", "quill", "198.51.100", "not-the-password", "?q=", "unique (name)"):
        assert secret not in text
    (error,) = lines(written, "django.request")
    assert error["message"] == "answered 500 at players:player"
    assert error["request"] == answer.headers[HEADER]
    assert "test_records.BrokenError" in error["exception"]
    assert "in breaks" in error["exception"]
    assert "builtins.ValueError" in error["exception"]
    assert len(lines(written)) == 8


def test_a_refusal_is_told_once(client: Client, club: Club, written: StringIO, data_dir: Path) -> None:
    assert client.get("/nothing/here/").status_code == 404
    (data_dir / "maintenance.json").touch()
    assert client.get("/players/").status_code == 503
    assert not lines(written, "django.request")
    assert [(line["route"], line["status"]) for line in lines(written)] == [("unknown", 404), ("players:index", 503)]


def test_the_page_about_an_error_tells_the_word_that_finds_it(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_args: object) -> None:
        raise BrokenError("words")

    monkeypatch.setattr("clubrating.site.glossary.views.chapters", breaks)
    answer = Client(raise_request_exception=False).get("/ru/about/glossary/")
    assert answer.status_code == 500
    assert f"<code>{answer.headers[HEADER]}</code>" in answer.text
    assert '<html lang="ru"' in answer.text


# --- the request's name -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("proxies", "given", "is_taken"),
    [
        (1, "a1b2c3d4-e5f6", True),
        (2, "x" * 64, True),
        (0, "a1b2c3d4-e5f6", False),  # a visitor may have written it
        (1, "short", False),
        (1, "x" * 65, False),
        (1, "with a blank in it", False),
        (1, 'quote"-in-it-12', False),
        (1, "ключ-для-запроса", False),
    ],
)
def test_a_name_is_taken_from_our_own_proxy_only_and_well_formed(
    client: Client, proxies: int, given: str, is_taken: bool
) -> None:
    with override_settings(PROXIES=proxies):
        answer = client.get("/healthz", headers={HEADER: given})
    assert (answer.headers[HEADER] == given) is is_taken
    assert re.fullmatch(r"[A-Za-z0-9._-]{8,64}", answer.headers[HEADER])


def test_every_request_has_another_name_and_none_is_left_behind(client: Client) -> None:
    names = {client.get("/healthz").headers[HEADER] for _ in range(5)}
    assert len(names) == 5
    assert request_id.get() == "-"


@given(given=st.text(max_size=80))
def test_whatever_is_sent_as_a_name_makes_one_line(given: str) -> None:
    """Also of a record whose words break lines."""
    record = logging.LogRecord("x", logging.WARNING, "f", 1, "%s", (given,), None)
    WithoutPeople().filter(record)
    assert len(JsonLines().format(record).splitlines()) == 1 or "\u2028" in given or "\x85" in given
    assert json.loads(JsonLines().format(record))["message"] == given


# --- routes -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/", "home"),
        ("/players/12-anna-karlsen/", "players:player"),
        ("/ru/players/12-anna-karlsen/", "players:player"),
        ("/zh-hant/ratings/rapid/", "ratings:list"),
        ("/healthz", "clubrating.ops.health.views.healthz"),
        ("/static/css/club.css", "static"),
        ("/wp-login.php", "unknown"),
    ],
)
def test_a_route_carries_no_name_and_no_language(path: str, route: str) -> None:
    assert route_at(path) == route


# --- the ways out -----------------------------------------------------------------------------------------------
def record_of(name: str, message: str, **extra: object) -> logging.LogRecord:
    record = logging.getLogger(name).makeRecord(name, logging.ERROR, "f", 1, message, (), None, extra=extra)
    assert WithoutPeople().filter(record)
    return record


def test_what_the_server_says_of_a_bad_request_is_said_without_it() -> None:
    found = record_of("gunicorn.error", "Invalid request from ip=198.51.100.77: Invalid HTTP request line: 'GET /anna'")
    assert found.getMessage() == "a request that is none was refused"
    found = record_of("gunicorn.error", "Error handling request /players/12-anna/")
    assert found.getMessage() == "error while answering a request"
    found = record_of("waitress", "Exception while serving /players/12-anna/")
    assert found.getMessage() == "error while answering a request"
    found = record_of("gunicorn.error", "Worker exiting (pid: 7)")
    assert found.getMessage() == "Worker exiting (pid: 7)"


def test_what_is_no_request_of_ours_keeps_its_words() -> None:
    assert record_of("clubrating.backups", "the shelf is full").getMessage() == "the shelf is full"
    assert record_of("django.security.csrf", "Forbidden: /p/anna/").getMessage() == "answered - at -"
    request = HttpRequest()
    request.path_info = "/players/12-anna/"
    found = record_of("django.security.csrf", "Forbidden: /p/anna/", status_code=403, request=request)
    assert found.getMessage() == "answered 403 at players:player"


def test_an_exception_goes_without_its_words_on_the_plain_way_too() -> None:
    try:
        raise BrokenError(NAME)
    except BrokenError:
        record = logging.LogRecord("x", logging.ERROR, "f", 1, "it broke", (), sys.exc_info())
    record.exc_text = NAME  # as another way out leaves it behind
    record.request_id = "abc"
    text = PlainLines().format(record)
    assert NAME not in text
    assert "ERROR x [abc]: it broke" in text
    assert text.endswith("test_records.BrokenError")


def test_causes_that_run_in_a_circle_end() -> None:
    one, other = ValueError("a"), KeyError("b")
    one.__cause__, other.__cause__ = other, one
    assert without_words(one) == "builtins.KeyError\nbuiltins.ValueError"


def test_the_settings_let_nothing_out_past_the_filter() -> None:
    ways = [each for each in LOGGING["handlers"].values() if each["class"] != "logging.NullHandler"]
    assert ways
    assert all(each["filters"] == ["without people"] for each in ways)
    assert LOGGING["loggers"]["django"] == {"handlers": [], "level": "WARNING", "propagate": True}
    assert LOGGING["loggers"]["axes"]["handlers"] == ["nowhere"]
