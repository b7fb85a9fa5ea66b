"""Boards of events without rounds: set before they are played, without a result and a moment. A result is entered on
them by the services of every game; whoever writes the game on the sheet of an evening enters it on its board."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.corrections.services.game_changes import ForgottenGame
from tournaments.entries.services.entries import is_ladder
from tournaments.events.services.unplayed import refuse_closed
from tournaments.free_boards.selectors import waiting
from tournaments.knockouts.services.matches import delete_game, seats_of
from tournaments.models import Challenge, Entry, Game, Pairing, Stage, Tournament
from tournaments.results.services.handicap import handicap_columns
from tournaments.results.services.results import lock_game, record_result
from tournaments.standings.points import Result


@transaction.atomic
def set_board(tournament: Tournament, white: int, black: int, *, by: User | None, role: str = "") -> Game:
    """A board for two players (by key). Raises Refused for an event with rounds or that is over, one player twice,
    somebody without a place on the ladder, and two who have a board already."""
    event = lock_event(tournament.pk)
    refuse_closed(event)
    if not event.open_ended:
        raise Refused(_("“%(name)s” has rounds: enter the result on its board.") % {"name": event.name})
    if white == black:
        raise Refused(_("Nobody plays against themselves: choose two players."))
    if is_ladder(event):
        entries = Entry.objects.filter(tournament=event, withdrawn=False, player__in=(white, black))
        if entries.count() < len((white, black)):
            raise Refused(_("One of the two is not on the ladder: enter the player first, at its foot."))
    if board_between(event, white, black) is not None:
        raise Refused(_("These two have a board already: enter its result, or take it off."))
    stage = Stage.objects.filter(tournament=event).order_by("order")[0]
    game = Game.objects.create(
        tournament=event,
        pairing=Pairing.objects.create(stage=stage),
        pool=event.pool,
        importance=event.importance,
        white_id=white,
        black_id=black,
    )
    write_audit("board.set", game, by=by, role=role, after=seats_of(game))
    return game


@transaction.atomic
def take_off(game: int, *, by: User | None) -> None:
    """The board is not played; a challenge it was for is cancelled. Raises Stale where it has a result by now, or is
    gone."""
    row = Game.objects.filter(pk=game).select_related("tournament").first()
    if row is None:
        raise Stale(_("This board was taken off already."))
    lock_lists(row.pool)
    lock_event(row.tournament_id)
    row = lock_game(game)
    if not waiting(row.tournament_id).filter(pk=game).exists():
        raise Stale(_("This board has a result by now: to change it is a correction."))
    Challenge.objects.filter(game=row).update(state=Challenge.State.CANCELLED)
    write_audit("board.taken-off", row, by=by, before={**seats_of(row), "tournament": row.tournament.slug})
    delete_game(row)
    Pairing.objects.filter(pk=row.pairing_id).delete()


@transaction.atomic
def play_board(board: Game, new: ForgottenGame, *, by: User | None) -> Game:
    """Enter a game on the board that was set for its players, with its colours and its handicap."""
    row = lock_game(board.pk)
    row.white_id, row.black_id = new.white, new.black
    for name, value in handicap_columns(new.handicap, row.tournament).items():
        setattr(row, name, value)
    row.revision += 1
    row.save(update_fields=["white", "black", "handicap", "komi", "revision"])
    return record_result(game=row.pk, result=new.result, played_on=new.played_on, by=by)


def enter_result(game: int, code: str, *, revision: int, by: User | None) -> Game:
    """The result of a board, played today. Raises Refused for what is no result, and Stale."""
    if code not in set(Result) - {Result.OPEN, Result.ADJOURNED}:
        raise Refused(_("Choose a result."))
    return record_result(game=game, result=Result(code), played_on=timezone.localdate(), by=by, revision=revision)


def board_between(event: Tournament, one: int, other: int) -> Game | None:
    """The board that is set for those two, whoever has White; None without one."""
    pair = (one, other)
    return waiting(event.pk).filter(white__in=pair, black__in=pair).order_by("pk").first()


def lock_event(key: int) -> Tournament:
    """The event, locked: what is set, answered and taken off in it is done one after the other."""
    return Tournament.objects.select_for_update(no_key=True).get(pk=key)
