"""One round's results on one page: a plain form, which works without script. With script (`static/js/results.js`) a
keystroke saves a board through `board_entry`, and this form is only its furniture. The saving is in `result_entry`.

First results are saved at once; changed ones too while nothing rests on them, else they go on to the page that shows
what they would move.

Answers: 302 after saving, to the preview where results were changed; 409 where a board was stale or refused (the
others are saved by then), 400 for a form that names a bye, a foreign game or an unknown result (nothing is saved).
"""

from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.web.admin import officer
from players.refusals import Refused
from tournaments.corrections.admin.corrections import correct_address
from tournaments.events.admin.event_page import page, tournament_to_enter
from tournaments.events.admin.forms import SittingForm
from tournaments.events.admin.workflow import Todo, is_played_out, todo_of
from tournaments.events.selectors.officers import may_correct
from tournaments.events.selectors.stages import system_of
from tournaments.models import Game, Round
from tournaments.pairing.base import BracketSystem
from tournaments.results.admin.boards import Clash, boards_of
from tournaments.results.admin.entry import Outcome, Progress, leave_to_arbiters, move_boards, read_edits, save_edits
from tournaments.rounds.selectors.progress import rounds_of


def results(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The boards of a round and what was posted about them; `?to=7` leads to that board."""
    row = get_object_or_404(Round.objects.select_related("stage__tournament"), pk=key)
    tournament_to_enter(request, row.stage.tournament_id)
    asked = request.GET.get("to", "")
    if asked.isascii() and asked.isdigit():
        return redirect(f"{request.path}#board-{int(asked[:9])}")
    event = row.stage.tournament
    moves = may_correct(request.user, event) and _games(row).exclude(result="").exists()
    if request.method != "POST":
        return _show(model_admin, request, row, SittingForm(initial=initial_of(row), corrections=moves, event=event))
    form = SittingForm({**defaults_of(row), **request.POST.dict()}, corrections=moves, event=event)
    if not form.is_valid():
        problem = _("Nothing is saved yet: look at the fields above the boards.")
        return _show(model_admin, request, row, form, problem=problem, typed=request.POST.dict())
    try:
        outcome = _save(request, row, form)
    except Refused as refusal:
        return _show(model_admin, request, row, form, status=400, problem=str(refusal))
    _say(request, outcome)
    if outcome.clashes:
        waiting = {f"board-{board}": str(change.result) for board, change in outcome.corrections.items()}
        return _show(model_admin, request, row, form, status=409, clashes=outcome.clashes, typed=waiting)
    if outcome.corrections:
        return redirect(correct_address(outcome.corrections.values(), request.path))
    return redirect(request.get_full_path())


def _games(row: Round) -> QuerySet[Game]:
    return Game.objects.filter(pairing__round=row)


def initial_of(row: Round) -> dict[str, Any]:
    """The planned day, unless it is still to come."""
    today = timezone.localdate()
    return {"played_on": row.planned_on if row.planned_on and row.planned_on <= today else today}


def defaults_of(row: Round) -> dict[str, str]:
    """What a short form need not say."""
    return {"played_on": initial_of(row)["played_on"].isoformat()}


def _save(request: HttpRequest, row: Round, form: SittingForm) -> Outcome:
    """Raises Refused where the form is not about this round."""
    posted = request.POST.dict()
    edits = read_edits(row, posted)
    day = form.cleaned_data["played_on"]
    outcome = save_edits(edits, played_on=day, by=officer(request))
    if form.cleaned_data.get("move_day"):
        move_boards(row, outcome, played_on=day)
    if not may_correct(request.user, row.stage.tournament):
        leave_to_arbiters(outcome)
    return outcome


def _say(request: HttpRequest, outcome: Outcome) -> None:
    if outcome.saved:
        text = ngettext("%(count)s board is saved.", "%(count)s boards are saved.", outcome.saved)
        messages.success(request, text % {"count": outcome.saved})
    elif not outcome.clashes and not outcome.corrections:
        messages.info(request, _("Nothing was changed, so nothing was saved."))
    if outcome.clashes:
        text = ngettext("%(count)s board is not saved.", "%(count)s boards are not saved.", len(outcome.clashes))
        messages.error(request, text % {"count": len(outcome.clashes)})


def _show(
    model_admin: ModelAdmin,
    request: HttpRequest,
    row: Round,
    form: SittingForm,
    *,
    status: int = 200,
    problem: str = "",
    clashes: dict[int, Clash] | None = None,
    typed: dict[str, str] | None = None,
) -> HttpResponse:
    viewer = request.viewer  # type: ignore[attr-defined]
    boards = boards_of(row, viewer, clashes=clashes, typed=typed)
    games = [board for board in boards if board.game]
    progress = Progress(len(games), sum(board.decided for board in games))
    only_open = request.GET.get("show") == "open"
    changes = model_admin.has_change_permission(request, row.stage.tournament)
    context = {
        "title": _("Enter results, round %(number)s") % {"number": row.number},
        "round": row,
        "boards": [board for board in games if not board.decided or board.clash] if only_open else boards,
        "progress": progress,
        "read": sum(board.read for board in games),
        "only_open": only_open,
        "form": form,
        "problem": problem,
        "changes": changes,
        "ranked": not isinstance(system_of(row.stage), BracketSystem),
        "todo": what_next(row) if changes and progress.complete else None,
        "keys": keys_in_words(),
    }
    return page(model_admin, request, "results", row.stage.tournament, status=status, **context)


def keys_in_words() -> list[tuple[str, str]]:
    """The keyboard of the page: which key does what."""
    return [
        ("1", _("White wins")),
        ("0", _("Black wins")),
        ("= 5 ½", _("draw")),
        ("+", _("White wins, Black did not come")),
        ("−", _("Black wins, White did not come")),
        (_("Backspace"), _("clears the board")),
        ("m", _("more results: adjourned, nobody came, penalties")),
        ("↑ ↓ j k", _("the board before, the next board")),
        ("g #", _("go to a board by its number")),
        ("o", _("open boards only, and all again")),
        ("?", _("these keys")),
    ]


def what_next(row: Round) -> Todo | None:
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
