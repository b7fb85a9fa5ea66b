"""Facts changed: hand the games down and let the lists follow. The only place where tournaments feed the ratings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from players.models import Player
from players.people.services import update_player
from ratings.ledger.services.ledger import refresh_ranked, replay_from, scope_of
from ratings.ledger.services.rebuild import GamesOf, Tell, clear_generations, differences, rebuild
from ratings.lists.services import NewStart, enter_starting_ratings, lock_lists, remove_starting_rating
from ratings.models import RatingList, StartingRating
from ratings.systems.base import Moment, PlayedGame
from tournaments.models import Tournament
from tournaments.rated_games.selectors import first_moment, first_rated_moments, rated_games, whole_periods_from


@transaction.atomic
def rerate(pool: str, since: Moment, *, event: int | None = None) -> None:
    """Rate every list of the pool anew from `since` on. `event`: the one (by key) in which a game changed; lists that
    rate by the event take it as a whole."""
    read: dict[Moment | None, Sequence[PlayedGame]] = {}
    for rating_list in lock_lists(pool):
        _rerate_list(rating_list, since, read, event)


def _rerate_list(
    rating_list: RatingList,
    since: Moment,
    read: dict[Moment | None, Sequence[PlayedGame]] | None = None,
    event: int | None = None,
) -> None:
    """Rate one list anew from `since`, or from where its periods begin. `read`: games other lists had read."""
    tail = _tail_games(rating_list, since, {} if read is None else read, event)
    replay_from(rating_list, tail.since, tail.games, from_nothing=tail.from_nothing)


@dataclass(frozen=True, slots=True)
class _TailGames:
    """The games a list needs to be rated from a moment on."""

    since: Moment
    games: Sequence[PlayedGame]
    from_nothing: bool


def _tail_games(
    rating_list: RatingList,
    since: Moment,
    read: dict[Moment | None, Sequence[PlayedGame]],
    event: int | None = None,
) -> _TailGames:
    scope = scope_of(rating_list, since)
    begin = whole_periods_from(rating_list.pool, since, scope.periods, event)
    key = None if scope.from_nothing else begin
    if key not in read:
        read[key] = list(rated_games(rating_list.pool, key))
    return _TailGames(begin, read[key], scope.from_nothing)


class ListGames(GamesOf):
    """The games of a list, for a rebuild."""

    def __init__(self, rating_list: RatingList) -> None:
        self.list = rating_list

    def all(self) -> Iterable[PlayedGame]:
        return rated_games(self.list.pool)

    def since(self, moment: Moment) -> tuple[Moment, Sequence[PlayedGame], bool]:
        tail = _tail_games(self.list, moment, {})
        return tail.since, tail.games, tail.from_nothing


def rebuild_list(rating_list: RatingList, *, tell: Tell | None = None) -> int:
    """Rate a list from nothing beside the live one; the number of games rated. `tell` hears how far it is."""
    games = rebuild(rating_list, ListGames(rating_list), tell=tell)
    clear_generations(rating_list)
    return games


def check_list(rating_list: RatingList) -> list[str]:
    """What differs between a list and a fresh replay of its facts, one line each; empty where nothing does."""
    return list(differences(rating_list, rated_games(rating_list.pool)))


@transaction.atomic
def bring_starting_ratings(rating_list: RatingList, starts: Iterable[NewStart], *, by: User | None) -> None:
    """Enter starting ratings and rate the list anew from the earliest of them. Raises Refused."""
    brought = list(starts)
    if not brought:
        return
    locked = _locked(rating_list)
    enter_starting_ratings(locked, brought, by=by)
    _rerate_list(locked, Moment(min(start.on for start in brought)))


@transaction.atomic
def drop_starting_rating(start_key: int, *, by: User | None) -> None:
    """Take a starting rating back and rate the list anew from its day."""
    start = StartingRating.objects.select_related("rating_list").get(pk=start_key)
    locked = _locked(start.rating_list)
    remove_starting_rating(start, by=by)
    _rerate_list(locked, Moment(start.on))


def _locked(rating_list: RatingList) -> RatingList:
    """The list as it is now, locked with the others of its pool."""
    return next(row for row in lock_lists(rating_list.pool) if row.pk == rating_list.pk)


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
