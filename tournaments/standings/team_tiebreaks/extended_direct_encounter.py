"""Extended direct encounter: who is tied is ranked by the matches against each other, in both scores.

Source: FIDE C.07 art. 13.3, in the wording of 1 August 2024 for both editions. Direct encounter (art. 6, with missing
and several matches as there) in the score that decides; those it leaves tied by direct encounter in the other score;
every subset that this leaves starts again with the score that decides (13.3.3). Direct encounter itself goes on in its
own score until it parts nobody (6.2), as FIDE's exercise 45 and its program have it. The wording before August 2024
looked at the other score only where all were still tied; it is not done here.

EDEBT, EDEBB, EDET and EDEB go on where exactly two teams are left that have met: by the boards of these matches
(13.3.2), with board count, top boards and bottom boards out in the order of the code.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import ClassVar

from clubrating.ground.marks import marked
from tournaments.standings.team_contest import TeamContest, TeamRule, mutual_boards, of_teams
from tournaments.standings.team_tiebreaks.boards import (
    BoardKey,
    board_parts,
    by_board_count,
    by_bottom_boards_out,
    by_top_boards,
    tiers_by_boards,
)
from tournaments.standings.tiebreaks.base import Contest, Part, Worth
from tournaments.standings.tiebreaks.direct_encounter import (
    Encounters,
    Tier,
    encounter_parts,
    encounters,
    tiers_of,
)

IN_THE_OTHER_SCORE = marked("The same in the score that does not decide.")
# What was met in the score that decides, then in the other one.
PAIR = 2
Met = Sequence[tuple[Mapping[int, Encounters], Contest]]


class ExtendedDirectEncounter(TeamRule):
    """`boards`: what decides between the last two, in order; two that have not met are level in it."""

    base = "EDE"
    name = marked("Extended direct encounter")
    rule = marked("Place by the matches of those who are tied against each other, in the one score, then in the other.")
    takes = "P"
    low_first = True
    boards: ClassVar[tuple[BoardKey, ...]] = ()

    def places(self, group: Collection[int], contest: Contest) -> Mapping[int, Worth]:
        teams, as_played = of_teams(contest), self.modifiers.as_played
        met = [(encounters(group, one, as_played=as_played), one) for one in (teams, teams.secondary)]
        by_boards: dict[int, tuple[Part, ...]] = {}
        tiers = self._tiers(tuple(sorted(group)), met, teams, by_boards)
        worths: dict[int, Worth] = {}
        for tier in tiers if len(tiers) > 1 else ():
            place = Fraction(len(worths) + 1)
            worths |= {team: Worth(place, (*_parts(team, met), *by_boards.get(team, ())), "place") for team in tier}
        return worths

    def _tiers(self, group: Tier, met: Met, contest: TeamContest, by_boards: dict[int, tuple[Part, ...]]) -> list[Tier]:
        """The group in parts, best first; each stays tied. What parted two by their boards is put into `by_boards`."""
        for own, one in met:
            tiers = tiers_of(group, own, one)
            if len(tiers) > 1:
                return [part for tier in tiers for part in self._tiers(tier, met, contest, by_boards)]
        if len(group) != PAIR:
            return [group]
        totals = mutual_boards(contest, (group[0], group[1]), as_played=self.modifiers.as_played)
        tiers = tiers_by_boards(group, totals, self.boards)
        if len(tiers) > 1:
            unit = contest.game_points.points.unit
            by_boards |= {team: board_parts(totals[team], unit, sum(group) - team) for team in group}
        return tiers


def _parts(team: int, met: Met) -> tuple[Part, ...]:
    (own, one), (own_other, other) = met
    in_other = (replace(part, note=IN_THE_OTHER_SCORE) for part in encounter_parts(own_other[team], other))
    return (*encounter_parts(own[team], one), *in_other)


# --- and by boards ------------------------------------------------------------------------------------------------
class CountThenTopBoards(ExtendedDirectEncounter):
    base = "EDEBT"
    name = marked("Extended direct encounter, board count, top boards")
    rule = marked("As EDE; between the last two by board count and then top boards of their matches.")
    boards = (by_board_count, by_top_boards)


class CountThenBottomBoardsOut(ExtendedDirectEncounter):
    base = "EDEBB"
    name = marked("Extended direct encounter, board count, bottom boards out")
    rule = marked("As EDE; between the last two by board count and then bottom boards out of their matches.")
    boards = (by_board_count, by_bottom_boards_out)


class ThenTopBoards(ExtendedDirectEncounter):
    base = "EDET"
    name = marked("Extended direct encounter, top boards")
    rule = marked("As EDE; between the last two by top boards of their matches.")
    boards = (by_top_boards,)


class ThenBottomBoardsOut(ExtendedDirectEncounter):
    base = "EDEB"
    name = marked("Extended direct encounter, bottom boards out")
    rule = marked("As EDE; between the last two by bottom boards out of their matches.")
    boards = (by_bottom_boards_out,)
