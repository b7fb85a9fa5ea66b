"""Pages that other sites may show in a frame: those below `/embed/`, on the hosts of CLUB_EMBED_HOSTS and nowhere else.

Every other answer forbids frames, refusals and redirects below `/embed/` too. An answer 304 has the same headers as the
page: a browser takes them over.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.clickjacking import xframe_options_exempt

from clubrating.web.languages import plain_path
from clubrating.web.requests import ClubRequest
from players.privacy.rules import OFFICER
from players.refusals import sign

BELOW = "/embed/"
_SHOWN = (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)


@dataclass(frozen=True, slots=True)
class FrameLine:
    """What is put into another site's page, and which page it shows. `markup` is safe there: a page that shows it to be
    copied escapes it once more."""

    title: str
    key: str
    markup: SafeString


def let_into_frames(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer; a page for frames says on which hosts, in the words of django-csp and of Django."""
    hosts = settings.EMBED_HOSTS
    if hosts and response.status_code in _SHOWN and plain_path(request.path).startswith(BELOW):
        csp_replace({"frame-ancestors": hosts})(xframe_options_exempt(lambda _: response))(request)  # marks the answer
    return response


def frame_lines(request: ClubRequest, about: str, pages: Sequence[tuple[str, str, str]]) -> list[FrameLine]:
    """The lines officers copy, one for each page (its title, the name of its route, the key in its address), in the
    language of this page; none for others, and where no host is named. `about`: the name of the event or list."""
    if not settings.EMBED_HOSTS or request.viewer != OFFICER:
        return []
    return [
        FrameLine(title, route.removeprefix("embed:"), _line(request, f"{about}{sign(': ')}{title}", route, key))
        for title, route, key in pages
    ]


def _line(request: ClubRequest, title: str, route: str, key: str) -> SafeString:
    address = request.build_absolute_uri(reverse(route, args=[key]))
    line = '<iframe src="{}" title="{}" loading="lazy" width="100%" height="600"></iframe>'
    return format_html(line, address, title)
