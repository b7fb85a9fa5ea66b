"""One round's results on one page of the administration: the form, and saving what was posted.

A form carries for each board the result chosen (`board-3`), and for each game its revision (`revision-17`) and the
result it was shown with (`was-17`); where the event keeps scores also the score (`score-3`) and the one it was shown
with (`scored-17`): a result follows from it where none was chosen. Only boards whose choice differs are saved, each in
its own transaction, so one stale board does not hold up the others. What cannot be changed at once goes to the preview
of a correction.

Answers: 302 after saving; 409 where a board was stale or refused (the others are saved), 400 for a form that names a
bye, a foreign game or an unknown result (nothing is saved).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.ground.numbers import number_in, whole_number
from clubrating.web.admin import officer
from players.models import AuditEvent
from players.refusals import Refused, Stale, said
from tournaments.corrections.admin.corrections import correct_address
from tournaments.corrections.admin.starting_ratings import late_starts_shown
from tournaments.corrections.services.changes import ResultChange
from tournaments.events.admin.event_page import check_may_enter, page
from tournaments.events.admin.forms import SittingForm
from tournaments.events.admin.workflow import Todo, is_played_out, todo_of
from tournaments.events.selectors.officers import may_correct
from tournaments.events.selectors.stages import system_of
from tournaments.models import Game, Round
from tournaments.pairing.base import BracketSystem
from tournaments.pairing.free import Teams
from tournaments.player_results.selectors import said_in
from tournaments.results.admin.accidents import accidents_around
from tournaments.results.admin.boards import Clash, boards_of, name_of
from tournaments.results.admin.match_headings import with_headings
from tournaments.results.services.handicap import STONES, record_with_stones, set_stones
from tournaments.results.services.quick import NeedsPreviewError, change_quickly
from tournaments.results.services.results import day_of, game_on_board, notation
from tournaments.rounds.selectors.progress import RoundProgress, rounds_of
from tournaments.standings.points import OUTCOMES, Result, read_score, result_of_score, score_text
from tournaments.verification.selectors import READ


# --- saving boards ------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class ResultEdit:
    """A touched board: the result chosen, on the form's knowledge of the game. `moved_on`: the next game of a match
    stands on the board by now, and the result is not meant for that. `stones`: those chosen before or with a first
    result."""

    board: int
    game: Game
    result: Result
    revision: int
    moved_on: bool = False
    score: str | None = None  # None: as it is
    stones: int | None = None


def with_score(edit: ResultEdit, text: str, *, chosen: bool) -> ResultEdit:
    """The edit with that score, and the result that follows from it where none was `chosen`; a text that is no score
    stays for the service to refuse."""
    try:
        score = read_score(text)
    except ValueError:
        return replace(edit, score=text[:20])
    if score is None:
        return replace(edit, score="")
    result = edit.result if chosen else result_of_score(score, low_wins=edit.game.tournament.low_score_wins)
    return replace(edit, result=result, score=score_text(*score))


def read_edits(row: Round, posted: Mapping[str, str]) -> list[ResultEdit]:
    """The touched boards of a posted form. Raises Refused where it names a bye, a board or a game that is not in this
    round, or a result that does not exist: nothing of such a form is saved."""
    rows = Game.objects.filter(pairing__round=row, pairing__superseded=False).select_related("pairing", "tournament")
    games = {game.pk: game for game in rows.order_by("number")}
    for name in posted:
        prefix, _dash, key = name.partition("-")
        if prefix in ("revision", "was", "scored") and number_in(key) not in games:
            raise Refused(_("This form names a game that is not in this round: open the round again."))
    edits: dict[int, ResultEdit] = {}
    by_board = {game.pairing.board: game for game in games.values()}
    shown = {game.pairing.board: game for game in games.values() if f"revision-{game.pk}" in posted}
    for name, code in posted.items():
        prefix, _dash, key = name.partition("-")
        if prefix != "board":
            continue
        board = number_in(key)
        latest = by_board.get(board) or game_on_board(row, board)
        game = shown.get(board, latest)
        if code not in OUTCOMES:
            raise Refused(_("Board %(board)s: “%(code)s” is no result.") % {"board": board, "code": code[:20]})
        if code != posted.get(f"was-{game.pk}", game.result):
            revision = number_in(posted.get(f"revision-{game.pk}", ""))
            edits[board] = ResultEdit(board, game, Result(code), revision, game != latest, stones=_stones(game, posted))
    for at, game in shown.items():
        board, text = at or 0, posted.get(f"score-{at}", "").strip()
        if text != posted.get(f"scored-{game.pk}", text):
            revision = number_in(posted.get(f"revision-{game.pk}", ""))
            result, moved_on = Result(game.result), game != by_board[at]
            plain = ResultEdit(board, game, result, revision, moved_on, stones=_stones(game, posted))
            edits[board] = with_score(edits.get(board, plain), text, chosen=board in edits)
    for at, game in shown.items():
        board, stones, revision = at or 0, _stones(game, posted), number_in(posted.get(f"revision-{game.pk}", ""))
        # Of another revision nobody can tell whether they were chosen here.
        if board not in edits and stones not in (None, game.handicap) and revision == game.revision:
            edits[board] = ResultEdit(board, game, Result(game.result), revision, game != by_board[at], stones=stones)
    return list(edits.values())


def _stones(game: Game, posted: Mapping[str, str]) -> int | None:
    return stones_in(posted.get(f"stones-{game.pk}", ""))


def stones_in(text: str) -> int | None:
    """The stones chosen beside a board; None where none can be. Raises Refused."""
    if not text:
        return None
    if text not in map(str, STONES):
        raise Refused(_("A handicap is 2 to 9 stones."))
    return int(text)


@dataclass(slots=True)
class Outcome:
    """What came of a posted form. `corrections` wait for their preview, by board."""

    saved: int = 0
    clashes: dict[int, Clash] = field(default_factory=dict)
    corrections: dict[int, ResultChange] = field(default_factory=dict)


def save_edits(edits: Iterable[ResultEdit], *, played_on: date, by: User) -> Outcome:
    """Save each touched board; a refused one is left as it stands, with its sentence."""
    outcome = Outcome()
    for edit in edits:
        try:
            outcome.saved += save_edit(edit, played_on=played_on, by=by)
        except NeedsPreviewError:
            change = ResultChange(edit.game.pk, edit.result, revision=edit.revision, score=edit.score)
            outcome.corrections[edit.board] = change
        except Stale as refusal:
            outcome.clashes[edit.board] = clash_of(edit, refusal)
        except Refused as refusal:
            outcome.clashes[edit.board] = Clash(str(refusal))
    return outcome


def save_edit(edit: ResultEdit, *, played_on: date, by: User) -> bool:
    """Save one board; False where it has that result already. Raises Stale, NeedsPreviewError or Refused."""
    stands = Result(edit.game.result)
    scored = score_text(edit.game.white_points, edit.game.black_points)
    with_stones = stands == Result.OPEN and edit.stones not in (None, edit.game.handicap)
    if edit.result == stands and edit.score in (None, scored) and not with_stones:
        return False
    if edit.moved_on:
        values = {"number": edit.game.number, "result": notation(stands, _("no result"))}
        text = _("The next game stands on this board by now; game %(number)s has %(result)s.")
        raise NeedsPreviewError(text % values)
    if edit.revision != edit.game.revision:
        raise Stale(_("Somebody else changed this board meanwhile, and that stands."))
    resumed = stands == Result.ADJOURNED and edit.result != Result.OPEN
    if stands == Result.OPEN or resumed:
        if not edit.result and edit.score in (None, scored):
            set_stones(game=edit.game.pk, stones=edit.stones or 0, by=by, revision=edit.revision)
            return True
        if not edit.result:
            raise Refused(_refusal_of(edit.score or ""))
        record_with_stones(
            game=edit.game.pk,
            stones=edit.stones,
            result=edit.result,
            by=by,
            revision=edit.revision,
            played_on=played_on,
            score=edit.score,
        )
    else:
        change_quickly(game=edit.game.pk, result=edit.result, by=by, revision=edit.revision, score=edit.score)
    return True


def _refusal_of(text: str) -> str:
    """Why no result follows from what was typed as the score."""
    try:
        read_score(text)
    except ValueError as reason:
        return said(reason)
    return _("No result was given.")


def clash_of(edit: ResultEdit, refusal: Stale) -> Clash:
    """Whose result stands, what this arbiter wanted instead, and what he may do about it."""
    game = Game.objects.filter(pk=edit.game.pk).first()
    if game is None:
        return Clash(str(refusal))
    stands, wanted = (notation(code, _("no result")) for code in (game.result, edit.result))
    return Clash(
        _whose(game, stands, wanted) or str(refusal),
        edit.result.value,
        keep=_("Keep %(result)s") % {"result": stands},
        instead=_("Enter %(result)s instead") % {"result": wanted},
    )


def _whose(game: Game, stands: str, wanted: str) -> str:
    events = AuditEvent.objects.filter(subject_kind="game", subject_key=game.pk).exclude(action=READ)
    event = events.select_related("actor").first()
    if event is None:
        return ""
    time = timezone.localtime(event.at).strftime("%H:%M")
    return _(
        "%(who)s entered %(stands)s at %(time)s, and that stands. You had chosen %(wanted)s: "
        "choose it again to change the result."
    ) % {"who": name_of(event.actor, _("the system")), "stands": stands, "time": time, "wanted": wanted}


def move_boards(row: Round, outcome: Outcome, *, played_on: date) -> None:
    """Let every board that has a result wait to be moved to that day, of a match the last game that has one; those on
    it already stay untouched."""
    games = Game.objects.filter(pairing__round=row, pairing__superseded=False).exclude(result="")
    last = {game.pairing.board or 0: game for game in games.select_related("pairing").order_by("number")}
    for board, game in sorted(last.items()):
        if board not in outcome.clashes and game.played_on != played_on:
            change = outcome.corrections.get(board, ResultChange(game.pk, Result(game.result), revision=game.revision))
            outcome.corrections[board] = replace(change, played_on=played_on)


def leave_to_arbiters(outcome: Outcome) -> None:
    """An assistant enters results and corrects none: what would have to be previewed stays as it is."""
    for board in outcome.corrections:
        outcome.clashes[board] = Clash(_("Other things rest on this result by now: an arbiter has to change it."))
    outcome.corrections.clear()


# --- the page -----------------------------------------------------------------------------------------------------
def progress_words(progress: RoundProgress) -> str:
    """How far the entering of a round is."""
    return _("%(entered)s of %(games)s results entered") % {"entered": progress.done, "games": progress.boards}


def results(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The boards of a round and what was posted about them; `?to=7` leads to that board."""
    row = get_object_or_404(Round.objects.select_related("stage__tournament"), pk=key)
    check_may_enter(request, row.stage.tournament)
    asked = whole_number(request.GET.get("to", ""))
    if asked is not None:
        return redirect(f"{request.path}#board-{asked}")
    event = row.stage.tournament
    recorded = Game.objects.filter(pairing__round=row).exclude(result="")
    moves = may_correct(request.user, event) and recorded.exists()
    if request.method != "POST":
        form = SittingForm(initial={"played_on": day_of(row)}, corrections=moves, event=event)
        return _show(model_admin, request, row, form)
    # A short form may leave the day out.
    form = SittingForm({"played_on": f"{day_of(row)}", **request.POST.dict()}, corrections=moves, event=event)
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
        names = [f"score-{board}" for board in (*outcome.clashes, *outcome.corrections)]
        waiting |= {name: request.POST[name] for name in names if name in request.POST}
        return _show(model_admin, request, row, form, status=409, clashes=outcome.clashes, typed=waiting)
    if outcome.corrections:
        return redirect(correct_address(outcome.corrections.values(), request.path))
    return redirect(request.get_full_path())


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
    changes = model_admin.has_change_permission(request, row.stage.tournament)
    boards = boards_of(row, viewer, clashes=clashes, typed=typed, mends=changes)
    games = [board for board in boards if board.game]
    progress = RoundProgress(row, len(games), sum(board.decided for board in games))
    only_open = request.GET.get("show") == "open"
    shown = [board for board in games if not board.decided or board.clash] if only_open else boards
    context = {
        "title": _("Enter results, round %(number)s") % {"number": row.number},
        "round": row,
        "boards": shown,
        "unopened": with_headings(row, shown),
        "progress": progress,
        "progress_words": progress_words(progress),
        "read": sum(board.read for board in games),
        "only_open": only_open,
        "form": form,
        "problem": problem,
        "changes": changes,
        "ranked": not isinstance(system_of(row.stage), BracketSystem),
        "todo": what_next(row) if changes and progress.complete else None,
        "said": said_in(row, timezone.now()),
        "keys": keys_in_words(mends=changes),
        "around": accidents_around(row.stage.tournament, officer(request)) if changes else [],
        **late_starts_shown(request, row.stage.tournament),
    }
    return page(model_admin, request, "results", row.stage.tournament, status=status, **context)


def keys_in_words(*, mends: bool) -> list[tuple[str, str]]:
    """The keyboard of the page: which key does what."""
    return [
        ("1", _("White wins")),
        ("0", _("Black wins")),
        ("= 5 ½", _("draw")),
        ("+", _("White wins, Black did not come")),
        ("−", _("Black wins, White did not come")),
        (_("Backspace"), _("clears the board")),
        ("m", _("more results: adjourned, nobody came, penalties")),
        *([("w", _("something went wrong on this board"))] if mends else []),
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
    if row.stage.pairing_system == Teams.key:
        return Todo(_("To the matches"), reverse("admin:tournaments_tournament_matches", args=[tournament.pk]))
    rounds = rounds_of(tournament)
    todo = todo_of(row.stage, [each for each in rounds if each.round.stage_id == row.stage_id])
    first = tournament.stages.order_by("order").first()
    if todo or first is None or not is_played_out(first, rounds):
        return todo
    return Todo(_("Close the event"), reverse("admin:tournaments_tournament_close", args=[tournament.pk]))
