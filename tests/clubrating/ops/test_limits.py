"""How large a request may be, and how often expensive pages are made for one address."""

import re
from dataclasses import replace

import pytest
from django import forms
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from pytest_django import Settings

from clubrating.ops import limits
from clubrating.ops.limits import CHEAP, EXPENSIVE, LARGEST, LARGEST_OF_OFFICERS, Allowance, allowance_of
from clubrating.web.rate_limits import READERS
from players.models import Club
from ratings.models import RatingList
from tests import factory
from tests.desk_scene import client_of
from tests.live import TOKEN
from tests.routes import routes
from tests.test_architecture import MODULES
from tournaments.corrections.services.uploads import LARGEST as LARGEST_FILE

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _limits_on(settings: Settings) -> None:
    settings.RATE_LIMITS = True


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of each in a minute, so that a test need not ask three hundred times."""
    few = {
        route: Allowance(replace(each.rate_limit, tries=2), each.routes) for each in EXPENSIVE for route in each.routes
    }
    monkeypatch.setattr(limits, "_BY_ROUTE", few)


def names() -> set[str]:
    return {route.name for route in routes() if route.pattern.name}


def test_every_route_of_the_list_is_there() -> None:
    there, listed = names(), [route for each in EXPENSIVE for route in each.routes]
    spaces = {f"{name.partition(':')[0]}:*" for name in there if ":" in name}
    assert set(listed) <= there | spaces
    assert there >= CHEAP
    assert len(listed) == len(set(listed))


def test_every_tool_every_noun_of_the_api_the_lab_and_every_file_is_in_the_list() -> None:
    wanted = {name for name in names() if name.startswith(("tools:", "api:", "lab:"))}
    cheap = {name for name in wanted if allowance_of(name) is None}
    by_token = {"token", "result", "correction", "withdrawal", "check-in", "absence"}  # counted by their tokens
    assert cheap == {"tools:index", "api:index", "lab:cancel", *(f"api:{name}" for name in by_token)}
    assert all(allowance_of(name) for name in files())


def files() -> set[str]:
    """Routes of files with rows of a whole list, event or season. (A calendar has a line a round.)"""
    kinds = r"\.(csv|json|pgn|trf|\(\?P<kind>)"
    return {route.name for route in routes() if re.search(kinds, str(route.pattern.pattern).replace("\\", ""))}


def test_the_scan_sees_the_files() -> None:
    assert {"ratings:json", "tournaments:file", "tournaments:games", "seasons:file"} <= files()


def test_readers_are_never_counted_in_the_database() -> None:
    assert {each.rate_limit.kept_in for each in EXPENSIVE} == {READERS}


def test_a_hall_full_of_people_is_not_stopped() -> None:
    """A hundred people behind one address: three calculators, three opponents, two reasons each within a minute. Fifty
    members, whose pages are made for each, in the lab."""
    tries = {each.rate_limit.name: each.rate_limit.tries for each in EXPENSIVE}
    assert all(each.rate_limit.seconds == 60 for each in EXPENSIVE)
    assert tries["calculators"] >= 300
    assert tries["head-to-head"] >= 300
    assert tries["why-pairing"] >= 200
    assert tries["builders"] >= 60
    assert tries["api"] >= 600
    assert tries["lab"] >= 200
    assert tries["diary"] >= 50
    assert tries["files"] >= 200


@pytest.mark.usefixtures("two")
def test_too_many_are_told_to_wait_and_others_are_not(client: Client, club: Club) -> None:
    for _ in range(2):
        assert client.get("/tools/elo/").status_code == 200
    refused = client.get("/ru/tools/expected/")  # the same door in another language
    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "60"
    assert refused.headers["Cache-Control"] == "no-store"
    assert '<html lang="ru"' in refused.text
    assert "X-Request-ID" in refused.headers
    assert "Wait 60 seconds" in client.get("/tools/elo/").text
    assert client.get("/tools/schedule/").status_code == 200
    assert client.get("/tools/").status_code == 200
    assert client.get("/tools/elo/", REMOTE_ADDR="192.0.2.9").status_code == 200


@pytest.mark.usefixtures("two")
def test_a_program_is_told_in_json(client: Client, club: Club) -> None:
    answers = [client.get("/api/v1/tournaments/", headers={"If-None-Match": "x"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[-1].json() == {"error": "Too many requests: ask again in 60 seconds."}


@pytest.mark.usefixtures("two")
def test_pages_that_were_kept_cost_nothing(client: Client, standard: RatingList, settings: Settings) -> None:
    settings.CACHES = {
        **settings.CACHES,
        "pages": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "limits"},
    }
    first = client.get("/api/v1/ratings/")
    for _ in range(5):
        assert client.get("/api/v1/ratings/").status_code == 200
        again = client.get("/api/v1/ratings/", headers={"If-None-Match": first.headers["ETag"]})
        assert again.status_code == 304
    assert client.get("/api/v1/players/").status_code == 200
    assert client.get("/api/v1/tournaments/").status_code == 429


@pytest.mark.usefixtures("two")
def test_head_to_head_and_the_reasons_of_a_pairing_are_counted(client: Client, standard: RatingList) -> None:
    one, other, third = factory.make_players(3)
    pages = [f"/players/{one.slug}/vs/{each.slug}/" for each in (other, third)]
    assert [client.get(page).status_code for page in (*pages, pages[0])] == [200, 200, 429]
    why = "/tournaments/no-such/rounds/1/why/1/"
    assert [client.get(why).status_code for _ in range(3)] == [404, 404, 429]


@pytest.mark.extended
@pytest.mark.usefixtures("two")
def test_the_lab_and_whole_files_are_counted(client: Client, standard: RatingList) -> None:
    diary = [f"/lab/diary/?x={number}" for number in range(3)]  # a query makes another page of it
    assert [client.get(page).status_code for page in diary] == [200, 200, 429]
    rows = ["/ratings/standard/list.csv", "/ratings/standard/list.json", "/tournaments/no-such/games.pgn"]
    assert [client.get(page).status_code for page in rows] == [200, 200, 429]
    assert client.get("/lab/system/").status_code == 200


@pytest.mark.usefixtures("two")
def test_where_the_site_is_measured_nothing_is_counted(client: Client, club: Club) -> None:
    with override_settings(RATE_LIMITS=False):
        assert {client.get("/tools/elo/").status_code for _ in range(4)} == {200}


# --- sizes ----------------------------------------------------------------------------------------------------
def test_a_body_that_is_too_large_is_refused_before_it_is_read(client: Client, club: Club) -> None:
    answer = client.post("/members/", {"pass_phrase": "x" * LARGEST})
    assert answer.status_code == 413
    assert "That is too large" in answer.text
    assert "488.3\xa0KB" in answer.text
    for size, status in ((LARGEST, 200), (LARGEST + 1, 413)):
        assert client.generic("POST", "/members/", b"x" * size).status_code == status


def test_officers_send_files(club: Club) -> None:
    chief = client_of(factory.make_administrator())
    for size, status in ((LARGEST * 2, 200), (LARGEST_OF_OFFICERS, 413)):
        file = SimpleUploadedFile("x.csv", b"x" * size)
        assert chief.post("/admin/tournaments/tournament/entries/", {"file": file}).status_code in (status, 302, 404)
    assert LARGEST_OF_OFFICERS > LARGEST_FILE + 500_000


def test_large_files_are_sent_to_the_administration_only() -> None:
    """Every form with a file is one of the desk's, but that of clubs' lists: there half a megabyte is plenty."""
    with_files = {module.name for module in MODULES if "FileField(" in module.path.read_text(encoding="utf-8")}
    assert {name for name in with_files if "admin" not in name.split(".")} == {"clubrating.site.one_scale.forms"}
    assert issubclass(forms.FileField, forms.Field)


def test_a_form_that_is_too_large_without_its_file_is_413(club: Club) -> None:
    chief = client_of(factory.make_administrator())
    with override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=1000):
        answer = chief.post("/admin/backups/download/", {"name": "x" * 2000})
    assert answer.status_code == 413
    assert "1000\xa0bytes" in answer.text


def test_more_fields_than_a_form_has_are_400(client: Client, club: Club) -> None:
    answer = client.post("/members/", {f"f{number}": "1" for number in range(1001)})
    assert answer.status_code == 400
    assert "This request cannot be answered" in answer.text
    assert client.post("/members/", {f"f{number}": "1" for number in range(999)}).status_code == 200


def test_more_files_than_anybody_sends_are_400(client: Client, club: Club) -> None:
    files = {f"f{number}": SimpleUploadedFile(f"{number}", b"x") for number in range(11)}
    assert client.post("/members/", files).status_code == 400


@pytest.mark.parametrize("length", ["", "-5", "many", "٣"])
def test_a_length_that_is_none_means_nothing_is_read(client: Client, club: Club, length: str) -> None:
    answer = client.generic("POST", "/members/", b"pass_phrase=x", CONTENT_LENGTH=length)
    assert answer.status_code in (200, 400)


def test_a_token_of_the_forms_is_not_needed_to_be_refused() -> None:
    """Size comes before everything a form is checked for."""
    client = Client(enforce_csrf_checks=True)
    assert client.post("/members/", {"csrfmiddlewaretoken": TOKEN, "x": "x" * LARGEST}).status_code == 413
