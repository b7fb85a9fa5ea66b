"""Ratings of a field at hand, for questions in which nobody needs a name: an event's entries or the top of a list, as
the public may read them; and how often a list's players draw."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q

from clubrating.ground.figures import round_half_away
from players.privacy.rules import NOBODY
from ratings.lists.selectors.history import drawn_share
from ratings.lists.selectors.lists import find_list, leaderboard, primary_list
from ratings.models import RatingList
from ratings.systems.draws import draw_rate, draw_share
from tournaments.events.selectors.events import facts_of, stages_at
from tournaments.models import Round, Tournament

EQUALS = 0.25  # E (1 − E) of a game between equals
MOST_DRAWS = 95  # of 100
MOST_EVENTS = 5


@dataclass(frozen=True, slots=True)
class KnownField:
    """Whose field it is, its ratings in whole points, best first, how many were left out for want of a rating, and how
    many of 100 games between equals are drawn in its list; None where it has no list anybody may read."""

    name: str
    ratings: tuple[int, ...]
    unrated: int
    draws: int | None


def field_of_event(slug: str) -> KnownField | None:
    """The entries of the event at that address, but those who withdrew; None where there are none to be had."""
    stages = stages_at(slug)
    if not stages or stages[0].tournament.open_ended:
        return None
    event = facts_of(stages, NOBODY)[0]
    ratings = [person.rating for person in event.everybody if not person.withdrawn]
    known = _best_first(rating for rating in ratings if rating is not None)
    draws = None if event.rating_list is None else draws_of(event.rating_list)
    return KnownField(event.tournament.name, known, len(ratings) - len(known), draws)


def field_of_list(slug: str, top: int) -> KnownField | None:
    """The first so many of a public list who still play, those on probation too; None where there is no such list."""
    rating_list = find_list(slug)
    if rating_list is None:
        return None
    ratings = leaderboard(rating_list).filter(player__active=True).values_list("rating", flat=True)[:top]
    return KnownField(rating_list.shown_name, _best_first(ratings), 0, draws_of(rating_list))


def draws_of(rating_list: RatingList) -> int:
    """Of 100 games between equals so many are drawn in that list."""
    drawn = drawn_share(rating_list)
    rate = draw_rate(drawn.games, drawn.draws, drawn.even)
    return min(round_half_away(100.0 * draw_share(EQUALS, rate * rate)), MOST_DRAWS)


def draws_of_club() -> int | None:
    """The same in the club's main list; None where there is none."""
    rating_list = primary_list()
    return None if rating_list is None else draws_of(rating_list)


def events_to_come() -> list[Tournament]:
    """Events with entries and no round yet, the next first, those without a day last; `entered`: how many are in."""
    begun = Exists(Round.objects.filter(stage__tournament=OuterRef("pk")))
    events = Tournament.objects.filter(~begun, open_ended=False, closed=False)
    found = events.annotate(entered=Count("entries", filter=Q(entries__withdrawn=False)))
    return list(found.filter(entered__gte=2).order_by(F("starts_on").asc(nulls_last=True), "pk")[:MOST_EVENTS])


def _best_first(ratings: Iterable[float]) -> tuple[int, ...]:
    return tuple(sorted((round_half_away(rating) for rating in ratings), reverse=True))
