"""Who plays for a team on which day: the days of its list, read in one place."""

from collections.abc import Sequence
from datetime import date

from django.utils import timezone

from tournaments.models import Team, TeamPlayer

Places = Sequence[int | None]  # keys of `TeamPlayer` from board 1 down; nobody: the board stays empty


def is_listed(row: TeamPlayer, day: date | None, *, or_later: bool = False) -> bool:
    """Whether somebody is on a team’s list that day (today, where it is not known), or comes to it `or_later`."""
    on = day or timezone.localdate()
    return (row.until is None or row.until >= on) and (or_later or row.since is None or row.since <= on)


def on_the_list(team: Team, day: date | None) -> list[TeamPlayer]:
    """Who plays for the team on that day, in order of places; nobody who withdrew. One query."""
    rows = TeamPlayer.objects.filter(team=team, entry__withdrawn=False).select_related("entry__player")
    return [row for row in rows.order_by("place", "pk") if is_listed(row, day)]
