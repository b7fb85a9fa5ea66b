"""What may be taken away only while nothing was played: locked, then counted, so that no result slips in between."""

from django.db.models import QuerySet

from tournaments.models import Game, Pairing


def played_among(games: QuerySet[Game]) -> int:
    """How many of the games have a result; all of them are locked until the transaction ends. The lists must be locked
    already, as for every writer of results."""
    rows = games.select_for_update(of=("self",)).order_by("pk").values_list("result", flat=True)
    return sum(result != "" for result in rows)


def ruled_among(pairings: QuerySet[Pairing]) -> int:
    """How many of the matches the arbiter ruled on; they are locked too."""
    rows = pairings.select_for_update(of=("self",)).order_by("pk").values_list("ruled", flat=True)
    return sum(rows)
