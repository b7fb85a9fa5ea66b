"""Why an Elo rating changed: the gap, the expected score, K with its reason, K × (S − E).

The federations' own updates by the event (`Method.FIDE`, `Method.US_CHESS`) are explained in
`ratings.explain.federations`; `KFigure` is what all of them say about K.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.ground.marks import joined
from players.refusals import sign
from ratings.explain.base import (
    Case,
    Explainer,
    Line,
    change_line,
    change_text,
    decimal,
    new_rating,
    plain,
    state_of,
    with_sign,
)
from ratings.explain.contests import ContestCase, SideCase
from ratings.explain.margins import Points, margin_factor, margin_lines, margin_words, points_of, table_lines
from ratings.systems.base import Period, Side
from ratings.systems.elo import (
    Curve,
    EloSettings,
    Method,
    evidence_of,
    expectation_of,
    k_rule_of,
    k_step_of,
    sides_rule,
)
from ratings.systems.elo_sides import side_figures, side_rating
from ratings.systems.evidence import NewcomerK
from ratings.systems.fide_tables import nearest

WIDEST = 800  # beyond it no table has another row

METHODS = {
    Method.FIDE: gettext_lazy("FIDE’s own update by the event: table 8.1.2, the 400-point rule, whole points."),
    Method.US_CHESS: gettext_lazy("US Chess’ formula by the event: K = 800 / (effective games + games of the event)."),
}
# For whom a step of a K rule is, by the code of its reason.
K_REASONS = {
    "reached-2400": gettext_lazy("whoever ever reached 2400, for good"),
    "from-2400": gettext_lazy("whoever stands at 2400 or higher"),
    "from-2100": gettext_lazy("whoever stands at 2100 or higher"),
    "from-1800": gettext_lazy("whoever stands at 1800 or higher"),
    "from-1500": gettext_lazy("whoever stands at 1500 or higher"),
    "from-1000": gettext_lazy("whoever stands at 1000 or higher"),
    "above-2100": gettext_lazy("whoever stands above 2100"),
    "above-1900": gettext_lazy("whoever stands above 1900"),
    "above-1700": gettext_lazy("whoever stands above 1700"),
    "after-30-games": gettext_lazy("whoever has played more than 30 rated games"),
    "junior": gettext_lazy("juniors to the end of the year of their 18th birthday, while they never reached 2300"),
    "under-18": gettext_lazy("juniors to the end of the year of their 17th birthday, while they stand below 2300"),
    "newcomer": gettext_lazy("everybody’s first 30 rated games"),
    "newcomer-or-junior": gettext_lazy("newcomers, in their first 30 rated games, and juniors"),
    "little-known-or-junior": gettext_lazy("whoever’s games do not tell enough yet, and juniors"),
    "regular": gettext_lazy("everybody else"),
    "everybody": gettext_lazy("everybody"),
    "fixed": gettext_lazy("this player alone, as it was given"),
}


class KFigure(NamedTuple):
    """K of one player in one game: the rule's own, the code of the reason, and the factor it was multiplied with."""

    k: float
    reason: str
    factor: float = 1.0

    @property
    def used(self) -> float:
        return self.k * self.factor


def k_reason(reason: str, settings: EloSettings) -> str:
    """A K rule's reason in words. "Newcomer" and "junior" are one: no page says that somebody is a minor."""
    shared = "newcomer-or-junior" if evidence_of(settings) is None else "little-known-or-junior"
    return k_words(shared if reason in ("newcomer", "junior", "under-18") else reason)


def k_words(code: str) -> str:
    """For whom a step of a K rule is, in words; a code that has none as it is."""
    return str(K_REASONS.get(code, code))


def own_k(case: Case, side: Side, birth_year: int | None) -> KFigure:
    """K of one side by the rule that held for the game, from the figures in the row; multiplied with the importance of
    the event and the margin of victory, where the list counts them."""
    settings, played = case.settings, case.played
    step = k_step_of(settings, state_of(side, birth_year), played.played_on)
    factor = played.importance if settings.importance else 1.0
    return KFigure(step.k, step.reason, factor * margin_factor(case))


def k_of(case: Case) -> KFigure:
    """The K that was used: the player's own, or the common one where the list has one K a game."""
    own = own_k(case, case.own, case.own_birth_year)
    settings: EloSettings = case.settings
    if not settings.one_k or case.own.before is None or case.other.before is None:
        return own
    other = own_k(case, case.other, case.other_birth_year)
    gap = case.own.before - case.other.before
    if gap == 0.0:
        return min(own, other, key=lambda figure: figure.k)
    favourite_won = case.score == (1.0 if gap > 0 else 0.0)
    return own if favourite_won == (gap > 0) else other


