"""How many games with a result and contests an event without rounds has: kept with it, because there may be as many as
a club has.

Whoever writes, changes or removes such a game says so here, in the transaction of the game; `rebuild_ratings --check`
counts them again. Not done: events with rounds; they are as small as a field, and their games are counted when asked.
"""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Count, F, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from tournaments.models import Contest, Game, Tournament
from tournaments.standings.points import DECIDED_RESULTS


def _number(rows: QuerySet[Game] | QuerySet[Contest]) -> Coalesce:
    """How many of those rows an event has."""
    own = rows.filter(tournament=OuterRef("pk")).order_by().values("tournament")
    return Coalesce(Subquery(own.annotate(number=Count("pk")).values("number"), output_field=IntegerField()), 0)


def _counted() -> Any:
    games = Game.objects.filter(result__in=DECIDED_RESULTS)
    return _number(games) + _number(Contest.objects.filter(withdrawn=False))


def count_games_in(event: Tournament, games: Iterable[Game]) -> None:
    """Add new games of that event to its count."""
    _add(event, sum(game.result in DECIDED_RESULTS for game in games))


def count_contests(event: Tournament, change: int) -> None:
    """So many contests came, or went."""
    _add(event, change)


def count_change(game: Game, was: str, now: str = "") -> None:
    """A game's result was that and is now this; nothing any more, where the game is removed."""
    _add(game.tournament, (now in DECIDED_RESULTS) - (was in DECIDED_RESULTS))


def _add(event: Tournament, change: int) -> None:
    if event.open_ended and change:
        Tournament.objects.filter(pk=event.pk).update(game_count=F("game_count") + change)


def miscounted(pool: str) -> list[str]:
    """What differs between the counts of a pool's events without rounds and their games, one line each."""
    events = Tournament.objects.filter(open_ended=True, pool=pool).annotate(counted=_counted())
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
    games = Game.objects.filter(tournament=event, result__in=DECIDED_RESULTS).count()
    counted = games + Contest.objects.filter(tournament=event, withdrawn=False).count()
    return bool(Tournament.objects.filter(pk=key).exclude(game_count=counted).update(game_count=counted))
