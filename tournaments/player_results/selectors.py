"""What players say of their boards, as the two sides and the arbiter see it. The public sees none of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F

from tournaments.events.selectors.stages import name_sides
from tournaments.models import Game, PlayerResult, Round
from tournaments.player_results.services import STILL_OPEN, side_of
from tournaments.results.services.results import notation
from tournaments.standings.points import Result


@dataclass(frozen=True, slots=True)
class BoardSaid:
    """An open board with what its sides say; `since` when the first of them said it."""

    game: Game
    white: Result | None
    black: Result | None
    since: datetime

    @property
    def white_says(self) -> str:
        return notation(self.white or "")

    @property
    def black_says(self) -> str:
        return notation(self.black or "")

    @property
    def is_disputed(self) -> bool:
        return self.white is not None and self.black is not None and self.white != self.black

    @property
    def is_agreed(self) -> bool:
        return self.white is not None and self.white == self.black


@dataclass(frozen=True, slots=True)
class RoundSaid:
    """The boards of a round of which somebody said something, the oldest first: the two sides disagree; one is silent
    for longer than the event allows; both agree and wait for a tick; one waits for the other."""

    disputed: tuple[BoardSaid, ...] = ()
    silent: tuple[BoardSaid, ...] = ()
    agreed: tuple[BoardSaid, ...] = ()
    waiting: tuple[BoardSaid, ...] = ()


def said_in(row: Round, now: datetime) -> RoundSaid:
    """What was said of the boards of a round. Two queries; none where players report nothing."""
    event = row.stage.tournament
    if not event.player_results:
        return RoundSaid()
    rows = PlayerResult.objects.filter(
        game__pairing__round=row,
        game__pairing__superseded=False,
        game__result__in=STILL_OPEN,
        revision=F("game__revision"),
    )
    joined = ("entry", "game__tournament", "game__white", "game__black", "game__pairing")
    boards = _boards(rows.select_related(*joined).order_by("at", "pk"))
    name_sides([board.game for board in boards])
    late = now - timedelta(minutes=event.silent_minutes)
    alone = [board for board in boards if board.white is None or board.black is None]
    return RoundSaid(
        tuple(board for board in boards if board.is_disputed),
        tuple(board for board in alone if board.since <= late),
        tuple(board for board in boards if board.is_agreed),
        tuple(board for board in alone if board.since > late),
    )


def said_of(games: Iterable[Game]) -> dict[int, BoardSaid]:
    """What was said of those boards as they are, by the game's key. One query."""
    rows = PlayerResult.objects.filter(game__in=list(games), revision=F("game__revision"))
    joined = rows.select_related("entry", "game__tournament", "game__white", "game__black").order_by("at", "pk")
    return {board.game.pk: board for board in _boards(joined)}


def _boards(said: Iterable[PlayerResult]) -> list[BoardSaid]:
    found: dict[int, list[PlayerResult]] = {}
    for each in said:
        found.setdefault(each.game_id, []).append(each)
    boards = []
    for reports in found.values():
        game = reports[0].game
        by_white = {each.entry.player_id == game.white_id: Result(each.claimed) for each in reports}
        boards.append(BoardSaid(game, by_white.get(True), by_white.get(False), reports[0].at))
    return boards


@dataclass(frozen=True, slots=True)
class OwnSide:
    """A board as one of its players sees it: which entry is his, what he said and what the other side says of the board
    as it is. `before`: what he said of the board as it was, where the result is another now."""

    entry: int
    is_white: bool
    own: PlayerResult | None
    other: PlayerResult | None
    before: PlayerResult | None


def own_side(game: Game, player: int) -> OwnSide | None:
    """None for whoever does not sit on the board. Two queries."""
    entry = side_of(game, player)
    if entry is None:
        return None
    said = list(PlayerResult.objects.filter(game=game))
    own = next((each for each in said if each.entry_id == entry.pk), None)
    other = next((each for each in said if each.entry_id != entry.pk and each.revision == game.revision), None)
    stands = own if own is not None and own.revision == game.revision else None
    differs = own is not None and stands is None and game.result not in STILL_OPEN and own.claimed != game.result
    return OwnSide(entry.pk, entry.player_id == game.white_id, stands, other, own if differs else None)
