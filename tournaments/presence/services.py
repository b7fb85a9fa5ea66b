"""Who will be there: notices of absence, check-in, and byes that players ask for.

Notices of absence: a member says that somebody will miss a round. Nobody is paired, moved or given a bye by it: an
arbiter does that. It can be taken back until the round is made.

Check-in: who of an event is there on a day. It neither pairs nor withdraws anybody; the form of the next round starts
from it, the checklist and `tournaments.anomalies` read it.

Byes asked for: rounds somebody will miss, known before the round is paired. Source: FIDE C.04.2 art. 4 and the title
rules: a bye brings nothing unless the regulations of the event give half a point; how many times, and that not in the
last rounds, the event says (`half_byes`, `half_byes_end`). A full point for a missed round is deprecated: an officer
must confirm that it is meant. Under Keizer a half-point bye is an excuse, worth what the system's settings say, and not
limited. Not for formats whose rounds are all known: there a game is moved to another day, or given up.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from players.refusals import Refused
from players.trail.services import write_audit
from tournaments.events.selectors.stages import field_of, played_stages, round_limit, system_of
from tournaments.models import AbsenceNotice, ByeKind, ByeRequest, CheckIn, Entry, Round, Stage, Tournament
from tournaments.pairing.base import BracketSystem, RoundSystem
from tournaments.pairing.keizer import Keizer
from tournaments.presence.selectors import open_rounds
from tournaments.results.services.results import EARLIEST_DAY
from tournaments.rounds.selectors.field import next_number
from tournaments.undo.services.snapshots import image_of


# --- notices of absence -------------------------------------------------------------------------------------------
@transaction.atomic
def report_absence(entry: int, round_number: int, *, by: User | None, role: str = "") -> AbsenceNotice:
    """Note that the entry (by key) will miss a round; said twice it is one notice. `role`: who says so without an
    account. Raises Refused for somebody who left, and for a round of which nothing is open."""
    row = _lock(entry, _("The event is over: nobody is awaited any more."))
    if round_number not in {each.number for each in open_rounds(row.tournament)} or round_number < row.first_round:
        raise Refused(_("Round %(number)s is over, or nobody knows of it yet.") % {"number": round_number})
    late = _is_made(row.tournament, round_number)
    values = {"late": late, "told_at": timezone.now()}
    notice, made = AbsenceNotice.objects.get_or_create(entry=row, round_number=round_number, defaults=values)
    if made:
        write_audit("absence.told", row, by=by, role=role, after={"round": round_number, "late": late})
    return notice


@transaction.atomic
def take_absence_back(entry: int, round_number: int, *, by: User | None, role: str = "") -> None:
    """The entry comes after all. Raises Refused where there is no notice, and where the round was made with it."""
    row = _lock(entry, _("The event is over: nobody is awaited any more."))
    notice = AbsenceNotice.objects.filter(entry=row, round_number=round_number).first()
    if notice is None:
        raise Refused(_("Nobody said that this player will be absent in round %(number)s.") % {"number": round_number})
    if not notice.late and _is_made(row.tournament, round_number):
        raise Refused(_("Round %(number)s was made meanwhile: speak to the arbiters.") % {"number": round_number})
    image = image_of(AbsenceNotice.objects.filter(pk=notice.pk))
    write_audit("absence.taken-back", row, by=by, role=role, before={"round": round_number, "image": image})
    notice.delete()


def _lock(entry_key: int, over: str) -> Entry:
    """The entry, behind the lock of its event. Raises Refused; `over`: the sentence for an event that is over."""
    events = Tournament.objects.select_for_update(of=("self",), no_key=True)
    tournament = events.filter(entries=entry_key).first()
    entry = Entry.objects.select_related("player").filter(pk=entry_key).first()
    if tournament is None or entry is None:
        raise Refused(_("This player is not in the event any more."))
    entry.tournament = tournament
    if tournament.closed:
        raise Refused(over)
    if entry.withdrawn:
        raise Refused(_("The player has left the event and is not paired: there is no round to miss."))
    return entry


def _is_made(tournament: Tournament, number: int) -> bool:
    """Whether the round is there, if only as a draft: whoever gave notice before was left out of it."""
    return Round.objects.filter(stage__tournament=tournament, number=number).exists()


# --- check-in -----------------------------------------------------------------------------------------------------
Seen = Mapping[int, bool | None]  # by the entry's key: here, not here, or not known any more


@transaction.atomic
def check_in(tournament: Tournament, seen: Seen, *, on: date, by: User | None) -> int:
    """Note who was there on a day; whoever is not in `seen` stays as he is. How many changed. Raises Refused
    for a day to come, an event that is over, and for somebody who is not entered or has left."""
    event = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    if event.closed:
        raise Refused(_("The event is over: nobody is awaited any more."))
    if not EARLIEST_DAY <= on <= timezone.localdate():
        raise Refused(_("%(day)s cannot be checked in: choose today or a day before.") % {"day": on})
    awaited = set(Entry.objects.filter(tournament=event, withdrawn=False).values_list("pk", flat=True))
    if not awaited.issuperset(seen):
        raise Refused(_("Somebody on this list left the event meanwhile, or never was in it: look at the list again."))
    before = dict(CheckIn.objects.filter(entry__in=seen, on=on).values_list("entry", "here"))
    changed = {key: value for key, value in seen.items() if before.get(key) != value}
    if not changed:
        return 0
    CheckIn.objects.filter(entry__in=[key for key, value in changed.items() if value is None], on=on).delete()
    CheckIn.objects.bulk_create(
        [
            CheckIn(entry_id=key, on=on, here=value, by=by, at=timezone.now())
            for key, value in changed.items()
            if value is not None
        ],
        update_conflicts=True,
        unique_fields=["entry", "on"],
        update_fields=["here", "by", "at"],
    )
    was = {"on": on.isoformat(), "here": {str(key): before.get(key) for key in changed}}
    now = {"on": on.isoformat(), "here": {str(key): value for key, value in changed.items()}}
    write_audit("entries.checked-in", event, by=by, before=was, after=now)
    return len(changed)


# --- byes ---------------------------------------------------------------------------------------------------------
KINDS = (ByeKind.HALF, ByeKind.ZERO, ByeKind.FULL)
FURTHEST = 200  # where the number of rounds is open


def is_excusing(stage: Stage) -> bool:
    """Whether a half-point bye is an excuse here, and not limited."""
    return stage.pairing_system == Keizer.key


def bye_stage(entry: Entry) -> Stage:
    """The stage in which the entry may ask for byes. Raises Refused where the format has none."""
    stages = played_stages(entry.tournament)
    for stage in stages:
        if isinstance(system_of(stage), RoundSystem) and entry.pk in {row.pk for row in field_of(stage).values()}:
            return stage
    if stages and all(isinstance(system_of(stage), BracketSystem) for stage in stages):
        raise Refused(_("A bracket has no byes to ask for: move the match to another day, or give a walk-over."))
    if entry.number is None:
        raise Refused(_("The entry has no number yet: draw lots or sort by rating first."))
    raise Refused(_("In this format everybody meets everybody: move the game to another day, or enter a forfeit."))


@transaction.atomic
def request_bye(
    entry_key: int, round_number: int, kind: str, *, by: User | None, against_rules: bool = False, role: str = ""
) -> ByeRequest:
    """Note that the entry will miss a round, for a bye of that kind (a `ByeKind`: half, zero or full); another kind
    asked for the same round is replaced. `against_rules`: a full-point bye is meant; `role`: who asks without an
    account. Raises Refused."""
    entry = _lock(entry_key, _("The event is over: no more rounds are played."))
    stage = bye_stage(entry)
    if kind not in KINDS:
        raise Refused(_("There is no such bye: choose half a point, nothing or a full point."))
    if round_number < next_number(stage):
        raise Refused(_made(round_number))
    last = round_limit(stage) or FURTHEST
    if round_number > last:
        raise Refused(_("The event has %(rounds)s rounds: choose one of them.") % {"rounds": last})
    if round_number < entry.first_round:
        raise Refused(_("The player comes in round %(round)s only.") % {"round": entry.first_round})
    if kind == ByeKind.FULL and not against_rules:
        raise Refused(_("FIDE’s rules know no full point for a missed round any more: tick the box if it is meant."))
    if kind == ByeKind.HALF and not is_excusing(stage):
        _check_half(entry, stage, round_number)
    row, made = ByeRequest.objects.get_or_create(entry=entry, round_number=round_number, defaults={"kind": kind})
    before = {} if made else {"round": round_number, "kind": row.kind}
    if not made:
        row.kind = kind
        row.save(update_fields=["kind"])
    after = {"round": round_number, "kind": str(kind)}
    write_audit("bye.requested", entry, by=by, role=role, before=before, after=after)
    return row


@transaction.atomic
def cancel_bye(entry_key: int, round_number: int, *, by: User | None, role: str = "") -> None:
    """Take a request back: the entry plays that round after all. Raises Refused once the round is made."""
    entry = _lock(entry_key, _("The event is over: no more rounds are played."))
    row = ByeRequest.objects.filter(entry=entry, round_number=round_number).first()
    if row is None:
        raise Refused(_("No bye is asked for in round %(round)s.") % {"round": round_number})
    if round_number < next_number(bye_stage(entry)):
        raise Refused(_made(round_number))
    image = image_of(ByeRequest.objects.filter(pk=row.pk))
    before = {"round": round_number, "kind": row.kind, "image": image}
    write_audit("bye.cancelled", entry, by=by, role=role, before=before)
    row.delete()


@transaction.atomic
def request_own_bye(entry_key: int, round_number: int, *, role: str) -> ByeRequest:
    """A half-point bye that the player asks for, until the round is made and by the rules that bind officers too. One
    that an officer noted for the round stands. Raises Refused."""
    entry = _lock(entry_key, _("The event is over: no more rounds are played."))
    _check_not_made(entry.tournament, round_number)
    if ByeRequest.objects.filter(entry=entry, round_number=round_number).exists():
        raise Refused(_("A bye is noted for round %(number)s already.") % {"number": round_number})
    return request_bye(entry_key, round_number, ByeKind.HALF, by=None, role=role)


@transaction.atomic
def cancel_own_bye(entry_key: int, round_number: int, *, role: str) -> None:
    """The player comes after all; a bye of another kind is an officer's matter. Raises Refused."""
    entry = _lock(entry_key, _("The event is over: no more rounds are played."))
    _check_not_made(entry.tournament, round_number)
    if not ByeRequest.objects.filter(entry=entry, round_number=round_number, kind=ByeKind.HALF).exists():
        raise Refused(_("No bye is asked for in round %(round)s.") % {"round": round_number})
    cancel_bye(entry_key, round_number, by=None, role=role)


