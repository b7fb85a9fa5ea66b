"""The feed of published lists, as Atom.

Unknown programs store a feed and pass it on, so everybody gets what the public sees.
"""

from datetime import datetime, time

from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from clubrating.ground.figures import round_half_away
from clubrating.web.formatting import day_text
from players.models import Club
from ratings.lists.selectors.lists import first_places
from ratings.models import PublishedList
from tournaments.event_pages.views.feeds import ClubFeed, player_name

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
        return _("%(list)s of %(day)s") % {"list": item.rating_list.name, "day": day_text(item.on, "long")}

    def item_link(self, item: PublishedList) -> str:
        return f"{item.rating_list.get_absolute_url()}?on={item.on.isoformat()}"

    def item_description(self, item: PublishedList) -> SafeString:
        lines = [(player_name(row.player), round_half_away(row.rating)) for row in self.heads.get(item.pk, [])]
        return format_html("<ol>{}</ol>", format_html_join("", "<li>{} {}</li>", lines))

    def item_pubdate(self, item: PublishedList) -> datetime:
        return timezone.make_aware(datetime.combine(item.on, time()))

    item_updateddate = item_pubdate
