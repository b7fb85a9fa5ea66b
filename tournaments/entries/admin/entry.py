"""One entry's page (how it stands, byes, leaving and returning), and who should not meet in an event.

Leaving is shown before it is done: the page carries `seen`; what has changed meanwhile is shown anew (409).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.ground.figures import round_half_away
from clubrating.web.admin import officer
from clubrating.web.requests import number_sent
from players.models import Player
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused
from tournaments.entries.admin.forms import ByeForm, GroupForm, NoteForm, RatingForm, WithdrawForm, bye_choices
from tournaments.entries.selectors import entries_of
from tournaments.entries.services.entries import match_names
from tournaments.entries.services.numbering import correct_entry_rating, may_correct
from tournaments.entries.services.prohibited import allow, prohibit, prohibited_pairs
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.events.selectors.stages import name_together
from tournaments.models import ByeRequest, Entry, Stage, Tournament
from tournaments.presence.services import bye_stage, cancel_bye, request_bye
from tournaments.rounds.selectors.field import next_number
from tournaments.standings.points import OUTCOMES
from tournaments.undo.admin.undo import success_with_undo
from tournaments.withdrawals.services.forfeits import Forfeit
from tournaments.withdrawals.services.withdrawals import (
    Consequences,
    leaving,
    own_games_of,
    return_entry,
    returning,
    withdraw_entry,
)


def entry_for(model_admin: ModelAdmin, request: HttpRequest, key: int) -> Entry:
    """The entry of that key, for somebody who may change its event. Raises PermissionDenied or Http404."""
    entry = get_object_or_404(Entry.objects.select_related("tournament", "player"), pk=key)
    name_together([entry], entry.tournament)
    tournament_for(model_admin, request, entry.tournament_id)
    return entry


# --- the page -----------------------------------------------------------------------------------------------------
def entry(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The page and its small forms; `do` says which was sent."""
    row = entry_for(model_admin, request, key)
    stage, why_not = _stage(row)
    asks = request.POST.get("do", "") if request.method == "POST" else ""
    posted = request.POST if asks == "bye" else None
    form = ByeForm(posted, stage=stage, initial={"round_number": next_number(stage)}) if stage else None
    rating = None
    if asks == "rating" or (stage is not None and may_correct(stage)):
        now = None if row.rating is None else round_half_away(row.rating)
        rating = RatingForm(request.POST if asks == "rating" else None, initial={"rating": now})
    problem, sent = "", {"bye": form, "rating": rating}.get(asks)
    if request.method == "POST" and (sent is None or sent.is_valid()):
        try:
            done = _carry_out(request, row, sent)
        except Refused as refusal:
            problem = str(refusal)
        else:
            messages.success(request, done)
            return redirect(request.path)
    context: dict[str, Any] = {
        "title": shown_name(row.player, OFFICER),
        "entry": row,
        "byes": _byes(row, stage),
        "bye_form": form,
        "why_no_byes": why_not,
        "rating_form": rating,
        "pairs": [
            (pair.pk, (pair.second if pair.first_id == row.pk else pair.first).player)
            for pair in prohibited_pairs(row.tournament, row)
        ],
        "problem": problem,
    }
    return page(model_admin, request, "entry", row.tournament, **context)


def _stage(row: Entry) -> tuple[Stage | None, str]:
    """The stage byes are asked for in, or why there are none."""
    try:
        return bye_stage(row), ""
    except Refused as refusal:
        return None, str(refusal)


def _carry_out(request: HttpRequest, row: Entry, form: forms.Form | None) -> str:
    """Do what was asked; the sentence for it. Raises Refused."""
    if isinstance(form, RatingForm):
        number = correct_entry_rating(row.pk, form.cleaned_data["rating"], by=officer(request)).number
        return _("The rating is corrected; the pairing number is %(number)s.") % {"number": number or "–"}
    if request.POST.get("do") == "bye":
        if form is None:
            bye_stage(row)
            return ""
        data = form.cleaned_data
        number, meant = data["round_number"], data["against_rules"]
        request_bye(row.pk, number, data["kind"], by=officer(request), against_rules=meant)
        return _("The bye in round %(round)s is noted.") % {"round": number}
    if "cancel" in request.POST:
        number = number_sent(request, "cancel")
        cancel_bye(row.pk, number, by=officer(request))
        return _("The bye in round %(round)s is taken back.") % {"round": number}
    own = prohibited_pairs(row.tournament, row).filter(pk=number_sent(request, "allow")).first()
    if own is None:
        raise Refused(_("Nothing was chosen, or these two may meet already."))
    allow(own.pk, by=officer(request))
    return _("The two may meet again.")


def _byes(row: Entry, stage: Stage | None) -> list[tuple[ByeRequest, str, bool]]:
    """The byes asked for: each with its words, and whether it can be taken back."""
    words, coming = (dict(bye_choices(stage)), next_number(stage)) if stage else ({}, 0)
    rows = ByeRequest.objects.filter(entry=row).order_by("round_number")
    return [(bye, words.get(bye.kind, bye.get_kind_display()), 0 < coming <= bye.round_number) for bye in rows]


