"""How a step of an event is taken back once everything after it was: by the service that made it, or by its image.

`WAYS` has a function for each action that has a way back; each raises Refused where the facts are not those which the
step left. Who calls has taken back all newer steps, so revisions say nothing here: facts are compared. A step whose
facts are already those before it was a part of another that was taken back: nothing is left to do.

Not here: steps whose trail does not keep what was there before (numbers given, settings, rulings, teams).
"""

from collections.abc import Callable, Mapping
from copy import copy
from datetime import date, time
from typing import Any

from django.contrib.auth.models import User
from django.db.models import F
from django.utils.translation import gettext as _

from players.models import AuditEvent
from players.refusals import Refused, Stale
from tournaments.corrections.services.changes import Why
from tournaments.corrections.services.corrections import undo_of
from tournaments.corrections.services.game_changes import remove_game
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.late import remove_late
from tournaments.entries.services.prohibited import allow
from tournaments.events.selectors.stages import played_stages
from tournaments.knockouts.services.matches import FOLLOW, BracketMovesError, image
from tournaments.models import ByeRequest, Entry, Game, ProhibitedPair, Round, Tournament
from tournaments.presence.services import cancel_bye, check_in, request_bye, take_absence_back
from tournaments.results.services.footnotes import NOTED
from tournaments.results.services.results import correct_result, usual_komi
from tournaments.rounds.services.clock import EXTENDED, PAUSED, REMOVED, RESUMED, SET, put_clock_back
from tournaments.rounds.services.rounds import delete_round, delete_rounds, plan_round, unpublish_round
from tournaments.standings.points import Result
from tournaments.undo.services.snapshots import bring_back
from tournaments.undo.services.undo import UNDOABLE
from tournaments.withdrawals.services.withdrawals import leaving, withdraw_entry

Way = Callable[[AuditEvent, User | None], None]
_UNDONE = AuditEvent.Reason.UNDONE


def why_not(event: AuditEvent) -> str:
    """Why a step has no way back, as far as its line tells; empty where it may have one."""
    if event.action not in WAYS:
        return _("Such a step has no way back here: put it right on its own page.")
    if event.action in _BY_IMAGE and "image" not in event.before:
        return _("The trail does not keep what was there before this step.")
    if event.action == "result.recorded" and event.before:
        return _("An adjourned game ended or was opened: put it right on its own page.")
    if event.action == "tournament.changed" and set(event.after) != {"leaver_rule"}:
        return _("Settings of the event are changed back in its form.")
    if event.action == "entry.returned" and event.after.get("forfeits"):
        return _("With this return games were opened: withdraw the player on the page of the entry.")
    return ""


def take_back(event: AuditEvent, by: User | None) -> None:
    """Take one step back. Raises Refused with why it cannot be done."""
    if problem := why_not(event):
        raise Refused(problem)
    WAYS[event.action](_as_now(event), by)


def _as_now(event: AuditEvent) -> AuditEvent:
    """The line with the revisions that its rows have now: taking newer steps back moved them."""
    after = dict(event.after)
    tables: Mapping[str, Any] = {"game": Game, "round": Round}
    if "revision" in after and event.subject_kind in tables:
        rows = tables[event.subject_kind].objects.filter(pk=event.subject_key)
        after["revision"] = rows.values_list("revision", flat=True).first()
    if "forfeits" in after:
        keys = [game for game, _revision in after["forfeits"]]
        found = dict(Game.objects.filter(pk__in=keys).values_list("pk", "revision"))
        after["forfeits"] = [[key, found.get(key)] for key in keys]
    now = copy(event)
    now.after = after
    return now


def _moved() -> Stale:
    return Stale(_("What this step left is no longer as it was: look at the event again."))


# --- what has a way back of its own -------------------------------------------------------------------------------
def _risky(event: AuditEvent, by: User | None) -> None:
    step = UNDOABLE[event.action]
    if not step.stands(event):
        raise _moved()
    step.carry_out(event, by)


def _corrected(event: AuditEvent, by: User | None) -> None:
    if _is_as(event.subject_key, event.before):
        return
    change = undo_of(event) if _is_as(event.subject_key, event.after) else None
    if change is None:
        raise _moved()
    _followed(lambda bracket: change.carry_out(Why(by, _UNDONE, bracket=bracket)))


def _followed(change: Callable[[str], object]) -> None:
    """Carry it out, with the bracket following where nothing but walk-overs hangs on it: games played there are steps
    of their own."""
    try:
        change("")
    except BracketMovesError as moved:
        if moved.games:
            raise
        change(FOLLOW)


def _note_before(event: AuditEvent, by: User | None) -> None:
    change = undo_of(event)
    if change is None:
        raise _moved()
    change.carry_out(Why(by, _UNDONE))


def _is_as(game: int, kept: Mapping[str, Any]) -> bool:
    """Whether a game is as an image of it says, seats too where they are in it."""
    row = Game.objects.select_related("tournament", "white", "black").filter(pk=game).first()
    if row is None:
        return False
    now = {**image(row), "white": row.white.number, "black": row.black.number}
    now |= {"handicap": row.handicap, "komi": row.komi}
    names = now.keys() & kept.keys() - {"revision"}
    return bool(names) and all(now[name] == kept[name] for name in names)


