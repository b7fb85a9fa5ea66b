"""A small team event through the real services, and short ways to play its matches."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from players.models import Player
from ratings.models import PlayerRating, RatingList
from tests.factory import MONDAY, make_players
from tournaments.models import Game, Team, TeamMatch, TeamPlayer, Tournament
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result, seen_from_black
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts, team_facts
from tournaments.teams.services.events import NewTeamEvent, create_team_event
from tournaments.teams.services.line_ups import open_match
from tournaments.teams.services.rounds import make_fixtures
from tournaments.teams.services.teams import add_players, add_team, change_team

NAMES = ("Anchor", "Bridge", "Castle", "Delta", "Eagle", "Falcon")


def make_team_event(
    teams: int = 4, *, boards: int = 2, size: int | None = None, fixtures: bool = True, **rules: Any
) -> Tournament:
    """An all-play-all of teams with `size` players each (default: one more than boards), one round a week."""
    event = create_team_event(NewTeamEvent("Team League", starts_on=MONDAY, rules={"boards": boards, **rules}), by=None)
    size = boards + 1 if size is None else size
    people = make_players(teams * size)
    for index in range(teams):
        team = add_team(event.pk, NAMES[index], by=None)
        add_players(team.pk, people[index * size : (index + 1) * size], by=None)
    if fixtures:
        make_fixtures(event.pk, by=None, first_day=MONDAY)
    return event


def rate(players: Iterable[Player], ratings: Iterable[int | None], games: int = 200) -> None:
    """Put players into the main list with those ratings; None: the list does not know him."""
    rows = [
        PlayerRating(
            rating_list=RatingList.objects.get(primary=True), player=player, rating=rating, games=games, wins=0,
            draws=0, losses=0, peak=rating, reached_order=0, ranked=True,
        )
        for player, rating in zip(players, ratings, strict=False)
        if rating is not None
    ]  # fmt: skip
    PlayerRating.objects.bulk_create(rows)


def squad_of(side: Team) -> list[Player]:
    """The players on a team's list, in its order."""
    return [row.entry.player for row in TeamPlayer.objects.filter(team=side).select_related("entry__player")]


def match_between(event: Tournament, home: str, away: str) -> TeamMatch:
    """The first match of those two, whoever is at home."""
    names = {home, away}
    rows = TeamMatch.objects.filter(round__stage__tournament=event, home__name__in=names, away__name__in=names)
    return rows.select_related("home", "away", "round").order_by("round__number")[0]


def play(match: TeamMatch, results: Sequence[Result], *, on: date = MONDAY) -> None:
    """Open the match where it is not, and record results board by board as the home team sees them."""
    if not match.boards.exists():
        open_match(match.pk, by=None)
    for board, result in enumerate(results, start=1):
        game = Game.objects.select_related("pairing").get(pairing__match=match, pairing__match_board=board)
        home = game.pairing.seats.get(line=1).entry.player_id
        record_result(
            game=game.pk,
            result=result if game.white_id == home else seen_from_black(result),
            played_on=on,
            by=None,
        )


def facts_of(match: TeamMatch) -> tuple[TeamFacts, MatchFacts]:
    """The event's facts and the match's among them."""
    facts = team_facts(match.round.stage.tournament)
    return facts, next(one for one in facts.matches if one.row.pk == match.pk)


def team(event: Tournament, name: str) -> Team:
    return Team.objects.get(tournament=event, name=name)


def scores(facts: TeamFacts, values: Mapping[int, Any]) -> dict[str, Any]:
    """Values by team number as values by name."""
    return {facts.by_number()[number].name: value for number, value in values.items()}


def make_match_of(sides: Sequence[Sequence[Player]], *, boards: int = 2, **rules: Any) -> TeamMatch:
    """A match of those people as two teams, the first of each its captain; line-ups are not in."""
    rules = {"boards": boards, **rules}
    event = create_team_event(NewTeamEvent("Team League", starts_on=MONDAY, rules=rules), by=None)
    for name, people in zip(NAMES, sides, strict=False):
        side = add_team(event.pk, name, by=None)
        add_players(side.pk, people, by=None)
        change_team(side.pk, by=None, captain=people[0].pk)
    make_fixtures(event.pk, by=None, first_day=MONDAY)
    return TeamMatch.objects.select_related("home", "away", "round").get(round__stage__tournament=event)
