"""Why a Glicko rating changed: both deviations, the factor they make, and what is left of the uncertainty.

A player's factor in a game is q RD'² g(RD of the opponent), with RD' his deviation afterwards. It stands in the ledger
as K, so RD' is read off it: RD' = √(K / (q g)).
"""

from math import sqrt
from typing import Any

from django.utils.translation import gettext as _

from clubrating.web.formatting import written
from ratings.explain.base import Case, Explainer, Line, change_line, decimal, new_rating, plain
from ratings.explain.elo import PERIODS_IN_WORDS, gap_line
from ratings.systems import glicko, glicko2
from ratings.systems.base import Period, Side


class GlickoExplainer(Explainer):
    """Glicko-1."""

    q = glicko.Q

    def lines(self, case: Case) -> list[Line]:
        own, other = case.own, case.other
        if own.before is None or other.before is None or own.expected is None or own.k is None:
            return super().lines(case)
        g = glicko.damping(self.deviation_before(case, other), self.q)
        share = _("The change") if case.by_game else _("What this game adds")
        return [
            gap_line(own.before, other.before),
            self._deviations(case),
            self._expected(own.before, other.before, g, own.expected),
            self._factor(case, g),
            change_line(share, case, own.k, own.expected, own.k * (case.score - own.expected)),
            *new_rating(case),
        ]

    def deviation_before(self, case: Case, side: Side) -> float:
        """RD with which a side entered the period, in points."""
        settings: glicko.GlickoSettings = case.settings
        deviation = settings.deviation if side.deviation is None else side.deviation
        if not settings.c or side.last_day is None:
            return deviation
        periods = 1 if case.by_game else glicko.periods_since(settings.period, side.last_day, case.played.day)
        return glicko.grown(deviation, settings.c, periods, settings.deviation)

    def deviation_after(self, case: Case) -> float | None:
        """RD after the period, read off the factor in the ledger."""
        if case.own.k is None:
            return None
        g = glicko.damping(self.deviation_before(case, case.other), self.q)
        return sqrt(case.own.k / (self.q * g))

    def _deviations(self, case: Case) -> Line:
        own, other = self.deviation_before(case, case.own), self.deviation_before(case, case.other)
        return Line(
            _("How sure were the two ratings?"),
            numbers=_("RD %(own)s against RD %(other)s") % {"own": plain(own), "other": plain(other)},
            note=_("RD is the deviation: the true strength lies within two RD of the rating, 19 times in 20."),
        )

    def _expected(self, own: float, other: float, g: float, expected: float) -> Line:
        head = f"E = 1 / (1 + 10^{{−g × ({_('own')} − {_('opponent')}) / 400}})"
        numbers = f"E = 1 / (1 + 10^{{{plain(-g * (own - other))} / 400}}) = {decimal(expected)}"
        note = _("g = %(g)s: the less is known of the opponent, the less the gap counts.") % {"g": decimal(g)}
        return Line(_("What was expected?"), head, numbers, note)

    def _factor(self, case: Case, g: float) -> Line:
        after, before = self.deviation_after(case) or 0.0, self.deviation_before(case, case.own)
        return Line(
            _("How much does one game count?"),
            "K = q × RD′^{2} × g",
            f"K = {decimal(self.q, 5)} × {plain(after)}^{{2}} × {decimal(g)} = {plain(case.own.k or 0.0)}",
            _("RD went from %(before)s to %(after)s: the surer a rating, the less a game moves it.")
            % {"before": plain(before), "after": plain(after)},
        )

    def settings_in_words(self, settings: Any, stored: dict[str, Any]) -> list[str]:
        words = [_("A newcomer’s deviation is %(deviation)s.") % {"deviation": plain(settings.deviation)}]
        if settings.c:
            words.append(_("It grows while somebody does not play (c = %(c)s).") % {"c": plain(settings.c)})
        return [*words, *_period_words(settings.period)]


class Glicko2Explainer(GlickoExplainer):
    """Glicko-2: the same, with a volatility that decides how fast the deviation grows."""

    q = glicko2.Q

    def deviation_before(self, case: Case, side: Side) -> float:
        settings: glicko2.Glicko2Settings = case.settings
        deviation = settings.deviation if side.deviation is None else side.deviation
        if case.by_game:
            return deviation
        volatility = settings.volatility if side.volatility is None else side.volatility
        missed = glicko.periods_since(settings.period, side.last_day, case.played.day) - 1
        return glicko2.rested(deviation, volatility, missed) if missed > 0 else deviation

    def _deviations(self, case: Case) -> Line:
        line = super()._deviations(case)
        volatility = case.settings.volatility if case.own.volatility is None else case.own.volatility
        erratic = _("Volatility %(volatility)s before the game: how erratic the strength is.")
        return line._replace(note=f"{line.note} {erratic % {'volatility': decimal(volatility, 5)}}")

    def settings_in_words(self, settings: Any, stored: dict[str, Any]) -> list[str]:
        figures = {"deviation": plain(settings.deviation), "volatility": written(f"{settings.volatility:g}")}
        first = _("A newcomer’s deviation is %(deviation)s, the volatility %(volatility)s.") % figures
        return [first, _("τ = %(tau)s.") % {"tau": plain(settings.tau)}, *_period_words(settings.period)]


def _period_words(period: Period) -> list[str]:
    if period == Period.GAME:
        return [_("Every game is a rating period of its own.")]
    return [str(PERIODS_IN_WORDS[period])] if period in PERIODS_IN_WORDS else []
