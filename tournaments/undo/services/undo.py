"""The last risky action in an event, taken back: what a round, a bracket, an entry or the whole event was before.

`UNDOABLE` says for each action what undoing it means, whether it still can be undone, and how: while nothing moved that
it rests on (`tournaments.undo.services.snapshots`). Only the last action is offered; undone, it makes the one before it
the last. Steps of any kind, several at once: `tournaments.undo.services.stack`.

Not done here: corrections and merged players (`tournaments.corrections.services.corrections`). A deleted player does
not come back: no copy of a name is kept.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.models import AuditEvent
from players.refusals import Stale
from players.trail.services import acting_from, write_audit
from ratings.lists.services import lock_lists
from tournaments.models import Entry, Game, Round, Stage, Tournament
from tournaments.undo.services import parts
from tournaments.undo.services.snapshots import column_in, keys_in

_LOOKED_AT = 40  # events looked through for the last one that is not undone
UNDONE = ".undone"
UNDOING = "undo:"  # where the lines come from that services write while a step is taken back; then that step's key


@dataclass(frozen=True, slots=True)
class Undo:
    """A risky action that can be taken back. `done`: what was done; `means`: what comes back, a sentence each; `seen`
    has to be handed back by whoever looked at it; `event`: the key of the audit event."""

    event: AuditEvent
    done: str
    means: tuple[str, ...]
    seen: str


@dataclass(frozen=True, slots=True)
class _Step:
    """How one action is undone. `stands`: whether what it left is still as it left it."""

    done: Callable[[AuditEvent], str]
    means: Callable[[AuditEvent], tuple[str, ...]]
    stands: Callable[[AuditEvent], bool]
    carry_out: Callable[[AuditEvent, User | None], None]


# --- in words -----------------------------------------------------------------------------------------------------
def _number(event: AuditEvent) -> dict[str, object]:
    return {"number": event.after.get("number") or event.before.get("number")}


def _player(event: AuditEvent) -> dict[str, object]:
    key = event.before.get("player")
    if key is None:
        entry = Entry.objects.select_related("player").filter(pk=event.subject_key).first()
        key = entry.player.number if entry else "–"
    return {"player": f"#{key}"}


def _boards(event: AuditEvent) -> str:
    games = len(keys_in(event.before["image"], Game))
    boards = ngettext("%(count)s board", "%(count)s boards", games) % {"count": games}
    text = _("%(rounds)s with %(boards)s: the same players, colours and byes, on the days planned.")
    return text % {"rounds": _round_count(event), "boards": boards}


def _round_count(event: AuditEvent) -> str:
    rounds = len(keys_in(event.before["image"], Round))
    return ngettext("%(count)s round", "%(count)s rounds", rounds) % {"count": rounds}


def _rounds_means(event: AuditEvent) -> tuple[str, ...]:
    drafts = set(column_in(event.before["image"], Round, "state")) == {Round.State.DRAFT}
    sight = _("Only officers see drafts.") if drafts else _("What was published is public again.")
    late = [_("Who came late comes in the round as before.")] if event.before.get("first_rounds") else []
    return (_boards(event), sight, *late)


def _event_means(event: AuditEvent) -> tuple[str, ...]:
    entries = len(keys_in(event.before["image"], Entry))
    players = ngettext("%(count)s player", "%(count)s players", entries) % {"count": entries}
    figures = {"entries": players, "rounds": _round_count(event)}
    text = _("The event comes back at its address, with its settings, %(entries)s with their numbers, and %(rounds)s.")
    return (text % figures, _("Further records of a report it was brought in with do not come back."))


def _entry_means(event: AuditEvent) -> tuple[str, ...]:
    text = _("%(player)s is entered again, with the number, the rating and the byes as they were.") % _player(event)
    below = [_("Those who moved up move down again.")] if event.before.get("numbers") else []
    return (text, *below)


def _withdrawn_means(event: AuditEvent) -> tuple[str, ...]:
    games = len(event.after.get("forfeits", [])) + len(event.after.get("matches", []))
    back = _("%(player)s is back in the event.") % _player(event)
    text = ngettext("%(count)s game or match is open again.", "%(count)s games or matches are open again.", games)
    return (back, text % {"count": games}) if games else (back,)


# --- the table ----------------------------------------------------------------------------------------------------
UNDOABLE: Mapping[str, _Step] = {
    "round.published": _Step(
        lambda event: _("round %(number)s published") % _number(event),
        lambda event: (_("Round %(number)s is a draft again: only officers see it.") % _number(event),),
        parts.published_stands,
        parts.take_out_of_sight,
    ),
    "round.unpublished": _Step(
        lambda event: _("round %(number)s taken out of sight") % _number(event),
        lambda event: (_("Round %(number)s is public again.") % _number(event),),
        parts.unpublished_stands,
        parts.publish_again,
    ),
    "round.deleted": _Step(
        lambda event: _("round %(number)s deleted") % _number(event),
        _rounds_means,
        parts.deleted_stands,
        parts.bring_rounds_back,
    ),
    "rounds.deleted": _Step(
        lambda event: _("all rounds deleted"), _rounds_means, parts.deleted_stands, parts.bring_rounds_back
    ),
    "bracket.superseded": _Step(
        lambda event: _("bracket drawn again"),
        lambda event: (_("The bracket before comes back, and the new one goes."), _boards(event)),
        parts.redrawn_stands,
        parts.bring_bracket_back,
    ),
    "entry.withdrawn": _Step(
        lambda event: _("player %(player)s withdrawn") % _player(event),
        _withdrawn_means,
        parts.withdrawn_stands,
        parts.take_withdrawal_back,
    ),
    "entry.removed": _Step(
        lambda event: _("entry of player %(player)s deleted") % _player(event),
        _entry_means,
        parts.removed_stands,
        parts.bring_entry_back,
    ),
    "event.closed": _Step(
        lambda event: _("event closed"),
        lambda event: (_("The event is open again; lists that rate by the event take it out."),),
        parts.closed_stands,
        parts.open_again,
    ),
    "tournament.deleted": _Step(
        lambda event: _("event “%(slug)s” deleted") % event.before,
        _event_means,
        parts.event_stands,
        parts.bring_event_back,
    ),
}


# --- what is offered ----------------------------------------------------------------------------------------------
def last_undoable(tournament: Tournament) -> Undo | None:
    """The last risky action in the event that was not undone; None where it can no longer be undone."""
    events = AuditEvent.objects.filter(_about(tournament), action__in=_ACTIONS).select_related("actor")
    events = events.defer("before", "effect")  # an image may be large, and one of them is looked at
    undone: set[int] = set()
    for event in events.order_by("-pk")[:_LOOKED_AT]:
        if event.action.endswith(UNDONE):
            undone.add(event.after.get("event", 0))
        elif event.pk not in undone:
            return undo_at(event)
    return None


def undo_at(event: AuditEvent) -> Undo | None:
    """What undoing that event means; None where it cannot be undone, or no longer."""
    step = UNDOABLE.get(event.action)
    if step is None or event.reason == AuditEvent.Reason.UNDONE or _is_undone(event) or not step.stands(event):
        return None
    means = step.means(event)
    return Undo(event, step.done(event), means, f"{event.pk}-{event.after.get('stand', '')}")


def event_of(event: AuditEvent) -> Tournament | None:
    """The event in which that happened; None for one that is deleted, or another matter."""
    key = event.subject_key
    if event.subject_kind == "tournament":
        return Tournament.objects.filter(pk=key).first()
    if event.subject_kind == "round":
        return Tournament.objects.filter(stages__rounds=key).first()
    if event.action == "entry.removed":
        # Not by its address: a deleted event's may be another's by now.
        keys = column_in(event.before.get("image", {}), Entry, "tournament_id")
        return Tournament.objects.filter(pk__in=keys).first()
    return Tournament.objects.filter(entries=key).first() if event.subject_kind == "entry" else None


@transaction.atomic
def undo(event_key: int, *, by: User | None, seen: str) -> Undo:
    """Take that risky action back. `seen` comes from the `Undo` that was looked at. Raises Stale where what it rests
    on moved since, or it is not the last any more; Refused as the services do that carry it out."""
    lock_lists()
    event = AuditEvent.objects.select_related("actor").get(pk=event_key)
    tournament = event_of(event)
    if tournament is not None:
        Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    found = undo_at(event) if tournament is None else last_undoable(tournament)
    if found is None or found.event.pk != event_key or found.seen != seen:
        raise Stale(_("Something moved since, so this can no longer be undone as a whole: look at the event again."))
    with taking_back(event, by):
        UNDOABLE[event.action].carry_out(event, by)
    return found


@contextmanager
def taking_back(event: AuditEvent, by: User | None) -> Iterator[None]:
    """What is done within takes that step back: its lines in the trail say so, and one of its own follows them."""
    with acting_from(f"{UNDOING}{event.pk}"):
        yield
    tables: Iterable[type[Model]] = (Tournament, Round, Entry, Game)
    subject = next(table for table in tables if table._meta.model_name == event.subject_kind)(pk=event.subject_key)
    reason = AuditEvent.Reason.UNDONE
    write_audit(event.action + UNDONE, subject, by=by, after={"event": event.pk}, reason=reason)


_ACTIONS = [*UNDOABLE, *(action + UNDONE for action in UNDOABLE)]


def _is_undone(event: AuditEvent) -> bool:
    own = AuditEvent.objects.filter(subject_kind=event.subject_kind, subject_key=event.subject_key)
    return own.filter(action=event.action + UNDONE, after__event=event.pk).exists()


def _about(tournament: Tournament) -> Q:
    """Of the event itself, its rounds and entries, those taken back too. What an undoing wrote is left out."""
    rounds = Round.objects.filter(stage__in=Stage.objects.filter(tournament=tournament)).values("pk")
    entries = Entry.objects.filter(tournament=tournament).values("pk")
    about = Q(subject_kind="tournament", subject_key=tournament.pk)
    about |= Q(subject_kind="round", subject_key__in=rounds) | Q(subject_kind="entry", subject_key__in=entries)
    about |= Q(action="entry.removed", before__tournament=tournament.slug)
    undoing = Q(reason=AuditEvent.Reason.UNDONE) | Q(origin__startswith=UNDOING)
    return about & (~undoing | Q(action__endswith=UNDONE))