# --- results and rounds -------------------------------------------------------------------------------------------
def _open_board(event: AuditEvent, by: User | None) -> None:
    if not Game.objects.filter(pk=event.subject_key).exclude(result="").exists():
        return
    if not _is_as(event.subject_key, event.after):
        raise _moved()
    if "tournament" in event.after:  # a free game: there was no board before
        remove_game(game=event.subject_key, by=by, reason=_UNDONE)
        return
    key, result = event.subject_key, Result.OPEN
    _followed(lambda bracket: correct_result(game=key, result=result, by=by, reason=_UNDONE, bracket=bracket))
    row = Game.objects.select_related("tournament").get(pk=key)
    if not row.handicap and row.komi == usual_komi(row.tournament):  # it came with the result
        Game.objects.filter(pk=row.pk).update(komi=None)


def _unpair(event: AuditEvent, by: User | None) -> None:
    row = Round.objects.filter(pk=event.subject_key).first()
    if row is None:
        raise _moved()
    if row.state != Round.State.DRAFT:
        unpublish_round(row.pk, reason=_UNDONE, by=by)
    delete_round(row.pk, by=by, reason=_UNDONE)


def _unpair_all(event: AuditEvent, by: User | None) -> None:
    stages = played_stages(Tournament.objects.get(pk=event.subject_key))
    if len(stages) != 1:
        raise Refused(_("The event has several parts: delete the rounds on the page of its rounds."))
    delete_rounds(stages[0], by=by, reason=_UNDONE)


def _replan(event: AuditEvent, by: User | None) -> None:
    day, at = event.before.get("planned_on", ""), event.before.get("planned_at", "")
    planned = date.fromisoformat(day) if day else None
    plan_round(event.subject_key, planned, by=by, time=time.fromisoformat(at) if at else None)


def _clock_before(event: AuditEvent, by: User | None) -> None:
    put_clock_back(event.subject_key, event.before, event.after, by=by)


# --- entries ------------------------------------------------------------------------------------------------------
def _unenter(event: AuditEvent, by: User | None) -> None:
    begun = Round.objects.filter(stage__tournament__entries=event.subject_key).exists()
    (remove_late if begun else remove_entry)(event.subject_key, by=by)


def _renumber(event: AuditEvent, by: User | None) -> None:
    was, left = (
        {int(key): number for key, number in numbers.items() if key.isdigit()}
        for numbers in (event.before, event.after)
    )
    now = dict(Entry.objects.filter(tournament=event.subject_key, pk__in=was).values_list("pk", "number"))
    if now == was:
        return  # the entry that moved them was brought back, and they with it
    if now != left:
        raise _moved()
    # First without any: the database refuses two of one number.
    Entry.objects.filter(pk__in=was).update(number=None)
    for key, number in was.items():
        Entry.objects.filter(pk=key).update(number=number)


def _leave_again(event: AuditEvent, by: User | None) -> None:
    entry = Entry.objects.select_related("tournament", "player").get(pk=event.subject_key)
    found = leaving(entry)
    if found.forfeits or found.walk_overs:
        raise _moved()
    withdraw_entry(entry.pk, by=by, seen=found.seen)
    Entry.objects.filter(pk=entry.pk).update(last_round=event.before.get("last_round"))


def _rule_before(event: AuditEvent, by: User | None) -> None:
    rows = Tournament.objects.filter(pk=event.subject_key, leaver_rule=event.after["leaver_rule"])
    rows.update(leaver_rule=event.before["leaver_rule"], revision=F("revision") + 1)


def _keep_together(event: AuditEvent, by: User | None) -> None:
    for first, second in event.after["pairs"]:
        pair = ProhibitedPair.objects.filter(tournament=event.subject_key, first=first, second=second).first()
        if pair is None:
            raise _moved()
        allow(pair.pk, by=by)


def _from_image(event: AuditEvent, by: User | None) -> None:
    bring_back(event.before["image"])


# --- who is there -------------------------------------------------------------------------------------------------
def _ask_no_bye(event: AuditEvent, by: User | None) -> None:
    number, before = event.after["round"], event.before
    if not ByeRequest.objects.filter(entry=event.subject_key, round_number=number, kind=event.after["kind"]).exists():
        raise _moved()
    if before:
        request_bye(event.subject_key, number, before["kind"], by=by, against_rules=True)
    else:
        cancel_bye(event.subject_key, number, by=by)


def _come_after_all(event: AuditEvent, by: User | None) -> None:
    take_absence_back(event.subject_key, event.after["round"], by=by)


def _check_otherwise(event: AuditEvent, by: User | None) -> None:
    seen = {int(key): here for key, here in event.before["here"].items()}
    check_in(Tournament.objects.get(pk=event.subject_key), seen, on=date.fromisoformat(event.before["on"]), by=by)


# What went is kept whole.
_BY_IMAGE = ("bye.cancelled", "absence.taken-back", "pair.allowed", "entry.removed", "round.deleted", "rounds.deleted")
WAYS: Mapping[str, Way] = {
    **dict.fromkeys((action for action in UNDOABLE if action != "tournament.deleted"), _risky),
    **dict.fromkeys(("result.corrected", "colours.swapped", "handicap.corrected", "seats.exchanged"), _corrected),
    "game.inserted": _corrected,
    NOTED: _note_before,
    "result.recorded": _open_board,
    "round.paired": _unpair,
    "round.paired by hand": _unpair,
    "rounds.paired": _unpair_all,
    "round.planned": _replan,
    **dict.fromkeys((SET, PAUSED, RESUMED, EXTENDED, REMOVED), _clock_before),
    "entry.made": _unenter,
    "entry.returned": _leave_again,
    "numbers.moved": _renumber,
    "tournament.changed": _rule_before,
    "pairs.prohibited": _keep_together,
    "pair.allowed": _from_image,
    "bye.requested": _ask_no_bye,
    "bye.cancelled": _from_image,
    "absence.told": _come_after_all,
    "absence.taken-back": _from_image,
    "entries.checked-in": _check_otherwise,
}
