"""Results: recorded once, corrected with a reason, never over somebody else's, always with their ratings."""

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction

from players.models import AuditEvent
from players.refusals import Refused, Stale
from ratings.models import LedgerEntry, PlayerRating, RatingList
from tests import factory
from tournaments.knockouts.services.brackets import redraw_bracket
from tournaments.models import Game, Pairing, Seat, Tournament
from tournaments.results.services.results import (
    EARLIEST_DAY,
    check_day,
    correct_result,
    game_on_board,
    notation,
    record_result,
)
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]


@pytest.fixture
def cup(standard: RatingList) -> Tournament:
    """Three players: one board and one bye a round."""
    return factory.make_round_robin(factory.make_players(3))


@pytest.fixture
def game(cup: Tournament) -> Game:
    return game_on_board(factory.round_of(cup, 1), 1)


def test_a_result_for_a_bye_or_a_board_that_does_not_exist_is_refused(cup: Tournament) -> None:
    for board, words in ((2, "Board 2 is a bye"), (9, "Round 1 has no board 9")):
        with pytest.raises(Refused, match=words):
            game_on_board(factory.round_of(cup, 1), board)
    knockout = factory.make_knockout(factory.first_players(3))
    with pytest.raises(Refused, match="Board 1 waits for its players"):
        game_on_board(factory.round_of(knockout, 2), 1)


def test_a_board_drawn_again_is_the_one_that_is_played(cup: Tournament) -> None:
    knockout = factory.make_knockout(factory.first_players(2))
    redraw_bracket(factory.stage_of(knockout), by=None, reason="other", seed=1)
    assert Pairing.objects.filter(stage__tournament=knockout, board=1).count() == 2
    assert not game_on_board(factory.round_of(knockout, 1), 1).pairing.superseded


def test_after_a_draw_the_armageddon_game_is_the_one_on_the_board(cup: Tournament, game: Game) -> None:
    Tournament.objects.filter(pk=cup.pk).update(point_system="armageddon")
    record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    later = game_on_board(factory.round_of(cup, 1), 1)
    assert later.number == 2
    record_result(game=later.pk, result=Result.WHITE_WINS, played_on=factory.MONDAY, by=None)
    assert game_on_board(factory.round_of(cup, 1), 1) == later, "a correction is of the latest too"


def test_a_score_that_cannot_be_read_is_refused_with_the_result(cup: Tournament, game: Game) -> None:
    Tournament.objects.filter(pk=cup.pk).update(scores="goals")
    with pytest.raises(Refused, match="score"):
        record_result(game=game.pk, result=Result.WHITE_WINS, played_on=factory.MONDAY, by=None, score="many")
    game.refresh_from_db()
    assert (game.result, game.white_points) == ("", None)


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


def test_a_result_needs_a_day_that_has_come_and_a_correction_a_result_and_a_change(game: Game) -> None:
    for day, words in ((factory.today() + timedelta(days=1), "future"), (date(206, 1, 1), "check the year")):
        with pytest.raises(Refused, match=words):
            record_result(game=game.pk, result=Result.DRAW, played_on=day, by=None)
    for day in (EARLIEST_DAY, factory.today()):
        check_day(day)
    with pytest.raises(Refused, match="No result was given"):
        record_result(game=game.pk, result=Result.OPEN, played_on=factory.MONDAY, by=None)
    with pytest.raises(Refused, match="no result yet"):
        correct_result(game=game.pk, result=Result.DRAW, by=None)
    record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    with pytest.raises(Refused, match="Nothing was changed"):
        correct_result(game=game.pk, result=Result.DRAW, by=None)


@pytest.mark.parametrize(("own", "counts"), [(True, 2.0), (False, 3.0)])
def test_a_game_counts_as_its_event_does_unless_its_file_said_otherwise(game: Game, own: bool, counts: float) -> None:
    Tournament.objects.update(importance=3)
    Game.objects.filter(pk=game.pk).update(own_importance=own, importance=2)
    assert record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None).importance == counts


def test_every_change_leaves_one_audit_event_with_who_what_and_why(game: Game) -> None:
    arbiter = factory.make_arbiter()
    record_result(game=game.pk, result=Result.WHITE_WINS, played_on=factory.MONDAY, by=arbiter)
    correct_result(game=game.pk, result=Result.DRAW, by=arbiter, reason="appeal", note="score sheets compared")
    corrected, recorded = AuditEvent.objects.filter(subject_kind="game")
    assert (recorded.action, recorded.after["result"]) == ("result.recorded", "1-0")
    assert (corrected.action, corrected.before["result"]) == ("result.corrected", "1-0")
    assert corrected.after["result"] == "1/2"
    assert (corrected.actor, corrected.role, corrected.reason) == (arbiter, "arbiter", "appeal")


def test_a_failed_rating_takes_the_result_back_too(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("disk full")

    monkeypatch.setattr("tournaments.knockouts.services.matches.rerate", fail)
    with pytest.raises(RuntimeError), transaction.atomic():
        record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    game.refresh_from_db()
    assert game.result == ""
    assert not AuditEvent.objects.filter(subject_kind="game").exists()
    assert not LedgerEntry.objects.exists()


def test_results_are_written_as_the_field_does() -> None:
    codes = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_FORFEITS, Result.BOTH_FORFEIT)
    assert [notation(code) for code in codes] == ["1–0", "½–½", "+ −", "− −"]


# --- what the database itself refuses -----------------------------------------------------------------------
def test_what_cannot_be_is_refused_by_the_database(cup: Tournament, game: Game) -> None:
    """Two pairings on a board, a second seat in a round, a game against oneself, an unknown code, no place in time."""
    row, games = factory.round_of(cup, 1), Game.objects.filter(pk=game.pk)
    seat = Seat.objects.filter(round=row)[0]
    other = Pairing.objects.create(stage=row.stage, round=row, board=9)
    for wrong in (
        lambda: Pairing.objects.create(stage=row.stage, round=row, board=1),
        lambda: Seat.objects.create(pairing=other, round=row, entry=seat.entry, colour="w"),
        lambda: games.update(black=game.white_id),
        lambda: games.update(result="2-0", played_on=factory.MONDAY, sequence=1),
        lambda: games.update(result="1-0"),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            wrong()
