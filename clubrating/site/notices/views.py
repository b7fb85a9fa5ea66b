"""`/mine/notices/?player=17`: a browser switches notices about a player on and off. Only where the club has a key."""

from django.conf import settings
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.module_loading import import_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubrating.ops.limits import too_many
from clubrating.web.rate_limits import RateLimit, address_of
from clubrating.web.requests import ClubRequest
from players.models import Player, Subscription
from players.notices.services import KINDS, NewSubscription, is_push_service, subscribe, unsubscribe
from players.people.selectors import visible_players
from players.privacy.rules import NOBODY
from players.refusals import Refused

# A hall of two hundred behind one address, within an hour.
SUBSCRIBING = RateLimit("subscribing", 200, 3600)


def notices(request: ClubRequest) -> HttpResponse:
    """The page; posted to by its script (`static/js/notices.js`), answered with a sentence."""
    if not settings.PUSH_KEY:
        raise Http404
    if request.method == "POST":
        return _post(request)
    player = _player(request.GET.get("player", ""))
    fields = [(Subscription._meta.get_field(kind).verbose_name, kind) for kind in KINDS]  # type: ignore[union-attr]
    key = import_string(settings.PUSH_PUBLIC_KEY)(settings.PUSH_KEY)
    response = render(request, "mine/notices.html", {"player": player, "kinds": fields, "key": key})
    response.headers["Cache-Control"] = "private, no-store"
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
