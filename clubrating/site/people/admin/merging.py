"""Merging two records of one person, from the page of the duplicate, and the list of possible duplicates."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.admin import admin_page
from players.models import AuditEvent, Player
from players.people.names import MAX_NAME
from tournaments.corrections.admin.games_brought import PlayerField, ask, called
from tournaments.corrections.admin.preview import CorrectionPage, correction
from tournaments.corrections.services.merge_changes import PlayersMerged
from tournaments.entries.selectors import Twins, possible_duplicates
from tournaments.events.admin.event_page import check_may


class MergeForm(forms.Form):
    """The record that is kept."""

    into = PlayerField(
        label=gettext_lazy("Merge into"),
        max_length=MAX_NAME,
        help_text=gettext_lazy("The record that is kept: the name as it stands in the list, or the number, like #17."),
    )


def merge(request: HttpRequest, key: int) -> HttpResponse:
    """The record of that key goes; the form says into which."""
    check_may(request, "players.change_player")
    gone = get_object_or_404(Player, pk=key)
    back = reverse("admin:players_player_change", args=[gone.pk])
    asked = {"into": request.GET["into"]} if "into" in request.GET else None
    form = MergeForm(request.POST if request.method == "POST" else None, initial=asked)
    if not form.is_valid():
        title = _("Merge %(player)s into another record") % {"player": called(gone)}
        return ask(request, title, form, back=back, parent=_("Player"))
    keep = form.cleaned_data["into"]
    people = {"gone": called(gone), "keep": called(keep)}
    texts = CorrectionPage(
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
    return correction(request, PlayersMerged(keep=keep.pk, gone=gone.pk), texts)


def duplicates(request: HttpRequest) -> HttpResponse:
    """Pairs of people whose names agree, each with a way to the merge and its preview."""
    check_may(request, "players.change_player")
    pairs, more = possible_duplicates()
    rows = [
        {"pair": pair, "first": called(pair.first), "second": called(pair.second), "ways": _ways(pair)}
        for pair in pairs
    ]
    template = "admin/players/player/duplicates.html"
    return admin_page(request, template, _("Possible duplicates"), rows=rows, more=more)


def _ways(pair: Twins) -> list[tuple[str, str]]:
    """Either record may go; first the way that moves fewer games."""
    ways = []
    for gone, keep in ((pair.second, pair.first), (pair.first, pair.second)):
        page = reverse("admin:players_player_merge", args=[gone.pk])
        ways.append((f"{page}?into=%23{keep.number}", f"#{gone.number} → #{keep.number}"))
    return ways if pair.second_games <= pair.first_games else ways[::-1]
