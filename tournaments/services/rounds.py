"""Rounds: pair them, publish them, take them back while nothing was played."""

from datetime import date, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.services.audit import write_audit
from players.services.refusals import Refused
from tournaments.models import ByeKind, Colour, Entry, Game, Pairing, Round, Seat, Stage, Tournament
from tournaments.pairing import Board, PairingError, pairing_system
from tournaments.pairing.base import ScheduleSystem
from tournaments.services.entries import numbered


@transaction.atomic
def pair_all_rounds(
    stage: Stage,
    *,
    by: User | None,
    first_day: date | None = None,
    days_between: int = 7,
    publish: bool = True,
) -> list[Round]:
    """Make all rounds of a stage whose system knows them beforehand, boards and colours included.

    `first_day` plans round 1, the others follow `days_between` apart (0: all on one day). Raises Refused where
    numbers are missing, rounds exist already, or the field cannot be paired.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=stage.tournament_id)
    if stage.rounds.exists():
        raise Refused(_("The rounds are made already: delete them to make them anew."))
    entries = {entry.number: entry for entry in Entry.objects.filter(tournament=tournament)}
    if entries and not numbered(entries):
        raise Refused(_("Not everybody has a pairing number: draw lots or sort by rating first."))
    system = pairing_system(stage.pairing_system)
    if not isinstance(system, ScheduleSystem):
        raise Refused(_("This format makes its rounds one by one."))
    try:
        schedule = system.schedule(len(entries), stage.settings)
    except PairingError as refusal:
        raise Refused(str(refusal)) from None
    rounds = []
    for number, boards in enumerate(schedule, start=1):
        planned = first_day + timedelta(days=days_between * (number - 1)) if first_day else None
        row = Round.objects.create(
            stage=stage,
            number=number,
            planned_on=planned,
            state=Round.State.PUBLISHED if publish else Round.State.DRAFT,
        )
        _seat(tournament, row, boards, {key: entry for key, entry in entries.items() if key is not None})
        rounds.append(row)
    write_audit("rounds.paired", tournament, by=by, after={"rounds": len(rounds), "published": publish})
    return rounds


def _seat(tournament: Tournament, row: Round, boards: tuple[Board, ...], entries: dict[int, Entry]) -> None:
    stage = row.stage
    pairings = Pairing.objects.bulk_create(
        Pairing(stage=stage, round=row, board=number, bye=ByeKind.ALLOCATED if board.is_bye else "")
        for number, board in enumerate(boards, start=1)
    )
    seats, games = [], []
    for pairing, board in zip(pairings, boards, strict=True):
        white = entries[board.white]
        if board.black is None:
            seats.append(Seat(pairing=pairing, round=row, entry=white, colour=Colour.NONE))
            continue
        black = entries[board.black]
        seats.append(Seat(pairing=pairing, round=row, entry=white, colour=Colour.WHITE))
        seats.append(Seat(pairing=pairing, round=row, entry=black, colour=Colour.BLACK))
        games.append(
            Game(
                tournament=tournament,
                pairing=pairing,
                pool=stage.pool or tournament.pool,
                white_id=white.player_id,
                black_id=black.player_id,
            )
        )
    Seat.objects.bulk_create(seats)
    Game.objects.bulk_create(games)


@transaction.atomic
def plan_round(round_key: int, day: date | None, *, by: User | None) -> Round:
    """Plan a round for a day, or for none."""
    row = Round.objects.select_for_update(no_key=True).get(pk=round_key)
    before = {"planned_on": row.planned_on.isoformat() if row.planned_on else ""}
    row.planned_on = day
    row.revision += 1
    row.save(update_fields=["planned_on", "revision"])
    write_audit("round.planned", row, by=by, before=before, after={"planned_on": day.isoformat() if day else ""})
    return row


@transaction.atomic
def publish_round(round_key: int, *, by: User | None) -> Round:
    """Show a drafted round to everybody. Raises Refused where it is public already."""
    row = Round.objects.select_for_update(no_key=True).get(pk=round_key)
    if row.state != Round.State.DRAFT:
        raise Refused(_("Round %(number)s is published already.") % {"number": row.number})
    row.state = Round.State.PUBLISHED
    row.revision += 1
    row.save(update_fields=["state", "revision"])
    write_audit("round.published", row, by=by, after={"number": row.number})
    return row


@transaction.atomic
def delete_rounds(stage: Stage, *, by: User | None) -> None:
    """Take all rounds back. Raises Refused where a result is recorded: results are never lost in passing."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=stage.tournament_id)
    played = Game.objects.filter(pairing__stage=stage).exclude(result="").count()
    if played:
        raise Refused(_("%(count)s results are recorded: clear them before you delete the rounds.") % {"count": played})
    write_audit("rounds.deleted", tournament, by=by, before={"rounds": stage.rounds.count()})
    Game.objects.filter(pairing__stage=stage).delete()
    stage.rounds.all().delete()
