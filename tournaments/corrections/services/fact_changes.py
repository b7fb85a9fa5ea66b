"""Changes of other facts than results, as corrections: starting ratings that hold from another day, stones and komi of
a game, and the note on a result, by which no rating moves."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from players.models import AuditEvent
from players.refusals import Stale
from ratings.models import StartingRating
from ratings.systems.base import Handicap
from tournaments.corrections.services.changes import Begin, Change, Fact, OfOneGame, Why
from tournaments.models import Footnote, Game
from tournaments.rated_games.services.people import (
    StartMove,
    begin_of_moves,
    find_starts,
    move_starting_ratings,
)
from tournaments.results.services.footnotes import note_result
from tournaments.results.services.handicap import set_handicap


@dataclass(frozen=True, slots=True)
class StartsMoved(Change):
    """Starting ratings that hold from other days; see `move_starting_ratings`."""

    moves: tuple[StartMove, ...]

    def facts(self) -> list[Fact]:
        keys = [move.start for move in self.moves]
        rows = StartingRating.objects.filter(pk__in=keys).order_by("pk").values_list("pk", "revision")
        return [("start", pk, revision) for pk, revision in rows]

    def begin(self) -> Begin:
        return begin_of_moves(find_starts(self.moves))

    def players(self) -> Iterable[int]:
        return [row.player_id for row, _on in find_starts(self.moves)]

    def carry_out(self, why: Why) -> None:
        move_starting_ratings(self.moves, by=why.by, reason=why.reason, note=why.note)


def moved_back(event: AuditEvent) -> StartsMoved | None:
    """The change that lets starting ratings hold from the days before again; None where one was changed since."""
    moves = [
        StartMove(int(key), revision, date.fromisoformat(day))
        for key, (day, revision) in event.after.get("together", {}).items()
    ]
    change = StartsMoved(tuple(moves))
    try:
        return change if moves and change.begin() else None
    except Stale:
        return None


@dataclass(frozen=True, slots=True)
class HandicapChange(OfOneGame):
    """Other stones or another komi of a game of go; see `set_handicap`."""

    stones: int
    komi: float | None
    revision: int | None = None

    def carry_out(self, why: Why) -> Game:
        return set_handicap(
            game=self.game,
            given=Handicap(self.stones, self.komi),
            revision=self.revision,
            by=why.by,
            reason=why.reason,
            note=why.note,
            beside=why.beside,
        )


@dataclass(frozen=True, slots=True)
class FootnoteChange(OfOneGame):
    """Another note on a result, in place of the one `seen`; see `note_result`."""

    text: str
    seen: str

    def begin(self) -> Begin:
        return {}

    def carry_out(self, why: Why) -> Game:
        return note_result(game=self.game, text=self.text, seen=self.seen, by=why.by, reason=why.reason, note=why.note)


def note_before(event: AuditEvent) -> FootnoteChange | None:
    """The change that brings the note before back; None where another was written since."""
    stands = Footnote.objects.filter(game=event.subject_key).values_list("text", flat=True).first() or ""
    there = Game.objects.filter(pk=event.subject_key).exists()
    return (
        FootnoteChange(event.subject_key, event.before["footnote"], stands)
        if (there and stands == event.after["footnote"])
        else None
    )
