"""Changes of what ratings rest on besides games, as corrections: starting ratings that hold from another day."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from players.models import AuditEvent
from players.refusals import Stale
from ratings.models import StartingRating
from tournaments.corrections.services.changes import Begin, Change, Fact, Why
from tournaments.rated_games.services.people import (
    StartMove,
    begin_of_moves,
    find_starts,
    move_starting_ratings,
)


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
