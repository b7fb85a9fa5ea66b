"""Leagues over the seasons: the divisions of each season, from the first one down."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date

from tournaments.models import League, TeamRules, Tournament
from tournaments.teams.selectors.facts import TeamFacts, all_team_facts


@dataclass(frozen=True, slots=True)
class Season:
    """A season of a league with its divisions in order; `first_on`: when its first event begins, where that
    is known."""

    name: str
    divisions: tuple[TeamRules, ...]
    first_on: date | None

    @property
    def events(self) -> tuple[Tournament, ...]:
        return tuple(row.tournament for row in self.divisions)


def seasons_of_league(league: League) -> list[Season]:
    """The latest one first, one without a day before all. One query."""
    rows = TeamRules.objects.filter(league=league).select_related("tournament").order_by("division", "tournament__name")
    grouped: dict[str, list[TeamRules]] = defaultdict(list)
    for row in rows:
        grouped[row.season].append(row)
    found = [
        Season(name, tuple(own), min((day for row in own if (day := row.tournament.starts_on)), default=None))
        for name, own in grouped.items()
    ]
    return sorted(found, key=lambda season: (season.first_on or date.max, season.name), reverse=True)


def divisions_of(season: Season) -> list[TeamFacts]:
    """The facts of the season's divisions, without drafts. Nine queries."""
    found = all_team_facts([event.pk for event in season.events])
    return [found[event.pk] for event in season.events]
