"""The fast Swiss (`fast_swiss`) for many events of one size at once (pure, numpy): the same pairs, a round of all of
them together. A test holds the two equal.

Step by step everybody on top of those left takes the nearest he may meet, in all events at the same time. Events in
which somebody stays over like that are few; those are paired one by one.
"""

import numpy

from tournaments.forecast.swiss_rounds_fast_swiss import pair_fast
from tournaments.forecast.outlook import Floats


def pair_many(points: Floats, met: Floats, had_bye: Floats) -> tuple[Floats, Floats | None]:
    """The pairs of a round (events × boards × 2) and who has the bye (events; None with an even number). Points and
    byes are events × players, `met` events × players × players; players are places in a field ordered by rating."""
    rows = numpy.arange(len(points))
    order, byes = numpy.argsort(-points, axis=1, kind="stable"), None
    if order.shape[1] % 2:
        order, byes = _without_bye(order, had_bye, rows)
    score, left = numpy.take_along_axis(points, order, axis=1), numpy.ones(order.shape, bool)
    boards, stuck = numpy.zeros((len(points), order.shape[1] // 2, 2), int), numpy.zeros(len(points), bool)
    nobody = order.shape[1]
    for board in range(boards.shape[1]):
        first = left.argmax(axis=1)
        left[rows, first] = False
        one = order[rows, first]
        wishes = _wishes(left, score == score[rows, first][:, None])
        wishes[~left | met[rows[:, None], one[:, None], order]] = nobody
        nearest = wishes.argmin(axis=1)
        stuck |= wishes[rows, nearest] == nobody
        left[rows, nearest] = False
        boards[:, board, 0], boards[:, board, 1] = one, order[rows, nearest]
    for event in numpy.flatnonzero(stuck).tolist():
        known = [set(numpy.flatnonzero(each).tolist()) for each in met[event]]
        boards[event] = pair_fast(points[event].tolist(), known, had_bye[event].tolist())[0]
    return boards, byes


def _without_bye(order: Floats, had_bye: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """The last who has had none has the bye; where all have, the last."""
    last = order.shape[1] - 1
    free = ~numpy.take_along_axis(had_bye, order, axis=1)[:, ::-1]
    at = last - numpy.where(free.any(axis=1), free.argmax(axis=1), 0)
    kept = numpy.ones(order.shape, bool)
    kept[rows, at] = False
    return order[kept].reshape(len(order), last), order[rows, at]


def _wishes(left: Floats, level: Floats) -> Floats:
    """How far down those left stand on the list of whoever chooses: of his own score his counterpart comes first, then
    down from there, then up; then the others in order."""
    behind = numpy.cumsum(left, axis=1) - 1
    own = (left & level).sum(axis=1)[:, None]
    half = own // 2
    upper, lower = own - 1 - behind, behind - half
    return numpy.where(behind < half, upper, numpy.where(behind < own, lower, behind))
