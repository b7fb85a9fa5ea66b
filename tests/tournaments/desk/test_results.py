"""Entering results at the desk: what is saved, what is refused, and what two arbiters at once do to each other."""

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import AuditEvent
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import carried_out, fields_of, games_of, shown, shown_form, url
from tests.tournaments.swiss_events import make_swiss
from tournaments.models import Round, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result
from tournaments.verification.services import read_result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time", "cup")]


@pytest.fixture
def row(cup: Tournament) -> Round:
    return factory.round_of(cup, 1)


def test_boards_left_alone_stay_as_they_are(desk: Client, row: Round) -> None:
    desk.post(url("results", row.pk), shown_form(desk, row) | {"board-2": "0-1"})
    assert [game.result for game in games_of(row)] == ["", "0-1"]
    answer = desk.post(url("results", row.pk), shown_form(desk, row), follow=True)
    assert "Nothing was changed" in answer.content.decode()
    assert AuditEvent.objects.filter(action__startswith="result.").count() == 1


@pytest.mark.extended
def test_every_key_can_be_chosen(desk: Client, cup: Tournament) -> None:
    codes = [code.value for code in Result if code and code not in ("W", "D", "L", "adj")]
    rows = [row for row in cup.stages.get().rounds.all() for _board in range(2)]
    for row, board, code in zip(rows, (1, 2) * 5, codes, strict=False):
        html = desk.get(url("results", row.pk)).content.decode()
        assert f'value="{code}"' in html
        answer = desk.post(url("results", row.pk), fields_of(html) | {f"board-{board}": code})
        assert (answer.status_code, games_of(row)[board - 1].result) == (302, code)


def test_a_result_can_be_cleared(desk: Client, cup: Tournament, row: Round, standard: RatingList) -> None:
    factory.play_round(cup, 1, [Result.DRAW, Result.DRAW])
    answer = desk.post(url("results", row.pk), shown_form(desk, row) | {"board-1": ""})
    assert [game.result for game in games_of(row)] == ["1/2", "1/2"], "first it is shown what that moves"
    assert carried_out(desk, answer)["Location"] == url("results", row.pk)
    assert [game.result for game in games_of(row)] == ["", "1/2"]
    assert check_list(standard) == []


def test_a_wrong_day_can_be_put_right_for_the_whole_round(
    desk: Client, cup: Tournament, row: Round, standard: RatingList
) -> None:
    factory.play_round(cup, 1, [Result.DRAW, Result.WHITE_WINS])
    form = shown_form(desk, row) | {"played_on": "2026-01-06", "move_day": "on"}
    assert carried_out(desk, desk.post(url("results", row.pk), form)).status_code == 302
    assert {game.played_on for game in games_of(row)} == {date(2026, 1, 6)}
    assert check_list(standard) == []


