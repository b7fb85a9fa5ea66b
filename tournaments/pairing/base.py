"""What a pairing system is. Players are pairing numbers 1…n; nothing here knows people, clocks or the database."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


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
    """The field cannot be paired; the message says why in an arbiter's words."""


class PairingSystem(Protocol):
    """A system that knows all its rounds before the first one is played.

    `allocated_bye_scores` says whether the pairing-allocated bye brings the point system's points for it.
    """

    key: str
    name: str
    allocated_bye_scores: bool
    min_players: int
    max_players: int

    def schedule(self, players: int, settings: Mapping[str, Any]) -> tuple[PairedRound, ...]:
        """All rounds for `players` numbers, boards in order, byes last. Raises PairingError."""
        ...
