"""Games that cannot be played because somebody left: in a round robin they are forfeits, + for whoever is still there.

Which games were decided in this way, and not by the arbiter on the board, is read off the audit trail: the events of
an entry's life name their games with the revision each had then. One that was changed since is the arbiter's.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone

from players.models import AuditEvent
from players.trail.services import write_audit
from tournaments.events.selectors.stages import name_sides, system_of
from tournaments.models import Entry, Game, Stage
from tournaments.pairing.base import ScheduleSystem
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import OUTCOMES, Result

LIFE = ("entry.boards-made", "entry.withdrawn", "entry.returned")
# Whether White and Black have left → the result.
_FORFEITS: dict[tuple[bool, bool], Result] = {
    (False, False): Result.OPEN,
    (True, False): Result.WHITE_FORFEITS,
    (False, True): Result.BLACK_FORFEITS,
    (True, True): Result.BOTH_FORFEIT,
}


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A game and the result it gets; `OPEN` takes an earlier forfeit back."""

    game: Game
    result: Result


def games_of(entry: Entry) -> list[Game]:
    """The entry's games in stages whose rounds are all known beforehand, in order of rounds."""
    stages = Stage.objects.filter(tournament=entry.tournament_id)
    keys = [stage.pk for stage in stages if isinstance(system_of(stage), ScheduleSystem)]
    mine = Q(white=entry.player_id) | Q(black=entry.player_id)
    games = Game.objects.filter(mine, pairing__stage__in=keys)
    games = games.select_related("white", "black", "tournament", "pairing__round")
    found = list(games.order_by("pairing__round__number", "number", "pk"))
    name_sides(found)
    return found


def forfeits_for(entry: Entry, games: Iterable[Game], *, left: bool, last_round: int = 0) -> list[Forfeit]:
    """What becomes of the entry's `games` that are open, or were forfeited because somebody left, where the entry
    has `left` or is there. Two who left get nothing; whoever leaves after `last_round` keeps the forfeits up to it."""
    others = {row.player_id: row.withdrawn for row in Entry.objects.filter(tournament=entry.tournament_id)}
    ruled = _ruled(entry.tournament_id)
    found = []
    for game in games:
        if game.result and (ruled.get(game.pk) != game.revision or (left and _was_there(entry, game, last_round))):
            continue
        gone = {**others, entry.player_id: left}
        result = _FORFEITS[gone.get(game.white_id, False), gone.get(game.black_id, False)]
        if result != game.result:
            found.append(Forfeit(game, result))
    return found


def _was_there(entry: Entry, game: Game, last_round: int) -> bool:
    """Whether the entry was still there when the opponent did not come."""
    won = Result.BLACK_FORFEITS if game.white_id == entry.player_id else Result.WHITE_FORFEITS
    number = game.pairing.round.number if game.pairing.round else 0
    return game.result == won and number <= last_round


def last_round_played(games: Iterable[Game]) -> int:
    """The last round with a game played on the board; 0 for none."""
    played = (game.pairing.round for game in games if OUTCOMES[Result(game.result)].played)
    return max((row.number for row in played if row), default=0)


def write_forfeits(forfeits: Iterable[Forfeit], *, by: User | None) -> list[list[int]]:
    """Write them, dated today; key and revision of each game for the audit event. Raises Stale or Refused."""
    return [[row.game.pk, _write(row, by).revision] for row in forfeits]


def forfeit_rest(entry: Entry, *, by: User | None) -> None:
    """The open games of somebody who left before they were made. The event keeps them for a return."""
    if forfeits := write_forfeits(forfeits_for(entry, games_of(entry), left=True), by=by):
        write_audit("entry.boards-made", entry, by=by, after={"forfeits": forfeits})


def _write(row: Forfeit, by: User | None) -> Game:
    game = row.game
    if not game.result:
        today = timezone.localdate()
        return record_result(game=game.pk, result=row.result, played_on=today, by=by, revision=game.revision)
    reason = AuditEvent.Reason.OTHER
    return correct_result(game=game.pk, result=row.result, by=by, revision=game.revision, reason=reason)


def _ruled(tournament: int) -> Mapping[int, int]:
    """The games decided because somebody left, with the revision they had then."""
    entries = Entry.objects.filter(tournament=tournament).values_list("pk", flat=True)
    events = AuditEvent.objects.filter(action__in=LIFE, subject_kind="entry", subject_key__in=list(entries))
    images: Iterable[dict[str, Any]] = events.order_by("pk").values_list("after", flat=True)
    return {game: revision for image in images for game, revision in image.get("forfeits", [])}
