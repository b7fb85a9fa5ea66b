"""A random Swiss as it might have been played: for trying a pairing system out, and for comparing engines (pure).

Everybody has a rating and a strength about it; results follow the expected score of the Elo formula with draws as they
come among equals. Some ask for a bye, forget to come, enter late or leave. Every round is paired by the system that is
handed over. All chance comes from the generator that is handed over too: the same one makes the same event.
Not simulated: adjourned games, penalties, colours exchanged by mistake, pairings altered by hand.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tournaments.pairing.base import CLASSIC, SWISS_EDITIONS, Board, Field, PairedRound, RoundSystem
from tournaments.pairing.dutch.system import baku
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import PointSystem, Result

_MEAN, _SPREAD, _FORM = 1750, 300, 80  # ratings, and how far a strength is from its rating
_LOWEST, _HIGHEST, _UNRATED_BELOW = 1000, 2800, 1400
_ADVANTAGE_OF_WHITE = 35
_MOST_DRAWS = 0.4  # among equals
_SCALE = 400.0


@dataclass(frozen=True, slots=True)
class Habits:
    """How often things happen: `late` of all players; `half_bye`, `zero_bye` and `leaves` of players in a round;
    `forfeit` and `both_forfeit` of boards."""

    late: float = 0.04
    half_bye: float = 0.03
    zero_bye: float = 0.02
    leaves: float = 0.01
    forfeit: float = 0.02
    both_forfeit: float = 0.004


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player: his pairing number, his rating (None: has none), how strong he is, the first round he plays."""

    number: int
    rating: int | None
    strength: float
    first_round: int


@dataclass(frozen=True, slots=True)
class Plan:
    """An event to be simulated, by `system` with its `settings` (`rounds` among them)."""

    system: RoundSystem
    players: int
    settings: Mapping[str, Any]
    points: PointSystem = CLASSIC
    edition: int = SWISS_EDITIONS[-1]
    habits: Habits = field(default_factory=Habits)

    @property
    def rounds(self) -> int:
        count: int = self.settings["rounds"]
        return count


@dataclass(frozen=True, slots=True)
class SimulatedEvent:
    """What was played, and by which `plan`; events are equal where the same was played. Whoever is in neither a meeting
    nor a bye of a round was not there. `boards`: the rounds as they were paired; `accelerated`: everybody's virtual
    points by rounds."""

    plan: Plan = field(compare=False)
    entrants: tuple[Entrant, ...]
    meetings: tuple[Meeting, ...]
    byes: tuple[Bye, ...]
    boards: tuple[PairedRound, ...]
    accelerated: Mapping[int, tuple[int, ...]]


def simulate(plan: Plan, rng: Random, after_round: Callable[[int], object] = lambda number: None) -> SimulatedEvent:
    """The whole event; `after_round` is told each round that was played. Raises PairingError where a round cannot be
    paired, which happens in long events of few players."""
    playing = _Playing(plan, rng, tuple(_entrants(plan, rng)))
    for number in range(1, plan.rounds + 1):
        playing.play(number)
        after_round(number)
    meetings, byes, boards = tuple(playing.meetings), tuple(playing.byes), tuple(playing.boards)
    return SimulatedEvent(plan, playing.entrants, meetings, byes, boards, playing.accelerated)


def _entrants(plan: Plan, rng: Random) -> Iterator[Entrant]:
    """By rating; those without one come last."""
    drawn = (round(rng.gauss(_MEAN, _SPREAD)) for _player in range(plan.players))
    ratings = sorted((min(max(rating, _LOWEST), _HIGHEST) for rating in drawn), reverse=True)
    latest, may_be_late = min(3, plan.rounds), plan.players - _enough(plan.players)
    for number, rating in enumerate(ratings, start=1):
        is_late = rng.random() < plan.habits.late and latest > 1 and may_be_late > 0
        may_be_late -= is_late
        first = rng.randint(2, latest) if is_late else 1
        shown = rating if rating >= _UNRATED_BELOW else None
        yield Entrant(number, shown, rng.gauss(rating, _FORM), first)


