"""Stones and komi of a game of go: facts of the game, said before its result or corrected after it.

Before a game is rated they can be changed at once; afterwards that is a correction with its tail, a reason and an undo.
The stones are Black's: where colours are swapped, they help the other player.
"""

from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.refusals import Refused
from players.trail.services import write_audit
from ratings.systems.base import Handicap
from tournaments.interchange.go_csv import MOST_KOMI
from tournaments.knockouts.services.matches import image, rate_game, seats_of
from tournaments.models import BoardGame, Game, Tournament
from tournaments.rated_games.services.rating_impact import RatedBeside
from tournaments.results.services.results import impact_of_game, lock_game, record_result, usual_komi
from tournaments.standings.points import RATED_RESULTS, Result

STONES = (0, *range(2, 10))


def check_handicap(given: Handicap) -> None:
    """Raises Refused for stones nobody gives, and for a komi that is no half of a point."""
    if given.stones not in STONES:
        raise Refused(_("A handicap is 2 to 9 stones; Black without komi is no stones and a komi of 0."))
    check_komi(given.komi)


def check_komi(komi: float | None) -> None:
    """Raises Refused for a komi that is no half of a point, or beyond all measure."""
    if komi is not None and not (abs(komi) <= MOST_KOMI and (2 * komi).is_integer()):
        raise Refused(_("Komi is a whole or half number of points up to %(most)s, such as 6.5.") % {"most": MOST_KOMI})


def handicap_of(game: Game) -> Handicap:
    """What stands at the game."""
    return Handicap(game.handicap, game.komi)


def handicap_columns(given: Handicap | None, event: Tournament) -> dict[str, Any]:
    """The columns of a game played with that; an even game without a komi of its own has the event's."""
    stones, komi = with_usual_komi(given or Handicap(), event)
    return {"handicap": stones, "komi": komi}


def with_usual_komi(given: Handicap, event: Tournament) -> Handicap:
    """An even game without a komi of its own has that of its event."""
    return Handicap(0, usual_komi(event)) if given == Handicap() else given


def own_handicap(game: Game) -> Handicap:
    """What was said of this game itself: an even game's komi that is its event's is left out."""
    found = handicap_of(game)
    return Handicap() if found == Handicap(0, usual_komi(game.tournament)) else found


@transaction.atomic
def set_handicap(
    *,
    game: int,
    given: Handicap,
    by: User | None,
    revision: int | None = None,
    reason: str = "",
    note: str = "",
    beside: RatedBeside | None = None,
) -> Game:
    """Write stones and komi of a game; one that is rated is rated anew with everything behind it, and the audit event
    has what that moved. `beside`: the lists are rated already. Raises Stale or Refused."""
    check_handicap(given)
    row = lock_game(game, revision)
    if given != Handicap() and row.tournament.game != BoardGame.GO:
        raise Refused(_("Stones and komi belong to go: say in the event’s settings that go is played."))
    if handicap_of(row) == given:
        raise Refused(_("Nothing was changed: the game has these stones and this komi already."))
    rated = row.result in RATED_RESULTS
    if rated and not reason:
        raise Refused(_("The game has a result: to change its stones or komi is a correction."))
    since = row.played_on
    impact = impact_of_game(row, since, rated=rated) if since is not None else None
    before = _image(row)
    row.handicap, row.komi = given
    row.revision += 1
    row.save(update_fields=["handicap", "komi", "revision"])
    if rated and beside is None:
        rate_game(row)
    effect = impact.effect(beside) if impact is not None else {}
    action = "handicap.corrected" if reason else "handicap.set"
    write_audit(action, row, by=by, before=before, after=_image(row), effect=effect, reason=reason, note=note)
    return row


@transaction.atomic
def set_stones(*, game: int, stones: int, by: User | None, revision: int) -> Game:
    """The stones alone, of a game without a result; a komi of its own stays. Raises Stale or Refused."""
    given = Handicap(stones, own_handicap(lock_game(game, revision)).komi)
    return set_handicap(game=game, given=given, by=by, revision=revision)


@transaction.atomic
def record_with_stones(
    *,
    game: int,
    stones: int | None,
    result: Result,
    played_on: date,
    by: User | None,
    revision: int,
    score: str | None = None,
) -> Game:
    """A first result together with the stones chosen beside it, if any; the game's own komi stays. Raises Stale or
    Refused."""
    if stones is not None and stones != lock_game(game, revision).handicap:
        revision = set_stones(game=game, stones=stones, by=by, revision=revision).revision
    return record_result(game=game, result=result, played_on=played_on, by=by, revision=revision, score=score)


def _image(row: Game) -> dict[str, Any]:
    return {**image(row), **seats_of(row), "handicap": row.handicap, "komi": row.komi}
