"""Reading and saving one round's boards: what the page shows per board, and what a posted form asks for.

A form carries for each board the result chosen (`board-3`), and for each game the revision (`revision-17`) and the
result it was shown with (`was-17`). A board is touched where the choice differs from what was shown; only touched
boards are saved, each by the service and in its own transaction, so one stale board does not hold up the others.
First results are written at once; a changed one becomes a `ResultChange`, to be previewed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import AuditEvent, Player
from players.privacy import Viewer, shown_name
from players.services.refusals import Refused, Stale
from tournaments.models import Entry, Game, Pairing, Round
from tournaments.services.changes import ResultChange
from tournaments.services.results import game_on_board, notation, record_result
from tournaments.standings.points import DECIDED_RESULTS, OUTCOMES, Result

KEYS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.BLACK_FORFEITS, Result.WHITE_FORFEITS)
RARE_KEYS = (
    Result.ADJOURNED,
    Result.BOTH_FORFEIT,
    Result.NO_POINTS,
    Result.WHITE_DRAWS_BLACK_PENALISED,
    Result.BLACK_DRAWS_WHITE_PENALISED,
    Result.OPEN,
)


@dataclass(frozen=True, slots=True)
class Key:
    """One result to choose: the code, how it is written, and what it says in words."""

    code: str
    shown: str
    words: str
    chosen: bool

    @property
    def forfeit(self) -> bool:
        return self.code in (Result.BLACK_FORFEITS, Result.WHITE_FORFEITS)


@dataclass(slots=True)
class Board:
    """A board as the page shows it. A bye has one entry and no game. A match shows its latest game; `earlier` are those
    before, `match` is its key."""

    number: int
    bye: str
    white: Entry | None
    black: Entry | None = None
    game: Game | None = None
    keys: list[Key] = field(default_factory=list)
    rare: list[Key] = field(default_factory=list)
    trouble: str = ""
    earlier: list[Game] = field(default_factory=list)
    match: int | None = None

    @property
    def decided(self) -> bool:
        return self.game is not None and self.game.result in DECIDED_RESULTS

    @property
    def rare_chosen(self) -> bool:
        return any(key.chosen and key.code for key in self.rare)


def boards_of(
    row: Round, viewer: Viewer, *, troubles: Mapping[int, str] | None = None, typed: Mapping[str, str] | None = None
) -> list[Board]:
    """The round's boards in order, in five queries. `troubles`: sentences to show, by board number; `typed`: a posted
    form whose choices are shown again."""
    pairings = Pairing.objects.filter(round=row, superseded=False).order_by("board")
    rows = pairings.prefetch_related("seats__entry__player", "games")
    return [_board(pairing, viewer, troubles or {}, typed or {}) for pairing in rows]


def _board(pairing: Pairing, viewer: Viewer, troubles: Mapping[int, str], typed: Mapping[str, str]) -> Board:
    entries = {seat.entry.player_id: seat.entry for seat in pairing.seats.all()}
    number, games = pairing.board or 0, sorted(pairing.games.all(), key=lambda game: game.number)
    match = pairing.pk if pairing.slot is not None and not pairing.bye else None
    if not games:
        return Board(number, _why_no_game(pairing), next(iter(entries.values()), None), match=match)
    game = games[-1]
    board = Board(number, "", entries[game.white_id], entries[game.black_id], game, trouble=troubles.get(number, ""))
    board.earlier, board.match = games[:-1], match
    _give_keys(board, game, viewer, typed)
    return board


def _why_no_game(pairing: Pairing) -> str:
    if pairing.bye:
        return pairing.get_bye_display()
    return _("decided without a game") if pairing.advanced_id else _("waits for its players")


def _give_keys(board: Board, game: Game, viewer: Viewer, typed: Mapping[str, str]) -> None:
    if board.white is None or board.black is None:
        return
    words = _words(board.white.player, board.black.player, viewer)
    stands = Result(game.result)
    # A loaded game may carry a code without a key of its own: it must be shown to be kept.
    extra = () if stands in (*KEYS, *RARE_KEYS) else (stands,)
    chosen = typed.get(f"board-{board.number}", stands.value or None)
    made = {
        code: Key(
            code.value,
            "–" if code is Result.OPEN else notation(code),
            words.get(code, code.value),
            code.value == chosen,
        )
        for code in (*KEYS, *RARE_KEYS, *extra)
    }
    board.keys = [made[code] for code in KEYS]
    board.rare = [made[code] for code in (*RARE_KEYS, *extra)]


def _words(white: Player, black: Player, viewer: Viewer) -> dict[Result, str]:
    """What each result says of these two."""
    names = {"white": shown_name(white, viewer), "black": shown_name(black, viewer)}
    return {
        Result.WHITE_WINS: _("%(white)s wins") % names,
        Result.DRAW: _("draw"),
        Result.BLACK_WINS: _("%(black)s wins") % names,
        Result.BLACK_FORFEITS: _("%(black)s did not come") % names,
        Result.WHITE_FORFEITS: _("%(white)s did not come") % names,
        Result.BOTH_FORFEIT: _("neither came"),
        Result.NO_POINTS: _("played, no points for either"),
        Result.WHITE_DRAWS_BLACK_PENALISED: _("half a point for %(white)s, none for %(black)s") % names,
        Result.BLACK_DRAWS_WHITE_PENALISED: _("half a point for %(black)s, none for %(white)s") % names,
        Result.OPEN: _("no result"),
        Result.ADJOURNED: _("adjourned"),
    }


@dataclass(frozen=True, slots=True)
class Wish:
    """A touched board: the result chosen, on the form's knowledge of the game."""

    board: int
    game: Game
    result: Result
    revision: int


