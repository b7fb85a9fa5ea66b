"""Privacy in the admin: erasing a person, deleting the guardians of players who are of age by now, and handing out a
person's own data on request. Erasing and handing out are for administrators.
"""

import io
import zipfile
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubrating.ops.backups.erased_people import erase_from_backups
from clubrating.site.export.services import as_json, hand_out_own_data
from clubrating.web.admin import admin_page, officer
from players.models import Erasure, Player
from players.privacy.services import forget_guardians, of_age_now
from players.refusals import Refused
from tournaments.corrections.admin.games_brought import called
from tournaments.erasure.services.erasure import anonymise_player, what_goes
from tournaments.events.admin.event_page import check_may


# --- erasing ---------------------------------------------------------------------------------------------------------
class EraseForm(forms.Form):
    """The player's number has to be typed, so that nobody is erased by accident."""

    number = forms.CharField(
        label=gettext_lazy("The player’s number, to confirm"),
        max_length=12,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    note = forms.CharField(
        label=gettext_lazy("Note for the audit trail, without names"), max_length=500, required=False
    )

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player

    def clean_number(self) -> str:
        typed: str = self.cleaned_data["number"].strip().removeprefix("#")
        if typed != str(self.player.number):
            raise forms.ValidationError(_("That is not the number of this player."))
        return typed


def anonymise(request: HttpRequest, key: int) -> HttpResponse:
    """Administrators only; others get 403 before anything is read."""
    if not request.user.is_superuser:
        raise PermissionDenied
    player = get_object_or_404(Player, pk=key)
    form = EraseForm(request.POST if request.method == "POST" else None, player=player)
    problem = ""
    if form.is_valid():
        try:
            anonymise_player(player.pk, by=officer(request), note=form.cleaned_data["note"])
        except Refused as refusal:
            problem = str(refusal)
        else:
            _erase_from_backups(request)
            messages.success(request, _("Player %(number)s is erased.") % {"number": player.number})
            return redirect(reverse("admin:players_player_changelist"))
    back = reverse("admin:players_player_change", args=[player.pk])
    try:
        goes = what_goes(player)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect(back)
    context = {"player": player, "goes": goes, "form": form, "problem": problem, "back": back}
    title, status = _("Erase %(player)s") % {"player": called(player)}, 400 if form.errors or problem else 200
    return admin_page(request, "admin/players/player/erase.html", title, status=status, **context)


def _erase_from_backups(request: HttpRequest) -> None:
    """Where that fails, the page says so and the daily backup tries again."""
    try:
        done = erase_from_backups(set(Erasure.objects.values_list("number", flat=True)))
    except (Refused, OSError) as refusal:
        messages.error(request, _("Backups still know the name: %(why)s") % {"why": refusal})
        return
    said = ngettext("%(count)s backup was rewritten.", "%(count)s backups were rewritten.", done)
    messages.success(request, said % {"count": done})


# --- guardians -------------------------------------------------------------------------------------------------------
def of_age(request: HttpRequest) -> HttpResponse:
    """The list; a POST deletes their guardians."""
    check_may(request, "players.change_player")
    today = timezone.localdate()
    if request.method == "POST":
        count = forget_guardians(today, by=officer(request))
        said = ngettext("Guardians of %(count)s player are gone.", "Guardians of %(count)s players are gone.", count)
        messages.success(request, said % {"count": count})
        return redirect(reverse("admin:players_player_changelist"))
    rows = [(player, called(player)) for player in of_age_now(today)]
    return admin_page(request, "admin/players/player/of_age.html", _("Of age now"), rows=rows)


# --- own data --------------------------------------------------------------------------------------------------------
def own_data_page(request: HttpRequest, key: int) -> HttpResponse:
    """Says what is in the file; posted to, it is the file: the same data as JSON and to be read, packed together."""
    if not request.user.is_superuser:
        raise PermissionDenied
    player = get_object_or_404(Player, pk=key)
    back = reverse("admin:players_player_change", args=[player.pk])
    if request.method == "POST":
        try:
            return _file(player, hand_out_own_data(player.pk, by=officer(request)))
        except Refused as refusal:
            messages.error(request, str(refusal))
            return redirect(back)
    title = _("All data of %(player)s") % {"player": called(player)}
    return admin_page(request, "admin/players/player/own_data.html", title, player=player, back=back)


def _file(player: Player, data: dict[str, object]) -> HttpResponse:
    name, packed = f"person-{player.number}", io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{name}.json", as_json(data))
        archive.writestr(f"{name}.html", render_to_string("players/own_data.html", {"data": data}))
    headers = {"Content-Disposition": f'attachment; filename="{name}.zip"', "Cache-Control": "private, no-store"}
    return HttpResponse(packed.getvalue(), content_type="application/zip", headers=headers)
