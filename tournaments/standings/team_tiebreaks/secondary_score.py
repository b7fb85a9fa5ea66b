"""Match points against game points: the score that does not decide. Source: FIDE C.07 art. 13.1."""

from clubrating.ground.marks import marked
from tournaments.standings.team_contest import TeamRule, of_teams
from tournaments.standings.tiebreaks.base import Contest, Part, Worth
from tournaments.standings.tiebreaks.parts import shown

PENALTY = marked("Points the arbiter added or took away.")


class SecondaryScore(TeamRule):
    base = "MPvGP"
    name = marked("The other score")
    rule = marked("Game points where match points decide, match points where game points decide.")

    def worth(self, player: int, contest: Contest) -> Worth:
        secondary = of_teams(contest).secondary
        line, unit = secondary.table[player], secondary.points.unit
        matches = [Part(cell.round, cell.opponent, shown(cell.points, unit)) for cell in line.cells]
        byes = [Part(bye.round, 0, shown(bye.points, unit)) for bye in line.byes]
        parts = sorted([*matches, *byes], key=lambda part: part.round)
        rest = line.points - sum(cell.points for cell in line.cells) - line.bye_points
        if rest:
            parts.append(Part(0, 0, shown(rest, unit), note=PENALTY))
        return Worth(shown(line.points, unit), tuple(parts))
