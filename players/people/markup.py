"""How a person stands on a page: the name the viewer may see, linked where there is a page to open.

`<bdi>` keeps a name written from right to left from reordering the figures beside it.
"""

import re
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from players.models import Player
from players.privacy.rules import NOBODY, Viewer, sees_page, shown_name

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def player_link(player: Player, viewer: Viewer) -> SafeString:
    """The shown name as a link to the player's page, or as plain text where this viewer has no page to open."""
    name = shown_name(player, viewer)
    if not sees_page(player, viewer):
        return format_html('<span class="name"><bdi>{}</bdi></span>', name)
    return format_html('<a class="name" href="{}"><bdi>{}</bdi></a>', player.get_absolute_url(), name)


def name_in_text(player: Player, viewer: Viewer) -> str:
    """The shown name as plain text. One written from right to left is isolated: the figures beside it would change
    sides."""
    name = shown_name(player, viewer)
    return f"\u2068{name}\u2069" if _RIGHT_TO_LEFT.search(name) else name


def table_viewer(table: Any) -> Viewer:
    """The viewer for whom a django-tables2 table is being rendered: for cells with names in them."""
    return getattr(table, "context", {}).get("viewer") or NOBODY
