"""Two records of one person made one, from the page of the one that is too many: first who it is, then what moves."""

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import AuditEvent, Player
from players.names import MAX_NAME
from tournaments.admin.correction import Frame, correction
from tournaments.admin.games_brought import PlayerField, ask, called
from tournaments.services.changes import PlayersMerged


class MergeForm(forms.Form):
    """The record that is kept."""

    into = PlayerField(
        label=gettext_lazy("Merge into"),
        max_length=MAX_NAME,
        help_text=gettext_lazy("The record that is kept: the name as it stands in the list, or the number, like #17."),
    )


def merge(request: HttpRequest, key: int) -> HttpResponse:
    """The record of that key goes; the form says into which."""
    if not request.user.has_perm("players.change_player"):
        raise PermissionDenied
    gone = get_object_or_404(Player, pk=key)
    back = reverse("admin:players_player_change", args=[gone.pk])
    form = MergeForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        title = _("Merge %(player)s into another record") % {"player": called(gone)}
        return ask(request, title, form, back=back, parent=_("Player"))
    keep = form.cleaned_data["into"]
    people = {"gone": called(gone), "keep": called(keep)}
    frame = Frame(
        title=_("Merge two players"),
        says=[
            _("%(gone)s is the same person as %(keep)s.") % people,
            _("Games, entries and starting ratings go to %(keep)s; the other record stays and leads there.") % people,
        ],
        hidden=[("into", f"#{keep.number}")],
        back=back,
        done=reverse("admin:players_player_change", args=[keep.pk]),
        reason=AuditEvent.Reason.DUPLICATE,
        button=_("Merge"),
    )
    return correction(request, PlayersMerged(keep=keep.pk, gone=gone.pk), frame)
