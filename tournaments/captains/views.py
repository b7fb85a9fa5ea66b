"""`/captain/`: what captains and officers of clubs do for their own teams, without the administration.

`/captain/link/<secret>/` is the link an arbiter hands out: it lets this browser act for one team. Who signs in as an
officer of a club acts for the club's teams. Nobody sees or changes anything of another team's that is not public yet.
"""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubrating.ground.numbers import whole_number
from clubrating.web.rate_limits import RateLimit, address_of
from clubrating.web.requests import ClubRequest
from players.privacy.rules import MEMBER, shown_name
from players.refusals import Refused, listed
from tournaments.captains.selectors import acting_teams, clubs_of, link_of, matches_of
from tournaments.captains.services import (
    CAPTAIN,
    RESULTS,
    captain_hands_in,
    captain_opens,
    card_revision,
    closes_on,
    confirm_card,
    disputes,
    enter_card,
)
from tournaments.captains.sign_in import for_captains
from tournaments.models import LineUp, Team, TeamMatch, TeamPlayer, TeamRules
from tournaments.results.services.results import notation
from tournaments.results.words import result_words
from tournaments.standings.points import Result
from tournaments.teams.selectors.checklist import due_at
from tournaments.teams.selectors.eligibility import order_of_list
from tournaments.teams.selectors.facts import BoardFacts, MatchFacts, team_facts
from tournaments.teams.selectors.lists import on_the_list
from tournaments.teams.services.handing_in import LineUpRefused, asks_consent, consent, other_consents, words

SESSION_KEY = "captain_links"
# Secrets are too long to be guessed; whoever tries is slowed down nevertheless.
TRIES = RateLimit("captain-link", 20, 600)


@never_cache
def enter(request: ClubRequest, secret: str) -> HttpResponse:
    """Take a link and go on to its team. 404 for one that does not hold, with what to do; 429 after many of them."""
    link, address = link_of(secret), address_of(request)
    if link is None and TRIES.is_exceeded_by(address):
        return render(request, "captains/no_link.html", {"too_many": True}, status=429)
    if link is None:
        TRIES.count(address)
        return render(request, "captains/no_link.html", status=404)
    request.session.cycle_key()
    request.session[SESSION_KEY] = sorted({*request.session.get(SESSION_KEY, []), link.pk})
    return redirect("captains:home")


@for_captains
def home(request: ClubRequest) -> HttpResponse:
    """The teams one acts for and their matches; officers of a club have it without a team too. 403 with what to do for
    everybody else."""
    teams, clubs = _teams(request), clubs_of(request.user)
    if not teams and not clubs:
        return render(request, "captains/no_link.html", status=403)
    own = {team.pk for team in teams}
    rows = [(match, _own_side(match, own)) for match in matches_of(teams)]
    by_link = bool(request.session.get(SESSION_KEY))
    lists = acting_teams((), request.user)
    context = {"teams": teams, "clubs": clubs, "matches": rows, "by_link": by_link, "lists": lists}
    return render(request, "captains/home.html", context)


@require_POST
def leave(request: ClubRequest) -> HttpResponse:
    """Forget the links on this device."""
    request.session.pop(SESSION_KEY, None)
    messages.success(request, _("This device acts for no team any more."))
    return redirect("home")


@for_captains
def match(request: ClubRequest, key: int, team: int) -> HttpResponse:
    """One match from one side: the line-up until the boards are made, then the card. 404 for another side's; 409 where
    it is refused, with what was chosen."""
    side, row = side_or_404(request, key, team)
    problem, status, breaks = "", 200, {}
    if request.method == "POST":
        try:
            return _carry_out(request, row, side)
        except LineUpRefused as refusal:
            status, breaks = 409, {"sentences": _sentences(refusal, row, side), "may_waive": refusal.may_waive}
        except Refused as refusal:
            problem, status = str(refusal), 409
    facts = team_facts(side.tournament, rounds=[row.round.number])
    now = next(each for each in facts.matches if each.row.pk == row.pk)
    context = {"tournament": side.tournament, "team": side, "match": now, "facts": facts, "problem": problem}
    context |= breaks
    context |= _card(request, now, facts.rules) if now.is_open else _line_up(request, now, side, facts.rules)
    return render(request, "captains/match.html", context, status=status)


