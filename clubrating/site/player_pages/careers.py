"""A player's career, folded from the ledger: record, streaks, best win and events of one list, and the chart of all.

Nothing here knows who the opponents are: a row carries a key, and the page shows the name its viewer may see.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from clubrating.ground.charts import MOST_POINTS, RatingChart, Sample, Series, rating_chart
from ratings.lists.selectors.history import CareerRow
from ratings.models import RatingList
from ratings.systems.base import Tally
from ratings.systems.performance import performance_400, performance_fide
from ratings.systems.probation import Probation, Record


@dataclass(slots=True)
class EventLine:
    """One event of a career: score, what it did to the rating, and who was met there (rated opponents only, with the
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
class Streak:
    """Games in a row: how many at the end of the career, and how many at best."""

    now: int = 0
    longest: int = 0


@dataclass(frozen=True, slots=True)
class Career:
    """What the player's page shows of one list. `best_win`: over the strongest opponent, by the rating then."""

    total: Tally
    white: Tally
    black: Tally
    wins: Streak
    unbeaten: Streak
    best_win: CareerRow | None
    events: tuple[EventLine, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A line of the chart's table: where a game left the player in a list."""

    rating_list: RatingList
    sample: Sample


@dataclass(frozen=True, slots=True)
class CareerChart:
    """The chart in both drawings, and the same as lines of a table, latest first. `every_game`: each is a point and a
    line; else the ends of events are."""

    wide: RatingChart
    narrow: RatingChart
    marks: tuple[Mark, ...]
    every_game: bool


def fold_career(rows: Sequence[CareerRow]) -> Career:
    """The career behind one list's ledger rows (oldest first); latest events come first."""
    total, white, black = Tally(), Tally(), Tally()
    events: dict[str, EventLine] = {}
    for row in rows:
        total.add(row.score)
        if row.is_white is not None:
            (white if row.is_white else black).add(row.score)
        event = events.setdefault(row.event_slug, EventLine(row.event, row.event_slug, row.on))
        event.add(row)
    latest = sorted(events.values(), key=lambda event: event.last_day, reverse=True)
    wins = streak(row.score == 1.0 for row in rows)
    unbeaten = streak(row.score > 0.0 for row in rows)
    return Career(total, white, black, wins, unbeaten, best_win(rows), tuple(latest))


def streak(kept: Iterable[bool]) -> Streak:
    """The streak of games in which something held: `kept` says so for each game, oldest first."""
    now = longest = 0
    for each in kept:
        now = now + 1 if each else 0
        longest = max(longest, now)
    return Streak(now, longest)


def best_win(rows: Iterable[CareerRow]) -> CareerRow | None:
    """The win over the opponent who then stood highest, of equal ones the first; None where nobody rated was beaten."""
    won = [row for row in rows if row.score == 1.0 and row.opponent is not None]
    return max(won, key=lambda row: row.opponent or 0.0, default=None)


def career_chart(
    lists: Sequence[RatingList],
    rows: Mapping[int, Sequence[CareerRow]],
    chosen: RatingList,
    since: date | None = None,
    deviations: Mapping[int, float | None] | None = None,
) -> CareerChart | None:
    """The chart of those lists (`rows`, and the present `deviations`, by their keys) from a day on; None where the
    chosen one has fewer than two rated games to draw. A list keeps its look by its place among `lists`, whichever is
    chosen."""
    samples = {
        each.pk: [
            sample
            for sample in samples_of(rows.get(each.pk, ()), each.probation, (deviations or {}).get(each.pk))
            if since is None or sample.on >= since
        ]
        for each in lists
    }
    if len(samples.get(chosen.pk, ())) < 2:
        return None
    found = [
        Series(each.shown_name, samples[each.pk], kind, chosen=each.pk == chosen.pk)
        for kind, each in enumerate(lists)
        if samples[each.pk]
    ]
    every_game = sum(map(len, samples.values())) <= MOST_POINTS
    marks = [Mark(each, sample) for each in lists for sample in samples[each.pk] if every_game or sample.ends]
    latest = sorted(marks, key=lambda mark: (mark.sample.on, mark.sample.game), reverse=True)[:MOST_POINTS]
    return CareerChart(rating_chart(found), rating_chart(found, width=358, height=240), tuple(latest), every_game)


def samples_of(rows: Sequence[CareerRow], probation: Probation, deviation: float | None = None) -> list[Sample]:
    """The rating after each game that has one; `deviation` is the one after the last. Games rated with their event all
    bring the number of games before it, so they are counted on from there."""
    last_of = {row.event_slug: index for index, row in enumerate(rows)}
    after = [*(row.deviation for row in rows[1:]), deviation]
    found: list[Sample] = []
    game = 0
    for index, row in enumerate(rows):
        game = max(game, row.games) + 1
        if row.after is not None:
            ends = last_of[row.event_slug] == index
            provisional = probation.holds(Record(game, max(row.reentry - 1, 0), after[index]))
            found.append(Sample(row.after, row.on, game, row.event, ends, provisional, row.game))
    return found
