"""How many results wait for their second reading, where the event asks for one; which they are, `readings` knows."""

from collections.abc import Iterable

from django.db.models import Count, QuerySet

from tournaments.models import Game, Round, Tournament
from tournaments.verification.selectors import unread_games


def count_unread(tournament: Tournament) -> int:
    """How many results of the event wait for their second reading; 0 where it asks for none."""
    return _asked_for([tournament.pk]).count()


def unread_rounds(tournaments: Iterable[int]) -> list[tuple[Round, int]]:
    """The rounds of those events (by key) that have results waiting, each with how many, in order. Two queries."""
    counted = _asked_for(tournaments).order_by().values("pairing__round").annotate(count=Count("pk"))
    counts = {row["pairing__round"]: row["count"] for row in counted}
    rounds = Round.objects.filter(pk__in=counts).select_related("stage__tournament")
    return [(row, counts[row.pk]) for row in rounds.order_by("stage__tournament", "number", "stage__order")]


def _asked_for(tournaments: Iterable[int]) -> QuerySet[Game]:
    """The results waiting in those events that ask for a second reading."""
    return unread_games().filter(tournament__in=list(tournaments)).exclude(tournament__second_reading="")
