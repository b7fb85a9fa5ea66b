"""Scheveningen of two named teams (pure): everybody meets everybody of the other team, by `scheveningen`."""

from collections.abc import Mapping
from typing import Any

from clubrating.ground.marks import marked
from tournaments.pairing.base import Option, PairedRound
from tournaments.pairing.scheveningen import Scheveningen
from tournaments.pairing.team_base import Kind


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
