"""The address decides the language; the browser's wish is only offered."""

from datetime import date

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import override

from clubrating.days import FORMATS, KINDS, day_text
from clubrating.languages import path_in, plain_path
from players.models import Club
from tests.visitor import Page

pytestmark = pytest.mark.django_db
CODES = [code for code, _name in settings.LANGUAGES]


@pytest.mark.parametrize("code", CODES)
def test_the_address_decides_the_language(client: Client, club: Club, code: str) -> None:
    response = client.get(path_in("/players/", code), headers={"Accept-Language": "zh-TW"})
    assert response.status_code == 200
    assert f'<html lang="{code}">' in response.text
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
    ],
)
def test_the_language_is_taken_off_a_path(path: str, plain: str) -> None:
    assert plain_path(path) == plain


def test_links_of_a_page_stay_in_its_language(client: Client, club: Club) -> None:
    page = Page(client.get("/zh-hans/players/").text)
    own = [href for href, _words in page.links]
    assert "/zh-hans/ratings/" in own


def test_every_language_writes_every_kind_of_day() -> None:
    assert set(FORMATS) == set(CODES)
    written = {}
    for code in CODES:
        with override(code):
            written[code] = [day_text(date(2026, 11, 14), kind) for kind in KINDS]
    assert written["en"][:4] == ["14 Nov 2026", "14 November 2026", "Saturday 14 November 2026", "Sat 14 Nov"]
    assert written["ru"][:4] == ["14.11.2026", "14 ноября 2026 г.", "Суббота, 14 ноября 2026 г.", "Сб, 14 ноября"]
    assert written["zh-hans"][0] == "2026年11月14日"
    assert day_text(None) == "–"
