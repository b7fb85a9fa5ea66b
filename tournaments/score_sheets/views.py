"""`/tournaments/<slug>/games/<key>/sheets/`: a photo of a score sheet sent or deleted, from a board's page; and the
photo itself, for the event's officers and the two players alone."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from clubrating.web.links import key_of, own_players
from clubrating.web.rate_limits import RateLimit
from clubrating.web.requests import ClubRequest, number_sent
from players.models import Player
from players.refusals import Refused
from tournaments.events.selectors.officers import may_enter
from tournaments.models import Game, ScoreSheet
from tournaments.player_results.views import board_at, board_page
from tournaments.score_sheets.selectors import reader_of
from tournaments.score_sheets.services import add_score_sheet, delete_score_sheet

# Of one device or officer: each takes a second to draw anew.
LIMIT = RateLimit("score-sheet", 20, 600)


@require_POST
def sheets(request: ClubRequest, slug: str, key: int) -> HttpResponse:
    """Add or delete a photo, then back to the board. 409 where it is refused, 403 for somebody unknown here, 429 where
    one device sends too many."""
    game, players = board_at(slug, key), own_players(request)
    officer = request.user if isinstance(request.user, User) and may_enter(request.user, game.tournament) else None
    who = f"user-{officer.pk}" if officer else key_of(request)
    if not players and officer is None:
        return board_page(request, game, players, _("This device is not known here: open your personal link."), 403)
    if LIMIT.is_exceeded_by(who):
        return board_page(
            request, game, players, _("Much came from this device just now: try again in ten minutes."), 429
        )
    LIMIT.count(who)
    try:
        messages.success(request, _carry_out(request, game, players, officer))
    except Refused as refusal:
        return board_page(request, game, players, str(refusal), 409)
    return redirect("tournaments:board", slug, key)


def _carry_out(request: ClubRequest, game: Game, players: list[Player], officer: User | None) -> str:
    """Do what was asked; the sentence for it. Raises Refused."""
    number = number_sent(request, "player")
    player = next((each.pk for each in players if each.number == number), None)
    as_officer = officer if player is None else None
    if player is None and as_officer is None:
        raise Refused(_("This device is not known as that player’s: open your personal link on it first."))
    if "sheet" in request.POST:
        own = ScoreSheet.objects.filter(game=game, pk=number_sent(request, "sheet")).values_list("pk", flat=True)
        delete_score_sheet(own.first() or 0, player=player, by=as_officer)
        return _("The photo is deleted.")
    photo = request.FILES.get("photo")
    if photo is None:
        raise Refused(_("No photo was chosen: take one, or choose one of this device."))
    add_score_sheet(game.pk, photo.read(), player=player, by=as_officer)
    return _("The photo is kept. Both players and the event’s officers see it, nobody else.")


@require_GET
def sheet(request: ClubRequest, slug: str, key: int, number: int) -> HttpResponse:
    """The picture. 404 for everybody who may not see it: nobody learns that there is one."""
    game = board_at(slug, key)
    row = ScoreSheet.objects.filter(game=game, pk=number).first() if number < 2**62 else None
    if row is None or not reader_of(game, request.user, own_players(request)).may_see:
        raise Http404
    headers = {
        "Cache-Control": "no-store, private",
        "Content-Disposition": "inline",
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    return HttpResponse(bytes(row.image), content_type="image/jpeg", headers=headers)
