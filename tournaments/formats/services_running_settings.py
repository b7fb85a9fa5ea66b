"""Settings of a format that makes its rounds one by one, changed while it is under way.

Only the number of rounds may still change, to no fewer than are made: the colour number 1 began with and the
acceleration have been played by. Under Baku acceleration the number of rounds says who has had virtual points in which
round, so there it changes only while that stays the same for the rounds made.
"""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.trail.services import write_audit
from players.refusals import Refused
from tournaments.models import Stage, Tournament
from tournaments.pairing.base import RoundSystem, read_options
from tournaments.pairing.dutch.system_acceleration import baku
from tournaments.pairing.dutch.system import BAKU
from tournaments.rounds.selectors.field import next_number, points_of_event, rounds_before
from tournaments.events.selectors.stages import system_of
from tournaments.events.services.events import check_settings

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
    _check_fixed(stage, was, now)
    if was == now:
        return stage
    if "rounds" in now:
        _check_rounds(stage, was, now)
    before, stage.settings = stage.settings, wanted
    stage.save(update_fields=["settings"])
    write_audit("stage.changed", stage.tournament, by=by, before=before, after=wanted)
    return stage


def _check_fixed(stage: Stage, was: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    may = still_changeable(stage)
    if any(was[key] != now[key] for key in was if key not in may):
        if not may:
            raise Refused(_("The rounds are made: delete them before you change the format."))
        raise Refused(_("Rounds are made by these settings: only their number can still change."))


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
    rounds = settings["rounds"]
    return (*baku((1, 2), (1, 2), rounds, points_of_event(stage.tournament)).get(1, ()), *(0,) * rounds)
