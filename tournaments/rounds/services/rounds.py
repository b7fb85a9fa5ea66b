"""Rounds: made all at once where the format knows them, planned, published, withdrawn from sight, deleted.

Rounds made one by one: `next_round`; matches of a knockout: `tournaments.knockouts.services.matches`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, time, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from players.models import AuditEvent
from players.refusals import Refused, Stale, said
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.entries.services.entries import numbered
from tournaments.events.selectors.stages import field_of, system_of
from tournaments.events.services.unplayed import played_among, refuse_closed, ruled_among
from tournaments.models import ByeKind, Colour, Entry, Game, Pairing, Round, Seat, Stage, Tournament
from tournaments.pairing import PairingError
from tournaments.pairing.base import PairedRound, RoundSystem, ScheduleSystem
from tournaments.pairing.free import Teams
from tournaments.rounds.selectors.field import next_number, rounds_before
from tournaments.rounds.services.follow_up import queue_follow_up
from tournaments.undo.services.snapshots import image_of_rounds, stand_of
from tournaments.withdrawals.services.forfeits import forfeit_rest

Boards = Sequence[tuple[Entry, Entry | None]]  # White and Black; nobody for the allocated bye
Absent = Sequence[tuple[Entry, str]]  # who is not there, with the kind of bye


@transaction.atomic
def pair_all_rounds(
    stage: Stage,
    *,
    by: User | None,
    first_day: date | None = None,
    days_between: int = 7,
    publish: bool = True,
) -> list[Round]:
    """Make all rounds of a stage whose system knows them beforehand, boards and colours included. `first_day` plans
    round 1, the others follow `days_between` apart (0: all on one day). Raises Refused where numbers are missing,
    rounds exist already, or the field cannot be paired."""
    lock_lists()
    tournament = lock_open_event(stage)
    if stage.rounds.exists():
        raise Refused(_("The rounds are made already: delete them to make them anew."))
    field = _numbered_field(stage)
    left = [entry for entry in field.values() if entry.withdrawn]
    if left and not publish:
        text = _("Player %(number)s has withdrawn and forfeits the games: publish the rounds at once.")
        raise Refused(text % {"number": f"#{left[0].player.number}"})
    schedule, offset = _schedule(stage, len(field)), rounds_before(stage)
    state = Round.State.PUBLISHED if publish else Round.State.DRAFT
    rounds = Round.objects.bulk_create(
        Round(
            stage=stage,
            number=offset + index + 1,
            planned_on=first_day + timedelta(days=days_between * index) if first_day else None,
            state=state,
        )
        for index in range(len(schedule))
    )
    _seat(stage, [(row, boards_with(field, boards), ()) for row, boards in zip(rounds, schedule, strict=True)])
    write_audit("rounds.paired", tournament, by=by, after={"rounds": len(rounds), "published": publish})
    for entry in left:
        forfeit_rest(entry, by=by)
    queue_follow_up(stage)
    return rounds


def lock_open_event(stage: Stage) -> Tournament:
    """The stage's event, locked. Raises Refused where it is over."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=stage.tournament_id)
    refuse_closed(tournament)
    return tournament


def _numbered_field(stage: Stage) -> dict[int, Entry]:
    """Who plays in the stage. Raises Refused where somebody has no number."""
    field = field_of(stage)
    everybody = Entry.objects.filter(tournament=stage.tournament_id).count() if stage.takes_everybody else len(field)
    if everybody and (len(field) < everybody or not numbered(field)):
        raise Refused(_("Not everybody has a pairing number: draw lots or sort by rating first."))
    return field


def _schedule(stage: Stage, players: int) -> tuple[PairedRound, ...]:
    system = system_of(stage)
    if isinstance(system, RoundSystem):
        raise Refused(_("This format makes its rounds one by one."))
    if not isinstance(system, ScheduleSystem):
        raise Refused(_("This format does not make its rounds beforehand."))
    try:
        return system.schedule(players, stage.settings)
    except PairingError as refusal:
        raise Refused(said(refusal)) from None


def boards_with(field: Mapping[int, Entry], boards: PairedRound) -> list[tuple[Entry, Entry | None]]:
    """A paired round with the entries behind its numbers."""
    return [(field[board.white], None if board.black is None else field[board.black]) for board in boards]


def seat_round(row: Round, boards: Boards, absent: Absent = ()) -> None:
    """Write the pairings of a new round: the boards in order, then those who are not there."""
    _seat(row.stage, [(row, boards, absent)])


