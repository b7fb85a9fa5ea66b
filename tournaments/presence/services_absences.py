"""Notices of absence: a member says that somebody will miss a round. Nobody is paired, moved or given a bye by it: an
arbiter does that, with one key where the notice is shown. It can be taken back until the round is made."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.trail.services import write_audit
from players.refusals import Refused
from tournaments.models import AbsenceNotice, Entry, Round, Tournament
from tournaments.presence.selectors import open_rounds


@transaction.atomic
def tell_absence(entry: int, round_number: int, *, by: User | None, role: str = "") -> AbsenceNotice:
    """Note that the entry (by key) will miss a round; told twice it is one notice. `role`: who says so without an
    account. Raises Refused for somebody who left, and for a round of which nothing is open."""
    row = _locked(entry)
    if round_number not in {each.number for each in open_rounds(row.tournament)} or round_number < row.first_round:
        raise Refused(_("Round %(number)s is over, or nobody knows of it yet.") % {"number": round_number})
    late = _is_made(row.tournament, round_number)
    told = {"late": late, "told_at": timezone.now()}
    notice, made = AbsenceNotice.objects.get_or_create(entry=row, round_number=round_number, defaults=told)
    if made:
        write_audit("absence.told", row, by=by, role=role, after={"round": round_number, "late": late})
    return notice


@transaction.atomic
def take_absence_back(entry: int, round_number: int, *, by: User | None, role: str = "") -> None:
    """The entry comes after all. Raises Refused where nothing was told, and where the round was made with it."""
    row = _locked(entry)
    notice = AbsenceNotice.objects.filter(entry=row, round_number=round_number).first()
    if notice is None:
        raise Refused(_("Nobody said that this player will be absent in round %(number)s.") % {"number": round_number})
    if not notice.late and _is_made(row.tournament, round_number):
        raise Refused(_("Round %(number)s was made meanwhile: speak to the arbiters.") % {"number": round_number})
    write_audit("absence.taken-back", row, by=by, role=role, before={"round": round_number})
    notice.delete()


def _locked(entry: int) -> Entry:
    """The entry, behind the lock of its event: no round is made meanwhile. Raises Refused."""
    row = Entry.objects.select_related("tournament").filter(pk=entry).first()
    if row is None:
        raise Refused(_("This player is not in the event any more."))
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=row.tournament_id)
    if tournament.closed:
        raise Refused(_("The event is over: nobody is awaited any more."))
    if row.withdrawn:
        raise Refused(_("The player has left the event and is not paired: there is no round to miss."))
    return row


def _is_made(tournament: Tournament, number: int) -> bool:
    """Whether the round is there, if only as a draft: whoever told before was left out of it."""
    return Round.objects.filter(stage__tournament=tournament, number=number).exists()
