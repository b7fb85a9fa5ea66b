"""The page of the second reading: blind, by plain form, one save for all boards, and both results where they differ."""

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import AuditEvent
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import carried_out, fields_of, games_of, shown, url
from tournaments.models import Game, Reading, Round, Tournament
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db

W, D, B = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


@pytest.fixture(scope="module", autouse=True)
def cup(arbiter: User) -> Tournament:
    """A cup of five. Both boards of round 1 are entered by the arbiter: 1–0 and ½–½."""
    cup = factory.make_round_robin(factory.make_players(5))
    for game, result in zip(games_of(factory.round_of(cup, 1)), (W, D), strict=True):
        record_result(game=game.pk, result=result, played_on=factory.MONDAY, by=arbiter)
    return cup


@pytest.fixture
def row(cup: Tournament) -> Round:
    return factory.round_of(cup, 1)


@pytest.fixture
def games(row: Round) -> list[Game]:
    return games_of(row)


@pytest.fixture(scope="module")
def assistant(standard: RatingList) -> User:
    return factory.make_assistant()


@pytest.fixture
def door(assistant: User) -> Client:
    """An assistant's browser."""
    browser = Client()
    browser.force_login(assistant)
    return browser


def form(browser: Client, row: Round, read: dict[int, str]) -> dict[str, str]:
    """The page's form with these results chosen, by the game's key."""
    return fields_of(shown(browser, "read", row.pk)) | {f"read-{key}": code for key, code in read.items()}


def asks(how: str) -> None:
    Tournament.objects.update(second_reading=how)


# --- blind -----------------------------------------------------------------------------------------------------------
def test_the_page_is_the_same_whatever_was_entered(desk: Client, row: Round, games: list[Game]) -> None:
    def blanked() -> str:
        html = re.sub(r'name="revision-\d+" value="\d+"', "", shown(desk, "read", row.pk))
        return re.sub(r'csrfmiddlewaretoken" value="\w+"', "", html)

    before = blanked()
    for result in (W, D, B, Result.BLACK_FORFEITS, Result.BOTH_FORFEIT):
        Game.objects.filter(pk=games[0].pk).update(result=result)
        assert blanked() == before, result
    fields = fields_of(shown(desk, "read", row.pk))
    assert {f"revision-{game.pk}": str(game.revision) for game in games}.items() <= fields.items()
    assert not [name for name in fields if name.startswith("read-")], "nothing is chosen beforehand"


def test_only_results_not_read_yet_stand_on_it(desk: Client, cup: Tournament, arbiter: User) -> None:
    row = factory.round_of(cup, 2)
    assert "No result is entered yet." in shown(desk, "read", row.pk)
    first, second = games_of(row)
    record_result(game=second.pk, result=D, played_on=factory.MONDAY, by=arbiter)
    html = shown(desk, "read", row.pk)
    assert f'data-game="{second.pk}" data-board="2"' in html
    assert f'data-game="{first.pk}"' not in html, "an open board has nothing to read"
    assert "0/1 read" in html


# --- read alike ------------------------------------------------------------------------------------------------------
def test_all_boards_are_read_with_one_save(door: Client, row: Round, games: list[Game]) -> None:
    answer = door.post(url("read", row.pk), form(door, row, {}), follow=True)
    assert "Nothing was chosen" in answer.content.decode(), "a board left alone stays to be read"
    assert not Reading.objects.exists()
    posted = form(door, row, {games[0].pk: W, games[1].pk: D})
    html = door.post(url("read", row.pk), posted, follow=True).content.decode()
    assert "2 results are read." in html
    assert "Every result that is entered was read a second time." in html
    assert "2/2 read" in html
    assert {reading.by.username for reading in Reading.objects.all() if reading.by} == {"assistant"}


