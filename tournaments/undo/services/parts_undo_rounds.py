"""Rounds and brackets, brought back as they were: parts of `tournaments.undo.services.undo`, which locks and tells of it."""

from typing import Any

from django.contrib.auth.models import User

from players.models import AuditEvent
from tournaments.models import Entry, Game, Pairing, Round, Seat, Stage, Tournament
from tournaments.pairing.base import RoundSystem
from tournaments.events.selectors.stages import system_of
from tournaments.undo.services.snapshots import bring_back, keys_in, people_are_there, stand_of
from tournaments.rounds.services.rounds import publish_round, unpublish_round


# --- in sight and out of it ---------------------------------------------------------------------------------------
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


# --- deleted ------------------------------------------------------------------------------------------------------
def deleted_stands(event: AuditEvent) -> bool:
    """Whether the event has the same players, stages and rounds as when the rounds went."""
    return _rests(event)


def bring_rounds_back(event: AuditEvent, by: User | None) -> None:
    """The rounds with their boards, and late ones come to the round they were to come to."""
    bring_back(event.before["image"])
    for key, first in event.before.get("first_rounds", {}).items():
        Entry.objects.filter(pk=key).update(first_round=first)


# --- drawn again --------------------------------------------------------------------------------------------------
def redrawn_stands(event: AuditEvent) -> bool:
    """Whether nothing was played or ruled on in the new bracket, and nobody came or left."""
    return _rests(event) and not _is_played(Pairing.objects.filter(stage=event.after["stage"], superseded=False))


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


def _rests(event: AuditEvent) -> bool:
    """Whether the event (of an audit event about it) is made up as it was left, and everybody is there."""
    stand: Any = event.after.get("stand")
    tournament = Tournament.objects.filter(pk=event.subject_key).first()
    if tournament is None or stand != stand_of(tournament.pk):
        return False
    return "image" in event.before and people_are_there(event.before["image"])


def _is_played(boards: Any) -> bool:
    if boards.filter(ruled=True).exists():
        return True
    return bool(Game.objects.filter(pairing__in=boards).exclude(result="").exists())
