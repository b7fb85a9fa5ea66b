"""Where somebody stands in a list: the page and the row of a player, those around him, who is meant by “me”."""

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.http import urlencode

from clubrating.web.api import whole
from players.people.selectors import named
from players.privacy.rules import Viewer, names_seen
from ratings.lists.selectors.lists import around, from_place, leaderboard, rating_of, rows_before
from ratings.models import PlayerRating, RatingList


def number_in(request: HttpRequest, name: str) -> int | None:
    """A whole number from 1 on that the address gives under that name; None for none."""
    return whole(request, name, 1) if name in request.GET else None


def page_of(rating_list: RatingList, number: int, per_page: int) -> str:
    """The address of the page with the player's row marked; empty where the list does not have him."""
    row = rating_of(rating_list, number)
    if row is None:
        return ""
    page = rows_before(rating_list, row) // per_page + 1
    return f"{rating_list.get_absolute_url()}?player={number}&page={page}#player-{number}"


def address_of_me(rating_list: RatingList, text: str, viewer: Viewer) -> str:
    """Where “show me” leads: to the ten around the one player of that number or name, else to a search for the name.
    Of names only those this viewer reads are looked at. Nothing is remembered but in the address, by number."""
    found = _numbers_called(rating_list, text, viewer)
    here = rating_list.get_absolute_url()
    return f"{here}?around={found[0]}#player-{found[0]}" if len(found) == 1 else f"{here}?{urlencode({'q': text})}"


def _numbers_called(rating_list: RatingList, text: str, viewer: Viewer) -> list[int]:
    number = text.removeprefix("#")
    rows = leaderboard(rating_list)
    if number.isascii() and number.isdigit():
        rows = rows.filter(player__number=int(number[:9]))
    elif words := text.casefold().split():
        rows = rows.filter(names_seen(viewer, "player__"), named(words, "player__"))
    else:
        return []
    return list(rows.values_list("player__number", flat=True)[:2])


def few(rating_list: RatingList, start: int | None, number: int | None) -> QuerySet[PlayerRating] | None:
    """The ten places from `start` on, or the player of that number with those around him; None where neither is asked
    for, or the list does not have him."""
    if start is not None:
        return from_place(rating_list, start)
    row = rating_of(rating_list, number) if number is not None else None
    return around(rating_list, row) if row is not None else None
