"""Why a rating changed under FIDE's and US Chess' own updates by the event."""

from datetime import date

from django.utils.translation import gettext as _

from clubrating.ground.marks import joined
from ratings.explain.base import Case, Line, change_line, decimal, period_lines, plain, state_of
from ratings.explain.elo import EloExplainer, KFigure, expected_line, gap_line, k_reason, probation_notes
from ratings.systems.elo import Method, k_rule_of
from ratings.systems.fide import CAP, K_BUDGET, limited_k
from ratings.systems.fide_tables import expected_percent, nearest
from ratings.systems.us_chess import SPECIAL_UP_TO, effective_games


def fide_k(case: Case) -> KFigure:
    """FIDE's K of the event, before the limit of K times games."""
    state = state_of(case.own, case.own_birth_year)
    age = state.age_on(date.fromordinal(case.played.rules_day).year)
    step = k_rule_of(case.settings).step(state.rating, state.games, state.peak, age)
    return KFigure(step.k, step.reason)


def rated_mates(case: Case) -> int:
    """The player's games of the event that count for him."""
    return sum(mate.expected is not None for mate in case.mates)


class FideExplainer(EloExplainer):
    """Elo of all methods: FIDE's and US Chess' here, the rest as in `EloExplainer`."""

    def lines(self, case: Case) -> list[Line]:
        if case.settings.method == Method.FIDE:
            return _fide_lines(case)
        if case.settings.method == Method.US_CHESS:
            return _us_chess_lines(case)
        return super().lines(case)


def _fide_lines(case: Case) -> list[Line]:
    own, other = case.own, case.other
    rounding = _("The sum is rounded once, halves away from zero.")
    if own.before is None or other.before is None or own.expected is None or own.k is None:
        return [Line(_("Is the game rated?"), note=_not_rated(case)), *period_lines(case, rounding=rounding)]
    own_whole, other_whole = nearest(own.before), nearest(other.before)
    gap = own_whole - other_whole
    capped = expected_percent(gap) != nearest(100 * own.expected)
    figure = fide_k(case)
    used = limited_k(figure.k, rated_mates(case))
    said = [_("K = %(k)s for %(who)s.") % {"k": plain(figure.k), "who": k_reason(figure.reason, case.settings)}]
    if used != figure.k:
        over = {"games": rated_mates(case), "budget": K_BUDGET, "k": plain(used)}
        said.append(_("K times the %(games)s games may not exceed %(budget)s: K = %(k)s.") % over)
    said += probation_notes(case)
    return [
        gap_line(own_whole, other_whole),
        _capped_line(gap, own.expected) if capped else expected_line(case, own_whole, other_whole, own.expected),
        Line(_("How much does one game count?"), numbers=f"K = {plain(own.k)}", note=joined(*said)),
        change_line(_("What this game adds"), case, own.k, own.expected, own.change or 0, places=2),
        *period_lines(case, rounding=rounding),
    ]


def _capped_line(gap: int, expected: float) -> Line:
    counted = CAP if gap > 0 else -CAP
    numbers = _("a gap of %(gap)s counts as %(counted)s → E = %(expected)s") % {
        "gap": plain(gap),
        "counted": plain(counted),
        "expected": decimal(expected, 2),
    }
    return Line(
        _("What was expected?"),
        _("E stands in the table, by the gap in whole points"),
        numbers,
        _("The 400-point rule: a greater difference counts as one of 400."),
    )


def _not_rated(case: Case) -> str:
    if case.own.before is None:
        return _("The player had no rating: the results against rated players make the first one.")
    if case.other.before is None:
        return _("The opponent had no rating: the game rates nobody.")
    return _("The difference is too great to be rated in rapid and blitz.")


def _us_chess_lines(case: Case) -> list[Line]:
    own, other = case.own, case.other
    if own.before is None or other.before is None or own.expected is None:
        return period_lines(case)
    if own.k is None or own.change is None:
        return [gap_line(own.before, other.before), _special_line(case), *_special_sum(case)]
    played = len(case.mates)
    numbers = f"800 / ({plain(effective_games(own.before, own.games))} + {played}) = {plain(own.k)}"
    bonus = _("A change far above expectation gets a bonus; nobody falls below their floor.")
    return [
        gap_line(own.before, other.before),
        expected_line(case, own.before, other.before, own.expected),
        Line(
            _("How much does one game count?"),
            "K = 800 / (N_{e} + m)",
            numbers,
            _("Ne: what the rating before is worth in games; m: games of the event."),
        ),
        change_line(_("What this game adds"), case, own.k, own.expected, own.change),
        *period_lines(case, rounding=bonus),
    ]


def _special_line(case: Case) -> Line:
    own, other = case.own.before or 0.0, case.other.before or 0.0
    numbers = f"{plain(0.5)} + ({plain(own)} − {plain(other)}) / 800 → {decimal(case.own.expected or 0.0)}"
    return Line(
        _("What was expected?"),
        _("E = 0.5 + (own − opponent) / 800, between 0 and 1"),
        numbers,
        _("The special formula, for up to %(games)s games before the event, or all of them won or lost.")
        % {"games": SPECIAL_UP_TO},
    )


def _special_sum(case: Case) -> list[Line]:
    note = _(
        "The new rating is the one at which the expected score of the event, earlier games counted in, equals the "
        "actual score. A single game has no change of its own."
    )
    return [Line(_("The change"), note=note), *period_lines(case)]
