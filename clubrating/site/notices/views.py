"""Notices about a player, switched on and off: `/mine/notices/?player=17` on a device, where the club has a key;
`/mine/mail/?player=17` by e-mail, where it has a mail server.

By e-mail the page sends one letter, whoever's address it is, and says the same whether it is known here. The link in it
(`/mine/mail/<key>/`) changes nothing by being opened, since mail scanners open links too.
"""

from http import HTTPStatus
from typing import Any

from django import forms
from django.conf import settings
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.module_loading import import_string
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters

from clubrating.ops.limits import too_many
from clubrating.site.notices.services import send_letter
from clubrating.web.forms import one_button
from clubrating.web.rate_limits import RateLimit, address_of
from clubrating.web.requests import ClubRequest, site_of
from players.models import MailSubscription, Player, Subscription
from players.notices.services import (
    KINDS,
    NewMailSubscription,
    NewSubscription,
    ask_for_mail,
    confirm_mail,
    is_push_service,
    mail_subscription,
    stop_mail,
    subscribe,
    unsubscribe,
)
from players.people.selectors import visible_players
from players.privacy.rules import NOBODY
from players.refusals import Refused

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
    fields = [(words, kind) for kind, words in _kinds()]
    key = import_string(settings.PUSH_PUBLIC_KEY)(settings.PUSH_KEY)
    response = render(request, "mine/notices.html", {"player": player, "kinds": fields, "key": key})
    return _for_one(response)


def _kinds() -> list[tuple[str, Any]]:
    return [(kind, Subscription._meta.get_field(kind).verbose_name) for kind in KINDS]  # type: ignore[union-attr]


def _for_one(response: HttpResponse) -> HttpResponse:
    """The answer, which is one reader's: stored by nobody, found by no search."""
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _player(text: str) -> Player | None:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
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
        subscribe(
            player, NewSubscription(**given, language=get_language() or "", kinds=frozenset(sent.getlist("kind")))
        )
    except Refused as refusal:
        return JsonResponse({"said": str(refusal)}, status=400)
    return JsonResponse({"said": _("Notices are on on this device.")})


# --- by e-mail -------------------------------------------------------------------------------------------------------
class KindsForm(forms.Form):
    """What is wanted, by the owner of an address."""

    kind = forms.MultipleChoiceField(
        label=gettext_lazy("Tell me when"), choices=_kinds, initial=KINDS, widget=forms.CheckboxSelectMultiple
    )


class AskForm(KindsForm):
    """What is wanted, and where."""

    address = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email", "size": 32}),
    )
    field_order = ("address", "kind")

    @property
    def helper(self) -> Any:
        return one_button(_("Send me the letter"), css_class="primary")


@sensitive_post_parameters()
def mail(request: ClubRequest) -> HttpResponse:
    """Anybody asks for letters; one goes to the address, which has to be confirmed with it."""
    player = _player(request.GET.get("player", ""))
    if not settings.MAIL or player is None:
        raise Http404
    who, form = address_of(request), AskForm(request.POST or None)
    is_sent = False
    if request.method == "POST" and form.is_valid():
        if ASKING.is_exceeded_by(who):
            said = _("From your address letters were asked for often. Wait %(seconds)s seconds, then try again.")
            return too_many(_("Too often"), said, ASKING.seconds)
        ASKING.count(who)
        is_sent = _ask(request, player, form)
    context = {"player": player, "form": form, "is_sent": is_sent}
    status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    return _for_one(render(request, "mine/mail.html", context, status=status))


def _ask(request: ClubRequest, player: Player, form: AskForm) -> bool:
    """Whether it was noted; else the form says why not."""
    address, kinds = form.cleaned_data["address"], frozenset(form.cleaned_data["kind"])
    new = NewMailSubscription(address, language=get_language() or "", site=site_of(request), kinds=kinds)
    try:
        key = ask_for_mail(player, new)
    except Refused as refusal:
        form.add_error("address", str(refusal))
        return False
    if key is not None:
        send_letter.enqueue(key, None, 1)
    return True


# Whoever has the link may use it, from a mail program too (RFC 8058), which has no cookie.
@csrf_exempt
def mail_link(request: ClubRequest, key: str) -> HttpResponse:
    """The link in every letter: confirms, changes what is wanted, stops."""
    row = mail_subscription(key) if settings.MAIL else None
    response = _for_one(_page_of_link(request, row))
    # No other page learns the link. A page whose form carries a token could not be sent so: browsers then say that it
    # comes from nowhere.
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _page_of_link(request: ClubRequest, row: MailSubscription | None) -> HttpResponse:
    if row is None:
        return render(request, "mine/mail_link.html", {"is_gone": True}, status=HTTPStatus.GONE)
    form = KindsForm(request.POST or None, initial={"kind": [kind for kind in KINDS if getattr(row, kind)]})
    said = _carried_out(request, row, form) if request.method == "POST" else ""
    player = row.player.merged_into or row.player
    context = {"row": row, "player": player, "form": form, "said": said}
    status = HTTPStatus.BAD_REQUEST if form.is_bound and not said else HTTPStatus.OK
    return render(request, "mine/mail_link.html", context, status=status)


def _carried_out(request: ClubRequest, row: MailSubscription, form: KindsForm) -> str:
    """What was done, for the page; empty where nothing was."""
    if "stop" in request.POST or "List-Unsubscribe" in request.POST:
        stop_mail(row)
        return "stopped"
    if not form.is_valid():
        return ""
    confirm_mail(row, form.cleaned_data["kind"])
    return "confirmed"
