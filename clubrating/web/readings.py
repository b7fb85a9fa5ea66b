"""Whether a reader wishes for the readings of names alone, kept in a cookie of one word.

The cookie is taken out of the request before anything else looks at it: pages are kept for such readers as for all
others, beside those for everybody (`clubrating.web.page_cache`). It says nothing about anybody.
"""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

COOKIE, LASTS = "club-names", timedelta(days=365)
READINGS = "readings"


def note_wish(request: HttpRequest) -> None:
    """Leave in `request.wants_readings` what the reader chose."""
    request.wants_readings = request.COOKIES.pop(COOKIE, "") == READINGS  # type: ignore[attr-defined]


def wants_readings(request: HttpRequest) -> bool:
    """What `note_wish` left."""
    return getattr(request, "wants_readings", False)


def choose_names(request: HttpRequest) -> HttpResponse:
    """`/names/?show=readings` (or anything else: names as they are written), and `back` to the page the reader came
    from. A GET, so that the button on a kept page needs no token; nothing but the reader's own view changes."""
    back = request.GET.get("back", "")
    own = url_has_allowed_host_and_scheme(back, allowed_hosts=None) and back.startswith("/")
    response = redirect(back if own else "players:index")
    response.headers["Cache-Control"] = "no-store"
    if request.GET.get("show") == READINGS:
        seconds, secure = int(LASTS.total_seconds()), settings.SESSION_COOKIE_SECURE
        response.set_cookie(COOKIE, READINGS, max_age=seconds, secure=secure, httponly=True, samesite="Lax")
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
