"""What the points of a game did to a rating: the factor on K, or the score that was rated, with the numbers put in."""

from django.utils.translation import gettext as _

from ratings.explain.base import Case, Line, plain, score_text
from ratings.systems.elo import EloSettings
from ratings.systems.margins import SHARES, Margin, MarginRule


def margin_factor(case: Case) -> float:
    """The factor on K that the points of the game gave both sides."""
    settings: EloSettings = case.settings
    own, other = case.own.before or 0.0, case.other.before or 0.0
    return settings.margins.factor(case.score, case.played.margin, own, other)


def margin_lines(case: Case) -> list[Line]:
    """The step that turns points into a factor or a score; nothing where the list or the game has none."""
    margins: MarginRule = case.settings.margins
    if case.played.margin is None or margins.kind == Margin.NONE:
        return []
    if margins.kind in SHARES:
        return [_score_line(case, margins)]
    return [_factor_line(case, margins, case.played.margin)]


def _factor_line(case: Case, margins: MarginRule, margin: int) -> Line:
    label, factor = _("What does the margin do?"), plain(margin_factor(case))
    notes = [*_points_notes(case), *margin_words(margins)]
    if margin == 0 or (margins.kind == Margin.NFL and case.score == 0.5):
        return Line(label, numbers=factor, note=" ".join([_("Level points: the factor is 1."), *notes]))
    if margins.kind == Margin.LOG:
        formula = f"{_('ln(1 + margin / unit)')} / ln 2"
        numbers = f"ln(1 + {margin} / {plain(margins.unit)}) / ln 2 → {factor}"
        return Line(label, formula, numbers, " ".join(notes))
    own, other = plain(case.own.before or 0), plain(case.other.before or 0)
    winner, loser = (own, other) if case.won else (other, own)
    formula = f"ln({_('margin')} + 1) × 2.2 / (0.001 × ({_('winner’s rating')} − {_('loser’s')}) + 2.2)"
    numbers = f"ln({margin} + 1) × 2.2 / (0.001 × ({winner} − {loser}) + 2.2) = {factor}"
    return Line(label, formula, numbers, " ".join(notes))


def _score_line(case: Case, margins: MarginRule) -> Line:
    label, score = _("What was scored?"), score_text(case.counted)
    notes = " ".join([*_points_notes(case), *margin_words(margins)])
    points = _own_points(case)
    if margins.kind == Margin.SHARE:
        if points is None:
            return Line(label, numbers=f"S = {score}", note=notes)
        own, other = points
        numbers = f"S = {own} / ({own} + {other}) = {score}" if own or other else f"S = {score}"
        return Line(label, _("S = own points / points of both"), numbers, notes)
    lead = round((case.played.margin or 0) * (2 * case.score - 1))
    numbers = f"S = ½ + ½ × {plain(lead)} / {plain(margins.unit * margins.cap)} → {score}"
    return Line(label, _("S = ½ + ½ × lead / largest lead that counts"), numbers, notes)


def _points_notes(case: Case) -> list[str]:
    points = _own_points(case)
    return [] if points is None else [_("The game ended %(own)s–%(other)s.") % {"own": points[0], "other": points[1]}]


def _own_points(case: Case) -> tuple[int, int] | None:
    scores = case.played.scores
    return scores if scores is None or case.is_white else (scores[1], scores[0])


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
