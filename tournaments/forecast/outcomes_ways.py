"""The ways in which a game to come may end (pure): a code for each, and what it is worth.

A game is won, drawn or lost. In an armageddon event a draw is followed by a game that has a winner.
"""

from dataclasses import replace

from tournaments.standings.crosstable import Meeting
from tournaments.standings.points import PointSystem, Result

WON, DRAWN, LOST, DRAWN_WON, DRAWN_LOST = range(5)  # as White sees it
_RESULTS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.DRAW, Result.DRAW)
_DECIDERS = {DRAWN_WON: Result.WHITE_WINS, DRAWN_LOST: Result.BLACK_WINS}


def ways_of(meeting: Meeting, points: PointSystem) -> tuple[int, ...]:
    """The codes with which an open game may end."""
    if points.after_draw is None:
        return WON, DRAWN, LOST
    decided = DRAWN_WON, DRAWN_LOST
    return decided if meeting.result is Result.DRAW else (WON, *decided, LOST)


def ended(meeting: Meeting, code: int) -> Meeting:
    """The game once it has ended so."""
    return replace(meeting, result=_RESULTS[code], decider=_DECIDERS.get(code, meeting.decider))


def worths_of(points: PointSystem) -> tuple[tuple[int, int], ...]:
    """What each code brings White and Black, in the point system's smallest unit."""
    won, lost = points.decided_share("win"), points.decided_share("loss")
    plain = (points.win, points.loss), (points.draw, points.draw), (points.loss, points.win)
    return *plain, (won, lost), (lost, won)