def test_who_read_what_and_when_stands_below(door: Client, row: Round, games: list[Game]) -> None:
    door.post(url("read", row.pk), form(door, row, {games[0].pk: W}))
    html = shown(door, "read", row.pk)
    assert "1/2 read" in html
    below = html[html.index("Read a second time") :]
    assert "1–0" in below
    assert "assistant" in below
    assert "½" not in below, "the other board is still to be read"
    html = shown(door, "results", row.pk)
    assert f'href="{url("read", row.pk)}">Second reading 1/2</a>' in html, "the entry page tells how many are read"


# --- read otherwise --------------------------------------------------------------------------------------------------
def test_another_result_shows_both_and_asks(door: Client, row: Round, games: list[Game]) -> None:
    answer = door.post(url("read", row.pk), form(door, row, {games[0].pk: B, games[1].pk: D}))
    assert answer.status_code == 409
    html = answer.content.decode()
    assert re.search(r"entered by arbiter at \d\d:\d\d: 1–0; you read 0–1. Which stands\?", html)
    assert "1 result is read." in html, "the other board was read"
    assert [reading.game_id for reading in Reading.objects.all()] == [games[1].pk]
    assert fields_of(html)[f"read-{games[0].pk}"] == "0-1"
    again = door.post(url("read", row.pk), fields_of(html))
    assert again.status_code == 409, "without an answer it asks again"
    assert "Which stands?" in again.content.decode()


def test_what_was_read_stands_and_is_corrected_after_a_look(desk: Client, row: Round, games: list[Game]) -> None:
    html = desk.post(url("read", row.pk), form(desk, row, {games[0].pk: B})).content.decode()
    answer = desk.post(url("read", row.pk), fields_of(html) | {f"stands-{games[0].pk}": "correct"})
    assert answer.status_code == 302
    assert "correct" in answer["Location"]
    assert Game.objects.get(pk=games[0].pk).result == W, "nothing moves before the preview was seen"
    done = carried_out(desk, answer)  # type: ignore[arg-type]
    assert done["Location"] == url("read", row.pk)
    assert Game.objects.get(pk=games[0].pk).result == B
    assert f'data-game="{games[0].pk}"' in shown(desk, "read", row.pk), "the corrected result is to be read anew"


def test_an_assistant_calls_an_arbiter_and_what_was_entered_stands(door: Client, row: Round, games: list[Game]) -> None:
    html = door.post(url("read", row.pk), form(door, row, {games[0].pk: B})).content.decode()
    assert "call an arbiter" in html
    assert 'value="correct"' not in html
    answer = door.post(url("read", row.pk), fields_of(html) | {f"stands-{games[0].pk}": "correct"})
    assert answer.status_code == 409, "a made-up answer corrects nothing"
    assert Game.objects.get(pk=games[0].pk).result == W
    assert not Reading.objects.exists()
    assert door.post(url("read", row.pk), fields_of(html) | {f"stands-{games[0].pk}": "keep"}).status_code == 302
    reading = Reading.objects.get()
    assert (reading.game_id, reading.result) == (games[0].pk, W)
    assert Game.objects.get(pk=games[0].pk).result == W


# --- stale, foreign, nonsense ----------------------------------------------------------------------------------------
def test_a_board_changed_meanwhile_is_not_read(desk: Client, row: Round, games: list[Game]) -> None:
    posted = form(desk, row, {games[0].pk: W, games[1].pk: D})
    correct_result(game=games[0].pk, result=B, by=None)
    answer = desk.post(url("read", row.pk), posted)
    assert answer.status_code == 409
    assert "changed meanwhile: read it again" in answer.content.decode()
    assert [reading.game_id for reading in Reading.objects.all()] == [games[1].pk]


def test_what_stands_is_not_decided_on_an_old_page(desk: Client, row: Round, games: list[Game]) -> None:
    html = desk.post(url("read", row.pk), form(desk, row, {games[0].pk: B})).content.decode()
    correct_result(game=games[0].pk, result=D, by=None)
    for stands in ("keep", "correct"):
        answer = desk.post(url("read", row.pk), fields_of(html) | {f"stands-{games[0].pk}": stands})
        assert answer.status_code == 409, stands
        assert not Reading.objects.exists(), stands
        assert Game.objects.get(pk=games[0].pk).result == D, stands


