"""What our middlewares do for every page: the visitor's address, the headers no package sets, the club, its time zone
and the viewer. The middlewares themselves: `clubrating.ops.logs.middleware`, `clubrating.accounts.middleware`.
"""

import ipaddress
import zoneinfo
from dataclasses import replace
from functools import partial

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.functional import SimpleLazyObject

from clubrating.web.languages import plain_path
from clubrating.web.page_cache import VARY, WITHOUT_CLUB, club_now
from clubrating.web.readings import wants_readings
from clubrating.web.requests import GetResponse
from players.models import Club
from players.people.selectors import current_club, viewer_of
from players.privacy.rules import NOBODY, Viewer
from players.trail.services import acting_from

# Not for search engines.
OF_PEOPLE = ("/players/", "/search/", "/api/", "/feeds/", "/embed/")
# Sent with every answer, beside those of django-csp and of Django's SecurityMiddleware. No page of ours wants a camera,
# a microphone or a position.
HEADERS = {
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


def answer_in_club(request: HttpRequest, get_response: GetResponse) -> HttpResponse:
    """The answer made with `request.club` and `request.viewer`, times in the club's zone, and changes noted with the
    page they come from. Before set-up everything leads to the welcome."""
    needs_club = not plain_path(request.path).startswith(WITHOUT_CLUB)
    club = (getattr(request, "club", None) or club_now()) if needs_club else None
    if needs_club and club is None:
        return redirect(reverse("welcome"))
    request.club = club or SimpleLazyObject(_club_or_none)  # type: ignore[attr-defined]
    request.viewer = SimpleLazyObject(partial(_viewer, request))  # type: ignore[attr-defined]
    with timezone.override(zoneinfo.ZoneInfo(club.time_zone) if club else None), acting_from(_page_of(request)):
        response = get_response(request)
    _add_cache_headers(request, response)
    return response


def _add_cache_headers(request: HttpRequest, response: HttpResponse) -> None:
    """Pages that differ by viewer are never stored by shared caches, and pages of people by no search engine."""
    patch_vary_headers(response, VARY.split(", "))
    if plain_path(request.path).startswith(OF_PEOPLE):
        response.headers["X-Robots-Tag"] = "noindex"
    if request.COOKIES and "Cache-Control" not in response.headers:
        # Whoever has a session may see more than the public: on a shared machine nothing of it may stay behind.
        patch_cache_control(response, private=True, no_store=settings.SESSION_COOKIE_NAME in request.COOKIES)


def _page_of(request: HttpRequest) -> str:
    """The name of the page a POST was sent to, for the audit trail."""
    if request.method != "POST":
        return ""
    try:
        return resolve(request.path_info).view_name
    except Resolver404:
        return ""


def _club_or_none() -> Club | None:
    """The club for a page that works without one: its name in the masthead, if the database answers."""
    try:
        return current_club()
    except DatabaseError:
        return None


def _viewer(request: HttpRequest) -> Viewer:
    # Without cookies without a query.
    viewer = viewer_of(request.user, request.session, request.club) if request.COOKIES else NOBODY  # type: ignore[attr-defined]
    return replace(viewer, wants_readings=wants_readings(request))


def add_headers(response: HttpResponse) -> None:
    """The headers no package sets; a page that set one itself keeps its own. No page stands in a frame but those made
    for it (`clubrating.web.frames`); older browsers do not know frame-ancestors of the CSP."""
    if not getattr(response, "xframe_options_exempt", False):
        response.headers.setdefault("X-Frame-Options", "DENY")
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)


def note_address(request: HttpRequest) -> None:
    """The visitor's own address behind proxies of ours, in REMOTE_ADDR, for whoever counts wrong tries by it.

    Each proxy adds the address it was called from at the end of X-Forwarded-For, so the last `PROXIES` entries are ours
    and the first of those is the visitor's. Anything before them the visitor may have written himself. Without proxies
    the header is not looked at.
    """
    if settings.PROXIES:
        address = _visitors_address(request.META.get("HTTP_X_FORWARDED_FOR", ""))
        request.META["REMOTE_ADDR"] = address or request.META.get("REMOTE_ADDR", "")


def _visitors_address(header: str) -> str:
    stations = [part.strip() for part in header.split(",")]
    if len(stations) < settings.PROXIES:
        return ""
    try:
        return str(ipaddress.ip_address(stations[-settings.PROXIES]))
    except ValueError:
        return ""
