"""Notices about a player, switched on and off: `/mine/notices/?player=17` on a device, where the club has a key;
`/mine/mail/?player=17` by e-mail, where it has a mail server.

Kinds of news that the public does not see are offered on a device that a personal link made known as the player's.

By e-mail the page sends one letter, whoever's address it is, and says the same whether it is known here. The link in it
(`/mine/mail/<key>/`) changes nothing by being opened, since mail scanners open links too; nor does the one that ends
news of one kind (`/mine/mail/off/<link>/`).
"""

from http import HTTPStatus
from typing import Any

from django import forms
from django.conf import settings
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.module_loading import import_string
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters

from clubrating.ground.numbers import number_in
from clubrating.ops.limits import too_many
from clubrating.site.notices.kinds import KIND_OF, KINDS
from clubrating.site.notices.services import ask_reader
from clubrating.web.forms import one_button
from clubrating.web.links import own_devices
from clubrating.web.rate_limits import RateLimit, address_of
from clubrating.web.requests import ClubRequest, site_of
from players.links.selectors import player_of
from players.models import MailSubscription, Player
from players.notices.services.due import shown_to_be
from players.notices.services.readers import (
    NewMailSubscription,
    NewSubscription,
    ask_for_mail,
    confirm_mail,
    is_push_service,
    kinds_of,
    mail_kind,
    mail_subscription,
    stop_mail,
    subscribe,
    unsubscribe,
    without_kind,
)
from players.people.selectors import visible_players
from players.privacy.rules import NOBODY
from players.refusals import Refused

Choice = tuple[str, Promise]
# A hall of two hundred behind one address, within an hour.
SUBSCRIBING = RateLimit("subscribing", 200, 3600)
# Each may be a letter to somebody who knows nothing of it.
ASKING = RateLimit("asking-for-mail", 20, 3600)


def notices(request: ClubRequest) -> HttpResponse:
    """The page; posted to by its script (`static/js/notices.js`), answered with a sentence."""
    if not settings.PUSH_KEY:
        raise Http404
    if request.method == "POST":
        return _post(request)
    player = _player(request.GET.get("player", ""))
    is_known = bool(player and _device(request, player))
    key = import_string(settings.PUSH_PUBLIC_KEY)(settings.PUSH_KEY)
    context = {"player": player, "kinds": kinds_for(is_known=is_known), "is_known": is_known, "key": key}
    return _for_one(render(request, "mine/notices.html", context))


def kinds_for(*, is_known: bool) -> list[Choice]:
    """What may be chosen, with its words; some of it on a device that is known as the player's only."""
    return [(kind.key, kind.words) for kind in KINDS if is_known or not kind.is_private]


def _device(request: ClubRequest, player: Player) -> str:
    """The digest of this device where it is known as that player's; else empty."""
    devices = own_devices(request)
    return next((device.digest for device in devices if player_of(device).pk == player.pk), "")


def _for_one(response: HttpResponse) -> HttpResponse:
    """The answer, which is one reader's: stored by nobody, found by no search."""
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _player(text: str) -> Player | None:
    number = number_in(text)
    return visible_players({number}, NOBODY).get(number)


def _post(request: ClubRequest) -> HttpResponse:
    who, sent = address_of(request), request.POST
    if SUBSCRIBING.is_exceeded_by(who):
        said = _("From your address notices were switched on and off often. Wait %(seconds)s seconds, then try again.")
        return too_many(_("Too often"), said, SUBSCRIBING.seconds)
    SUBSCRIBING.count(who)
    if "off" in sent:
        if is_push_service(endpoint := sent.get("endpoint", "")):
            unsubscribe(endpoint)
        return JsonResponse({"said": _("Notices are off on this device.")})
    player = _player(sent.get("player", ""))
    try:
        if player is None:
            raise Refused(_("There are no notices about whoever has no public page."))
        given = {name: sent.get(name, "") for name in ("endpoint", "p256dh", "auth")}
        device = _device(request, player)
        kinds = {key for key, _words in kinds_for(is_known=bool(device))} & set(sent.getlist("kind"))
        language = get_language() or ""
        subscribe(player, NewSubscription(**given, language=language, kinds=frozenset(kinds), device=device))
    except Refused as refusal:
        return JsonResponse({"said": str(refusal)}, status=400)
    return JsonResponse({"said": _("Notices are on on this device.")})


