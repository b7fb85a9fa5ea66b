"""Facts changed: hand the games down and let the lists follow. The only place where tournaments feed the ratings."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from ratings.ledger.services.ledger import replay_from, scope_of
from ratings.lists.services import lock_lists
from ratings.models import RatingList
from ratings.systems.base import Moment, PlayedGame
from tournaments.models import Tournament
from tournaments.rated_games.selectors.games import first_moment, rated_games, whole_periods_from


@transaction.atomic
def rerate(pool: str, since: Moment, *, event: int | None = None) -> None:
    """Rate every list of the pool anew from `since` on. `event`: the one (by key) in which a game changed; lists that
    rate by the event take it as a whole."""
    read: dict[Moment | None, Sequence[PlayedGame]] = {}
    for rating_list in lock_lists(pool):
        rerate_list(rating_list, since, read, event)


def rerate_list(
    rating_list: RatingList,
    since: Moment,
    read: dict[Moment | None, Sequence[PlayedGame]] | None = None,
    event: int | None = None,
) -> None:
    """Rate one list anew from `since`, or from where its periods begin. `read`: games other lists had read."""
    begin, games, from_nothing = tail_games(rating_list, since, {} if read is None else read, event)
    replay_from(rating_list, begin, games, from_nothing=from_nothing)


def tail_games(
    rating_list: RatingList,
    since: Moment,
    read: dict[Moment | None, Sequence[PlayedGame]],
    event: int | None = None,
) -> tuple[Moment, Sequence[PlayedGame], bool]:
    """The games a list needs to be rated from `since` on: where they begin, the games, and whether they are all the
    list's. `read`: games that other lists had read."""
    scope = scope_of(rating_list, since)
    begin = whole_periods_from(rating_list.pool, since, scope.periods, event)
    key = None if scope.from_nothing else begin
    if key not in read:
        read[key] = list(rated_games(rating_list.pool, key))
    return begin, read[key], scope.from_nothing


def rerate_event(tournament: Tournament, pools: Iterable[str]) -> None:
    """Re-rate those pools from the event's first game on, after the event entered or left them."""
    since = first_moment(tournament)
    if since is not None:
        for pool in sorted(set(pools)):
            rerate(pool, since)
