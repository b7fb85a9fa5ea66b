"""A device that opened a personal link has a signed cookie with a key of its own. Of the key the club keeps a digest.

The cookie is taken out of the request before anything else looks at it, so public pages are kept for such a device as
for all others. Pages that look at whose device it is are never kept.
"""

from contextlib import suppress
from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from clubrating.web.requests import ClubRequest
from players.links.selectors import devices_known_by, player_of
from players.models import LinkDevice, Player

COOKIE, LASTS = "club-link", timedelta(days=366)
_SALT = "clubrating.web.links"


def note_link(request: HttpRequest) -> None:
    """The device's key in `request.link_key`; empty where there is none, or the cookie is not ours."""
    token, key = request.COOKIES.pop(COOKIE, ""), ""
    if token:
        with suppress(signing.BadSignature):
            key = signing.loads(token, salt=_SALT, max_age=LASTS)
    request.link_key = key if isinstance(key, str) else ""  # type: ignore[attr-defined]


def key_of(request: HttpRequest) -> str:
    return getattr(request, "link_key", "")


def own_devices(request: ClubRequest) -> list[LinkDevice]:
    """The links opened on this device, each with its player; none where the club has no such links. No query for a
    device that has none."""
    key = key_of(request)
    return devices_known_by(key) if key and request.club.personal_links else []


def own_players(request: ClubRequest) -> list[Player]:
    """Whom this device may speak for, each once."""
    return list({player.pk: player for player in map(player_of, own_devices(request))}.values())


def remember_link(response: HttpResponse, key: str) -> None:
    response.set_cookie(
        COOKIE,
        signing.dumps(key, salt=_SALT),
        max_age=LASTS,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def forget_link(response: HttpResponse) -> None:
    response.delete_cookie(COOKIE, samesite="Lax")
