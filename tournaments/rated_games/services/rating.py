"""Facts changed: hand the games down and let the lists follow. The only place where tournaments feed the ratings."""

from collections.abc import Iterable

from django.db import transaction

from ratings.ledger.services.ledger import replay_from, scope_of
from ratings.lists.services import lock_lists
from ratings.models import RatingList
from ratings.systems.base import Moment
from ratings.systems.sides import GamesAndContests, Played
from tournaments.models import Tournament
from tournaments.rated_games.selectors.games import first_moment, rated_play, whole_periods_from

# What lists have read, by where it begins (None: everything) and whether stones and komi are with it.
Read = dict[tuple[Moment | None, bool], Played]


@transaction.atomic
def rerate(pool: str, since: Moment, *, event: int | None = None) -> None:
    """Rate every list of the pool anew from `since` on. `event`: the one (by key) in which a game changed; lists that
    rate by the event take it as a whole."""
    read: Read = {}
    for rating_list in lock_lists(pool):
        rerate_list(rating_list, since, read, event)


def rerate_list(
    rating_list: RatingList,
    since: Moment,
    read: Read | None = None,
    event: int | None = None,
) -> None:
    """Rate one list anew from `since`, or from where its periods begin. `read`: games other lists had read."""
    begin, games, from_nothing = tail_games(rating_list, since, {} if read is None else read, event)
    replay_from(rating_list, begin, games, from_nothing=from_nothing)


def tail_games(
    rating_list: RatingList,
    since: Moment,
    read: Read,
    event: int | None = None,
) -> tuple[Moment, Played, bool]:
    """The games and contests a list needs to be rated from `since` on: where they begin, what was played, and whether
    that is all the list has. `read`: what other lists had read."""
    scope = scope_of(rating_list, since)
    begin = whole_periods_from(rating_list.pool, since, scope.periods, event)
    first = None if scope.from_nothing else begin
    key = first, scope.handicaps
    if key not in read:
        read[key] = _read(rated_play(rating_list.pool, first, handicaps=scope.handicaps))
    return begin, read[key], scope.from_nothing


def _read(play: Played) -> Played:
    """The same, to be gone through more than once."""
    return GamesAndContests(list(play.games), play.contests) if isinstance(play, GamesAndContests) else list(play)


def rerate_event(tournament: Tournament, pools: Iterable[str]) -> None:
    """Re-rate those pools from the event's first game on, after the event entered or left them."""
    since = first_moment(tournament)
    if since is not None:
        for pool in sorted(set(pools)):
            rerate(pool, since)
