"""A cache of the public's pages: whoever has the page with the present stamp is answered 304, others get it as it was
made for the visitor before. Of one page there is one maker at a time; whoever asks meanwhile gets what was made.

Every fact is changed by a service that adds an audit event in the same transaction, and every change of a rating list
raises its revision. So these, read in one query, are the stamp of the whole site, whatever a page shows. Keys of events
are given before their transactions end, so an event may appear below the newest one: the stamp holds the newest key and
the two hundredth before it, which such an event moves.

Not cached: pages for anybody with a session, who may see more (see `clubrating.web.middleware`), and pages with a form
of their own, which carry a token.
"""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.cache import caches
from django.db.models import Count, Subquery, Sum, Value
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import get_language_from_request

from clubrating.web.languages import plain_path
from clubrating.web.readings import wants_readings
from clubrating.web.requests import ClubRequest, GetResponse
from clubrating.web.single_flight import single_flight
from players.models import AuditEvent, Club
from ratings.models import RatingList

# Probes and calculators work without a database, the welcome page before there is a club.
WITHOUT_CLUB = (
    "/healthz",
    "/readyz",
    "/metrics",
    "/welcome/",
    "/tools/",
    "/robots.txt",
    "/favicon.ico",
    "/service-worker.js",
)
# Pages of officers, of signing in and of one reader differ by visitor.
OWN = (*WITHOUT_CLUB, "/admin/", "/account/", "/members/", "/mine/", settings.STATIC_URL)
# What a page depends on beside its address.
VARY = "Cookie, Accept-Language"
# More transactions than this are never under way at once.
_UNDER_WAY = 200
# Bytes of a compressed page. With the number of pages in the settings this bounds the memory of a process: anybody may
# ask for a page with any query.
LARGEST_KEPT = 200_000
_SHRINKS = 10  # times at best, when compressed


@dataclass(frozen=True, slots=True)
class Kept:
    """A page as it was made: its body, compressed, and its headers."""

    packed: bytes
    headers: tuple[tuple[str, str], ...]


def club_now() -> Club | None:
    """The club, with what its stamp is made of, in one query; None before it is set up."""
    sql, values = _question()
    return next(iter(Club.objects.raw(sql, values)), None)


@cache
def _question() -> tuple[str, tuple[Any, ...]]:
    """The SQL, compiled once: that takes ten times as long as running it, and every request runs it."""
    lines = AuditEvent.objects.order_by("-pk")
    lists = RatingList.objects.order_by().annotate(all=Value(1)).values("all")
    club = Club.objects.annotate(
        newest_line=Subquery(lines.values("pk")[:1]),
        newest_at=Subquery(lines.values("at")[:1]),
        line_before=Subquery(lines.values("pk")[_UNDER_WAY : _UNDER_WAY + 1]),
        revisions=Subquery(lists.annotate(sum=Sum("revision")).values("sum")),
        lists=Subquery(lists.annotate(count=Count("pk")).values("count")),
    )
    sql, values = club.order_by("pk")[:1].query.sql_with_params()
    return sql, tuple(values)


def stamp_of(club: Any) -> str:
    """What changes whenever anything changes that a public page shows, the day included; `club` comes from `club_now`.
    The time of the newest event is part of it, because a restored backup gives its keys a second time."""
    lines = (club.newest_line, club.newest_at, club.line_before, club.revisions, club.lists, club.revision)
    return f"{lines}{timezone.localdate(timezone=ZoneInfo(club.time_zone))}"


@cache
def code_stamp() -> str:
    """What changes with an upgrade: the latest moment at which one of the site's own files was written."""
    folders = ("clubrating", "players", "ratings", "tournaments", "templates")
    files = (path for folder in folders for path in (settings.BASE_DIR / folder).rglob("*") if path.suffix in _CODE)
    return str(max(path.stat().st_mtime_ns for path in files))


_CODE = {".py", ".html", ".po"}


def cached_or_made(request: ClubRequest, get_response: GetResponse) -> HttpResponse:
    """A public page from the cache while nothing has changed, else the page as it is made now. To be called before the
    user is looked up; leaves the club in `request.club`."""
    club = club_now() if _is_public(request) and not settings.DEBUG else None
    if club is None:
        return get_response(request)
    request.club = club
    tag = _tag(request, stamp_of(club))
    if tag in _known(request):
        return _with_etag(HttpResponseNotModified(headers={"Vary": VARY}), tag)
    kept: Kept | None = caches["pages"].get(tag)
    if kept is None and request.path in _not_kept:
        return _made(request, get_response, tag)
    if kept is None:
        with single_flight(tag):
            # Whoever waited finds what was made meanwhile.
            kept = caches["pages"].get(tag)
            if kept is None:
                return _made(request, get_response, tag)
    return _with_etag(_from_cache(request, kept), tag)


def _made(request: ClubRequest, get_response: GetResponse, tag: str) -> HttpResponse:
    """The page as it is now, kept where it may be."""
    response = get_response(request)
    if not _may_be_kept(request, response):
        if response.status_code == 200:
            _note_not_kept(request.path)
        return response
    kept = Kept(gzip.compress(response.content, compresslevel=6, mtime=0), tuple(response.items()))
    if len(kept.packed) > LARGEST_KEPT:
        return response
    caches["pages"].set(tag, kept)
    _not_kept.discard(request.path)
    return _with_etag(_from_cache(request, kept), tag)


_not_kept: set[str] = set()
_MOST_NOTED = 1000


def _note_not_kept(path: str) -> None:
    """Until it is kept, nobody waits for its maker: everybody has to make it anew anyway."""
    if len(_not_kept) >= _MOST_NOTED:
        _not_kept.clear()
    _not_kept.add(path)


def _is_public(request: HttpRequest) -> bool:
    """Whether everybody who asks so gets the same. The CSRF cookie identifies nobody."""
    return (
        request.method in ("GET", "HEAD")
        and not set(request.COOKIES) - {settings.CSRF_COOKIE_NAME}
        and not plain_path(request.path).startswith(OWN)
    )


def _tag(request: HttpRequest, stamp: str) -> str:
    """The page's ETag: address, language, how names are shown, and state of the club."""
    asked = (
        request.scheme or "",
        request.get_host(),
        request.get_full_path(),
        request.headers.get("HX-Request", ""),
        get_language_from_request(request) or "",
        str(wants_readings(request)),
        code_stamp(),
        stamp,
    )
    return quote_etag(hashlib.blake2b("\0".join(asked).encode(), digest_size=16).hexdigest())


def _known(request: HttpRequest) -> list[str]:
    """The tags the browser has, strong or weak (a compressing proxy weakens them)."""
    return [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))]


def _may_be_kept(request: HttpRequest, response: HttpResponse) -> bool:
    return (
        response.status_code == 200
        and not response.streaming
        and not response.cookies
        and not response.has_header("Cache-Control")
        and "CSRF_COOKIE_NEEDS_UPDATE" not in request.META
        and len(response.content) <= LARGEST_KEPT * _SHRINKS
    )


def _from_cache(request: HttpRequest, kept: Kept) -> HttpResponse:
    packs = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(kept.packed if packs else gzip.decompress(kept.packed), headers=dict(kept.headers))
    if packs:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Content-Length"] = str(len(response.content))  # the kept one is that of the unpacked page
    return response


def _with_etag(response: HttpResponse, tag: str) -> HttpResponse:
    """Browsers may keep it and must ask again before showing it."""
    response.headers["ETag"] = tag
    patch_cache_control(response, public=True, no_cache=True)
    return response
