"""What the next round of a stage is paired from: who plays, who met whom, who is there, and what is still open.

A round counts from 1 within its stage here; in the database it counts through the whole event. A game that is not over
counts as a draw for the pairing and nowhere else (FIDE C.04.2).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from django.db.models import Max, Q, QuerySet

from tournaments.models import ByeKind, ByeRequest, ByeWorth, Entry, Game, ProhibitedPair, Round, Seat, Stage
from tournaments.pairing.base import Field
from tournaments.selectors.stages import field_of, system_of
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import DECIDED_RESULTS, Result, point_system, seen_from_black


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who could play in a round, by the number each has in the stage, and which bye (a `ByeKind`) some asked for, by
    the entry's key."""

    number: int
    entries: Mapping[int, Entry]
    asked: Mapping[int, str]

    @property
    def keys(self) -> set[int]:
        """Keys of those who could play."""
        return {entry.pk for entry in self.entries.values()}


def attendance(stage: Stage, number: int) -> Attendance:
    """Who could play in the stage's round of that number: entered by then, and not withdrawn. Two queries."""
    field = field_of(stage)
    playing = {own: entry for own, entry in field.items() if not entry.withdrawn and entry.first_round <= number}
    keys = [entry.pk for entry in playing.values()]
    asked = ByeRequest.objects.filter(round_number=number, entry__in=keys).values_list("entry_id", "kind")
    return Attendance(number, playing, dict(asked))


def rounds_before(stage: Stage) -> int:
    """The last round of the parts before the stage's; 0 in a simple event."""
    earlier = Round.objects.filter(stage__tournament=stage.tournament_id, stage__part__lt=stage.part)
    return earlier.aggregate(last=Max("number"))["last"] or 0


def next_number(stage: Stage) -> int:
    """The number of the stage's next round."""
    last = Round.objects.filter(stage=stage).aggregate(last=Max("number"))["last"] or 0
    return max(last, rounds_before(stage)) + 1


def open_boards(stage: Stage, number: int) -> list[tuple[int, int]]:
    """Round and board of the games before that round that are not over."""
    games = _games_before(stage, number).exclude(result__in=DECIDED_RESULTS)
    rows = games.values_list("pairing__round__number", "pairing__board")
    return sorted({(row, board) for row, board in rows if board is not None})


def pairing_field(stage: Stage, number: int, present: Collection[int]) -> Field:
    """The field of the round of that number; `present`: keys of the entries to be paired. Five queries."""
    people = field_of(stage)
    by_entry = {entry.pk: own for own, entry in people.items()}
    by_player = {entry.player_id: own for own, entry in people.items()}
    offset = rounds_before(stage)
    return Field(
        players=tuple(sorted(people)),
        present=frozenset(by_entry[key] for key in present),
        meetings=tuple(_meetings(stage, number, offset, by_player)),
        byes=tuple(_byes(stage, number, offset, by_entry)),
        prohibited=prohibited_in(by_entry),
        round=number - offset,
    )


def prohibited_in(numbers: Mapping[int, int]) -> frozenset[frozenset[int]]:
    """The pairs among those entries that must not meet; `numbers` by the entry's key."""
    rows = ProhibitedPair.objects.filter(first__in=numbers, second__in=numbers).values_list("first_id", "second_id")
    return frozenset(frozenset((numbers[first], numbers[second])) for first, second in rows)


def bye_points(stage: Stage, kind: str) -> int:
    """What a bye of that kind brings in the stage's event, in the smallest unit of its point system."""
    points = point_system(stage.tournament.point_system)
    if kind == ByeKind.ALLOCATED and stage.tournament.allocated_bye:
        return points.share(ByeWorth(stage.tournament.allocated_bye).value)
    if kind == ByeKind.ALLOCATED:
        system = system_of(stage)
        return points.allocated_bye if system and system.allocated_bye_scores else 0
    return {ByeKind.FULL: points.win, ByeKind.HALF: points.draw}.get(ByeKind(kind), 0)


def _games_before(stage: Stage, number: int) -> QuerySet[Game]:
    return Game.objects.filter(
        pairing__round__stage=stage, pairing__round__number__lt=number, pairing__superseded=False
    )


def _meetings(stage: Stage, number: int, offset: int, numbers: Mapping[int, int]) -> list[Meeting]:
    """One a board; the armageddon game after a draw decides it, as its first game's White sees it."""
    rows = _games_before(stage, number).order_by("pairing__round__number", "pairing__board", "number")
    columns = rows.values_list("pairing_id", "pairing__round__number", "white_id", "black_id", "result")
    met: dict[int, Meeting] = {}
    for pairing, row, white, black, code in columns:
        if white not in numbers or black not in numbers:
            continue
        result, first = Result(code), met.get(pairing)
        if first is None:
            met[pairing] = Meeting(row - offset, numbers[white], numbers[black], _for_pairing(result))
        else:
            seen = result if numbers[white] == first.white else seen_from_black(result)
            met[pairing] = replace(first, decider=seen)
    return list(met.values())


def _for_pairing(result: Result) -> Result:
    return result if result in DECIDED_RESULTS else Result.DRAW


def _byes(stage: Stage, number: int, offset: int, numbers: Mapping[int, int]) -> list[Bye]:
    seats = Seat.objects.filter(~Q(pairing__bye=""), round__stage=stage, round__number__lt=number)
    rows = seats.order_by("round__number", "pairing__board")
    columns = rows.values_list("round__number", "entry_id", "pairing__bye")
    return [
        Bye(row - offset, numbers[entry], bye_points(stage, kind), kind)
        for row, entry, kind in columns
        if entry in numbers
    ]
