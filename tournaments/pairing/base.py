"""What a pairing system is, and which edition of the regulations an event is played by.

Players are numbers 1…n; nothing here knows people, clocks or the database. There are five kinds of systems, which
differ by what they can be asked:

- `ScheduleSystem`: all rounds are known before the first one (round robin, Scheveningen);
- `RoundSystem`: each round is paired from those before it (Keizer; the Swiss);
- `BracketSystem`: matches with links, the loser is out or has a second chance (knockout, double elimination);
- `FreeSystem`: no rounds, anyone meets anyone (club evenings, ladder);
- `PlanSystem`: an event of several stages, each paired by one of the others (groups, then a knockout).

Editions (pure): an event is played by the regulations in force on its first day. Sources: FIDE C.04.1 to C.04.3
(Swiss), in force from 1 February 2026; C.07 (tie-breaks), from 1 March 2026. Before them the Swiss rules of 2025 and
the tie-break regulations of September 2023.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import Any, Protocol, runtime_checkable

from clubrating.ground.marks import sentence
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import PointSystem, point_system

# --- editions of the regulations ----------------------------------------------------------------------------------
SWISS_EDITIONS = (2025, 2026)
TIEBREAK_EDITIONS = (2023, 2026)
_SWISS_2026_FROM = date(2026, 2, 1)
_TIEBREAKS_2026_FROM = date(2026, 3, 1)


def swiss_edition_on(day: date | None) -> int:
    """The edition of the Swiss rules for an event that begins on that day; the newest where it is not known."""
    return SWISS_EDITIONS[day is None or day >= _SWISS_2026_FROM]


def tiebreak_edition_on(day: date | None) -> int:
    """The edition of the tie-break regulations for an event that begins then; the newest where it is not known."""
    return TIEBREAK_EDITIONS[day is None or day >= _TIEBREAKS_2026_FROM]


# --- boards -------------------------------------------------------------------------------------------------------
# Seeds of a draw are shown and typed again, so they stay short.
SEED_BELOW = 1_000_000
CLASSIC = point_system("classic")


@dataclass(frozen=True, slots=True)
class Board:
    """One pairing. `black` is None where `white` has the bye."""

    white: int
    black: int | None

    @property
    def is_bye(self) -> bool:
        return self.black is None


PairedRound = tuple[Board, ...]


class PairingError(ValueError):
    """The field cannot be paired, or a setting is none; the message says why in an arbiter's words."""


# --- settings -------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Option:
    """A setting of a pairing system: yes or no where the default is a bool, one of `choices` (value and words), a text
    that `reads` accepts (or none), or a whole number from `lowest` to `highest`. Label, words and help are shown,
    translated, on forms; so is the ValueError with which `reads` says no."""

    key: str
    label: str
    default: bool | int | str
    choices: tuple[tuple[int | str, str], ...] = ()
    lowest: int = 0
    highest: int = 0
    help: str = ""
    reads: Callable[[str], object] | None = None

    def read(self, value: Any) -> bool | int | str:
        """The value, checked. Raises PairingError."""
        if isinstance(self.default, bool):
            good = isinstance(value, bool)
        elif self.choices:
            good = value in [choice for choice, _words in self.choices]
        elif self.reads is not None:
            good = isinstance(value, str)
            if good and value:
                self._check(value)
        else:
            good = isinstance(value, int) and not isinstance(value, bool) and self.lowest <= value <= self.highest
        if not good:
            raise PairingError(sentence("“%(value)s” is no value of the setting “%(key)s”.", value=value, key=self.key))
        kept: bool | int | str = value
        return kept

    def _check(self, text: str) -> None:
        try:
            if self.reads is not None:
                self.reads(text)
        except ValueError as reason:
            raise PairingError(*reason.args) from None


def read_options(options: Iterable[Option], settings: Mapping[str, Any]) -> dict[str, Any]:
    """All options with the settings' values, else their defaults. Raises PairingError for one that is unknown or out
    of range."""
    known = {option.key: option for option in options}
    for key in settings:
        if key not in known:
            raise PairingError(sentence("There is no setting “%(key)s”.", key=key))
    return {key: option.read(settings[key]) if key in settings else option.default for key, option in known.items()}


# --- the kinds of systems -------------------------------------------------------------------------------------
class PairingSystem(Protocol):
    """What all of them say of themselves. `allocated_bye_scores`: whether the pairing-allocated bye brings the point
    system's points for it. `name` is shown translated."""

    key: str
    name: str
    allocated_bye_scores: bool
    min_players: int
    max_players: int
    options: tuple[Option, ...]


