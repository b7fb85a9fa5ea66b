"""What the points of a game did to a rating: the factor on K, or the score that was rated, with the numbers put in."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from ratings.explain.base import Case, Line, plain, score_text
from ratings.systems.elo import EloSettings
from ratings.systems.margins import SHARES, Margin, MarginRule


class Points(NamedTuple):
    """A game, or a contest of two sides, seen from one of them: its result, the margin and both scores where they are
    known, and both ratings before it."""

    result: float
    margin: float | None
    scores: tuple[float, float] | None
    own: float
    other: float


def points_of(case: Case) -> Points:
    """The points of a game, the player's own first."""
    played, scores = case.played, case.played.scores
    own_first = scores if scores is None or case.is_white else (scores[1], scores[0])
    return Points(case.score, played.margin, own_first, case.own.before or 0.0, case.other.before or 0.0)


def margin_factor(case: Case) -> float:
    """The factor on K that the points of the game gave both sides."""
    settings: EloSettings = case.settings
    return _factor(settings.margins, points_of(case))


def _factor(margins: MarginRule, points: Points) -> float:
    return margins.factor(points.result, points.margin, points.own, points.other)


def margin_lines(margins: MarginRule, points: Points) -> list[Line]:
    """The step that turns points into a factor or a score; nothing where the list or the game has none."""
    if points.margin is None or margins.kind == Margin.NONE:
        return []
    if margins.kind in SHARES:
        return [_score_line(margins, points)]
    return [_factor_line(margins, points, points.margin)]


def table_lines(margins: MarginRule, scores: Sequence[float | None]) -> list[Line]:
    """The same for a contest of more than two sides, from the scores in order of place."""
    known = [score for score in scores if score is not None]
    if len(known) < 2 or margins.kind == Margin.NONE:
        return []
    pairs = _("Every two sides are compared by their own scores.")
    if margins.kind == Margin.NFL:
        note = _("This factor is for two sides: with more of them the places count alone.")
    else:
        note = " ".join([pairs, *margin_words(margins)])
    return [Line(_("What do the scores do?"), numbers="; ".join(map(plain, known)), note=note)]


def _factor_line(margins: MarginRule, points: Points, margin: float) -> Line:
    label, factor = _("What does the margin do?"), plain(_factor(margins, points))
    notes = [*_points_notes(points), *margin_words(margins)]
    if margin == 0 or (margins.kind == Margin.NFL and points.result == 0.5):
        return Line(label, numbers=factor, note=" ".join([_("Level points: the factor is 1."), *notes]))
    if margins.kind == Margin.LOG:
        formula = f"{_('ln(1 + margin / unit)')} / ln 2"
        numbers = f"ln(1 + {plain(margin)} / {plain(margins.unit)}) / ln 2 → {factor}"
        return Line(label, formula, numbers, " ".join(notes))
    own, other = plain(points.own), plain(points.other)
    winner, loser = (own, other) if points.result == 1.0 else (other, own)
    formula = f"ln({_('margin')} + 1) × 2.2 / (0.001 × ({_('winner’s rating')} − {_('loser’s')}) + 2.2)"
    numbers = f"ln({plain(margin)} + 1) × 2.2 / (0.001 × ({winner} − {loser}) + 2.2) = {factor}"
    return Line(label, formula, numbers, " ".join(notes))


def _score_line(margins: MarginRule, points: Points) -> Line:
    label, score = _("What was scored?"), score_text(margins.score(points.result, points.margin, points.scores))
    notes = " ".join([*_points_notes(points), *margin_words(margins)])
    if margins.kind == Margin.SHARE:
        if points.scores is None or not any(points.scores):
            return Line(label, numbers=f"S = {score}", note=notes)
        own, other = map(plain, points.scores)
        return Line(label, _("S = own points / points of both"), f"S = {own} / ({own} + {other}) = {score}", notes)
    lead = (points.margin or 0) * (2 * points.result - 1)
    numbers = f"S = ½ + ½ × {plain(lead)} / {plain(margins.unit * margins.cap)} → {score}"
    return Line(label, _("S = ½ + ½ × lead / largest lead that counts"), numbers, notes)


def _points_notes(points: Points) -> list[str]:
    if points.scores is None:
        return []
    own, other = map(plain, points.scores)
    return [_("The game ended %(own)s–%(other)s.") % {"own": own, "other": other}]


def margin_words(margins: MarginRule) -> list[str]:
    """What a list makes of points, in a sentence or two."""
    if margins.kind == Margin.LOG:
        full = margins.unit * (2**margins.cap - 1) if margins.cap <= MOST_DOUBLINGS else 0
        figures = {"unit": plain(margins.unit), "cap": plain(margins.cap), "full": plain(full)}
        if not full:
            return [_("K grows with the margin: the factor is 1 up to a margin of %(unit)s.") % figures]
        words = _("K grows with the margin: the factor is 1 up to a margin of %(unit)s and %(cap)s from %(full)s on.")
        return [words % figures]
    if margins.kind == Margin.NFL:
        return [_("K grows with the margin, less for a favourite’s win and more for an outsider’s.")]
    if margins.kind == Margin.SHARE:
        return [_("The share of the points is the score that is rated."), _not_won()]
    if margins.kind == Margin.CAPPED:
        lead = plain(margins.unit * margins.cap)
        return [
            _("The lead is the score that is rated: level is ½, a lead of %(lead)s is 1.") % {"lead": lead},
            _not_won(),
        ]
    return []


MOST_DOUBLINGS = 20  # beyond it the cap is never met


def _not_won() -> str:
    return _("So a winner falls who won by less than was expected.")
