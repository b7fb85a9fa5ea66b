"""Unchanged pages are answered 304, or as they were made before; whatever changes a page changes its stamp."""

import gzip
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubrating import settings as clubs_own
from clubrating.web.page_cache import LARGEST_KEPT, club_now, stamp_of
from clubrating.web.readings import COOKIE, READINGS
from players.club.services import update_club
from players.models import AuditEvent, Player, Visibility
from players.people.services import update_player
from ratings.lists.services import change_list
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tournaments.models import Game, Tournament
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.rebuilding import rebuild_list
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
PAGES = ("/", "/ratings/standard/", "/players/", "/tournaments/", "/tournaments/winter-cup/", "/ru/ratings/standard/")


@pytest.fixture(autouse=True)
def kept_pages(settings: Any) -> None:
    """As in the running club: pages are kept in memory."""
    kept = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "tests"}
    settings.CACHES = {**settings.CACHES, "pages": kept}
    caches["pages"].clear()


standard = club_and_list


@pytest.fixture(scope="module")
def cup(standard: RatingList) -> Tournament:
    cup = factory.make_round_robin(factory.make_players(4))
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    return cup


def stamp() -> str:
    return stamp_of(club_now())


@pytest.mark.parametrize("path", PAGES)
def test_whoever_has_the_page_is_told_so_and_the_next_visitor_gets_it_as_it_was_made(
    client: Client, cup: Tournament, path: str
) -> None:
    first = client.get(path)
    assert first.status_code == 200
    with CaptureQueriesContext(connection) as queries:
        again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert len(queries) == 1
    with CaptureQueriesContext(connection) as queries:
        again = Client().get(path)
    assert again.content == first.content
    assert len(queries) == 1
    for name in ("Content-Type", "ETag", "Content-Security-Policy", "Cache-Control"):
        assert again.headers[name] == first.headers[name]
    assert {"Cookie", "Accept-Language"} <= {name.strip() for name in again.headers["Vary"].split(",")}


