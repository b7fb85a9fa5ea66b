"""One match of two teams, and perhaps the return match (pure): number 1 is at home first."""

from collections.abc import Mapping
from typing import Any

from clubrating.ground.marks import marked
from tournaments.pairing.base import Option, read_options
from tournaments.pairing.team_base import HOME_COLOUR, Kind, Matches, TeamPair, check_size


class TeamMatch:
    """Settings: `matches` 1 or 2, the second away; `home_colour`."""

    key = "team-match"
    name = marked("Teams: a single match")
    kind = Kind.SCHEDULE
    page = "round-robin"
    min_teams = 2
    max_teams = 2
    options: tuple[Option, ...] = (
        Option(
            "matches",
            marked("The two teams meet"),
            1,
            choices=((1, marked("once")), (2, marked("twice, home and away"))),
        ),
        HOME_COLOUR,
    )

    def schedule(self, teams: int, settings: Mapping[str, Any]) -> tuple[Matches, ...]:
        """One round, or two."""
        check_size(self, teams)
        both = ((TeamPair(1, 2),), (TeamPair(2, 1),))
        return both[: read_options(self.options, settings)["matches"]]
