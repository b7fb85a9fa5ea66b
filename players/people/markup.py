"""How a person stands on a page: the name the viewer may see, linked where there is a page to open.

Beside it stands the reading, where readers of the page's language are helped by it; alone, where they cannot read the
name and wish so. `<bdi>` keeps a name written from right to left from reordering the figures beside it.
"""

import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from players.models import Player
from players.people.names import is_helped_by, is_read_in
from players.privacy.rules import BETWEEN_PARTNERS, NOBODY, Viewer, each_of, sees_page, shown_name, shown_reading

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def player_link(player: Player, viewer: Viewer, address: str = "") -> SafeString:
    """The shown name as a link to the player's page, or as plain text where this viewer has no page to open; `address`
    leads elsewhere; then the link bears the numbers of those who have a page, for the script that marks rows."""
    if player.beside and not address:
        return _together(player, viewer, player_link)
    words = name_words(player, viewer)
    numbers = " ".join(str(each.number) for each in (player, *player.beside) if sees_page(each, viewer))
    if not address and not numbers:
        return format_html('<span class="name">{}</span>', words)
    if address and numbers:
        return format_html('<a class="name" data-player="{}" href="{}">{}</a>', numbers, address, words)
    return format_html('<a class="name" href="{}">{}</a>', address or player.get_absolute_url(), words)


def name_words(player: Player, viewer: Viewer) -> SafeString:
    """The shown name and the reading beside it, without a link: for paper and the hall's screen. The dot between them
    stays with the name where the reading goes to a line of its own."""
    if player.beside:
        return _together(player, viewer, name_words)
    name, reading = name_and_reading(player, viewer)
    words = format_html("<bdi>{}</bdi>", name)
    between = '<span class="before-reading">\u00a0·</span>'
    return format_html(f'{{}}{between} <bdi class="reading">{{}}</bdi>', words, reading) if reading else words


def _together(player: Player, viewer: Viewer, written: Callable[[Player, Viewer], SafeString]) -> SafeString:
    """Everybody of an entry, each written for himself."""
    return format_html_join(BETWEEN_PARTNERS, "{}", ((written(each, viewer),) for each in each_of(player)))


def name_and_reading(player: Player, viewer: Viewer) -> tuple[str, str]:
    """The shown name, and the reading beside it; empty where readers of this language need none, and of an entry of
    more than one."""
    if player.beside:
        return shown_name(player, viewer), ""
    name, reading = shown_name(player, viewer), shown_reading(player, viewer)
    language = get_language() or settings.LANGUAGE_CODE
    if not reading or not is_helped_by(name, reading, language):
        return name, ""
    if viewer.wants_readings and not is_read_in(name, language):
        return reading, ""
    return name, reading


def name_in_text(player: Player, viewer: Viewer) -> str:
    """The shown name as plain text, or its reading for whoever wishes so. One written from right to left is isolated:
    the figures beside it would change sides."""
    name, _reading = name_and_reading(player, viewer)
    return f"\u2068{name}\u2069" if _RIGHT_TO_LEFT.search(name) else name


def table_viewer(table: Any) -> Viewer:
    """The viewer for whom a django-tables2 table is being rendered: for cells with names in them."""
    return getattr(table, "context", {}).get("viewer") or NOBODY
