"""Who has White on which board of a match. No query."""

from tournaments.models import FirstWhite, TeamMatch, TeamRules
from tournaments.pairing.team_base import whites
from tournaments.pairing.team_formats import team_format
from tournaments.pairing.team_scheveningen import TeamScheveningen


def whites_of(match: TeamMatch, rules: TeamRules) -> tuple[bool, ...]:
    """On which boards, from 1 down, the home team has White, once it is known who has it on board 1: by the event's
    sequence of colours; in a Scheveningen by its table."""
    system = team_format(rules.format)
    if isinstance(system, TeamScheveningen):
        return tuple(
            seat.first_has_white for seat in system.seats(rules.boards, rules.settings)[match.round.number - 1]
        )
    return whites(rules.boards, rules.colours, first_has_white=match.first_white == FirstWhite.HOME)
