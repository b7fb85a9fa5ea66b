"""Rounds made one by one: who is there tonight is paired from the rounds before (Keizer, by hand, the Swiss).

`propose_round` writes nothing; `pair_next_round` does. A large round takes the engine seconds, so a proposal can be
handed back (`seal`): while everything it was paired from is the same, it is not paired again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Any

from django.contrib.auth.models import User
from django.core import signing
from django.db import transaction
from django.utils.translation import gettext as _

from clubrating.ground.marks import joined
from players.refusals import Refused, Stale, listed, said, sign
from players.trail.services import write_audit
from tournaments.corrections.services.changes import digest
from tournaments.events.selectors.stages import round_limit, system_of
from tournaments.models import ByeKind, Entry, Round, Stage, Tournament
from tournaments.pairing import PairingError
from tournaments.pairing.base import Board, Field, PairedRound, RoundSystem
from tournaments.pairing.dutch.system import Dutch
from tournaments.presence.services import is_excusing, request_bye
from tournaments.rounds.selectors.field import (
    Attendance,
    attendance,
    fingerprint,
    next_number,
    open_boards,
    pairing_field,
    rounds_before,
)
from tournaments.rounds.services.follow_up import queue_follow_up
from tournaments.rounds.services.rounds import boards_with, seat_round

MOST_NAMED = 5  # open boards that are named in a sentence
_SALT = "tournaments.next_round"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A round not made yet: the boards in order (nobody as Black: the allocated bye), and who is not there, with the
    kind of bye. `engine`: the boards by number as the engine made them, `paired_from` a digest of all it was given."""

    number: int
    boards: tuple[tuple[Entry, Entry | None], ...]
    absent: tuple[tuple[Entry, str], ...]
    engine: PairedRound = ()
    paired_from: str = ""

    def seal(self) -> str:
        """The engine's boards and what they were paired from, signed, to be handed back."""
        boards = [[board.white, board.black] for board in self.engine]
        return signing.dumps([self.paired_from, boards], salt=_SALT)

    def image(self) -> dict[str, Any]:
        """What the audit trail keeps: keys of entries."""
        return image_of(self.boards, self.absent)

    @property
    def seen(self) -> str:
        """A digest of the round, to be handed back by whoever looked at it."""
        return digest([repr((self.number, self.image()))])


def propose_round(
    stage: Stage,
    *,
    present: Iterable[Entry] | None = None,
    absent: Mapping[int, str] | None = None,
    pair_anyway: bool = False,
    seal: str = "",
) -> Proposal:
    """The next round as the stage's format pairs it; nothing is written. `present`: those to be paired, else everybody
    who can play and asked for no bye; `absent`: the kind of bye of others, by the entry's key. Raises Refused where the
    round before is a draft or has open boards (`pair_anyway`: they count as draws for the pairing only), somebody
    cannot play, or the field cannot be paired."""
    system = system_of(stage)
    if not isinstance(system, RoundSystem):
        raise Refused(_("This format does not make its rounds one by one."))
    number = check_turn(stage, pair_anyway=pair_anyway)
    who = attendance(stage, number)
    here = check_present(who, present)
    away = absences(who, here, absent or {})
    field = pairing_field(stage, number, here)
    found = fingerprint(stage, field)
    boards = _sealed(seal, found) if seal else None
    if boards is None:
        boards = paired(system, field, stage)
    return Proposal(number, tuple(boards_with(who.entries, boards)), away, boards, found)


def paired(system: RoundSystem, field: Field, stage: Stage) -> PairedRound:
    """The field's round by the stage's settings. Raises Refused with the engine's reason."""
    try:
        return system.pair_round(field, stage.settings)
    except PairingError as refusal:
        remedy = _("Let somebody have a bye, allow two to meet who were kept apart, or pair the round by hand.")
        text = joined(said(refusal), remedy) if stage.pairing_system == Dutch.key else said(refusal)
        raise Refused(text) from None


def _sealed(seal: str, text: str) -> PairedRound | None:
    """The boards of a seal of ours that were paired from exactly this; None for anything else."""
    try:
        paired_from, boards = signing.loads(seal, salt=_SALT)
    except signing.BadSignature:
        return None
    return tuple(Board(white, black) for white, black in boards) if paired_from == text else None


@transaction.atomic
def pair_next_round(
    stage: Stage,
    *,
    by: User | None,
    present: Iterable[Entry] | None = None,
    absent: Mapping[int, str] | None = None,
    day: date | None = None,
    at: time | None = None,
    pair_anyway: bool = False,
    publish: bool = False,
    seal: str = "",
    who: Attendance | None = None,
    seen: str | None = None,
) -> Round:
    """Make the next round of a stage, as a draft unless told to publish it. `who`: the list the present were chosen
    from, whose half-point byes are noted as asked for; `seen`: of the proposal that was looked at. Raises Refused as
    `propose_round` does and where no more half-point byes are allowed, Stale where either is another by now."""
    stage = lock_event_of(stage)
    if who is not None:
        now = attendance(stage, next_number(stage))
        if (now.number, now.keys, now.asked) != (who.number, who.keys, who.asked):
            raise Stale(_("Meanwhile somebody came, left or asked for a bye: look at the players again."))
        _note_half_byes(stage, who, absent or {}, by=by)
    made = propose_round(stage, present=present, absent=absent, pair_anyway=pair_anyway, seal=seal)
    if seen is not None and seen != made.seen:
        raise Stale(_("These are not the boards you looked at: look at them below, then publish."))
    return write_round(stage, made, "round.paired", by=by, day=day, at=at, publish=publish)


