"""Boards set by the arbiter: a new round by hand, a draft paired otherwise, and how it differs from the engine's.

Only for formats that make their rounds one by one: the table of a round robin stands, a bracket follows its results.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from itertools import zip_longest

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.refusals import Refused, Stale
from players.trail.services import write_audit
from tournaments.events.selectors.stages import field_of, system_of
from tournaments.models import ByeKind, Colour, Entry, Game, Pairing, Round, Stage
from tournaments.pairing.base import RoundSystem
from tournaments.pairing.free import Teams
from tournaments.rounds.selectors.field import Attendance, attendance, pairing_field, prohibited_in
from tournaments.rounds.services.next_round import (
    Proposal,
    absences,
    check_can_play,
    check_turn,
    image_of,
    lock_event_of,
    numbers_of,
    paired,
    write_round,
)
from tournaments.rounds.services.rounds import Boards, boards_with, lock_round, seat_round, stage_of_round

BY_HAND = "by-hand"  # the format that has no engine

Pair = tuple[Entry, Entry | None]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A round as it stands: its boards in order, the allocated bye among them, and who is absent, with the kind."""

    boards: tuple[Pair, ...]
    absent: tuple[tuple[Entry, str], ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A board that the engine would pair otherwise. `colours`: the same two, the other way round."""

    here: Pair | None
    engine: Pair | None
    colours: bool = False


def drawn(row: Round) -> Drawn:
    """The boards and absences of a round, in two queries."""
    boards: list[Pair] = []
    absent: list[tuple[Entry, str]] = []
    pairings = Pairing.objects.filter(round=row, superseded=False).order_by("board")
    for pairing in pairings.prefetch_related("seats__entry__player"):
        seats = {seat.colour: seat.entry for seat in pairing.seats.all()}
        if Colour.WHITE in seats and Colour.BLACK in seats:
            boards.append((seats[Colour.WHITE], seats[Colour.BLACK]))
        elif pairing.bye == ByeKind.ALLOCATED:
            boards += [(entry, None) for entry in seats.values()]
        else:
            absent += [(entry, pairing.bye) for entry in seats.values()]
    return Drawn(tuple(boards), tuple(absent))


@transaction.atomic
def pair_by_hand(
    stage: Stage,
    boards: Boards,
    *,
    by: User | None,
    day: date | None = None,
    at: time | None = None,
    rest_absent: bool = False,
    nevertheless: bool = False,
    pair_anyway: bool = False,
) -> Round:
    """Make the next round with these boards, as a draft. `rest_absent`: whoever stands on none is not there; else
    those who asked for no bye must stand on one. `nevertheless`: prohibited pairs are meant so. Raises Refused."""
    _check_format(stage)
    stage = lock_event_of(stage)
    who = attendance(stage, check_turn(stage, pair_anyway=pair_anyway))
    rest = _check(stage, who, boards, away=who.asked, rest_absent=rest_absent, nevertheless=nevertheless)
    made = Proposal(who.number, tuple(_as_now(boards, who)), rest)
    return write_round(stage, made, "round.paired by hand", by=by, day=day, at=at)


@transaction.atomic
def re_pair(
    round_key: int,
    boards: Boards,
    *,
    by: User | None,
    rest_absent: bool = False,
    nevertheless: bool = False,
    revision: int | None = None,
) -> Round:
    """Pair a draft otherwise. Whoever was absent may come; whoever stands on no board any more is absent only where
    `rest_absent` says so. Raises Stale where the draft is another by now, Refused as `pair_by_hand` does."""
    stage = lock_event_of(stage_of_round(round_key))
    row = lock_round(round_key)
    _check_format(stage)
    if row.state != Round.State.DRAFT:
        text = _("Round %(number)s is published: take it out of sight first, with a reason.")
        raise Refused(text % {"number": row.number})
    if revision is not None and row.revision != revision:
        raise Stale(_("Somebody else changed this round meanwhile: look at it again."))
    was, who = drawn(row), attendance(stage, row.number)
    away = {entry.pk: kind for entry, kind in was.absent}
    rest = _check(stage, who, boards, away=away, rest_absent=rest_absent, nevertheless=nevertheless)
    boards = _as_now(boards, who)
    Game.objects.filter(pairing__round=row).delete()
    Pairing.objects.filter(round=row).delete()
    seat_round(row, boards, rest)
    row.revision += 1
    row.save(update_fields=["revision"])
    before, after = image_of(was.boards, was.absent), image_of(boards, rest)
    write_audit("round.paired otherwise", row, by=by, before=before, after={**after, "nevertheless": nevertheless})
    return row


def _as_now(boards: Boards, who: Attendance) -> Boards:
    """The checked boards with their entries as they are behind the lock: a player may have been merged meanwhile."""
    now = {entry.pk: entry for entry in who.entries.values()}
    return [(now[white.pk], now[black.pk] if black else None) for white, black in boards]


def compare(row: Round) -> list[Difference]:
    """Where the round differs from what the engine makes of the same people and the results as they are now. The order
    of boards is no difference. Raises Refused where the engine cannot pair them, or the format has none."""
    stage = row.stage
    system = system_of(stage)
    if not isinstance(system, RoundSystem):
        raise Refused(_("This format does not make its rounds one by one."))
    here = drawn(row).boards
    present = [entry.pk for pair in here for entry in pair if entry is not None]
    boards = paired(system, pairing_field(stage, row.number, present), stage)
    return differences(here, boards_with(field_of(stage), boards))


def differences(here: Sequence[Pair], engine: Sequence[Pair]) -> list[Difference]:
    """Pairs of one that are not pairs of the other, board by board; then those with exchanged colours."""
    mine, theirs = ({frozenset(each.pk for each in pair if each): pair for pair in pairs} for pairs in (here, engine))
    only_here = [pair for who, pair in mine.items() if who not in theirs]
    only_engine = [pair for who, pair in theirs.items() if who not in mine]
    pairs = [Difference(one, other) for one, other in zip_longest(only_here, only_engine)]
    turned = [
        Difference(pair, theirs[who], colours=True)
        for who, pair in mine.items()
        if who in theirs and pair[0].pk != theirs[who][0].pk
    ]
    return pairs + turned


# --- checks -------------------------------------------------------------------------------------------------------
def _check_format(stage: Stage) -> None:
    if stage.pairing_system == Teams.key:
        raise Refused(_("This event is one of teams: its rounds are made on the page “Matches”."))
    if not isinstance(system_of(stage), RoundSystem):
        raise Refused(_("The pairings of this format stand: only colours can be exchanged, as a correction of a game."))


def _check(
    stage: Stage,
    who: Attendance,
    boards: Boards,
    *,
    away: Mapping[int, str],
    rest_absent: bool,
    nevertheless: bool,
) -> tuple[tuple[Entry, str], ...]:
    """Who stands on no board, with the kind of bye. `away`: who may stay away unasked. Raises Refused."""
    placed = [entry for pair in boards for entry in pair if entry is not None]
    _check_once(placed)
    check_can_play(who, placed)
    if sum(black is None for _white, black in boards) > 1:
        raise Refused(_("Only one player can have the bye: whoever is not there is absent instead."))
    if not any(black is not None for _white, black in boards):
        raise Refused(_("Nobody stands on a board yet: a round needs at least one."))
    keys = {entry.pk for entry in placed}
    missing = [entry for entry in who.entries.values() if entry.pk not in keys and entry.pk not in away]
    if missing and not rest_absent:
        text = _("On no board yet: %(players)s. Give each a place, or tick that they are not there.")
        raise Refused(text % {"players": numbers_of(missing)})
    if not nevertheless:
        _check_prohibited(stage, who, boards)
    return absences(who, keys, away)


def _check_once(placed: Iterable[Entry]) -> None:
    seen: set[int] = set()
    for entry in placed:
        if entry.pk in seen:
            raise Refused(_("%(player)s stands on two boards: each plays once.") % {"player": numbers_of([entry])})
        seen.add(entry.pk)


def _check_prohibited(stage: Stage, who: Attendance, boards: Boards) -> None:
    pairs = prohibited_in({entry.pk: entry.pk for entry in who.entries.values()})
    for white, black in boards:
        if black is not None and frozenset((white.pk, black.pk)) in pairs:
            text = _("%(white)s and %(black)s are not to meet: pair them otherwise, or tick that it is meant so.")
            raise Refused(text % {"white": numbers_of([white]), "black": numbers_of([black])})
