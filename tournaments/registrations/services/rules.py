"""The rules by which an event takes entries on its page: when, how many, and whom it is for."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from players.models import Player
from players.refusals import Refused
from players.trail.services import write_audit
from tournaments.entries.services.entries import outside_tier
from tournaments.entries.services.late import late_terms
from tournaments.events.selectors.stages import played_stages, round_limit, system_of
from tournaments.events.services.own_rows import check_revision, check_row
from tournaments.events.services.unplayed import refuse_closed
from tournaments.models import EntryRequest, EntryRules, Tournament
from tournaments.pairing.base import RoundSystem
from tournaments.pairing.free import Teams
from tournaments.presence.services import FURTHEST, is_excusing
from tournaments.registrations.services.queue import has_begun, in_state, move_up
from tournaments.rounds.selectors.field import next_number

_COLUMNS = ("opens_at", "closes_at", "places", "approval", "born_from", "born_until", "byes", "fee", "words")


@dataclass(frozen=True, slots=True)
class NewRules:
    """What an officer decides; moments are aware, years those of birth."""

    opens_at: datetime | None = None
    closes_at: datetime | None = None
    places: int | None = None
    approval: bool = True
    born_from: int | None = None
    born_until: int | None = None
    byes: bool = False
    fee: str = ""
    words: str = ""


@transaction.atomic
def set_entry_rules(
    tournament: Tournament, new: NewRules, *, by: User | None, revision: int | None = None
) -> EntryRules:
    """Let an event take entries, or change how; with more places the waiting list moves up. Raises Stale where somebody
    else changed the rules meanwhile (`revision` 0: there were none), and Refused for an event that cannot take any."""
    event = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    if why := why_never(event):
        raise Refused(why)
    refuse_closed(event)
    rules = EntryRules.objects.filter(tournament=event).first() or EntryRules(tournament=event)
    check_revision(rules, revision)
    before = _plain(rules) if rules.pk else {}
    for name, value in asdict(new).items():
        setattr(rules, name, value)
    check_row(rules)
    rules.revision += 1
    rules.save()
    write_audit("entry-rules.changed", event, by=by, before=before, after=_plain(rules))
    move_up(event, by=by)
    return rules


@transaction.atomic
def drop_entry_rules(tournament: Tournament, *, by: User | None, revision: int | None = None) -> None:
    """The event takes no entries on its page any more. Raises Refused while requests wait, so that nobody is lost."""
    event = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    rules = EntryRules.objects.filter(tournament=event).first()
    if rules is None:
        raise Refused(_("This event takes no entries on its page."))
    check_revision(rules, revision)
    if in_state(event.pk, EntryRequest.State.WAITING, EntryRequest.State.LISTED).exists():
        raise Refused(_("Requests wait: approve or refuse them first, or let the entries close today."))
    write_audit("entry-rules.dropped", event, by=by, before=_plain(rules))
    rules.delete()


def _plain(rules: EntryRules) -> dict[str, Any]:
    values = {name: getattr(rules, name) for name in _COLUMNS if name != "words"}
    plain = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}
    return {name: value for name, value in plain.items() if value not in (None, "", False)}


# --- whether it takes entries -------------------------------------------------------------------------------------
def why_never(tournament: Tournament) -> str:
    """Why players cannot enter such an event by themselves; empty where they can."""
    if tournament.open_ended:
        return _("An event without end has no entries to be asked for.")
    if tournament.entry_size > 1:
        return _("In this event several enter together: an arbiter enters them.")
    if tournament.stages.filter(pairing_system=Teams.key).exists():
        return _("In an event of teams the teams name their players.")
    return ""


def why_closed(rules: EntryRules, now: datetime) -> str:
    """Why nobody can ask at that moment; empty while entries are open."""
    event = rules.tournament
    if event.closed:
        return _("The event is over.")
    if never := why_never(event):  # changed since the rules were set
        return never
    if rules.opens_at and now < rules.opens_at:
        return _("Entries open on %(when)s.") % {"when": moment(rules.opens_at)}
    if rules.closes_at and now >= rules.closes_at:
        return _("Entries closed on %(when)s. Ask an arbiter.") % {"when": moment(rules.closes_at)}
    if has_begun(event) and late_terms(event).places == 0:
        return _("The event has begun and takes nobody more.")
    return ""


def check_open(rules: EntryRules) -> None:
    """Raises Refused with the reason while nobody can ask."""
    if why := why_closed(rules, timezone.now()):
        raise Refused(why)


def moment(at: datetime) -> str:
    """A moment in the club's time, as the reader's language writes it."""
    return date_format(timezone.localtime(at), "SHORT_DATETIME_FORMAT")


# --- whom it is for -----------------------------------------------------------------------------------------------
def check_year(rules: EntryRules, born: int | None) -> None:
    """Raises Refused for a year of birth outside the event's, and where it is asked for and missing. What is looked at
    is the year somebody wrote: what the club knows of anybody's age is told to nobody."""
    if not rules.asks_year:
        return
    if born is None:
        raise Refused(_("This event is for certain ages: write the year of birth."))
    if rules.born_from is not None and born < rules.born_from:
        raise Refused(_("This event is for players born in %(year)s or later.") % {"year": rules.born_from})
    if rules.born_until is not None and born > rules.born_until:
        raise Refused(_("This event is for players born in %(year)s or earlier.") % {"year": rules.born_until})


def check_rating(tournament: Tournament, player: Player) -> None:
    """Raises Refused for a player whose rating, which is public, lies outside the event's."""
    for sentence in outside_tier(tournament, [player]).values():
        raise Refused(sentence)


# --- byes ---------------------------------------------------------------------------------------------------------
def bye_rounds(rules: EntryRules) -> list[int]:
    """The rounds for which a half-point bye may be asked with an entry; none where the event gives none."""
    event, stages = rules.tournament, played_stages(rules.tournament)
    if not rules.byes or len(stages) != 1 or not isinstance(system_of(stages[0]), RoundSystem):
        return []
    stage = stages[0]
    if not event.half_byes and not is_excusing(stage):
        return []
    last = round_limit(stage)
    if last is None:
        return list(range(next_number(stage), min(next_number(stage) + 12, FURTHEST)))
    end = last if is_excusing(stage) else last - event.half_byes_end
    return list(range(next_number(stage), end + 1))


def check_byes(rules: EntryRules, wanted: list[int]) -> None:
    """Raises Refused for more byes than the event gives a player, and for rounds without them."""
    if not wanted:
        return
    rounds, event = bye_rounds(rules), rules.tournament
    if not set(wanted) <= set(rounds):
        raise Refused(_("In one of these rounds no half-point bye is given: choose again."))
    stage = played_stages(event)[0]
    if not is_excusing(stage) and len(wanted) > event.half_byes:
        text = _("The event gives %(count)s half-point byes a player: choose fewer rounds.")
        raise Refused(text % {"count": event.half_byes})
