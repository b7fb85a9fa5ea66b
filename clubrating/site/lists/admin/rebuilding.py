"""The action that rates lists anew from the first game: first which, how many games and about how long, then,
confirmed, the jobs. Rating anew changes nothing where the ledger is right; results can be entered meanwhile."""

from math import ceil
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubrating.web.admin import officer
from ratings.models import RatingList
from tournaments.corrections.services.jobs import request_rebuild
from tournaments.rated_games.selectors.games import count_rated

GAMES_A_MINUTE = 60_000  # rough estimate, on a small machine that serves visitors meanwhile


class RebuildsLists(admin.ModelAdmin):
    """Part of the rating lists' page."""

    @admin.action(description=gettext_lazy("Rate anew from the first game, in the background"), permissions=["change"])
    def rebuild(self, request: HttpRequest, queryset: QuerySet[RatingList]) -> HttpResponse | None:
        if "confirmed" not in request.POST:
            lines: list[dict[str, Any]] = [{"list": row, "games": count_rated(row.pool)} for row in queryset]
            context: dict[str, Any] = {
                **self.admin_site.each_context(request),
                "title": _("Rate anew from the first game"),
                "lines": lines,
                "takes": in_minutes(sum(line["games"] for line in lines)),
            }
            return render(request, "admin/ratings/rebuild.html", context)
        for rating_list in queryset:
            request_rebuild(rating_list, by=officer(request))
        text = ngettext("%(count)s list will be rated anew.", "%(count)s lists will be rated anew.", len(queryset))
        self.message_user(request, text % {"count": len(queryset)}, messages.SUCCESS)
        return None


def in_minutes(games: int) -> str:
    """About how long so many games take, in words."""
    minutes = ceil(games / GAMES_A_MINUTE)
    if minutes <= 1:
        return _("less than a minute")
    return ngettext("about %(count)s minute", "about %(count)s minutes", minutes) % {"count": minutes}
