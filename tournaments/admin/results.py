"""One round's results on one page: a plain form, so it works without script; the browser moves inside a board by
itself. The saving is in `result_entry`.

First results are saved at once; changed ones go on to the page that shows what they would move.

Answers: 302 after saving, to the preview where results were changed; 409 where a board was stale or refused (the
others are saved by then), 400 for a form that names a bye, a foreign game or an unknown result (nothing is saved).
"""

from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.admin_site import officer
from players.services.refusals import Refused
from tournaments.admin.correction_pages import correct_address
from tournaments.admin.forms import SittingForm
from tournaments.admin.frame import page, tournament_for
from tournaments.admin.result_entry import Outcome, boards_of, move_boards, read_wishes, save_wishes
from tournaments.admin.steps import Todo, is_played_out, todo_of
from tournaments.models import Game, Round
from tournaments.pairing.base import BracketSystem
from tournaments.selectors.rounds import rounds_of
from tournaments.selectors.stages import system_of


def results(desk: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The boards of a round and what was posted about them."""
    row = get_object_or_404(Round.objects.select_related("stage__tournament"), pk=key)
    tournament_for(desk, request, row.stage.tournament_id)
    corrections = Game.objects.filter(pairing__round=row).exclude(result="").exists()
    event = row.stage.tournament
    if request.method != "POST":
        return _show(desk, request, row, SittingForm(initial=_initial(row), corrections=corrections, event=event))
    form = SittingForm({**_defaults(row), **request.POST.dict()}, corrections=corrections, event=event)
    if not form.is_valid():
        problem = _("Nothing is saved yet: look at the fields above the boards.")
        return _show(desk, request, row, form, problem=problem, typed=request.POST.dict())
    try:
        outcome = _save(request, row, form)
    except Refused as refusal:
        return _show(desk, request, row, form, status=400, problem=str(refusal))
    _say(request, outcome)
    if outcome.troubles:
        waiting = {f"board-{board}": str(change.result) for board, change in outcome.corrections.items()}
        return _show(desk, request, row, form, status=409, troubles=outcome.troubles, typed=waiting)
    if outcome.corrections:
        return redirect(correct_address(outcome.corrections.values(), request.path))
    return redirect(request.path)


def _initial(row: Round) -> dict[str, Any]:
    """The planned day, unless it is still to come."""
    today = timezone.localdate()
    return {"played_on": row.planned_on if row.planned_on and row.planned_on <= today else today}


def _defaults(row: Round) -> dict[str, str]:
    """What a short form need not say."""
    return {"played_on": _initial(row)["played_on"].isoformat()}


def _save(request: HttpRequest, row: Round, form: SittingForm) -> Outcome:
    """Raises Refused where the form is not about this round."""
    posted = request.POST.dict()
    wishes = read_wishes(row, posted)
    day = form.cleaned_data["played_on"]
    outcome = save_wishes(wishes, played_on=day, by=officer(request))
    if form.cleaned_data.get("move_day"):
        move_boards(row, outcome, played_on=day)
    return outcome


def _say(request: HttpRequest, outcome: Outcome) -> None:
    if outcome.saved:
        text = ngettext("%(count)s board is saved.", "%(count)s boards are saved.", outcome.saved)
        messages.success(request, text % {"count": outcome.saved})
    elif not outcome.troubles and not outcome.corrections:
        messages.info(request, _("Nothing was changed, so nothing was saved."))
    if outcome.troubles:
        text = ngettext("%(count)s board is not saved.", "%(count)s boards are not saved.", len(outcome.troubles))
        messages.error(request, text % {"count": len(outcome.troubles)})


def _show(
    desk: ModelAdmin,
    request: HttpRequest,
    row: Round,
    form: SittingForm,
    *,
    status: int = 200,
    problem: str = "",
    troubles: dict[int, str] | None = None,
    typed: dict[str, str] | None = None,
) -> HttpResponse:
    viewer = request.viewer  # type: ignore[attr-defined]
    boards = boards_of(row, viewer, troubles=troubles, typed=typed)
    games = [board for board in boards if board.game]
    entered = sum(board.decided for board in games)
    context = {
        "title": _("Enter results, round %(number)s") % {"number": row.number},
        "round": row,
        "boards": boards,
        "games": len(games),
        "entered": entered,
        "form": form,
        "problem": problem,
        "ranked": not isinstance(system_of(row.stage), BracketSystem),
        "todo": _what_next(row) if entered == len(games) else None,
    }
    return page(desk, request, "results", row.stage.tournament, status=status, **context)


def _what_next(row: Round) -> Todo | None:
    """Of a round that is entered: what its stage waits for, or the end of the event."""
    tournament = row.stage.tournament
    if tournament.closed:
        return None
    rounds = rounds_of(tournament)
    todo = todo_of(row.stage, [each for each in rounds if each.round.stage_id == row.stage_id])
    first = tournament.stages.order_by("order").first()
    if todo or first is None or not is_played_out(first, rounds):
        return todo
    return Todo(_("Close the event"), reverse("admin:tournaments_tournament_close", args=[tournament.pk]))
