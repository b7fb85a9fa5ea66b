"""How large a request may be, and how often expensive pages are made for one address.

`EXPENSIVE` is the one list of pages whose making costs more than reading a few rows. They are counted where they are
really made: a cached page and one the visitor has already (304) are answered before.

The numbers are for a hall: a hundred people behind one address, all with their telephones out just after a round. Each
asks three calculators, compares with three opponents or types a name of six letters within a minute, two ask why they
were paired so, an organiser tries out a schedule every second, fifty members read the lab; what is left over serves
programs. Counted by each web process for itself, unless CLUB_CACHE_URL names a Redis server: in the club's database
readers would wait for writers.
Lengths of addresses and headers are the web server's matter (docs/security.md).
"""

import re
from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.ops.errors import standalone_page
from clubrating.ops.logs.records import route_at
from clubrating.web.api import refuse
from clubrating.web.languages import plain_path
from clubrating.web.rate_limits import READERS, RateLimit, address_of

# Bytes of a body. Officers upload tables of games and players, players photos of score sheets, of 5 MB at most, and a
# form around them.
LARGEST_OF_OFFICERS = 6_000_000
LARGEST = 500_000
_PHOTOS = re.compile(r"/tournaments/[-\w]+/games/\d+/sheets/")


@dataclass(frozen=True, slots=True)
class Allowance:
    """So many pages of these routes, taken together, for one address; "lab:*" is every route of that namespace."""

    rate_limit: RateLimit
    routes: tuple[str, ...]


def _a_minute(pages: str, most: int) -> RateLimit:
    return RateLimit(pages, most, 60, READERS)


EXPENSIVE = (
    Allowance(_a_minute("calculators", 300), ("tools:elo", "tools:event", "tools:performance", "tools:expected")),
    Allowance(
        _a_minute("builders", 60),
        ("tools:schedule", "tools:schedule-csv", "tools:schedule-ics", "tools:bracket", "tools:bracket-csv"),
    ),
    # Worked out in the background and looked for every few seconds meanwhile.
    Allowance(_a_minute("format-adviser", 200), ("tools:format", "tools:format-csv")),
    Allowance(
        _a_minute("head-to-head", 300), ("players:vs", "players:choose-opponent", "players:compare", "tools:eras")
    ),
    # Files of several clubs, one to two seconds of work for the largest.
    Allowance(_a_minute("one-scale", 12), ("tools:one-scale",)),
    # A question with every few letters somebody types.
    Allowance(_a_minute("search", 600), ("search", "search-found")),
    Allowance(_a_minute("why-pairing", 200), ("tournaments:why",)),
    Allowance(_a_minute("certificates", 100), ("tournaments:certificate", "tournaments:certificate-file")),
    # Up to a second of work; only captains can open it.
    Allowance(_a_minute("line-up-advice", 60), ("captains:advice",)),
    # By far the slowest of the lab's pages.
    Allowance(_a_minute("diary", 60), ("lab:diary", "lab:diary-svg", "lab:diary-csv")),
    Allowance(_a_minute("lab", 200), ("lab:*",)),
    # Drawn in an eighth of a second.
    Allowance(_a_minute("pictures", 100), ("players:picture", "ratings:picture", "event-picture")),
    # Of each reader, and never kept: on every visit to the front page.
    Allowance(_a_minute("mine", 600), ("mine",)),
    # A whole list, a whole event, a whole season in one file.
    Allowance(
        _a_minute("files", 200),
        ("ratings:file", "ratings:json", "tournaments:file", "tournaments:games", "tournaments:report", "seasons:file"),
    ),
    Allowance(_a_minute("api", 600), ("api:*",)),
)
# What writes with a token is counted by the token (`clubrating.site.programs.requests`).
_WITH_A_TOKEN = ("token", "result", "correction", "withdrawal", "check-in", "absence")
CHEAP = {"api:index", "lab:cancel", *(f"api:{name}" for name in _WITH_A_TOKEN)}
_BY_ROUTE = {route: each for each in EXPENSIVE for route in each.routes}


def allowance_of(route: str) -> Allowance | None:
    """What a route counts against: what names it, else what names its namespace; None for a cheap one."""
    if route in CHEAP:
        return None
    return _BY_ROUTE.get(route) or _BY_ROUTE.get(f"{route.partition(':')[0]}:*")


def is_expensive(path: str) -> bool:
    """Whether a request for this path, as it came (its bytes as Latin-1), is one for a page of `EXPENSIVE`."""
    return allowance_of(route_at(path.encode("latin-1").decode(errors="replace"))) is not None


def too_large(request: HttpRequest) -> HttpResponse | None:
    """The refusal of a body that is too large, before anything of it is read; None where it may be read."""
    path = plain_path(request.path)
    most = LARGEST_OF_OFFICERS if path.startswith("/admin/") or _PHOTOS.fullmatch(path) else LARGEST
    if _length(request) <= most:
        return None
    return refuse("The body is too large.", 413) if request.path.startswith("/api/") else _larger_than(most)


def _larger_than(most: int) -> HttpResponse:
    said = _("Nothing was changed. Here at most %(most)s can be sent at once: send a smaller file, or less text.")
    return standalone_page(413, _("That is too large"), said % {"most": filesizeformat(most)})


def _length(request: HttpRequest) -> int:
    """What the request says of its body; the server reads no more than that, and nothing where it says nothing."""
    text = request.META.get("CONTENT_LENGTH") or "0"
    return int(text) if text.isascii() and text.isdigit() else 0


def too_often(request: HttpRequest) -> HttpResponse | None:
    """Counts a page of `EXPENSIVE` that is about to be made; the refusal, where its address had too many of them."""
    match = request.resolver_match
    route = match.view_name if match and match.url_name else ""
    allowance = allowance_of(route)
    if allowance is None or not settings.RATE_LIMITS:
        return None
    who = address_of(request)
    if allowance.rate_limit.is_exceeded_by(who):
        return _refusal(route, allowance.rate_limit.seconds)
    allowance.rate_limit.count(who)
    return None


def _refusal(route: str, seconds: int) -> HttpResponse:
    if route.startswith("api:"):
        return with_retry_after(refuse(f"Too many requests: ask again in {seconds} seconds.", 429), seconds)
    said = ngettext(
        "From your address many pages were asked for that take work to make. Wait %(seconds)s second, then load this"
        " page again.",
        "From your address many pages were asked for that take work to make. Wait %(seconds)s seconds, then load this"
        " page again.",
        seconds,
    )
    return too_many(_("Too many pages at once"), said, seconds)


def too_many(title: str, said: str, seconds: int) -> HttpResponse:
    """The refusal as a page; `said` has a place for the `seconds`."""
    return with_retry_after(standalone_page(429, title, said % {"seconds": seconds}), seconds)


def with_retry_after(response: HttpResponse, seconds: int) -> HttpResponse:
    """The refusal with what tells a program when to come back; nobody keeps it until then."""
    response.headers["Retry-After"] = str(seconds)
    response.headers["Cache-Control"] = "no-store"
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What Django refuses before any page is asked: a form that is too large is 413, everything else 400."""
    if isinstance(exception, RequestDataTooBig):
        return _larger_than(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    said = _(
        "Something in it is not as a browser sends it. Nothing was changed. Go back, load the page again, and try once"
        " more."
    )
    return standalone_page(400, _("This request cannot be answered"), said)
