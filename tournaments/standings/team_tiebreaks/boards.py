"""Tie-breaks by boards: board count, Berlin, top boards, bottom boards out. Source: FIDE C.07 art. 12.

All look at the game points a team made on a board, whoever sat there, as `board_totals` counts them.

- Board count: every board's number times the points on it, less is better. It compares only teams with equal game
  points (12.1). Berlin weighs the boards the other way round, n … 1, and more is better: with equal game points the
  same order. It is no code of FIDE's.
- Top boards: the points on board 1, of equal ones those on board 2, and so on (12.2).
- Bottom boards out: the points without the lowest board, of equal ones without the two lowest, and so on (12.3).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, groupby
from typing import ClassVar

from clubrating.ground.marks import marked
from tournaments.standings.team_contest import BoardTotals, TeamContest, TeamRule, board_totals, of_teams
from tournaments.standings.tiebreaks.base import Contest, Part, Worth
from tournaments.standings.tiebreaks.parts import shown

ON_A_BOARD = marked("Game points on one board, from board 1 down.")
# The greater first.
BoardKey = Callable[[BoardTotals], tuple[int, ...]]


def by_board_count(points: BoardTotals) -> tuple[int, ...]:
    """The lower board count first."""
    return (-sum(board * on_it for board, on_it in enumerate(points, start=1)),)


def by_top_boards(points: BoardTotals) -> tuple[int, ...]:
    """Board 1, then board 2, and so on."""
    return points


def by_bottom_boards_out(points: BoardTotals) -> tuple[int, ...]:
    """All but the lowest board, then all but the two lowest, and so on."""
    return tuple(accumulate(points))[-2::-1]


def tiers_by_boards(
    group: Collection[int], totals: Mapping[int, BoardTotals], keys: Sequence[BoardKey]
) -> list[tuple[int, ...]]:
    """The group in parts, best first, by one key after the other; each part is level in all of them."""
    found = {team: [key(totals[team]) for key in keys] for team in group}
    ordered = sorted(group, key=lambda team: found[team], reverse=True)
    return [tuple(tier) for _key, tier in groupby(ordered, key=lambda team: found[team])]


def board_parts(points: BoardTotals, unit: int, opponent: int = 0) -> tuple[Part, ...]:
    """A part for each board, from 1 down."""
    return tuple(Part(0, opponent, shown(on_it, unit), note=ON_A_BOARD) for on_it in points)


# --- numbers ------------------------------------------------------------------------------------------------------
def _weighted(team: int, contest: TeamContest, weights: Collection[int]) -> Worth:
    unit = contest.game_points.points.unit
    points = [shown(on_it, unit) for on_it in board_totals(contest)[team]]
    parts = tuple(
        Part(0, 0, weight * on_it, (shown(weight), on_it)) for weight, on_it in zip(weights, points, strict=True)
    )
    return Worth(sum((part.amount for part in parts), Fraction(0)), parts)


class BoardCount(TeamRule):
    base = "BC"
    name = marked("Board count")
    rule = marked("Number of every board times the game points on it; compares teams with equal game points only.")
    low_first = True

    def worth(self, player: int, contest: Contest) -> Worth:
        teams = of_teams(contest)
        return _weighted(player, teams, range(1, teams.event.scoring.boards + 1))

    def may_part(self, group: Collection[int], contest: Contest) -> bool:
        return len({of_teams(contest).game_points.table[team].points for team in group}) == 1


class Berlin(TeamRule):
    base = "BERLIN"
    name = marked("Berlin")
    rule = marked("Game points on every board, the top one weighed by the number of boards, the lowest by 1.")

    def worth(self, player: int, contest: Contest) -> Worth:
        teams = of_teams(contest)
        return _weighted(player, teams, range(teams.event.scoring.boards, 0, -1))


# --- places -------------------------------------------------------------------------------------------------------
class _ByBoards(TeamRule):
    """Places of the tied by their boards in all matches."""

    low_first = True
    keys: ClassVar[tuple[BoardKey, ...]] = ()

    def places(self, group: Collection[int], contest: Contest) -> Mapping[int, Worth]:
        teams = of_teams(contest)
        totals, unit = board_totals(teams), teams.game_points.points.unit
        tiers = tiers_by_boards(group, totals, self.keys)
        worths: dict[int, Worth] = {}
        for tier in tiers if len(tiers) > 1 else ():
            place = Fraction(len(worths) + 1)
            worths |= {team: Worth(place, board_parts(totals[team], unit), "place") for team in tier}
        return worths


class TopBoards(_ByBoards):
    base = "TBR"
    name = marked("Top boards")
    rule = marked("Place by the game points on board 1, of equal ones on board 2, and so on.")
    keys = (by_top_boards,)


class BottomBoardsOut(_ByBoards):
    base = "BBE"
    name = marked("Bottom boards out")
    rule = marked("Place by the game points without the lowest board, of equal ones without the two lowest, and so on.")
    keys = (by_bottom_boards_out,)
