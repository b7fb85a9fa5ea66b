"""What a season's forecast says of everybody, and how good it was (pure, numpy).

Of the rating at the end fifty equally likely values are kept (`SHARES`), of the path to it seven bounds at every look.

A forecast of a distribution is scored by two figures (T. Gneiting, A. Raftery, JASA 102, 2007): the share of ratings
within their 80 % interval, and the continuous ranked probability score, which of a forecast without spread is the plain
error; both in points. A rating that does not move is a step of the distribution: where the truth lies on a step, it
counts as far as the step lies within the interval (C. Czado, T. Gneiting, L. Held, Biometrics 65, 2009). Chances are
scored by Brier's mean of squares, and by whether what was given 70 % came in 70 of 100 cases. Beside the forecast stand
two that need none: nothing changes (every rating stays), and today's order (its first will be first).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy

from tournaments.forecast.season import Season, SeasonOutlook, places_of

SHARES = 50  # equally likely values of the rating at the end
LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)  # bounds of the fan
WITHIN = 0.1, 0.9  # the interval of eight in ten
TOP = 4
TENTHS = 10
Floats = Any


# --- what is said -------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class SeasonLine:
    """What is said of one player. Ratings are those the list shows, in points. `now`, `place` (None: none today) and
    `games` (mean of those to come); `ends`: equally likely ratings at the end, rising; `fan`: at every look the
    bounds of `LEVELS`. `places`: low, middle and high place among the samples in which he has one (None: never).
    Chances: of the first place, of the first four, of leaving probation (None: he is not on it), of standing at
    `bound` or higher (None: there is nothing above)."""

    player: int
    now: float
    place: int | None
    games: float
    ends: tuple[float, ...]
    fan: tuple[tuple[float, ...], ...]
    places: tuple[int, int, int] | None
    first: float
    four: float
    settles: float | None
    bound: float | None
    rises: float | None

    @property
    def chances(self) -> tuple[float | None, ...]:
        return self.first, self.four, self.settles, self.rises


def lines_of(season: Season, outlook: SeasonOutlook, bounds: Sequence[float]) -> list[SeasonLine]:
    """Everybody's line, in the list's order of today: those with a place first. `bounds`: lowest ratings of the
    classes."""
    rule = season.rules.on(season.calendar.today)
    listing = rule.system.listing(rule.settings)
    today = places_of(season, season.states)
    lines = []
    for column, (player, state) in enumerate(season.states.items()):
        now = listing.value(state.rating, state.deviation)
        ends, places = outlook.listed[-1, :, column], outlook.places[:, column]
        bound = min((each for each in bounds if each > now), default=None)
        may_settle = season.probation.holds(state) and player in season.active
        lines.append(
            SeasonLine(
                player,
                now,
                today[column] or None,
                float(outlook.games[:, column].mean()),
                _values(ends, (numpy.arange(SHARES) + 0.5) / SHARES),
                tuple(_values(look, LEVELS) for look in outlook.listed[:, :, column]),
                _places(places),
                first=float((places == 1).mean()),
                four=float(((places >= 1) & (places <= TOP)).mean()),
                settles=float((places > 0).mean()) if may_settle else None,
                bound=bound,
                rises=None if bound is None else float((ends >= bound).mean()),
            )
        )
    return sorted(lines, key=lambda line: (line.place is None, line.place or 0, -line.now))


def _values(samples: Floats, levels: Any) -> tuple[float, ...]:
    found = numpy.quantile(samples, levels, method="inverted_cdf")
    return tuple(round(float(value), 2) for value in found)


def _places(places: Floats) -> tuple[int, int, int] | None:
    ranked = places[places > 0]
    if not len(ranked):
        return None
    low, middle, high = numpy.quantile(ranked, (WITHIN[0], 0.5, WITHIN[1]), method="inverted_cdf")
    return int(low), int(middle), int(high)


# --- what came ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Came:
    """How somebody stood at the end: the rating the list showed, his place (None: none)."""

    rating: float
    place: int | None


@dataclass(frozen=True, slots=True)
class Bin:
    """Chances of one tenth: how many were given, their mean, and the share of those that came."""

    count: int
    said: float
    came: float

    @property
    def said_percent(self) -> float:
        return 100.0 * self.said

    @property
    def came_percent(self) -> float:
        return 100.0 * self.came


@dataclass(frozen=True, slots=True)
class SeasonScore:
    """How good forecasts were. `people`: ratings scored; `within`: the share in the interval of 80 %, `error` its
    standard error if people were independent; `crps` and `unchanged` (nothing changes): points, lower is better;
    `places` and `order` (today's order): mean error of the place, of the `ranked` who had one then and now; `brier` and
    `brier_order`: of the chances of the first place and the first four together. `bins`: all chances by tenths."""

    people: int
    within: float
    error: float
    crps: float
    unchanged: float
    ranked: int
    places: float
    order: float
    brier: float
    brier_order: float
    bins: tuple[Bin, ...]

    @property
    def within_percent(self) -> float:
        return 100.0 * self.within


@dataclass(frozen=True, slots=True)
class _Scored:
    within: float
    crps: float
    unchanged: float
    places: tuple[float, float] | None
    brier: float
    brier_order: float
    chances: tuple[tuple[float, bool], ...]


def score_of(said: Iterable[tuple[Sequence[SeasonLine], Mapping[int, Came]]]) -> SeasonScore | None:
    """The score of one or more forecasts, each with what came by player; None where nobody is left to score."""
    found = [_scored(line, came[line.player]) for lines, came in said for line in lines if line.player in came]
    if not found:
        return None
    within = _mean(found, lambda each: each.within)
    placed = [each.places for each in found if each.places is not None]
    return SeasonScore(
        len(found),
        within,
        sqrt(within * (1.0 - within) / len(found)),
        _mean(found, lambda each: each.crps),
        _mean(found, lambda each: each.unchanged),
        len(placed),
        sum(own for own, _order in placed) / max(len(placed), 1),
        sum(order for _own, order in placed) / max(len(placed), 1),
        _mean(found, lambda each: each.brier),
        _mean(found, lambda each: each.brier_order),
        _bins([chance for each in found for chance in each.chances]),
    )


def _mean(found: Sequence[_Scored], value: Callable[[_Scored], float]) -> float:
    return sum(map(value, found)) / len(found)


def _scored(line: SeasonLine, came: Came) -> _Scored:
    first, four = came.place == 1, came.place is not None and came.place <= TOP
    today = (line.place == 1, line.place is not None and line.place <= TOP)
    happened = (first, four, came.place is not None, line.bound is not None and came.rating >= line.bound)
    both = came.place is not None and line.place is not None and line.places is not None
    return _Scored(
        within_interval(line.ends, came.rating),
        crps_of(line.ends, came.rating),
        abs(line.now - came.rating),
        (abs(line.places[1] - came.place), abs(line.place - came.place)) if both else None,  # type: ignore[index,operator]
        ((line.first - first) ** 2 + (line.four - four) ** 2) / 2.0,
        ((today[0] - first) ** 2 + (today[1] - four) ** 2) / 2.0,
        tuple((said, came) for said, came in zip(line.chances, happened, strict=True) if said is not None),
    )


def within_interval(ends: Sequence[float], came: float) -> float:
    """How far the truth lies within the interval: 0 or 1, or the part of a step that does."""
    values = numpy.asarray(ends)
    below, upto = float((values < came - 0.005).mean()), float((values <= came + 0.005).mean())
    low, high = WITHIN
    if upto <= below:
        return float(low <= below <= high)
    return max(0.0, min(upto, high) - max(below, low)) / (upto - below)


def crps_of(ends: Sequence[float], came: float) -> float:
    """The continuous ranked probability score of equally likely values (rising), in their unit."""
    values, count = numpy.asarray(ends), len(ends)
    apart = float((values * (2.0 * numpy.arange(1, count + 1) - count - 1.0)).sum()) / (count * count)
    return float(numpy.abs(values - came).mean()) - apart


def _bins(chances: Sequence[tuple[float, bool]]) -> tuple[Bin, ...]:
    """By tenths, without chances of nought and of certainty: most people cannot come first, which is no merit."""
    tenths: dict[int, list[tuple[float, bool]]] = {}
    for said, came in chances:
        if 0.0 < said < 1.0:
            tenths.setdefault(int(said * TENTHS), []).append((said, came))
    return tuple(
        Bin(len(own), sum(said for said, _came in own) / len(own), sum(came for _said, came in own) / len(own))
        for _tenth, own in sorted(tenths.items())
    )
