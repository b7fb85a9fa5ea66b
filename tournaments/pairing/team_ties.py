"""Who goes on from a tie of two teams in a knockout (pure), and which step decided.

1. More game points.
2. Board count: Σ board number × points on it; the lower one goes on (FIDE C.07 art. 12.1, only at equal game points).
   Without draws that is the sum of the numbers of the boards won.
3. Bottom board out: the points without the lowest board, then without the two lowest … (art. 12.3).
4. The team that had Black on the odd boards, or lots, or a replay.

A tie of several matches is given as all its boards together. Sources: FIDE C.07 (2026) art. 12; published rules of the
Dorset and Shropshire cups. Not done: handicaps by the difference of average ratings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from clubrating.ground.marks import marked
from tournaments.pairing.base import PairingError, Remark
from tournaments.standings.points import PointSystem, point_system
from tournaments.standings.team_event import BoardPoints

Last = Literal["black", "lots", "replay"]
GAME_POINTS, BOARD_COUNT, BOTTOM_BOARD = "game-points", "board-count", "bottom-board"
BLACK: Last = "black"
LOTS: Last = "lots"
REPLAY: Last = "replay"
CLASSIC = point_system("classic")


@dataclass(frozen=True, slots=True)
class TieRule:
    """Which steps are taken, and what comes `last`."""

    board_count: bool = True
    bottom_board: bool = True
    last: Last = BLACK


@dataclass(frozen=True, slots=True)
class TieDecision:
    """`winner`: 1 the first team, 2 the second, 0 nobody yet (a board is open, or a replay decides); `step` that
    decided; `remark` says it."""

    winner: int
    step: str
    remark: Remark


def tie_winner(
    boards: Sequence[BoardPoints],
    rule: TieRule,
    *,
    first_has_white: bool = True,
    lots: Random | None = None,
    points: PointSystem = CLASSIC,
) -> TieDecision:
    """Who goes on. `first_has_white`: on the odd boards; `points`: the unit of the boards' points. Raises PairingError
    where lots are to be drawn and none are given."""
    if not boards or not all(board.decided for board in boards):
        return TieDecision(0, "", Remark(marked("The match is not over: a board has no result yet.")))
    steps = (_by_points(boards, points), *_steps(boards, rule, points))
    return next((decision for decision in steps if decision.winner), None) or _last(rule, first_has_white, lots)


def _steps(boards: Sequence[BoardPoints], rule: TieRule, points: PointSystem) -> Sequence[TieDecision]:
    taken = [_by_board_count(boards, points)] if rule.board_count else []
    return [*taken, *(_bottom_boards_out(boards, points) if rule.bottom_board else [])]


def _by_points(boards: Sequence[BoardPoints], points: PointSystem) -> TieDecision:
    one, other = _sums(boards)
    text = marked("More game points: %(first)s to %(second)s.")
    return TieDecision(_higher(one, other), GAME_POINTS, _remark(text, points, one, other))


def _by_board_count(boards: Sequence[BoardPoints], points: PointSystem) -> TieDecision:
    one = sum(board.board * board.first for board in boards)
    other = sum(board.board * board.second for board in boards)
    text = marked("Level on game points. The lower board count goes on: %(first)s against %(second)s.")
    return TieDecision(_higher(other, one), BOARD_COUNT, _remark(text, points, one, other))


def _bottom_boards_out(boards: Sequence[BoardPoints], points: PointSystem) -> list[TieDecision]:
    """One for each lowest board that is left out."""
    numbers = sorted({board.board for board in boards})
    text = marked("Level so far. Without board %(board)s and those below: %(first)s to %(second)s.")
    decisions = []
    for lowest in reversed(numbers[1:]):
        one, other = _sums([board for board in boards if board.board < lowest])
        remark = _remark(text, points, one, other, board=lowest)
        decisions.append(TieDecision(_higher(one, other), BOTTOM_BOARD, remark))
    return decisions


def _last(rule: TieRule, first_has_white: bool, lots: Random | None) -> TieDecision:
    if rule.last == REPLAY:
        return TieDecision(0, REPLAY, Remark(marked("Level in everything: a replay decides.")))
    if rule.last == BLACK:
        text = marked("Level in everything: the team that had Black on the odd boards goes on.")
        return TieDecision(2 if first_has_white else 1, BLACK, Remark(text))
    if lots is None:
        raise PairingError(marked("The tie is level in everything: draw lots for it."))
    return TieDecision(lots.choice((1, 2)), LOTS, Remark(marked("Level in everything: decided by lots.")))


def _sums(boards: Sequence[BoardPoints]) -> tuple[int, int]:
    return sum(board.first for board in boards), sum(board.second for board in boards)


def _higher(one: int, other: int) -> int:
    return 1 if one > other else 2 if other > one else 0


def _remark(text: str, points: PointSystem, one: int, other: int, **more: int) -> Remark:
    return Remark(text, {"first": points.text(one), "second": points.text(other), **more})
