"""Published lists: frozen once, with their settings and a digest over their rows, and never rewritten.

Who is handed what to freeze: `tournaments.rated_games.past_lists`. Rows name players by key; names are joined when shown.
"""

from collections.abc import Sequence
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction

from players.models import Player
from players.trail.services import write_audit
from ratings.models import PublishedList, PublishedRow, RatingList, StartingRating
from ratings.published.services import Standing
from ratings.lists.services import reentry_of, rules_of
from ratings.systems.base import Start
from ratings.systems.published import SealedRow, Terms, list_digest, plain_terms


def is_published(rating_list: RatingList, on: date) -> bool:
    """Whether the list is published for that very day."""
    return PublishedList.objects.filter(rating_list=rating_list, on=on).exists()


def terms_of(rating_list: RatingList, on: date, running: Sequence[str] = ()) -> Terms:
    """What the list of that day is computed from besides the games, as it stands now. `running`: see `Terms`."""
    starts = StartingRating.objects.filter(rating_list=rating_list, on__lte=on).order_by("on", "player__number")
    values = starts.values_list("player__number", "on", "rating", "games", "peak", "deviation")
    rules = rules_of(rating_list).all
    return Terms(
        rating_list=rating_list.slug,
        pool=rating_list.pool,
        on=on,
        rules=tuple(
            (rule.valid_from, rule.system.key, rule.system.stored_settings(rule.settings))
            for rule in rules
            if rule.valid_from <= on or rule is rules[0]
        ),
        provisional_games=rating_list.provisional_games,
        reentry=reentry_of(rating_list),
        starts=tuple(Start(*row) for row in values),
        running=tuple(sorted(running)),
    )


@transaction.atomic
def freeze(rating_list: RatingList, terms: Terms, rows: Sequence[Standing], *, by: User | None) -> PublishedList:
    """Write the list of the day the terms name: one row a player, in the order given."""
    settings = plain_terms(terms)
    numbers = dict(Player.objects.values_list("pk", "number"))
    sealed = [SealedRow(numbers[row.player], row.rating, row.games, row.provisional) for row in rows]
    published = PublishedList.objects.create(
        rating_list=rating_list, on=terms.on, settings=settings, digest=list_digest(sealed, settings)
    )
    PublishedRow.objects.bulk_create(
        (
            PublishedRow(
                published_list=published,
                player_id=row.player,
                place=row.place,
                rating=row.rating,
                games=row.games,
                provisional=row.provisional,
                deviation=row.deviation,
            )
            for row in rows
        ),
        batch_size=1000,
    )
    after = {"list": rating_list.slug, "on": terms.on.isoformat(), "players": len(rows), "digest": published.digest}
    write_audit("list.published", published, by=by, after=after)
    return published
