"""What a tournament report says for the standings: who met whom, byes, points, ratings (pure).

The rounds that count end with the last one that has a game: what a report says of the round after it is for its
pairing. Byes of a round robin are free days or absences; in a Swiss they are article 16's. Points are those of the
rounds, not the file's column.
"""

from collections.abc import Iterator
from datetime import date

from tournaments.interchange import checking
from tournaments.interchange.pairing_terms import points_in
from tournaments.interchange.trf.games import games_of
from tournaments.interchange.trf.records import ALLOCATED, FULL, HALF, ZERO, Report
from tournaments.pairing.base_editions import TIEBREAK_EDITIONS, tiebreak_edition_on
from tournaments.standings.crosstable import Bye, Meeting, build_crosstable
from tournaments.standings.points import PointSystem
from tournaments.standings.tiebreaks import Contest

ROUND_ROBIN_WORDS = ("roundrobin", "round-robin", "round robin", "berger", "all-play-all")
_KINDS = {ALLOCATED: "pab", FULL: "full", HALF: "half", ZERO: "zero"}


def contest_of(report: Report, *, swiss: bool | None = None, edition: int | None = None) -> Contest:
    """What the tie-breaks of the report's event are read off. Where not given, `swiss` follows its type or its rounds,
    the `edition` its first day. Raises ReportError for points that cannot be read."""
    points = points_in(report)
    meetings = [Meeting(game.round, game.white, game.black, game.result) for game in games_of(report)]
    rounds = max((meeting.round for meeting in meetings), default=0)
    byes = [bye for bye in _byes(report, points) if bye.round <= rounds]
    return Contest(
        table=build_crosstable([player.number for player in report.players], meetings, byes, points),
        points=points,
        rounds=rounds,
        swiss=not is_round_robin(report) if swiss is None else swiss,
        edition=edition or edition_of(report.starts_on),
        ratings={player.number: player.rating for player in report.players if player.rating},
    )


def edition_of(day: date | None) -> int:
    """The edition of the tie-break rules by the event's first day; the newest where it is not said."""
    return tiebreak_edition_on(day) if day else TIEBREAK_EDITIONS[-1]


def is_round_robin(report: Report) -> bool:
    """Whether the report is one of a round robin, by its type, or else by who met whom."""
    kind = f"{report.coded_kind} {report.kind}".casefold()
    if any(word in kind for word in ROUND_ROBIN_WORDS):
        return True
    try:
        return checking.is_round_robin(report)
    except checking.NotCheckedError:
        return False


def _byes(report: Report, points: PointSystem) -> Iterator[Bye]:
    worth = {ALLOCATED: points.allocated_bye, FULL: points.win, HALF: points.draw, ZERO: 0}
    for player in report.players:
        for number, cell in enumerate(player.cells, start=1):
            if not cell.opponent and cell.code in _KINDS:
                yield Bye(number, player.number, worth[cell.code], _KINDS[cell.code])
