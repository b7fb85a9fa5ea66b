"""Matches of teams that keep an event from being over, in words."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.refusals import first_of, listed
from tournaments.models import TeamMatch, Tournament

MOST_NAMED = 3


def waiting_matches(tournament: Tournament) -> Iterator[str]:
    """Those postponed, and those whose boards are not made; a sentence each. Boards
    without a result are open games like others. One query."""
    rows = TeamMatch.objects.filter(round__stage__tournament=tournament, away__isnull=False, absent="", ruled_home=None)
    found = list(rows.filter(boards=None).select_related("home", "away", "round").order_by("round__number", "number"))
    postponed = [row for row in found if row.postponed]
    if count := len(postponed):
        text = ngettext("%(count)s postponed match: %(names)s", "%(count)s postponed matches: %(names)s", count)
        yield text % {"count": count, "names": _named(postponed)}
    others = [row for row in found if not row.postponed]
    if count := len(others):
        text = ngettext("%(count)s match not played: %(names)s", "%(count)s matches not played: %(names)s", count)
        yield text % {"count": count, "names": _named(others)}


def _named(rows: list[TeamMatch]) -> str:
    text = _("%(match)s in round %(round)s")
    names = [text % {"match": f"{row.home} – {row.away}", "round": row.round.number} for row in rows]
    return listed(first_of(names, MOST_NAMED))