def side_or_404(request: ClubRequest, key: int, team: int) -> tuple[Team, TeamMatch]:
    """The team one acts for and its match. 404 for any other."""
    side = next((each for each in _teams(request) if each.pk == team), None)
    row = next((each for each in matches_of([side]) if each.pk == key), None) if side else None
    if side is None or row is None:
        raise Http404
    return side, row


def _carry_out(request: ClubRequest, row: TeamMatch, side: Team) -> HttpResponse:
    """Do what was asked for. Raises Refused."""
    by = request.user if isinstance(request.user, User) else None
    asked = request.POST.get("do", "")
    if asked == "line-up":
        places = [_key(request.POST.get(f"board-{board}", "")) for board in range(1, _boards(request) + 1)]
        opened = captain_hands_in(
            row.pk,
            side.pk,
            places,
            by=by,
            revision=_key(request.POST.get("revision", "")) or 0,
            note=_text(request, "note", 300),
            nevertheless="nevertheless" in request.POST,
        )
        said = (
            _("Both line-ups are in: here are the boards.") if opened else _("Your line-up is in. Nobody else sees it.")
        )
    elif asked == "open":
        captain_opens(row.pk, side.pk, by=by, first_white=request.POST.get("first_white", ""))
        said = _("The boards are made.")
    elif asked in ("consent", "no-consent"):
        consent(row.pk, side.pk, by=by, role=CAPTAIN, given=asked == "consent")
        said = (
            _("You agreed: the other side’s line-up may depart from these rules in this match.")
            if asked == "consent"
            else _("Taken back: the other side’s line-up has to keep the rules.")
        )
    elif asked == "agree":
        confirm_card(row.pk, side.pk, by=by, revision=_key(request.POST.get("revision", "")))
        said = _("Thank you: your side says that this card is right.")
    elif asked == "card":
        seen, why = _key(request.POST.get("revision", "")), _text(request, "words", 500)
        found = enter_card(row.pk, side.pk, _results(request), by=by, words=why, revision=seen)
        said = _card_words(found.entered, found.disputed)
    else:
        raise Refused(_("Nothing was asked for: use one of the buttons."))
    messages.success(request, said)
    return redirect("captains:match", row.pk, side.pk)


def _sentences(refusal: LineUpRefused, row: TeamMatch, side: Team) -> list[str]:
    """What breaks a rule, with the names a captain knows his own players by."""
    people = [each.entry.player for each in on_the_list(side, row.played_on or row.round.planned_on)]
    names = {player.number: shown_name(player, MEMBER) for player in people}
    return [words(each.remark, names) for each in refusal.findings]


def _card_words(entered: int, disputed: tuple[int, ...]) -> str:
    parts = []
    if entered:
        parts.append(
            ngettext("%(count)s result is entered.", "%(count)s results are entered.", entered) % {"count": entered}
        )
    if disputed:
        text = _("Disputed boards: %(boards)s. The arbiter decides; until then the results stand as they are.")
        parts.append(text % {"boards": listed(disputed)})
    return " ".join(parts) or _("Nothing was changed.")


def _teams(request: ClubRequest) -> list[Team]:
    kept = request.session.get(SESSION_KEY, [])
    return acting_teams(kept, request.user)


def _own_side(row: TeamMatch, own: set[int]) -> Team | None:
    return row.home if row.home_id in own else row.away


def _key(text: str) -> int | None:
    """A number that was sent; None for nothing. Raises Refused for what is none."""
    if not text:
        return None
    key = whole_number(text)
    if key is None:
        raise Refused(_("“%(text)s” is no choice of this page: choose again.") % {"text": text[:20]})
    return key


def _text(request: ClubRequest, name: str, most: int) -> str:
    """A text that was sent, without what no text has."""
    return request.POST.get(name, "").replace("\0", "")[:most]


def _boards(request: ClubRequest) -> int:
    """The highest board that was sent, so that one too many is refused and not left out."""
    sent = [name.removeprefix("board-") for name in request.POST if name.startswith("board-")]
    return max((whole_number(board, digits=3) or 0 for board in sent), default=0)


