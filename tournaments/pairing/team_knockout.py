"""Knockout of teams (pure): the bracket of the knockout of players on the teams' numbers, and the rule of a tie.

Who goes on from a level match is said by `team_ties`.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from clubrating.ground.marks import marked
from tournaments.pairing.base import Bracket, Option, read_options
from tournaments.pairing.knockout import OPTIONS, Knockout
from tournaments.pairing.team_base import HOME_COLOUR, Kind, check_size
from tournaments.pairing.team_ties import BLACK, LOTS, REPLAY, TieRule

_OF_THE_BRACKET = tuple(option for option in OPTIONS if option.key in ("seeding", "pairs", "third_place"))
_OF_A_TIE = (
    Option("board_count", marked("A level match: the lower board count goes on"), True),
    Option("bottom_board", marked("Then without the bottom board, then without the next"), True),
    Option(
        "last",
        marked("Level in everything"),
        BLACK,
        choices=(
            (BLACK, marked("the team with Black on the odd boards goes on")),
            (LOTS, marked("by lots")),
            (REPLAY, marked("a replay")),
        ),
    ),
)


class TeamKnockout:
    """Settings: `seeding`, `pairs` and `third_place` of the bracket; `board_count`, `bottom_board` and `last` of a
    level match; `home_colour`: the upper line of a tie is at home."""

    key = "team-knockout"
    name = marked("Teams: knockout")
    kind = Kind.BRACKET
    page = "team-knockout"
    min_teams = Knockout.min_players
    max_teams = Knockout.max_players
    options: tuple[Option, ...] = (*_OF_THE_BRACKET, *_OF_A_TIE, HOME_COLOUR)

    def bracket(
        self,
        teams: int,
        settings: Mapping[str, Any],
        lots: Random,
        prohibited: frozenset[frozenset[int]] = frozenset(),
    ) -> Bracket:
        """All ties for the numbers 1 … `teams`."""
        check_size(self, teams)
        chosen = read_options(self.options, settings)
        own = {option.key: chosen[option.key] for option in _OF_THE_BRACKET}
        return Knockout().bracket(teams, own, lots, prohibited)

    def tie_rule(self, settings: Mapping[str, Any]) -> TieRule:
        """What decides a level match."""
        chosen = read_options(self.options, settings)
        return TieRule(chosen["board_count"], chosen["bottom_board"], chosen["last"])