def test_a_board_without_a_result_is_not_moved(desk: Client, row: Round) -> None:
    first, second = games_of(row)
    record_result(game=first.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    form = shown_form(desk, row) | {"played_on": "2026-01-06", "move_day": "on"}
    assert carried_out(desk, desk.post(url("results", row.pk), form)).status_code == 302
    second.refresh_from_db()
    assert (games_of(row)[0].played_on, second.played_on) == (date(2026, 1, 6), None)


def test_a_round_planned_for_later_is_entered_for_today(desk: Client) -> None:
    far = factory.make_round_robin(factory.first_players(4), name="Far", first_day=date(2190, 1, 1))
    row = factory.round_of(far, 1)
    desk.post(url("results", row.pk), shown_form(desk, row) | {"board-1": "1-0"})
    played_on = games_of(row)[0].played_on
    assert played_on is not None
    assert played_on < date(2190, 1, 1)


def test_rounds_and_results_of_an_event_that_is_over_are_offered_its_last_day(desk: Client) -> None:
    """Else an event entered afterwards would be rated today."""
    stage = make_swiss(factory.first_players(4), rounds=3, name="Last spring")
    Tournament.objects.filter(pk=stage.tournament_id).update(starts_on="2025-04-04", ends_on="2025-04-06")
    assert 'name="day" value="2025-04-06"' in shown(desk, "next_round", stage.pk)
    pair_next_round(stage, by=None, publish=True)
    assert 'name="played_on" value="2025-04-06"' in shown(desk, "results", stage.rounds.get().pk)


def test_a_stale_board_keeps_the_other_arbiters_result_and_the_rest_is_saved(desk: Client, row: Round) -> None:
    form = shown_form(desk, row)
    other = User.objects.create_user("petra", first_name="Petra", last_name="Arb", is_staff=True)
    first, _ = games_of(row)
    entered = record_result(game=first.pk, result=Result.WHITE_WINS, played_on=factory.MONDAY, by=other)
    reader = User.objects.create_user("otto", is_staff=True)
    read_result(game=first.pk, result=Result.WHITE_WINS, by=reader, revision=entered.revision)

    answer = desk.post(url("results", row.pk), form | {"board-1": "1/2", "board-2": "0-1"})
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "Petra Arb entered 1–0" in html
    assert "You had chosen ½–½" in html
    assert "1 board is saved" in html
    assert [game.result for game in games_of(row)] == ["1-0", "0-1"]

    # The page that came back knows the new state: choosing again is a correction.
    carried_out(desk, desk.post(url("results", row.pk), fields_of(html) | {"board-1": "1/2"}))
    assert games_of(row)[0].result == "1/2"


def test_a_stale_correction_is_not_saved(desk: Client, cup: Tournament, row: Round) -> None:
    factory.play_round(cup, 1, [Result.DRAW, Result.DRAW])
    form = shown_form(desk, row)
    correct_result(game=games_of(row)[0].pk, result=Result.WHITE_WINS, by=None)
    assert desk.post(url("results", row.pk), form | {"board-1": "0-1"}).status_code == 409
    assert games_of(row)[0].result == "1-0"


def test_what_somebody_else_entered_troubles_nobody_who_left_it_alone_or_agrees(desk: Client, row: Round) -> None:
    form = shown_form(desk, row)
    record_result(game=games_of(row)[0].pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    assert desk.post(url("results", row.pk), form | {"board-2": "1-0"}).status_code == 302
    assert [game.result for game in games_of(row)] == ["1/2", "1-0"]
    assert desk.post(url("results", row.pk), form | {"board-1": "1/2"}).status_code == 302


def test_a_bye_is_told_in_words_and_a_result_for_it_refused(desk: Client, row: Round) -> None:
    bye = factory.bye_of(row)
    html = desk.get(url("results", row.pk)).content.decode()
    assert "bye" in html[html.index(f'id="board-{bye.board}"') :]
    answer = desk.post(url("results", row.pk), fields_of(html) | {"board-1": "1-0", f"board-{bye.board}": "1-0"})
    assert answer.status_code == 400
    assert f"Board {bye.board} is a bye" in answer.content.decode()
    assert [game.result for game in games_of(row)] == ["", ""]


def test_a_form_that_is_not_ours_changes_nothing(desk: Client, cup: Tournament, row: Round) -> None:
    form = shown_form(desk, row) | {"board-2": "1-0"}
    foreign = games_of(factory.round_of(cup, 2))[0]
    for extra in (
        {"board-99": "1-0"}, {"board-x": "1-0"}, {"board-": ""}, {"board-1": "2-0"}, {"was-٣": "1-0"},
        {"board-99999999999999999999": "1-0"}, {"board-1": "1-0", "revision-999999": "0"},
        {f"revision-{foreign.pk}": "0"},  # a game of another round
    ):  # fmt: skip
        answer = desk.post(url("results", row.pk), form | extra)
        assert answer.status_code == 400, extra
        assert 'role="alert"' in answer.content.decode(), extra
        assert [game.result for game in games_of(row)] == ["", ""], extra
    assert desk.post(url("results", row.pk), {"board-1": "1-0", "played_on": "2026-01-05"}).status_code == 409
    assert games_of(row)[0].result == ""


def test_a_wrong_day_saves_nothing_and_says_so(desk: Client, row: Round) -> None:
    form = shown_form(desk, row) | {"board-1": "1-0"}
    for day in ("", "soon", "2190-01-01", "1700-01-01"):
        answer = desk.post(url("results", row.pk), form | {"played_on": day})
        assert answer.status_code in (200, 409), day
        assert 'role="alert"' in answer.content.decode(), day
        assert [game.result for game in games_of(row)] == ["", ""], day


def test_the_results_page_asks_as_much_for_six_boards_as_for_three(desk: Client) -> None:
    factory.make_players(7)
    small = factory.make_round_robin(factory.first_players(6), name="Small")
    large = factory.make_round_robin(factory.first_players(12), name="Large")
    counts = []
    for tournament in (small, large):
        with CaptureQueriesContext(connection) as queries:
            desk.get(url("results", factory.round_of(tournament, 1).pk))
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] <= 32


# --- a slip of the key --------------------------------------------------------------------------------------------
@pytest.fixture
def tonight(standard: RatingList) -> Round:
    """A round that is played today, with a draw on the first board."""
    cup = factory.make_round_robin(factory.first_players(4), name="Tonight", first_day=factory.today())
    row = factory.round_of(cup, 1)
    record_result(game=games_of(row)[0].pk, result=Result.DRAW, played_on=factory.today(), by=None)
    return row


def test_a_slip_is_put_right_or_cleared_by_saving_again(desk: Client, tonight: Round, standard: RatingList) -> None:
    answer = desk.post(url("results", tonight.pk), shown_form(desk, tonight) | {"board-1": "1-0", "board-2": "0-1"})
    assert answer["Location"] == url("results", tonight.pk)
    assert [game.result for game in games_of(tonight)] == ["1-0", "0-1"]
    assert check_list(standard) == []
    desk.post(url("results", tonight.pk), shown_form(desk, tonight) | {"board-1": ""})
    assert [game.result for game in games_of(tonight)] == ["", "0-1"]


def test_saving_keeps_to_the_open_boards(desk: Client, tonight: Round) -> None:
    address = url("results", tonight.pk) + "?show=open"
    fields = fields_of(desk.get(address).content.decode())
    assert not any(name.startswith("board-1") for name in fields)
    assert desk.post(address, fields | {"board-2": "1-0"})["Location"] == address
    assert "No board is open." in desk.get(address).content.decode()


def test_an_assistant_moves_no_day(client: Client, tonight: Round) -> None:
    client.force_login(factory.make_assistant())
    html = client.get(url("results", tonight.pk)).content.decode()
    assert 'name="move_day"' not in html
    answer = client.post(url("results", tonight.pk), fields_of(html) | {"move_day": "on", "board-2": "1-0"})
    assert answer.status_code == 302
    assert games_of(tonight)[0].revision == 1


# --- matches of several games ---------------------------------------------------------------------------------------
def test_a_form_that_knew_the_game_before_enters_nothing_into_the_next(desk: Client) -> None:
    cup = factory.make_knockout(factory.first_players(2), first_day=factory.today(), games=2)
    row = factory.round_of(cup, 1)
    form = shown_form(desk, row)
    record_result(game=games_of(row)[0].pk, result=Result.DRAW, played_on=factory.today(), by=None)
    answer = desk.post(url("results", row.pk), form | {"board-1": "1-0"})
    assert "/correct/" in answer["Location"], "what was meant for the first game is shown as its correction"
    assert [game.result for game in games_of(row)] == ["1/2", ""]
    assert desk.post(url("results", row.pk), form | {"board-1": "1/2"}).status_code == 302
    assert [game.result for game in games_of(row)] == ["1/2", ""]


def test_of_a_match_the_last_game_is_moved_to_another_day(desk: Client) -> None:
    cup = factory.make_knockout(factory.first_players(2), first_day=factory.MONDAY, games=2)
    row = factory.round_of(cup, 1)
    for day, result in ((5, Result.DRAW), (12, Result.WHITE_WINS)):
        record_result(game=games_of(row)[-1].pk, result=result, played_on=date(2026, 1, day), by=None)
    form = shown_form(desk, row) | {"played_on": "2026-01-13", "move_day": "on"}
    assert carried_out(desk, desk.post(url("results", row.pk), form)).status_code == 302
    assert [game.played_on for game in games_of(row)] == [date(2026, 1, 5), date(2026, 1, 13)]
