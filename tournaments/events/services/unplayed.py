"""What may be done only while nothing was played, or while the event is not over: locked, then looked at."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from players.refusals import Refused
from tournaments.models import Game, Pairing, Tournament


def played_among(games: QuerySet[Game]) -> int:
    """How many of the games have a result; they stay locked. The lists must be locked already."""
    rows = games.select_for_update(of=("self",)).order_by("pk").values_list("result", flat=True)
    return sum(result != "" for result in rows)


def ruled_among(pairings: QuerySet[Pairing]) -> int:
    """How many of the matches the arbiter ruled on; they are locked too."""
    rows = pairings.select_for_update(of=("self",)).order_by("pk").values_list("ruled", flat=True)
    return sum(rows)


def refuse_closed(tournament: Tournament) -> None:
    """Raises Refused for an event that is over: its final standings are published. It must be locked already."""
    if tournament.closed:
        raise Refused(_("The event is over: open it again before you change its entries or rounds."))