class EloExplainer(Explainer):
    """Elo by the game or by the period."""

    def lines(self, case: Case) -> list[Line]:
        own, other = case.own, case.other
        if own.before is None or other.before is None or own.k is None or own.expected is None:
            return super().lines(case)
        return [
            gap_line(own.before, other.before),
            expected_line(case, own.before, other.before, own.expected),
            *margin_lines(case.settings.margins, points_of(case)),
            self._k_line(case),
            change_line(_("The change"), case, own.k, own.expected, own.k * (case.counted - own.expected)),
            *self._settled(case),
        ]

    def _k_line(self, case: Case) -> Line:
        figure = k_of(case)
        reason = _("for %(who)s") % {"who": k_reason(figure.reason, case.settings)}
        notes = [_("K = %(k)s %(reason)s.") % {"k": plain(figure.k), "reason": reason}]
        numbers = f"K = {plain(figure.k)}"
        if case.settings.one_k:
            notes.append(
                _("Both players move by one K: the favourite’s after a win of the favourite, else the other’s.")
            )
        else:
            notes += probation_notes(case)
        if figure.factor != 1.0:
            notes.append(factor_words(case))
            numbers += f" × {plain(figure.factor)} = {plain(figure.used)}"
        return Line(_("How much does one game count?"), numbers=numbers, note=joined(*notes))

    def _settled(self, case: Case) -> list[Line]:
        lines = new_rating(case)
        own, settings = case.own, case.settings
        if not case.by_game or not lines or not (settings.whole or settings.floor):
            return lines
        said = [_("rounded to whole points, halves away from zero")] if settings.whole else []
        said += [_("never below %(floor)s") % {"floor": plain(settings.floor)}] if settings.floor else []
        numbers = f"{plain(own.before or 0)} {with_sign((own.k or 0) * (case.counted - (own.expected or 0)))}"
        return [
            lines[0]._replace(
                numbers=f"{numbers} → {plain(own.after or 0)}", note=sign(", ").join(said).capitalize() + sign(".")
            ),
            *lines[1:],
        ]

    # --- contests
    def strength(self, settings: EloSettings, side: SideCase) -> float:
        return side_rating([member.before for member in side.members], settings.sides)

    def contest_lines(self, case: ContestCase) -> list[Line]:
        settings: EloSettings = case.settings
        formula = _("the sum of the members") if settings.sides == "sum" else _("the mean of the members")
        return [self.strengths_line(case, formula), *self.expected_lines(case), *self._score_lines(case)]

    def _score_lines(self, case: ContestCase) -> list[Line]:
        margins, scores = case.settings.margins, [side.score for side in case.sides]
        if len(scores) > 2:
            return table_lines(margins, scores)
        own, other = scores
        if own is None or other is None:
            return []
        strengths = [self.strength(case.settings, side) for side in case.sides]
        return margin_lines(margins, Points(case.score(case.sides[0]), abs(own - other), (own, other), *strengths))

    def contest_score(self, case: ContestCase, side: SideCase) -> float:
        """By place, or what the list makes of the scores."""
        sides, settings = case.sides, case.settings
        strengths = [self.strength(settings, each) for each in sides]
        places, scores = [each.place for each in sides], [each.score for each in sides]
        return side_figures(strengths, places, scores, sides_rule(settings))[sides.index(side)].score

    def settings_in_words(self, settings: EloSettings, stored: dict[str, Any]) -> list[str]:
        if settings.method != Method.ELO:
            start = _("Unrated players start by their age, at %(start)s where it is unknown.")
            newcomers = _("A newcomer’s first rating needs five games against rated players.")
            first = newcomers if settings.method == Method.FIDE else start % {"start": plain(settings.start)}
            return [str(METHODS[settings.method]), first]
        words = [_curve_words(settings)]
        if settings.period != Period.GAME:
            words.append(str(PERIODS_IN_WORDS.get(settings.period, "")))
        words += [_("Both players of a game move by one K.")] if settings.one_k else []
        words += [_("No rating falls below %(floor)s.") % {"floor": plain(settings.floor)}] if settings.floor else []
        words += [_("Ratings are whole numbers, halves rounded away from zero.")] if settings.whole else []
        words += [_("The importance of an event is multiplied into K.")] if settings.importance else []
        words += [str(NEWCOMERS[settings.newcomer_k])] if settings.newcomer_k in NEWCOMERS else []
        return [*words, *margin_words(settings.margins), *_contest_words(settings)]


NEWCOMERS = {
    NewcomerK.UNTIL_KNOWN: gettext_lazy(
        "Newcomers keep their K until their games tell enough, whether these are fewer than 30 or more."
    ),
    NewcomerK.EVIDENCE: gettext_lazy(
        "Newcomers’ K is what their games so far call for, until it has fallen to that of everybody else."
    ),
}


def _contest_words(settings: EloSettings) -> list[str]:
    """What the list chose for contests with sides, where it is not the default."""
    words = [_("The rating of a side is the sum of its members’ ratings.")] if settings.sides == "sum" else []
    if settings.normaliser == "none":
        words.append(_("A table counts as one game against every other side."))
    elif settings.normaliser == "half":
        words.append(_("A table of n sides counts as 2 × (n − 1) / n games."))
    return words


