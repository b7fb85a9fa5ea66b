"""Boards of events without rounds that are set and not played yet."""

from django.db.models import QuerySet

from tournaments.models import Game, Tournament
from tournaments.standings.points import Result


def waiting(event: int) -> QuerySet[Game]:
    """The boards of an event (by key) that have had no result so far, the first set first. A game whose result was
    cleared has its moment still, and is none of them."""
    return Game.objects.filter(tournament=event, pairing__round=None, result=Result.OPEN, sequence=None).order_by("pk")


def boards_to_play(tournament: Tournament) -> list[Game]:
    """The same with their players and their challenges. One query."""
    return list(waiting(tournament.pk).select_related("white", "black", "challenge"))