# --- leaving and returning ----------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class GameLine:
    """A game that gets another result: round, opponent, and the marks of both; empty for a game to be played."""

    round: int | None
    opponent: Player
    own: str
    other: str


def withdraw(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """What leaving means, and the button that does it."""
    row = entry_for(model_admin, request, key)
    asks = own_games_of(row).scheduled > 0
    posted = request.POST if request.method == "POST" else None
    form = WithdrawForm(posted, with_rule=asks, initial={"rule": row.tournament.leaver_rule})

    def do(seen: str) -> str:
        data = form.cleaned_data
        withdraw_entry(row.pk, by=officer(request), note=data["note"], rule=data.get("rule", ""), seen=seen)
        return _("%(name)s is withdrawn.") % {"name": shown_name(row.player, OFFICER)}

    return _decide(model_admin, request, row, form, do, title=_("Withdraw"), find=leaving)


def give_back(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """What returning means, and the button that does it."""
    row = entry_for(model_admin, request, key)
    form = NoteForm(request.POST if request.method == "POST" else None)

    def do(seen: str) -> str:
        return_entry(row.pk, by=officer(request), note=form.cleaned_data["note"], seen=seen)
        return _("%(name)s is back in the event.") % {"name": shown_name(row.player, OFFICER)}

    return _decide(model_admin, request, row, form, do, title=_("Return"), find=returning)


def _decide(
    model_admin: ModelAdmin,
    request: HttpRequest,
    row: Entry,
    form: forms.Form,
    do: Callable[[str], str],
    *,
    title: str,
    find: Callable[[Entry], Consequences],
) -> HttpResponse:
    """Carry out what was seen, or show what it means."""
    problem = ""
    if request.method == "POST" and form.is_valid():
        try:
            text = do(request.POST.get("seen", ""))
            success_with_undo(request, row.tournament, text, "entry.withdrawn" if find is leaving else "")
        except Refused as refusal:
            problem = str(refusal)
        else:
            return redirect("admin:tournaments_tournament_entry", row.pk)
        row.refresh_from_db()
    change = find(row)
    problem = problem or (change.problems[0] if change.problems else "")
    context = {
        "title": title,
        "entry": row,
        "called": shown_name(row.player, OFFICER),
        "change": change,
        "games": [_line(row, forfeit) for forfeit in change.forfeits],
        "form": form,
        "problem": problem,
        "leaves": find is leaving,
    }
    status = 409 if problem and request.method == "POST" else 200
    return page(model_admin, request, "leave", row.tournament, status=status, **context)


def _line(row: Entry, forfeit: Forfeit) -> GameLine:
    game, is_white = forfeit.game, forfeit.game.white_id == row.player_id
    white, black = OUTCOMES[forfeit.result].shown
    number = game.pairing.round.number if game.pairing.round else None
    own, other = (white, black) if is_white else (black, white)
    return GameLine(number, game.black if is_white else game.white, own, other)


# --- who should not meet ------------------------------------------------------------------------------------------
def prohibited(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The page. What cannot be kept apart is shown line by line, and stays as typed."""
    tournament = tournament_for(model_admin, request, key)
    posted = request.method == "POST" and "allow" not in request.POST
    form, problems = GroupForm(request.POST if posted else None), list[str]()
    if request.method == "POST" and (not posted or form.is_valid()):
        try:
            done, problems = _carry_out_apart(request, tournament, form)
        except Refused as refusal:
            done, problems = "", [str(refusal)]
        if not problems:
            messages.success(request, done)
            return redirect(request.path)
    pairs = list(prohibited_pairs(tournament))
    title = _("Who should not meet")
    return page(model_admin, request, "prohibited", tournament, title=title, pairs=pairs, form=form, problems=problems)


def _carry_out_apart(request: HttpRequest, tournament: Tournament, form: GroupForm) -> tuple[str, list[str]]:
    """Do what was asked; the sentence for it, or the problems. Raises Refused."""
    if "allow" in request.POST:
        pair = prohibited_pairs(tournament).filter(pk=number_sent(request, "allow")).first()
        allow(pair.pk if pair else 0, by=officer(request))
        return _("The two may meet again."), []
    named = match_names(form.cleaned_data["names"].splitlines())
    entered = entries_of(tournament, named.players)
    text = _("“%(name)s” is not entered in this event: enter the player first, or remove the line.")
    missing = [text % {"name": shown_name(row, OFFICER)} for row in named.players if row.pk not in entered]
    if named.problems or missing:
        return "", [*named.problems, *missing]
    count = prohibit(tournament, list(dict.fromkeys(entered.values())), by=officer(request))
    if not count:
        return _("These were kept apart already."), []
    done = ngettext("%(count)s pair is kept apart.", "%(count)s pairs are kept apart.", count)
    return done % {"count": count}, []
