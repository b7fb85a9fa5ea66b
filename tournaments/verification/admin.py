"""The second reading of a round: its results read once more from the slips, without seeing what was entered.

Only results not read yet stand on the form, with nothing chosen. Where the reader read something else the board comes
back with both, and he says which stands: what was entered (it counts as read), or what he read (it goes on to the
preview of a correction).

Answers: 302 after saving, 409 where a board differs, is stale or refused (the others are saved by then), 400 for a form
that names a foreign game or no result (nothing is saved).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.ground.numbers import number_in
from clubrating.web.admin import officer
from players.privacy.rules import Viewer
from players.refusals import Refused
from tournaments.corrections.admin.corrections import correct_address
from tournaments.corrections.services.changes import ResultChange
from tournaments.events.admin.event_page import check_may_enter, page
from tournaments.events.selectors.officers import may_correct
from tournaments.models import Game, Round, Tournament
from tournaments.results.admin.boards import KEYS, RARE_KEYS, Key, name_of
from tournaments.results.services.results import notation
from tournaments.results.words import result_words
from tournaments.standings.points import DECIDED_RESULTS, Result
from tournaments.verification.selectors import NO_OTHER_READER, entered_events, games_to_read, lack_another, readings_of
from tournaments.verification.services import Differs, must_be_another, read_result

KEEP, CORRECT = "keep", "correct"


@dataclass(frozen=True, slots=True)
class Read:
    """The result on the slip, on the reader's knowledge of the game; `stands` (keep, correct) once he saw both."""

    game: Game
    result: Result
    revision: int
    stands: str = ""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A board on which the reader read something else: both results, and who entered the other and when."""

    entered: str
    read: str
    code: str
    who: str
    at: str


@dataclass(slots=True)
class Outcome:
    """What came of a posted form, by the game's key. `corrections` wait for their preview."""

    saved: int = 0
    troubles: dict[int, str] = field(default_factory=dict)
    doubts: dict[int, Doubt] = field(default_factory=dict)
    corrections: list[ResultChange] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Board:
    """A result to be read: its game with both players, and the keys."""

    game: Game
    keys: Sequence[Key]
    rare: Sequence[Key]
    trouble: str = ""
    doubt: Doubt | None = None

    @property
    def number(self) -> int:
        return self.game.pairing.board or 0

    @property
    def rare_chosen(self) -> bool:
        return any(key.chosen for key in self.rare)


