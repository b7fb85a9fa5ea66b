"""The way to say that a result is wrong, beside the result."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

register = template.Library()


@register.simple_tag
def wrong_link(slug: str, game: int, result: str) -> SafeString:
    """{% wrong_link tournament.slug game.pk game.result %}: nothing where there is no result yet."""
    if not (game and result):
        return mark_safe("")
    address = reverse("tournaments:report", args=[slug, game])
    words = '<a class="note on-screen" rel="nofollow" href="{}" title="{}">{}</a>'
    return format_html(words, address, _("Tell the arbiters that this result is wrong"), _("wrong?"))
