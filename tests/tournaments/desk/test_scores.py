"""Scores of games of two: typed in the board's field, in the form or as keystrokes; the result follows from them."""

import json

import pytest
from django.http import HttpResponse
from django.test import Client

from players.models import AuditEvent
from tests import factory
from tests.tournaments.admin_pages import carried_out, games_of, shown_form, url
from tournaments.corrections.services.board_changes import exchange_results
from tournaments.corrections.services.corrections import commit_at_once, undo_of
from tournaments.models import Game, Round, Tournament
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result, agrees, read_score, result_of_score

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time", "cup")]


@pytest.fixture
def row(cup: Tournament) -> Round:
    Tournament.objects.filter(pk=cup.pk).update(scores="goals")
    row = factory.round_of(cup, 1)
    Round.objects.filter(pk=row.pk).update(planned_on=factory.today())  # what is fresh is replaced at once
    return row


def stands(row: Round, board: int = 1) -> tuple[str, int | None, int | None]:
    game = games_of(row)[board - 1]
    return game.result, game.white_points, game.black_points


def post(desk: Client, row: Round, **typed: str) -> HttpResponse:
    fields = {name.replace("_", "-"): value for name, value in typed.items()}
    return desk.post(url("results", row.pk), shown_form(desk, row) | fields)


def press(desk: Client, row: Round, result: str, score: object = None) -> HttpResponse:
    game = games_of(row)[0]
    values = {"game": game.pk, "revision": game.revision, "result": result}
    values |= {} if score is None else {"score": score}
    return desk.post(url("board", row.pk), json.dumps(values), content_type="application/json")


@pytest.mark.parametrize(
    ("typed", "low_wins", "expected"),
    [
        ("21-15", False, ("1-0", 21, 15)),
        (" 2 : 11 ", False, ("0-1", 2, 11)),
        ("3 3", False, ("1/2", 3, 3)),
        ("21–15", True, ("0-1", 21, 15)),
    ],
)
def test_the_result_follows_from_the_score(
    desk: Client, row: Round, typed: str, low_wins: bool, expected: tuple[str, int, int]
) -> None:
    Tournament.objects.update(low_score_wins=low_wins)
    assert post(desk, row, score_1=typed).status_code == 302
    assert (stands(row), stands(row, 2)) == (expected, ("", None, None))
    page = Client().get(f"/tournaments/{row.stage.tournament.slug}/rounds/1/").content.decode()
    assert f'<span class="alt">{expected[1]}–{expected[2]}</span>' in page
    event = AuditEvent.objects.get(action="result.recorded")
    assert event.after["score"] == f"{expected[1]}-{expected[2]}"
    other = games_of(row)[1]
    assert press(desk, row, "", "5-4").status_code == 200
    assert stands(row) == ("0-1" if low_wins else "1-0", 5, 4)
    assert Game.objects.get(pk=other.pk).result == ""


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"score_1": "21-15", "board_1": "0-1"}, "21-15 contradicts 0–1: type the right score"),
        ({"score_1": "21-15", "board_1": "+-"}, "21-15 contradicts + −"),
        ({"score_1": "many"}, "“many” is no score: write White’s and Black’s as whole numbers, like 21-15."),
        ({"score_1": "1-99999999"}, "is no score"),
    ],
)
def test_a_score_that_is_none_or_contradicts_is_refused_by_board_and_the_others_saved(
    desk: Client, row: Round, typed: dict[str, str], sentence: str
) -> None:
    answer = post(desk, row, score_2="3-1", **typed)
    assert answer.status_code == 409
    assert sentence in answer.content.decode()
    assert f'value="{typed["score_1"]}"' in answer.content.decode(), "what was typed is there to be mended"
    assert (stands(row), stands(row, 2)) == (("", None, None), ("1-0", 3, 1))


def test_another_result_needs_another_score_and_what_is_not_played_has_none(desk: Client, row: Round) -> None:
    post(desk, row, score_1="21-15")
    answer = press(desk, row, "0-1")
    assert (answer.status_code, stands(row)) == (409, ("1-0", 21, 15))
    assert "21-15 contradicts 0–1" in json.loads(answer.content)["boards"]["1"]
    assert press(desk, row, "", "").status_code == 200
    assert stands(row) == ("1-0", None, None)
    assert press(desk, row, "", "15-21").status_code == 200
    assert stands(row) == ("0-1", 15, 21)
    assert press(desk, row, "-+").status_code == 200
    assert stands(row) == ("-+", None, None)


def test_a_correction_says_which_score_it_writes_and_is_taken_back_with_it(desk: Client, row: Round) -> None:
    post(desk, row, score_1="21-15", score_2="4-4")
    Game.objects.filter(pairing__round=row).update(played_on=factory.MONDAY)
    answer = post(desk, row, score_1="21-19")
    assert "21-15 → 21-19" in desk.get(answer["Location"]).content.decode()
    assert stands(row) == ("1-0", 21, 15)
    carried_out(desk, answer)
    assert stands(row) == ("1-0", 21, 19)
    event = AuditEvent.objects.get(action="result.corrected")
    assert (event.before["score"], event.after["score"]) == ("21-15", "21-19")
    change = undo_of(event)
    assert change is not None
    commit_at_once(change, by=None, reason="entry-error")
    assert stands(row) == ("1-0", 21, 15)


def test_scores_go_with_results_that_were_exchanged(desk: Client, row: Round) -> None:
    post(desk, row, score_1="21-15", score_2="10-21")
    here, there = games_of(row)[:2]
    exchange_results(game=here.pk, other=there.pk, mirror=True, by=None, reason="board")
    assert (stands(row), stands(row, 2)) == (("1-0", 21, 10), ("0-1", 15, 21))
    correct_result(game=there.pk, result=Result.OPEN, by=None)
    exchange_results(game=here.pk, other=there.pk, mirror=False, by=None, reason="board")
    assert (stands(row), stands(row, 2)) == (("", None, None), ("1-0", 21, 10))


@pytest.mark.parametrize("score", [7, 0, [], ["21-15"], "x" * 2000])
def test_a_keystroke_that_is_no_text_is_refused(desk: Client, row: Round, score: object) -> None:
    assert press(desk, row, "", score).status_code == 400
    assert stands(row) == ("", None, None)


def test_an_event_without_scores_has_no_field_and_takes_none(desk: Client, cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    assert "score-1" not in shown_form(desk, row)
    answer = press(desk, row, "", "21-15")
    assert answer.status_code == 409
    assert "keeps no scores" in json.loads(answer.content)["boards"]["1"]


def test_penalties_leave_the_score_to_the_arbiter() -> None:
    assert agrees(Result.NO_POINTS, (3, 1), low_wins=False)
    assert agrees(Result.WHITE_WINS_UNRATED, (3, 1), low_wins=False)
    assert not agrees(Result.WHITE_WINS_UNRATED, (3, 1), low_wins=True)
    assert (read_score(" "), read_score("1000000-0")) == (None, (1_000_000, 0))
    for much in ("1000001-0", "0-1000001"):
        with pytest.raises(ValueError, match="is no score"):
            read_score(much)
    assert result_of_score((0, 0), low_wins=True) == Result.DRAW
