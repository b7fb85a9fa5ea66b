"""Whether a line-up keeps the rules of its event: in which order a team sits down, and who may play for it.

The teams of a club stand above each other: by division of the season, then by number. Who sits for a higher one goes
up. Ratings are those of the main list as they are now; who has none there counts as the rules say.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ratings.lists.selectors.lists import main_list_of, ratings_now
from tournaments.models import LineUpOrder, Seat, Team, TeamMatch, TeamPlayer, TeamRules, Tournament
from tournaments.pairing.line_up_rules import Finding, LineUpRule, Order, SquadPlayer, check_line_up
from tournaments.teams.services.line_ups import HOME, Places, on_the_list

_ORDERS = {LineUpOrder.FREE: Order.FREE, LineUpOrder.RATING: Order.RATING, LineUpOrder.FIXED: Order.LIST}


def rule_of(rules: TeamRules) -> LineUpRule:
    """The rules of the event as the pure check takes them."""
    return LineUpRule(
        boards=rules.boards,
        order=_ORDERS[LineUpOrder(rules.order)],
        tolerance=rules.tolerance,
        unrated=rules.unrated_as,
        minimum=rules.minimum_boards,
        most_games_up=rules.games_up or None,
    )


def findings_of(match: TeamMatch, team: Team, places: Places, rules: TeamRules) -> tuple[Finding, ...]:
    """What breaks a rule in a line-up of the team, by board; players go by their numbers. Six queries at most."""
    rows = {row.pk: row for row in on_the_list(team, match.played_on or match.round.planned_on)}
    numbers = [None if key is None or key not in rows else rows[key].entry.player.number for key in places]
    club = _teams_of_club(team, rules)
    rank = club.index(team.pk) + 1
    squad = _squad(list(rows.values()), match.round.stage.tournament, club, rank)
    elsewhere = frozenset(_seated_elsewhere(match, list(rows.values())))
    return check_line_up(rule_of(rules), numbers, squad, team=rank, elsewhere=elsewhere)


def _teams_of_club(team: Team, rules: TeamRules) -> list[int]:
    """The teams of its club in the season, the first one first: by division, then by number."""
    if team.club_id is None:
        return [team.pk]
    rows = Team.objects.filter(club=team.club_id)
    if rules.league_id and rules.season:
        rows = rows.filter(tournament__team_rules__league=rules.league_id, tournament__team_rules__season=rules.season)
    else:
        rows = rows.filter(tournament=team.tournament_id)
    return list(rows.order_by("tournament__team_rules__division", "number").values_list("pk", flat=True))


def _squad(
    rows: Sequence[TeamPlayer], tournament: Tournament, club: Sequence[int], rank: int
) -> dict[int, SquadPlayer]:
    people = [row.entry.player_id for row in rows]
    ratings, nominated, up = _ratings(tournament, people), _nominated(people, club), _games_up(people, club[: rank - 1])
    return {
        row.entry.player.number: SquadPlayer(
            number=row.entry.player.number,
            rating=ratings.get(row.entry.player_id),
            place=row.place,
            team=nominated.get(row.entry.player_id, rank),
            nominated=row.nominated or row.entry.player_id in nominated,
            reserve=row.reserve,
            games_up=up.get(row.entry.player_id, 0),
        )
        for row in rows
    }


def _ratings(tournament: Tournament, people: list[int]) -> dict[int, int]:
    rating_list = main_list_of(tournament.pool)
    if rating_list is None:
        return {}
    return {key: round(row.rating) for key, row in ratings_now(rating_list, people).items()}


def _nominated(people: Sequence[int], club: Sequence[int]) -> Mapping[int, int]:
    """The highest team of the club each is nominated for, counted from 1."""
    found: dict[int, int] = {}
    rows = TeamPlayer.objects.filter(team__in=club, entry__player__in=people, nominated=True)
    for player, team in rows.values_list("entry__player", "team"):
        place = club.index(team) + 1
        found[player] = min(place, found.get(player, place))
    return found


def _games_up(people: Sequence[int], higher: Sequence[int]) -> Mapping[int, int]:
    """How often each sat for a higher team of the club this season."""
    counts: dict[int, int] = defaultdict(int)
    if not higher:
        return counts
    seats = Seat.objects.filter(entry__player__in=people, pairing__match__isnull=False, superseded=False)
    for player, line, home, away in seats.values_list(
        "entry__player", "line", "pairing__match__home", "pairing__match__away"
    ):
        counts[player] += (home if line == HOME else away) in higher
    return counts


def _seated_elsewhere(match: TeamMatch, rows: Sequence[TeamPlayer]) -> list[int]:
    """Who sits in another match of the round already."""
    seats = Seat.objects.filter(round=match.round_id, entry__in=[row.entry_id for row in rows], superseded=False)
    return list(seats.exclude(pairing__match=match).values_list("entry__player__number", flat=True))
