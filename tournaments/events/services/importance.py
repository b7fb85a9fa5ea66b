"""How much the games and contests of an event count: a factor on K, for lists whose rule has one.

The event's importance is copied to each game with its first result. Changed later it is changed in all of them, but for
those whose own file said another, and the lists are rated anew from the first of them on.
"""

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from ratings.systems.base import Moment
from tournaments.interchange.games_csv import MAX_IMPORTANCE, MIN_IMPORTANCE
from tournaments.models import Contest, Game, Tournament
from tournaments.rated_games.selectors.games import first_moments_of
from tournaments.rated_games.services.rating import rerate
from tournaments.rated_games.services.rating_impact import ImpactRecorder, RatedBeside
from tournaments.standings.points import RATED_RESULTS


def check_importance(importance: float) -> None:
    """Raises Refused for a factor out of proportion."""
    if not MIN_IMPORTANCE <= importance <= MAX_IMPORTANCE:
        raise Refused(_("The importance of an event is a factor from 0.01 to 100: 1 for an ordinary one."))


def games_following(tournament: Tournament) -> QuerySet[Game]:
    """The games that count as the event does, and not as their own file says."""
    return Game.objects.filter(tournament=tournament, own_importance=False)


def contests_following(tournament: Tournament) -> QuerySet[Contest]:
    """The same of contests."""
    return Contest.objects.filter(tournament=tournament, own_importance=False)


def first_following(tournament: Tournament) -> dict[str, Moment]:
    """From where the lists of which pools are rated anew when the event's importance changes."""
    rated = games_following(tournament).filter(tournament__rated=True, result__in=RATED_RESULTS, surplus=False)
    games = rated.order_by("played_on", "sequence").only("pool", "played_on", "sequence")
    pools = rated.order_by().values_list("pool", flat=True).distinct()
    contests = contests_following(tournament).filter(tournament__rated=True, withdrawn=False)
    return first_moments_of([*(game for pool in pools for game in games.filter(pool=pool)[:1]), *contests])


@transaction.atomic
def change_importance(
    tournament_key: int,
    importance: float,
    *,
    by: User | None,
    revision: int | None = None,
    reason: str = "",
    note: str = "",
    beside: RatedBeside | None = None,
) -> Tournament:
    """Let an event's games count that much. `beside`: the lists are rated already. Raises Stale; Refused for a factor
    out of proportion, and where it is that already."""
    lock_lists()
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_key)
    if revision is not None and tournament.revision != revision:
        raise Stale(_("Somebody else changed this tournament meanwhile: look at the new data, then change it again."))
    check_importance(importance)
    if importance == tournament.importance:
        raise Refused(_("“%(name)s” has this importance already.") % {"name": tournament.name})
    since = first_following(tournament)
    impact = ImpactRecorder(since, ())
    before = {"importance": tournament.importance}
    tournament.importance = importance
    tournament.revision += 1
    tournament.save(update_fields=["importance", "revision"])
    games = games_following(tournament).update(importance=importance)
    games += contests_following(tournament).update(importance=importance)
    for pool, moment in sorted(since.items()) if beside is None else ():
        rerate(pool, moment, event=tournament.pk)
    after = {"importance": importance, "games": games, "revision": tournament.revision}
    effect = impact.effect(beside)
    write_audit(
        "event.importance", tournament, by=by, before=before, after=after, effect=effect, reason=reason, note=note
    )
    return tournament