def _check_not_made(tournament: Tournament, number: int) -> None:
    if _is_made(tournament, number):
        raise Refused(_("Round %(number)s was made meanwhile: speak to the arbiters.") % {"number": number})


def rounds_with_byes(entries: Collection[Entry], rounds: Iterable[int]) -> list[int]:
    """Which of these rounds, still to be made, one of these entries of an event may have a half-point bye in. None
    under Keizer, where whoever tells of an absence is excused anyway. Three queries a round at most."""
    keys, found = {entry.pk for entry in entries}, list[int]()
    stages = played_stages(next(iter(entries)).tournament) if entries else []
    for stage in stages:
        if isinstance(system_of(stage), RoundSystem) and not is_excusing(stage):
            end = round_limit(stage) or FURTHEST
            found += [each for each in rounds if each <= end and keys & half_byes_free(stage, each)]
    return sorted(set(found))


def ask_half_byes(entry: Entry, rounds: Iterable[int], *, by: User | None) -> list[int]:
    """Note the half-point byes asked for with a new entry, which may have no number yet, in its transaction; those that
    the event gives."""
    stages, given = played_stages(entry.tournament), list[int]()
    if len(stages) != 1 or not isinstance(system_of(stages[0]), RoundSystem):
        return given
    stage = stages[0]
    for number in sorted(set(rounds)):
        if number < max(next_number(stage), entry.first_round) or number > (round_limit(stage) or FURTHEST):
            continue
        try:
            if not is_excusing(stage):
                _check_half(entry, stage, number)
        except Refused:
            continue
        ByeRequest.objects.create(entry=entry, round_number=number, kind=ByeKind.HALF)
        write_audit("bye.requested", entry, by=by, after={"round": number, "kind": str(ByeKind.HALF)})
        given.append(number)
    return given


