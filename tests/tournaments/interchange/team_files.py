"""Reports of teams for the tests: real files in small, and any event of teams."""

from dataclasses import dataclass, fields, replace
from datetime import date
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from tests import ROOT
from tournaments.interchange.report_of_team_event import report_of_team_event
from tournaments.interchange.team_matches_of_report import NOBODY, Seat, SeatedBoard, TeamMatch
from tournaments.interchange.trf import Report, ReportPlayer, read_report
from tournaments.interchange.trf.games import CODES
from tournaments.interchange.trf.team_records import TeamOfReport
from tournaments.standings.points import OUTCOMES, PointSystem, Result, point_system
from tournaments.standings.team_event import BoardPoints, TeamBye, TeamEvent, TeamMeeting, TeamPenalty, TeamScoring

TEAMS = ROOT / "tests" / "data" / "teams"


def team_file(name: str) -> Report:
    return read_report((TEAMS / name).read_bytes())


def team(number: int, name: str, *players: int, points: tuple[str, str] = ("", ""), **columns: str) -> str:
    """A line 310."""
    given = {"nickname": "", "strength": "", "rank": "", **columns}
    row = f"310 {number:>3} {name:<32} {given['nickname']:<5} {given['strength']:>6} {points[0]:>6} {points[1]:>6}"
    return f"{row} {given['rank']:>3}  {' '.join(f'{player:>4}' for player in players)}".rstrip()


def facts(event: TeamEvent) -> dict[str, Any]:
    """All of an event, to be compared: game points as they are shown, whatever the unit."""
    scoring, unit = event.scoring, event.scoring.points.unit
    points = tuple(Fraction(worth, unit) for worth in (scoring.points.win, scoring.points.draw, scoring.points.loss))
    bye = None if scoring.bye_game_points is None else Fraction(scoring.bye_game_points, unit)
    return {one.name: getattr(event, one.name) for one in fields(event)} | {
        "scoring": (points, bye, replace(scoring, points=FOOTBALL, bye_game_points=None)),
        "meetings": [
            (replace(one, boards=()), [board_facts(board, unit) for board in one.boards]) for one in event.meetings
        ],
        "byes": [(replace(bye, game_points=0), Fraction(bye.game_points, unit)) for bye in event.byes],
        "penalties": [(replace(one, game_points=0), Fraction(one.game_points, unit)) for one in event.penalties],
    }


def board_facts(board: BoardPoints, unit: int) -> tuple[object, ...]:
    return board.board, Fraction(board.first, unit), Fraction(board.second, unit), board.played, board.decided


@dataclass(frozen=True)
class AnyEvent:
    """An event of teams, with who sat where."""

    event: TeamEvent
    teams: tuple[TeamOfReport, ...]
    matches: tuple[TeamMatch, ...]
    colours: str
    head: Report

    def report(self, version: int) -> Report:
        given = {"event": self.event, "teams": self.teams, "matches": self.matches, "colours": self.colours}
        return report_of_team_event(self.head, **given, version=version)  # type: ignore[arg-type]


HALVES = st.integers(-19, 199)  # −9.5 to 99.5 in half-points
RESULTS = [result for result in CODES if OUTCOMES[result].played or result == Result.OPEN]
FORFEITS = [Result.WHITE_FORFEITS, Result.BLACK_FORFEITS, Result.BOTH_FORFEIT]


@st.composite
def boards_of_match(
    draw: st.DrawFn, lines: tuple[tuple[int, ...], tuple[int, ...]], colours: str
) -> tuple[SeatedBoard, ...]:
    """Boards of two line-ups, 0 being an empty place."""
    found: list[SeatedBoard] = []
    for at, (one, other) in enumerate(zip(*lines, strict=True)):
        if one and other:
            result = draw(st.sampled_from(RESULTS + FORFEITS))
            named = result not in FORFEITS or draw(st.booleans())
            first_is_white = colours[at] == colours[0]
            white, black = CODES[result]
            mine, theirs = (white, black) if first_is_white else (black, white)
            own, opposite = ("w", "b") if first_is_white else ("b", "w")
            found.append((Seat(one, own if named else "", mine), Seat(other, opposite if named else "", theirs)))
        elif one or other:
            code = draw(st.sampled_from("+-"))
            alone = Seat(one or other, "", code)
            found.append((alone, NOBODY) if one else (NOBODY, alone))
        else:
            found.append((NOBODY, NOBODY))
    return tuple(found)


@st.composite
def line_ups(draw: st.DrawFn, team: TeamOfReport, boards: int) -> tuple[int, ...]:
    """The team's first players, or any of them in any order, with places left empty."""
    if draw(st.booleans()):
        return team.players[:boards]
    places = list(draw(st.permutations(team.players)))[:boards]
    return tuple(player if draw(st.integers(0, 4)) else 0 for player in places)


@st.composite
def any_match(draw: st.DrawFn, number: int, teams: tuple[TeamOfReport, TeamOfReport], colours: str) -> TeamMatch:
    one, other = teams
    count = len(colours)
    if not draw(st.integers(0, 9)):  # nobody sat down
        won = replace(NOBODY, code="+")
        board: SeatedBoard = draw(st.sampled_from([(NOBODY, NOBODY), (won, NOBODY), (NOBODY, won)]))
        return TeamMatch(number, one.number, other.number, (board,) * count)
    seated = draw(line_ups(one, count)), draw(line_ups(other, count))
    match = TeamMatch(number, one.number, other.number, draw(boards_of_match(seated, colours)))
    known = any(seat.colour for board in match.boards for seat in board)
    both = all(any(board[side].code == "+" for board in match.boards) for side in (0, 1))
    if not known and both and match.first > match.second:  # a report does not say who had White in such a match
        turned = tuple((theirs, mine) for mine, theirs in match.boards)
        return TeamMatch(number, other.number, one.number, turned)
    return match


