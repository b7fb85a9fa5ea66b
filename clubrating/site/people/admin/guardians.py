"""Whose guardians are still kept though they are of age by now: the list, and the button that forgets them."""

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.web.admin import officer
from players.privacy.services import forget_guardians, of_age_now
from tournaments.corrections.admin.games_brought import called
from tournaments.events.admin.event_page import check_may


def of_age(request: HttpRequest) -> HttpResponse:
    """The list; posted, their guardians go."""
    check_may(request, "players.change_player")
    today = timezone.localdate()
    if request.method == "POST":
        count = forget_guardians(today, by=officer(request))
        said = ngettext("Guardians of %(count)s player are gone.", "Guardians of %(count)s players are gone.", count)
        messages.success(request, said % {"count": count})
        return redirect(reverse("admin:players_player_changelist"))
    context = {
        **admin.site.each_context(request),
        "title": _("Of age now"),
        "rows": [(player, called(player)) for player in of_age_now(today)],
    }
    return TemplateResponse(request, "admin/players/player/of_age.html", context)
