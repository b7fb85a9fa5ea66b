"""Published lists in the admin: frozen, so they are read only; and the action that publishes a list, after a look."""

from typing import Any

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubrating.web.admin import ReadOnlyAdmin, officer
from clubrating.web.formatting import day_text
from players.refusals import Refused
from ratings.models import PublishedList, RatingList
from tournaments.rated_games.services.past_lists import preview_publication, publish_list


@admin.register(PublishedList)
class PublishedListAdmin(ReadOnlyAdmin):
    list_display = ("as_of", "rating_list", "published_at", "players", "digest")
    list_filter = ("rating_list",)
    list_select_related = ("rating_list",)
    fields = list_display

    def get_queryset(self, request: HttpRequest) -> QuerySet[PublishedList]:
        return super().get_queryset(request).defer("settings").annotate(row_count=Count("rows"))

    @admin.display(description=_("as of"), ordering="on")
    def as_of(self, published: PublishedList) -> SafeString:
        address = f"{published.rating_list.get_absolute_url()}?on={published.on}"
        return format_html('<a href="{}">{}</a>', address, day_text(published.on, "long"))

    @admin.display(description=_("players"))
    def players(self, published: Any) -> int:
        return int(published.row_count)


class PublishesLists(admin.ModelAdmin):
    """The action of the rating lists' page: first what would be published, then, confirmed, all of it or nothing."""

    @admin.action(description=_("Publish as of today"), permissions=["change"])
    def publish(self, request: HttpRequest, queryset: QuerySet[RatingList]) -> HttpResponse | None:
        today = timezone.localdate()
        confirmed = "confirmed" in request.POST
        try:
            with transaction.atomic():
                if not confirmed:
                    lines = [{"list": row, "found": preview_publication(row, today)} for row in queryset]
                else:
                    done = [publish_list(row, today, by=officer(request)) for row in queryset]
        except Refused as refusal:
            self.message_user(request, str(refusal), messages.ERROR)
            return None
        if not confirmed:
            title = _("Publish as of %(day)s") % {"day": day_text(today, "long")}
            context = {**self.admin_site.each_context(request), "title": title, "lines": lines}
            return render(request, "admin/ratings/publish.html", context)
        for published in done:
            text = _("%(list)s is published as of %(day)s.")
            named = {"list": published.rating_list.name, "day": day_text(published.on, "long")}
            self.message_user(request, text % named, messages.SUCCESS)
        return None
