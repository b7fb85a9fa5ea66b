"""Streams of games: the rated ones in order of replay, and a player's own."""

from collections.abc import Iterator

from django.db.models import Q

from players.models import Player
from ratings.systems.base import Moment, PlayedGame
from tournaments.models import Game, Tournament
from tournaments.standings.points import RATED_RESULTS, SCORES


def rated_games(pool: str, since: Moment | None = None) -> Iterator[PlayedGame]:
    """The pool's rated games in order of replay, all or from `since` on. Byes, forfeits and penalties are not among
    them. Rules are read by the event's first day, in an open-ended event by the day of the game."""
    games = Game.objects.filter(pool=pool, result__in=RATED_RESULTS, tournament__rated=True)
    if since is not None:
        games = games.filter(Q(played_on__gt=since.on) | Q(played_on=since.on, sequence__gte=since.sequence))
    columns = ("pk", "white_id", "black_id", "result", "played_on", "sequence", "tournament__starts_on")
    rows = games.order_by("played_on", "sequence").values_list(*columns)
    for pk, white, black, result, played_on, sequence, event_on in rows.iterator(chunk_size=5000):
        yield PlayedGame(pk, white, black, SCORES[result], played_on, sequence, event_on or played_on)


def first_rated_moments(player: Player) -> dict[str, Moment]:
    """For each pool the moment of the player's first rated game."""
    games = Game.objects.filter(Q(white=player) | Q(black=player), result__in=RATED_RESULTS, tournament__rated=True)
    first: dict[str, Moment] = {}
    for pool, played_on, sequence in games.order_by("played_on", "sequence").values_list(
        "pool", "played_on", "sequence"
    ):
        if played_on is not None and sequence is not None:
            first.setdefault(pool, Moment(played_on, sequence))
    return first


def first_moment(tournament: Tournament) -> Moment | None:
    """The moment of the event's first recorded game, or None."""
    first = (
        Game.objects.filter(tournament=tournament, sequence__isnull=False)
        .order_by("played_on", "sequence")
        .values_list("played_on", "sequence")
        .first()
    )
    return Moment(first[0], first[1]) if first and first[0] and first[1] else None
