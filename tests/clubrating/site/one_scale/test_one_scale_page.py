"""The page for captains: files in, the answer on the page and as files; what is wrong at its file; nothing is kept."""

import re
from html import unescape
from urllib.parse import unquote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubrating.ground.figures import signed
from clubrating.ops.limits import LARGEST
from clubrating.site.one_scale.combined import Shift, as_csv, combine
from clubrating.site.one_scale.inputs import Most, read_inputs
from clubrating.site.one_scale.views import MOST, ClubRow
from players.models import Club
from tests import factory
from tests.clubrating.site.one_scale import club_files
from tests.clubrating.site.one_scale.club_files import ON, Files, bridges, keys, two_clubs

pytestmark = pytest.mark.django_db
PAGE = "/tools/one-scale/"


@pytest.fixture(scope="module")
def files() -> Files:
    return two_clubs()


@pytest.fixture(scope="module", autouse=True)
def club(world: None) -> Club:
    return factory.make_club()


def send(client: Client, files: Files, prefix: str = "", **changed: bytes) -> str:
    sent = {name: SimpleUploadedFile(f"{name}.csv", data) for name, data in {**files, **changed}.items() if data}
    answer = client.post(prefix + PAGE, sent)
    assert answer.status_code == 200
    return " ".join(unescape(answer.text).split())


def test_the_shift_the_next_games_the_list_and_its_files_stand_on_the_page(client: Client, files: Files) -> None:
    page = send(client, files)
    combined = combine(read_inputs(files, today=ON, most=Most()))
    shift = combined.shifts[1]
    assert f"Add {signed(shift.shift)} to every rating of club B" in page
    game = combined.next_games[0]
    assert f'{game.key}</span> – <span class="nowrap">{game.other_key}</span>' in page
    assert page.count("<tr><td") == len(combined.rows) + len(combined.next_games)
    (address,) = re.findall(r'href="data:text/csv;charset=utf-8,([^"]+)" download="one-scale-2026-06-30.csv"', page)
    assert unquote(address) == as_csv(combined)
    assert "Lovelace" not in page
    assert page.count("Give or take (95 %)") == 1, "of the shifts, not of members"


@pytest.mark.parametrize(
    ("apart", "assumed", "low", "warning"),
    [
        (0.0, 0.5, 10.0, "More than half of this is an assumption"),
        (-150.0, 0.05, 10.0, "seem far apart"),
        (149.0, 0.3, -10.0, "It is still open"),
        (400.0, 0.04, 10.0, ""),
    ],
)
def test_what_is_not_to_be_trusted_yet_is_said(apart: float, assumed: float, low: float, warning: str) -> None:
    row = ClubRow(Shift("B", 9, 9, 100, apart, 50.0, 30.0, low, 110.0, assumed))
    assert warning in row.warning
    assert bool(row.warning) == bool(warning)


def test_a_third_club_and_members_of_two_clubs_are_told(client: Client, files: Files) -> None:
    usual, games = club_files.club(2, preset="club", games=120)
    third = keys(*[f"C,{number},c-{number}" for number in range(2, 10)], "C,1,a-1")
    more = {"list_c": usual, "games_c": games, "keys": third}
    page = send(client, files, **more)
    assert "to every rating of club C" in page
    assert "<td>A C</td>" in page
    assert "because its rules look at years of birth: the list of club C." in page


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"games_b": b""}, "This field is required."),
        ({"list_c": b"x"}, "Choose the games of this club too."),
        ({"games_d": b"x"}, "Choose the list of this club too."),
        ({"list_b": b"\xff\xfe"}, "not UTF-8"),
        ({"list_b": b"# settings: [\n# digest: x\n"}, "cannot be used"),
        ({"keys": keys("A,8,<script>alert(1)</script>")}, "line 20: “<script>alert(1)</script>” is no key"),
        ({"bridges": bridges("2026-06-01,a-1,a-2,1")}, "line 2: both play for the same club"),
        ({"bridges": bridges(*["x,y,z,1"] * 20)}, "and 12 more"),
        (
            {"bridges": bridges(*[f"2026-06-{n % 25 + 1:02d},a-{n // 25 + 1},b-2,1" for n in range(MOST.bridges + 1)])},
            "There are 201 bridge games",
        ),
    ],
)
def test_what_is_wrong_stands_at_its_file(
    client: Client, files: Files, changed: dict[str, bytes], sentence: str
) -> None:
    page = send(client, files, **changed)
    assert sentence in page
    assert "One list of all clubs" not in page
    assert "<script>alert" not in client.post(PAGE, {"keys": "<script>alert(1)</script>"}).text


def test_it_asks_the_database_nothing_of_its_own(
    client: Client, files: Files, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.get(PAGE)
    with django_assert_max_num_queries(4):
        send(client, files)


def test_more_than_half_a_megabyte_is_refused_unread_and_a_form_of_another_site_too(files: Files) -> None:
    large = {"keys": SimpleUploadedFile("keys.csv", b"x" * LARGEST)}
    assert Client().post(PAGE, large).status_code == 413
    assert Client(enforce_csrf_checks=True).post(PAGE, {}).status_code == 403


def test_captains_and_readers_are_led_to_it(client: Client) -> None:
    for page in ("/tools/", "/tools/elo/", "/search/?q=clubs+on+one"):
        assert f'href="{PAGE}"' in client.get(page).text, page
