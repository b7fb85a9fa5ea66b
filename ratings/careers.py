"""A player's career in one list, folded from the ledger: samples for the chart, the record, and the events."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from clubrating.charts import RatingChart, Sample, rating_chart
from ratings.selectors import CareerRow
from ratings.systems.base import Tally
from ratings.systems.performance import performance_400, performance_fide


@dataclass(slots=True)
class EventLine:
    """One event of a career: score, what it did to the rating, and whom he met there (rated opponents only, with the
    score against each)."""

    name: str
    slug: str
    last_day: date
    tally: Tally = field(default_factory=Tally)
    change: float | None = None
    opponents: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)

    def add(self, row: CareerRow) -> None:
        """Count one game."""
        self.tally.add(row.score)
        self.last_day = row.on
        if row.change is not None:
            self.change = (self.change or 0.0) + row.change
        if row.opponent is not None:
            self.opponents.append(row.opponent)
            self.scores.append(row.score)

    @property
    def by_400(self) -> float | None:
        """Performance by the algorithm of 400; None where nobody rated was met."""
        return float(performance_400(self.opponents, self.scores)) if self.opponents else None

    @property
    def by_fide(self) -> int | None:
        """Performance by FIDE's table; None where nobody rated was met."""
        return performance_fide(self.opponents, self.scores) if self.opponents else None


@dataclass(frozen=True, slots=True)
class Career:
    """What the player's page shows of one list."""

    total: Tally
    white: Tally
    black: Tally
    events: tuple[EventLine, ...]
    wide: RatingChart | None
    narrow: RatingChart | None


def fold_career(rows: Sequence[CareerRow], provisional_games: int) -> Career:
    """The career behind the ledger rows (oldest first); latest events come first."""
    total, white, black = Tally(), Tally(), Tally()
    events: dict[str, EventLine] = {}
    for row in rows:
        total.add(row.score)
        (white if row.is_white else black).add(row.score)
        event = events.setdefault(row.event_slug, EventLine(row.event, row.event_slug, row.on))
        event.add(row)
    latest = sorted(events.values(), key=lambda event: event.last_day, reverse=True)
    return Career(total, white, black, tuple(latest), *_charts(rows, provisional_games))


def _charts(rows: Sequence[CareerRow], provisional_games: int) -> tuple[RatingChart | None, RatingChart | None]:
    last_of = {row.event_slug: index for index, row in enumerate(rows)}
    samples = [
        Sample(row.after, row.on, row.event if last_of[row.event_slug] == index else "")
        for index, row in enumerate(rows)
        if row.after is not None
    ]
    if len(samples) < 2:
        return None, None
    before = rows[0].games + len(rows) - len(samples)
    return (
        rating_chart(samples, games_before=before, provisional_games=provisional_games),
        rating_chart(samples, games_before=before, provisional_games=provisional_games, width=358, height=240),
    )
