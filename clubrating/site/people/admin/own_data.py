"""A person's own data as a file, for whoever asks for his: administrators hand it out."""

import io
import zipfile

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from clubrating.site.export.services import as_json, hand_out_own_data
from clubrating.web.admin import officer
from players.models import Player
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused


def own_data_page(request: HttpRequest, key: int) -> HttpResponse:
    """Says what is in the file; posted to, it is the file: the same data as JSON and to be read, packed together."""
    if not request.user.is_superuser:
        raise PermissionDenied
    player = get_object_or_404(Player, pk=key)
    if request.method == "POST":
        try:
            return _file(player, as_read=hand_out_own_data(player.pk, by=officer(request)))
        except Refused as refusal:
            messages.error(request, str(refusal))
            return redirect(reverse("admin:players_player_change", args=[player.pk]))
    context = {
        **admin.site.each_context(request),
        "title": _("All data of %(player)s") % {"player": f"{shown_name(player, OFFICER)} (#{player.number})"},
        "player": player,
        "back": reverse("admin:players_player_change", args=[player.pk]),
    }
    return TemplateResponse(request, "admin/players/player/own_data.html", context)


def _file(player: Player, *, as_read: dict[str, object]) -> HttpResponse:
    name, packed = f"person-{player.number}", io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{name}.json", as_json(as_read))
        archive.writestr(f"{name}.html", render_to_string("players/own_data.html", {"data": as_read}))
    headers = {"Content-Disposition": f'attachment; filename="{name}.zip"', "Cache-Control": "private, no-store"}
    return HttpResponse(packed.getvalue(), content_type="application/zip", headers=headers)
