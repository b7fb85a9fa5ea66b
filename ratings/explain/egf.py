"""Why a rating changed in EGF: what stones and komi do, what was expected, what one game counts, and the bonus."""

from typing import Any

from django.utils.translation import gettext as _

from clubrating.ground.figures import MINUS
from clubrating.web.formatting import written
from ratings.explain.base import Case, Explainer, Line, change_text, decimal, new_rating, plain, score_text, with_sign
from ratings.systems import egf


class EgfExplainer(Explainer):
    """Con, bonus and expected score, with the figures of the ledger."""

    def lines(self, case: Case) -> list[Line]:
        own, other = case.own, case.other
        if own.before is None or other.before is None or own.expected is None or own.k is None or own.change is None:
            return super().lines(case)
        shift = egf.handicap_shift(*case.played.handicap) if case.played.handicap else 0.0
        ratings = own.before + (0.0 if case.is_white else shift), other.before + (shift if case.is_white else 0.0)
        weight = case.played.importance if case.settings.importance else 1.0
        return [
            *_handicap_lines(case, shift),
            _expected_line(own.expected, *ratings),
            _con_line(own.before, own.k, weight),
            _change_line(case, own.k, own.expected, weight * egf.bonus(own.before), own.change),
            *new_rating(case),
        ]

    def settings_in_words(self, settings: Any, stored: dict[str, Any]) -> list[str]:
        counts = (
            _("The weight of an event counts.") if settings.importance else _("The weight of an event is left out.")
        )
        return [_("Whoever declares no grade begins with %(start)s.") % {"start": plain(settings.start)}, counts]


def _handicap_lines(case: Case, shift: float) -> list[Line]:
    """What the stones are worth; nothing for an even game with the usual komi."""
    if case.played.handicap is None:
        return []
    stones, komi = case.played.handicap
    label, note = _("What do stones and komi do?"), _("So much more Black’s rating counts in what was expected.")
    point = "100 / 13"
    if not stones:
        points = written(f"{egf.USUAL_KOMI - (komi or 0.0):g}".replace("-", MINUS))
        return [Line(label, _("(6.5 − komi) × 100 / 13"), f"{points} × {point} = {plain(shift)}", note)]
    given = "" if komi in (None, 0.0, 0.5) else f" − {plain(komi or 0.0)} × {point}"
    numbers = f"100 × ({stones} − ½){given} = {plain(shift)}"
    return [Line(label, _("100 × (stones − ½)"), numbers, note)]


def _expected_line(expected: float, own: float, other: float) -> Line:
    numbers = f"E = 1 / (1 + ((3300 − {plain(own)}) / (3300 − {plain(other)}))^{{7}}) = {decimal(expected)}"
    return Line(_("What was expected?"), _("E = 1 / (1 + ((3300 − own) / (3300 − opponent’s))^{7})"), numbers)


def _con_line(rating: float, k: float, weight: float) -> Line:
    factor = f" × {plain(weight)}" if weight != 1.0 else ""
    numbers = f"((3300 − {plain(rating)}) / 200)^{{1.6}}{factor} = {plain(k)}"
    return Line(_("How much does one game count?"), _("con = ((3300 − rating) / 200)^{1.6}"), numbers)


def _change_line(case: Case, k: float, expected: float, bonus: float, change: float) -> Line:
    numbers = (
        f"{plain(k)} × ({score_text(case.counted)} − {decimal(expected)}) {with_sign(bonus)} = {change_text(change)}"
    )
    note = _("Every game adds a little, the more the lower the rating: ln(1 + e^((2300 − rating) / 80)) / 5.")
    return Line(_("The change"), _("con × (S − E) + bonus"), numbers, note)
