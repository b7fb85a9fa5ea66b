"""What a format of teams is (pure). Teams are numbers 1…n in the order of pairing.

A format is of one kind: `schedule` knows all its rounds before the first one, `rounds` pairs each from those before it,
`bracket` sends the winners on, `boards` seats the players of two teams itself. The one file of a format has a class of
that kind; the one line is in `TEAM_FORMATS` (`team_formats`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Any, Protocol, runtime_checkable

from clubrating.ground.marks import marked, sentence
from tournaments.pairing.base import Bracket, Option, PairedRound, PairingError


class Kind(Enum):
    """What a format can be asked for."""

    SCHEDULE = "schedule"
    ROUNDS = "rounds"
    BRACKET = "bracket"
    BOARDS = "boards"


@dataclass(frozen=True, slots=True)
class TeamPair:
    """A match: the team with White on board 1, and the other one; None where the first has the bye. In a schedule the
    first is the team at home, whose colour is the event's affair."""

    white: int
    black: int | None


Matches = tuple[TeamPair, ...]  # of a round, in order, byes last


class TeamFormat(Protocol):
    """What all of them say of themselves. `page`: of docs/algorithms. `name` is shown translated."""

    key: str
    name: str
    kind: Kind
    page: str
    min_teams: int
    max_teams: int
    options: tuple[Option, ...]


@runtime_checkable
class TeamSchedule(TeamFormat, Protocol):
    """Of kind `schedule`."""

    def schedule(self, teams: int, settings: Mapping[str, Any]) -> tuple[Matches, ...]:
        """All rounds. Raises PairingError."""
        ...


@runtime_checkable
class TeamRounds(TeamFormat, Protocol):
    """Of kind `rounds`. A round itself is paired by `team_swiss.pairing.pair_teams`."""

    def field_settings(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """What the settings are for a `TeamField`, by its names. Raises PairingError."""
        ...


@runtime_checkable
class TeamBracket(TeamFormat, Protocol):
    """Of kind `bracket`."""

    def bracket(
        self,
        teams: int,
        settings: Mapping[str, Any],
        lots: Random,
        prohibited: frozenset[frozenset[int]] = frozenset(),
    ) -> Bracket:
        """All ties. Random draws come from `lots`. Raises PairingError."""
        ...


@runtime_checkable
class TeamBoards(TeamFormat, Protocol):
    """Of kind `boards`."""

    def boards(self, size: int, settings: Mapping[str, Any]) -> tuple[PairedRound, ...]:
        """All rounds of two teams of `size` players: numbers 1 … size are the first team, in the order of its boards,
        the others the second. Raises PairingError."""
        ...


# Who has White on the odd boards: the event's affair (C.04.6 leaves it to the pairing, leagues to home and away).
HOME_COLOUR = Option(
    "home_colour",
    marked("On board 1 the team at home has"),
    "white",
    choices=(
        ("white", marked("White")),
        ("black", marked("Black")),
        ("lots", marked("a colour by lot for each match")),
    ),
)


# Colours of the side with White on board 1, from there down; a shorter one begins again (record 352 of TRF26).
ALTERNATING = "WB"


def colour_sequence(text: str) -> str:
    """A sequence of colours as people write it. Raises PairingError for one that is none."""
    found = "".join(text.split()).upper()
    if not found.startswith("W") or set(found) - {"W", "B"}:
        raise PairingError(
            sentence("Colours are letters W and B, board 1 first and White: WB alternates, WBBW does not.")
        )
    return found


def whites(boards: int, sequence: str, *, first_has_white: bool) -> tuple[bool, ...]:
    """On which boards, from 1 down, a side has White; `first_has_white`: that side has it on board 1."""
    return tuple((sequence[board % len(sequence)] == "W") == first_has_white for board in range(boards))


def check_size(format_: TeamFormat, teams: int) -> None:
    """Raises PairingError where there are too few or too many teams."""
    if not format_.min_teams <= teams <= format_.max_teams:
        raise PairingError(
            sentence(
                "This format takes %(least)s to %(most)s teams, not %(teams)s.",
                least=format_.min_teams,
                most=format_.max_teams,
                teams=teams,
            )
        )
