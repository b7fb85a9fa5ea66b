"""The table of a season: the facts of its events, read in a fixed number of queries, and the pure rules applied.

An event counts from its first result on, with the places as they are; one that ends in groups side by side has no
common order and counts not at all (`SeasonEvent.counts`). Merged records are one person, and whoever is not shown by
name stands here as everywhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet

from players.models import Player
from tournaments.events.selectors.event_data import Entrant, EventData
from tournaments.events.selectors.events import board_rows, entrant, entries_of, fields_of, in_stage, rounds_from
from tournaments.events.selectors.stages import is_plan
from tournaments.models import Season, Stage, Tournament
from tournaments.prizes.selectors import FinalPlace, final_places
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

    @property
    def played(self) -> int:
        return len(self.line.scores)


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
    """All seasons, the latest first, each with its `event_count`."""
    return Season.objects.annotate(event_count=Count("events"))


def season_at(slug: str) -> Season | None:
    return Season.objects.filter(slug=slug).first()


def rules_of(season: Season) -> Rules:
    """What the season says, for the pure rules."""
    return Rules(Scoring(season.scoring), read_table(season.place_points), season.best, Tie(season.tie))


def table_of(season: Season) -> SeasonTable:
    """The season as it is now. Six queries, however many events and players."""
    events = list(season.events.order_by("starts_on", "pk"))
    places = {event.pk: places for event, places in zip(events, _places(events), strict=True)}
    people = {row.entrant.player.pk: row.entrant.player for found in places.values() for row in found or ()}
    finishes = {
        key: {row.entrant.player.pk: Finish(row.first, row.last, row.points) for row in found or ()}
        for key, found in places.items()
    }
    lines = season_table(finishes, rules_of(season))
    rows = tuple(
        SeasonRow(line.place, people[line.person], tuple(line.scores.get(event.pk) for event in events), line)
        for line in _by_number(lines, people)
    )
    known = tuple(SeasonEvent(event, places[event.pk] is not None, len(places[event.pk] or ())) for event in events)
    return SeasonTable(season, known, rows)


def _by_number(lines: Sequence[Line], people: dict[int, Player]) -> list[Line]:
    """Those who share a place by their numbers: the alphabet would tell something of hidden names."""
    return sorted(lines, key=lambda line: (line.place, people[line.person].number))


def _places(events: Sequence[Tournament]) -> list[list[FinalPlace] | None]:
    """The places of each event, with the facts of all read together."""
    keys = [event.pk for event in events]
    stages = _grouped(Stage.objects.filter(tournament__in=keys).order_by("tournament", "order"), "tournament_id")
    entries = _grouped(entries_of(keys), "tournament_id")
    boards = _grouped(board_rows(keys), "stage_id")
    fields = fields_of(stage for own in stages.values() for stage in own)
    found = []
    for event in events:
        people = tuple(entrant(entry, {}) for entry in entries.get(event.pk, []))
        played = [stage for stage in stages.get(event.pk, []) if not is_plan(stage)]
        found.append(final_places([_facts(event, stage, people, boards, fields) for stage in played]))
    return found


def _facts(
    event: Tournament, stage: Stage, people: tuple[Entrant, ...], boards: dict[int, list[Any]], fields: Any
) -> EventData:
    field = in_stage(stage, people, fields)
    stage.tournament = event
    rounds = tuple(row for row in rounds_from(boards.get(stage.pk, []), field) if not row.is_draft)
    return EventData(event, stage, field, rounds, len(rounds), None, everybody=people)


def _grouped(rows: Iterable[Any], by: str) -> dict[int, list[Any]]:
    groups: dict[int, list[Any]] = {}
    for row in rows:
        groups.setdefault(getattr(row, by), []).append(row)
    return groups
