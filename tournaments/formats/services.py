"""Stages of an event: formed from its plan, filled from the part before, and their settings while under way.

An event of several stages begins with its plan; forming it makes the others (groups, stations, play-offs), each drawn
when its turn comes. Stages of one part are played side by side. A part that depends on results gets its field from the
standings of the part before, when that is over (`qualify`).

`change_running_settings`: settings of a format that makes its rounds one by one, changed while it is under way. Only
the number of rounds may still change, to no fewer than are made: the colour number 1 began with and the acceleration
have been played by. Under Baku acceleration the number of rounds says who has had virtual points in which round, so
there it changes only while that stays the same for the rounds made.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from random import Random
from secrets import randbelow
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from clubrating.ground.marks import joined
from players.privacy.rules import OFFICER
from players.refusals import Refused, said
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.entries.services.entries import numbered
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.events import facts_of
from tournaments.events.selectors.stages import played_stages, system_of
from tournaments.events.selectors.standings import standings_of
from tournaments.events.services.events import check_settings
from tournaments.events.services.unplayed import played_among, refuse_closed, ruled_among
from tournaments.knockouts.services.brackets import draw_bracket
from tournaments.models import Entry, Game, Pairing, Round, Stage, StageEntry, Tournament
from tournaments.pairing import PairingError
from tournaments.pairing.base import SEED_BELOW, BracketSystem, PlanSystem, RoundSystem, read_options
from tournaments.pairing.dutch.system import BAKU, baku
from tournaments.rounds.selectors.field import next_number, points_of_event, rounds_before
from tournaments.rounds.services.rounds import delete_rounds, pair_all_rounds


# --- stages from the plan -----------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Calendar:
    """When rounds are planned, the first on `first_day`, and whether they are published at once or drafts."""

    first_day: date | None = None
    days_between: int = 7
    publish: bool = True


@transaction.atomic
def form_stages(plan: Stage, *, by: User | None, seed: int | None = None) -> list[Stage]:
    """Make the stages of an event of several parts, with the fields that are known. `seed` of the lots. Raises Refused
    where numbers are missing, the stages are there, or the field does not fit the plan."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=plan.tournament_id)
    refuse_closed(tournament)
    system = _plan_system(plan)
    if Stage.objects.filter(tournament=tournament, order__gt=plan.order).exists():
        raise Refused(_("The stages are formed already: take them apart to form them anew."))
    entries = {entry.number: entry for entry in Entry.objects.filter(tournament=tournament)}
    if not entries or not numbered(entries):
        raise Refused(_("Not everybody has a pairing number: draw lots or sort by rating first."))
    drawn = randbelow(SEED_BELOW) if seed is None else seed
    try:
        planned = system.plan(len(entries), plan.settings, Random(drawn))
    except PairingError as refusal:
        raise Refused(said(refusal)) from None
    Stage.objects.filter(pk=plan.pk).update(lots_seed=drawn)
    stages = []
    for order, each in enumerate(planned, start=plan.order + 1):
        stage = Stage.objects.create(
            tournament_id=plan.tournament_id,
            order=order,
            part=each.part,
            takes_everybody=False,
            name=each.name,
            pairing_system=each.system,
            settings=dict(each.settings),
            pool=plan.pool,
        )
        _fill(stage, [entries[number] for number in each.numbers])
        stages.append(stage)
    after = {"seed": drawn, "stages": [stage.name for stage in stages]}
    write_audit("stages.formed", tournament, by=by, after=after)
    return stages


def _plan_system(plan: Stage) -> PlanSystem:
    system = system_of(plan)
    if not isinstance(system, PlanSystem):
        raise Refused(_("This event has one part only."))
    return system


def _fill(stage: Stage, entries: Sequence[Entry]) -> None:
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, entry=entry, number=number) for number, entry in enumerate(entries, start=1)
    )