def share(seat: Seat, points: PointSystem) -> int:
    return {
        **dict.fromkeys("1W+", points.win),
        **dict.fromkeys("=D", points.draw),
        **dict.fromkeys("0L", points.loss),
    }.get(seat.code, 0)


def meeting_of(match: TeamMatch, scoring: TeamScoring) -> TeamMeeting:
    boards = tuple(
        BoardPoints(
            at,
            *(share(seat, scoring.points) for seat in board),
            played=board[0].code not in "+-*" and board[1].code not in "+-*",
            decided=board[0].code != "*",
        )
        for at, board in enumerate(match.boards, start=1)
    )
    return TeamMeeting(match.round, match.first, match.second, boards)


@st.composite
def any_byes(draw: st.DrawFn, number: int, alone: list[int], scoring: TeamScoring) -> list[TeamBye]:
    """Byes of the teams without a match; up to one of them is allocated."""
    found = []
    for at, team in enumerate(alone):
        kind = draw(st.sampled_from(["pab", "full", "half", "zero"] if not at else ["full", "half", "zero"]))
        bye = scoring.bye(number, team, kind)
        if kind != "pab" and draw(st.booleans()):
            bye = replace(bye, match_points=draw(HALVES), game_points=draw(HALVES))
        found.append(bye)
    return found


@st.composite
def any_event(draw: st.DrawFn) -> AnyEvent:
    boards = draw(st.integers(1, 4))
    colours = "".join(draw(st.sampled_from("WB")) for _board in range(boards))
    sizes = draw(st.lists(st.integers(boards, boards + 2), min_size=2, max_size=5))
    numbers = list(draw(st.permutations(range(1, sum(sizes) + 1))))
    teams = tuple(
        TeamOfReport(
            at,
            draw(st.sampled_from(["Reds", "Blues", "Zürich 1", "北京", "A team of a name as long as it goes"[:32]])),
            nickname=draw(st.sampled_from(["", "RED", "ABCDE"])),
            strength=draw(st.sampled_from(["", "2486"])),
            rank=draw(st.none() | st.integers(1, 9)),
            players=tuple(numbers.pop() for _place in range(size)),
        )
        for at, size in enumerate(sizes, start=1)
    )
    worths = draw(st.sampled_from([(4, 2, 0), (6, 2, 0), (2, 1, 0), (6, 4, 2)]))
    bye = draw(st.sampled_from([(2, 3), (4, 8), (0, 0)]))
    points = draw(st.sampled_from([point_system("classic"), point_system("classic"), FOOTBALL]))
    primary: Any = draw(st.sampled_from(["MP", "GP"]))
    scoring = TeamScoring(boards, points, *worths, primary, *bye)
    matches: list[TeamMatch] = []
    byes: list[TeamBye] = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        order = list(draw(st.permutations(teams)))
        met = draw(st.integers(1, len(order) // 2))
        pairs = [(order[2 * at], order[2 * at + 1]) for at in range(met)]
        found = [draw(any_match(number, pair, colours)) for pair in pairs]
        matches += sorted(found, key=lambda match: min(match.first, match.second))
        byes += draw(any_byes(number, sorted(team.number for team in order[2 * met :]), scoring))
    rounds = matches[-1].round
    given = st.tuples(st.integers(1, len(teams)), st.integers(0, rounds), HALVES, HALVES)
    edition = draw(st.sampled_from([2023, 2026]))
    event = TeamEvent(
        teams=tuple(team.number for team in teams),
        scoring=scoring,
        meetings=tuple(draw(any_ruling(meeting_of(match, scoring), scoring)) for match in matches),
        byes=tuple(sorted(byes, key=lambda bye: (bye.round, bye.team))),
        penalties=tuple(TeamPenalty(*one) for one in draw(st.lists(given, max_size=2))),
        rounds=rounds,
        swiss=draw(st.booleans()),
        edition=edition,
    )
    day = {2023: date(2024, 1, 5), 2026: date(2026, 4, 5)}[edition]
    people = tuple(ReportPlayer(number, f"Player {number}") for number in range(1, sum(sizes) + 1))
    return AnyEvent(event, teams, tuple(matches), colours, Report(players=people, starts_on=day, rounds=rounds))


# 3–1–0 in half-points, so that a penalty of a half can be said.
FOOTBALL = PointSystem("report", unit=2, win=6, draw=2, loss=0, allocated_bye=6)


@st.composite
def any_ruling(draw: st.DrawFn, meeting: TeamMeeting, scoring: TeamScoring) -> TeamMeeting:
    """Sometimes with match points the arbiter gave, other than those that follow."""
    ruled = draw(st.integers(0, 8)), draw(st.integers(0, 8))
    usual = scoring.match_points(meeting)
    return replace(meeting, ruled=ruled) if ruled != usual and not draw(st.integers(0, 4)) else meeting
