"""Tables of a typed system: games worked out before the study, and the table of ratings after it."""

from collections.abc import Sequence

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubrating.ground.figures import MINUS
from clubrating.web.formatting import css, decimals
from ratings.lab.typed import EXPECTED, KS, Try

PLACES = 2


def _moved(before: float, after: float) -> SafeString:
    """The rating after a game, and by how much it moved."""
    change = round(after - before, PLACES) + 0.0
    sign = "+" if change > 0 else MINUS if change < 0 else ""
    return format_html(
        '<b>{}</b> <span class="alt">{}{}</span>', decimals(after, PLACES), sign, decimals(abs(change), PLACES)
    )


class TriesTable(tables.Table):
    """Games worked out; a dash where one cannot be."""

    wide = _("Games worked out")
    before = tables.Column(verbose_name=_("Winner v loser"), accessor="winner", attrs=css("who", "nowrap"))
    expected = tables.Column(verbose_name=_("Expected"), accessor="known", attrs=css("num"))
    ks = tables.Column(verbose_name=_("K"), accessor="known", attrs=css("num"))
    winner = tables.Column(verbose_name=_("Winner after"), attrs=css("num"))
    loser = tables.Column(verbose_name=_("Loser after"), attrs=css("num"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}

    def render_before(self, record: Try) -> str:
        return f"{_short(record.winner)} – {_short(record.loser)}"

    def render_expected(self, record: Try) -> str:
        return _pair(record, EXPECTED, 3)

    def render_ks(self, record: Try) -> str:
        return _pair(record, KS, 1)

    def render_winner(self, record: Try) -> SafeString | str:
        return "–" if record.played is None else _moved(record.winner, record.played.winner)

    def render_loser(self, record: Try) -> SafeString | str:
        return "–" if record.played is None else _moved(record.loser, record.played.loser)


def tries_table(rows: Sequence[Try]) -> TriesTable:
    """The games, without columns for what has no formula."""
    columns = {"expected": EXPECTED[0], "ks": KS[0]}
    return TriesTable(
        rows, exclude=[key for key, name in columns.items() if not any(name in row.known for row in rows)]
    )


def _short(value: float) -> str:
    return decimals(value, 0 if value == int(value) else 1)


def _pair(record: Try, names: Sequence[str], places: int) -> str:
    """The winner's figure and the loser's."""
    return " · ".join(decimals(record.known[name], places) for name in names if name in record.known) or "–"


class StandingsTable(tables.Table):
    """The sorted table after the last game, as `ratings.lab.typed_study.table_rows` has it."""

    wide = _("The table after the last game")
    place = tables.Column(verbose_name=_("Place"), accessor="place", attrs=css("num"))
    player = tables.Column(verbose_name=_("Strength–frequency"), attrs=css("who"))
    rating = tables.Column(verbose_name=_("Rating"), attrs=css("num"))
    games = tables.Column(verbose_name=_("Games"), attrs=css("num"))
    wins = tables.Column(verbose_name=_("Wins"), attrs=css("num"))
    cost = tables.Column(verbose_name=_("Points of the index"), attrs=css("num"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}

    def render_rating(self, value: float) -> str:
        return decimals(value, 1)


def standings_table(rows: Sequence[Sequence[float]]) -> StandingsTable:
    """The table of a typed system's first replication."""
    names = ("rating", "games", "wins", "cost")
    return StandingsTable([
        {"place": place, "player": f"{row[0]:g}–{row[1]:g}", **dict(zip(names, row[2:], strict=True))}
        for place, row in enumerate(rows, 1)
    ])  # fmt: skip
