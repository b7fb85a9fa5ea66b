"""Saving one round's boards: what a posted form or keystroke asks for, and what became of it.

A form carries for each board the result chosen (`board-3`), and for each game the revision (`revision-17`) and the
result it was shown with (`was-17`). A board is touched where the choice differs from what was shown; only touched
boards are saved, each by the service and in its own transaction, so one stale board does not hold up the others.
First results are written at once, and so are changed ones while nothing rests on them; any other becomes a
`ResultChange`, to be previewed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import AuditEvent
from players.refusals import Refused, Stale
from tournaments.corrections.services.changes import ResultChange
from tournaments.models import Game, Round
from tournaments.results.admin.boards import Clash, name_of, shown_result
from tournaments.results.services.quick import NeedsPreviewError, change_quickly
from tournaments.results.services.results import game_on_board, record_result
from tournaments.standings.points import OUTCOMES, Result
from tournaments.verification.selectors import READ


@dataclass(frozen=True, slots=True)
class ResultEdit:
    """A touched board: the result chosen, on the form's knowledge of the game. `moved_on`: the next game of a match
    stands on the board by now, and the result is not meant for that."""

    board: int
    game: Game
    result: Result
    revision: int
    moved_on: bool = False


def read_edits(row: Round, posted: Mapping[str, str]) -> list[ResultEdit]:
    """The touched boards of a posted form. Raises Refused where it names a bye, a board or a game that is not in this
    round, or a result that does not exist: such a form is not ours, and nothing of it is saved."""
    rows = Game.objects.filter(pairing__round=row, pairing__superseded=False).select_related("pairing")
    games = {game.pk: game for game in rows.order_by("number")}
    for name in posted:
        prefix, _dash, key = name.partition("-")
        if prefix in ("revision", "was") and _number(key) not in games:
            raise Refused(_("This form names a game that is not in this round: open the round again."))
    edits = []
    by_board = {game.pairing.board: game for game in games.values()}
    shown = {game.pairing.board: game for game in games.values() if f"revision-{game.pk}" in posted}
    for name, code in posted.items():
        prefix, _dash, key = name.partition("-")
        if prefix != "board":
            continue
        board = _number(key)
        latest = by_board.get(board) or game_on_board(row, board)
        game = shown.get(board, latest)
        if code not in OUTCOMES:
            raise Refused(_("Board %(board)s: “%(code)s” is no result.") % {"board": board, "code": code[:20]})
        if code != posted.get(f"was-{game.pk}", game.result):
            revision = _revision(posted.get(f"revision-{game.pk}"))
            edits.append(ResultEdit(board, game, Result(code), revision, moved_on=game != latest))
    return edits


def _number(text: str) -> int:
    """The number at the end of a field's name; -1, which no row has, for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def _revision(text: str | None) -> int:
    # Without one the form cannot say what it knew: -1 is always stale.
    return _number(text or "")


@dataclass(slots=True)
class Outcome:
    """What came of a posted form: how many boards were saved, why others were not, and the corrections that wait for
    their preview, by board."""

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
            outcome.corrections[edit.board] = ResultChange(edit.game.pk, edit.result, revision=edit.revision)
        except Stale as refusal:
            outcome.clashes[edit.board] = clash_of(edit, refusal)
        except Refused as refusal:
            outcome.clashes[edit.board] = Clash(str(refusal))
    return outcome


def save_edit(edit: ResultEdit, *, played_on: date, by: User) -> bool:
    """Save one board; False where it has that result already, whoever entered it. Raises Stale, NeedsPreviewError or
    Refused."""
    stands = Result(edit.game.result)
    if edit.result == stands:
        return False
    if edit.moved_on:
        values = {"number": edit.game.number, "result": shown_result(stands) or _("no result")}
        raise NeedsPreviewError(
            _("The next game stands on this board by now; game %(number)s has %(result)s.") % values
        )
    if edit.revision != edit.game.revision:
        raise Stale(_("Somebody else changed this board meanwhile, and that stands."))
    resumed = stands == Result.ADJOURNED and edit.result != Result.OPEN
    if stands == Result.OPEN or resumed:
        record_result(game=edit.game.pk, result=edit.result, by=by, revision=edit.revision, played_on=played_on)
    else:
        change_quickly(game=edit.game.pk, result=edit.result, by=by, revision=edit.revision)
    return True


def clash_of(edit: ResultEdit, refusal: Stale) -> Clash:
    """Whose result stands, what this arbiter wanted instead, and what he may do about it."""
    game = Game.objects.filter(pk=edit.game.pk).first()
    if game is None:
        return Clash(str(refusal))
    stands = shown_result(Result(game.result)) or _("no result")
    wanted = shown_result(edit.result) or _("no result")
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
    return _(
        "%(who)s entered %(stands)s at %(time)s, and that stands. You had chosen %(wanted)s: "
        "choose it again to change the result."
    ) % {
        "who": name_of(event),
        "stands": stands,
        "time": timezone.localtime(event.at).strftime("%H:%M"),
        "wanted": wanted,
    }


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


@dataclass(frozen=True, slots=True)
class Progress:
    """How many boards of a round have a game, and how many of those a result."""

    games: int
    entered: int

    @property
    def open(self) -> int:
        return self.games - self.entered

    @property
    def complete(self) -> bool:
        return self.entered == self.games

    @property
    def words(self) -> str:
        return _("%(entered)s of %(games)s results entered") % {"entered": self.entered, "games": self.games}
