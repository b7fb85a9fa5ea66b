"""What is known of a person changes, and the ratings follow: starting ratings, the year of birth, activity."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from players.models import Player
from players.people.services import update_player
from ratings.ledger.services.ledger import refresh_ranked
from ratings.lists.services import NewStart, enter_starting_ratings, lock_lists, remove_starting_rating
from ratings.models import RatingList, StartingRating
from ratings.systems.base import Moment
from tournaments.rated_games.selectors.games import first_rated_moments
from tournaments.rated_games.services.rating import rerate, rerate_list


@transaction.atomic
def bring_starting_ratings(rating_list: RatingList, starts: Iterable[NewStart], *, by: User | None) -> None:
    """Enter starting ratings and rate the list anew from the earliest of them. Raises Refused."""
    brought = list(starts)
    if not brought:
        return
    locked = _locked(rating_list)
    enter_starting_ratings(locked, brought, by=by)
    rerate_list(locked, Moment(min(start.on for start in brought)))


@transaction.atomic
def drop_starting_rating(start_key: int, *, by: User | None) -> None:
    """Take a starting rating back and rate the list anew from its day."""
    start = StartingRating.objects.select_related("rating_list").get(pk=start_key)
    locked = _locked(start.rating_list)
    remove_starting_rating(start, by=by)
    rerate_list(locked, Moment(start.on))


def _locked(rating_list: RatingList) -> RatingList:
    """The list as it is now, locked with the others of its pool."""
    return next(row for row in lock_lists(rating_list.pool) if row.pk == rating_list.pk)


@transaction.atomic
def change_player(player_key: int, changes: dict[str, Any], *, by: User | None, revision: int | None = None) -> Player:
    """Change a person's data and let the ratings follow (birth year: K; activity: places). Raises Stale or Refused."""
    lock_lists()
    player, changed = update_player(player_key, changes, by=by, revision=revision)
    if "birth_year" in changed:
        for pool, since in first_rated_moments(player).items():
            rerate(pool, since)
    if "active" in changed:
        refresh_ranked(player)
    return player
