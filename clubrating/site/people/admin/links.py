"""Personal links at the desk: those of one player with their devices, and a sheet of many to be printed and cut.

A secret stands on the answer to the form that made it, and nowhere else. It is part of no address the site is asked
for: it stands behind the “#”, or is typed. Sent by e-mail it stands in the letter alone.
"""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from clubrating.site.link_letters.services import send_personal_link
from clubrating.web.admin import admin_page, key_sent, officer
from clubrating.web.formatting import qr_code
from clubrating.web.forms import one_button
from clubrating.web.requests import site_of
from players.links.selectors import belongs, have_links, links_of
from players.links.services.personal_links import (
    DAYS,
    LONGEST_WORD,
    MOST_DEVICES,
    allow_device,
    forget_devices,
    make_personal_link,
    revoke_personal_link,
)
from players.links.services.secret_links import MOST_DAYS
from players.models import Club, LinkDevice, PersonalLink, Player
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused
from tournaments.corrections.admin.games_brought import called
from tournaments.events.admin.event_page import check_may
from tournaments.models import Entry, Tournament

_TERMS = ("days", "devices", "guardian")
_ENTERED = Entry.objects.filter(tournament=OuterRef("pk"))  # of events without end ladders alone have entries
_GROUP = 4  # letters, so that a secret can be typed


class TermsForm(forms.Form):
    """How long a link lasts, and on how many devices it opens."""

    days = forms.IntegerField(label=gettext_lazy("Days it lasts"), min_value=1, max_value=MOST_DAYS, initial=DAYS)
    devices = forms.IntegerField(
        label=gettext_lazy("Devices it opens on"), min_value=1, max_value=MOST_DEVICES, initial=1
    )


class LinkForm(TermsForm):
    """A link for one player."""

    guardian = forms.CharField(
        label=gettext_lazy("For whom, if not for the player"),
        max_length=LONGEST_WORD,
        required=False,
        help_text=gettext_lazy("Of a minor: who speaks for them, in a word, such as mother. Officers alone see it."),
    )
    address = forms.EmailField(
        label=gettext_lazy("Send it by e-mail to"),
        required=False,
        max_length=254,
        help_text=gettext_lazy(
            "Only an address that was confirmed for this player, and that you know to be theirs: anybody can ask for "
            "notices about anybody. Empty: the link is shown here, to be handed over."
        ),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    field_order = ("guardian", "days", "devices", "address")
    helper = one_button(gettext_lazy("Make the link"))


class SheetForm(TermsForm):
    """Links for everybody in an event who has none."""

    event = forms.ModelChoiceField(
        label=gettext_lazy("For everybody in"),
        queryset=Tournament.objects.filter(Q(open_ended=False) | Exists(_ENTERED), closed=False),
    )
    field_order = ("event", "days", "devices")
    helper = one_button(gettext_lazy("Make the links"))


@dataclass(frozen=True, slots=True)
class Printed:
    """A link as it is shown once: whose it is, its address as text and code; where to type the secret, in groups."""

    player: Player
    name: str
    link: PersonalLink
    where: str
    address: str
    picture: SafeString
    typed: str


@never_cache
def links(request: HttpRequest, key: int) -> HttpResponse:
    """The links of a player; posted to, one is made and shown, or something about one is changed. 409 where refused."""
    check_may(request, "players.change_player")
    player = get_object_or_404(Player, pk=key)
    form = LinkForm(request.POST if "days" in request.POST else None)
    made, problem = None, ""
    if request.method == "POST":
        try:
            if form.is_bound and form.is_valid() and form.cleaned_data["address"]:
                _send(request, player, form.cleaned_data)
                return redirect(request.path)
            if form.is_bound and form.is_valid():
                made = _made(request, player, **{name: form.cleaned_data[name] for name in _TERMS})
            elif not form.is_bound:
                messages.success(request, _carry_out(request, player))
                return redirect(request.path)
        except Refused as refusal:
            problem = str(refusal)
    title = _("Links of %(player)s") % {"player": called(player)}
    status = 409 if problem else 400 if form.is_bound and form.errors else 200
    context = {"player": player, "links": links_of(player), "form": form, "made": made, "problem": problem}
    return _page(request, "links", title, status, **context)


def _send(request: HttpRequest, player: Player, wish: dict[str, Any]) -> None:
    """Raises Refused."""
    send_personal_link(player, by=officer(request), site=site_of(request), **wish)
    messages.success(request, _("The link is sent. It is shown nowhere; if it does not arrive, take it back."))


def _made(request: HttpRequest, player: Player, *, days: int, devices: int, guardian: str = "") -> Printed:
    """Raises Refused."""
    terms = {"days": days, "devices": devices, "guardian": guardian}
    link, secret = make_personal_link(player.pk, by=officer(request), **terms)  # type: ignore[arg-type]
    where = request.build_absolute_uri(reverse("open-link"))
    address = f"{where}#{secret}"
    typed = "-".join(secret[at : at + _GROUP] for at in range(0, len(secret), _GROUP))
    return Printed(player, shown_name(player, OFFICER), link, where, address, qr_code(address), typed)


def _carry_out(request: HttpRequest, player: Player) -> str:
    """Take a link back, forget a device of one, or let one be opened once more. Raises Refused."""
    by = officer(request)
    if "revoke" in request.POST:
        revoke_personal_link(key_sent(request, "revoke", PersonalLink.objects.filter(belongs(player))), by=by)
        return _("The link is taken back: no device is known by it any more.")
    if "allow" in request.POST:
        allow_device(key_sent(request, "allow", PersonalLink.objects.filter(belongs(player))), by=by)
        return _("The link opens on one device more.")
    if "forget" in request.POST:
        forget_devices([key_sent(request, "forget", LinkDevice.objects.filter(belongs(player, "link__")))], by=by)
        return _("The device is not known any more.")
    raise Refused(_("Nothing was asked for: use one of the buttons."))


@never_cache
def sheet(request: HttpRequest) -> HttpResponse:
    """The form; posted to, the slips of all links that were made, to be printed now: they are shown this once."""
    check_may(request, "players.change_player")
    form = SheetForm(request.POST if request.method == "POST" else None)
    made: list[Printed] = []
    problem = ""
    if form.is_valid():
        event, terms = form.cleaned_data["event"], {name: form.cleaned_data[name] for name in ("days", "devices")}
        entries = Entry.objects.filter(tournament=event, withdrawn=False)
        own = Q(entries__in=entries) | Q(entry_members__entry__in=entries)
        lacking = [each for each in Player.objects.filter(own).distinct() if each.name]
        have = have_links(each.pk for each in lacking)
        try:
            made = [_made(request, each, **terms) for each in lacking if each.pk not in have]
            problem = "" if made else _("Everybody in this event has a link that holds.")
        except Refused as refusal:
            problem = str(refusal)
    status = 409 if problem else 400 if form.is_bound and form.errors else 200
    return _page(request, "link_sheet", _("Personal links to print"), status, form=form, made=made, problem=problem)


def _page(request: HttpRequest, template: str, title: str, status: int, **context: Any) -> HttpResponse:
    is_on = Club.objects.filter(personal_links=True).exists()
    return admin_page(request, f"admin/players/player/{template}.html", title, status=status, is_on=is_on, **context)
