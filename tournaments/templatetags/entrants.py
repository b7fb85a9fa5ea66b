"""The cells of the event tables for pages that are no such tables."""

from django import template
from django.template.context import RequestContext
from django.utils.safestring import SafeString

from players.privacy.rules import NOBODY
from tournaments.event_pages import cells
from tournaments.events.selectors.event_data import Entrant
from tournaments.models import Tournament

register = template.Library()


@register.simple_tag(takes_context=True)
def entrant_state(context: RequestContext, person: Entrant) -> SafeString:
    """{% entrant_state person %}: the name linked to the card, on probation, late or withdrawn in words."""
    tournament = context.get("tournament")
    slug = tournament.slug if isinstance(tournament, Tournament) else ""
    return cells.with_state(person, context.get("viewer") or NOBODY, slug)


@register.simple_tag
def entrant_figure(person: Entrant) -> SafeString:
    """{% entrant_figure person %}: the rating at entry with the probation mark, below a head that says so."""
    return cells.figure(person)


register.simple_tag(cells.figure_in_words)  # {% figure_in_words person %}: the same where no head says so
