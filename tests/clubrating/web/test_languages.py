"""The address decides the language; the browser's wish is only offered."""

import re
from datetime import UTC, date, datetime
from urllib.parse import unquote, urljoin, urlsplit
from zoneinfo import ZoneInfo

import pytest
from django import forms
from django.conf import settings
from django.test import Client, RequestFactory
from django.utils import timezone
from django.utils.translation import override

from clubrating.ops.errors import server_error
from clubrating.web.formatting import FORMATS, KINDS, day_text, span_text
from clubrating.web.languages import path_in, plain_path
from players.models import Club
from tests.visitor import Page

pytestmark = pytest.mark.django_db
CODES = [code for code, _name in settings.LANGUAGES]


@pytest.mark.parametrize("code", CODES)
def test_the_address_decides_the_language(client: Client, club: Club, code: str) -> None:
    response = client.get(path_in("/players/", code), headers={"Accept-Language": "zh-TW"})
    assert response.status_code == 200
    assert f'<html lang="{code}"' in response.text
    assert 'href="/players/" lang="en"' in response.text
    assert 'href="/ru/players/" lang="ru"' in response.text


def test_what_is_read_by_programs_has_one_address(client: Client, club: Club) -> None:
    assert client.get("/healthz/").status_code == 200
    assert client.get("/ru/healthz/").status_code == 404


@pytest.mark.parametrize(
    ("wish", "offered"),
    [("ru-RU,ru;q=0.9,en;q=0.8", "ru"), ("zh-CN,zh;q=0.9", "zh-hans"), ("zh-TW", "zh-hant"), ("zh-HK", "zh-hant")],
)
def test_a_wish_for_another_language_is_one_line_with_the_same_page(
    client: Client, club: Club, wish: str, offered: str
) -> None:
    response = client.get("/players/?q=ann", headers={"Accept-Language": wish})
    assert f'<p class="offer"><a href="/{offered}/players/?q=ann" lang="{offered}"' in response.text
    assert "Accept-Language" in response.headers["Vary"]


@pytest.mark.parametrize("wish", ["en-GB,en;q=0.9", "fr-FR", "de", "*", "", "x" * 5000, ";;q=,"])
def test_who_reads_english_or_none_of_ours_is_offered_nothing(client: Client, club: Club, wish: str) -> None:
    assert "offer" not in client.get("/players/", headers={"Accept-Language": wish}).text


def test_english_is_offered_on_the_other_pages(client: Client, club: Club) -> None:
    page = client.get("/ru/players/", headers={"Accept-Language": "en"}).text
    assert '<p class="offer"><a href="/players/" lang="en" hreflang="en">Read this page in English</a>' in page


@pytest.mark.parametrize(
    ("path", "plain"),
    [
        ("/ru/ratings/", "/ratings/"),
        ("/ru/", "/"),
        ("/", "/"),
        ("/ru", "/ru"),
        ("/en/x/", "/en/x/"),
        ("/rus/", "/rus/"),
        ("/ru//evil.example/", "/evil.example/"),
        ("/ru///evil.example/", "/evil.example/"),
        ("//evil.example/", "/evil.example/"),
    ],
)
def test_the_language_is_taken_off_a_path(path: str, plain: str) -> None:
    assert plain_path(path) == plain


@pytest.mark.parametrize(
    "path",
    ["/ru//evil.example/", "//evil.example/", "/ru/%5Cevil.example/", "/%5Cevil.example/", "/ru/%09/evil.example/"],
)
def test_no_page_that_is_not_there_leads_to_another_host(client: Client, club: Club, path: str) -> None:
    """The editions of an address anybody may make up. A browser takes a backslash for a slash and leaves a tab out."""
    text = client.get("/x", PATH_INFO=unquote(path)).text
    found = [href for href, _words in Page(text).links if "evil.example" in href]
    assert len(found) >= len(CODES)
    for href in found:
        assert re.match(r"/[^/\\\s]", href), href
        assert urlsplit(urljoin("https://club.example/", href)).netloc == "club.example"


def test_an_edition_keeps_what_must_be_written_otherwise(client: Client, club: Club) -> None:
    text = client.get("/x", PATH_INFO="/players/100% ?#/").text
    assert 'href="/ru/players/100%25%20%3F%23/"' in text


def test_links_of_a_page_stay_in_its_language(client: Client, club: Club) -> None:
    page = Page(client.get("/zh-hans/players/").text)
    own = [href for href, _words in page.links]
    assert "/zh-hans/ratings/" in own


def test_every_language_writes_every_kind_of_day() -> None:
    assert set(FORMATS) == set(CODES)
    written = {}
    for code in CODES:
        with override(code):
            written[code] = [day_text(datetime(2026, 11, 14, 20, 15, tzinfo=UTC), kind) for kind in KINDS]
    assert written["en"][:4] == ["14 Nov 2026", "14 November 2026", "Saturday 14 November 2026", "Sat 14 Nov"]
    assert written["ru"][:4] == ["14.11.2026", "14 ноября 2026 г.", "Суббота, 14 ноября 2026 г.", "сб, 14 ноября"]
    assert written["ru"][-2:] == ["суббота, 14 ноября 2026 г., 21:15", "сб, 14.11.2026"]
    assert written["zh-hans"][0] == "2026年11月14日"
    assert [written[code][-3] for code in CODES[:3]] == ["14 Nov, 21:15", "14 ноября, 21:15", "11月14日 21:15"]
    assert day_text(None) == "–"


def test_a_moment_is_written_in_the_club_s_time() -> None:
    with timezone.override(ZoneInfo("Asia/Shanghai")):
        assert day_text(datetime(2026, 11, 14, 20, 15, tzinfo=UTC), "when") == "15 Nov 2026, 04:15"


@pytest.mark.parametrize(
    ("last", "english", "russian", "chinese"),
    [
        (date(2026, 11, 14), "14 November 2026", "14 ноября 2026 г.", "2026年11月14日"),
        (date(2026, 11, 16), "14 to 16 November 2026", "14–16 ноября 2026 г.", "2026年11月14日至16日"),
        (
            date(2026, 12, 2),
            "14 November to 2 December 2026",
            "14 ноября – 2 декабря 2026 г.",
            "2026年11月14日至12月2日",
        ),
        (
            date(2027, 1, 2),
            "14 November 2026 to 2 January 2027",
            "14 ноября 2026 г. – 2 января 2027 г.",
            "2026年11月14日至2027年1月2日",
        ),
    ],
)
def test_the_days_of_an_event_say_nothing_twice(last: date, english: str, russian: str, chinese: str) -> None:
    written = []
    for code in ("en", "ru", "zh-hans"):
        with override(code):
            written.append(span_text(date(2026, 11, 14), last))
    assert written == [english, russian, chinese]


@pytest.mark.parametrize("code", CODES)
def test_a_day_is_typed_alike_in_every_language(code: str) -> None:
    with override(code):
        assert forms.DateField().clean("2026-11-14") == date(2026, 11, 14)
        assert forms.DateInput().format_value(date(2026, 11, 14)) == "2026-11-14"


@pytest.mark.parametrize(("code", "home"), [("en", "/"), ("ru", "/ru/")])
def test_even_a_failure_is_told_in_the_language_of_the_page(code: str, home: str) -> None:
    with override(code):
        page = server_error(RequestFactory().get(home)).content.decode()
    assert f'<html lang="{code}"' in page
    assert f'href="{home}"' in page
    assert ("Something went wrong" in page) == (code == "en")
