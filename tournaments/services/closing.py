"""An event is over: lists that rate by the event take it in now. Opening it again takes it out of them.

Results can be corrected either way, and lists that rate game by game know no difference.
Not done: publishing the final standings.
"""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.services.audit import write_audit
from players.services.refusals import Refused
from ratings.services.lists import lock_lists
from tournaments.models import Game, Tournament
from tournaments.services.rating import rerate_event


def close_event(tournament: Tournament, *, by: User | None) -> None:
    """Say that no more games are to come. Raises Refused for an open-ended event, or one with open boards."""
    if tournament.open_ended:
        raise Refused(_("“%(name)s” has no end: its games count as they are played.") % {"name": tournament.name})
    still_open = Game.objects.filter(tournament=tournament, result="", pairing__superseded=False).count()
    if still_open:
        told = {"name": tournament.name, "count": still_open}
        raise Refused(_("“%(name)s” has boards without a result (%(count)s): enter or clear them first.") % told)
    _set_closed(tournament, True, by=by)


def reopen_event(tournament: Tournament, *, by: User | None) -> None:
    """Say that games are to come after all."""
    _set_closed(tournament, False, by=by)


@transaction.atomic
def _set_closed(tournament: Tournament, closed: bool, *, by: User | None) -> None:
    lock_lists()
    changed = Tournament.objects.filter(pk=tournament.pk, closed=not closed).update(closed=closed)
    if not changed:
        return
    write_audit("event.closed" if closed else "event.reopened", tournament, by=by)
    pools = Game.objects.filter(tournament=tournament).order_by().values_list("pool", flat=True).distinct()
    rerate_event(tournament, pools)
