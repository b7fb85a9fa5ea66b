"""What undoing means for each risky action: entries, events, rounds and brackets, brought back as they were.

`tournaments.undo.services.undo` calls these functions; it takes the locks and writes the audit event.
"""

from django.contrib.auth.models import User
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from players.models import AuditEvent
from players.refusals import Stale
from tournaments.events.selectors.stages import system_of
from tournaments.events.services.closing import reopen_event
from tournaments.models import Entry, Game, Pairing, Round, Seat, Stage, Tournament
from tournaments.pairing.base import RoundSystem
from tournaments.registrations.services.queue import entry_back
from tournaments.rounds.services.rounds import publish_round, unpublish_round
from tournaments.undo.services.snapshots import bring_back, column_in, keys_in, people_are_there, stand_of
from tournaments.withdrawals.services.withdrawals import return_entry, returning


# --- an entry taken back ------------------------------------------------------------------------------------------
def removed_stands(event: AuditEvent) -> bool:
    """Whether the event has the same entries and rounds as when the entry went, and the player is there."""
    if "image" not in event.before:
        return False
    keys = column_in(event.before["image"], Entry, "tournament_id")
    tournament = Tournament.objects.filter(pk__in=keys, closed=False).first()
    if tournament is None:
        return False
    return stand_of(tournament.pk) == event.after.get("stand") and people_are_there(event.before["image"])


def bring_entry_back(event: AuditEvent, by: User | None) -> None:
    """The entry with its number, and the request it came by; those who moved up move down first."""
    numbers = event.before.get("numbers", {})
    Entry.objects.filter(pk__in=list(numbers)).update(number=None)
    bring_back(event.before["image"])
    for key, number in numbers.items():
        Entry.objects.filter(pk=key).update(number=number)
    entry_back(Entry.objects.get(pk=event.subject_key), by=by, removed_at=event.at)


# --- somebody who left --------------------------------------------------------------------------------------------
def withdrawn_stands(event: AuditEvent) -> bool:
    """Whether all that leaving decided still stands, and nothing was decided since that a return would move."""
    entry = Entry.objects.select_related("tournament", "player").filter(pk=event.subject_key).first()
    if entry is None or "results" not in event.before or entry.last_round != event.after["last_round"]:
        return False
    if entry.tournament.leaver_rule != event.after["leaver_rule"]:
        return False
    games = event.after["forfeits"]
    as_left = Game.objects.filter(pk__in=[game for game, _revision in games]).values_list("pk", "revision")
    if dict(as_left) != dict(games):
        return False
    back = returning(entry)
    # Where both have left, a game that was open would be won by whoever comes back, and so not be as it was.
    results = {str(row.game.pk): row.result for row in back.forfeits}
    matches = {row.match.pk for row in back.walk_overs}
    return not back.problems and (results, matches) == (event.before["results"], set(event.after["matches"]))


def take_withdrawal_back(event: AuditEvent, by: User | None) -> None:
    """The entry is back, and the rule for leavers is the one before. Raises Refused as `return_entry` does."""
    return_entry(event.subject_key, by=by)
    Entry.objects.filter(pk=event.subject_key).update(last_round=event.before["last_round"])
    rule = event.before["leaver_rule"]
    rows = Tournament.objects.filter(entries=event.subject_key).exclude(leaver_rule=rule)
    rows.update(leaver_rule=rule, revision=F("revision") + 1)


# --- the event ----------------------------------------------------------------------------------------------------
def closed_stands(event: AuditEvent) -> bool:
    """Whether the event is closed, and was not opened in between."""
    last = AuditEvent.objects.filter(
        subject_kind="tournament", subject_key=event.subject_key, action__in=("event.closed", "event.reopened")
    ).first()
    return last == event and Tournament.objects.filter(pk=event.subject_key, closed=True).exists()


def open_again(event: AuditEvent, by: User | None) -> None:
    """Open the event again; lists that rate by the event take it out."""
    reopen_event(Tournament.objects.get(pk=event.subject_key), by=by)


