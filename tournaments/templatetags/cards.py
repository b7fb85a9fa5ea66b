"""The way to a player's card, and tie-break values that explain themselves: the number, and the sum written out."""

from fractions import Fraction
from functools import lru_cache

from django import template
from django.template.context import RequestContext
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import gettext as _

from clubrating.ground.figures import fraction_text
from clubrating.web.formatting import written
from players.people.markup import player_link
from players.privacy.rules import NOBODY, Viewer
from players.refusals import listed, sign
from tournaments.event_pages.selectors.cards import WorkLine
from tournaments.event_pages.selectors.progress import Step
from tournaments.events.selectors.event_data import Entrant
from tournaments.models import Tournament
from tournaments.standings.tiebreaks import Part, Worth

register = template.Library()
# The same few figures are written thousands of times on a page.
_text = lru_cache(maxsize=4096)(fraction_text)


def _figure(value: Fraction) -> str:
    return written(_text(value))


# A rule's code before its value: for screen readers alone, or for everybody.
_RULE = {False: '<span class="hidden">{}</span>', True: "<span>{}</span>"}


def card_address(slug: str, person: Entrant) -> str:
    """Where somebody's card of the event stands; empty while he has no number."""
    return reverse("tournaments:card", args=[slug, person.card]) if person.card is not None else ""


def card_link(person: Entrant, viewer: Viewer, slug: str) -> SafeString:
    """The shown name, linked to the card in that event; without a number or an event to the player's page, as
    everywhere. Of whoever has a page for this viewer it bears the player's number, for the script that marks rows."""
    return player_link(person.player, viewer, card_address(slug, person) if slug else "")


@register.simple_tag(takes_context=True)
def entrant_link(context: RequestContext, person: Entrant) -> SafeString:
    """{% entrant_link person %}: the shown name, linked to the card of the page's event, else to the player's page."""
    viewer, tournament = context.get("viewer") or NOBODY, context.get("tournament")
    return card_link(person, viewer, tournament.slug if isinstance(tournament, Tournament) else "")


@register.filter
def anchor(code: str, key: str = "") -> str:
    """Where a tie-break is worked out on a card: "BH/C1" at bh-c1; `key` tells the stages apart."""
    return slugify(code.replace("/", "-")) + key


@register.filter
def worth_text(worth: Worth | None) -> str:
    """The value in a table; a dash for none."""
    return "–" if worth is None else _figure(worth.number)


@register.filter
def sum_text(worth: Worth | None) -> str:
    """The value with the sum that makes it, what is cut in brackets: 9 + 7½ + (4) = 16½."""
    if worth is None:
        return _("cannot be worked out here")
    number = _figure(worth.number)
    if worth.how == "place":
        return _("place %(place)s among those tied") % {"place": number}
    if worth.how == "number" or not worth.parts:
        return number
    if worth.how == "sum":
        return f"{' + '.join(map(part_text, worth.parts))} = {number}"
    rounds = [part for part in worth.parts if part.round]
    if worth.how == "count":
        numbers = listed(part.round for part in rounds)
        return _("rounds %(rounds)s: %(number)s") % {"rounds": numbers, "number": number}
    ways = {"mean": _("mean of %(values)s = %(number)s"), "table": _("by the table from %(values)s: %(number)s")}
    return ways[worth.how] % {"values": listed(map(part_text, rounds)), "number": number}


@register.filter
def part_text(part: Part) -> str:
    """One summand: 7½, 7½ × ½, or (4) where it is cut."""
    text = factors_text(part) or _figure(part.amount)
    return f"({text})" if part.cut else text


@register.filter
def factors_text(part: Part) -> str:
    """The factors of a product: 7½ × ½."""
    return " × ".join(map(_figure, part.factors))


@register.filter
def cut_text(line: WorkLine) -> str:
    """That a summand is left out, and why where its value does not say it."""
    ways = {
        "missed": _("Cut: left out. A round missed of one’s own will goes first (art. 16.5)."),
        "lowest": _("Cut: left out. It is the lowest opponent’s that goes, not the lowest product."),
        "highest": _("Cut: left out. It is the highest opponent’s that goes, not the highest product."),
    }
    return ways.get(line.reason) or _("Cut: left out.")


@register.filter
def result_text(worth: Worth) -> str:
    """What the summands come to, below them: Sum 16½."""
    ways = {
        "sum": _("Sum: %(number)s"),
        "mean": _("Mean, rounded: %(number)s"),
        "count": _("Rounds: %(number)s"),
        "place": _("Place among those tied: %(number)s"),
        "table": _("By the table: %(number)s"),
        "number": "%(number)s",
    }
    return ways[worth.how] % {"number": _figure(worth.number)}


def worth_cell(worth: Worth | None, code: str, key: str, card: str, *, names_rule: bool = False) -> SafeString | str:
    """A value as a cell of a table: linked to its working on the card at that address, the sum in its title. Whoever
    hears the page hears the rule too; `names_rule`: it is to be seen, for there is no head above."""
    named = format_html(_RULE[names_rule], code)
    if worth is None or not card:
        return format_html("{} {}", named, worth_text(worth)) if names_rule else worth_text(worth)
    return format_html(
        '<a class="worth" href="{}#{}" title="{}">{} {}<span class="hidden">{}{}</span></a>',
        card,
        anchor(code, key),
        sum_text(worth),
        named,
        worth_text(worth),
        sign(", "),
        _("how it comes about"),
    )


@register.filter
def step_box(step: Step) -> str:
    """The looks of a round's result: the winner's box is inked."""
    if step.game is None or not step.game.decided:
        return "open"
    return {2: "won", 1: "drawn"}.get(step.game.halves, "lost")


@register.filter
def fraction(value: Fraction | None) -> str:
    """An exact number as it is written: 40¼."""
    return "" if value is None else _figure(value)
