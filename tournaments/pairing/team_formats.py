"""Formats of teams (pure). A new one is one file and one line in TEAM_FORMATS."""

from tournaments.pairing.team_base import TeamFormat
from tournaments.pairing.team_knockout import TeamKnockout
from tournaments.pairing.team_match import TeamMatch
from tournaments.pairing.team_round_robin import TeamRoundRobin
from tournaments.pairing.team_scheveningen import TeamScheveningen
from tournaments.pairing.team_swiss.system import TeamSwiss

TEAM_FORMATS: tuple[TeamFormat, ...] = (
    TeamRoundRobin(),
    TeamSwiss(),
    TeamKnockout(),
    TeamMatch(),
    TeamScheveningen(),
)


def team_format(key: str) -> TeamFormat:
    """The format of that key. Raises KeyError for an unknown one."""
    return {one.key: one for one in TEAM_FORMATS}[key]