def event_stands(event: AuditEvent) -> bool:
    """Whether the address is free, and everybody who was entered is there."""
    image = event.before.get("image")
    if image is None or not people_are_there(image):
        return False
    return not Tournament.objects.filter(slug__in=column_in(image, Tournament, "slug")).exists()


def bring_event_back(event: AuditEvent, by: User | None) -> None:
    """The event with everything in it. Raises Stale where its address was taken meanwhile."""
    if not event_stands(event):
        raise Stale(_("Another event has its address by now, or a player is gone: it cannot come back."))
    bring_back(event.before["image"])


# --- rounds published and unpublished -------------------------------------------------------------------------------
def published_stands(event: AuditEvent) -> bool:
    """Whether nothing was entered in the round, ruled on, or paired from it, since it was published."""
    row = _as_left(event, Round.State.PUBLISHED)
    if row is None or row.stage.tournament.closed or _is_played(Pairing.objects.filter(round=row)):
        return False
    later = Round.objects.filter(stage=row.stage_id, number__gt=row.number)
    return not (isinstance(system_of(row.stage), RoundSystem) and later.exists())


def take_out_of_sight(event: AuditEvent, by: User | None) -> None:
    """Make the round a draft again."""
    unpublish_round(event.subject_key, reason=AuditEvent.Reason.UNDONE, by=by)


def unpublished_stands(event: AuditEvent) -> bool:
    """Whether the draft is still that which was public."""
    return _as_left(event, Round.State.DRAFT) is not None


def publish_again(event: AuditEvent, by: User | None) -> None:
    """Show the round to everybody again."""
    publish_round(event.subject_key, by=by, revision=event.after["revision"], reason=AuditEvent.Reason.UNDONE)


def _as_left(event: AuditEvent, state: Round.State) -> Round | None:
    rows = Round.objects.filter(pk=event.subject_key, state=state, revision=event.after.get("revision", -1))
    return rows.select_related("stage__tournament").first()


# --- rounds deleted -------------------------------------------------------------------------------------------------
def deleted_stands(event: AuditEvent) -> bool:
    """Whether the event has the same players, stages and rounds as when the rounds went, and everybody is there."""
    tournament = Tournament.objects.filter(pk=event.subject_key).first()
    if tournament is None or event.after.get("stand") != stand_of(tournament.pk):
        return False
    return "image" in event.before and people_are_there(event.before["image"])


def bring_rounds_back(event: AuditEvent, by: User | None) -> None:
    """The rounds with their boards, and late ones come to the round they were to come to."""
    bring_back(event.before["image"])
    for key, first in event.before.get("first_rounds", {}).items():
        Entry.objects.filter(pk=key).update(first_round=first)


# --- brackets drawn again -------------------------------------------------------------------------------------------
def redrawn_stands(event: AuditEvent) -> bool:
    """Whether nothing was played or ruled on in the new bracket, and nobody came or left."""
    if not deleted_stands(event):
        return False
    return not _is_played(Pairing.objects.filter(stage=event.after["stage"], superseded=False))


def bring_bracket_back(event: AuditEvent, by: User | None) -> None:
    """The bracket before, in its rounds; the new one goes without a trace but the audit events."""
    image, stage = event.before["image"], Stage.objects.get(pk=event.after["stage"])
    new = Pairing.objects.filter(stage=stage, superseded=False)
    Game.objects.filter(pairing__in=new).delete()
    Seat.objects.filter(pairing__in=new).delete()
    new.delete()
    stage.rounds.exclude(pk__in=keys_in(image, Round)).delete()
    bring_back(image)
    Stage.objects.filter(pk=stage.pk).update(lots_seed=event.before["seed"])


def _is_played(boards: QuerySet[Pairing]) -> bool:
    return boards.filter(ruled=True).exists() or Game.objects.filter(pairing__in=boards).exclude(result="").exists()
