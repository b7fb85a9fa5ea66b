"""The stages of an event: which are played, who plays in each, and who plays together.

An entry of more than one bears the names of all of them.
"""

from collections.abc import Collection, Iterable, Sequence

from django.db.models import F, Prefetch, Q, QuerySet

from players.models import Player
from tournaments.models import Entry, EntryMember, Game, Stage, StageEntry, Tournament
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


def whole_stage(stage: Stage) -> Stage:
    """The stage that stands for the whole event: in one of several parts its plan. No query where it is itself."""
    if stage.takes_everybody:
        return stage
    stages = Stage.objects.filter(tournament=stage.tournament_id).select_related("tournament")
    return stages.order_by("order")[0]


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
        field = {entry.number: entry for entry in entries.order_by("number") if entry.number is not None}
    else:
        rows = StageEntry.objects.filter(stage=stage).select_related("entry__player").order_by("number")
        field = {row.number: row.entry for row in rows}
    name_together(list(field.values()), stage.tournament)
    return field


def waits_for_results(stage: Stage) -> bool:
    """Whether the stage's field is still to come, from the results of the part before."""
    return not stage.takes_everybody and not StageEntry.objects.filter(stage=stage).exists()


# --- who plays together ------------------------------------------------------------------------------------------
def members_of(entries: Iterable[int]) -> dict[int, list[Player]]:
    """Everybody of those entries (by key), in order; entries of one player are missing. One query."""
    rows = EntryMember.objects.filter(entry__in=list(entries)).select_related("player").order_by("entry", "order")
    found: dict[int, list[Player]] = {}
    for row in rows:
        found.setdefault(row.entry_id, []).append(row.player)
    return found


def name_together(entries: Sequence[Entry], tournament: Tournament) -> None:
    """Let the player of each of those entries be named with everybody who plays in it (`Player.beside`). One query,
    none where everybody plays alone."""
    if tournament.entry_size > 1:
        members = members_of(entry.pk for entry in entries)
        for entry in entries:
            entry.player.beside = tuple(members.get(entry.pk, ())[1:])


def name_sides(games: Iterable[Game]) -> None:
    """The same for both players of those games, whose event is joined in. One query for all of them."""
    together = [game for game in games if game.tournament.entry_size > 1]
    if not together:
        return
    events = {game.tournament_id for game in together}
    rows = EntryMember.objects.filter(tournament__in=events).select_related("player", "entry").order_by("order")
    beside: dict[tuple[int, int], list[Player]] = {}
    for row in rows:
        if row.player_id != row.entry.player_id:
            beside.setdefault((row.tournament_id, row.entry.player_id), []).append(row.player)
    for game in together:
        for player in (game.white, game.black):
            player.beside = tuple(beside.get((game.tournament_id, player.pk), ()))


def games_with(players: Collection[int] | QuerySet[Player]) -> Q:
    """A condition: games at whose board one of those (by key) sits, alone or as somebody's partner."""
    partner = Q(tournament__entry_members__player__in=players)
    first = "tournament__entry_members__entry__player"
    beside = Game.objects.filter(partner & (Q(**{first: F("white")}) | Q(**{first: F("black")})))
    return Q(white__in=players) | Q(black__in=players) | Q(pk__in=beside.values("pk"))


def sits_at(side: Player, player: int) -> bool:
    """Whether that player (by key) is the one of a side, which `name_sides` or the like has named, or a partner."""
    return player in {each.pk for each in (side, *side.beside)}
