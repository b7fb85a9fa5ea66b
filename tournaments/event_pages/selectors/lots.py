"""Where lots decided who goes on from one part of an event to the next.

The audit trail is asked only where somebody who goes on was equal with another: lots may be allowed and not needed.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from players.models import AuditEvent
from tournaments.events.selectors.event_data import Entrant, EventData
from tournaments.events.selectors.standings import standings_of
from tournaments.models import Stage


@dataclass(frozen=True, slots=True)
class Equal:
    """Those of a group who were equal in everything on a place from which somebody goes on."""

    group: str
    people: tuple[Entrant, ...]


@dataclass(frozen=True, slots=True)
class Lots:
    """Lots drawn with that seed parted these people, group by group."""

    seed: int
    groups: tuple[Equal, ...]


def lots_of(stages: Sequence[Stage], facts: Sequence[EventData]) -> dict[int, Lots]:
    """The lots that decided who plays in a stage, by its key; `facts` are of the stages played. One query at most."""
    plan = stages[0]
    tied = {part.stage.pk: _tied(part, facts) for part in facts if part.stage.part > 1}
    if plan.lots_seed is None or not any(tied.values()):
        return {}
    drawn = _with_lots(plan.tournament_id)
    return {
        part.stage.pk: Lots(plan.lots_seed, tied[part.stage.pk])
        for part in facts
        if tied.get(part.stage.pk) and part.stage.name in drawn
    }


def _tied(stage: EventData, facts: Sequence[EventData]) -> tuple[Equal, ...]:
    """Who shares a place in the part before with somebody who goes on into the stage."""
    field = {person.key for person in stage.entrants}
    before = [part for part in facts if part.stage.part == stage.stage.part - 1 and not part.is_bracket]
    groups = (Equal(part.stage.name, _equal(part, field)) for part in before)
    return tuple(group for group in groups if group.people)


def _equal(group: EventData, field: set[int]) -> tuple[Entrant, ...]:
    made = standings_of(group)
    rows = [row for row in made.rows if not made.entrants[row.player].withdrawn]
    crowd = Counter(row.place for row in rows)
    going = {row.place for row in rows if made.entrants[row.player].key in field and crowd[row.place] > 1}
    return tuple(made.entrants[row.player] for row in rows if row.place in going)


def _with_lots(tournament: int) -> set[str]:
    """The names of the stages whose field was last made by lots."""
    events = AuditEvent.objects.filter(
        action="stage.qualified", subject_kind="tournament", subject_key=tournament
    ).order_by("pk")
    latest = {after["stage"]: bool(after["lots"]) for after in events.values_list("after", flat=True)}
    return {name for name, lots in latest.items() if lots}
