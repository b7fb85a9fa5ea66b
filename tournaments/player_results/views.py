"""`/tournaments/<slug>/games/<key>/`: one board. A device known by a personal link of one of its players says here what
happened; everybody else sees who plays and the result. Nothing on the page lets anybody in, so slips may lead here.
"""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _

from clubrating.web.links import key_of, own_players
from clubrating.web.rate_limits import RateLimit
from clubrating.web.requests import ClubRequest, number_sent
from players.models import Player
from players.privacy.rules import Viewer
from players.refusals import Refused
from tournaments.models import Game
from tournaments.player_results.selectors import OwnSide, own_side
from tournaments.player_results.services import CLAIMS, STILL_OPEN, Said, report_own_result, why_closed
from tournaments.result_reports.selectors import game_to_report
from tournaments.result_reports.services import is_public
from tournaments.results.services.results import notation
from tournaments.results.words import result_words
from tournaments.score_sheets.selectors import sheets_for
from tournaments.standings.points import Result

# Of one device: more than a phone sends again in an evening without a line.
LIMIT = RateLimit("player-result", 60, 600)


@dataclass(frozen=True, slots=True)
class Choice:
    """A button: the code it sends, what it says, and whether the opponent said the same."""

    code: str
    words: str
    is_other: bool


@dataclass(frozen=True, slots=True)
class SideShown:
    """A board for one of its players who is known here: what was said, as written, and what can be said."""

    game: Game
    player: Player
    side: OwnSide
    own: str
    other: str
    before: str
    choices: tuple[Choice, ...]


def board(request: ClubRequest, slug: str, key: int) -> HttpResponse:
    """The board, and what was said of it. 409 where a report is refused, 403 from a device that is not known, 429 where
    one device sends too many."""
    game = board_at(slug, key)
    players, problem, status = own_players(request), "", 200
    if request.method == "POST" and players and LIMIT.is_exceeded_by(key_of(request)):
        problem, status = _("Much came from this device just now: try again in ten minutes."), 429
    elif request.method == "POST":
        try:
            return _carry_out(request, game, players)
        except Refused as refusal:
            problem, status = str(refusal), 409 if players else 403
            game = game_to_report(slug, key) or game  # as it stands now
    return board_page(request, game, players, problem, status)


def board_at(slug: str, key: int) -> Game:
    """The board with that game's key, as the public sees it. Raises Http404."""
    game = game_to_report(slug, key)
    if game is None or not is_public(game) or (game.pairing.round is None and not game.tournament.open_ended):
        raise Http404
    return game


def board_page(request: ClubRequest, game: Game, players: list[Player], problem: str, status: int) -> HttpResponse:
    """The page of a board, for a device that speaks for these players."""
    context = {
        "game": game,
        "tournament": game.tournament,
        "round": game.pairing.round,
        "result": notation(game.result),
        "is_open": game.result in STILL_OPEN,
        "sides": sides_shown(game, players, request.viewer),
        "is_known": bool(players),
        "reports": bool(game.tournament.player_results) and request.club.personal_links,
        "sheets": sheets_for(game, request.user, players),
        "problem": problem,
    }
    answer = render(request, "tournaments/board.html", context, status=status)
    add_never_cache_headers(answer)
    return answer


def _carry_out(request: ClubRequest, game: Game, players: list[Player]) -> HttpResponse:
    """Note what was said. Raises Refused, also for somebody whom this device does not speak for."""
    number, revision = number_sent(request, "player"), number_sent(request, "revision")
    player = next((each for each in players if each.number == number), None)
    if player is None:
        raise Refused(_("This device is not known as that player’s: open your personal link on it first."))
    LIMIT.count(key_of(request))
    said = report_own_result(game.pk, player.pk, request.POST.get("claimed", ""), revision=revision)
    messages.success(request, _words(said))
    return redirect(request.path)


def _words(said: Said) -> str:
    return {
        Said.WAITS: _("Noted. It counts when your opponent says the same."),
        Said.AGREED: _("You both say the same. An arbiter enters it."),
        Said.ENTERED: _("The result is entered."),
        Said.DISPUTED: _("Your opponent says otherwise. The arbiter decides."),
    }[said]


def sides_shown(game: Game, players: list[Player], viewer: Viewer) -> list[SideShown]:
    """The board for each of these players who sits on it."""
    may = not why_closed(game) and game.result in STILL_OPEN
    found = [(player, side) for player in players if (side := own_side(game, player.pk))]
    return [_side_shown(game, player, side, viewer, may=may) for player, side in found]


def _side_shown(game: Game, player: Player, side: OwnSide, viewer: Viewer, *, may: bool) -> SideShown:
    own, other, before = (notation(each.claimed) if each else "" for each in (side.own, side.other, side.before))
    words = result_words(game.white, game.black, viewer)
    claimed = side.other.claimed if side.other else ""
    # Nobody says of himself that he did not come: the other side does.
    never = Result.WHITE_FORFEITS if side.is_white else Result.BLACK_FORFEITS
    codes = [code for code in CLAIMS if code != never or code == claimed]
    if not may or side.own is not None:
        return SideShown(game, player, side, own, other, before, ())
    first = sorted(codes, key=lambda code: code != claimed)
    choices = (Choice(code.value, _choice_words(code, side, words), code == claimed) for code in first)
    return SideShown(game, player, side, own, other, before, tuple(choices))


def _choice_words(code: Result, side: OwnSide, words: dict[Result, str]) -> str:
    won, lost = (Result.WHITE_WINS, Result.BLACK_WINS) if side.is_white else (Result.BLACK_WINS, Result.WHITE_WINS)
    own = {won: _("I won"), Result.DRAW: _("Draw"), lost: _("I lost")}
    return own.get(code, words[code])
