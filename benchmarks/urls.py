"""The club's addresses with two beside them that do as little as a view can: what its pages are measured against."""

import django_tables2 as tables
from django.http import HttpRequest, HttpResponse
from django.template import Context, Engine
from django.urls import path

from clubrating.urls import urlpatterns as club
from ratings.lists.selectors.lists import leaderboard, primary_list

ROWS = 50
SLIM = """<table><thead><tr>{% for column in table.columns %}<th>{{ column.header }}</th>{% endfor %}</tr></thead>
<tbody>{% for row in table.rows %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}</tbody></table>"""


class BareTable(tables.Table):
    """The leaderboard's figures as they lie in the database, without a word on them."""

    player = tables.Column(accessor="player__name")
    rating = tables.Column()
    games = tables.Column()
    wins = tables.Column()
    draws = tables.Column()
    losses = tables.Column()
    peak = tables.Column()
    last_played = tables.Column()


def bare_table(request: HttpRequest) -> HttpResponse:
    """The first fifty rows of the main list in a bare django-tables2 table with a slim template."""
    found = primary_list()
    assert found is not None
    table = BareTable(leaderboard(found)[:ROWS])
    return _never_kept(Engine.get_default().from_string(SLIM).render(Context({"table": table})))


def bare(request: HttpRequest) -> HttpResponse:
    """A bare Django view."""
    return _never_kept("ok")


def _never_kept(text: str) -> HttpResponse:
    return HttpResponse(text, headers={"Cache-Control": "private"})


urlpatterns = [path("bare/", bare), path("bare-table/", bare_table), *club]
