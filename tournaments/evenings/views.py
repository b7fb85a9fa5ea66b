"""`/tournaments/<slug>/here/<code>/`: the code at the door leads here. A device known by a personal link says with one
button that its player is here, or goes. The code of another evening says so; nothing is lost by scanning it."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clubrating.web.links import key_of, own_players
from clubrating.web.rate_limits import RateLimit
from clubrating.web.requests import ClubRequest
from players.models import Player
from players.refusals import Refused
from tournaments.evenings.selectors import evening_at, here_at
from tournaments.evenings.services import arrive, leave
from tournaments.models import Evening

LIMIT = RateLimit("evening", 40, 600)


@never_cache
def here(request: ClubRequest, slug: str, code: str) -> HttpResponse:
    """The page. 404 for a code that never was, 410 for one whose evening is over, 403 from a device that is not known,
    409 where it is refused, 429 where one device sends too much."""
    evening = evening_at(slug, code)
    if evening is None or not request.club.personal_links:
        raise Http404
    over = evening.ends_at <= timezone.now() or evening.tournament.closed
    players, problem, status = own_players(request), "", 410 if over else 200
    if request.method == "POST" and not over and players and LIMIT.is_exceeded_by(key_of(request)):
        problem, status = _("Much came from this device just now: try again in ten minutes."), 429
    elif request.method == "POST" and not over:
        try:
            messages.success(request, _carry_out(request, evening, players))
            return redirect(request.path)
        except Refused as refusal:
            problem, status = str(refusal), 409 if players else 403
    since = {arrival.player_id: arrival.at for arrival in here_at(evening)} if players and not over else {}
    context = {
        "tournament": evening.tournament,
        "evening": evening,
        "is_over": over,
        "people": [(player, since.get(player.pk)) for player in players],
        "problem": problem,
    }
    return render(request, "tournaments/here.html", context, status=status)


def _carry_out(request: ClubRequest, evening: Evening, players: list[Player]) -> str:
    """Raises Refused, also for somebody whom this device does not speak for."""
    going = "going" in request.POST
    text = request.POST.get("going" if going else "here", "")
    player = next((each for each in players if str(each.number) == text), None)
    if player is None:
        raise Refused(_("This device is not known as that player’s: open your personal link on it first."))
    LIMIT.count(key_of(request))
    if going:
        leave(evening.pk, player)
        return _("You are checked out. Good night!")
    arrive(evening.pk, player)
    return _("You are checked in. Your board comes under “My board” when it is set.")
