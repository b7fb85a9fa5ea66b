"""One round's boards as the result pages show them: players, results to choose from, what is known of the result."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from zlib import crc32

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from players.privacy.rules import Viewer
from tournaments.anomalies.selectors import Mark, marks_of
from tournaments.events.selectors.stages import name_together
from tournaments.models import Entry, Game, Pairing, Round
from tournaments.result_reports.selectors import open_by_game
from tournaments.results.admin.accidents import Accident, accidents_of
from tournaments.results.services.handicap import STONES
from tournaments.results.services.results import notation
from tournaments.results.words import handicap_words, result_words
from tournaments.standings.points import DECIDED_RESULTS, Result, score_text
from tournaments.verification.selectors import entered_events, read_games

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


@dataclass(frozen=True, slots=True)
class Entered:
    """Who entered the result that stands (by name; empty for commands), and when."""

    key: int | None
    name: str
    at: datetime

    @property
    def today(self) -> bool:
        return timezone.localdate(self.at) == timezone.localdate()


@dataclass(frozen=True, slots=True)
class Clash:
    """A board that was not saved: why, and what the arbiter may do now. `wanted` is the result he chose, which may be
    entered `instead` of the one to `keep`; `preview` is where he sees what it would move."""

    words: str
    wanted: str = ""
    keep: str = ""
    instead: str = ""
    preview: str = ""


@dataclass(frozen=True, slots=True)
class MatchHeading:
    """A match of teams above its boards: its key, both teams, and its score so far."""

    key: int
    home: str
    away: str
    score: str


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
    clash: Clash | None = None
    earlier: list[Game] = field(default_factory=list)
    match: int | None = None
    entered: Entered | None = None
    marks: tuple[Mark, ...] = ()
    read: bool = False
    reports: int = 0  # that say the result is wrong, and wait
    accidents: list[Accident] = field(default_factory=list)  # for those who may mend them
    typed: str | None = None  # the score as typed, where it is shown again
    heading: MatchHeading | None = None  # of the match of teams that begins here

    @property
    def score(self) -> str:
        """The score that stands, as it is typed."""
        return score_text(self.game.white_points, self.game.black_points) if self.game else ""

    @property
    def score_field(self) -> str:
        """What stands in the field of the score."""
        return self.score if self.typed is None else self.typed

    @property
    def decided(self) -> bool:
        return self.game is not None and self.game.result in DECIDED_RESULTS

    @property
    def adjourned(self) -> bool:
        return self.game is not None and self.game.result == Result.ADJOURNED

    @property
    def shown(self) -> str:
        """The result that stands, as it is written."""
        return notation(self.game.result) if self.game else ""

    @property
    def stones(self) -> list[tuple[int, bool]]:
        """Stones to choose from while there is no result, and which of them stand."""
        if self.game is None or self.game.result:
            return []
        return [(count, count == self.game.handicap) for count in STONES]

    @property
    def handicap(self) -> str:
        """Stones and komi in words; empty for an even game with the usual komi."""
        if self.game is None or (not self.game.handicap and self.game.komi is None):
            return ""
        return handicap_words(self.game.handicap, self.game.komi)

    @property
    def known(self) -> str:
        return known_as(self.game, self.marks, read=self.read) if self.game else ""

    @property
    def rare_chosen(self) -> bool:
        return any(key.chosen and key.code for key in self.rare)


def known_as(game: Game, marks: tuple[Mark, ...], *, read: bool) -> str:
    """What tells two states of a board apart: game, marks (other boards may bring them), second reading."""
    text = f".{crc32('|'.join(mark.words for mark in marks).encode()):x}" if marks else ""
    return f"{game.pk}.{game.revision}{'r' if read else ''}{text}"


def boards_of(
    row: Round,
    viewer: Viewer,
    *,
    clashes: Mapping[int, Clash] | None = None,
    typed: Mapping[str, str] | None = None,
    only: Collection[int] | None = None,
    mends: bool = False,
) -> list[Board]:
    """The round's boards in order; `only` those numbers. `clashes`: what was not saved, by board number; `typed`: a
    posted form whose choices are shown again; for a user who `mends` them with what may have gone wrong. The number of
    queries does not grow with the boards."""
    pairings = Pairing.objects.filter(round=row, superseded=False).order_by("board")
    pairings = pairings if only is None else pairings.filter(board__in=only)
    rows = pairings.prefetch_related("seats__entry__player", "games")
    name_together([seat.entry for pairing in rows for seat in pairing.seats.all()], row.stage.tournament)
    boards = [_board(pairing, viewer, clashes or {}, typed or {}) for pairing in rows]
    games = {board.game.pk: board for board in boards if board.game and board.game.result}
    events, marks, read, reports = entered_events(games), marks_of(row), read_games(row), open_by_game(games)
    for key, board in games.items():
        if event := events.get(key):
            board.entered = Entered(event.actor_id, name_of(event.actor, _("the system")), event.at)
        board.marks, board.read, board.reports = marks.get(key, ()), key in read, reports.get(key, 0)
    if mends:
        for board in boards:
            if board.game and board.white and board.black:
                board.accidents = accidents_of(board.game, board.white, board.black, board.match)
    return boards


def name_of(user: User | None, nobody: str = "") -> str:
    """An officer's own name, which officers may read."""
    return (user.get_full_name() or user.get_username()) if user else nobody


def _board(pairing: Pairing, viewer: Viewer, clashes: Mapping[int, Clash], typed: Mapping[str, str]) -> Board:
    entries = {seat.entry.player_id: seat.entry for seat in pairing.seats.all()}
    number, games = pairing.board or 0, sorted(pairing.games.all(), key=lambda game: game.number)
    match = pairing.pk if pairing.slot is not None and not pairing.bye else None
    if not games:
        return Board(number, _why_no_game(pairing), next(iter(entries.values()), None), match=match)
    game = games[-1]
    white, black = entries[game.white_id], entries[game.black_id]
    board = Board(number, "", white, black, game, clash=clashes.get(number), earlier=games[:-1], match=match)
    board.typed = typed.get(f"score-{number}")
    words, stands = result_words(white.player, black.player, viewer), Result(game.result)
    # A loaded game may carry a code without a key of its own: it must be shown to be kept.
    extra = () if stands in (*KEYS, *RARE_KEYS) else (stands,)
    chosen = typed.get(f"board-{number}", stands.value or None)
    made = {
        code: Key(code.value, notation(code, "–"), words.get(code, code.value), code.value == chosen)
        for code in (*KEYS, *RARE_KEYS, *extra)
    }
    board.keys = [made[code] for code in KEYS]
    board.rare = [made[code] for code in (*RARE_KEYS, *extra)]
    return board


def _why_no_game(pairing: Pairing) -> str:
    if pairing.bye:
        return pairing.get_bye_display()
    return _("decided without a game") if pairing.advanced_id else _("waits for its players")
