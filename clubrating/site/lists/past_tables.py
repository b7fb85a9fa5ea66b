"""Lists of the pages about earlier days."""

from dataclasses import dataclass
from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from clubrating.ground.figures import MINUS, round_half_away
from clubrating.site.lists.selectors import Difference
from clubrating.web.formatting import css, day_text, written
from players.models import AuditEvent, Player
from players.people.markup import player_link
from players.privacy.rules import Viewer, sees_name
from ratings.lists.words import ROLES
from ratings.published.services import Standing

ACTIONS: dict[str, Any] = {
    "result.recorded": _("a result was entered late"),
    "result.corrected": _("a result was corrected"),
    "colours.swapped": _("White and Black were exchanged"),
    "game.removed": _("a game was taken out"),
    "game.inserted": _("a game was put in"),
    "games.loaded": _("earlier games were loaded"),
    "report.imported": _("an earlier tournament was brought in"),
    "match.ruled": _("the arbiter decided a match"),
    "match.ruling_taken_back": _("a decision of a match was taken back"),
    "players.merged": _("two records of one person were joined"),
    "players.unmerged": _("two records were separated again"),
    "starting-rating.entered": _("a starting rating was entered"),
    "starting-rating.changed": _("a starting rating was changed"),
    "starting-rating.removed": _("a starting rating was taken back"),
    "list.rules-changed": _("the list’s rules were changed"),
    "list.changed": _("the list’s probation was changed"),
    "player.changed": _("a player’s data were changed"),
    "tournament.changed": _("an event’s data were changed"),
    "tournament.deleted": _("an event was deleted"),
}


@dataclass(frozen=True, slots=True)
class PastRow:
    """A row of an earlier list with its person."""

    player: Player
    standing: Standing


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """A difference with its person."""

    player: Player
    difference: Difference


class PastListTable(tables.Table):
    """A list of an earlier day, in its order."""

    place = tables.Column(verbose_name="#", accessor="standing__place", empty_values=(), attrs=css("num"))
    player = tables.Column(verbose_name=_("Player"))
    rating = tables.Column(verbose_name=_("Rating"), accessor="standing__rating", attrs=css("num rating"))
    games = tables.Column(verbose_name=_("Games"), accessor="standing__games", attrs=css("num second"))

    class Meta:
        orderable = False
        row_attrs = {"class": lambda record: "provisional" if record.standing.provisional else None}
        empty_text = _("Nobody of that name was in the list.")

    def __init__(self, *args: Any, provisional_games: int, viewer: Viewer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.provisional_games, self.viewer = provisional_games, viewer

    def render_place(self, value: int | None) -> SafeString | str:
        if value is not None:
            return str(value)
        return format_html('<span aria-hidden="true">–</span><span class="hidden">{}</span>', _("not ranked"))

    def render_player(self, record: PastRow) -> SafeString:
        parts = [player_link(record.player, self.viewer)]
        if record.standing.provisional:
            parts.append(format_html('<span class="probation">{}</span>', _("on probation")))
        games = record.standing.games
        text = ngettext("%(games)s game", "%(games)s games", games) % {"games": games}
        return format_html('{}<span class="sub">{}</span>', mark_safe(" ".join(parts)), text)

    def render_rating(self, record: PastRow) -> SafeString:
        mark = "?" if record.standing.provisional else ""
        rating = round_half_away(record.standing.rating)
        return format_html('{}<span class="mark" aria-hidden="true">{}</span>', rating, mark)


class DifferenceTable(tables.Table):
    """Whose rating is known otherwise now. Whoever does not see the name does not see by how much either: a change
    may tell an age."""

    player = tables.Column(verbose_name=_("Player"))
    published = tables.Column(verbose_name=_("Then"), empty_values=(), attrs=css("num"))
    known = tables.Column(verbose_name=_("Now"), empty_values=(), attrs=css("num"))
    points = tables.Column(verbose_name=_("Change"), empty_values=(), attrs=css("num change"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}

    def __init__(self, *args: Any, viewer: Viewer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.viewer = viewer

    def render_player(self, value: Player) -> SafeString:
        return player_link(value, self.viewer)

    def render_published(self, record: DifferenceRow) -> str:
        return self._figure(record, record.difference.published)

    def render_known(self, record: DifferenceRow) -> str:
        return self._figure(record, record.difference.known)

    def render_points(self, record: DifferenceRow) -> str:
        points = record.difference.points
        if points is None or not sees_name(record.player, self.viewer):
            return "–"
        return tenths(points)

    def _figure(self, record: DifferenceRow, rating: float | None) -> str:
        if rating is None:
            return str(_("not in the list"))
        return written(f"{rating:.1f}") if sees_name(record.player, self.viewer) else str(round_half_away(rating))


class ChangeTable(tables.Table):
    """What was changed since a list was published: when, what and why, in which role. Names are for officers."""

    at = tables.Column(verbose_name=_("When"), attrs=css("nowrap"))
    action = tables.Column(verbose_name=_("What"))
    event = tables.Column(verbose_name=_("Event"), default="–", attrs=css("second"))
    reason = tables.Column(verbose_name=_("Why"), default="–", attrs=css("second"))
    role = tables.Column(verbose_name=_("By"), default="–", attrs=css("third"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}
        empty_text = _("Nothing of it stands in the audit trail.")

    def render_at(self, value: Any) -> str:
        return day_text(value, "when")

    def render_role(self, value: str) -> str:
        return str(ROLES.get(value, value))

    def render_action(self, record: Any) -> SafeString:
        lines = [reason_words(record.reason)] if record.reason else []
        lines += [record.event.name] if record.event else []
        return format_html(
            '{}<span class="sub">{}</span>', ACTIONS.get(record.action, _("another change")), " · ".join(lines)
        )

    def render_event(self, value: Any) -> SafeString:
        return format_html('<a class="name" href="{}">{}</a>', value.get_absolute_url(), value.name)

    def render_reason(self, value: str) -> str:
        return reason_words(value)


def reason_words(code: str) -> str:
    """A correction's reason in words."""
    return str(dict(AuditEvent.Reason.choices).get(code, code))


def tenths(points: float) -> str:
    """A difference with its sign and one decimal: a correction moves many by less than a point."""
    shown = written(f"{abs(points):.1f}")
    if shown == "0.0":
        return "±0.0"
    return f"+{shown}" if points > 0 else f"{MINUS}{shown}"