def _seat(stage: Stage, rounds: Iterable[tuple[Round, Boards, Absent]]) -> None:
    """The same for several rounds of a stage, in three statements."""
    pairs: list[tuple[Round, Pairing, Entry, Entry | None]] = []
    for row, boards, absent in rounds:
        seated = [(white, black, "" if black else ByeKind.ALLOCATED) for white, black in boards]
        everybody = [*seated, *((entry, None, kind) for entry, kind in absent)]
        for number, (white, black, bye) in enumerate(everybody, start=1):
            pairs.append((row, Pairing(stage=stage, round=row, board=number, bye=bye), white, black))
    Pairing.objects.bulk_create(pairing for _row, pairing, _white, _black in pairs)
    seats, games = [], []
    for row, pairing, white, black in pairs:
        if black is None:
            seats.append(Seat(pairing=pairing, round=row, entry=white, colour=Colour.NONE))
            continue
        seats.append(Seat(pairing=pairing, round=row, entry=white, colour=Colour.WHITE))
        seats.append(Seat(pairing=pairing, round=row, entry=black, colour=Colour.BLACK))
        games.append(
            Game(
                tournament=stage.tournament,
                pairing=pairing,
                pool=stage.pool or stage.tournament.pool,
                white_id=white.player_id,
                black_id=black.player_id,
            )
        )
    Seat.objects.bulk_create(seats)
    Game.objects.bulk_create(games)


@transaction.atomic
def plan_round(round_key: int, day: date | None, *, by: User | None, time: time | None = None) -> Round:
    """Plan a round for a day and a time of that day, or for none. Raises Refused for a time without a day."""
    if time is not None and day is None:
        raise Refused(_("A time needs its day: enter the day too."))
    row = lock_round(round_key)
    before = _plan(row)
    row.planned_on, row.planned_at = day, time
    row.revision += 1
    row.save(update_fields=["planned_on", "planned_at", "revision"])
    write_audit("round.planned", row, by=by, before=before, after=_plan(row))
    return row


@contextmanager
def several_rounds(tournament: Tournament) -> Iterator[None]:
    """Whatever is done inside is done to all those rounds of the event or to none; none is deleted meanwhile."""
    with transaction.atomic():
        Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
        yield


def stage_of_round(round_key: int) -> Stage:
    """Raises Stale where somebody took the round back meanwhile."""
    stage = Stage.objects.filter(rounds=round_key).first()
    if stage is None:
        raise _gone()
    return stage


def lock_round(round_key: int) -> Round:
    """The round, locked. Raises Stale where somebody took it back meanwhile."""
    rows = Round.objects.select_for_update(of=("self",), no_key=True).select_related("stage")
    try:
        return rows.get(pk=round_key)
    except Round.DoesNotExist:
        raise _gone() from None


def _gone() -> Stale:
    return Stale(_("This round was deleted meanwhile: look at the rounds again."))


def _plan(row: Round) -> dict[str, str]:
    day = row.planned_on.isoformat() if row.planned_on else ""
    return {"planned_on": day, **({"planned_at": f"{row.planned_at:%H:%M}"} if row.planned_at else {})}


@transaction.atomic
def publish_round(round_key: int, *, by: User | None, revision: int | None = None, reason: str = "") -> Round:
    """Show a drafted round to everybody; a `reason` only where that takes something back. Raises Refused where it is
    public already or somebody left who is still paired in it, Stale where it has another `revision`."""
    row = lock_round(round_key)
    if row.state != Round.State.DRAFT:
        raise Refused(_("Round %(number)s is published already.") % {"number": row.number})
    if revision is not None and row.revision != revision:
        text = _("Round %(number)s was changed meanwhile: look at its boards again, then publish.")
        raise Stale(text % {"number": row.number})
    if isinstance(system_of(row.stage), RoundSystem):
        _check_nobody_left(row)
    _set_state(row, Round.State.PUBLISHED, "round.published", by=by, reason=reason)
    queue_follow_up(row.stage)
    return row


@transaction.atomic
def unpublish_round(round_key: int, *, reason: str, by: User | None, note: str = "") -> Round:
    """Make a published round a draft again, which only officers see. Raises Refused without a reason, once a result is
    recorded in it, or where a later round was paired from it."""
    stage = stage_of_round(round_key)
    lock_open_event(stage)
    row = lock_round(round_key)
    if row.state == Round.State.DRAFT:
        raise Refused(_("Round %(number)s is a draft already.") % {"number": row.number})
    if not reason or reason not in AuditEvent.Reason.values:
        raise Refused(_("To take a published round out of sight needs a reason: choose one."))
    # A result under way comes first and is seen below; a form opened before is stale afterwards.
    Game.objects.filter(pairing__round=row).update(revision=F("revision") + 1)
    _check_nothing_entered(row)
    if isinstance(system_of(stage), RoundSystem):
        _check_last(row)
    return _set_state(row, Round.State.DRAFT, "round.unpublished", by=by, reason=reason, note=note)


def _check_nobody_left(row: Round) -> None:
    paired = Seat.objects.filter(round=row, entry__withdrawn=True, pairing__bye__in=("", ByeKind.ALLOCATED))
    left = paired.select_related("entry__player").first()
    if left:
        raise Refused(
            _("Player #%(player)s left after round %(number)s was drafted: pair it anew.")
            % {"player": left.entry.player.number, "number": row.number}
        )