PERIODS_IN_WORDS = {
    Period.EVENT: gettext_lazy("The games of an event are rated together when it is over."),
    Period.DAY: gettext_lazy("The games of a day are rated together."),
    Period.MONTH: gettext_lazy("The games of a month are rated together."),
}


def _curve_words(settings: EloSettings) -> str:
    if settings.curve == Curve.FIDE:
        return _("Expected scores are FIDE’s, from table 8.1.2.")
    if settings.curve == Curve.XIANGQI:
        return _("Expected scores are the xiangqi association’s, from its table.")
    points = {"scale": plain(settings.scale), "of": plain(settings.base + 1), "points": plain(settings.base)}
    return _("Whoever stands %(scale)s points higher is expected to score %(points)s points in %(of)s games.") % points


def gap_line(own: float, other: float) -> Line:
    """How far apart the two stood."""
    gap = own - other
    where = _("The opponent stood higher.") if gap < 0 else _("The opponent stood lower.") if gap else _("Level.")
    numbers = f"{plain(own)} − {plain(other)} = {plain(gap)}"
    return Line(_("How far apart were the two?"), _("own rating − opponent’s rating"), numbers, where)


def expected_line(case: Case, own: float, other: float, expected: float) -> Line:
    """The expected score by the list's curve, with the numbers put in."""
    settings: EloSettings = case.settings
    label, note = _("What was expected?"), _("Of a hundred such games, about %(points)s points.")
    note %= {"points": plain(round(100 * expected))}
    if settings.curve != Curve.LOGISTIC:
        low, high = table_row(lambda gap: expectation_of(settings)(gap, 0.0), nearest(own - other))
        formula = _("E stands in the table, by the gap in whole points")
        return Line(label, formula, _row_text(low, high, expected), note)
    base, scale = plain(settings.base), plain(settings.scale)
    formula = f"E = 1 / (1 + {base}^{{({_('opponent')} − {_('own')}) / {scale}}})"
    numbers = f"E = 1 / (1 + {base}^{{{plain(other - own)} / {scale}}}) = {decimal(expected)}"
    return Line(label, formula, numbers, note)


def table_row(expected_at: Callable[[float], float], gap: int) -> tuple[int, int]:
    """The gaps from … to that have the same expected score as this one: the row of the table it stands in."""
    here, low, high = expected_at(gap), gap, gap
    while low > -WIDEST and expected_at(low - 1) == here:
        low -= 1
    while high < WIDEST and expected_at(high + 1) == here:
        high += 1
    return low, high


def _row_text(low: int, high: int, expected: float) -> str:
    figures = {"low": plain(low), "high": plain(high), "expected": decimal(expected, 2)}
    if high >= WIDEST:
        return _("a gap of %(low)s and more → E = %(expected)s") % figures
    if low <= -WIDEST:
        return _("a gap of %(high)s and less → E = %(expected)s") % figures
    return _("a gap from %(low)s to %(high)s → E = %(expected)s") % figures


def factor_words(case: Case) -> str:
    """Why K was multiplied."""
    settings, played = case.settings, case.played
    parts = []
    if settings.importance and played.importance != 1.0:
        parts.append(_("%(factor)s for the event’s importance") % {"factor": plain(played.importance)})
    factor = margin_factor(case)
    if factor != 1.0:
        parts.append(_("%(factor)s for a margin of %(margin)s") % {"factor": plain(factor), "margin": played.margin})
    return (
        _("Multiplied by %(parts)s.") % {"parts": f"{sign(' ')}{_('and by')}{sign(' ')}".join(parts)} if parts else ""
    )


def probation_notes(case: Case) -> list[str]:
    """What the end of the probation does to K, for somebody on it."""
    if case.own.games >= case.probation or case.own.k is None or case.own.expected is None:
        return []
    if evidence_of(case.settings) is not None:
        return []  # no game can be named: what the next ones tell depends on the opponents
    established = case.own._replace(games=case.probation, reentry=0)
    after, first = own_k(case, established, case.own_birth_year).used, case.probation + 1
    if after == case.own.k:
        return [_("K stays the same from game %(game)s on.") % {"game": first}]
    change = change_text(after * (case.counted - case.own.expected))
    figures = {"game": first, "k": plain(after), "change": change}
    return [_("From game %(game)s on K is %(k)s, and the same result would be worth %(change)s.") % figures]


def steps_of(settings: EloSettings) -> list[Any]:
    """The K rule's steps, for a table; nothing where K follows from a formula. By evidence a newcomer's is not told by
    the number of games: until known it keeps its K under other words, else it is no step."""
    if settings.method == Method.US_CHESS:
        return []
    steps = k_rule_of(settings).steps
    if settings.newcomer_k is NewcomerK.UNTIL_KNOWN:
        return [replace(step, reason="little-known-or-junior") if step.reason == "newcomer" else step for step in steps]
    return [step for step in steps if step.reason != "newcomer" or evidence_of(settings) is None]
