"""What the members of an event without rounds do by themselves: an officer switches it on."""

from dataclasses import asdict, dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.refusals import Refused
from players.trail.services import write_audit
from tournaments.entries.services.entries import is_ladder
from tournaments.events.services.own_rows import check_revision, check_row
from tournaments.events.services.unplayed import refuse_closed
from tournaments.free_boards.services.boards import lock_event
from tournaments.models import FreeRules, Tournament
from tournaments.pairing.evening import Partners


@dataclass(frozen=True, slots=True)
class NewFreeRules:
    """What an officer decides; days are whole ones of the club's clocks."""

    challenges: bool = False
    answer_days: int = 3
    play_days: int = 14
    rest_days: int = 14
    check_in: bool = False
    partners: str = Partners.NEAR.value


@transaction.atomic
def set_free_rules(
    tournament: Tournament, new: NewFreeRules, *, by: User | None, revision: int | None = None
) -> FreeRules:
    """Change them; challenges that are open stay as they are. Raises Stale where somebody else did meanwhile
    (`revision` 0: there were none), and Refused for an event with rounds or challenges in another format than a
    ladder."""
    event = lock_event(tournament.pk)
    refuse_closed(event)
    if not event.open_ended:
        raise Refused(_("This event has rounds: its players check in and are paired on its own pages."))
    if new.challenges and not is_ladder(event):
        raise Refused(_("Members challenge each other on a ladder: this event is none."))
    rules = FreeRules.objects.filter(tournament=event).first() or FreeRules(tournament=event)
    check_revision(rules, revision)
    before = _plain(rules) if rules.pk else {}
    for name, value in asdict(new).items():
        setattr(rules, name, value)
    check_row(rules)
    rules.revision += 1
    rules.save()
    write_audit("free-rules.changed", event, by=by, before=before, after=_plain(rules))
    return rules


def _plain(rules: FreeRules) -> dict[str, object]:
    return {name: getattr(rules, name) for name in asdict(NewFreeRules())}
