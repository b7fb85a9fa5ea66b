"""What the forecast page shows, row by row: chances as figures and shades, the course of the title odds, games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubrating.ground.charts import Segment, bar
from clubrating.ground.curves import Curve
from clubrating.ground.figures import percents
from clubrating.web.formatting import decimals
from players.privacy.rules import Viewer, shown_name
from ratings.lab_pages.charts import Drawing
from tournaments.forecast.needs import Verdict
from tournaments.forecast.outlook import EXACT
from tournaments.forecasts.selectors.forecasts import EventForecast, GameSaid, LineSaid
from tournaments.forecasts.selectors.scores import Score, score_of
from tournaments.templatetags.events import marks

PLACES_SHOWN = 16  # with more, the last ones stand together
FIRST_PLACES = 10
STEPS = 10  # shades of a chance: one for every tenth
CURVES = 6  # kinds of lines the stylesheet has
NAMES = 20  # letters of a name at the end of a curve
STRIP, EDGE = 160, 8  # pixels of the strip of places, and what it keeps free at either end
_A_HAIR = 1e-5  # of what was only sampled, nothing is shown as impossible or certain


@dataclass(frozen=True, slots=True)
class Heat:
    """A chance in its cell: per cent, and its shade 0 … 10."""

    percent: float

    @property
    def step(self) -> int:
        return 0 if self.percent < 0.5 else min(int(self.percent * STEPS / 100) + 1, STEPS)


@dataclass(frozen=True, slots=True)
class ForecastRow:
    """One entrant's line: title in per cent, the mean of points (empty in a knockout), the chance of each group of
    places, and where the strip is drawn."""

    line: LineSaid
    title: float
    points: str
    heats: tuple[Heat, ...]
    verdict: str
    chosen: bool
    low_x: float
    median_x: float
    high_x: float


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game: its chances as a bar and as whole per cents, and its result as the forecast has White (empty: open)."""

    said: GameSaid
    percents: tuple[int, ...]
    segments: tuple[Segment, ...]
    came: str


@dataclass(frozen=True, slots=True)
class RoundSaid:
    """What was said before a round: its games, and how good it was where some are played."""

    forecast: EventForecast
    games: tuple[GameRow, ...]
    score: Score | None


def place_groups(places: int) -> list[tuple[int, int]]:
    """The columns of the table of places: each alone, or the first ten and the others together."""
    if places <= PLACES_SHOWN:
        return [(place, place) for place in range(1, places + 1)]
    return [*((place, place) for place in range(1, FIRST_PLACES + 1)), (FIRST_PLACES + 1, places)]


def rows_of(forecast: EventForecast, stands: Mapping[int, Verdict], chosen: int | None, unit: int) -> list[ForecastRow]:
    """Everybody, the highest chance of the title first. `stands`: who has the title already, or cannot any more; points
    are in `unit`ths."""
    # Where no game is ever drawn, endings that can come have no chance.
    is_exact = forecast.method == EXACT and forecast.draw_rate > 0.0
    places = len(forecast.lines[0].places) if forecast.lines else 0
    return [
        ForecastRow(
            line,
            title=_percent(line.title, proven=is_exact or verdict in (Verdict.SURE, Verdict.LOST)),
            points="" if line.points is None else decimals(line.points / unit, 1),
            heats=tuple(Heat(100.0 * sum(line.places[first - 1 : last])) for first, last in place_groups(places)),
            verdict=verdict.value,
            chosen=line.entrant.number == chosen,
            low_x=_strip_x(line.low, places),
            median_x=_strip_x(line.median, places),
            high_x=_strip_x(line.high, places),
        )
        for line in forecast.lines
        for verdict in [_verdict(line, stands.get(line.entrant.number or 0, Verdict.OPEN), exact=is_exact)]
    ]


def _verdict(line: LineSaid, stands: Verdict, *, exact: bool) -> Verdict:
    """Points may leave open what the endings, tie-breaks and all, have decided."""
    if stands in (Verdict.SURE, Verdict.LOST) or not exact:
        return stands
    return Verdict.LOST if line.title <= 0.0 else Verdict.SURE if line.title >= 1.0 else stands


def _percent(chance: float, *, proven: bool) -> float:
    return 100.0 * (chance if proven else min(max(chance, _A_HAIR), 1.0 - _A_HAIR))


def _strip_x(place: int, places: int) -> float:
    return round(EDGE + (STRIP - 2 * EDGE) * (place - 1) / max(places - 1, 1), 1)


def games_of(forecast: EventForecast) -> tuple[GameRow, ...]:
    """The games a forecast speaks of."""
    found = []
    for said in forecast.games:
        chances = (said.win, said.draw, said.loss)
        came = "" if said.came is None else marks(said.came)
        found.append(GameRow(said, tuple(percents(chances)), bar(chances), came))
    return tuple(found)


def rounds_said(stored: Sequence[EventForecast]) -> list[RoundSaid]:
    """What was said before every round, the latest first."""
    return [RoundSaid(forecast, games_of(forecast), score_of([forecast])) for forecast in reversed(stored)]


def course_of(
    stored: Sequence[EventForecast], now: EventForecast | None, at: int, chosen: int | None, viewer: Viewer
) -> Drawing | None:
    """The title odds before each round, of the first six and of whom was chosen; None for a single moment. `at`: the
    round before which `now` stands."""
    found = [(each.before_round or at, each) for each in stored]
    if now is not None and now.before_round is None:
        found = [(number, each) for number, each in found if number < at] + [(at, now)]
    if len(found) < 2:
        return None
    chances = [{line.entrant.key: line.title for line in each.lines} for _number, each in found]
    lines = found[-1][1].lines
    shown = list(lines[:CURVES])
    if chosen is not None and chosen not in [line.entrant.number for line in shown]:
        shown = [*shown[: CURVES - 1], *(line for line in lines if line.entrant.number == chosen)]
    curves = [
        Curve(
            shown_name(line.entrant.player, viewer),
            look,
            [float(number) for (number, _said), odds in zip(found, chances, strict=True) if line.entrant.key in odds],
            [100.0 * odds[line.entrant.key] for odds in chances if line.entrant.key in odds],
        )
        for look, line in enumerate(shown, start=1)
    ]
    whole = [curve for curve in curves if len(curve.xs) == len(found)]  # somebody came later
    return Drawing(whole, places=0, across=_("Before round"), letters=NAMES, whole=True) if whole else None
