"""The stages of an event: which are played, and who plays in each."""

from django.db.models import Prefetch

from tournaments.models import Entry, Stage, StageEntry, Tournament
from tournaments.pairing import pairing_system
from tournaments.pairing.base import FreeSystem, PairingError, PairingSystem, PlanSystem, RoundSystem, read_options


def system_of(stage: Stage) -> PairingSystem | None:
    """The stage's pairing system; None for the stage of a loaded stream, which has none."""
    return pairing_system(stage.pairing_system) if stage.pairing_system else None


def is_ladder(stage: Stage) -> bool:
    """Whether the stage is free play for places."""
    system = system_of(stage)
    return isinstance(system, FreeSystem) and system.ladder


def is_plan(stage: Stage) -> bool:
    """Whether the stage only says which others the event has."""
    return isinstance(system_of(stage), PlanSystem)


def played_stages(tournament: Tournament) -> list[Stage]:
    """The stages that have rounds of their own, in order, each with its `field` of entries at hand. Two queries."""
    rows = StageEntry.objects.select_related("entry__player").order_by("number")
    stages = Stage.objects.filter(tournament=tournament).select_related("tournament").order_by("order")
    return [stage for stage in stages.prefetch_related(Prefetch("field", queryset=rows)) if not is_plan(stage)]


def round_limit(stage: Stage) -> int | None:
    """How many rounds the stage has, where its settings say so."""
    system = system_of(stage)
    if not isinstance(system, RoundSystem):
        return None
    try:
        rounds = read_options(system.options, stage.settings).get("rounds")
    except PairingError:
        return None
    return rounds if isinstance(rounds, int) and rounds > 0 else None


def field_of(stage: Stage) -> dict[int, Entry]:
    """Who plays in the stage, by the number each has there: everybody with his pairing number, or the stage's own."""
    if stage.takes_everybody:
        entries = Entry.objects.filter(tournament=stage.tournament_id, number__isnull=False).select_related("player")
        return {entry.number: entry for entry in entries.order_by("number") if entry.number is not None}
    rows = StageEntry.objects.filter(stage=stage).select_related("entry__player").order_by("number")
    return {row.number: row.entry for row in rows}


def waits_for_results(stage: Stage) -> bool:
    """Whether the stage's field is still to come, from the results of the part before."""
    return not stage.takes_everybody and not StageEntry.objects.filter(stage=stage).exists()
