"""What programs read of the site: the feed of published lists as Atom, the sitemap, and robots.txt.

Unknown programs store a feed and pass it on, so everybody gets what the public sees. Search engines learn of the club's
pages in every language, but of no person's page; each of those says that it is not to be listed
(`clubrating.web.middleware`).
"""

from datetime import date, datetime, time
from typing import Any

from django.contrib.sitemaps import Sitemap
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from clubrating.web.formatting import day_text
from players.models import Club
from ratings.lists.markup import listed_figure
from ratings.lists.selectors.listing import listing_of
from ratings.lists.selectors.published import first_places
from ratings.models import PublishedList, RatingList
from tournaments.event_pages.views.feeds import ClubFeed, player_name
from tournaments.models import League, Tournament

# --- the feed ---------------------------------------------------------------------------------------------------------
MOST_LISTS = 24
TOP = 10


class ListsFeed(ClubFeed):
    """Published lists, each with its first ten."""

    def title(self, club: Club) -> str:
        return _("%(club)s: rating lists") % {"club": club.name}

    def link(self) -> str:
        return reverse("ratings:index")

    def items(self, _club: Club) -> list[PublishedList]:
        lists = PublishedList.objects.filter(rating_list__public=True).select_related("rating_list")
        found = list(lists.defer("settings").order_by("-on", "-pk")[:MOST_LISTS])
        self.heads = first_places(found, TOP)
        return found

    def item_title(self, item: PublishedList) -> str:
        return _("%(list)s of %(day)s") % {"list": item.rating_list.shown_name, "day": day_text(item.on, "long")}

    def item_link(self, item: PublishedList) -> str:
        return f"{item.rating_list.get_absolute_url()}?on={item.on.isoformat()}"

    def item_description(self, item: PublishedList) -> SafeString:
        listing = listing_of(item.rating_list, item.on)
        lines = [
            (player_name(row.player), listed_figure(listing, row.rating, row.deviation))
            for row in self.heads.get(item.pk, [])
        ]
        return format_html("<ol>{}</ol>", format_html_join("", "<li>{} {}</li>", lines))

    def item_pubdate(self, item: PublishedList) -> datetime:
        return timezone.make_aware(datetime.combine(item.on, time()))

    item_updateddate = item_pubdate


# --- search engines ---------------------------------------------------------------------------------------------------
PAGES = (
    *("home", "ratings:index", "tournaments:index", "about-ratings", "glossary"),
    *("tools:elo", "tools:schedule", "tools:bracket", "tools:format"),
    *("lab:index", "lab:study", "lab:findings", "lab:scenarios", "lab:trials", "lab:sweeps", "lab:diary", "lab:system"),
    *("lab:sides", "lab:masters", "lab:pairings", "lab:probation", "lab:backtest", "lab:forecasts", "lab:typed"),
)


class _EveryLanguage(Sitemap):
    i18n = True
    alternates = True


class Pages(_EveryLanguage):
    def items(self) -> list[str]:
        return list(PAGES)

    def location(self, item: Any) -> str:
        return reverse(item)


class Lists(_EveryLanguage):
    def items(self) -> QuerySet[RatingList]:
        return RatingList.objects.filter(public=True)


class Events(_EveryLanguage):
    def items(self) -> QuerySet[Tournament]:
        return Tournament.objects.order_by("-pk")

    def lastmod(self, item: Tournament) -> date | None:
        return item.ends_on if item.closed else None


class Leagues(_EveryLanguage):
    def items(self) -> QuerySet[League]:
        return League.objects.all()


SITEMAPS = {"pages": Pages, "lists": Lists, "events": Events, "leagues": Leagues}


def robots(request: HttpRequest) -> HttpResponse:
    """Where search engines need not go."""
    closed = ("admin", "account", "captain", "members", "mine", "names", "players", "search")
    rules = [f"Disallow: {prefix}/{name}/" for name in closed for prefix in ("", "/*")]
    lines = ["User-agent: *", *rules, f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