@transaction.atomic
def dissolve_stages(plan: Stage, *, by: User | None) -> None:
    """Take the stages of an event apart, their rounds too. Raises Refused where a result is recorded."""
    lock_lists()
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=plan.tournament_id)
    refuse_closed(tournament)
    _plan_system(plan)
    stages = Stage.objects.filter(tournament=tournament, order__gt=plan.order)
    if played_among(Game.objects.filter(pairing__stage__in=stages)):
        raise Refused(_("Results are recorded: clear them before you take the stages apart."))
    if ruled_among(Pairing.objects.filter(stage__in=stages, superseded=False)):
        raise Refused(_("Matches were decided by the arbiter: take that back before you take the stages apart."))
    names = list(stages.values_list("name", flat=True))
    Game.objects.filter(pairing__stage__in=stages).delete()
    Round.objects.filter(stage__in=stages).delete()
    stages.delete()
    write_audit("stages.dissolved", tournament, by=by, before={"stages": names})


@transaction.atomic
def make_rounds(
    stage: Stage, *, by: User | None, calendar: Calendar, seed: int | None = None, lots: bool = False
) -> list[Round]:
    """All rounds of a stage whose format knows them beforehand, or its bracket; first its field, where the part before
    decides it. `seed` of a knockout's lots; `lots` lets chance part those who are equal in a group. Raises Refused."""
    if not stage.takes_everybody and not StageEntry.objects.filter(stage=stage).exists():
        qualify(stage, by=by, lots=lots)
    day, between, publish = calendar.first_day, calendar.days_between, calendar.publish
    if isinstance(system_of(stage), BracketSystem):
        return draw_bracket(stage, by=by, seed=seed, first_day=day, days_between=between, publish=publish)
    return pair_all_rounds(stage, by=by, first_day=day, days_between=between, publish=publish)


