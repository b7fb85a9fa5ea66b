"""Results by players: each side of a board says what happened, and what both say is entered: at once, or when an
arbiter ticks it. Who wrote a result meanwhile wins; nothing that stands is ever replaced here.

Every report carries the revision of the game it was made on, and counts while the game has it. So nothing is said or
entered twice, however often a phone sends it, and after a slip was cleared or the colours were exchanged both sides say
it anew. Boards of a match of teams are their captains' (`tournaments.captains`).
"""

from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from enum import StrEnum

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from players.links.services.personal_links import PLAYER
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.models import Entry, Game, PlayerResult, PlayerResults, Round
from tournaments.results.services.results import day_of, lock_game, notation, record_result
from tournaments.standings.points import Result

# What a player may say; penalties, adjournments and that nobody came are the arbiter's.
CLAIMS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.BLACK_FORFEITS, Result.WHITE_FORFEITS)
STILL_OPEN = (Result.OPEN, Result.ADJOURNED)


class _ListsFirstError(Exception):
    """The report enters a result, and the lists are not locked."""


class Said(StrEnum):
    """What came of a report."""

    WAITS = "waits"  # for the opponent
    AGREED = "agreed"  # waits for the arbiter's tick
    ENTERED = "entered"
    DISPUTED = "disputed"


def report_own_result(game: int, player: int, claimed: str, *, revision: int) -> Said:
    """Note what a player says of his own board, as White's code of `CLAIMS`, on the board's `revision` he saw. The same
    said again changes nothing, and locks nothing: a phone without a line sends it often, and an arbiter would wait.
    Raises Stale where the board has another result or was changed meanwhile; Refused for somebody else's board, another
    code, a second report, and where players report nothing."""
    before = _said_before(game, player, claimed)
    if before is not None:
        return before
    # What waits for the other side moves no rating: it locks no list, and nobody who rates waits for it.
    may_enter = PlayerResult.objects.filter(game=game, claimed=claimed)
    if not may_enter.filter(game__tournament__player_results=PlayerResults.AGREED).exists():
        with suppress(_ListsFirstError):  # the other side says the same at this moment
            return _report(game, player, claimed, revision, lists=False)
    return _report(game, player, claimed, revision, lists=True)


def _said_before(game: int, player: int, claimed: str) -> Said | None:
    """What came of the same report, where it was sent before and still counts."""
    own = PlayerResult.objects.filter(_is_of(player, "entry__"), game=game, claimed=claimed).select_related("game")
    row = own[0].game if own else None
    if row is not None and row.result == claimed:
        return Said.ENTERED
    if row is None or row.result not in STILL_OPEN or own[0].revision != row.revision:
        return None
    return _standing(reports_of(row))


@transaction.atomic
def _report(game: int, player: int, claimed: str, revision: int, *, lists: bool) -> Said:
    """Raises _ListsFirstError where both sides agree now and `lists` are not locked; nothing is noted then."""
    row = lock_game(game, lists=lists)
    side = side_of(row, player)
    if side is None:
        raise Refused(_("You do not sit on this board: open your own one."))
    if problem := why_closed(row):
        raise Refused(problem)
    if claimed not in CLAIMS:
        raise Refused(_("“%(code)s” is no result a player reports: tell the arbiter.") % {"code": claimed[:10]})
    if row.result not in STILL_OPEN:
        return _as_stands(row, claimed)
    said = {each.entry_id: each for each in reports_of(row)}
    if side.pk in said:
        return _said_again(said[side.pk], claimed, _standing(said.values()))
    if revision != row.revision:
        raise Stale(_("This board was changed meanwhile: look at it, then say again what happened."))
    agreed = any(each.claimed == claimed for each in said.values())
    enters = agreed and row.tournament.player_results == PlayerResults.AGREED
    if enters and not lists:
        raise _ListsFirstError
    now = {"claimed": claimed, "revision": row.revision, "at": timezone.now()}
    said[side.pk], _made = PlayerResult.objects.update_or_create(game=row, entry=side, defaults=now)
    write_audit("result.claimed", side, by=None, role=PLAYER, after={"game": row.pk, "claimed": claimed})
    if enters:
        record_result(game=row.pk, result=Result(claimed), played_on=_day(row), by=None, role=PLAYER)
        return Said.ENTERED
    return _standing(said.values())


@transaction.atomic
def enter_agreed(round_key: int, seen: Iterable[tuple[int, int]], *, by: User | None) -> int:
    """Enter what both sides say of the boards an arbiter saw, as games with their revisions; how many. A board that was
    changed meanwhile, is no longer agreed, or on which players report nothing any more, is left out."""
    lock_lists()
    entered = 0
    rows = Game.objects.select_related("tournament", "pairing__round__stage__tournament")
    for key, revision in seen:
        row = rows.filter(pk=key, pairing__round=round_key, revision=revision, result__in=STILL_OPEN).first()
        said = reports_of(row) if row and not why_closed(row) else []
        if row is not None and _standing(said) == Said.AGREED:
            result = Result(said[0].claimed)
            record_result(game=key, result=result, played_on=_day(row), by=by, revision=revision)
            entered += 1
    return entered


def why_closed(game: Game) -> str:
    """Why players report nothing of this board, as a sentence; empty where they do."""
    row, event = game.pairing.round, game.tournament
    if not event.player_results or game.pairing.match_id is not None:
        return _("Results of this board are not reported by players: tell the arbiter.")
    if row is None and event.open_ended and not event.closed:
        return ""  # a board that was set on a ladder
    if event.closed or row is None or row.state != Round.State.PUBLISHED or game.pairing.superseded:
        return _("This round is not being played: tell the arbiter.")
    if row.planned_on is not None and row.planned_on > timezone.localdate():
        return _("This round is planned for a day to come: tell the arbiter what was played.")
    return ""


def side_of(game: Game, player: int) -> Entry | None:
    """The entry with which that player sits on the board."""
    if game.pairing.round_id is None:  # nobody has a seat there
        sits = player in (game.white_id, game.black_id)
        return Entry.objects.filter(player=player, tournament=game.tournament_id).first() if sits else None
    return Entry.objects.filter(_is_of(player), seats__pairing=game.pairing_id, seats__superseded=False).first()


def _is_of(player: int, entry: str = "") -> Q:
    """Entries with which that player plays, alone or as one of a pair."""
    return Q(**{f"{entry}player": player}) | Q(**{f"{entry}members__player": player})


def reports_of(game: Game) -> list[PlayerResult]:
    """What the sides say of the board as it is, the first said first."""
    return list(PlayerResult.objects.filter(game=game, revision=game.revision).order_by("at", "pk"))


def _standing(said: Iterable[PlayerResult]) -> Said:
    claims = [each.claimed for each in said]
    if len(claims) < len(("White", "Black")):
        return Said.WAITS
    return Said.AGREED if len(set(claims)) == 1 else Said.DISPUTED


def _as_stands(row: Game, claimed: str) -> Said:
    """Said once more, or what somebody else entered. Raises Stale for another result."""
    if row.result == claimed:
        return Said.ENTERED
    text = _("%(result)s was entered meanwhile, and that stands. Is it wrong? Then tell the arbiters below.")
    raise Stale(text % {"result": notation(row.result)})


def _said_again(own: PlayerResult, claimed: str, standing: Said) -> Said:
    if own.claimed == claimed:
        return standing
    text = _("You reported %(result)s already. Was that a slip? Then tell your opponent or the arbiter.")
    raise Refused(text % {"result": notation(own.claimed)})


def _day(game: Game) -> date:
    return day_of(game.pairing.round) if game.pairing.round else timezone.localdate()
