"""One board at a time, as JSON: what the script of the result page asks (`static/js/results.js`).

POST  a result for one board: {"game", "result", "revision", "played_on", "stones"}, or a "score", from which the result
      follows where none is given. The answer is the board as it stands after.
GET   the state of every board, with an ETag; with `?boards=3,7` those boards drawn anew.

Answers: 200 the board has the result asked for; 409 it has not, and says why; 400 for what is no result of this round.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from typing import Any

from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _

from clubrating.ground.numbers import number_in
from clubrating.web.admin import officer
from players.refusals import Refused, Stale
from tournaments.anomalies.selectors import marks_of
from tournaments.corrections.admin.corrections import correct_address
from tournaments.corrections.services.changes import ResultChange
from tournaments.events.admin.event_page import check_may_enter, with_names
from tournaments.events.admin.forms import SittingForm
from tournaments.events.selectors.officers import may_correct
from tournaments.models import Game, Round
from tournaments.results.admin.boards import Clash, boards_of, known_as
from tournaments.results.admin.match_headings import scores_of
from tournaments.results.admin.results import (
    ResultEdit,
    clash_of,
    progress_words,
    save_edit,
    stones_in,
    what_next,
    with_score,
)
from tournaments.results.services.quick import NeedsPreviewError
from tournaments.results.services.results import day_of, notation
from tournaments.rounds.selectors.progress import RoundProgress
from tournaments.standings.points import DECIDED_RESULTS, OUTCOMES, Result
from tournaments.verification.selectors import read_games

MOST_BYTES = 1000
LARGEST = 2**31 - 1
MOST_BOARDS = 500


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who looks at which round: what every answer needs."""

    request: HttpRequest
    row: Round
    changes: bool  # may change the event, not only enter its results

    def clash_answer(self, board: int, clash: Clash) -> HttpResponse:
        return _drawn(self, {board}, status=409, clashes={board: clash})


