"""Who asks, and in which club. Of officers: how long one stays signed in, that nobody with a second factor is one by
password alone, and that where the club asks for a second factor (CLUB_SECOND_FACTOR) nobody is one without.

Whoever fails any of these is nobody to every page, not only to the desk: no page has to think of it. It costs nothing
until a page asks who is there.
"""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from clubrating.accounts.resume import keep_form
from clubrating.web.languages import plain_path
from clubrating.web.middleware import answer_in_club

GetResponse = Callable[[HttpRequest], HttpResponse]

SINCE, SEEN = "officer_since", "officer_seen"
SEEN_EVERY = 300  # seconds between two notes of when somebody was last here


class VisitorMiddleware:
    """`request.user`, `request.club` and `request.viewer`. Stands after the middlewares of sessions, authentication,
    second factors and messages."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.user = SimpleLazyObject(partial(_officer, request, request.user))  # type: ignore[assignment]
        response = answer_in_club(request, self.get_response)
        # The page may have sent him to the login.
        return _sent_on(request, response) if response.status_code == HTTPStatus.FOUND else response


def _sent_on(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Where he is sent. A form that came after the end of his session is kept for him; whoever has to turn on a second
    factor first is sent there instead of to the login."""
    signed_out = getattr(request, "signed_out", None)
    if signed_out and request.method == "POST":
        keep_form(request, signed_out)
    if getattr(request, "lacks_factor", False) and response.headers["Location"].startswith(reverse("admin:login")):
        messages.info(request, _("Here every officer has a second factor. Turn yours on, then go on."))
        return redirect("account-factor")
    return response


def note_signing_in(request: HttpRequest) -> None:
    """From now on the session's hours are counted."""
    request.session[SINCE] = request.session[SEEN] = _now()


def _now() -> int:
    return int(timezone.now().timestamp())


def _officer(request: HttpRequest, user: Any) -> User | AnonymousUser:
    """Who that is to the pages. `has_factor` comes from our backend, `is_verified` from the middleware before."""
    if not user.is_authenticated:
        return user
    if _is_over(request, user):
        request.user = user  # else logging out would ask again who that is
        request.signed_out = user.pk  # type: ignore[attr-defined]
        logout(request)
        messages.info(request, _("You were signed out after a long time. Sign in again: what was saved is there."))
        return AnonymousUser()
    if user.has_factor and not user.is_verified():
        return AnonymousUser()
    if settings.SECOND_FACTOR_REQUIRED and not user.has_factor and not _is_getting_one(request):
        request.lacks_factor = True  # type: ignore[attr-defined]
        return AnonymousUser()
    if SEEN in request.session and _now() - request.session[SEEN] > SEEN_EVERY:
        request.session[SEEN] = _now()
    return user


def _is_getting_one(request: HttpRequest) -> bool:
    """Whether it is the page where a second factor is turned on, or the way out."""
    return plain_path(request.path) in (reverse("account-factor"), reverse("admin:logout"))


def _is_over(request: HttpRequest, user: User) -> bool:
    """Whether the session has lasted too long, or nobody was there for too long. One that was not begun at our own door
    is as old as the last sign-in."""
    last_login = user.last_login.timestamp() if user.last_login else 0
    since = request.session.get(SINCE, last_login)
    seen = request.session.get(SEEN, since)
    lasts, idle = settings.OFFICER_SESSION_LASTS, settings.OFFICER_SESSION_IDLE
    return _now() - since > lasts.total_seconds() or _now() - seen > idle.total_seconds()
