"""What search engines may know of: the club's pages in every language. No person's page is among them; each of those
says that it is not to be listed (`clubrating.web.middleware`): who looks for a member looks here."""

from datetime import date
from typing import Any

from django.contrib.sitemaps import Sitemap
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from ratings.models import RatingList
from tournaments.models import Tournament

PAGES = (
    "home",
    "ratings:index",
    "tournaments:index",
    "about-ratings",
    "glossary",
    "tools:elo",
    "tools:schedule",
    "tools:bracket",
    "tools:format",
    "lab:index",
    "lab:findings",
    "lab:scenarios",
    "lab:trials",
    "lab:sweeps",
    "lab:diary",
    "lab:system",
    "lab:backtest",
    "lab:forecasts",
)


class _EveryLanguage(Sitemap):
    i18n = True
    alternates = True


class Pages(_EveryLanguage):
    """The fixed ones."""

    def items(self) -> list[str]:
        return list(PAGES)

    def location(self, item: Any) -> str:
        return reverse(item)


class Lists(_EveryLanguage):
    """The lists anybody may read."""

    def items(self) -> QuerySet[RatingList]:
        return RatingList.objects.filter(public=True)


class Events(_EveryLanguage):
    """All events."""

    def items(self) -> QuerySet[Tournament]:
        return Tournament.objects.order_by("-pk")

    def lastmod(self, item: Tournament) -> date | None:
        return item.ends_on if item.closed else None


SITEMAPS = {"pages": Pages, "lists": Lists, "events": Events}


def robots(request: HttpRequest) -> HttpResponse:
    """Where search engines need not go."""
    closed = ("admin", "account", "members", "players")
    rules = [f"Disallow: {prefix}/{name}/" for name in closed for prefix in ("", "/*")]
    lines = ["User-agent: *", *rules, f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
