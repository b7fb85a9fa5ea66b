"""Corrections of a game that are more than another result: colours exchanged, a game too many, a game forgotten.

A game that goes leaves the ledger first. Each service writes one audit event once the lists are rated, with what moved.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.counters import GAME_SEQUENCE, GAME_SEQUENCE_STEP, take_numbers
from players.models import Player
from players.refusals import Refused
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from ratings.systems.base import Handicap
from tournaments.events.services.counts import count_change, count_games_in
from tournaments.knockouts.services.matches import Ruling, delete_game, image, rate_game, seats_of
from tournaments.models import Colour, Game, Pairing, Seat, Stage, Tournament
from tournaments.rated_games.services.rating_impact import RatedBeside
from tournaments.results.services.handicap import handicap_columns
from tournaments.results.services.results import (
    check_day,
    correct_result,
    impact_of_game,
    lock_game,
    settle,
)
from tournaments.standings.points import RATED_RESULTS, Result, seen_from_black

SWAPPED = " x"  # at the end of `loaded_as`: the file has the colours the other way round


@transaction.atomic
def swap_colours(
    *,
    game: int,
    mirror: bool,
    by: User | None,
    reason: str,
    note: str = "",
    revision: int | None = None,
    bracket: str = "",
    beside: RatedBeside | None = None,
) -> Game:
    """Exchange White and Black. With `mirror` whoever won has won still; else the result stays. Raises Stale."""
    row = lock_game(game, revision)
    rated = row.result in RATED_RESULTS
    impact = impact_of_game(row, row.played_on or date.max, rated=rated)
    before = {**image(row), **seats_of(row), "mirror": mirror}
    row.white, row.black = row.black, row.white
    if mirror:
        row.result = seen_from_black(Result(row.result))
        row.white_points, row.black_points = row.black_points, row.white_points
    if row.loaded_as:
        row.loaded_as = row.loaded_as.removesuffix(SWAPPED) + ("" if row.loaded_as.endswith(SWAPPED) else SWAPPED)
    row.revision += 1
    row.save()
    if row.number == 1:
        seats = Seat.objects.filter(pairing=row.pairing_id)
        # By way of no colour: the database refuses two of one.
        seats.filter(colour=Colour.WHITE).update(colour=Colour.NONE)
        seats.filter(colour=Colour.BLACK).update(colour=Colour.WHITE)
        seats.filter(colour=Colour.NONE).update(colour=Colour.BLACK)
        # An armageddon game to come has the colours of the game before it.
        armageddon = Game.objects.filter(pairing=row.pairing_id, pairing__slot=None, number=2, result=Result.OPEN)
        armageddon.update(white=row.white, black=row.black)
    settle(row, Ruling(by, bracket, reason, note, beside))
    if rated and beside is None:
        rate_game(row)
    after, effect = {**image(row), **seats_of(row)}, impact.effect(beside)
    write_audit("colours.swapped", row, by=by, before=before, after=after, effect=effect, reason=reason, note=note)
    return row


def is_deleted_when_removed(game: Game) -> bool:
    """Whether removing this game deletes it: only a free game entered by hand. A board of a round stays a board, and a
    game from a file stays known, else the file would bring it back."""
    return game.pairing.round_id is None and not game.loaded_as


@transaction.atomic
def remove_game(
    *, game: int, by: User | None, reason: str, note: str = "", revision: int | None = None, bracket: str = ""
) -> None:
    """Clear a game's result, or delete the row (see `is_deleted_when_removed`). Raises Stale or Refused."""
    row = lock_game(game, revision)
    if not is_deleted_when_removed(row):
        correct_result(
            game=game, result=Result.OPEN, by=by, revision=revision, reason=reason, note=note, bracket=bracket
        )
        return
    rated = row.result in RATED_RESULTS
    impact = impact_of_game(row, row.played_on or date.max, rated=rated)
    if rated:
        Game.objects.filter(pk=row.pk).update(result=Result.OPEN)  # a game in the ledger cannot be deleted
        rate_game(row)
    before = {**image(row), **seats_of(row), "tournament": row.tournament.slug}
    if row.handicap or row.komi is not None:
        before |= {"handicap": row.handicap, "komi": row.komi}
    write_audit("game.removed", row, by=by, before=before, effect=impact.effect(), reason=reason, note=note)
    count_change(row, row.result)
    delete_game(row)
    Pairing.objects.filter(pk=row.pairing_id).delete()


@dataclass(frozen=True, slots=True)
class ForgottenGame:
    """A game of a club evening that was not entered when it was played; event and players by key."""

    tournament: int
    white: int
    black: int
    result: Result
    played_on: date
    handicap: Handicap | None = None


@transaction.atomic
def insert_game(new: ForgottenGame, *, by: User | None, reason: str, note: str = "") -> Game:
    """Write a forgotten game into an open-ended event, behind the other games of its day. Raises Refused."""
    row = make_free_game(new)
    rated = new.result in RATED_RESULTS
    impact = impact_of_game(row, new.played_on, rated=rated)
    if rated:
        rate_game(row)
    after = {**image(row), **seats_of(row), "tournament": row.tournament.slug}
    write_audit("game.inserted", row, by=by, after=after, effect=impact.effect(), reason=reason, note=note)
    return row


def make_free_game(new: ForgottenGame) -> Game:
    """The row of a game of an open-ended event, not rated yet; the lists of its pool are locked. Raises Refused."""
    event = Tournament.objects.get(pk=new.tournament)
    lock_lists(event.pool)
    _check(new, event, Player.objects.filter(pk__in=(new.white, new.black)))
    stage = Stage.objects.filter(tournament=event).order_by("order")[0]
    row = Game.objects.create(
        tournament=event,
        pairing=Pairing.objects.create(stage=stage),
        pool=event.pool,
        importance=event.importance,
        **handicap_columns(new.handicap, event),
        white_id=new.white,
        black_id=new.black,
        result=new.result,
        played_on=new.played_on,
        sequence=take_numbers(GAME_SEQUENCE, step=GAME_SEQUENCE_STEP)[0],
        recorded_at=timezone.now(),
    )
    count_games_in(event, [row])
    return row


def _check(new: ForgottenGame, event: Tournament, players: Iterable[Player]) -> None:
    check_day(new.played_on)
    if not event.open_ended:
        raise Refused(_("“%(name)s” has rounds: enter the result on its board.") % {"name": event.name})
    if new.white == new.black:
        raise Refused(_("A game needs two different players."))
    if not new.result:
        raise Refused(_("No result was given."))
    for player in players:
        if player.merged_into_id is not None:
            text = _("Player %(number)s was merged into another: choose that one.")
            raise Refused(text % {"number": player.number})
