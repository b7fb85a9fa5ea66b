"""A forecast of an all-play-all of teams as lines of a table. Teams only: no player is named."""

from collections.abc import Iterator

from tournaments.forecast.adviser import Estimate
from tournaments.forecasts.selectors.team_forecasts import LeagueForecast, is_league_over
from tournaments.models import Tournament
from tournaments.teams.selectors.facts import TeamFacts

WIDEST = 28  # characters of a name in the table


def team_event(slug: str) -> Tournament | None:
    """The team event at that address."""
    return Tournament.objects.filter(slug=slug, team_rules__isnull=False).first()


def no_league(facts: TeamFacts) -> str:
    """Why there is nothing to print, in English."""
    slug = facts.tournament.slug
    if facts.matches and is_league_over(facts):
        return f"Every match of “{slug}” is decided: there is nothing left to forecast."
    return f"“{slug}” is not forecast: of teams it must be an all-play-all with its matches made."


def league_lines(facts: TeamFacts, forecast: LeagueForecast) -> Iterator[str]:
    """A table in percent with standard errors, then the matches of the next round."""
    yield f"{facts.tournament.name}: sampled, {forecast.samples} samples; in percent, ± one standard error"
    yield ""
    head = [name for name, shown in (("up", facts.rules.promoted), ("down", facts.rules.relegated)) if shown]
    columns = "  ".join(f"{name:>11}" for name in ("title", *head, "match points"))
    yield f"{'':{WIDEST}}  {columns}"
    for line in forecast.teams:
        chances = [line.title, *(each for each in (line.up, line.down) if each is not None)]
        cells = [*(_percent(each) for each in chances), _figure(line.match_points, 2.0)]
        yield f"{line.team.name[:WIDEST]:{WIDEST}}  {'  '.join(f'{cell:>11}' for cell in cells)}"
    for each in forecast.matches:
        home, away = each.match.row.home, each.match.row.away
        chances_of = ", ".join(_percent(chance) for chance in (each.win, each.draw, each.loss))
        yield f"Round {each.match.round.number}, {home} – {away}: {chances_of}"


def _percent(found: Estimate) -> str:
    return f"{100 * found.value:.1f} ± {100 * found.error:.1f}"


def _figure(found: Estimate, unit: float) -> str:
    return f"{found.value / unit:.2f} ± {found.error / unit:.2f}"
