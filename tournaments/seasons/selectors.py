"""The table of a season: the facts of its events, read in a fixed number of queries, and the pure rules applied.

An event counts from its first result on, with the places as they are; one that ends in groups side by side has no
common order and counts not at all (`SeasonEvent.counts`). Merged records are one person, and whoever is not shown by
name stands here as everywhere.
"""

from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Count, F, QuerySet

from players.models import Player
from players.privacy.rules import each_of
from tournaments.events.selectors.events import public_facts
from tournaments.models import Season, Stage, Tournament
from tournaments.prizes.selectors import final_places
from tournaments.standings.seasons import Finish, Line, Rules, Score, Scoring, Tie, read_table, season_table


@dataclass(frozen=True, slots=True)
class SeasonEvent:
    """An event of a season; `counts`: it has places. `players` have one."""

    tournament: Tournament
    counts: bool
    players: int


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """One person: a score for each event in their order, None where he was not."""

    place: int
    player: Player
    scores: tuple[Score | None, ...]
    line: Line


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """The events in order, and everybody, best first. `drops`: some result was struck."""

    season: Season
    events: tuple[SeasonEvent, ...]
    rows: tuple[SeasonRow, ...]

    @property
    def drops(self) -> bool:
        return any(not score.counts for row in self.rows for score in row.line.scores.values())


def list_seasons() -> QuerySet[Season]:
    """All seasons, the latest first, those without a day last, each with its `event_count`."""
    seasons = Season.objects.annotate(event_count=Count("events"))
    # Django drops a model's own order where rows are counted.
    return seasons.order_by(F("first_day").desc(nulls_last=True), "-pk")


def table_of(season: Season) -> SeasonTable:
    """The season as it is now. Six queries, however many events and players."""
    events = list(season.events.order_by("starts_on", "pk"))
    stages: dict[int, list[Stage]] = {event.pk: [] for event in events}
    for stage in Stage.objects.filter(tournament__in=events).select_related("tournament").order_by("order"):
        stages[stage.tournament_id].append(stage)
    places = {key: final_places(facts) for key, facts in public_facts(stages).items()}
    people = {each.pk: each for found in places.values() for row in found or () for each in each_of(row.entrant.player)}
    finishes = {
        key: {
            each.pk: Finish(row.first, row.last, row.points or Fraction(0))
            for row in found or ()
            for each in each_of(row.entrant.player)
        }
        for key, found in places.items()
    }
    rules = Rules(Scoring(season.scoring), read_table(season.place_points), season.best, Tie(season.tie))
    # Those who share a place stand by their numbers: the alphabet would tell something of hidden names.
    lines = sorted(season_table(finishes, rules), key=lambda line: (line.place, people[line.person].number))
    rows = tuple(
        SeasonRow(line.place, people[line.person], tuple(line.scores.get(event.pk) for event in events), line)
        for line in lines
    )
    known = tuple(SeasonEvent(event, places[event.pk] is not None, len(places[event.pk] or ())) for event in events)
    return SeasonTable(season, known, rows)
