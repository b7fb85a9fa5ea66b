"""Explanations of pairings on pages: sentences with people in them, and who can be asked about."""

from collections.abc import Mapping

from django import template
from django.template.context import RequestContext
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from players.people.markup import player_link
from players.models import Player
from players.privacy.rules import NOBODY, Viewer
from tournaments.models import Stage
from tournaments.pairing.base import Remark
from tournaments.rounds.selectors.why import explains as stage_explains

register = template.Library()


@register.simple_tag(takes_context=True)
def remark(context: RequestContext, row: Remark, people: Mapping[int, Player]) -> SafeString:
    """{% remark row people %}: the sentence in the page's language, its people as the viewer may see them."""
    viewer = context.get("viewer") or NOBODY
    names = {place: _name(people.get(number), viewer) for place, number in row.players.items()}
    values = {place: escape(_word(value)) for place, value in row.values.items()}
    # Every part is escaped.
    return mark_safe(escape(_(row.text)) % {**values, **names})


def _word(value: object) -> str:
    """Words of the rules, such as a colour, in the page's language."""
    return _(value) if isinstance(value, str) and value else f"{value}"


def _name(player: Player | None, viewer: Viewer) -> str:
    return player_link(player, viewer) if player is not None else "–"


@register.filter
def explains(stage: Stage) -> bool:
    """Whether the pairings of the stage can be explained."""
    return stage_explains(stage)
