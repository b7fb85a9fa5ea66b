"""Scheveningen of two named teams (pure): everybody meets everybody of the other team, by `scheveningen`."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from clubrating.ground.marks import marked
from tournaments.pairing.base import Option, PairedRound
from tournaments.pairing.scheveningen import Scheveningen
from tournaments.pairing.team_base import Kind


class Seat(NamedTuple):
    """A board of a round: which of the second team's players sits there, from 1, and whether the first has White."""

    opponent: int
    first_has_white: bool


class TeamScheveningen:
    """Setting: `cycles` 1 or 2; the second repeats the first with colours reversed."""

    key = "team-scheveningen"
    name = marked("Teams: Scheveningen, everybody against everybody of the other team")
    kind = Kind.BOARDS
    page = "scheveningen"
    min_teams = 2
    max_teams = 2
    options: tuple[Option, ...] = Scheveningen.options

    def boards(self, size: int, settings: Mapping[str, Any]) -> tuple[PairedRound, ...]:
        """All rounds of two teams of so many players."""
        return Scheveningen().schedule(2 * size, settings)

    def seats(self, size: int, settings: Mapping[str, Any]) -> tuple[tuple[Seat, ...], ...]:
        """The same as boards of a match of each round: board i is that of the first team's i-th player."""
        return tuple(
            tuple(
                Seat(board.black - size, True) if board.white <= size else Seat(board.white - size, False)
                for board in paired
                if board.black
            )
            for paired in self.boards(size, settings)
        )
