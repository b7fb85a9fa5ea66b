"""How many games of an event without rounds have a result: kept with it, because there may be as many as a club has.

Whoever writes, changes or removes such a game says so here, in the transaction of the game; `rebuild_ratings --check`
counts them again. Not done: events with rounds; they are as small as a field, and their games are counted when asked.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Count, F, Q

from tournaments.models import Game, Tournament
from tournaments.standings.points import DECIDED_RESULTS

_COUNTED = Count("games", filter=Q(games__result__in=DECIDED_RESULTS))


def count_games_in(event: Tournament, games: Iterable[Game]) -> None:
    """Add new games of that event to its count."""
    _add(event, sum(game.result in DECIDED_RESULTS for game in games))


def count_change(game: Game, was: str, now: str = "") -> None:
    """A game's result was that and is now this; nothing any more, where the game is removed."""
    _add(game.tournament, (now in DECIDED_RESULTS) - (was in DECIDED_RESULTS))


def _add(event: Tournament, change: int) -> None:
    if event.open_ended and change:
        Tournament.objects.filter(pk=event.pk).update(game_count=F("game_count") + change)


def miscounted(pool: str) -> list[str]:
    """What differs between the counts of a pool's events without rounds and their games, one line each."""
    events = Tournament.objects.filter(open_ended=True, pool=pool).annotate(counted=_COUNTED)
    rows = events.exclude(game_count=F("counted")).order_by("pk").values_list("pk", "game_count", "counted")
    return [f"event {key}: {kept} games counted, {counted} have a result" for key, kept, counted in rows]


def recount_games() -> int:
    """Count the games of all events without rounds again; how many counts were wrong. For games written by the version
    before this one while both ran."""
    return sum(map(_recount, Tournament.objects.filter(open_ended=True).order_by("pk").values_list("pk", flat=True)))


@transaction.atomic
def _recount(key: int) -> bool:
    event = Tournament.objects.select_for_update(no_key=True).get(pk=key)
    # Counted once the row is locked: whoever wrote a game meanwhile has added it, or waits to.
    counted = Game.objects.filter(tournament=event, result__in=DECIDED_RESULTS).count()
    return bool(Tournament.objects.filter(pk=key).exclude(game_count=counted).update(game_count=counted))
