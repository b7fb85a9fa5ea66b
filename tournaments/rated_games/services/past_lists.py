"""How a list stood on a day, and its publication: the games are handed down, `ratings.published` does the rest."""

from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import transaction
from django.db.models import Count, Sum
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from players.refusals import Refused
from ratings.lists.selectors.lists import live_ratings
from ratings.lists.services import lock_lists, rules_of
from ratings.models import PublishedList, RatingList
from ratings.published.services import Standing, freeze, is_published, standings_of_states, states_on, terms_of
from ratings.systems.base import PlayerState
from ratings.systems.published import Terms
from tournaments.rated_games.selectors.past_games import past_games, running_on

REMEMBERED_FOR = 3600  # seconds


@dataclass(frozen=True, slots=True)
class Publication:
    """What would be published, or was."""

    on: date
    ranked: int
    provisional: int
    players: int


def known_states(rating_list: RatingList, day: date) -> dict[int, PlayerState]:
    """Everybody's state at the end of that day as it is known now."""
    return states_on(rating_list, day, past_games(rating_list, day))


def known_on(rating_list: RatingList, day: date) -> list[Standing]:
    """The list at the end of that day as it is known now, best first.

    Remembered until the list changes: every change of the ledger or of who is ranked raises `revision`.
    """
    # A backup brought back begins with an old revision; the ratings themselves tell it from what is remembered.
    now = live_ratings().filter(rating_list=rating_list).aggregate(count=Count("pk"), sum=Sum("rating"))
    stamp = (rating_list.pk, rating_list.live_generation, rating_list.revision, now["count"], now["sum"], day)
    key = "known-on:" + ":".join(map(str, stamp))
    found: list[Standing] | None = cache.get(key)
    if found is None:
        found = standings_of_states(rating_list, known_states(rating_list, day), day)
        cache.set(key, found, REMEMBERED_FOR)
    return found


def terms_on(rating_list: RatingList, day: date) -> Terms:
    """What the list of that day is computed from besides the games, as it is known now."""
    periods = {rule.period for rule in rules_of(rating_list).all}
    running = tuple(event.slug for event in running_on(rating_list, day, periods).values())
    return terms_of(rating_list, day, running)


@transaction.atomic
def publish_list(rating_list: RatingList, on: date, *, by: User | None) -> PublishedList:
    """Freeze the list as it is known now for the end of that day. Raises Refused for a day that has not come, one
    published already, and one on which nobody was in the list."""
    locked, rows = _publishable(rating_list, on)
    return freeze(locked, terms_on(locked, on), rows, by=by)


@transaction.atomic
def preview_publication(rating_list: RatingList, on: date) -> Publication:
    """What `publish_list` would publish; writes nothing, refuses the same."""
    _locked, rows = _publishable(rating_list, on)
    return Publication(on, sum(row.place is not None for row in rows), sum(row.provisional for row in rows), len(rows))


def _publishable(rating_list: RatingList, on: date) -> tuple[RatingList, list[Standing]]:
    """The list, locked, and its rows, once nothing speaks against publishing them."""
    locked = next(row for row in lock_lists(rating_list.pool) if row.pk == rating_list.pk)
    values = {"day": date_format(on), "list": locked.shown_name}
    if on > timezone.localdate():
        raise Refused(_("%(day)s has not come yet: a list is published for a day that is over, or for today.") % values)
    if is_published(locked, on):
        text = _(
            "%(list)s is published for %(day)s already, and a published list is never rewritten: take another day."
        )
        raise Refused(text % values)
    rows = standings_of_states(locked, known_states(locked, on), on)
    if not rows:
        raise Refused(_("Nobody was in %(list)s on %(day)s: there is nothing to publish.") % values)
    return locked, rows
