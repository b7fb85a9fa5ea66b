"""The rating systems side by side, for the page about the ratings: what each needs, when it rates, what it is good for.

What can be asked of a system is asked (when it rates, whether it expects a score, whether a draw moves anybody); the
rest is said in `WORDS`, one entry a system.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubrating.ground.figures import round_half_away
from clubrating.web.formatting import css
from players.refusals import said
from ratings.explain.elo import k_words
from ratings.systems import SYSTEMS, RatingSystem
from ratings.systems.base import Period, PlayerState
from ratings.systems.encounter import encounter
from ratings.systems.rules import DatedRule


class SystemWords(NamedTuple):
    """What a system asks of the club's records, and where it serves best."""

    needs: object
    good_for: object


_RESULTS = _("Results alone.")
WORDS: Mapping[str, SystemWords] = {
    "elo": SystemWords(
        _("Results; the year of birth only under rules that give juniors another K."),
        _("A club’s ordinary list: one figure, one formula anybody can check by hand. FIDE’s and US Chess’ rules too."),
    ),
    "glicko": SystemWords(
        _("Results, and the days between them where absence is to count."),
        _("Players of whom little is known: each rating says how sure it is, and an unsure one moves faster."),
    ),
    "glicko2": SystemWords(
        _("Results, best ten or more games a player in each period."),
        _("Much play, and players whose form swings: surprising results make a rating move faster again."),
    ),
    "league": SystemWords(
        _RESULTS,
        _("Whole points and a table one knows by heart; every game adds points, so whoever plays much rises."),
    ),
    "solo-zerg": SystemWords(
        _RESULTS,
        _("Comparison: what a game is worth depends on the distance alone, not on who was the stronger one."),
    ),
    "r2": SystemWords(
        _RESULTS,
        _("Comparison: Solo-Zerg with a memory for success and failure in a row."),
    ),
    "kd": SystemWords(
        _RESULTS,
        _("A scale from 0 to 100 that nobody leaves; the top is reached ever more slowly."),
    ),
    "bradley-terry": SystemWords(
        _("Results of the whole history; the more everybody has met, the better."),
        _("Looking back: all games at once, the oldest as much as the latest. It is no running rating."),
    ),
    "trueskill": SystemWords(
        _("The places of all sides, and who sat on each; a player’s share of the contest where it is known."),
        _(
            "Teams and tables of any size: each rating says how sure it is. The margin of a win and the importance of "
            "an event do not count."
        ),
    ),
    "weng-lin": SystemWords(
        _("The places of all sides, and who sat on each."),
        _(
            "The same in closed form: a contest can be checked by hand, and those who share a place are treated alike. "
            "Everybody on a side is taken to have played all of it."
        ),
    ),
    "egf": SystemWords(
        _("Results of games of go, with the stones and komi of each; a declared grade to begin with."),
        _("Go: a rating is a grade, and a game with handicap stones counts for what it was."),
    ),
}
PERIODS: Mapping[Period, object] = {
    Period.GAME: _("after every game"),
    Period.DAY: _("by the day"),
    Period.MONTH: _("by the month"),
    Period.EVENT: _("by the event"),
    Period.ALL: _("all games at once"),
}


@dataclass(frozen=True, slots=True)
class Compared:
    """One system of the registry; `used` says that a public list is rated by it now."""

    key: str
    name: str
    period: Period
    open_period: bool
    expects: bool
    draws: bool
    sides: bool
    words: SystemWords
    used: bool


def compared(used: set[str], on: date) -> list[Compared]:
    """Every system in the registry's order; `used` are the keys in force in the club's lists `on` that day."""
    return [_row(system, system.key in used, on) for system in SYSTEMS]


def _row(system: RatingSystem, used: bool, on: date) -> Compared:
    settings = system.read_settings({})
    high, low = PlayerState(60.0, 50, 60.0), PlayerState(50.0, 50, 50.0)
    found = encounter(DatedRule(date.min, system, settings), high, low, on, 1.0)
    return Compared(
        system.key,
        system.name,
        system.period(settings),
        hasattr(settings, "period"),
        found.expected is not None,
        found.knows_draws,
        system.contest_rater(settings) is not None,
        WORDS[system.key],
        used,
    )


class SystemsTable(tables.Table):
    """The systems, one a line."""

    name = tables.Column(verbose_name=_("System"))
    rates = tables.Column(verbose_name=_("Rates"), accessor="period", attrs=css("second"))
    expects = tables.Column(verbose_name=_("Expects a score"), attrs=css("third"))
    draws = tables.Column(verbose_name=_("Counts draws"), attrs=css("third"))
    sides = tables.Column(verbose_name=_("Teams and tables of several"), attrs=css("third"))
    needs = tables.Column(verbose_name=_("Needs"), accessor="words__needs", attrs=css("second"))
    good_for = tables.Column(verbose_name=_("Good for"), accessor="words__good_for")

    class Meta:
        orderable = False
        attrs = {"class": "compact"}

    def render_name(self, record: Compared) -> SafeString:
        badge = format_html(' <span class="badge">{}</span>', _("in use here")) if record.used else ""
        facts = format_html('<span class="sub">{} · {}</span>', self.render_rates(record), record.words.needs)
        return format_html('<a href="{}">{}</a>{}{}', reverse("tools:elo"), said(record.name), badge, facts)

    def render_rates(self, record: Compared) -> object:
        if record.open_period:
            return _("after every game, or by the day, month or event as the list is set")
        return PERIODS[record.period]

    def render_expects(self, value: bool) -> object:
        return _("yes") if value else _("no")

    def render_draws(self, value: bool) -> object:
        return _("yes") if value else _("no: a draw moves nobody")

    def render_sides(self, value: bool) -> object:
        return _("yes") if value else _("no: games of two only")


class KTable(tables.Table):
    """The steps of a K rule, in the order they are tried."""

    k = tables.Column(verbose_name="K", attrs=css("num"))
    reason = tables.Column(verbose_name=_("for whom"))

    class Meta:
        orderable = False
        attrs = {"class": "compact fit"}

    def render_k(self, value: float) -> int:
        return round_half_away(value)

    def render_reason(self, value: str) -> str:
        return k_words(value)
