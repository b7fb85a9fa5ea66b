"""A player's career in one list, folded from the ledger: samples for the chart, the record, and the events."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from clubrating.charts import RatingChart, Sample, rating_chart
from ratings.selectors import CareerRow
from ratings.systems.base import Tally


@dataclass(slots=True)
class EventLine:
    """One event of a career: score and what it did to the rating."""

    name: str
    slug: str
    last_day: date
    tally: Tally = field(default_factory=Tally)
    change: float = 0.0


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
        event.tally.add(row.score)
        event.change += row.change
        event.last_day = row.on
    latest = sorted(events.values(), key=lambda event: event.last_day, reverse=True)
    return Career(total, white, black, tuple(latest), *_charts(rows, provisional_games))


def _charts(rows: Sequence[CareerRow], provisional_games: int) -> tuple[RatingChart | None, RatingChart | None]:
    if len(rows) < 2:
        return None, None
    last_of = {row.event_slug: index for index, row in enumerate(rows)}
    samples = [
        Sample(row.after, row.on, row.event if last_of[row.event_slug] == index else "")
        for index, row in enumerate(rows)
    ]
    before = rows[0].games
    return (
        rating_chart(samples, games_before=before, provisional_games=provisional_games),
        rating_chart(samples, games_before=before, provisional_games=provisional_games, width=358, height=240),
    )
