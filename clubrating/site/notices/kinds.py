"""The kinds of news that readers are told, in the order in which they choose. Another kind is a `Kind` in the app that
knows its facts, its line in `KINDS`, and its actions in `players.trail.services` (NOTICED, or NOTICED_BY_ONE where the
public does not see it). Of two kinds that one line of the trail is for a reader, he is told the first.
"""

from collections.abc import Collection
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.ground.figures import round_half_away
from players.models import AuditEvent
from players.notices.kinds import Kind, News, Say
from players.trail.services import LIST
from ratings.models import PublishedRow
from tournaments.notices.selectors import CHALLENGE, DISPUTED, ENTERED, ENTRY, PAIRED, REPORTED


def _listed(event: AuditEvent, among: Collection[int] | None, now: datetime) -> dict[int, Say]:
    """Everybody in a published list."""
    rows = PublishedRow.objects.filter(published_list=event.subject_key, published_list__rating_list__public=True)
    if among is not None:
        rows = rows.filter(player__in=among)
    return {row.player_id: _say(row) for row in rows.select_related("player", "published_list__rating_list")}


def _say(row: PublishedRow) -> Say:
    rating_list = row.published_list.rating_list

    def say() -> News:
        title = _("New list: %(list)s") % {"list": rating_list.shown_name}
        body = _("Your rating: %(rating)s") % {"rating": round_half_away(row.rating)}
        return News(title, body, row.player.get_absolute_url(), f"list-{rating_list.pk}")

    return say


NEW_LIST = Kind("new_list", gettext_lazy("a new rating list"), (LIST,), _listed)

KINDS = (PAIRED, REPORTED, DISPUTED, CHALLENGE, ENTERED, ENTRY, NEW_LIST)
KIND_OF = {kind.key: kind for kind in KINDS}