@runtime_checkable
class ScheduleSystem(PairingSystem, Protocol):
    """Knows all its rounds before the first one is played."""

    def schedule(self, players: int, settings: Mapping[str, Any]) -> tuple[PairedRound, ...]:
        """All rounds for `players` numbers, boards in order, byes last. Raises PairingError."""
        ...


@dataclass(frozen=True, slots=True)
class Field:
    """Everything a round is paired from. `players`: all numbers, the strongest first; `present`: those to be paired;
    `meetings` and `byes` of the earlier rounds; `prohibited`: pairs that must not meet; `round` to be paired; `points`
    of games and byes; `edition` of the Swiss rules (one of `SWISS_EDITIONS`). `accelerated`: the virtual
    points a player has in rounds 1, 2, … (in the smallest unit; none where the list ends), in place of those the
    system's settings would give."""

    players: tuple[int, ...]
    present: frozenset[int]
    meetings: tuple[Meeting, ...]
    byes: tuple[Bye, ...]
    prohibited: frozenset[frozenset[int]]
    round: int
    points: PointSystem = CLASSIC
    edition: int = SWISS_EDITIONS[-1]
    accelerated: Mapping[int, tuple[int, ...]] = field(default_factory=dict)


@runtime_checkable
class RoundSystem(PairingSystem, Protocol):
    """Pairs one round from those before it."""

    def pair_round(self, field: Field, settings: Mapping[str, Any]) -> PairedRound:
        """The boards in order, the bye last. Raises PairingError where the field cannot be paired."""
        ...


@dataclass(frozen=True, slots=True)
class Remark:
    """One sentence of an explanation: an English text with %(name)s places, and what stands in them. Numbers of players
    are in `players`, by the place's name, so that a page can write people there."""

    text: str
    values: Mapping[str, Any] = field(default_factory=dict)
    players: Mapping[str, int] = field(default_factory=dict)


@runtime_checkable
class ExplainingSystem(RoundSystem, Protocol):
    """A round system that can say why it pairs as it does."""

    def why(self, field: Field, settings: Mapping[str, Any], player: int) -> tuple[Remark, ...]:
        """Why the player meets whom he meets (or has the bye), and why with this colour. Raises PairingError."""
        ...

    def why_not(self, field: Field, settings: Mapping[str, Any], one: int, other: int) -> tuple[Remark, ...]:
        """Why the two do not meet: the first rule that breaks where they do, and in which score group; `other` 0 asks
        why `one` has not the bye. Says so where they do meet. Raises PairingError."""
        ...


@dataclass(frozen=True, slots=True)
class Source:
    """Who comes into a line of a match: a seed (1 is the best), the winner or the loser of an earlier match (its round
    and board), or nobody (a bye: all empty)."""

    seed: int | None = None
    match: tuple[int, int] | None = None
    loser: bool = False

    @property
    def is_nobody(self) -> bool:
        return self.seed is None and self.match is None


@dataclass(frozen=True, slots=True)
class Match:
    """A match of the bracket: its round from 1, its board in that round, its place `slot` from top to bottom among the
    round's matches, and who comes into the line above and the line below."""

    round: int
    board: int
    slot: int
    upper: Source
    lower: Source
    third_place: bool = False


Bracket = tuple[Match, ...]  # in order of rounds and boards


@runtime_checkable
class BracketSystem(PairingSystem, Protocol):
    """Draws a bracket; the rest follows from who wins."""

    def bracket(
        self,
        players: int,
        settings: Mapping[str, Any],
        lots: Random,
        prohibited: frozenset[frozenset[int]] = frozenset(),
    ) -> Bracket:
        """All matches for `players` numbers. Random draws come from `lots`. Raises PairingError."""
        ...


@runtime_checkable
class FreeSystem(PairingSystem, Protocol):
    """Pairs nobody: games are entered as they are played. `ladder`: whether they move places."""

    ladder: bool


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """A stage of an event of several. Stages of the same `part` are played side by side, parts one after the other.
    `numbers`: who plays, as numbers of the event in the order of their numbers in the stage; empty where earlier
    stages decide it."""

    name: str
    part: int
    system: str
    settings: Mapping[str, Any]
    numbers: tuple[int, ...] = ()


@runtime_checkable
class PlanSystem(PairingSystem, Protocol):
    """An event of several stages. `qualifies`: whether a later part depends on the results of the one before."""

    qualifies: bool

    def plan(self, players: int, settings: Mapping[str, Any], lots: Random) -> tuple[PlannedStage, ...]:
        """The stages in order. Raises PairingError."""
        ...

    def qualified(self, settings: Mapping[str, Any], places: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """Who plays in the part that follows, in the order of seeds, from the orders of the groups (the event's
        numbers, best first). Raises PairingError; empty where nothing depends on results."""
        ...
