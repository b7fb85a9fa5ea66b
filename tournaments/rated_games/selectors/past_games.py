"""Games as they stood on an earlier day: which events were running, and the games a list is read with."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.db.models import Q, QuerySet

from ratings.ledger.services.ledger import scope_of
from ratings.models import RatingList
from ratings.published.services import PastGames, after
from ratings.systems.base import Period
from ratings.systems.sides import GamesAndContests
from tournaments.models import Tournament
from tournaments.rated_games.selectors.games import contests_in, rated_in, rated_play, whole_periods_from

LONG = 5_000  # games; a shorter tail is always read back
CHEAPER = 3  # reading a game back from the ledger costs as much as rating so many anew


def running_events(pool: str, day: date) -> dict[int, Tournament]:
    """Events with rated games of the pool up to that day that were not over at its end, by key. An event is over with
    its last game, once it is closed; open-ended ones never run."""
    games = rated_in(pool)
    begun = games.filter(played_on__lte=day, tournament__open_ended=False).values("tournament")
    later = games.filter(played_on__gt=day).values("tournament")
    found = Tournament.objects.filter(pk__in=begun).filter(Q(closed=False) | Q(pk__in=later))
    return {event.pk: event for event in found.order_by("slug")}


def running_on(rating_list: RatingList, day: date, periods: Iterable[Period]) -> dict[int, Tournament]:
    """The same for one list; nothing where it does not rate by the event: then it makes no difference."""
    return running_events(rating_list.pool, day) if Period.EVENT in set(periods) else {}


def past_games(rating_list: RatingList, day: date) -> PastGames:
    """The games `states_on` needs for that list and day."""
    end = after(day)
    scope = scope_of(rating_list, end)
    from_nothing = scope.from_nothing or _hides_returns(rating_list, scope.periods) or _is_far_back(rating_list, day)
    begin = whole_periods_from(rating_list.pool, end, scope.periods)
    if begin == end and not from_nothing:
        return PastGames(end)
    running = running_on(rating_list, day, scope.periods)
    play = rated_play(rating_list.pool, None if from_nothing else begin, handicaps=scope.handicaps)
    games = []
    for game in play.games if isinstance(play, GamesAndContests) else play:
        if game.order >= end.order:
            break
        games.append(game._replace(closed=False) if game.event in running else game)
    if not isinstance(play, GamesAndContests):
        return PastGames(begin, games, from_nothing)
    contests = [contest for contest in play.contests if contest.order < end.order]
    return PastGames(begin, GamesAndContests(games, contests), from_nothing)


def _hides_returns(rating_list: RatingList, periods: Iterable[Period]) -> bool:
    """Whether a return after a long absence cannot be undone: only between games rated one by one it can."""
    return bool(rating_list.reentry_years) and Period.GAME in set(periods) and len(set(periods)) > 1


def _is_far_back(rating_list: RatingList, day: date) -> bool:
    """Whether so much followed that rating what came before is quicker than reading back; both give the same."""
    kinds: list[QuerySet[Any]] = [rated_in(rating_list.pool)]
    if rating_list.has_contests:
        kinds.append(contests_in(rating_list.pool))
    tail = sum(rows.filter(played_on__gt=day).count() for rows in kinds)
    return tail > LONG and sum(rows.filter(played_on__lte=day).count() for rows in kinds) < CHEAPER * tail
