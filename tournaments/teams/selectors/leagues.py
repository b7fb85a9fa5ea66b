"""Leagues over the seasons: the divisions of each season, from the first one down."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tournaments.models import League, Team, TeamRules, Tournament
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


@dataclass(frozen=True, slots=True)
class Moves:
    """Between seasons, as "up", "down" or "": how a team came from the season before, and how it went into the next."""

    came: str = ""
    went: str = ""


def moves_of(league: League, seasons: Sequence[Season], shown: Season) -> dict[int, Moves]:
    """How the teams of a season moved between divisions, by key. A team of another season is one of the same name. One
    query."""
    levels: dict[str, dict[str, int]] = defaultdict(dict)
    named = Counter[tuple[str, str]]()
    rows = Team.objects.filter(tournament__team_rules__league=league)
    columns = ("pk", "name", "tournament__team_rules__season", "tournament__team_rules__division")
    found = list(rows.values_list(*columns))
    for _key, name, season, level in found:
        named[season, name.casefold()] += 1
        levels[season][name.casefold()] = level
    for season, name in [each for each, times in named.items() if times > 1]:
        del levels[season][name]  # which of them it was nobody knows
    at = list(seasons).index(shown)
    before, after = seasons[at + 1 :][:1], seasons[:at][-1:]
    return {
        key: Moves(
            _direction([levels[one.name].get(name.casefold()) for one in before], level),
            _direction([levels[one.name].get(name.casefold()) for one in after], level, forward=True),
        )
        for key, name, season, level in found
        if season == shown.name
    }


def _direction(others: Sequence[int | None], level: int, *, forward: bool = False) -> str:
    """From the other season's division to this one's; `forward`: the other way."""
    if not others or others[0] is None or others[0] == level:
        return ""
    return "up" if (others[0] > level) != forward else "down"
