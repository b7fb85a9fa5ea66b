"""`/mine/link/`: a personal link is opened here. Its secret stands behind the “#” of the address, which browsers send
to nobody; a script puts it into the form, and whoever has none types it from the paper. One button opens it, so what
looks at links beforehand (previews, scanners) opens nothing. `/mine/forget/`: this device is known no more.
"""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubrating.site.mine.passkey_views import ask_passkey, keep_question
from clubrating.web.links import forget_link, key_of, own_devices, remember_link
from clubrating.web.rate_limits import RateLimit, address_of
from clubrating.web.requests import ClubRequest
from players.links.services.personal_links import forget_devices, open_personal_link
from players.refusals import Refused

# Secrets are too long to be guessed; whoever tries is slowed down nevertheless.
TRIES = RateLimit("personal-link", 20, 600)


@never_cache
def open_link(request: ClubRequest) -> HttpResponse:
    """The page with one button. 404 for a link nobody was given, 409 for one that does not open, 429 after many."""
    problem, status = "", 200
    if request.method == "POST" and TRIES.is_exceeded_by(address_of(request)):
        problem, status = _("Many links were tried from here just now: wait ten minutes."), 429
    elif request.method == "POST":
        # A key that is known no more stays so: another device may have a copy of it.
        key = key_of(request) if own_devices(request) else ""
        try:
            found = open_personal_link(request.POST.get("secret", ""), key)
        except Refused as refusal:
            problem, status = str(refusal), 409
        else:
            if found is not None:
                messages.success(request, _("This device is known now."))
                return _known_from_now_on(found[1])
            TRIES.count(address_of(request))
            problem, status = _("This is no link of the club: look at the letters and digits again."), 404
    return _page(request, {"problem": problem}, status)


def _page(request: ClubRequest, context: dict[str, str], status: int) -> HttpResponse:
    """With the question for a passkey, where the site has them."""
    if not (settings.PASSKEY_SITE and request.club.personal_links):
        return render(request, "mine/link.html", context, status=status)
    options, question = ask_passkey()
    response = render(request, "mine/link.html", context | {"options": options}, status=status)
    keep_question(response, question)
    return response


def _known_from_now_on(key: str) -> HttpResponse:
    response = redirect("mine")
    remember_link(response, key)
    return response


@require_POST
def forget(request: ClubRequest) -> HttpResponse:
    """Forget one link on this device, or all of them. Nobody else's device is touched."""
    devices = own_devices(request)
    asked = request.POST.get("device", "")
    going = [device.pk for device in devices if asked in ("", str(device.pk))]
    forget_devices(going, by=None)
    messages.success(request, _("This device is not known any more."))
    response = redirect("mine")
    if len(going) == len(devices):
        forget_link(response)
    return response
