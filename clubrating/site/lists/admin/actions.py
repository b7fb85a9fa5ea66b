"""The two actions of the rating lists' page, each shown before it is confirmed: publishing, and rating anew from the
first game. Also the published lists, which are frozen and so read only.

Rating anew changes nothing where the ledger is right; results can be entered meanwhile.
"""

from math import ceil
from typing import Any

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubrating.web.admin import ReadOnlyAdmin, officer
from clubrating.web.formatting import day_text
from players.refusals import Refused
from ratings.models import PublishedList, RatingList
from tournaments.corrections.services.jobs import request_rebuild
from tournaments.rated_games.selectors.games import count_rated
from tournaments.rated_games.services.past_lists import preview_publication, publish_list

GAMES_A_MINUTE = 60_000  # rough estimate, on a small machine that serves visitors meanwhile


@admin.register(PublishedList)
class PublishedListAdmin(ReadOnlyAdmin):
    list_display = ("as_of", "rating_list", "published_at", "players", "digest")
    list_filter = ("rating_list",)
    list_select_related = ("rating_list",)
    fields = list_display

    def get_queryset(self, request: HttpRequest) -> QuerySet[PublishedList]:
        return super().get_queryset(request).defer("settings").annotate(row_count=Count("rows"))

    @admin.display(description=gettext_lazy("as of"), ordering="on")
    def as_of(self, published: PublishedList) -> SafeString:
        address = f"{published.rating_list.get_absolute_url()}?on={published.on}"
        return format_html('<a href="{}">{}</a>', address, day_text(published.on, "long"))

    @admin.display(description=gettext_lazy("players"))
    def players(self, published: Any) -> int:
        return int(published.row_count)


class ListActions(admin.ModelAdmin):
    """Part of the rating lists' page."""

    @admin.action(description=gettext_lazy("Publish as of today"), permissions=["change"])
    def publish(self, request: HttpRequest, queryset: QuerySet[RatingList]) -> HttpResponse | None:
        """All of the lists or none."""
        today, day = timezone.localdate(), day_text(timezone.localdate(), "long")
        try:
            if "confirmed" not in request.POST:
                lines = [{"list": row, "found": preview_publication(row, today)} for row in queryset]
                context = {"title": _("Publish as of %(day)s") % {"day": day}, "lines": lines}
                return self._look(request, "publish", context)
            with transaction.atomic():
                done = [publish_list(row, today, by=officer(request)) for row in queryset]
        except Refused as refusal:
            self.message_user(request, str(refusal), messages.ERROR)
            return None
        for published in done:
            text = _("%(list)s is published as of %(day)s.") % {"list": published.rating_list.shown_name, "day": day}
            self.message_user(request, text, messages.SUCCESS)
        return None

    @admin.action(description=gettext_lazy("Rate anew from the first game, in the background"), permissions=["change"])
    def rebuild(self, request: HttpRequest, queryset: QuerySet[RatingList]) -> HttpResponse | None:
        if "confirmed" not in request.POST:
            lines: list[dict[str, Any]] = [{"list": row, "games": count_rated(row.pool)} for row in queryset]
            takes = in_minutes(sum(line["games"] for line in lines))
            context = {"title": _("Rate anew from the first game"), "lines": lines, "takes": takes}
            return self._look(request, "rebuild", context)
        for rating_list in queryset:
            request_rebuild(rating_list, by=officer(request))
        text = ngettext("%(count)s list will be rated anew.", "%(count)s lists will be rated anew.", len(queryset))
        self.message_user(request, text % {"count": len(queryset)}, messages.SUCCESS)
        return None

    def _look(self, request: HttpRequest, name: str, context: dict[str, Any]) -> HttpResponse:
        """What would be done, with the button that confirms it."""
        return render(request, f"admin/ratings/{name}.html", {**self.admin_site.each_context(request), **context})


def in_minutes(games: int) -> str:
    """About how long so many games take, in words."""
    minutes = ceil(games / GAMES_A_MINUTE)
    if minutes <= 1:
        return _("less than a minute")
    return ngettext("about %(count)s minute", "about %(count)s minutes", minutes) % {"count": minutes}