def test_a_packed_page_is_kept_packed(client: Client, cup: Tournament) -> None:
    plain = client.get("/ratings/standard/")
    packed = client.get("/ratings/standard/", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    for answer in (plain, packed, Client().get("/ratings/standard/")):
        assert int(answer.headers["Content-Length"]) == len(answer.content)
    again = client.get(
        "/ratings/standard/", headers={"Accept-Encoding": "gzip", "If-None-Match": f"W/{plain.headers['ETag']}"}
    )
    assert again.status_code == 304


def open_game() -> int:
    return Game.objects.filter(result="")[0].pk


def played_game() -> int:
    return Game.objects.exclude(result="")[0].pk


CHANGES: dict[str, Callable[[], object]] = {
    "a result": lambda: record_result(game=open_game(), result=Result.DRAW, by=None, played_on=factory.today()),
    "a correction": lambda: correct_result(game=played_game(), result=Result.BLACK_WINS, by=None, reason="appeal"),
    "a person who wants to be hidden": lambda: update_player(
        Player.objects.earliest("pk").pk, {"visibility": Visibility.HIDDEN}, by=None
    ),
    "the club's name": lambda: update_club({"name": "Another"}, by=None),
    "a published list": lambda: publish_list(RatingList.objects.get(), factory.today(), by=None),
    "a rebuilt list": lambda: rebuild_list(RatingList.objects.get()),
    "a list's name": lambda: change_list(RatingList.objects.get(), {"name": "Long games"}, by=None),
    "another event": lambda: factory.make_round_robin(factory.make_players(2), name="Another cup"),
}


@pytest.mark.extended
@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_whatever_changes_a_page_changes_the_stamp(cup: Tournament, change: Callable[[], object]) -> None:
    before = stamp()
    assert stamp() == before
    change()
    assert stamp() != before


def test_a_line_with_a_key_given_before_and_a_restored_trail_change_the_stamp(cup: Tournament) -> None:
    """Of two transactions the one that got its key first may end last; a backup gives its keys a second time."""
    last = AuditEvent.objects.latest("pk").pk
    line = {"action": "club.looked-at", "subject_kind": "club", "subject_key": 1}
    for number in range(1, 202):
        AuditEvent.objects.create(pk=last + 2 * number, **line)
    before = stamp()
    AuditEvent.objects.create(pk=last + 2 * 201 - 1, **line)
    assert stamp() != before
    before = stamp()
    AuditEvent._base_manager.update(at=timezone.now() - timedelta(days=1))
    assert stamp() != before


def test_a_result_is_on_the_very_next_page(client: Client, cup: Tournament) -> None:
    before = client.get("/tournaments/winter-cup/standings/")
    record_result(game=open_game(), result=Result.WHITE_WINS, by=None, played_on=factory.today())
    after = client.get("/tournaments/winter-cup/standings/", headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200
    assert after.content != before.content


def test_another_day_is_another_page(client: Client, cup: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    before = stamp()
    monkeypatch.setattr("clubrating.web.page_cache.timezone.localdate", lambda **_zone: date(2030, 1, 1))
    assert stamp() != before


def test_a_session_gets_pages_of_its_own(client: Client, cup: Tournament) -> None:
    """What the public was given is not for the member, nor the member's for the public."""
    hidden = Player.objects.earliest("pk")
    update_player(hidden.pk, {"visibility": Visibility.MEMBERS}, by=None)
    public = client.get("/players/")
    update_club({"pass_phrase": "open sesame"}, by=None)
    member = Client()
    member.post("/members/", {"pass_phrase": "open sesame"})
    seen = member.get("/players/")
    assert hidden.name in seen.text
    assert "ETag" not in seen.headers
    assert "no-store" in seen.headers["Cache-Control"]
    assert hidden.name not in public.text
    assert hidden.name not in Client().get("/players/").text


def test_a_page_is_kept_for_the_host_and_for_how_it_was_asked(client: Client, cup: Tournament, settings: Any) -> None:
    """What stands on it leads to that host, is a part of a page, or names people otherwise."""
    settings.ALLOWED_HOSTS = ["*"]
    asked: list[dict[str, Any]] = [{}, {"secure": True}, {"headers": {"Host": "club.example"}}]
    asked.append({"headers": {"HX-Request": "true"}})
    tags = [client.get("/ratings/standard/", **how).headers["ETag"] for how in asked]
    client.cookies[COOKIE] = READINGS
    tags.append(client.get("/ratings/standard/").headers["ETag"])
    assert len(set(tags)) == len(asked) + 1


def test_a_form_with_its_token_is_made_for_one_visitor(client: Client, cup: Tournament) -> None:
    assert "ETag" not in client.get("/members/").headers


def test_the_cookie_of_a_form_makes_nobody_known(client: Client, cup: Tournament) -> None:
    public = client.get("/players/")
    client.cookies[settings.CSRF_COOKIE_NAME] = "x" * 32
    assert client.get("/players/").content == public.content
    assert client.get("/players/", headers={"If-None-Match": public.headers["ETag"]}).status_code == 304


def test_who_brings_any_other_cookie_gets_a_page_of_their_own(client: Client, cup: Tournament) -> None:
    assert "ETag" in client.get("/players/").headers
    client.cookies["something"] = "else"
    assert "ETag" not in client.get("/players/").headers


def test_a_wish_for_another_language_is_another_page(client: Client, cup: Tournament) -> None:
    plain = client.get("/players/")
    offered = client.get("/players/", headers={"Accept-Language": "ru", "If-None-Match": plain.headers["ETag"]})
    assert offered.status_code == 200
    assert 'class="offer"' in offered.text


def test_refusals_are_not_kept(client: Client, cup: Tournament) -> None:
    assert "ETag" not in client.get("/tournaments/nothing/").headers
    assert "ETag" not in client.get("/ratings/standard/?on=never").headers


def test_a_great_page_is_not_kept(client: Client, cup: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    page = client.get("/ratings/standard/", headers={"Accept-Encoding": "gzip"})
    for most, is_kept in ((len(page.content), True), (len(page.content) - 1, False), (10, False)):
        caches["pages"].clear()
        monkeypatch.setattr("clubrating.web.page_cache.LARGEST_KEPT", most)
        answer = client.get("/ratings/standard/")
        assert (answer.status_code, "ETag" in answer.headers) == (200, is_kept)
        assert gzip.decompress(page.content) == answer.content


def test_however_many_pages_are_made_up_memory_is_bounded(client: Client, cup: Tournament) -> None:
    """Each way to ask for a page is kept as a page of its own, once, packed."""
    most = clubs_own.CACHES["pages"]["OPTIONS"]["MAX_ENTRIES"]
    assert most * LARGEST_KEPT < 64 * 2**20
    size = len(client.get("/about/glossary/").content)
    for number in range(3):
        client.get(f"/about/glossary/?x={number}")
    held = [len(value) for value in caches["pages"]._cache.values()]
    assert len(held) == 4
    assert max(held) < size / 2


@pytest.mark.parametrize("path", ["/admin/", "/account/", "/healthz/", "/tools/elo/"])
def test_the_desk_the_doors_and_what_needs_no_database_take_no_part(client: Client, cup: Tournament, path: str) -> None:
    assert "ETag" not in client.get(path).headers
