"""What the next round of a stage is paired from: who plays, who met whom, who is there, and what is still open.

A round counts from 1 within its stage here; in the database it counts through the whole event. A game that is not over
counts as a draw for the pairing and nowhere else (FIDE C.04.2).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from django.db.models import Max, Q, QuerySet

from tournaments.events.selectors.stages import field_of, system_of
from tournaments.interchange.pairing_of_report import accelerated_in, apart_in
from tournaments.interchange.trf import Report, ReportError, ReportPlayer
from tournaments.interchange.trf.head import kept_fields
from tournaments.models import (
    ByeKind,
    ByeRequest,
    ByeWorth,
    Entry,
    Game,
    ProhibitedPair,
    Round,
    Seat,
    Stage,
    Tournament,
)
from tournaments.pairing.base import Field
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import (
    DECIDED_RESULTS,
    PointSystem,
    Result,
    point_system,
    seen_from_black,
    with_allocated_bye,
)

_FOR_THE_PAIRING = ("XXA", "250", "260")


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who could play in a round, by the number in the stage, and the byes (`ByeKind`) asked for, by the entry's key."""

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
    """The last round of the parts before the stage's; 0 in a simple event, without a query."""
    if stage.part == 1:
        return 0
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
    people = {own: entry for own, entry in field_of(stage).items() if entry.first_round <= number}
    by_entry = {entry.pk: own for own, entry in people.items()}
    by_player = {entry.player_id: own for own, entry in people.items()}
    offset = rounds_before(stage)
    apart, accelerated = _brought(stage, people, number - offset)
    return Field(
        players=tuple(sorted(people)),
        present=frozenset(by_entry[key] for key in present),
        meetings=tuple(_meetings(stage, number, offset, by_player)),
        byes=tuple(_byes(stage, number, offset, by_entry)),
        prohibited=prohibited_in(by_entry) | apart,
        round=number - offset,
        points=points_of_event(stage.tournament),
        edition=stage.tournament.swiss_edition,
        accelerated=accelerated,
    )


def fingerprint(stage: Stage, field: Field) -> str:
    """A digest of all that the engine is given: where it is the same the round comes out the same."""
    prohibited = sorted(sorted(pair) for pair in field.prohibited)  # sets have no order of their own
    lines = (stage.pk, stage.pairing_system, sorted(stage.settings.items()), field.players, sorted(field.present))
    rest = (field.meetings, field.byes, prohibited, field.round, field.points, field.edition)
    return sha256(repr((lines, rest, sorted(field.accelerated.items()))).encode()).hexdigest()[:24]


def _brought(
    stage: Stage, people: Mapping[int, Entry], number: int
) -> tuple[frozenset[frozenset[int]], Mapping[int, tuple[int, ...]]]:
    """What the report an event came with says for the round and we have no place for: pairs apart for some rounds only
    (260), virtual points (XXA, 250). Nothing where it cannot be read."""
    records = kept_fields(stage.tournament.foreign_records)["records"] if stage.tournament.foreign_records else ()
    if not any(record.tag in _FOR_THE_PAIRING for record in records):
        return frozenset(), {}
    report = Report(tuple(ReportPlayer(own, "") for own in people), records=records)
    try:
        unit = point_system(stage.tournament.point_system).unit
        return apart_in(report, number), accelerated_in(report, unit)
    except ReportError:
        return frozenset(), {}


def points_of_event(tournament: Tournament) -> PointSystem:
    """The event's points, the allocated bye worth what the event says."""
    return with_allocated_bye(point_system(tournament.point_system), tournament.allocated_bye)


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
            counted = result if result in DECIDED_RESULTS else Result.DRAW
            met[pairing] = Meeting(row - offset, numbers[white], numbers[black], counted)
        else:
            seen = result if numbers[white] == first.white else seen_from_black(result)
            met[pairing] = replace(first, armageddon=seen)
    return list(met.values())


def _byes(stage: Stage, number: int, offset: int, numbers: Mapping[int, int]) -> list[Bye]:
    seats = Seat.objects.filter(~Q(pairing__bye=""), round__stage=stage, round__number__lt=number)
    rows = seats.order_by("round__number", "pairing__board")
    columns = rows.values_list("round__number", "entry_id", "pairing__bye")
    return [
        Bye(row - offset, numbers[entry], bye_points(stage, kind), kind)
        for row, entry, kind in columns
        if entry in numbers
    ]
