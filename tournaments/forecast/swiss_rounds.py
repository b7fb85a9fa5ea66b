"""The rounds of a Swiss that are still to be paired (pure): by the engine itself, or fast for large fields.

Up to `EXACT_FIELD` players the pairing system pairs every round of every sample, as it would at the club. Larger fields
are paired by `fast_swiss`, which knows neither floats nor colours nor acceleration (`swiss_many`). Where the system
finds no round (few players, many rounds) the fast one takes its place and lets pairs meet again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tournaments.forecast.swiss_rounds_fast_swiss import pair_fast
from tournaments.pairing.base import Board, Field, PairedRound, PairingError, RoundSystem
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import OUTCOMES, Result

EXACT_FIELD = 16  # players for whom the engine takes some 5 ms a round


@dataclass(frozen=True, slots=True)
class SwissToCome:
    """What is still to be paired: by which system with its settings, from the `field` as it stands for the next
    unpaired round (`present`: who plays on), up to round `rounds`; both count from 1 within the stage. `offset`: how
    far the event's own numbers of rounds (those of its meetings and byes) are ahead of that."""

    system: RoundSystem
    settings: Mapping[str, Any]
    field: Field
    rounds: int
    offset: int = 0

    @property
    def bye_points(self) -> int:
        """What the pairing-allocated bye brings."""
        return self.field.points.allocated_bye if self.system.allocated_bye_scores else 0

    @property
    def is_small(self) -> bool:
        """Whether the engine itself pairs every sample."""
        return len(self.field.present) <= EXACT_FIELD


@dataclass(frozen=True, slots=True)
class Way:
    """How an event has gone so far: games with results and byes (the event's own numbers of rounds), and everybody's
    points in the order of the event's players."""

    meetings: tuple[Meeting, ...]
    byes: tuple[Bye, ...]
    points: tuple[int, ...] = ()

    def after(self, number: int, boards: PairedRound, bye_points: int) -> "Way":
        """Once a round is published: its games to come, its bye."""
        games = (Meeting(number, one.white, one.black, Result.OPEN) for one in boards if one.black is not None)
        byes = (Bye(number, one.white, bye_points, "pab") for one in boards if one.black is None)
        return replace(self, meetings=(*self.meetings, *games), byes=(*self.byes, *byes))


class Rounds:
    """Pairs the rounds to come. `approximated`: whether one of them came from the fast pairing."""

    def __init__(self, to_come: SwissToCome) -> None:
        self.to_come, self.approximated = to_come, False

    def pair(self, way: Way, number: int, *, exactly: bool) -> PairedRound:
        """The stage's round of that number after a way the event went."""
        if exactly:
            try:
                return self.to_come.system.pair_round(self._field(way, number), self.to_come.settings)
            except PairingError:
                pass
        self.approximated = True
        return self._fast(way)

    def _field(self, way: Way, number: int) -> Field:
        offset = self.to_come.offset
        meetings, byes = way.meetings, way.byes
        if offset:
            meetings = tuple(replace(one, round=one.round - offset) for one in meetings)
            byes = tuple(replace(one, round=one.round - offset) for one in byes)
        return replace(self.to_come.field, meetings=meetings, byes=byes, round=number)

    def _fast(self, way: Way) -> PairedRound:
        history = History(self.to_come.field, way)
        seated = [player for player in self.to_come.field.players if player in self.to_come.field.present]
        at = {player: place for place, player in enumerate(seated)}
        met = [{at[other] for other in history.met[player] if other in at} for player in seated]
        pairs, bye = pair_fast(
            [history.points[player] for player in seated], met, [player in history.had_bye for player in seated]
        )
        boards = [history.board(seated[one], seated[other]) for one, other in pairs]
        return tuple(boards) if bye is None else (*boards, Board(seated[bye], None))


class History:
    """What the fast pairing is told of the rounds before: points, whom each has met or must not meet, who has had the
    bye (or a point without playing); and games with White less games with Black, and the last colour: 1, −1, or 0."""

    def __init__(self, field: Field, way: Way) -> None:
        self.points = dict.fromkeys(field.players, 0)
        self.met: dict[int, set[int]] = {player: set() for player in field.players}
        self.had_bye: set[int] = set()
        self.whites = dict.fromkeys(field.players, 0)
        self.last = dict.fromkeys(field.players, 0)
        for pair in field.prohibited:
            self._met(*pair)
        for meeting in way.meetings:
            self._read(meeting, field)
        for bye in way.byes:
            self.points[bye.player] += bye.points
            if bye.kind == "pab" or bye.points >= field.points.win:
                self.had_bye.add(bye.player)

    def board(self, one: int, other: int) -> Board:
        """Who has White; `one` is the higher."""
        due = (self.whites[other] - self.whites[one]) or (self.last[other] - self.last[one])
        return Board(other, one) if due < 0 else Board(one, other)

    def _read(self, meeting: Meeting, field: Field) -> None:
        outcome, white, black = OUTCOMES[meeting.result], meeting.white, meeting.black
        own, his = field.points.share(outcome.white), field.points.share(outcome.black)
        if meeting.result is Result.DRAW:
            decider = OUTCOMES[meeting.decider]
            own, his = field.points.decided_share(decider.white), field.points.decided_share(decider.black)
        self.points[white] += own
        self.points[black] += his
        if outcome.played:
            self._met(white, black)
            self.whites[white], self.whites[black] = self.whites[white] + 1, self.whites[black] - 1
            self.last[white], self.last[black] = 1, -1
        elif own != his:
            self.had_bye.add(white if own > his else black)

    def _met(self, one: int, other: int) -> None:
        self.met[one].add(other)
        self.met[other].add(one)
