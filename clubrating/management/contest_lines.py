"""The ledger of `manage.py rate CONTESTS.csv`: a line for every member of every contest, and for every start."""

from collections.abc import Sequence
from datetime import date

from ratings.systems.base import Step
from ratings.systems.replay import Row
from ratings.systems.sides import RatedMember
from tournaments.interchange.contests_csv import ContestStream

CONTEST_COLUMNS = (
    *("kind", "contest", "date", "event", "side", "place", "player", "score", "weight", "games"),
    *("before", "deviation_before", "expected", "k", "change", "after", "deviation_after"),
)


def member_line(row: RatedMember, stream: ContestStream) -> Sequence[object]:
    contest, side = row.contest, row.contest.sides[row.side - 1]
    on = contest.played_on.isoformat() if stream.dated else ""
    written = stream.sides[contest.contest, row.player]
    weight = side.weights[side.players.index(row.player)]
    return (
        *("contest", contest.contest, on, contest.event, written, side.place, stream.names[row.player]),
        *(side.score, weight, row.games, row.before, row.deviation, row.expected, row.k),
        *(row.change, row.after, row.deviation_after),
    )


def start_line(row: Row, stream: ContestStream) -> Sequence[object]:
    """What a player brings, in the columns of contests."""
    assert isinstance(row, Step)
    assert row.player is not None
    on = date.fromordinal(row.order >> 40).isoformat() if stream.dated else ""
    name = stream.names[row.player]
    return row.kind, "", on, "", "", "", name, "", "", row.games, row.before, "", "", "", "", row.after, ""
