"""An event is over: lists that rate by the event take it in now. Opening it again takes it out of them.

Over is an event of which nothing is open: no board without a result, no adjourned game, no match that is even. How
many rounds it has is not asked: rounds made one by one may end with any of them.
Results can be corrected either way, and lists that rate game by game know no difference.
Not done: publishing the final standings.
"""

from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.services.audit import write_audit
from players.services.refusals import Refused
from ratings.services.lists import lock_lists
from tournaments.models import Game, Pairing, Tournament
from tournaments.services.rating import rerate_event
from tournaments.standings.points import Result

_OPEN = (Result.OPEN, Result.ADJOURNED)


@transaction.atomic
def close_event(tournament: Tournament, *, by: User | None) -> None:
    """Say that no more games are to come. Raises Refused for an open-ended event, or one of which something is open."""
    if tournament.open_ended:
        raise Refused(_("“%(name)s” has no end: its games count as they are played.") % {"name": tournament.name})
    _lock(tournament)
    if still_open := ", ".join(_still_open(tournament)):
        told = {"name": tournament.name, "open": still_open}
        raise Refused(_("“%(name)s” is not over (%(open)s): enter, clear or decide that first.") % told)
    _set_closed(tournament, True, by=by)


@transaction.atomic
def reopen_event(tournament: Tournament, *, by: User | None) -> None:
    """Say that games are to come after all."""
    _lock(tournament)
    _set_closed(tournament, False, by=by)


def _lock(tournament: Tournament) -> None:
    lock_lists()
    Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)


def _still_open(tournament: Tournament) -> Iterator[str]:
    """What keeps the event from being over, in words. A match that still waits for a player has one before it that is
    told here."""
    games = Game.objects.filter(tournament=tournament, pairing__superseded=False)
    if count := games.filter(result=Result.OPEN).count():
        text = ngettext("%(count)s board without a result", "%(count)s boards without a result", count)
        yield text % {"count": count}
    if count := games.filter(result=Result.ADJOURNED).count():
        yield ngettext("%(count)s adjourned game", "%(count)s adjourned games", count) % {"count": count}
    if count := _even_matches(tournament):
        yield ngettext("%(count)s match not decided", "%(count)s matches not decided", count) % {"count": count}


def _even_matches(tournament: Tournament) -> int:
    """Matches of a knockout that two have reached, whose games are over, and nobody has won."""
    matches = Pairing.objects.filter(stage__tournament=tournament, slot__isnull=False, superseded=False, bye="")
    played = matches.filter(advanced=None).exclude(games__result__in=_OPEN)
    return played.alias(seated=Count("seats")).filter(seated=2).count()


def _set_closed(tournament: Tournament, closed: bool, *, by: User | None) -> None:
    changed = Tournament.objects.filter(pk=tournament.pk, closed=not closed).update(closed=closed)
    if not changed:
        return
    write_audit("event.closed" if closed else "event.reopened", tournament, by=by)
    pools = Game.objects.filter(tournament=tournament).order_by().values_list("pool", flat=True).distinct()
    rerate_event(tournament, pools)
