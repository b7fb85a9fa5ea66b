"""Who runs an event: officers it names, or every arbiter where it names nobody.

Part of an event's data: the services of `events` call this inside their transaction and write the audit event, which
holds keys of users."""

from collections.abc import Collection, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from players.refusals import Refused
from tournaments.models import Tournament
from tournaments.events.selectors.officers import runs, who_may_run

Keys = dict[str, list[int]]


def name_officers(tournament: Tournament, changes: Mapping[str, Any], *, by: User | None) -> tuple[Keys, Keys]:
    """Let those of `changes["officers"]` run the event; who did and who does, for the audit trail, both empty where
    nobody changes. The event is locked by then. Raises Refused for whoever does not run it, or names one who cannot."""
    if "officers" not in changes:
        return {}, {}
    before, after = set(tournament.officers.values_list("pk", flat=True)), set(changes["officers"])
    if before == after:
        return {}, {}
    if by is not None and not runs(by, tournament):
        raise Refused(_("“%(name)s” is run by others: they decide who runs it.") % {"name": tournament.name})
    check_officers(after - before, by=by)
    tournament.officers.set(after)
    return {"officers": sorted(before)}, {"officers": sorted(after)}


def check_officers(keys: Collection[int], *, by: User | None) -> None:
    """Raises Refused where one of those users is neither arbiter nor assistant, or was deactivated; whoever makes the
    change may always name himself."""
    known = set(who_may_run().filter(pk__in=keys).values_list("pk", flat=True))
    if set(keys) - known - ({by.pk} if by is not None else set()):
        raise Refused(_("Only an active arbiter or assistant can run an event: look at the list again."))
