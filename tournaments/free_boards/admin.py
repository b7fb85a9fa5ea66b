"""Boards of an event without rounds at the desk: those to be played, challenges, who is here tonight and the boards
that the arbiter's rule proposes; and the form by which an officer switches on what members do themselves."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.ground.numbers import number_in
from clubrating.web.admin import key_sent, officer
from clubrating.web.formatting import qr_code
from clubrating.web.requests import number_sent
from players.models import Club, Player
from players.people.names import clean_name
from players.privacy.rules import OFFICER
from players.refusals import Refused, Stale, listed
from tournaments.challenges.selectors import open_challenges
from tournaments.challenges.services import accept, cancel
from tournaments.entries.services.entries import is_ladder
from tournaments.entries.services.names import look_up_alike, nobody
from tournaments.evenings.selectors import Proposal, busy_at, evening_now, here_at, propose
from tournaments.evenings.services import arrive, end_evening, leave, open_evening, set_boards
from tournaments.evenings.words import broken, reasons
from tournaments.events.admin.event_page import open_event_for, page
from tournaments.free_boards.selectors import boards_to_play
from tournaments.free_boards.services.boards import enter_result, set_board, take_off
from tournaments.free_boards.services.rules import NewFreeRules, set_free_rules
from tournaments.models import Arrival, Challenge, Evening, FreeRules, Game, Tournament
from tournaments.pairing.evening import Partners
from tournaments.player_results.selectors import BoardSaid, said_of
from tournaments.results.words import result_words
from tournaments.standings.points import RATED_RESULTS, Result

# What is entered on such a board; whoever does not come to a challenge loses his place.
RESULTS = (*RATED_RESULTS, Result.BLACK_FORFEITS, Result.WHITE_FORFEITS)


class FreeRulesForm(forms.ModelForm):
    """What members do themselves; challenges are asked of a ladder alone."""

    class Meta:
        model = FreeRules
        fields = ("challenges", "answer_days", "play_days", "rest_days", "check_in", "partners")

    def __init__(self, *args: Any, ladder: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not ladder:
            for name in ("challenges", "answer_days", "play_days", "rest_days"):
                del self.fields[name]

    def _post_clean(self) -> None:
        """The service checks the whole; a field's own checks are the form's."""


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board to be played, what its players said, and the results it can have with their words."""

    game: Game
    said: BoardSaid | None
    results: list[tuple[str, str]]
    challenge: Challenge | None

    @property
    def agreed(self) -> str:
        """What both sides say; empty else."""
        return str(self.said.white) if self.said and self.said.is_agreed else ""