# --- by e-mail -------------------------------------------------------------------------------------------------------
class KindsForm(forms.Form):
    """What is wanted, and how often, by the owner of an address."""

    kind = forms.MultipleChoiceField(label=gettext_lazy("Tell me when"), widget=forms.CheckboxSelectMultiple)
    often = forms.ChoiceField(
        label=gettext_lazy("How often"),
        choices=(("now", gettext_lazy("at once")), ("daily", gettext_lazy("once a day, all in one letter"))),
        initial="now",
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Once a day, what is over by then is left out."),
    )

    def __init__(self, data: Any = None, *, is_known: bool, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        choices = kinds_for(is_known=is_known)
        self.fields["kind"].choices = choices  # type: ignore[attr-defined]
        self.fields["kind"].initial = [key for key, _words in choices]

    @property
    def chosen(self) -> frozenset[str]:
        return frozenset(self.cleaned_data["kind"])

    @property
    def is_daily(self) -> bool:
        return bool(self.cleaned_data["often"] == "daily")


class AskForm(KindsForm):
    """What is wanted, and where."""

    address = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email", "size": 32}),
    )
    field_order = ("address", "kind", "often")

    @property
    def helper(self) -> Any:
        return one_button(_("Send me the letter"), css_class="primary")


@sensitive_post_parameters()
def mail(request: ClubRequest) -> HttpResponse:
    """Anybody asks for letters; one goes to the address, which has to be confirmed with it."""
    player = _player(request.GET.get("player", ""))
    if not settings.MAIL or player is None:
        raise Http404
    device = _device(request, player)
    who, form = address_of(request), AskForm(request.POST or None, is_known=bool(device))
    is_sent = False
    if request.method == "POST" and form.is_valid():
        if ASKING.is_exceeded_by(who):
            said = _("From your address letters were asked for often. Wait %(seconds)s seconds, then try again.")
            return too_many(_("Too often"), said, ASKING.seconds)
        ASKING.count(who)
        is_sent = _ask(request, player, form, device)
    context = {"player": player, "form": form, "is_sent": is_sent, "is_known": bool(device)}
    status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    return _for_one(render(request, "mine/mail.html", context, status=status))


def _ask(request: ClubRequest, player: Player, form: AskForm, device: str) -> bool:
    """Whether it was noted; else the form says why not."""
    address, language = form.cleaned_data["address"], get_language() or ""
    new = NewMailSubscription(address, language, site_of(request), form.chosen, form.is_daily, device)
    try:
        key = ask_for_mail(player, new)
    except Refused as refusal:
        form.add_error("address", str(refusal))
        return False
    if key is not None:
        ask_reader.enqueue(key, 1)
    return True


# Whoever has the link may use it, from a mail program too (RFC 8058), which has no cookie.
@csrf_exempt
def mail_link(request: ClubRequest, key: str) -> HttpResponse:
    """The link in every letter: confirms, changes what is wanted, stops."""
    row = mail_subscription(key) if settings.MAIL else None
    return _for_letter(_page_of_link(request, row))


def _for_letter(page: HttpResponse) -> HttpResponse:
    """The answer to a link in a letter: no other page learns the link. A page whose form carries a token could not be
    sent so: browsers then say that it comes from nowhere."""
    response = _for_one(page)
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


@csrf_exempt
def mail_kind_link(request: ClubRequest, link: str) -> HttpResponse:
    """The link in every letter that ends news of its kind: one button, no cookie; opened, it changes nothing."""
    row, key = (mail_kind(link) if settings.MAIL else None) or (None, "")
    kind = KIND_OF.get(key)
    if row is None or kind is None:
        gone = render(request, "mine/mail_link.html", {"is_gone": True}, status=HTTPStatus.GONE)
        return _for_letter(gone)
    if request.method == "POST":
        without_kind(row, kind.key)
    is_off = request.method == "POST" or kind.key not in kinds_of(row)
    player = row.player.kept
    return _for_letter(render(request, "mine/mail_kind.html", {"player": player, "kind": kind, "is_off": is_off}))


def _page_of_link(request: ClubRequest, row: MailSubscription | None) -> HttpResponse:
    if row is None:
        return render(request, "mine/mail_link.html", {"is_gone": True}, status=HTTPStatus.GONE)
    is_known = bool(shown_to_be([row]))
    initial = {"kind": sorted(kinds_of(row)), "often": "daily" if row.daily else "now"}
    form = KindsForm(request.POST or None, is_known=is_known, initial=initial)
    said = _carried_out(request, row, form) if request.method == "POST" else ""
    player = row.player.kept
    context = {"row": row, "player": player, "form": form, "said": said, "is_known": is_known}
    status = HTTPStatus.BAD_REQUEST if form.is_bound and not said else HTTPStatus.OK
    return render(request, "mine/mail_link.html", context, status=status)


def _carried_out(request: ClubRequest, row: MailSubscription, form: KindsForm) -> str:
    """What was done, for the page; empty where nothing was."""
    if "stop" in request.POST or "List-Unsubscribe" in request.POST:
        stop_mail(row)
        return "stopped"
    if not form.is_valid():
        return ""
    confirm_mail(row, form.chosen, daily=form.is_daily, language=get_language() or "")
    return "confirmed"
