"""Events of teams for the tests: the stored reports, and the shortest way to made-up ones."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from tests import ROOT
from tournaments.interchange.team_event_of_report import team_event_of
from tournaments.interchange.trf import read_report
from tournaments.standings.team_event import BoardPoints, TeamBye, TeamEvent, TeamMeeting, TeamPenalty, TeamScoring
from tournaments.standings.team_standings import TeamStanding, team_standings
from tournaments.standings.team_tiebreaks import team_tiebreaks_of

TEAMS, BOARDS = range(1, 7), 3  # of the events drawn
FOLDER = ROOT / "tests" / "data" / "teams"


def stored(name: str, **given: Any) -> TeamEvent:
    return team_event_of(read_report((FOLDER / f"{name}.trf").read_bytes()), **given)


def match(number: int, first: int, second: int, boards: str, **given: Any) -> TeamMeeting:
    """A match by the first team's results from board 1 down: "1=0", + and - by default."""
    own = {"1": 2, "=": 1, "0": 0, "+": 2, "-": 0}
    points = [
        BoardPoints(board, own[mark], 2 - own[mark], played=mark in "1=0") for board, mark in enumerate(boards, start=1)
    ]
    return TeamMeeting(number, first, second, tuple(points), **given)


def event(*meetings: TeamMeeting, teams: int = 0, boards: int = 4, primary: Any = "MP", **given: Any) -> TeamEvent:
    count = teams or max(max(one.first, one.second) for one in meetings)
    rounds = max((one.round for one in meetings), default=0)
    scoring = given.pop("scoring", TeamScoring(boards, primary=primary))
    return TeamEvent(tuple(range(1, count + 1)), scoring, meetings, **{"rounds": rounds, **given})


def rows(event: TeamEvent, codes: str = "") -> list[TeamStanding]:
    return team_standings(event, team_tiebreaks_of(codes))


def places(event: TeamEvent, codes: str = "") -> list[tuple[int, int]]:
    """Place and team, best first."""
    return [(row.place, row.team) for row in rows(event, codes)]


def numbers(event: TeamEvent, code: str) -> Mapping[int, Fraction | None]:
    """The tie-break of every team."""
    return {row.team: row.tiebreaks[0].number if row.tiebreaks[0] else None for row in rows(event, code)}


@st.composite
def events(draw: st.DrawFn, *, swiss: bool | None = None, marks: str = "1=0+-") -> TeamEvent:
    """Six teams on three boards: in every round some meet, the others have byes or are away."""
    scoring = TeamScoring(BOARDS, primary=draw(st.sampled_from(("MP", "GP"))))
    meetings: list[TeamMeeting] = []
    byes: list[TeamBye] = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        order, met = draw(st.permutations(TEAMS)), draw(st.integers(0, 3))
        for first, second in zip(order[: 2 * met : 2], order[1 : 2 * met : 2], strict=True):
            boards = draw(st.text(st.sampled_from(marks), min_size=BOARDS, max_size=BOARDS))
            meetings.append(match(number, first, second, boards))
        for team in order[2 * met :]:
            kind = draw(st.sampled_from(("pab", "full", "half", "zero", "")))
            byes += [scoring.bye(number, team, kind)] if kind else []
    penalties = draw(
        st.lists(st.builds(TeamPenalty, st.sampled_from(TEAMS), st.just(1), st.just(-2), st.just(-1)), max_size=1)
    )
    rounds = max((one.round for one in (*meetings, *byes)), default=0)
    in_swiss = draw(st.booleans()) if swiss is None else swiss
    edition = draw(st.sampled_from((2023, 2026)))
    return TeamEvent(tuple(TEAMS), scoring, tuple(meetings), tuple(byes), tuple(penalties), rounds, in_swiss, edition)
