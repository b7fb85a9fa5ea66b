"""What a request asks for, by the name of its route: an address may carry a member's name, a route does not."""

from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils.translation import override

from clubrating.web.languages import plain_path

UNKNOWN, STATIC = "unknown", "static"


def route_of(request: HttpRequest) -> str:
    """The view's name, the same in every language; “static” for files, “unknown” where nothing is at the address."""
    if request.resolver_match is not None:
        return request.resolver_match.view_name
    return route_at(request.path_info)


@lru_cache(maxsize=1024)
def route_at(path: str) -> str:
    """The same, of an address nobody has looked up: a page that was kept is answered before, and is asked for again and
    again."""
    if path.startswith(f"/{settings.STATIC_URL.strip('/')}/"):
        return STATIC
    try:
        with override(settings.LANGUAGE_CODE):
            return resolve(plain_path(path)).view_name
    except Resolver404:
        return UNKNOWN