def _results(request: ClubRequest) -> dict[int, str]:
    return {board: request.POST.get(f"board-{board}", "") for board in range(1, _boards(request) + 1)}


# --- what stands on the page --------------------------------------------------------------------------------------
def _line_up(request: ClubRequest, now: MatchFacts, side: Team, rules: TeamRules) -> dict[str, Any]:
    """The boards with whom one may choose, as handed in, or as the list of the team stands."""
    squad = on_the_list(side, now.row.played_on or now.round.planned_on)
    handed = now.line_ups.get(side.pk)
    stands = _stands(handed)
    chosen = _chosen(request, stands, now, side, rules)
    choices = [(row.pk, _player_words(row)) for row in squad]
    boards = [
        {
            "number": board,
            "chosen": chosen.get(board),
            "stands": stands.get(board, ""),
            "choices": choices,
            "name": f"board-{board}",
        }
        for board in range(1, rules.boards + 1)
    ]
    due = due_at(now.row, rules)
    others = [team for team in (now.row.home, now.row.away) if team and team.pk != side.pk]
    return {
        "boards": boards,
        "handed": handed,
        "revision": handed.revision if handed else 0,
        "due": due,
        "is_late": due is not None and timezone.now() > due,
        "note": _text(request, "note", 300) or (handed.note if handed else ""),
        "must_toss": not now.row.first_white and len(now.line_ups) == len(others) + 1,
        "other_is_in": any(team.pk in now.line_ups for team in others),
        "asks_consent": asks_consent(rules),
        "consented": any(other_consents(now.row, team) for team in others),
        "other_consents": other_consents(now.row, side),
    }


def _chosen(
    request: ClubRequest, stands: dict[int, int], now: MatchFacts, side: Team, rules: TeamRules
) -> dict[int, int]:
    """The chosen player's key by board: as it was just sent, else as handed in, else the default order."""
    if request.method == "POST":
        sent = {board: whole_number(request.POST.get(f"board-{board}", "")) for board in range(1, rules.boards + 1)}
        return {board: key for board, key in sent.items() if key is not None}
    if stands:
        return stands
    return {board: row.pk for board, row in enumerate(order_of_list(now.row, side, rules), start=1)}


def _stands(handed: LineUp | None) -> dict[int, int]:
    """What was handed in: keys of `TeamPlayer` by board."""
    if handed is None:
        return {}
    rows = handed.places.select_related("player")
    return {row.board: row.player.pk for row in rows if row.player}


def _player_words(row: TeamPlayer) -> str:
    rating = row.entry.rating
    figures = f" {rating:.0f}" if rating is not None else ""
    reserve = f" {_('(reserve)')}" if row.reserve else ""
    # A captain knows his own players: he sees what members see.
    return f"{row.place}. {shown_name(row.entry.player, MEMBER)}{figures}{reserve}"


def _card(request: ClubRequest, now: MatchFacts, rules: TeamRules) -> dict[str, Any]:
    """The boards with their results and what may be chosen; which of them are disputed."""
    claims = {report.game.pairing.match_board: notation(report.claimed) for report in disputes(now.row)}
    sent = _results(request) if request.method == "POST" else {}
    rows = [
        {
            "board": board,
            "home_is_white": board.home_is_white,
            "claim": claims.get(board.number),
            "choices": _choices(request, board) if board.game else (),
            "chosen": sent.get(board.number, board.result.value),
        }
        for board in now.boards
    ]
    closes = closes_on(now.row, rules)
    return {
        "card": rows,
        "closes": closes,
        "revision": card_revision(now.row, [board.game for board in now.boards if board.game]),
        "agreed": all(now.agreed_sides),
        "is_closed": closes is not None and timezone.now() >= closes,
        "complete": not now.still_open,
    }


def _choices(request: ClubRequest, board: BoardFacts) -> list[tuple[str, str]]:
    if board.game is None or board.home is None or board.away is None:
        return []
    sides = (board.home.player, board.away.player) if board.home_is_white else (board.away.player, board.home.player)
    words = result_words(*sides, request.viewer)
    return [("", _("no result")), *((code.value, words[code]) for code in RESULTS if code != Result.OPEN)]