def _made(number: int) -> str:
    text = _("Round %(round)s is made already: take it back first, or change its boards.")
    return text % {"round": number}


def half_byes_free(stage: Stage, number: int) -> set[int]:
    """Keys of the entries that may still have a half-point bye in that round of the stage. Two queries at most."""
    tournament = stage.tournament
    if not tournament.half_byes or _is_near_end(stage, number):
        return set()
    entries = Entry.objects.filter(tournament=tournament, withdrawn=False)
    count = Counter(_half_byes(number).filter(entry__in=entries).values_list("entry", flat=True))
    return {key for key in entries.values_list("pk", flat=True) if count[key] < tournament.half_byes}


def _half_byes(number: int) -> QuerySet[ByeRequest]:
    """Those asked for in other rounds than that."""
    return ByeRequest.objects.filter(kind=ByeKind.HALF).exclude(round_number=number)


def _is_near_end(stage: Stage, number: int) -> bool:
    """Whether it is one of the last rounds, in which none is given."""
    last = round_limit(stage)
    return last is not None and number > last - stage.tournament.half_byes_end


def _check_half(entry: Entry, stage: Stage, number: int) -> None:
    tournament = entry.tournament
    if not tournament.half_byes:
        raise Refused(_("The event gives no half-point byes: a zero-point bye is possible."))
    if _half_byes(number).filter(entry=entry).count() >= tournament.half_byes:
        raise Refused(
            _(
                "The event allows %(count)s half-point byes a player, and that many are taken: "
                "a zero-point bye is possible."
            )
            % {"count": tournament.half_byes}
        )
    if _is_near_end(stage, number):
        raise Refused(
            _("In the last rounds (%(count)s) the event gives no half-point bye: a zero-point bye is possible.")
            % {"count": tournament.half_byes_end}
        )
