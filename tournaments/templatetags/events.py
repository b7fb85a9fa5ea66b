"""Words and signs of the event pages: formats in words, result boxes, cells of the crosstable."""

from django import template
from django.utils.translation import gettext as _

from clubrating.figures import points_text
from tournaments.models import ByeKind, Stage
from tournaments.pairing import pairing_system
from tournaments.standings.crosstable import Cell
from tournaments.standings.points import OUTCOMES, Result

register = template.Library()

_BOX = {"win": "won", "draw": "drawn", "loss": "lost", None: "open"}


@register.filter
def format_name(stage: Stage) -> str:
    """How the event is played, in words: double round robin."""
    if stage.tournament.open_ended or not stage.pairing_system:
        return _("open-ended")
    if stage.pairing_system == "round-robin":
        return _("double round robin") if stage.settings.get("cycles", 1) == 2 else _("round robin")
    return _(pairing_system(stage.pairing_system).name)


@register.inclusion_tag("tournaments/_result.html")
def result_boxes(result: str) -> dict[str, object]:
    """{% result_boxes result %}: White's and Black's box; the winner's is inked."""
    outcome = OUTCOMES[Result(result)]
    white, black = outcome.shown
    return {
        "white": {"mark": white or "·", "box": _BOX[outcome.white]},
        "black": {"mark": black or "·", "box": _BOX[outcome.black]},
        "open": outcome.white is None,
        "adjourned": result == Result.ADJOURNED,
        "unplayed": outcome.white is not None and not outcome.played,
    }


@register.filter
def cell_class(cell: Cell) -> str:
    """The looks of one game in the crosstable, seen from its row."""
    kind = "won" if cell.points > cell.against else "drawn" if cell.points == cell.against > 0 else "lost"
    return kind if cell.is_white else f"black {kind}"


@register.filter
def cell_title(cell: Cell) -> str:
    """When the game was, and with which colour: Round 6, White."""
    words = _("Round %(round)s, White") if cell.is_white else _("Round %(round)s, Black")
    return words % {"round": cell.round}


@register.simple_tag
def distance(points: int, unit: int) -> str:
    """{% distance points unit %}: how far somebody is ahead, in words."""
    if points == unit:
        return _("one point")
    if points * 2 == unit:
        return _("half a point")
    return _("%(points)s points") % {"points": points_text(points, unit)}


@register.filter
def bye_sentence(kind: str, scores: bool) -> str:
    """What a bye means, in words; `scores` says whether an allocated one brings points."""
    if kind == ByeKind.ALLOCATED:
        return _("bye") if scores else _("bye: a free round, no points")
    return str(ByeKind(kind).label)