def second_reading(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """A round's unread results, and what was posted about them."""
    row = get_object_or_404(Round.objects.select_related("stage__tournament"), pk=key)
    check_may_enter(request, row.stage.tournament)
    if request.method != "POST":
        return _show(model_admin, request, row)
    try:
        wishes = _wishes(row, request.POST.dict())
    except Refused as refusal:
        return _show(model_admin, request, row, status=400, problem=str(refusal))
    outcome = _save(wishes, officer(request), may_correct=may_correct(request.user, row.stage.tournament))
    _say(request, outcome)
    if outcome.troubles or outcome.doubts:
        typed = {wish.game.pk: wish.result for wish in wishes}
        typed |= {change.game: change.result for change in outcome.corrections}
        return _show(model_admin, request, row, status=409, outcome=outcome, typed=typed)
    if outcome.corrections:
        return redirect(correct_address(outcome.corrections, request.path))
    return redirect(request.path)


# --- saving -------------------------------------------------------------------------------------------------------
def _wishes(row: Round, posted: Mapping[str, str]) -> list[Read]:
    """What a posted form says. Raises Refused where it names a game that is not in this round, or no result."""
    games = Game.objects.filter(pairing__round=row, pairing__superseded=False).select_related("pairing")
    by_key = {str(game.pk): game for game in games}
    wishes = []
    for name, code in posted.items():
        prefix, _dash, key = name.partition("-")
        if prefix not in ("read", "revision", "stands"):
            continue
        if key not in by_key:
            raise Refused(_("This form names a game that is not in this round: open the page again."))
        if prefix != "read":
            continue
        if code not in DECIDED_RESULTS:
            raise Refused(_("“%(code)s” is no result that can be read.") % {"code": code[:20]})
        stands = posted.get(f"stands-{key}", "")
        wishes.append(Read(by_key[key], Result(code), number_in(posted.get(f"revision-{key}", "")), stands))
    return sorted(wishes, key=lambda wish: (wish.game.pairing.board or 0, wish.game.number))


def _save(wishes: Sequence[Read], by: User, *, may_correct: bool) -> Outcome:
    """Read each result, every one for itself: one that differs does not hold up the others."""
    outcome = Outcome()
    for wish in wishes:
        key = wish.game.pk
        if wish.stands == CORRECT and may_correct and wish.revision == wish.game.revision:
            outcome.corrections.append(ResultChange(key, wish.result, revision=wish.revision))
            continue
        kept = wish.stands == KEEP and wish.game.result in DECIDED_RESULTS
        result = Result(wish.game.result) if kept else wish.result
        try:
            read_result(game=key, result=result, by=by, revision=wish.revision)
        except Differs as differs:
            outcome.doubts[key] = _doubt(wish, differs)
        except Refused as refusal:
            outcome.troubles[key] = str(refusal)
        else:
            outcome.saved += 1
    return outcome


def _doubt(wish: Read, differs: Differs) -> Doubt:
    event = entered_events([wish.game.pk]).get(wish.game.pk)
    who = name_of(event.actor if event else None, _("the system"))
    at = timezone.localtime(event.at).strftime("%H:%M") if event else ""
    return Doubt(notation(differs.stands), notation(wish.result), wish.result.value, who, at)


def _say(request: HttpRequest, outcome: Outcome) -> None:
    if outcome.saved:
        text = ngettext("%(count)s result is read.", "%(count)s results are read.", outcome.saved)
        messages.success(request, text % {"count": outcome.saved})
    elif not (outcome.troubles or outcome.doubts or outcome.corrections):
        messages.info(request, _("Nothing was chosen, so nothing was read."))
    if outcome.doubts:
        text = ngettext(
            "On %(count)s board you read something else: say below which stands.",
            "On %(count)s boards you read something else: say below which stands.",
            len(outcome.doubts),
        )
        messages.warning(request, text % {"count": len(outcome.doubts)})
    if outcome.troubles:
        text = ngettext("%(count)s board is not read.", "%(count)s boards are not read.", len(outcome.troubles))
        messages.error(request, text % {"count": len(outcome.troubles)})


# --- the page -----------------------------------------------------------------------------------------------------
def _show(
    model_admin: ModelAdmin,
    request: HttpRequest,
    row: Round,
    *,
    status: int = 200,
    problem: str = "",
    outcome: Outcome | None = None,
    typed: Mapping[int, Result] | None = None,
) -> HttpResponse:
    tournament = row.stage.tournament
    games = games_to_read(row)
    own = _entered_by(officer(request), games, tournament)
    viewer = request.viewer  # type: ignore[attr-defined]
    found, boards = outcome or Outcome(), []
    for game in games:
        if game.pk not in own:
            keys, rare = _keys(game, viewer, (typed or {}).get(game.pk))
            boards.append(Board(game, keys, rare, found.troubles.get(game.pk, ""), found.doubts.get(game.pk)))
    readings = list(readings_of(row))
    read = {reading.game_id for reading in readings}
    context: dict[str, Any] = {
        "title": _("Second reading, round %(number)s") % {"number": row.number},
        "round": row,
        "boards": boards,
        "own": [game.pairing.board for game in games if game.pk in own],
        "results": len(games) + len(read),
        "read": len(read),
        "readings": [
            (reading, notation(reading.result), name_of(reading.by, _("somebody no longer here")))
            for reading in readings
        ],
        "nobody_else": NO_OTHER_READER if tournament.pk in lack_another([tournament.pk]) else "",
        "changes": model_admin.has_change_permission(request, tournament),
        "may_correct": may_correct(request.user, tournament),
        "problem": problem,
    }
    return page(model_admin, request, "read", tournament, status=status, **context)


def _entered_by(user: User, games: Sequence[Game], tournament: Tournament) -> set[int]:
    """The games somebody else has to read, since that user entered their results."""
    if not games or not must_be_another(tournament):
        return set()
    events = entered_events([game.pk for game in games])
    return {key for key, event in events.items() if event.actor_id == user.pk}


def _keys(game: Game, viewer: Viewer, chosen: Result | None) -> tuple[Sequence[Key], Sequence[Key]]:
    """The usual keys and the rare ones; those that settle nothing are none to read."""
    words = result_words(game.white, game.black, viewer)
    made = {
        code: Key(code.value, notation(code), words.get(code, code.value), code == chosen)
        for code in DECIDED_RESULTS
        if code in words
    }
    return [made[code] for code in KEYS], [made[code] for code in RARE_KEYS if code in made]
