"""Round robin of teams, once or twice (pure): the Berger tables on the teams' numbers.

White in the tables is the team at home; the second cycle exchanges home and away. With an odd number one team is free
in each round. Source: FIDE General Regulations for Competitions, Annex 1.
"""

from collections.abc import Mapping
from typing import Any

from clubrating.ground.marks import marked
from tournaments.pairing.base import Option
from tournaments.pairing.round_robin import RoundRobin
from tournaments.pairing.team_base import HOME_COLOUR, Kind, Matches, TeamPair, check_size


class TeamRoundRobin:
    """Settings: those of the round robin of players, and `home_colour`."""

    key = "team-round-robin"
    name = marked("Teams: round robin")
    kind = Kind.SCHEDULE
    page = "round-robin"
    min_teams = RoundRobin.min_players
    max_teams = RoundRobin.max_players
    options: tuple[Option, ...] = (*RoundRobin.options, HOME_COLOUR)

    def schedule(self, teams: int, settings: Mapping[str, Any]) -> tuple[Matches, ...]:
        """All rounds, the team at home first."""
        check_size(self, teams)
        own = {key: value for key, value in settings.items() if key != HOME_COLOUR.key}
        HOME_COLOUR.read(settings.get(HOME_COLOUR.key, HOME_COLOUR.default))
        rounds = RoundRobin().schedule(teams, own)
        return tuple(tuple(TeamPair(board.white, board.black) for board in boards) for boards in rounds)
