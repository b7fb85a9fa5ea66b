"""The public ledger of corrections: `/ratings/corrections/`, one player's with `?player=<number>`.

A line says when and in which role somebody corrected what, why, and what it moved.
"""

from datetime import date
from typing import Any

import django_tables2 as tables
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext

from clubrating.ground.figures import signed_tenths
from clubrating.web.formatting import css, day_text, short_day, written
from clubrating.web.requests import ClubRequest
from players.models import AuditEvent
from players.people.markup import player_link
from players.people.selectors import find_player
from players.privacy.rules import OFFICER, Viewer
from players.refusals import sign
from ratings.explain.base import plain
from ratings.lists.words import ROLES
from tournaments.corrections.selectors import (
    IMPORTANCE,
    LOADED,
    ON_CONTESTS,
    ON_FACTS,
    ON_MATCHES,
    ON_NOTES,
    Correction,
    Moved,
    corrections,
    corrections_for,
)
from tournaments.results.selectors import without_hidden_names
from tournaments.results.services.results import notation
from tournaments.results.words import handicap_words
from tournaments.standings.points import OUTCOMES


class CorrectionTable(tables.Table):
    """Corrections, the latest first. `note` is for officers: leave it out for everybody else."""

    at = tables.Column(verbose_name=_("When"), attrs=css("second"))
    what = tables.Column(verbose_name=_("What, and what it moved"), empty_values=())
    change = tables.Column(verbose_name=_("From, to"), empty_values=())
    reason = tables.Column(verbose_name=_("Reason"), empty_values=(), attrs=css("second"))
    note = tables.Column(verbose_name=_("Who, and note"), empty_values=(), attrs=css("second"))

    class Meta:
        orderable = False
        empty_text = _("Nothing was corrected yet. Every correction will stand here, with its reason and its effect.")

    def __init__(self, *args: Any, viewer: Viewer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.viewer = viewer

    def render_at(self, record: Correction) -> SafeString:
        when = day_text(record.at, "when")
        return format_html('{}<span class="alt">{}</span>', when + " ", ROLES.get(record.role, record.role))

    def render_what(self, record: Correction) -> SafeString:
        """The game, what it moved under it, and on narrow screens what the other columns say."""
        people = format_html_join(" – ", "{}", ((player_link(player, self.viewer),) for player in record.people))
        parts = [(part,) for part in (people, _where(record), _said(record) or self._noted(record)) if part]
        moved = format_html_join(sign("; "), "{}", ((self._list(row),) for row in record.moved)) or _unmoved(record)
        who = [self.render_note(record)] if record.who or record.note else []
        rest = [day_text(record.at), ROLES.get(record.role, record.role), self.render_reason(record), *who]
        return format_html(
            '{}<span class="sub always">{}</span><span class="sub">{}</span>',
            format_html_join(" · ", "{}", parts),
            moved,
            format_html_join(" · ", "{}", ((part,) for part in rest)),
        )

    def render_change(self, record: Correction) -> SafeString:
        was, now = record.was, record.now
        parts = []
        if record.action in ("result.corrected", "colours.swapped", "seats.exchanged"):
            parts.append(f"{_result(was)} → {_result(now)}")
            if was.get("played_on") != now.get("played_on"):
                parts.append(f"{_day(was)} → {_day(now)}")
        elif record.action == "handicap.corrected":
            parts = [f"{handicap_words(*_handicap(was))} → {handicap_words(*_handicap(now))}"]
        elif record.action in ON_CONTESTS:
            parts = _tables(was, now)
        elif record.action == "game.inserted":
            parts = [f"– → {_result(now)}", _day(now)]
        elif record.action == "game.removed":
            parts = [f"{_result(was)} → –", _day(was)]
        elif record.action in LOADED:
            days = dict.fromkeys(short_day(date.fromisoformat(day)) for day in now.get("days", []))
            parts = [f"{_games(now.get('games', 0))}{sign(', ')}{' – '.join(days)}"]
        elif record.action == IMPORTANCE:
            parts = [f"× {plain(was['importance'])} → × {plain(now['importance'])}"]
        elif record.action in ON_MATCHES:
            parts = [str(_("another player goes on"))]
        elif record.action in ON_NOTES:
            parts = ["–"]
        elif record.action in ON_FACTS:
            parts = [
                " → ".join(short_day(date.fromisoformat(image["on"])) for image in (was, now) if "on" in image) or "–"
            ]
        else:
            parts = [_games(now.get("games", was.get("games", 0)))]
        return format_html_join(" ", '<span class="nowrap">{}</span>', ((part,) for part in parts))

    def render_reason(self, record: Correction) -> str:
        return str(dict(AuditEvent.Reason.choices).get(record.reason, record.reason) or "–")

    def _noted(self, record: Correction) -> str:
        """A note on a result as it was written; nothing for other corrections."""
        if record.action not in ON_NOTES:
            return ""
        text = record.now["footnote"]
        said = without_hidden_names(text, record.people, self.viewer) if text else _now("taken back")
        return f"{_now('note on the result')}{sign(': ')}{said}"

    def _list(self, moved: Moved) -> SafeString:
        players = ngettext("%(count)s player", "%(count)s players", moved.players) % {"count": moved.players}
        name = moved.rating_list.shown_name
        if not moved.players:
            return format_html("{}{}{}", name, sign(": "), _("no rating moved"))
        said = format_html("{}{}{}{}{}", name, sign(": "), players, sign(", "), _games(moved.games))
        if moved.largest is None:
            return said
        player, points = moved.largest
        figure, link = written(signed_tenths(points)), player_link(player, self.viewer)
        return format_html(_now("{moved}, most {figure} {player}"), moved=said, figure=figure, player=link)

    def render_note(self, record: Correction) -> str:
        return sign(": ").join(part for part in (record.who, record.note) if part) or "–"


def _where(record: Correction) -> SafeString | str:
    if record.event is None:
        return ""
    link = format_html('<a class="name" href="{}">{}</a>', record.event.get_absolute_url(), record.event.name)
    if record.round is None:
        return link
    board = _("round %(round)s, board %(board)s") % {"round": record.round, "board": record.board}
    return format_html("{}{}{}", link, sign(", "), board)


def _said(record: Correction) -> str:
    """What a result alone does not say."""
    return str(
        {
            "colours.swapped": _("colours exchanged"),
            "handicap.corrected": _("stones or komi corrected"),
            "seats.exchanged": _("others sat at the board"),
            "contest.corrected": _("a table was corrected"),
            "contest.inserted": _("a forgotten table"),
            "game.inserted": _("a forgotten game"),
            "game.removed": _("removed"),
            "games.loaded": _("games loaded late"),
            "report.imported": _("a tournament brought in late"),
            IMPORTANCE: _("importance of the event"),
            "match.ruled": _("decided by the arbiter"),
            "match.ruling_taken_back": _("the games decide again"),
            "starting-rating.entered": _("a starting rating was entered"),
            "starting-rating.changed": _("a starting rating was changed"),
            "starting-rating.removed": _("a starting rating was taken back"),
            "list.rules-changed": _("the list’s rules were changed"),
            "list.changed": _("the list’s probation was changed"),
            "players.merged": _("two records of one person, now one"),
            "players.unmerged": _("two persons again"),
        }.get(record.action, "")
    )


def _handicap(image: Any) -> tuple[int, float | None]:
    return image.get("handicap", 0), image.get("komi")


def _result(image: Any) -> str:
    code = image.get("result", "")
    return notation(code, "–") if code in OUTCOMES else "–"


def _tables(was: Any, now: Any) -> list[str]:
    """The places of a table before and after, its day where that moved, or that it is withdrawn."""
    parts = [" → ".join(_places(image) for image in (was, now) if image)]
    if was and was["played_on"] != now["played_on"]:
        parts.append(f"{_day(was)} → {_day(now)}")
    return parts


def _places(image: Any) -> str:
    if image["withdrawn"]:
        return pgettext("of a contest", "withdrawn")
    return " ".join(str(place) for place, _score, _members in image["sides"])


def _day(image: Any) -> str:
    day = image.get("played_on")
    return short_day(date.fromisoformat(day)) if day else "–"


def _unmoved(record: Correction) -> str:
    """A file of several events is rated once: what it moved stands with the first of them; games of a later match that
    went with an earlier one, with that."""
    if record.action == "game.removed" and record.was.get("behind"):
        return str(_("What it moved stands with the correction of the match before it."))
    if record.action == "games.loaded":
        return str(_("What the file moved stands with its first event."))
    return str(_("No rating moved."))


def _games(count: int) -> str:
    return ngettext("%(count)s game", "%(count)s games", count) % {"count": count}


PER_PAGE = 50


def ledger(request: ClubRequest) -> HttpResponse:
    """A page of it; who it was and the note for officers only. 404 for a player's number nobody has."""
    viewer, number = request.viewer, request.GET.get("player")
    found = find_player(number) if number else None
    if number and found is None:
        raise Http404
    page = Paginator(corrections(viewer, found), PER_PAGE).get_page(request.GET.get("page"))
    hidden = () if viewer == OFFICER else ("note",)
    table = CorrectionTable(corrections_for(list(page.object_list), viewer), viewer=viewer, exclude=hidden)
    return render(request, "ratings/corrections.html", {"table": table, "page": page, "player": found})
