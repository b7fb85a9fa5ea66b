"""Club evenings: games without rounds, entered as they are played and rated at once.

A game of a day after which others are rated is a correction: refused here (`LateGameError`), it goes through its
preview (`LateGames`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from players.refusals import Refused
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from ratings.systems.base import Handicap
from tournaments.corrections.services.changes import Begin, Change, Fact, GameInserted, Why
from tournaments.corrections.services.game_changes import ForgottenGame, insert_game, make_free_game
from tournaments.entries.services.entries import is_ladder
from tournaments.free_boards.services.boards import board_between, play_board
from tournaments.knockouts.services.matches import image, rate_game, seats_of
from tournaments.models import Entry, Game, Tournament
from tournaments.rated_games.selectors.games import earliest, rated_in
from tournaments.standings.points import RATED_RESULTS, Result


class EnteredAlreadyError(Refused):
    """The same two, the same colours, day and result stand there already."""


class LateGameError(Refused):
    """Games of later days are rated already."""


@transaction.atomic
def record_free_game(
    tournament: Tournament,
    white: Player,
    black: Player,
    result: Result,
    played_on: date,
    *,
    by: User | None,
    again: bool = False,
    handicap: Handicap | None = None,
) -> Game:
    """Write a game of an open-ended event and rate it: on the board that is set for the two, if there is one. `again`:
    the same game was played twice that day. Raises EnteredAlreadyError, LateGameError, or Refused: a day to come, one
    player twice, an event with rounds, no place on the ladder."""
    new = ForgottenGame(tournament.pk, white.pk, black.pk, result, played_on, handicap)
    lock_lists(tournament.pool)
    event = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    check_on_ladder(event, (white, black))
    entered, board = is_entered(new), board_between(event, white.pk, black.pk)
    if board is not None and not is_late(new) and (again or not entered):
        return play_board(board, new, by=by)
    row = make_free_game(new)  # whatever is wrong with it is said first; what follows takes it back
    if entered and not again:
        raise EnteredAlreadyError(_("This game is entered already: tick to enter it again."))
    if is_late(new):
        raise LateGameError(_("Games of later days are rated already: this one is a correction."))
    if result in RATED_RESULTS:
        rate_game(row)
    write_audit("result.recorded", row, by=by, after={**image(row), **seats_of(row), "tournament": event.slug})
    return row


def is_entered(new: ForgottenGame) -> bool:
    """Whether that game stands in the event: the same colours, day and result."""
    same = Game.objects.filter(tournament=new.tournament, white=new.white, black=new.black)
    return same.filter(result=new.result, played_on=new.played_on).exists()


def is_late(new: ForgottenGame) -> bool:
    """Whether the game would open a tail: it is rated, and so are games of later days."""
    event = Tournament.objects.get(pk=new.tournament)
    is_rated = event.rated and new.result in RATED_RESULTS
    return is_rated and rated_in(event.pool).filter(played_on__gt=new.played_on).exists()


def check_on_ladder(event: Tournament, players: Iterable[Player]) -> None:
    """Raises Refused for somebody who plays on a ladder and has no place there."""
    if not is_ladder(event):
        return
    on_it = set(Entry.objects.filter(tournament=event, withdrawn=False).values_list("player_id", flat=True))
    for player in players:
        if player.pk not in on_it:
            text = _("Player %(number)s is not on the ladder: enter the player first, at its foot.")
            raise Refused(text % {"number": f"#{player.number}"})


@dataclass(frozen=True, slots=True)
class LateGames(Change):
    """Games of an evening entered late, together: a correction, as `GameInserted` is for one."""

    games: tuple[ForgottenGame, ...]

    def facts(self) -> list[Fact]:
        return sorted({fact for game in self.games for fact in GameInserted(game).facts()})

    def begin(self) -> Begin:
        return earliest(pool for game in self.games for pool in GameInserted(game).begin().items())

    def players(self) -> Iterable[int]:
        return {player for game in self.games for player in (game.white, game.black)}

    def carry_out(self, why: Why) -> list[Game]:
        return [insert_game(game, by=why.by, reason=why.reason, note=why.note) for game in self.games]
