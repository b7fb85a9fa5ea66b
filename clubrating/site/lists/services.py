"""A list as a file, CSV or JSON: as published, or as it is known now for a day."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

from players.models import Player
from players.privacy.rules import Viewer, shown_name
from ratings.lists.selectors.listing import caution_figures, listing_of, listing_when_published
from ratings.lists.selectors.published import published_rows
from ratings.models import PublishedList, PublishedRow, RatingList
from ratings.published.services import Standing
from ratings.systems.published import SealedRow, list_digest, plain_terms
from ratings.systems.rules import Listing
from tournaments.interchange.list_csv import WrittenRow, write_list
from tournaments.rated_games.services.past_lists import known_on, terms_on

# A function that makes the file's text of facts, settings, digest and rows.
Writer = Callable[[Mapping[str, str], Mapping[str, Any], str, Iterable[WrittenRow]], str]


def published_file(published: PublishedList, viewer: Viewer, write: Writer = write_list) -> str:
    """The file of a published list. All but the names, which are shown as the viewer may see them, is frozen."""
    listing = listing_when_published(published)
    rows = (_line(row, row.player, viewer, listing) for row in published_rows(published))
    facts = _facts(published.rating_list, "published", published.on)
    facts["published_at"] = published.published_at.isoformat(timespec="seconds")
    return write(facts, published.settings, published.digest, rows)


def known_file(rating_list: RatingList, day: date, viewer: Viewer, write: Writer = write_list) -> str:
    """The file of a list as it is known now for the end of a day."""
    people = {player.pk: player for player in Player.objects.all()}
    listing = listing_of(rating_list, day)
    rows = [_line(row, people[row.player], viewer, listing) for row in known_on(rating_list, day)]
    settings = plain_terms(terms_on(rating_list, day))
    digest = list_digest((row.sealed for row in rows), settings)
    return write(_facts(rating_list, "known", day), settings, digest, rows)


def _line(row: PublishedRow | Standing, player: Player, viewer: Viewer, listing: Listing) -> WrittenRow:
    sealed = SealedRow(player.number, row.rating, row.games, row.provisional)
    more = caution_figures(row.rating, row.deviation, listing)
    return WrittenRow(row.place, shown_name(player, viewer), sealed, more)


def _facts(rating_list: RatingList, kind: str, on: date) -> dict[str, str]:
    return {
        "list": rating_list.slug,
        "name": rating_list.name,
        "pool": rating_list.pool,
        "kind": kind,
        "on": on.isoformat(),
    }
