"""Results: recorded once, corrected with a reason, never over somebody else's, always with their ratings."""

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction

from players.models import AuditEvent
from players.services.refusals import Refused, Stale
from ratings.models import LedgerEntry, PlayerRating, RatingList
from tests import factory
from tournaments.models import Game, Pairing, Seat, Tournament
from tournaments.services.results import correct_result, game_on_board, notation, record_result
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]


@pytest.fixture
def cup(standard: RatingList) -> Tournament:
    """Three players: one board and one bye a round."""
    return factory.make_round_robin(factory.make_players(3))


@pytest.fixture
def game(cup: Tournament) -> Game:
    return game_on_board(factory.round_of(cup, 1), 1)


def test_a_result_for_a_bye_is_refused(cup: Tournament) -> None:
    with pytest.raises(Refused, match="Board 2 is a bye"):
        game_on_board(factory.round_of(cup, 1), 2)


def test_a_board_that_does_not_exist_is_named(cup: Tournament) -> None:
    with pytest.raises(Refused, match="Round 1 has no board 9"):
        game_on_board(factory.round_of(cup, 1), 9)


def test_a_second_first_result_is_refused_and_says_what_stands(game: Game) -> None:
    record_result(game=game.pk, result=Result.WHITE_WINS, played_on=factory.MONDAY, by=None)
    with pytest.raises(Stale, match="1–0"):
        record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    game.refresh_from_db()
    assert game.result == Result.WHITE_WINS


def test_a_stale_form_is_refused_and_changes_nothing(game: Game) -> None:
    record_result(game=game.pk, result=Result.WHITE_WINS, played_on=factory.MONDAY, by=None, revision=0)
    before = PlayerRating.objects.values_list("player_id", "rating")
    with pytest.raises(Stale, match="Somebody else entered 1–0 here meanwhile"):
        correct_result(game=game.pk, result=Result.DRAW, by=None, revision=0)
    assert list(PlayerRating.objects.values_list("player_id", "rating")) == list(before)


def test_a_result_needs_a_day_that_has_come(game: Game) -> None:
    with pytest.raises(Refused, match="future"):
        record_result(game=game.pk, result=Result.DRAW, played_on=factory.today() + timedelta(days=1), by=None)
    with pytest.raises(Refused, match="check the year"):
        record_result(game=game.pk, result=Result.DRAW, played_on=date(206, 1, 1), by=None)


def test_nothing_to_correct_and_nothing_changed_are_said(game: Game) -> None:
    with pytest.raises(Refused, match="no result yet"):
        correct_result(game=game.pk, result=Result.DRAW, by=None)
    record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    with pytest.raises(Refused, match="Nothing was changed"):
        correct_result(game=game.pk, result=Result.DRAW, by=None)


def test_every_change_leaves_one_audit_event_with_who_what_and_why(game: Game) -> None:
    arbiter = factory.make_arbiter()
    record_result(game=game.pk, result=Result.WHITE_WINS, played_on=factory.MONDAY, by=arbiter)
    correct_result(game=game.pk, result=Result.DRAW, by=arbiter, reason="appeal", note="score sheets compared")
    corrected, recorded = AuditEvent.objects.filter(subject_kind="game")
    assert (recorded.action, recorded.after["result"]) == ("result.recorded", "1-0")
    assert (corrected.action, corrected.before["result"], corrected.after["result"]) == (
        "result.corrected",
        "1-0",
        "1/2",
    )
    assert (corrected.actor, corrected.role, corrected.reason) == (arbiter, "arbiter", "appeal")


def test_a_failed_rating_takes_the_result_back_too(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("disk full")

    monkeypatch.setattr("tournaments.services.results.rerate", fail)
    with pytest.raises(RuntimeError), transaction.atomic():
        record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    game.refresh_from_db()
    assert game.result == ""
    assert not AuditEvent.objects.filter(subject_kind="game").exists()
    assert not LedgerEntry.objects.exists()


@pytest.mark.parametrize(
    ("code", "written"),
    [(Result.WHITE_WINS, "1–0"), (Result.DRAW, "½–½"), (Result.BLACK_FORFEITS, "+ −"), (Result.BOTH_FORFEIT, "− −")],
)
def test_results_are_written_as_the_field_does(code: Result, written: str) -> None:
    assert notation(code) == written


# --- what the database itself refuses -----------------------------------------------------------------------
def test_two_pairings_on_one_board_are_refused_by_the_database(cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Pairing.objects.create(stage=row.stage, round=row, board=1)


def test_a_second_seat_in_a_round_is_refused_by_the_database(cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    seat = Seat.objects.filter(round=row).first()
    assert seat is not None
    other = Pairing.objects.create(stage=row.stage, round=row, board=9)
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(pairing=other, round=row, entry=seat.entry, colour="w")


def test_a_game_against_oneself_is_refused_by_the_database(game: Game) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(black=game.white_id)


def test_an_unknown_result_code_is_refused_by_the_database(game: Game) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(result="2-0", played_on=factory.MONDAY, sequence=1)


def test_a_result_without_its_place_in_time_is_refused_by_the_database(game: Game) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(result="1-0")
