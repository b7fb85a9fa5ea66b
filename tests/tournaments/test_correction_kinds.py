"""Each kind of correction: colours exchanged, a game too many, a game forgotten, a file of games."""

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from players.models import AuditEvent, Player
from players.services.refusals import Refused
from ratings.models import PlayerRating, RatingList
from tests import factory
from tests.tournaments.correction_cases import EVENT, correct, is_exact, stream
from tournaments.models import Game, Seat, Tournament
from tournaments.services.changes import (
    ColoursSwapped,
    GameInserted,
    GameRemoved,
    StreamLoaded,
)
from tournaments.services.corrections import preview, undo_of
from tournaments.services.game_changes import ForgottenGame
from tournaments.services.results import record_result
from tournaments.services.streams import load_games
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


# --- colours ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("mirror", [True, False])
def test_exchanged_colours_keep_the_winner_or_the_result(season: Tournament, mirror: bool) -> None:
    game = Game.objects.filter(result=Result.WHITE_WINS).order_by("sequence")[0]
    white, black = game.white, game.black
    correct(ColoursSwapped(game.pk, mirror), reason="wrong-colours")
    game.refresh_from_db()
    assert (game.white, game.black) == (black, white)
    assert game.result == (Result.BLACK_WINS if mirror else Result.WHITE_WINS)
    seats = {seat.colour: seat.entry.player for seat in Seat.objects.filter(pairing=game.pairing)}
    assert seats == {"w": black, "b": white}
    assert is_exact()


def test_exchanging_colours_twice_is_as_before(season: Tournament) -> None:
    ratings = list(PlayerRating.objects.order_by("pk").values_list("player", "rating"))
    game = Game.objects.order_by("sequence")[2]
    correct(ColoursSwapped(game.pk, mirror=False))
    undo = undo_of(AuditEvent.objects.filter(action="colours.swapped").get())
    assert isinstance(undo, ColoursSwapped)
    correct(undo)
    assert sorted(PlayerRating.objects.values_list("player", "rating")) == sorted(ratings)


def test_a_file_still_knows_a_game_whose_colours_were_exchanged(standard: RatingList) -> None:
    was, now = "2026-01-08,Ada Alvarez,Bo Brandt,1", "2026-01-08,Bo Brandt,Ada Alvarez,0"
    load_games(stream(was), by=None, event_name=EVENT, today=factory.MONDAY)
    correct(ColoursSwapped(Game.objects.get().pk, mirror=True))
    for row in (was, now):
        report = load_games(stream(row), by=None, event_name=EVENT, today=factory.MONDAY)
        assert (report.loaded, report.known) == (0, 1), row


# --- a game too many, a game forgotten -------------------------------------------------------------------------------
def test_a_board_and_a_loaded_game_are_cleared_a_free_game_is_deleted(evenings: Tournament) -> None:
    board, loaded = Game.objects.filter(tournament__open_ended=False)[0], Game.objects.filter(tournament=evenings)[0]
    for game in (board, loaded):
        correct(GameRemoved(game.pk), reason="duplicate")
        game.refresh_from_db()
        assert game.result == Result.OPEN
    ada, bo = Player.objects.order_by("number")[:2]
    correct(GameInserted(ForgottenGame(evenings.pk, ada.pk, bo.pk, Result.DRAW, date(2026, 1, 9))))
    made = Game.objects.get(loaded_as="", tournament=evenings)
    correct(GameRemoved(made.pk), reason="duplicate")
    assert not Game.objects.filter(pk=made.pk).exists()
    event = AuditEvent.objects.get(action="game.removed")
    assert (event.before["white"], event.before["result"], event.before["tournament"]) == (1, "1/2", evenings.slug)
    assert is_exact()


def test_a_forgotten_game_stands_behind_the_others_of_its_day(evenings: Tournament) -> None:
    ada, bo = Player.objects.order_by("number")[:2]
    day = date(2026, 1, 15)
    change = GameInserted(ForgottenGame(evenings.pk, ada.pk, bo.pk, Result.WHITE_WINS, day))
    done = correct(change, reason="late-report")
    made = Game.objects.get(loaded_as="", tournament=evenings)
    assert made == Game.objects.filter(played_on=day).order_by("sequence").last()
    assert done.since == day
    assert done.lists[0].games > 1
    again = stream(f"{day},Ada Alvarez,Bo Brandt,1")
    assert load_games(again, by=None, event_name=EVENT, today=day).known == 1, "a later file with it brings no twin"


def test_a_game_can_only_be_inserted_where_games_are_free(season: Tournament, evenings: Tournament) -> None:
    ada, bo = Player.objects.order_by("number")[:2]

    def insert(event: Tournament, white: Player, black: Player, result: Result, day: date) -> None:
        preview(GameInserted(ForgottenGame(event.pk, white.pk, black.pk, result, day)), by=None)

    with pytest.raises(Refused, match="has rounds"):
        insert(season, ada, bo, Result.DRAW, factory.MONDAY)
    with pytest.raises(Refused, match="two different"):
        insert(evenings, ada, ada, Result.DRAW, factory.MONDAY)
    with pytest.raises(Refused, match="No result"):
        insert(evenings, ada, bo, Result.OPEN, factory.MONDAY)
    with pytest.raises(Refused, match="future"):
        insert(evenings, ada, bo, Result.DRAW, timezone.localdate() + timedelta(days=1))


# --- a file ----------------------------------------------------------------------------------------------------------
def test_a_late_file_is_a_correction_with_its_effect_an_ordinary_one_is_not(evenings: Tournament) -> None:
    load_games(stream("2026-10-01,Ada Alvarez,Bo Brandt,1"), by=None, event_name=EVENT, today=factory.MONDAY)
    ordinary = AuditEvent.objects.filter(action="games.loaded")[0]
    assert (ordinary.reason, ordinary.effect) == ("", {})
    load_games(stream("2026-01-09,Ada Alvarez,Bo Brandt,1"), by=None, event_name=EVENT, today=factory.MONDAY)
    late = AuditEvent.objects.filter(action="games.loaded")[0]
    assert late.reason == "late-report"
    assert late.effect["standard"]["games"] > 1


def test_the_preview_of_a_file_counts_only_what_is_new(evenings: Tournament) -> None:
    rows = [f"{g.played_on},{g.white.name},{g.black.name},{g.result}" for g in Game.objects.filter(tournament=evenings)]
    change = StreamLoaded(stream(*rows, "2026-10-01,Ada Alvarez,Somebody New,1"), EVENT, timezone.localdate())
    shown = preview(change, by=None)
    assert shown.report is not None
    assert (shown.report.loaded, shown.report.known, shown.report.new_players) == (1, len(rows), 1)
    assert (shown.behind, shown.lists[0].games) == (0, 1)
    assert not Player.objects.filter(name="Somebody New").exists()


def test_recorded_results_of_tonight_need_no_preview(standard: RatingList) -> None:
    cup = factory.make_round_robin(factory.make_players(4))
    game = Game.objects.filter(tournament=cup)[0]
    user = User.objects.create_user("somebody")
    record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=user)
    assert AuditEvent.objects.get(action="result.recorded").effect == {}