def test_what_is_no_result_no_board_or_no_revision_saves_nothing(desk: Client, row: Round, games: list[Game]) -> None:
    posted = form(desk, row, {games[0].pk: W})
    for bad in ("", "2-0", "adj", "1-0\x00", "x" * 5000, "½"):
        answer = desk.post(url("read", row.pk), posted | {f"read-{games[1].pk}": bad})
        assert answer.status_code == 400, bad
        assert "no result that can be read" in answer.content.decode(), bad
    for name in ("read-999999", "read-x", "read-", "read-١", "revision-999999", "stands--1"):
        assert desk.post(url("read", row.pk), posted | {name: "1-0"}).status_code == 400, name
    for revision in ("", "-1", "x", "9" * 40, "٣"):
        answer = desk.post(url("read", row.pk), posted | {f"revision-{games[0].pk}": revision})
        assert answer.status_code == 409, revision
    assert not Reading.objects.exists()


# --- who -------------------------------------------------------------------------------------------------------------
def test_ones_own_results_are_left_to_somebody_else(desk: Client, door: Client, row: Round, games: list[Game]) -> None:
    asks("other")
    html = shown(desk, "read", row.pk)
    assert "2 results were entered by you: somebody else reads them. Boards: 1, 2" in html
    assert "data-game" not in html
    fields = {f"read-{games[0].pk}": "1-0", f"revision-{games[0].pk}": str(games[0].revision)}
    assert desk.post(url("read", row.pk), fields).status_code == 409
    assert not Reading.objects.exists()
    assert "data-game" in shown(door, "read", row.pk)


def test_it_works_where_the_event_asks_for_no_reading(desk: Client, row: Round, games: list[Game]) -> None:
    asks("")
    assert desk.post(url("read", row.pk), form(desk, row, {games[0].pk: W})).status_code == 302
    assert Reading.objects.count() == 1


def test_of_an_event_others_run_nothing_is_read(desk: Client, cup: Tournament, row: Round, games: list[Game]) -> None:
    cup.officers.add(factory.make_arbiter("somebody-else"))
    assert desk.get(url("read", row.pk)).status_code == 403
    assert desk.post(url("read", row.pk), {f"read-{games[0].pk}": "1-0"}).status_code == 403
    assert not AuditEvent.objects.filter(action="result.read").exists()
    assert desk.get(url("read", 10**6)).status_code == 404


def test_an_assistant_is_offered_no_page_he_may_not_open(door: Client, desk: Client, row: Round) -> None:
    to_event = url("change", row.stage.tournament_id)
    assert to_event in shown(desk, "read", row.pk)
    assert to_event not in shown(door, "read", row.pk)


def test_every_game_of_a_match_is_read(desk: Client) -> None:
    knockout = factory.make_knockout(factory.first_players(2), games=2)
    match = factory.match_of(knockout, 1, 1)
    played = [factory.play_match(match, W), factory.play_match(match, D)]
    html = shown(desk, "read", factory.round_of(knockout, 1).pk)
    assert [f'data-game="{game.pk}"' in html for game in played] == [True, True]
    assert "game 2" in html


def test_the_page_costs_the_same_for_many_boards(desk: Client) -> None:
    costs = []
    for count in (4, 8):
        event = factory.make_round_robin(factory.make_players(count), name=f"Cup {count}")
        asks("other")
        games = factory.play_round(event, 1, [W] * (count // 2))
        fields = {f"read-{games[0].pk}": "1-0", f"revision-{games[0].pk}": str(games[0].revision)}
        desk.post(url("read", factory.round_of(event, 1).pk), fields)
        with CaptureQueriesContext(connection) as seen:
            shown(desk, "read", factory.round_of(event, 1).pk)
        costs.append(len(seen))
    assert costs[0] == costs[1] <= 20, costs
