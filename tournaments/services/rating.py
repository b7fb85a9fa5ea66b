"""Facts changed: hand the games down and let the lists follow. The only place where tournaments feed the ratings."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from players.models import Player
from players.services.people import update_player
from ratings.models import RatingList, StartingRating
from ratings.services.check import differences
from ratings.services.ledger import rebuild, refresh_ranked, replay_from
from ratings.services.lists import NewStart, enter_starting_ratings, lock_lists, remove_starting_rating
from ratings.systems.base import Moment
from tournaments.models import Tournament
from tournaments.selectors.games import first_moment, first_rated_moments, rated_games


@transaction.atomic
def rerate(pool: str, since: Moment) -> None:
    """Rate every list of the pool anew from `since` on."""
    lists = lock_lists(pool)
    if not lists:
        return
    games = list(rated_games(pool, since))
    for rating_list in lists:
        replay_from(rating_list, since, games)


def rebuild_list(rating_list: RatingList) -> int:
    """Rate a list from nothing; the number of games rated."""
    return rebuild(rating_list, rated_games(rating_list.pool))


def check_list(rating_list: RatingList) -> list[str]:
    """What differs between a list and a fresh replay of its facts, one line each; empty where nothing does."""
    return list(differences(rating_list, rated_games(rating_list.pool)))


@transaction.atomic
def bring_starting_ratings(rating_list: RatingList, starts: Iterable[NewStart], *, by: User | None) -> None:
    """Enter starting ratings and rate the list anew from the earliest of them. Raises Refused."""
    brought = list(starts)
    if not brought:
        return
    lock_lists(rating_list.pool)
    enter_starting_ratings(rating_list, brought, by=by)
    _rerate_list(rating_list, min(start.on for start in brought))


@transaction.atomic
def drop_starting_rating(start_key: int, *, by: User | None) -> None:
    """Take a starting rating back and rate the list anew from its day."""
    start = StartingRating.objects.select_related("rating_list").get(pk=start_key)
    lock_lists(start.rating_list.pool)
    remove_starting_rating(start, by=by)
    _rerate_list(start.rating_list, start.on)


def _rerate_list(rating_list: RatingList, day: date) -> None:
    """Rate one list anew from a day on: its starting ratings changed, the games did not."""
    since = Moment(day)
    replay_from(rating_list, since, list(rated_games(rating_list.pool, since)))


@transaction.atomic
def change_player(player_key: int, changes: dict[str, Any], *, by: User | None, revision: int | None = None) -> Player:
    """Change a person's data and let the ratings follow: the year of birth decides K, activity decides the places.
    Raises Stale or Refused."""
    lock_lists()
    player, changed = update_player(player_key, changes, by=by, revision=revision)
    if "birth_year" in changed:
        for pool, since in first_rated_moments(player).items():
            rerate(pool, since)
    if "active" in changed:
        refresh_ranked(player)
    return player


def rerate_event(tournament: Tournament, pools: Iterable[str]) -> None:
    """Re-rate those pools from the event's first game on, after the event entered or left them."""
    since = first_moment(tournament)
    if since is not None:
        for pool in sorted(set(pools)):
            rerate(pool, since)
