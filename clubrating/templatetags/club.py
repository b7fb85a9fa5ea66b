"""Template tags of the whole site: names as the viewer may see them, and figures as they are written."""

import re
from datetime import date

from django import template
from django.template.context import RequestContext
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.utils.formats import number_format
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from clubrating.ground import figures
from clubrating.web.formatting import day_text, span_text, written
from players.models import Player
from players.people.markup import name_and_reading, name_in_text, name_words, player_link
from players.privacy.rules import NOBODY, shown_reading
from players.refusals import said
from ratings.lab_pages.words import DOORS, system_words
from ratings.lists.markup import change_figure, figure_of, listed_figure, probation_chip, rating_in_text, spread_of
from ratings.lists.selectors.listing import listing_of
from ratings.models import PlayerRating, RatingList
from ratings.systems.probation import Known, Probation

register = template.Library()

register.filter("said", said)  # {{ system.name|said }}: what pure code says, in the page's language
register.filter("until", span_text)  # {{ event.starts_on|until:event.ends_on }}: from the first day to the last
register.filter("system_words", system_words)  # {{ "elo-k20"|system_words }}: what a contender of the lab is called
register.simple_tag(probation_chip, name="probation")  # {% probation games of %}


@register.inclusion_tag("lab/_tabs.html")
def lab_tabs(here: str) -> dict[str, object]:
    """{% lab_tabs "lab:findings" %}: the lab's doors, and the pages behind the one that page stands behind."""
    return {"doors": DOORS, "here": here}


_HIGH, _LOW = re.compile(r"\^\{([^{}]*)\}"), re.compile(r"_\{([^{}]*)\}")


@register.simple_tag(takes_context=True)
def again(context: RequestContext, name: str) -> SafeString:
    """{% again "title" %}: a block of this page once more, within an attribute."""
    block = context.render_context[BLOCK_CONTEXT_KEY].get_block(name)
    return mark_safe(block.render(context).strip("\n").replace('"', "&quot;"))  # escaped by its template


@register.simple_tag(takes_context=True)
def person(context: RequestContext, player: Player) -> SafeString:
    """{% person player %}: the shown name, linked where the viewer may open the page."""
    return player_link(player, context.get("viewer") or NOBODY)


@register.simple_tag(takes_context=True)
def unlinked_person(context: RequestContext, player: Player) -> SafeString:
    """{% unlinked_person player %}: the shown name with its reading, for paper and the hall's screen."""
    return name_words(player, context.get("viewer") or NOBODY)


@register.simple_tag(takes_context=True)
def shown_name(context: RequestContext, player: Player) -> str:
    """{% shown_name player %}: the shown name as plain text."""
    return name_in_text(player, context.get("viewer") or NOBODY)


@register.simple_tag(takes_context=True)
def reading(context: RequestContext, player: Player) -> str:
    """{% reading player as reading %}: the reading of the name, for whoever may see the name; on the person's own page,
    whatever scripts the page's readers know. Empty where it stands in place of the name."""
    viewer = context.get("viewer") or NOBODY
    found = shown_reading(player, viewer)
    return "" if found == name_and_reading(player, viewer)[0] else found


@register.filter
def rating(value: float | None) -> str:
    """A rating as a whole number; a dash for none."""
    return "–" if value is None else str(figures.round_half_away(value))


@register.filter
def listed(row: PlayerRating, rating_list: RatingList | None = None) -> str:
    """{{ row|listed }}, {{ row|listed:list }}: what the row's list shows of it, the rating or, where the list is
    cautious, less. The list is given where it is not joined in."""
    return listed_figure(listing_of(rating_list or row.rating_list), row.rating, row.deviation)


@register.filter
def to_digits(value: float, digits: int) -> str:
    """{{ rating|to_digits:digits }}: a rating with so many decimals, as its list shows them."""
    return figure_of(value, digits)


@register.filter
def signed_to_digits(value: float, digits: int) -> str:
    """{{ change|signed_to_digits:digits }}: the same for a change, with its sign."""
    return change_figure(value, digits)


@register.filter
def uncertainty(row: PlayerRating) -> str:
    """The rating with two deviations to either side, where that is not what the list shows; else nothing."""
    listing = listing_of(row.rating_list)
    return spread_of(listing, row.rating, row.deviation) if listing.deviations else ""


@register.filter
def day(value: date | None, kind: str = "short") -> str:
    """{{ round.planned_on|day:"near" }}: a day or a moment as the page's language writes it; nothing for none. The
    kinds: clubrating.web.formatting."""
    return day_text(value, kind) if value else ""


@register.filter
def signed(value: float | None) -> str:
    """A change with its sign; empty for none."""
    return "" if value is None else figures.signed(value)


@register.filter
def tenths(value: float | None) -> str:
    """A change to one decimal with its sign; empty for none."""
    return "" if value is None else written(figures.signed_tenths(value))


@register.filter
def score_figure(score: float) -> str:
    """The score of one game, 0 … 1, as it is written: 1, ½, 0."""
    return figures.points_text(round(2 * score))


@register.filter
def figure(text: str) -> str:
    """A figure that comes as text with a point, with the decimal sign of the page's language and a true minus."""
    return written(text.replace("-", figures.MINUS))


@register.filter
def thousands(value: float) -> str:
    """A large count, its thousands set apart as the page's language does: 100,000."""
    return number_format(value, 0, force_grouping=True)


@register.filter
def percent_figure(value: float) -> str:
    """Per cents as a whole number; a share that is neither none nor all is never shown as such."""
    return "<1" if 0 < value < 0.5 else ">99" if 99.5 <= value < 100 else str(figures.round_half_away(value))


@register.filter
def formula(text: str) -> SafeString:
    """A formula written as text: `^{…}` is set high, `_{…}` low; everything else is escaped."""
    return mark_safe(_LOW.sub(r"<sub>\1</sub>", _HIGH.sub(r"<sup>\1</sup>", escape(text))))


@register.filter
def points(value: int, unit: int = 2) -> str:
    """Points stored in units, as shown: 7|points → 3½."""
    return written(figures.points_text(value, unit))


@register.filter
def on_probation(row: PlayerRating) -> bool:
    """Whether somebody is on probation in a list, which is joined in."""
    return row.rating_list.probation.holds(row)


@register.filter
def done(known: Known | None, probation: Probation) -> int | str:
    """How much of a list's probation lies behind somebody, in games; nothing for nobody."""
    return probation.done(known) if known else ""


@register.simple_tag
def rating_figure(value: object, games: object, of: object) -> SafeString:
    """{% rating_figure rating games of %}: a rating in running text, with mark and word while on probation.

    Nothing for a player without rating: a template hands over "" where there is no row.
    """
    if not isinstance(value, float | int):
        return mark_safe("")
    return rating_in_text(value, provisional=isinstance(games, int) and isinstance(of, int) and games < of)