def board(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The boards of a round, and one result for one of them."""
    row = get_object_or_404(Round.objects.select_related("stage__tournament"), pk=key)
    event = row.stage.tournament
    check_may_enter(request, event)
    at = Sitting(request, row, model_admin.has_change_permission(request, event))
    if request.method == "POST":
        return _enter(at)
    if request.method != "GET":
        return HttpResponseNotAllowed(["GET", "POST"])
    if "boards" not in request.GET:
        return _states(at)
    return _drawn(at, {number_in(part) for part in request.GET["boards"].split(",")[:MOST_BOARDS]} - {-1})


def _enter(at: Sitting) -> HttpResponse:
    try:
        posted = _posted(at.request)
        edit, day = _wish(at.row, posted), _day(at.row, posted)
    except Refused as refusal:
        return JsonResponse({"words": str(refusal)}, status=400)
    try:
        save_edit(edit, played_on=day, by=officer(at.request))
    except NeedsPreviewError as refusal:
        return at.clash_answer(edit.board, _to_preview(at, edit, refusal))
    except Stale as refusal:
        return at.clash_answer(edit.board, clash_of(edit, refusal))
    except Refused as refusal:
        return at.clash_answer(edit.board, Clash(with_names(str(refusal))))
    return _drawn(at, {edit.board})


@dataclass(frozen=True, slots=True)
class Posted:
    """A keystroke as it came: of the right kinds, and not yet known to mean anything."""

    game: int
    revision: int
    result: str
    played_on: str
    score: str | None
    stones: str


def _posted(request: HttpRequest) -> Posted:
    """Raises Refused for anything but those."""
    if len(request.body) > MOST_BYTES:
        raise Refused(_("This is more than one board: reload the page."))
    try:
        values = json.loads(request.body)
        texts = (values["result"], values.get("played_on", ""), values.get("score"), values.get("stones", ""))
        posted = Posted(values["game"], values["revision"], *texts)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Refused(_("This names no board: reload the page.")) from None
    numbers = all(type(number) is int and 0 <= number <= LARGEST for number in (posted.game, posted.revision))
    words = all(isinstance(text, str) for text in (posted.result, posted.played_on, posted.stones))
    if not numbers or not words or not isinstance(posted.score, str | None):
        raise Refused(_("This names no board: reload the page."))
    return posted


def _wish(row: Round, posted: Posted) -> ResultEdit:
    """The edit for a board of that round. Raises Refused."""
    games = Game.objects.filter(pairing__round=row, pairing__superseded=False, pairing__games=posted.game)
    rows = list(games.select_related("pairing", "tournament").order_by("number"))
    game = next((each for each in rows if each.pk == posted.game), None)
    if game is None:
        raise Refused(_("This game is not in this round any more: reload the page."))
    if posted.result not in OUTCOMES:
        raise Refused(_("“%(code)s” is no result.") % {"code": posted.result[:20]})
    board, result = game.pairing.board or 0, Result(posted.result)
    stones = stones_in(posted.stones)
    edit = ResultEdit(board, game, result, posted.revision, moved_on=game != rows[-1], stones=stones)
    if posted.score is None:
        return edit
    kept = edit if result else replace(edit, result=Result(game.result))
    return with_score(kept, posted.score, chosen=bool(result))


def _day(row: Round, posted: Posted) -> date:
    """The day the board was played on, as the form would take it. Raises Refused."""
    given = {"played_on": posted.played_on or f"{day_of(row)}"}
    form = SittingForm(given, corrections=False, event=row.stage.tournament)
    if not form.is_valid():
        raise Refused(" ".join(str(error) for errors in form.errors.values() for error in errors))
    day: date = form.cleaned_data["played_on"]
    return day


def _to_preview(at: Sitting, edit: ResultEdit, refusal: NeedsPreviewError) -> Clash:
    """What rests on the result, and for those who may correct it the page that shows what would move."""
    keep = _("Keep %(result)s") % {"result": notation(edit.game.result)}
    if not may_correct(at.request.user, at.row.stage.tournament):
        return Clash(_("%(why)s An arbiter has to do it.") % {"why": refusal}, keep=keep)
    back = reverse("admin:tournaments_tournament_results", args=[at.row.pk])
    # Where the next game of a match took the board, the page cannot know the revision of the one before.
    change = ResultChange(edit.game.pk, edit.result, revision=edit.game.revision, score=edit.score)
    return Clash(str(refusal), keep=keep, preview=correct_address([change], back))


# --- answers ------------------------------------------------------------------------------------------------------
def _drawn(
    at: Sitting, numbers: set[int], *, status: int = 200, clashes: Mapping[int, Clash] | None = None
) -> JsonResponse:
    """Those boards as the page shows them, and how far the round is."""
    viewer = at.request.viewer  # type: ignore[attr-defined]
    drawn, context = {}, {"tournament": at.row.stage.tournament, "changes": at.changes}
    for board in boards_of(at.row, viewer, clashes=clashes, only=numbers, mends=at.changes):
        template = "admin/tournaments/tournament/_board.html"
        drawn[board.number] = render_to_string(template, {**context, "board": board}, request=at.request)
    return JsonResponse({"boards": drawn, **_progress(at)}, status=status)


def _progress(at: Sitting) -> dict[str, Any]:
    games = _latest_games(at.row).values()
    progress = RoundProgress(at.row, len(games), sum(game.result in DECIDED_RESULTS for game in games))
    todo = what_next(at.row) if at.changes and progress.complete else None
    return {
        "games": progress.boards,
        "entered": progress.done,
        "words": progress_words(progress),
        "matches": scores_of(at.row),
        "todo": {"url": str(todo.url), "words": str(todo.words)} if todo else None,
    }


def _latest_games(row: Round) -> dict[int, Game]:
    """The game on each board, in one query: of a match the latest."""
    games = Game.objects.filter(pairing__round=row, pairing__superseded=False)
    rows = games.select_related("pairing").only("result", "revision", "pairing__board").order_by("number")
    return {game.pairing.board or 0: game for game in rows}


def _states(at: Sitting) -> HttpResponse:
    """What tells the states of all boards apart; 304 where the browser knows it."""
    read, marks = read_games(at.row), marks_of(at.row)
    states = {
        board: known_as(game, marks.get(game.pk, ()), read=game.pk in read)
        for board, game in _latest_games(at.row).items()
    }
    etag = quote_etag(sha256(json.dumps(states, sort_keys=True).encode()).hexdigest()[:32])
    answer = JsonResponse({"states": states})
    answer["ETag"] = etag
    return get_conditional_response(at.request, etag=etag, response=answer) or answer