# --- from one part to the next ------------------------------------------------------------------------------------
@transaction.atomic
def qualify(stage: Stage, *, by: User | None, lots: bool = False) -> list[Entry]:
    """Give a stage its field from the standings of the part before, by the event's plan. Raises Refused while that
    part is under way, and where somebody is equal with another and `lots` are not wanted."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=stage.tournament_id)
    plan = Stage.objects.filter(tournament=tournament).order_by("order")[0]
    before = [row for row in played_stages(tournament) if row.part == stage.part - 1]
    entries = {entry.number: entry for entry in Entry.objects.filter(tournament=tournament).select_related("player")}
    chance = Random(f"{plan.lots_seed} {stage.order}") if lots else None
    groups = [_order(facts, chance) for facts in facts_of(before, OFFICER)]
    own = {entry.pk: number for number, entry in entries.items()}
    try:
        chosen = _plan_system(plan).qualified(plan.settings, [[own[key] or 0 for key in row.keys] for row in groups])
    except PairingError as refusal:
        raise Refused(said(refusal)) from None
    field = [entries[number] for number in chosen]
    if not lots:
        _check_parted(groups, field)
    StageEntry.objects.filter(stage=stage).delete()
    _fill(stage, field)
    after = {"stage": stage.name, "entries": [entry.pk for entry in field], "lots": lots}
    write_audit("stage.qualified", tournament, by=by, after=after)
    return field


@dataclass(frozen=True, slots=True)
class _Order:
    """A finished group: the entries (by key) best first, without those who withdrew, and those who share a place."""

    name: str
    keys: list[int]
    tied: list[int]


def _order(group: EventData, chance: Random | None) -> _Order:
    """The order of a group; `chance` parts those who share a place. Raises Refused while it is under way."""
    if not group.rounds or group.rounds_done < group.round_count:
        raise Refused(_("%(group)s is not over: enter its results first.") % {"group": group.stage.name})
    made = standings_of(group)
    rows = [row for row in made.rows if not made.entrants[row.player].withdrawn]
    crowd = Counter(row.place for row in rows)
    luck = {row.player: chance.random() if chance else 0.0 for row in rows}
    rows.sort(key=lambda row: (row.place, luck[row.player]))
    keys = [made.entrants[row.player].key for row in rows]
    tied = [made.entrants[row.player].key for row in rows if crowd[row.place] > 1]
    return _Order(group.stage.name, keys, tied)


def _check_parted(groups: Sequence[_Order], field: Sequence[Entry]) -> None:
    """Raises Refused, for all groups at once, where somebody who goes on is equal with another."""
    sentences = []
    for group in groups:
        if any(entry.pk in group.tied for entry in field):
            numbers = Entry.objects.filter(pk__in=group.tied).values_list("player__number", flat=True)
            values = {"group": group.name, "tied": ", ".join(f"#{number}" for number in sorted(numbers))}
            sentences.append(_("In %(group)s these are equal in everything: %(tied)s.") % values)
    if sentences:
        raise Refused(joined(*sentences, _("Let lots decide, or look at the tie-breaks.")))


def has_moved(stage: Stage) -> bool:
    """Whether the part before would now send others into a stage that was filled from it: a result was corrected."""
    field = set(StageEntry.objects.filter(stage=stage).values_list("entry", flat=True))
    system = system_of(Stage.objects.filter(tournament=stage.tournament_id).order_by("order")[0])
    if not field or stage.part < 2 or not (isinstance(system, PlanSystem) and system.qualifies):
        return False
    try:
        with transaction.atomic():
            now = {entry.pk for entry in qualify(stage, by=None, lots=True)}
            transaction.set_rollback(True)
    except Refused:
        return True
    return now != field


def moved_stages(event: Tournament | None) -> list[Stage]:
    """The stages of an event into which the part before would now send others."""
    if event is None or event.open_ended or event.stages.count() < 2:
        return []
    return [stage for stage in played_stages(event) if has_moved(stage)]


@transaction.atomic
def requalify(stage: Stage, *, by: User | None) -> None:
    """Take back the field and the bracket of a stage that was filled from the part before, after a result there was
    corrected. Raises Refused where something was played in it."""
    lock_lists()
    if played_among(Game.objects.filter(pairing__stage=stage)):
        raise Refused(_("Matches were played: take those results back before others come in."))
    if stage.rounds.exists():
        delete_rounds(stage, by=by)
    StageEntry.objects.filter(stage=stage).delete()
    write_audit("stage.emptied", stage.tournament, by=by, before={"stage": stage.name})


# --- settings under way -------------------------------------------------------------------------------------------
CHANGEABLE = ("rounds",)


def still_changeable(stage: Stage) -> tuple[str, ...]:
    """The keys of the settings that may change though rounds are made; none for most formats."""
    system = system_of(stage)
    options = system.options if isinstance(system, RoundSystem) else ()
    return tuple(option.key for option in options if option.key in CHANGEABLE)


@transaction.atomic
def change_running_settings(stage_key: int, settings: Mapping[str, Any], *, by: User | None) -> Stage:
    """Other settings for a stage whose rounds are under way; those left out stay. Raises Refused for any that is fixed
    by now, and for fewer rounds than are made."""
    stage = Stage.objects.select_related("tournament").get(pk=stage_key)
    Tournament.objects.select_for_update(no_key=True).get(pk=stage.tournament_id)
    stage.refresh_from_db(fields=["settings"])
    wanted = {**stage.settings, **settings}
    check_settings(stage.pairing_system, wanted)
    if stage.tournament.closed:
        raise Refused(_("The event is over: open it again before you change its settings."))
    system = system_of(stage)
    options = system.options if system else ()
    was, now = (read_options(options, values) for values in (stage.settings, wanted))
    may = still_changeable(stage)
    if any(was[key] != now[key] for key in was if key not in may):
        if not may:
            raise Refused(_("The rounds are made: delete them before you change the format."))
        raise Refused(_("Rounds are made by these settings: only their number can still change."))
    if was == now:
        return stage
    if "rounds" in now:
        _check_rounds(stage, was, now)
    before, stage.settings = stage.settings, wanted
    stage.save(update_fields=["settings"])
    write_audit("stage.changed", stage.tournament, by=by, before=before, after=wanted)
    return stage


def _check_rounds(stage: Stage, was: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    made = next_number(stage) - 1 - rounds_before(stage)
    if now["rounds"] < made:
        text = _("%(made)s rounds are made: the event cannot have fewer. Delete the last draft first.")
        raise Refused(text % {"made": made})
    if now.get("acceleration") == BAKU and _virtual(stage, was)[:made] != _virtual(stage, now)[:made]:
        raise Refused(
            _("Baku acceleration counts on the number of rounds, and the rounds made would have been paired otherwise.")
        )


def _virtual(stage: Stage, settings: Mapping[str, Any]) -> tuple[int, ...]:
    """The virtual points of the best player round by round, with noughts to the end."""
    rounds, points = settings["rounds"], points_of_event(stage.tournament)
    return (*baku((1, 2), (1, 2), rounds, points, settings["games"]).get(1, ()), *(0,) * rounds)
