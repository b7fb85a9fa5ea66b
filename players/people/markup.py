"""How a person stands on a page: the name the viewer may see, linked where there is a page to open.

`<bdi>` keeps a name written from right to left from turning the figures beside it round.
"""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from players.models import Player
from players.privacy.rules import Viewer, sees_page, shown_name


def player_link(player: Player, viewer: Viewer) -> SafeString:
    """The shown name as a link to the player's page, or as plain text where this viewer has no page to open."""
    name = shown_name(player, viewer)
    if not sees_page(player, viewer):
        return format_html('<span class="name"><bdi>{}</bdi></span>', name)
    return format_html('<a class="name" href="{}"><bdi>{}</bdi></a>', player.get_absolute_url(), name)
