"""Why two meet in a round, and why others do not: the round solved again from the results before it as they are now.

Nothing is kept of how a round was paired. Where boards were set by hand, or results were corrected since, the engine's
answer of today may differ from the round. A large round takes seconds, so answers are
cached by all the engine is given.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.core.cache import cache

from clubrating.ground.marks import sentence
from tournaments.events.selectors.stages import field_of, system_of
from tournaments.models import ByeKind, Colour, Entry, Round, Seat, Stage
from tournaments.pairing import PAIRING_SYSTEMS, Board, PairingError
from tournaments.pairing.base import ExplainingSystem, Field, Remark
from tournaments.rounds.selectors.field import fingerprint, pairing_field

_REMEMBERED = 3600  # seconds
NOBODY = 0  # in place of the opponent of whoever has the bye
EXPLAINING = [system.key for system in PAIRING_SYSTEMS if isinstance(system, ExplainingSystem)]


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A place in a round: against whom (NOBODY: the allocated bye), and whether with White."""

    opponent: int
    is_white: bool


@dataclass(frozen=True, slots=True)
class AskedRound:
    """A round that can be explained: who is paired in it and how, by their numbers in the stage."""

    row: Round
    people: Mapping[int, Entry]
    seats: Mapping[int, SeatTaken]

    @property
    def stage(self) -> Stage:
        return self.row.stage

    @property
    def has_bye(self) -> bool:
        """Whether somebody has the allocated bye."""
        return any(seat.opponent == NOBODY for seat in self.seats.values())


@dataclass(frozen=True, slots=True)
class Answer:
    """What the engine says today: its remarks, or the `problem` that kept it from pairing. `instead`: whom it would
    pair the player with, where that is somebody else; `turned`: the same opponent with the other colour."""

    remarks: tuple[Remark, ...] = ()
    problem: str = ""
    instead: int | None = None
    turned: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the round stands as the engine would pair it."""
        return not self.problem and self.instead is None and not self.turned


def explains(stage: Stage) -> bool:
    """Whether the stage's pairings can be explained."""
    return stage.pairing_system in EXPLAINING


def asked_round(slug: str, number: int, *, drafts: bool) -> AskedRound | None:
    """The round of that number; None where it cannot be explained, or is a draft not to be seen. Three queries."""
    rows = Round.objects.filter(stage__tournament__slug=slug, number=number, stage__pairing_system__in=EXPLAINING)
    row = rows.select_related("stage__tournament").order_by("stage__order").first()
    if row is None or (row.state == Round.State.DRAFT and not drafts):
        return None
    people = field_of(row.stage)
    return AskedRound(row, people, _seats(row, {entry.pk: own for own, entry in people.items()}))


def _seats(row: Round, numbers: Mapping[int, int]) -> dict[int, SeatTaken]:
    """Who is paired: on a board, or with the allocated bye."""
    seats = Seat.objects.filter(round=row, superseded=False, pairing__bye__in=("", ByeKind.ALLOCATED))
    boards: dict[int, dict[str, int]] = {}
    for pairing, entry, colour in seats.values_list("pairing_id", "entry_id", "colour"):
        if entry in numbers:
            boards.setdefault(pairing, {})[colour] = numbers[entry]
    found = {}
    for sides in boards.values():
        for colour, own in sides.items():
            other = next((number for number in sides.values() if number != own), NOBODY)
            found[own] = SeatTaken(other, colour == Colour.WHITE)
    return found


def field_before(asked: AskedRound) -> Field:
    """What the round is paired from: those paired in it, and the rounds before. Six queries at most."""
    return pairing_field(asked.stage, asked.row.number, [asked.people[number].pk for number in asked.seats])


def why(asked: AskedRound, number: int) -> Answer:
    """Why that player meets whom he meets, and whether the engine would still say so."""
    taken = asked.seats[number]

    def solve(field: Field) -> Answer:
        system, settings = _engine(asked), asked.stage.settings
        seat = _seat_in(system.pair_round(field, settings), number)
        remarks = system.why(field, settings, number)
        if seat.opponent != taken.opponent:
            return Answer(remarks, instead=seat.opponent)
        return Answer(remarks, turned=seat.is_white != taken.is_white)

    return _answer(asked, f"{number} {taken.opponent} {taken.is_white}", solve)


def why_not(asked: AskedRound, number: int, other: int) -> Answer:
    """Why those two do not meet; `other` NOBODY: why the player has not the bye."""

    def solve(field: Field) -> Answer:
        return Answer(_engine(asked).why_not(field, asked.stage.settings, number, other))

    return _answer(asked, f"{number} not {other}", solve)


def _answer(asked: AskedRound, question: str, solve: Callable[[Field], Answer]) -> Answer:
    field = field_before(asked)
    key = f"why {fingerprint(asked.stage, field)} {question}".replace(" ", "-")
    answer: Answer | None = cache.get(key)
    if answer is None:
        try:
            answer = solve(field)
        except PairingError as refusal:
            answer = Answer(problem=str(refusal))
        cache.set(key, answer, _REMEMBERED)
    return answer


def _engine(asked: AskedRound) -> ExplainingSystem:
    system = system_of(asked.stage)
    assert isinstance(system, ExplainingSystem)
    return system


def _seat_in(boards: tuple[Board, ...], number: int) -> SeatTaken:
    for board in boards:
        if number in (board.white, board.black):
            other = board.black if board.white == number else board.white
            return SeatTaken(other or NOBODY, board.white == number and board.black is not None)
    raise PairingError(sentence("Number %(number)s is not paired in this round.", number=number))
