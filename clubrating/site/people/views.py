"""`/players/`: the list of players with their ratings, and its search."""

from collections.abc import Mapping
from typing import Any

import django_tables2 as tables
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from clubrating.web.formatting import css, show_page
from clubrating.web.forms import SearchForm, asked_for
from clubrating.web.requests import ClubRequest
from players.models import Player
from players.people.markup import player_link
from players.people.names import is_read_in
from players.people.selectors import list_players
from players.privacy.rules import Viewer, sees_name, shown_reading
from ratings.lists.markup import listed_in_table, probation_chip
from ratings.lists.selectors.listing import listing_of
from ratings.lists.selectors.lists import foremost_ratings
from ratings.lists.selectors.probation import standing_at
from ratings.models import PlayerRating


class PlayerTable(tables.Table):
    """Everybody, by the name the viewer sees, with the rating in the main list or else in another."""

    name = tables.Column(verbose_name=_("Player"), accessor="pk")
    rating = tables.Column(verbose_name=_("Rating"), accessor="pk", attrs=css("num"))
    games = tables.Column(verbose_name=_("Rated games"), accessor="pk", attrs=css("num second"))
    number = tables.Column(verbose_name=_("Number"), attrs=css("num"))

    class Meta:
        orderable = False
        empty_text = _("Nobody found.")

    def __init__(self, *args: Any, viewer: Viewer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.viewer = viewer
        self.ratings: Mapping[int, PlayerRating] = {}

    def render_name(self, record: Player) -> SafeString:
        """The title only with the name: titles are so rare that one could reveal who "Player 17" is."""
        title = record.title if sees_name(record, self.viewer) else ""
        parts = [format_html('<abbr class="muted">{}</abbr> ', title)] if title else []
        parts.append(player_link(record, self.viewer))
        row = self.ratings.get(record.pk)
        if row is not None and _is_provisional(row):
            here = standing_at(row.rating_list, row)
            parts.append(format_html(" {}", probation_chip(here.done, here.of, told=here.by_evidence)))
        if not record.active:
            parts.append(format_html(' <span class="badge">{}</span>', gettext("inactive")))
        return SafeString("".join(parts))

    def render_rating(self, record: Player) -> SafeString | str:
        row = self.ratings.get(record.pk)
        if row is None:
            return ""
        listing, provisional = listing_of(row.rating_list), _is_provisional(row)
        figure = listed_in_table(listing, row.rating, row.deviation, provisional=provisional)
        if row.rating_list.primary:
            return figure
        return format_html('{}<span class="sub always">{}</span>', figure, row.rating_list.shown_name)

    def render_games(self, record: Player) -> str:
        row = self.ratings.get(record.pk)
        return "" if row is None else str(row.games)


def _is_provisional(row: PlayerRating) -> bool:
    return row.rating_list.probation.holds(row)


PER_PAGE = 100


def index(request: ClubRequest) -> HttpResponse:
    """Everybody by name, searched by `?q=` in any script; where nobody is called so, who is called nearly so."""
    search, viewer = asked_for(request), request.viewer
    table = _shown(request, search, misspelt=False)
    if is_near := bool(search) and not table.paginator.count:
        table = _shown(request, search, misspelt=True)
    people = [row.record for row in table.paginated_rows]
    table.ratings = foremost_ratings([person.pk for person in people])
    context = {
        "table": table,
        "search": search,
        "search_form": SearchForm(initial={"q": search}),
        "found": table.paginator.count,
        "is_near": is_near,
        "has_readings": viewer.wants_readings or any(_has_choice(person, viewer) for person in people),
    }
    return render(request, "players/index.html", context)


def _shown(request: ClubRequest, search: str, *, misspelt: bool) -> PlayerTable:
    people = list_players(request.viewer, search=search, misspelt=misspelt)
    table = PlayerTable(people, viewer=request.viewer, row_attrs={"class": _row_class})
    show_page(request, table, PER_PAGE)
    return table


def _row_class(record: Player, table: PlayerTable) -> str:
    row = table.ratings.get(record.pk)
    return "provisional" if row is not None and _is_provisional(row) else ""


def _has_choice(person: Player, viewer: Viewer) -> bool:
    """Whether readers of this language, who cannot read the name, may have its reading in its place."""
    return bool(shown_reading(person, viewer)) and not is_read_in(person.name, get_language() or "")
