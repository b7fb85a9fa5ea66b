"""The types of a request and of middlewares, the context processor of templates, and where the site is."""

from collections.abc import Callable
from functools import partial

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from clubrating.ground.numbers import number_in
from clubrating.web.languages import editions, offer, plain_path
from clubrating.web.own_pages import public_path
from players.models import Club
from players.people.selectors import known_site
from players.privacy.rules import NOBODY, Viewer

GetResponse = Callable[[HttpRequest], HttpResponse]


class ClubRequest(HttpRequest):
    """A request to a page of a club that is set up."""

    club: Club
    viewer: Viewer


def with_query(request: HttpRequest, address: str) -> str:
    """That address with what was asked of this one: for redirects to where a page stands now."""
    query = request.GET.urlencode()
    return f"{address}?{query}" if query else address


def number_sent(request: HttpRequest, name: str) -> int:
    """The key or revision that a form sends under that name; -1, which no row has, for none."""
    return number_in(request.POST.get(name, ""))


def site_of(request: HttpRequest) -> str:
    """Where the club's pages begin, for a link in a letter. The request's host is chosen by whoever asks, but somebody
    else reads the letter: so it must be one of the club's."""
    return known_site(request.build_absolute_uri("/"))


def club(request: HttpRequest) -> dict[str, object]:
    """The club, the viewer, and which part of the site the page belongs to (marked in the navigation)."""
    return {
        "club": getattr(request, "club", None),
        "viewer": getattr(request, "viewer", NOBODY),
        "part": plain_path(request.path).split("/")[1],
        "site": partial(request.build_absolute_uri, "/"),
        "page_path": partial(public_path, request.path),
        "editions": partial(editions, request),
        "language_offer": partial(offer, request),
        "acts_for_club": partial(_acts_for_club, request),
    }


def _acts_for_club(request: HttpRequest) -> bool:
    """Whether an officer of a club is signed in, with no rights in the administration. Without a session no query."""
    # The offline page stays on the device for whoever uses it next.
    is_kept = plain_path(request.path) == "/offline/"
    if is_kept or settings.SESSION_COOKIE_NAME not in request.COOKIES or not hasattr(request, "user"):
        return False
    try:
        return bool(request.user.is_authenticated and not request.user.is_staff)
    except DatabaseError:
        return False
