"""The small line of a trend beside a rating: ratings in, coordinates out (pure). The table draws it, the stylesheet
paints it. The part on probation is a line of its own, so that it can be dashed and coloured."""

from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 72, 20
EDGE = 2.0  # a line has a width, and the last point a radius
LEAST_SPAN = 20.0  # points: less is no mountain


class Stop(NamedTuple):
    """A rating on the way, and whether it was on probation."""

    rating: float
    provisional: bool


class Stroke(NamedTuple):
    """One polyline: `points` as SVG writes them."""

    points: str
    provisional: bool


class Spark(NamedTuple):
    """The strokes, and where the last stop is."""

    strokes: list[Stroke]
    x: float
    y: float


def draw(stops: Sequence[Stop]) -> Spark:
    """The line through at least two stops, spread evenly; a stretch that begins on probation belongs to it."""
    ratings = [stop.rating for stop in stops]
    low, high = min(ratings), max(ratings)
    step = (WIDTH - 2 * EDGE) / (len(stops) - 1)
    scale = (HEIGHT - 2 * EDGE) / max(high - low, LEAST_SPAN)
    middle = (low + high) / 2
    places = [
        f"{EDGE + step * number:.1f},{HEIGHT / 2 - scale * (rating - middle):.1f}"
        for number, rating in enumerate(ratings)
    ]
    strokes, begin = [], 0
    for end in range(1, len(stops)):
        if end == len(stops) - 1 or stops[end].provisional != stops[begin].provisional:
            strokes.append(Stroke(" ".join(places[begin : end + 1]), stops[begin].provisional))
            begin = end
    x, _comma, y = places[-1].partition(",")
    return Spark(strokes, float(x), float(y))