def _enough(players: int) -> int:
    """How many of them are there in every round."""
    return max(2, players // 2)


# --- a running event ----------------------------------------------------------------------------------------------
class _Playing:
    """An event round by round."""

    def __init__(self, plan: Plan, rng: Random, entrants: tuple[Entrant, ...]) -> None:
        self.plan, self.rng, self.entrants = plan, rng, entrants
        self.meetings: list[Meeting] = []
        self.byes: list[Bye] = []
        self.boards: list[PairedRound] = []
        self.accelerated: Mapping[int, tuple[int, ...]] = {}
        if plan.settings.get("acceleration") == "baku":
            since = [one.number for one in entrants if one.first_round == 1]
            self.accelerated = baku([one.number for one in entrants], since, plan.rounds, plan.points)
        self._left: set[int] = set()

    def play(self, number: int) -> None:
        """Who is there, who meets whom, and the results."""
        asked = self._asked(number)
        boards = self.plan.system.pair_round(self._field(number, asked), self.plan.settings)
        for board in boards:
            self._play_board(number, board)
        points = self.plan.points
        self.byes += [Bye(number, player, points.bye(kind), kind) for player, kind in asked.items() if kind]
        self.boards.append(boards)

    def _asked(self, number: int) -> dict[int, str]:
        """Who is not to be paired, with the kind of bye; none for those who have not come yet or have left."""
        away = {one.number: "" for one in self.entrants if one.first_round > number or one.number in self._left}
        there = [one.number for one in self.entrants if one.number not in away]
        some = {player: kind for player in there if (kind := self._kind_asked(number))}
        if len(there) - len(some) < _enough(len(self.entrants)):
            return away
        # Of those who ask for a bye, as many as leave in all.
        habits = self.plan.habits
        asking = habits.half_bye + habits.zero_bye + habits.leaves
        leaving = habits.leaves / asking if asking else 0.0
        self._left |= {player for player in some if self.rng.random() < leaving}
        return away | some

    def _kind_asked(self, number: int) -> str:
        """In the last round nobody asks for half a point: regulations do not allow it."""
        habits, chance = self.plan.habits, self.rng.random()
        if chance < habits.half_bye:
            return "half" if number < self.plan.rounds else ""
        return "zero" if chance < habits.half_bye + habits.zero_bye + habits.leaves else ""

    def _field(self, number: int, away: Mapping[int, str]) -> Field:
        return Field(
            players=tuple(one.number for one in self.entrants),
            present=frozenset(one.number for one in self.entrants if one.number not in away),
            meetings=tuple(self.meetings),
            byes=tuple(self.byes),
            prohibited=frozenset(),
            round=number,
            points=self.plan.points,
            edition=self.plan.edition,
            accelerated=self.accelerated,
        )

    def _play_board(self, number: int, board: Board) -> None:
        if board.black is None:
            self.byes.append(Bye(number, board.white, self.plan.points.allocated_bye, "pab"))
        else:
            self.meetings.append(Meeting(number, board.white, board.black, self._result(board.white, board.black)))

    def _result(self, white: int, black: int) -> Result:
        habits, chance = self.plan.habits, self.rng.random()
        if chance < habits.both_forfeit:
            return Result.BOTH_FORFEIT
        if chance < habits.both_forfeit + habits.forfeit:
            return self.rng.choice((Result.WHITE_FORFEITS, Result.BLACK_FORFEITS))
        stronger = self.entrants[white - 1].strength + _ADVANTAGE_OF_WHITE - self.entrants[black - 1].strength
        return played_result(stronger, self.rng.random())


def played_result(stronger: float, chance: float) -> Result:
    """A game in which White is `stronger` by that many points, decided by a number from 0 to 1. White scores as
    expected on average; draws become rare where one side is much stronger."""
    expected = 1 / (1 + 10 ** (-stronger / _SCALE))
    draws = _MOST_DRAWS * (1 - abs(2 * expected - 1))
    if chance < expected - draws / 2:
        return Result.WHITE_WINS
    return Result.DRAW if chance < expected + draws / 2 else Result.BLACK_WINS
