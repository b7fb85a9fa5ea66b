"""The rounds of a Swiss that are still to be paired (pure): by the pairing system itself, or fast for large fields.

`Rounds`: up to `EXACT_FIELD` players the pairing system pairs every round of every sample, as it would at the club.
Larger fields are paired by `pair_fast`, without floats, colours and acceleration. Where the system finds no round (few
players, many rounds) the fast pairing is used and lets pairs meet again.

`pair_fast` is an approximation, not the rules of C.04.3. Kept of the rules: nobody meets twice; with an odd number the
last who has had no bye has it, and it is worth a win; within a score group the upper half meets the lower half, first
against first; who finds nobody there meets the next below. Left out: colours, floats, and the exact choice among
transpositions and exchanges. The first round is that of the Dutch system. From the top, everybody takes the nearest to
his counterpart in the lower half whom he has not met. If somebody is left without an opponent, the same wishes go to a
matching that pairs all (`pairing.matching`); in long events of few players, where even that cannot be, pairs meet
again.

`pair_many` (numpy) makes the same pairs for a round of many events of one size at once; a test holds the two equal.
Step by step the highest of those left takes the nearest he may meet, in all events at the same time. The few events in
which somebody is left without an opponent are paired one by one.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy

from tournaments.forecast.outlook import Floats
from tournaments.pairing.base import Board, Field, PairedRound, PairingError, RoundSystem
from tournaments.pairing.dutch.system import is_return
from tournaments.pairing.matching import dearest_pairs
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import OUTCOMES, Result

# --- the rounds to come -------------------------------------------------------------------------------------------
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

    def is_return(self, number: int) -> bool:
        """Whether that round is one of return games: the boards of the round before with colours exchanged."""
        return is_return(self.settings, number)

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
    """What the fast pairing knows of the rounds before: points, whom each has met or must not meet, who has had the
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
            armageddon = OUTCOMES[meeting.armageddon]
            own, his = field.points.decided_share(armageddon.white), field.points.decided_share(armageddon.black)
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


# --- one round, fast ----------------------------------------------------------------------------------------------
Pairs = list[tuple[int, int]]
Met = Sequence[set[int]]


def pair_fast(points: Sequence[int], met: Met, had_bye: Sequence[bool]) -> tuple[Pairs, int | None]:
    """The pairs of a round, and who has the bye. Players are places in a field ordered by rating, from 0; `points` in
    any unit; `met`: whom each has met."""
    order = sorted(range(len(points)), key=lambda player: (-points[player], player))
    bye = None
    if len(order) % 2:
        bye = next((player for player in reversed(order) if not had_bye[player]), order[-1])
        order.remove(bye)
    return _paired(order, points, met), bye


def _paired(order: list[int], points: Sequence[int], met: Met) -> Pairs:
    pairs: Pairs = []
    left = list(order)
    while left:
        player = left.pop(0)
        other = next((each for each in _wishes(player, left, points) if each not in met[player]), None)
        if other is None:
            return _all_paired(order, points, met)
        left.remove(other)
        pairs.append((player, other))
    return pairs


def _wishes(player: int, behind: Sequence[int], points: Sequence[int]) -> list[int]:
    """Those behind a player, most points first, as he would like them: of his own score his counterpart first, then
    down from there, then up; then the others in order."""
    own = bisect_right(behind, -points[player], key=lambda other: -points[other])
    half = own // 2
    return [*behind[half:own], *reversed(behind[:half]), *behind[own:]]


def _all_paired(order: Sequence[int], points: Sequence[int], met: Met) -> Pairs:
    """Everybody paired with the dearest who leaves the rest pairable; pairs meet again only where they must."""
    wishes = {
        player: [*_wishes(player, order[at + 1 :], points), *reversed(order[:at])] for at, player in enumerate(order)
    }
    fresh = {player: [other for other in wanted if other not in met[player]] for player, wanted in wishes.items()}
    pairs = dearest_pairs(fresh)
    return pairs if pairs is not None else dearest_pairs(wishes) or []


# --- a round of many events ---------------------------------------------------------------------------------------
def pair_many(points: Floats, met: Floats, had_bye: Floats) -> tuple[Floats, Floats | None]:
    """The pairs of a round (events × boards × 2) and who has the bye (events; None with an even number). Points and
    byes are events × players, `met` events × players × players; players are places in a field ordered by rating."""
    rows = numpy.arange(len(points))
    order, byes = numpy.argsort(-points, axis=1, kind="stable"), None
    if order.shape[1] % 2:
        order, byes = _without_bye(order, had_bye, rows)
    score, left = numpy.take_along_axis(points, order, axis=1), numpy.ones(order.shape, bool)
    boards, stuck = numpy.zeros((len(points), order.shape[1] // 2, 2), int), numpy.zeros(len(points), bool)
    nobody = order.shape[1]
    for board in range(boards.shape[1]):
        first = left.argmax(axis=1)
        left[rows, first] = False
        one = order[rows, first]
        wishes = _wish_places(left, score == score[rows, first][:, None])
        wishes[~left | met[rows[:, None], one[:, None], order]] = nobody
        nearest = wishes.argmin(axis=1)
        stuck |= wishes[rows, nearest] == nobody
        left[rows, nearest] = False
        boards[:, board, 0], boards[:, board, 1] = one, order[rows, nearest]
    for event in numpy.flatnonzero(stuck).tolist():
        known = [set(numpy.flatnonzero(each).tolist()) for each in met[event]]
        boards[event] = pair_fast(points[event].tolist(), known, had_bye[event].tolist())[0]
    return boards, byes


def _without_bye(order: Floats, had_bye: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """The last who has had none has the bye; where all have, the last."""
    last = order.shape[1] - 1
    free = ~numpy.take_along_axis(had_bye, order, axis=1)[:, ::-1]
    at = last - numpy.where(free.any(axis=1), free.argmax(axis=1), 0)
    kept = numpy.ones(order.shape, bool)
    kept[rows, at] = False
    return order[kept].reshape(len(order), last), order[rows, at]


def _wish_places(left: Floats, level: Floats) -> Floats:
    """Which place those left have in the wishes of whoever chooses: of his own score his counterpart comes first, then
    down from there, then up; then the others in order."""
    behind = numpy.cumsum(left, axis=1) - 1
    own = (left & level).sum(axis=1)[:, None]
    half = own // 2
    upper, lower = own - 1 - behind, behind - half
    return numpy.where(behind < half, upper, numpy.where(behind < own, lower, behind))
