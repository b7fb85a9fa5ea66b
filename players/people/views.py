"""`/players/`: the list of players, with its search."""

from typing import Any

import django_tables2 as tables
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubrating.web.formatting import css, show_page
from clubrating.web.forms import SearchForm, asked_for
from clubrating.web.requests import ClubRequest
from players.models import Player
from players.people.markup import player_link
from players.people.selectors import list_players
from players.privacy.rules import Viewer, sees_name


class PlayerTable(tables.Table):
    """Everybody, by the name the viewer sees."""

    name = tables.Column(verbose_name=_("Player"), accessor="pk")
    title = tables.Column(verbose_name=_("Title"), empty_values=())
    active = tables.Column(verbose_name=_("Status"), empty_values=())
    number = tables.Column(verbose_name=_("Number"), attrs=css("num"))

    class Meta:
        orderable = False
        empty_text = _("Nobody found.")

    def __init__(self, *args: Any, viewer: Viewer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.viewer = viewer

    def render_name(self, record: Player) -> SafeString:
        return player_link(record, self.viewer)

    def render_title(self, record: Player) -> str:
        """Only with the name: titles are so rare that one could reveal who "Player 17" is. An empty cell is the same
        for whoever has none."""
        return (record.title if sees_name(record, self.viewer) else "") or self.default

    def render_active(self, record: Player) -> str:
        return "" if record.active else str(_("inactive"))


PER_PAGE = 100


def index(request: ClubRequest) -> HttpResponse:
    """Everybody by name, searched by `?q=` in any script."""
    search = asked_for(request)
    table = PlayerTable(list_players(request.viewer, search=search), viewer=request.viewer)
    show_page(request, table, PER_PAGE)
    context = {
        "table": table,
        "search": search,
        "search_form": SearchForm(initial={"q": search}),
        "found": table.paginator.count,
    }
    return render(request, "players/index.html", context)
