"""Places of teams (pure).

The score that decides first, then the tie-breaks in the event's order, each within the groups that are still tied;
whoever is equal in all of them shares the place. Who left before half of the matches stands last. Source: FIDE C.07
art. 4.2 and 11.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.standings.rank import rank
from tournaments.standings.team_contest import team_contest
from tournaments.standings.team_event import TeamEvent, TeamScore, team_scores
from tournaments.standings.tiebreaks.base import Rule, Worth


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """One line of the standings, with both scores and the tie-breaks in the order asked for, None where one has no
    value (as in `rank.Standing`). `counts` is false for a team whose matches count for nobody."""

    place: int
    team: int
    score: TeamScore
    tiebreaks: tuple[Worth | None, ...]
    counts: bool = True


def team_standings(event: TeamEvent, tiebreaks: Sequence[Rule]) -> list[TeamStanding]:
    """Standings, best first. Equal in everything: equal place, and the lower number stands first. Raises KeyError
    where a match names a number not among the teams."""
    scores, rows = team_scores(event), rank(team_contest(event), tiebreaks)
    return [TeamStanding(row.place, row.player, scores[row.player], row.tiebreaks, row.counts) for row in rows]
