"""Where an event's plan does not fit together: nothing here is forbidden, and an arbiter should know of it."""

from collections.abc import Iterable

from tournaments.events.selectors.stages import round_limit
from tournaments.models import ByeKind, ByeRequest, Round, Stage, Tournament


def rounds_outside(tournament: Tournament, rounds: Iterable[Round]) -> list[Round]:
    """Those of the rounds that are planned before the event's first day, or after its last. No query."""
    first, last = tournament.starts_on, tournament.ends_on
    return [
        row
        for row in rounds
        if row.planned_on and ((first and row.planned_on < first) or (last and row.planned_on > last))
    ]


def byes_too_late(stage: Stage) -> list[ByeRequest]:
    """Byes asked for rounds that do not come, and half-point byes in those last rounds in which the event gives none:
    what is left where the number of rounds was lowered. Two queries at most, none where that number is open."""
    limit = round_limit(stage)
    if limit is None:
        return []
    asked = ByeRequest.objects.filter(entry__tournament=stage.tournament_id, entry__withdrawn=False)
    last_half = limit - stage.tournament.half_byes_end
    return [
        bye
        for bye in asked.select_related("entry__player").order_by("round_number", "pk")
        if bye.round_number > limit or (bye.kind == ByeKind.HALF and bye.round_number > last_half)
    ]
