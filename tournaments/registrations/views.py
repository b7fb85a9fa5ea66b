"""`/tournaments/<slug>/enter/`: somebody enters an event by himself; `…/enter/<secret>/`: confirms, or withdraws.

No account. Whom the page offers by name is whoever its reader may see by name; everybody else types a name, which
officers alone read. Opening a link changes nothing, since mail scanners open links too.
"""

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters

from clubrating.web.forms import TRAP, asked_for
from clubrating.web.rate_limits import RateLimit, address_of, network_of
from clubrating.web.requests import ClubRequest, site_of
from players.privacy.rules import Level
from players.refusals import Refused
from tournaments.models import EntryRequest, Tournament
from tournaments.registrations.forms import (
    EntryForm,
    check_stamp,
    is_sent_twice,
    may_be_sent_again,
    new_stamp,
)
from tournaments.registrations.selectors import Offer, offer_of, offered, offered_player, rules_of
from tournaments.registrations.services.queue import has_begun, place_in_list, rounds_in
from tournaments.registrations.services.requests import (
    ask_for_entry,
    confirm_entry,
    forget_address,
    request_of,
    withdraw_request,
)

# A whole school may sit behind one address.
LIMIT = RateLimit("entering", 30, 600)
# Secrets are too long to be guessed; whoever tries is slowed down nevertheless.
LINKS = RateLimit("entry-link", 30, 600)
VISITOR = "visitor"
_State = EntryRequest.State


@never_cache
@sensitive_post_parameters()
def enter(request: ClubRequest, slug: str) -> HttpResponse:
    """How entries stand, whom one may choose, and the form. 409 where it is refused, with everything still in it; 429
    where too many came from one address lately."""
    tournament = get_object_or_404(Tournament, slug=slug)
    rules = rules_of(tournament)
    if rules is None:
        raise Http404
    number = (request.POST if request.method == "POST" else request.GET).get("player", "")
    player, offer = offered_player(request.viewer, number), offer_of(rules)
    form = EntryForm(request.POST if request.method == "POST" else None, rules=rules, player=player)
    problem, status = "", 200
    if request.method == "POST":
        if request.POST.get(TRAP):
            return redirect(f"{request.path}?sent=1")  # as if it was taken
        if LIMIT.is_exceeded_by(address_of(request)):
            problem, status = _("Many entries came from here just now: try again in ten minutes."), 429
        elif number and player is None:
            problem, status = _("This player cannot be chosen here: choose again, or write your name."), 409
        elif not form.is_valid():
            status = HTTPStatus.BAD_REQUEST
        else:
            try:
                return _ask(request, tournament, form)
            except Refused as refusal:
                problem, status = str(refusal), 409
    return render(
        request, "tournaments/registrations/enter.html", _context(request, offer, form, problem), status=status
    )


def _context(request: ClubRequest, offer: Offer, form: EntryForm, problem: str) -> dict[str, Any]:
    search = asked_for(request)
    stamp = request.POST.get("stamp", "")
    try:
        check_stamp(stamp)
    except Refused:
        stamp = new_stamp()
    return {
        "tournament": offer.rules.tournament,
        "offer": offer,
        "rules": offer.rules,
        "form": form,
        "player": form.player,
        "search": search,
        "people": offered(request.viewer, search) if search and not form.player else [],
        "stamp": stamp,
        "trap": TRAP,
        "problem": problem,
        "is_sent": "sent" in request.GET,
        "by_mail": bool(settings.MAIL),
    }


def _ask(request: ClubRequest, tournament: Tournament, form: EntryForm) -> HttpResponse:
    """Send it; a form that was taken already is answered as the first time. Raises Refused."""
    own = check_stamp(request.POST.get("stamp", ""))
    sent = f"{request.path}?sent=1"
    if is_sent_twice(own):
        return redirect(sent)
    LIMIT.count(address_of(request))
    wish = form.wish(language=get_language() or "", site=site_of(request), source=network_of(request))
    try:
        _row, secret = ask_for_entry(tournament, wish, role=_role(request))
    except Refused:
        may_be_sent_again(own)
        raise
    return redirect("tournaments:own-entry", tournament.slug, secret) if secret else redirect(sent)


def _role(request: ClubRequest) -> str:
    """For the audit trail: a request names nobody, not even the officer who happens to send one."""
    level = request.viewer.level
    return VISITOR if level == Level.NOBODY else level.name.lower()


# Whoever has the link may use it, from a mail program too (RFC 8058), which has no cookie.
@csrf_exempt
@never_cache
def own_entry(request: ClubRequest, slug: str, secret: str) -> HttpResponse:
    """The page of one request, by its link: confirm, see how it stands, withdraw. 410 for a link that ended."""
    response = _own_page(request, slug, secret)
    response.headers["X-Robots-Tag"] = "noindex"
    response.headers["Cache-Control"] = "private, no-store"
    # No other page learns the link. A page whose form carries a token could not be sent so: browsers then say that it
    # comes from nowhere.
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _own_page(request: ClubRequest, slug: str, secret: str) -> HttpResponse:
    address = address_of(request)
    if LINKS.is_exceeded_by(address):
        context = {"too_many": True, "slug": slug}
        return render(request, "tournaments/registrations/no_link.html", context, status=429)
    row = request_of(slug, secret)
    if row is None:
        LINKS.count(address)
        return render(request, "tournaments/registrations/no_link.html", {"slug": slug}, status=HTTPStatus.GONE)
    problem = ""
    if request.method == "POST":
        try:
            return _carry_out(request, row, secret)
        except Refused as refusal:
            problem = str(refusal)
    rules = rules_of(row.tournament)
    can_leave = row.state in (_State.WAITING, _State.LISTED, _State.ENTERED)
    context = {
        "row": row,
        "tournament": row.tournament,
        "rules": rules,
        "place": place_in_list(row) if row.state == _State.LISTED else None,
        "byes": rounds_in(row.byes),
        "can_leave": can_leave and not (row.entry_id and has_begun(row.tournament)),
        "problem": problem,
    }
    return render(request, "tournaments/registrations/own_entry.html", context, status=409 if problem else 200)


def _carry_out(request: ClubRequest, row: EntryRequest, secret: str) -> HttpResponse:
    """Do what was asked. Raises Refused."""
    page = reverse("tournaments:own-entry", args=[row.tournament.slug, secret])
    if "List-Unsubscribe" in request.POST:
        forget_address(row.pk)
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    if "confirm" in request.POST:
        _row, fresh = confirm_entry(row.pk, role=_role(request))
        return redirect("tournaments:own-entry", row.tournament.slug, fresh)
    if "withdraw" in request.POST:
        withdraw_request(row.pk, role=_role(request))
        messages.success(request, _("The entry is withdrawn."))
    return redirect(page)