def _set_state(
    row: Round, state: Round.State, action: str, *, by: User | None, reason: str = "", note: str = ""
) -> Round:
    before, row.state = {"state": row.state}, state
    row.revision += 1
    row.save(update_fields=["state", "revision"])
    after = {"state": state, "number": row.number, "revision": row.revision}
    write_audit(action, row, by=by, before=before, after=after, reason=reason, note=note)
    return row


def _check_nothing_entered(row: Round) -> None:
    if entered := played_among(Game.objects.filter(pairing__round=row)):
        figures = {"number": row.number, "count": entered}
        raise Refused(_("Round %(number)s has %(count)s results: clear them first.") % figures)
    if ruled_among(Pairing.objects.filter(round=row, superseded=False)):
        text = _("In round %(number)s the arbiter decided a match: take that back first.")
        raise Refused(text % {"number": row.number})


def _check_last(row: Round) -> None:
    if Round.objects.filter(stage=row.stage_id, number__gt=row.number).exists():
        raise Refused(
            _("Round %(next)s was paired from round %(number)s: delete it first.")
            % {"number": row.number, "next": row.number + 1}
        )


@transaction.atomic
def delete_round(round_key: int, *, by: User | None, reason: str = "", note: str = "") -> None:
    """Take the last round of a stage back whose rounds are made one by one, so that it can be made anew; the audit
    event keeps its image. Raises Refused for any but the last, for a published one, and once a result is recorded."""
    lock_lists()
    stage = stage_of_round(round_key)
    tournament = lock_open_event(stage)
    _refuse_teams(stage)
    row = lock_round(round_key)
    if not isinstance(system_of(stage), RoundSystem):
        raise Refused(_("The rounds of this format were made together: delete them together."))
    if row.state != Round.State.DRAFT:
        text = _("Round %(number)s is published: take it out of sight first, with a reason.")
        raise Refused(text % {"number": row.number})
    _check_nothing_entered(row)
    _check_last(row)
    absent = Seat.objects.filter(round=row, pairing__bye__in=(ByeKind.ZERO, ByeKind.HALF, ByeKind.FULL))
    away = {str(key): kind for key, kind in absent.values_list("entry", "pairing__bye")}
    before = {"stage": stage.order, "number": row.number, **({"absent": away} if away else {})}
    before["image"] = image_of_rounds(Round.objects.filter(pk=row.pk))
    row.delete()
    before |= _bring_forward(stage)
    after = {"stand": stand_of(tournament.pk)}
    write_audit("round.deleted", tournament, by=by, before=before, after=after, reason=reason, note=note)


def _refuse_teams(stage: Stage) -> None:
    """Rounds of teams go with their matches (`tournaments.teams.services.rounds`)."""
    if stage.pairing_system == Teams.key:
        raise Refused(_("This is an event of teams: delete its rounds on the page “Matches”."))


def absent_before(stage: Stage, number: int) -> dict[int, str]:
    """Who was absent in the draft of that round that was deleted last, with the kind of bye, by the entry's key."""
    about = AuditEvent.objects.filter(subject_kind="tournament", subject_key=stage.tournament_id)
    last = about.filter(action__in=("round.deleted", "rounds.deleted")).first()
    if last is None or (last.before.get("stage"), last.before.get("number")) != (stage.order, number):
        return {}
    return {int(key): kind for key, kind in last.before.get("absent", {}).items()}


@transaction.atomic
def delete_rounds(stage: Stage, *, by: User | None, reason: str = "", note: str = "") -> None:
    """Delete all rounds of a stage; the audit event keeps their image. Raises Refused where a result is recorded."""
    lock_lists()
    tournament = lock_open_event(stage)
    _refuse_teams(stage)
    if played := played_among(Game.objects.filter(pairing__stage=stage)):
        raise Refused(_("%(count)s results are recorded: clear them before you delete the rounds.") % {"count": played})
    if ruled_among(Pairing.objects.filter(stage=stage, superseded=False)):
        raise Refused(_("Matches were decided by the arbiter: take that back before you delete the rounds."))
    before = {"rounds": stage.rounds.count(), "image": image_of_rounds(stage.rounds.all())}
    Game.objects.filter(pairing__stage=stage).delete()
    stage.rounds.all().delete()
    before |= _bring_forward(stage)
    after = {"stand": stand_of(tournament.pk)}
    write_audit("rounds.deleted", tournament, by=by, before=before, after=after, reason=reason, note=note)


def _bring_forward(stage: Stage) -> dict[str, dict[str, int]]:
    """Late ones who were to come after rounds that are deleted now, come to the next one; their first rounds before."""
    coming = next_number(stage)
    late = Entry.objects.filter(tournament=stage.tournament_id, first_round__gt=coming)
    before = {str(key): first for key, first in late.values_list("pk", "first_round")} if stage.takes_everybody else {}
    Entry.objects.filter(pk__in=before).update(first_round=coming)
    return {"first_rounds": before} if before else {}
