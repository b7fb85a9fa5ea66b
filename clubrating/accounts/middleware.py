"""The user, the club and the viewer of every request.

An officer counts as signed in only while the session's time lasts, after the second factor where he has one, and with a
second factor where the club requires one (CLUB_SECOND_FACTOR). Everybody else is anonymous to all pages, not only to
the administration. Nothing is looked up until a page asks for the user.
"""

from functools import partial
from http import HTTPStatus
from time import time
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from clubrating.accounts.resume import keep_form
from clubrating.web.admin import admin_page
from clubrating.web.languages import plain_path
from clubrating.web.middleware import answer_in_club
from clubrating.web.requests import GetResponse

SINCE, SEEN = "officer_since", "officer_seen"
OPEN_WITHOUT_FACTOR = ("account-factor", "account-passkeys", "account-passkey-add", "admin:logout")
SEEN_EVERY = 300  # seconds between two notes of when somebody was last here


class VisitorMiddleware:
    """Sets `request.user`, `request.club` and `request.viewer`."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.user = SimpleLazyObject(partial(_officer, request, request.user))  # type: ignore[assignment]
        response = answer_in_club(request, self.get_response)
        return _redirected(request, response) if response.status_code == HTTPStatus.FOUND else response


def _redirected(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The redirect. On the way to the login a form sent after the end of the session is kept; whoever has to turn on a
    second factor first is sent there instead. Who is signed in and turned away by the administration is told where the
    work of officers of clubs is."""
    if not response.headers["Location"].startswith(reverse("admin:login")):
        return response
    signed_out = getattr(request, "signed_out", None)
    if signed_out and request.method == "POST":
        keep_form(request, signed_out)
    if getattr(request, "lacks_factor", False):
        messages.info(request, _("Here every officer has a second factor. Turn yours on, then go on."))
        return redirect("account-factor")
    if request.user.is_authenticated and plain_path(request.path).startswith("/admin/"):
        title = _("This is for those who run the events")
        return admin_page(request, "admin/account/not_here.html", title, status=HTTPStatus.FORBIDDEN)
    return response


def note_signing_in(request: HttpRequest) -> None:
    """From now on the session's hours are counted."""
    request.session[SINCE] = request.session[SEEN] = int(time())


def _officer(request: HttpRequest, user: Any) -> User | AnonymousUser:
    """The user as pages see him. `has_factor` comes from our backend, `is_verified` from django-otp's middleware."""
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
    lacks_factor = settings.SECOND_FACTOR_REQUIRED and not user.has_factor
    # Open stay the pages where a second factor is turned on, and the way out.
    if lacks_factor and plain_path(request.path) not in map(reverse, OPEN_WITHOUT_FACTOR):
        request.lacks_factor = True  # type: ignore[attr-defined]
        return AnonymousUser()
    if SEEN in request.session and int(time()) - request.session[SEEN] > SEEN_EVERY:
        request.session[SEEN] = int(time())
    return user


def _is_over(request: HttpRequest, user: User) -> bool:
    """Whether the session is too old, or was idle for too long. One that was not begun by our sign-in page is as old as
    the last sign-in."""
    last_login = user.last_login.timestamp() if user.last_login else 0
    since = request.session.get(SINCE, last_login)
    seen = request.session.get(SEEN, since)
    lasts, idle = settings.OFFICER_SESSION_LASTS, settings.OFFICER_SESSION_IDLE
    now = int(time())
    return now - since > lasts.total_seconds() or now - seen > idle.total_seconds()
