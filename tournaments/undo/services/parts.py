"""Entries and events, brought back as they were: parts of `tournaments.undo.services.undo`, which locks and tells of it."""

from django.contrib.auth.models import User
from django.db.models import F
from django.utils.translation import gettext as _

from players.models import AuditEvent
from players.refusals import Stale
from tournaments.models import Entry, Game, Tournament
from tournaments.events.services.closing import reopen_event
from tournaments.undo.services.snapshots import bring_back, column_in, people_are_there, stand_of
from tournaments.withdrawals.services.leaving import returning
from tournaments.withdrawals.services.withdrawals import return_entry


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
    """The entry with its number; those who moved up move down first."""
    numbers = event.before.get("numbers", {})
    Entry.objects.filter(pk__in=list(numbers)).update(number=None)
    bring_back(event.before["image"])
    for key, number in numbers.items():
        Entry.objects.filter(pk=key).update(number=number)


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
    # Where both have left, a game that was open would be won by whoever comes back: that is not what it was.
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
    slugs = column_in(image, Tournament, "slug")
    return not Tournament.objects.filter(slug__in=slugs).exists()


def bring_event_back(event: AuditEvent, by: User | None) -> None:
    """The event with everything in it. Raises Stale where its address was taken meanwhile."""
    if not event_stands(event):
        raise Stale(_("Another event has its address by now, or a player is gone: it cannot come back."))
    bring_back(event.before["image"])
