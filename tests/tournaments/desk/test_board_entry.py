"""One board at a time: what a keystroke saves, what two arbiters at once do to each other, and what is no keystroke."""

import json
import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import AuditEvent
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import games_of, url
from tournaments.models import Game, Pairing, Reading, Round, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.admin import keystrokes
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]


@pytest.fixture(scope="module", autouse=True)
def made(standard: RatingList) -> Tournament:
    return factory.make_round_robin(factory.make_players(5), first_day=factory.today())


@pytest.fixture
def row(made: Tournament) -> Round:
    """Two boards and a bye, played today."""
    return factory.round_of(made, 1)


@pytest.fixture
def first(row: Round) -> Game:
    return games_of(row)[0]


def press(desk: Client, game: Game, result: str, **other: Any) -> HttpResponse:
    """A keystroke on the board of a game, as its page knows it."""
    values = {"game": game.pk, "revision": game.revision, "result": result, "played_on": "", **other}
    row = Round.objects.get(pairings__games=game)
    return send(desk, row, json.dumps(values))


def send(desk: Client, row: Round, body: str) -> HttpResponse:
    return desk.post(url("board", row.pk), body, content_type="application/json")  # type: ignore[return-value]


def now(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def drawn(answer: HttpResponse) -> str:
    """The only board of an answer, as it is drawn."""
    (html,) = json.loads(answer.content)["boards"].values()
    return str(html)


def entered_by(username: str, game: Game, result: Result) -> User:
    other = factory.make_arbiter(username)
    record_result(game=game.pk, result=result, played_on=factory.today(), by=other, revision=game.revision)
    return other


# --- what is saved ------------------------------------------------------------------------------------------------
def test_a_keystroke_saves_its_board_and_tells_how_far_the_round_is(
    desk: Client, first: Game, standard: RatingList
) -> None:
    answer = press(desk, first, "1-0")
    values = json.loads(answer.content)
    assert (answer.status_code, values["entered"], values["games"]) == (200, 1, 2)
    assert values["words"] == "1 of 2 results entered"
    assert values["todo"] is None
    assert "✓ saved" in drawn(answer)
    assert f'data-revision="{now(first).revision}"' in drawn(answer)
    assert (now(first).result, now(first).played_on) == ("1-0", factory.today())
    assert check_list(standard) == []
    day = factory.today()
    assert press(desk, first, "1-0", played_on=day.isoformat()).status_code == 200
    answer = press(desk, games_of(first.pairing.round)[1], "1-0", played_on=(day - timedelta(days=2)).isoformat())  # type: ignore[arg-type]
    assert answer.status_code == 400
    assert "The event began on" in json.loads(answer.content)["words"]


def test_a_key_pressed_again_changes_nothing_another_replaces_and_an_empty_one_clears(
    desk: Client, first: Game, standard: RatingList
) -> None:
    press(desk, first, "1-0")
    stands = now(first)
    assert press(desk, stands, "1-0").status_code == 200
    assert now(first).revision == stands.revision
    assert press(desk, first, "1-0").status_code == 200, "an answer was lost: sent again with the old revision"
    assert AuditEvent.objects.filter(subject_kind="game").count() == 1
    assert press(desk, now(first), "0-1").status_code == 200
    seen = now(first)
    assert seen.result == "0-1"
    assert ">open</span>" in drawn(press(desk, seen, ""))
    assert now(first).result == ""
    answer = press(desk, seen, "1-0")
    assert (answer.status_code, now(first).result) == (409, ""), "a cleared board is stale too"
    assert check_list(standard) == []


def test_an_adjourned_game_is_open_until_it_ends(desk: Client, first: Game, standard: RatingList) -> None:
    answer = press(desk, first, "adj")
    assert json.loads(answer.content)["entered"] == 0
    assert ">adjourned</span>" in drawn(answer)
    assert press(desk, now(first), "1/2").status_code == 200
    assert now(first).result == "1/2"
    assert check_list(standard) == []


def test_the_last_board_says_what_comes_next(desk: Client, row: Round) -> None:
    for game in games_of(row):
        answer = press(desk, game, "1-0")
    todo = json.loads(answer.content)["todo"]
    assert todo["words"]
    assert desk.get(todo["url"]).status_code == 200


def test_a_key_for_the_game_before_never_enters_the_next(desk: Client) -> None:
    cup = factory.make_knockout(factory.first_players(2), first_day=factory.today(), games=2)
    game = games_of(factory.round_of(cup, 1))[0]
    for _time in range(2):  # the first answer may have been lost on its way
        again = press(desk, game, "1-0")
        assert again.status_code == 200
    assert f'data-game="{Game.objects.get(number=2).pk}"' in drawn(again), "the next game takes the board"
    assert "game 2" in drawn(again)
    answer = press(desk, game, "0-1")
    assert answer.status_code == 409
    html = drawn(answer)
    assert "The next game stands on this board by now; game 1 has 1–0." in html
    assert "Keep 1–0" in html
    assert 'data-do="instead"' not in html, "the next game would have it"
    assert (now(game).result, Game.objects.get(number=2).result) == ("1-0", "")
    (preview,) = re.findall(r'<a href="([^"]+)">See what it would move', html)
    assert "0–1" in desk.get(unescape(preview)).content.decode()


def test_an_upset_is_marked_and_saved(desk: Client, row: Round, standard: RatingList) -> None:
    game = games_of(row)[0]
    bring_starting_ratings(standard, [NewStart(game.white_id, factory.MONDAY, 2700, 60)], by=None)
    bring_starting_ratings(standard, [NewStart(game.black_id, factory.MONDAY, 1300, 60)], by=None)
    row.stage.tournament.entries.filter(player=game.white_id).update(rating=2700, rating_list="standard")
    row.stage.tournament.entries.filter(player=game.black_id).update(rating=1300, rating_list="standard")
    answer = press(desk, game, "0-1")
    assert answer.status_code == 200
    assert 'data-mark="upset"' in drawn(answer)
    assert 'data-mark="upset"' in desk.get(url("results", row.pk)).content.decode()


def test_a_second_reading_shows_until_the_result_changes(desk: Client, first: Game) -> None:
    press(desk, first, "1-0")
    Reading.objects.create(game=first, revision=now(first).revision, result="1-0")
    assert "read ✓✓" in drawn(desk.get(url("board", first.pairing.round_id or 0), {"boards": first.pairing.board}))  # type: ignore[arg-type]
    assert "read ✓✓" not in drawn(press(desk, now(first), "0-1"))


# --- two at once --------------------------------------------------------------------------------------------------
def test_the_second_of_two_is_told_whose_result_stands(desk: Client, first: Game, row: Round) -> None:
    entered_by("petra", first, Result.WHITE_WINS)
    answer = press(desk, first, "1-0")
    assert answer.status_code == 200
    assert "entered by petra" in drawn(answer)
    assert re.search(r"✓ entered by petra \d\d:\d\d", desk.get(url("results", row.pk)).content.decode())
    answer = press(desk, first, "0-1")
    assert answer.status_code == 409
    assert now(first).result == "1-0"
    html = drawn(answer)
    assert "petra entered 1–0 at" in html
    assert "Keep 1–0" in html
    assert "Enter 0–1 instead" in html
    again = press(desk, now(first), "0-1")
    assert (again.status_code, now(first).result) == (200, "0-1"), "now it is a choice"


def test_what_rests_on_a_result_leads_to_the_preview(desk: Client, first: Game, row: Round) -> None:
    press(desk, first, "1-0")
    later = games_of(factory.round_of(row.stage.tournament, 2))[0]
    press(desk, later, "1-0", played_on=factory.today().isoformat())
    answer = press(desk, now(first), "0-1")
    assert answer.status_code == 409
    assert now(first).result == "1-0"
    assert "Round 2 has results already." in drawn(answer)
    assert "/admin/tournaments/game/correct/?c=" in drawn(answer)


# --- what others entered ------------------------------------------------------------------------------------------
def states(desk: Client, row: Round, **headers: str) -> HttpResponse:
    return desk.get(url("board", row.pk), headers=headers)  # type: ignore[arg-type, return-value]


def test_nothing_new_costs_a_few_bytes(desk: Client, first: Game, row: Round) -> None:
    before = states(desk, row)
    assert set(json.loads(before.content)["states"]) == {"1", "2"}, "the bye never changes"
    assert states(desk, row, if_none_match=before["ETag"]).status_code == 304
    press(desk, first, "1-0")
    after = states(desk, row, if_none_match=before["ETag"])
    assert after.status_code == 200
    assert json.loads(after.content)["states"]["2"] == json.loads(before.content)["states"]["2"]
    assert json.loads(after.content)["states"]["1"] != json.loads(before.content)["states"]["1"]
    html = desk.get(url("results", row.pk)).content.decode()
    for known in json.loads(states(desk, row).content)["states"].values():
        assert f'data-known="{known}"' in html
    bye = factory.bye_of(row).board
    answer = desk.get(url("board", row.pk), {"boards": f"2,{bye},99,x,,-1,99999999999999"})
    assert set(json.loads(answer.content)["boards"]) == {"2", str(bye)}


# --- who may ------------------------------------------------------------------------------------------------------
def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_an_assistant_enters_and_mends_and_is_sent_nowhere_he_may_not_go(row: Round, first: Game) -> None:
    assistant = client_of(factory.make_assistant())
    assert press(assistant, first, "1-0").status_code == 200
    assert press(assistant, now(first), "0-1").status_code == 200
    press(assistant, games_of(factory.round_of(row.stage.tournament, 2))[0], "1-0")
    answer = press(assistant, now(first), "1-0")
    assert answer.status_code == 409
    assert "An arbiter has to do it." in drawn(answer)
    assert "/correct/" not in drawn(answer)
    assert now(first).result == "0-1"


def test_an_assistant_who_enters_the_last_result_is_led_no_further(row: Round) -> None:
    assistant = client_of(factory.make_assistant())
    steps = [press(assistant, game, "1-0").json()["todo"] for game in games_of(row)]
    assert len(steps) > 1
    assert not any(steps)


def test_an_assistant_sees_no_link_and_no_form_leads_to_a_page_he_may_not_open(row: Round, first: Game) -> None:
    record_result(game=first.pk, result=Result.DRAW, played_on=factory.today(), by=None)
    Game.objects.filter(pk=first.pk).update(played_on=factory.MONDAY)
    assistant = client_of(factory.make_assistant())
    fields = {f"revision-{first.pk}": now(first).revision, f"was-{first.pk}": "1/2", "board-1": "1-0"}
    answer = assistant.post(url("results", row.pk), fields)
    assert answer.status_code == 409
    assert "an arbiter has to change it" in answer.content.decode()
    assert now(first).result == "1/2"
    html = assistant.get(url("results", row.pk)).content.decode()
    links = {part.split('"')[0] for part in html.split('href="/admin/')[1:]}
    assert links
    for link in links:
        assert assistant.get(f"/admin/{link}").status_code == 200, link


def test_nobody_else_reads_or_writes_a_board_nor_without_the_pages_token(first: Game, row: Round) -> None:
    row.stage.tournament.officers.add(factory.make_arbiter("petra"))
    for client, status in ((Client(), 302), (client_of(factory.make_arbiter("otto")), 403)):
        assert press(client, first, "1-0").status_code == status
        assert states(client, row).status_code == status
    assert now(first).result == ""
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(factory.make_arbiter("strict"))
    assert press(strict, first, "1-0").status_code == 403
    assert now(first).result == ""


# --- what is no keystroke -----------------------------------------------------------------------------------------
def test_what_is_no_keystroke_is_refused_with_a_sentence(desk: Client, first: Game, row: Round) -> None:
    foreign = games_of(factory.round_of(row.stage.tournament, 2))[0]
    right = {"game": first.pk, "revision": 0, "result": "1-0"}
    wrong: tuple[dict[str, object], ...] = (
        {"result": None}, {"result": "2-0"}, {"result": "1-0" * 400}, {"revision": -1}, {"revision": True},
        {"game": str(first.pk)}, {"game": first.pk + 0.5}, {"game": 10**30}, {"game": foreign.pk},
        {"played_on": 7}, {"played_on": "2190-01-01"}, {"played_on": "soon\ud800"},
    )  # fmt: skip
    bodies: list[object] = ["", "{", "[" * 900, "\x00", [], None, {"game": first.pk}, *(right | each for each in wrong)]
    for body in bodies:
        answer = send(desk, row, body if isinstance(body, str) else json.dumps(body))
        assert answer.status_code == 400, body
        assert json.loads(answer.content)["words"], body
        assert not Game.objects.exclude(result="").exists(), body
    body = json.dumps(right)
    assert send(desk, row, body + " " * (keystrokes.MOST_BYTES - len(body))).status_code == 200


def test_other_methods_and_boards_that_are_not_there_are_refused(desk: Client, row: Round, first: Game) -> None:
    assert desk.put(url("board", row.pk), "{}").status_code == 405
    assert desk.get(url("board", 987654)).status_code == 404
    Pairing.objects.filter(pk=first.pairing_id).update(superseded=True)
    assert press(desk, first, "1-0").status_code == 400


# --- what it costs ------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_a_keystroke_asks_as_much_for_six_boards_as_for_three(desk: Client) -> None:
    counts = []
    for count in (6, 12):
        event = factory.make_round_robin(factory.make_players(count), name=f"{count}", first_day=factory.today())
        games = games_of(factory.round_of(event, 1))
        press(desk, games[1], "1-0")
        with CaptureQueriesContext(connection) as entering:
            assert press(desk, games[0], "1-0").status_code == 200
        with CaptureQueriesContext(connection) as changing:
            assert press(desk, now(games[0]), "0-1").status_code == 200
        with CaptureQueriesContext(connection) as looking:
            assert states(desk, factory.round_of(event, 1)).status_code == 200
        counts.append([len(queries) for queries in (entering, changing, looking)])
    assert counts[0] == counts[1]
    assert all(count <= most for count, most in zip(counts[0], (64, 88, 24), strict=True)), counts[0]


def test_a_board_is_jumped_to_and_open_ones_are_shown_without_script(desk: Client, row: Round, first: Game) -> None:
    page = url("results", row.pk)
    for asked in ("2", "0002"):
        assert desk.get(page, {"to": asked})["Location"] == f"{page}#board-2", asked
    for asked in ("", "x", "-1", "٣", "²"):
        assert desk.get(page, {"to": asked}).status_code == 200, f"{asked} is no board"
    press(desk, first, "1-0")
    html = desk.get(url("results", row.pk), {"show": "open"}).content.decode()
    assert 'id="board-1"' not in html
    assert 'id="board-2"' in html
    assert "1/2</b>" in html