def _note_half_byes(stage: Stage, who: Attendance, absent: Mapping[int, str], *, by: User | None) -> None:
    """Half a point given on the sheet is asked for now: it counts among those the event allows. Raises Refused where
    it allows no more. Where it is an excuse there is nothing to count."""
    for key, kind in absent.items():
        if kind == ByeKind.HALF and key not in who.asked and key in who.keys and not is_excusing(stage):
            request_bye(key, who.number, kind, by=by)


def lock_event_of(stage: Stage) -> Stage:
    """The stage as it is behind the lock of its event: settings and rules may have changed meanwhile."""
    Tournament.objects.select_for_update(no_key=True).get(pk=stage.tournament_id)
    return Stage.objects.select_related("tournament").get(pk=stage.pk)


def write_round(
    stage: Stage,
    made: Proposal,
    action: str,
    *,
    by: User | None,
    day: date | None = None,
    at: time | None = None,
    publish: bool = False,
) -> Round:
    """Write a proposed round of a locked event."""
    state = Round.State.PUBLISHED if publish else Round.State.DRAFT
    row = Round.objects.create(stage=stage, number=made.number, planned_on=day, planned_at=at, state=state)
    seat_round(row, made.boards, made.absent)
    write_audit(action, row, by=by, after={"number": row.number, "published": publish, **made.image()})
    queue_follow_up(stage)
    return row


def check_turn(stage: Stage, *, pair_anyway: bool = False) -> int:
    """The number of the stage's next round. Raises Refused where it is not its turn yet."""
    number = next_number(stage)
    if stage.tournament.closed:
        raise Refused(_("The event is over: open it again to have another round."))
    limit = round_limit(stage)
    if limit is not None and number - rounds_before(stage) > limit:
        text = _("All %(rounds)s rounds are made: to have another, change the number of rounds first (Format).")
        raise Refused(text % {"rounds": limit})
    if stage.takes_everybody and Entry.objects.filter(tournament=stage.tournament_id, number=None).exists():
        raise Refused(_("Not everybody has a pairing number: draw lots or sort by rating first."))
    draft = Round.objects.filter(stage=stage, state=Round.State.DRAFT).order_by("number").first()
    if draft:
        text = _("Round %(number)s is still a draft: publish it, or delete it to make it anew.")
        raise Refused(text % {"number": draft.number})
    left = [] if pair_anyway else open_boards(stage, number)
    if left:
        raise Refused(
            _("Games are not over (%(boards)s): enter them, or pair anyway; they then count as draws for the pairing.")
            % {"boards": _named(left)}
        )
    return number


def _named(boards: Sequence[tuple[int, int]]) -> str:
    words = [_("round %(round)s, board %(board)s") % {"round": r, "board": board} for r, board in boards[:MOST_NAMED]]
    return sign("; ").join(words) + (sign("; ") + "…" if len(boards) > MOST_NAMED else "")


def check_present(who: Attendance, present: Iterable[Entry] | None) -> list[int]:
    """Keys of those to be paired. Raises Refused for somebody who cannot play, or where nobody is left."""
    if present is None:
        keys = who.keys - set(who.asked)
    else:
        wanted = list(present)
        check_can_play(who, wanted)
        keys = {entry.pk for entry in wanted}
    if len(keys) < 2:
        raise Refused(_("A round needs at least two players who are there."))
    return sorted(keys)


def check_can_play(who: Attendance, wanted: Iterable[Entry]) -> None:
    """Raises Refused for those who cannot be paired in that round."""
    can = who.keys
    gone = [entry for entry in wanted if entry.pk not in can]
    if gone:
        text = _("%(players)s cannot be paired in round %(round)s: withdrawn, not entered yet, or of another group.")
        raise Refused(text % {"players": numbers_of(gone), "round": who.number})


def numbers_of(entries: Iterable[Entry]) -> str:
    """ "player #3, player #7": people in a sentence."""
    return listed(_("player #%(number)s") % {"number": entry.player.number} for entry in entries)


def absences(who: Attendance, here: Iterable[int], kinds: Mapping[int, str]) -> tuple[tuple[Entry, str], ...]:
    """Who is not there, with the kind of bye: as given, as asked for, or zero. Raises Refused for another kind."""
    paired, rest = set(here), []
    for entry in who.entries.values():
        kind = kinds.get(entry.pk) or who.asked.get(entry.pk) or ByeKind.ZERO
        if kind not in (ByeKind.ZERO, ByeKind.HALF, ByeKind.FULL):
            raise Refused(_("“%(kind)s” is no way to be absent.") % {"kind": kind[:20]})
        if entry.pk not in paired:
            rest.append((entry, str(kind)))
    return tuple(rest)


def image_of(boards: Iterable[tuple[Entry, Entry | None]], absent: Iterable[tuple[Entry, str]] = ()) -> dict[str, Any]:
    """Boards and absences as keys of entries."""
    return {
        "boards": [[white.pk, black.pk if black else None] for white, black in boards],
        "absent": {str(entry.pk): kind for entry, kind in absent},
    }