def read_wishes(row: Round, posted: Mapping[str, str]) -> list[Wish]:
    """The touched boards of a posted form. Raises Refused where it names a bye, a board or a game that is not in this
    round, or a result that does not exist: such a form is not ours, and nothing of it is saved."""
    rows = Game.objects.filter(pairing__round=row, pairing__superseded=False).select_related("pairing")
    games = {game.pk: game for game in rows.order_by("number")}
    for name in posted:
        prefix, _dash, key = name.partition("-")
        if prefix in ("revision", "was") and _number(key) not in games:
            raise Refused(_("This form names a game that is not in this round: open the round again."))
    wishes = []
    by_board = {game.pairing.board: game for game in games.values()}
    for name, code in posted.items():
        prefix, _dash, key = name.partition("-")
        if prefix != "board":
            continue
        board = _number(key)
        game = by_board.get(board) or game_on_board(row, board)
        if code not in OUTCOMES:
            raise Refused(_("Board %(board)s: “%(code)s” is no result.") % {"board": board, "code": code[:20]})
        if code != posted.get(f"was-{game.pk}", game.result):
            wishes.append(Wish(board, game, Result(code), _revision(posted.get(f"revision-{game.pk}"))))
    return wishes


def _number(text: str) -> int:
    """The number at the end of a field's name; -1, which no row has, for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def _revision(text: str | None) -> int:
    # Without one the form cannot say what it knew: -1 is always stale.
    return _number(text or "")


@dataclass(slots=True)
class Outcome:
    """What came of a posted form: how many boards were saved, a sentence for each that was not, and the corrections
    that wait for their preview, by board."""

    saved: int = 0
    troubles: dict[int, str] = field(default_factory=dict)
    corrections: dict[int, ResultChange] = field(default_factory=dict)


def save_wishes(wishes: list[Wish], *, played_on: date, by: User | None) -> Outcome:
    """Save each touched board that is open; a refused one is left as it stands, with its sentence."""
    outcome = Outcome()
    for wish in wishes:
        if wish.result == wish.game.result and wish.revision != wish.game.revision:
            continue  # somebody else was faster and meant the same
        try:
            _save(wish, played_on, by, outcome)
        except Stale as refusal:
            outcome.troubles[wish.board] = _what_stands(wish, refusal)
        except Refused as refusal:
            outcome.troubles[wish.board] = str(refusal)
    return outcome


def _save(wish: Wish, played_on: date, by: User | None, outcome: Outcome) -> None:
    resumed = wish.game.result == Result.ADJOURNED and wish.result not in (Result.OPEN, Result.ADJOURNED)
    if not wish.game.result or (resumed and wish.revision == wish.game.revision):
        record_result(game=wish.game.pk, result=wish.result, by=by, revision=wish.revision, played_on=played_on)
        outcome.saved += 1
    elif wish.revision != wish.game.revision:
        raise Stale(_("Somebody else changed this board meanwhile, and that stands."))
    else:
        outcome.corrections[wish.board] = ResultChange(wish.game.pk, wish.result, revision=wish.revision)


def _what_stands(wish: Wish, refusal: Stale) -> str:
    """Whose result stands, and what this form wanted instead."""
    event = AuditEvent.objects.filter(subject_kind="game", subject_key=wish.game.pk).select_related("actor").first()
    game = Game.objects.filter(pk=wish.game.pk).first()
    if event is None or game is None:
        return str(refusal)
    stands = notation(Result(game.result)) if game.result else _("no result")
    who = (event.actor.get_full_name() or event.actor.get_username()) if event.actor else _("the system")
    return _(
        "%(who)s entered %(stands)s at %(time)s, and that stands. You had chosen %(wanted)s: "
        "choose it again and save to change the result."
    ) % {
        "who": who,
        "stands": stands,
        "time": timezone.localtime(event.at).strftime("%H:%M"),
        "wanted": notation(wish.result) if wish.result else _("no result"),
    }


def move_boards(row: Round, outcome: Outcome, *, played_on: date) -> None:
    """Let every board that has a result wait to be moved to that day; those on it already stay untouched."""
    games = Game.objects.filter(pairing__round=row).exclude(result="").exclude(played_on=played_on)
    for game in games.select_related("pairing").order_by("pairing__board"):
        board = game.pairing.board or 0
        if board not in outcome.troubles:
            change = outcome.corrections.get(board, ResultChange(game.pk, Result(game.result), revision=game.revision))
            outcome.corrections[board] = replace(change, played_on=played_on)