def free_rules(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The form; 409 where it is refused, with everything typed still in it. 404 for events with rounds."""
    tournament = open_event_for(model_admin, request, key)
    rules = FreeRules.objects.filter(tournament=tournament).first()
    posted = request.POST if request.method == "POST" else None
    form = FreeRulesForm(posted, instance=rules or FreeRules(), ladder=is_ladder(tournament))
    problem, revision = "", rules.revision if rules else 0
    if posted is not None and form.is_valid():
        seen = number_sent(request, "revision")
        try:
            set_free_rules(tournament, NewFreeRules(**form.cleaned_data), by=officer(request), revision=seen)
        except Refused as refusal:
            problem, revision = str(refusal), revision if isinstance(refusal, Stale) else seen
        else:
            messages.success(request, _("Saved."))
            return redirect("admin:tournaments_tournament_free_boards", tournament.pk)
    context: dict[str, Any] = {
        "title": _("What members do themselves"),
        "form": form,
        "revision": revision,
        "problem": problem,
        "has_links": Club.objects.filter(personal_links=True).exists(),
    }
    status = 409 if problem else 400 if form.errors else 200
    return page(model_admin, request, "free_rules", tournament, status=status, **context)


def free_boards(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The page with its buttons; 409 where something is refused."""
    tournament, problem = open_event_for(model_admin, request, key), ""
    if request.method == "POST":
        try:
            messages.success(request, _carry_out(request, tournament))
            return redirect(request.path)
        except Refused as refusal:
            problem = str(refusal)
    status = 409 if problem else 200
    context = _context(tournament, request.GET.get("rule", "")) | {"title": _("Boards"), "problem": problem}
    return page(model_admin, request, "free_boards", tournament, status=status, **context)


def evening_sheet(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The sheet for the door, with the code of the evening that is on; 404 where none is."""
    tournament = open_event_for(model_admin, request, key)
    evening = evening_now(tournament, timezone.now())
    if evening is None:
        raise Http404
    address = request.build_absolute_uri(reverse("tournaments:here", args=[tournament.slug, evening.door_code]))
    context: dict[str, Any] = {
        "evening": evening,
        "address": address,
        "picture": qr_code(address),
        "title": _("Sheet for the door"),
    }
    return page(model_admin, request, "evening_sheet", tournament, **context)


# --- showing --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class ProposedLine:
    """A proposed board, and in words what speaks for it and which bounds it breaks."""

    white: Player
    black: Player
    reasons: str = ""
    broken: str = ""


def _context(tournament: Tournament, asked: str) -> dict[str, Any]:
    """`asked`: the rule by which boards are proposed tonight; the event's where it names none."""
    rules = FreeRules.objects.filter(tournament=tournament).first()
    games, today = boards_to_play(tournament), timezone.localdate()
    said = said_of(games) if games and tournament.player_results else {}
    evening = evening_now(tournament, timezone.now()) if rules and rules.check_in else None
    here: list[Arrival] = here_at(evening) if evening else []
    busy = busy_at(tournament) if here else set()
    rule = Partners(asked if asked in set(Partners) else rules.partners) if rules else Partners.NEAR
    proposal = propose(evening, here, busy, today, rule) if evening else Proposal()
    return {
        "rules": rules,
        "today": today,
        "boards": [_line(game, said.get(game.pk)) for game in games],
        "challenges": list(open_challenges(tournament.pk, today).filter(state=Challenge.State.WAITING)),
        "evening": evening,
        "here": [(arrival, arrival.player_id in busy) for arrival in here],
        "proposal": proposal,
        "proposed": _proposed(proposal),
        "rule": rule,
        "choices": FreeRules._meta.get_field("partners").choices,
    }


def _proposed(proposal: Proposal) -> list[ProposedLine]:
    if not proposal.told:
        return [ProposedLine(white, black) for white, black in proposal.boards]
    return [
        ProposedLine(white, black, listed(reasons(told)), listed(broken(told)))
        for (white, black), told in zip(proposal.boards, proposal.told, strict=True)
    ]


def _line(game: Game, said: BoardSaid | None) -> BoardLine:
    words = result_words(game.white, game.black, OFFICER)
    results = [(code.value, words[code]) for code in RESULTS]
    return BoardLine(game, said, results, getattr(game, "challenge", None))


# --- deeds ----------------------------------------------------------------------------------------------------------
def _carry_out(request: HttpRequest, tournament: Tournament) -> str:
    """What was done, in words. Raises Refused."""
    sent = next((name for name in _DEEDS if name in request.POST), None)
    if sent is None:
        raise Refused(_("Nothing was asked for: use one of the buttons."))
    return _DEEDS[sent](request, tournament)


def _enter(request: HttpRequest, tournament: Tournament) -> str:
    key = key_sent(request, "enter", Game.objects.filter(tournament=tournament))
    revision = number_sent(request, f"revision-{key}")
    enter_result(key, request.POST.get(f"result-{key}", ""), revision=revision, by=officer(request))
    return _("The result is entered.")


def _take_off(request: HttpRequest, tournament: Tournament) -> str:
    take_off(key_sent(request, "take-off", Game.objects.filter(tournament=tournament)), by=officer(request))
    return _("The board is taken off.")


def _set(request: HttpRequest, tournament: Tournament) -> str:
    white, black = (_player(request, name) for name in ("white", "black"))
    set_board(tournament, white.pk, black.pk, by=officer(request))
    return _("The board is set.")


def _accept(request: HttpRequest, tournament: Tournament) -> str:
    accept(key_sent(request, "accept", Challenge.objects.filter(tournament=tournament)), None, by=officer(request))
    return _("The challenge is accepted, and its board is set.")


def _cancel(request: HttpRequest, tournament: Tournament) -> str:
    cancel(key_sent(request, "cancel", Challenge.objects.filter(tournament=tournament)), by=officer(request))
    return _("The challenge is cancelled.")


def _open(request: HttpRequest, tournament: Tournament) -> str:
    open_evening(tournament, by=officer(request))
    return _("The evening is open. Print the sheet for the door.")


def _end(request: HttpRequest, tournament: Tournament) -> str:
    end_evening(key_sent(request, "end", Evening.objects.filter(tournament=tournament)), by=officer(request))
    return _("The evening is over: its code lets nobody in any more.")


def _arrive(request: HttpRequest, tournament: Tournament) -> str:
    arrive(_evening(tournament).pk, _player(request, "arrive"), by=officer(request))
    return _("The player is here.")


def _leave(request: HttpRequest, tournament: Tournament) -> str:
    evening = _evening(tournament)
    key = key_sent(request, "leave", Player.objects.filter(arrivals__evening=evening))
    leave(evening.pk, Player.objects.get(pk=key), by=officer(request))
    return _("The player has left.")


def _propose(request: HttpRequest, tournament: Tournament) -> str:
    pairs = []
    for text in request.POST.getlist("pair")[:500]:
        white, _dash, black = text.partition("-")
        pairs.append((number_in(white), number_in(black)))
    if not pairs:
        raise Refused(_("Tick the boards that are to be played."))
    made = set_boards(_evening(tournament).pk, pairs, by=officer(request))
    return ngettext("%(count)s board is set.", "%(count)s boards are set.", len(made)) % {"count": len(made)}


_DEEDS = {
    "enter": _enter,
    "take-off": _take_off,
    "set": _set,
    "accept": _accept,
    "cancel": _cancel,
    "open": _open,
    "end": _end,
    "leave": _leave,
    "propose": _propose,
    "arrive": _arrive,
}


def _evening(tournament: Tournament) -> Evening:
    """Raises Stale where none is on."""
    evening = evening_now(tournament, timezone.now())
    if evening is None:
        raise Stale(_("This evening is over already."))
    return evening


def _player(request: HttpRequest, name: str) -> Player:
    """The one player whose name or number was typed. Raises Refused."""
    typed = clean_name(request.POST.get(name, "")[:200])
    people = look_up_alike([typed]) if typed else None
    if people is None:
        raise Refused(_("Type a name, or a number like #17."))
    if typed not in people.found:
        raise Refused(people.problems.get(typed) or nobody(typed))
    return people.found[typed]
