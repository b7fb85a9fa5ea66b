"""Whether a line-up keeps the rules of its event: in which order a team sits down, and who may play for it.

The teams of a club stand above each other: by division of the season, then by number. Who sits for a higher one goes
up; what counts are the season's matches before the day of this one. Ratings are those of the main list as it stood
before the day of the match; who has none there counts as the rules say.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q
from django.db.models.functions import Coalesce

from ratings.lists.selectors.lists import main_list_of
from ratings.lists.selectors.movements import ratings_before
from tournaments.models import LineUpOrder, Seat, Team, TeamMatch, TeamPlayer, TeamRules, Tournament
from tournaments.pairing.line_up_rules import (
    Elsewhere,
    Finding,
    LineUpRule,
    Order,
    SquadPlayer,
    check_line_up,
    default_order,
)
from tournaments.teams.selectors.facts import AWAY, HOME
from tournaments.teams.selectors.lists import Places, on_the_list

_PLAYED = Coalesce("pairing__match__played_on", "pairing__match__round__planned_on")
_ORDERS = {LineUpOrder.FREE: Order.FREE, LineUpOrder.RATING: Order.RATING, LineUpOrder.FIXED: Order.LIST}


@dataclass(frozen=True, slots=True)
class Eligible:
    """Whom a team may seat in a match: the rows of its list by key, and the same people as the pure check takes them,
    by their numbers. `rank`: which of its club's teams it is, from 1; `elsewhere`: who sits in another match of the
    round already, or on the same day in another division."""

    rule: LineUpRule
    rows: Mapping[int, TeamPlayer]
    squad: Mapping[int, SquadPlayer]
    rank: int
    elsewhere: Mapping[int, Elsewhere]

    def findings(self, numbers: Sequence[int | None], *, consent: bool = False) -> tuple[Finding, ...]:
        """What breaks a rule in a line-up of those numbers, by board. `consent`: that of the other captain."""
        return check_line_up(self.rule, numbers, self.squad, team=self.rank, elsewhere=self.elsewhere, consent=consent)


def rule_of(rules: TeamRules) -> LineUpRule:
    """The rules of the event as the pure check takes them."""
    return LineUpRule(
        boards=rules.boards,
        order=_ORDERS[LineUpOrder(rules.order)],
        tolerance=rules.tolerance,
        unrated=rules.unrated_as,
        swaps=rules.swaps,
        minimum=rules.minimum_boards,
        most_games_up=rules.games_up or None,
        substitute_margin=rules.substitute_margin,
    )


def findings_of(
    match: TeamMatch, team: Team, places: Places, rules: TeamRules, *, consent: bool = False
) -> tuple[Finding, ...]:
    """What breaks a rule in a line-up of the team, by board; players go by their numbers. Eleven queries at most."""
    found = eligible_for(match, team, rules)
    numbers = [None if key is None or key not in found.rows else found.rows[key].entry.player.number for key in places]
    return found.findings(numbers, consent=consent)


def eligible_for(match: TeamMatch, team: Team, rules: TeamRules) -> Eligible:
    """Whom the team may seat in the match. Eleven queries at most."""
    day = match.played_on or match.round.planned_on
    rows = on_the_list(team, day)
    club = _teams_of_club(team, rules)
    rank = club.index(team.pk) + 1
    squad = _squad(rows, match.round.stage.tournament, club, rank, day)
    return Eligible(rule_of(rules), {row.pk: row for row in rows}, squad, rank, _seated_elsewhere(match, rows, rules))


def order_of_list(match: TeamMatch, team: Team, rules: TeamRules) -> list[TeamPlayer]:
    """Who sits down, from board 1 down, where a captain says nothing. Five queries at most: ratings are read only
    where boards are in their order."""
    day, rule = match.played_on or match.round.planned_on, rule_of(rules)
    rows = {row.entry.player.number: row for row in on_the_list(team, day)}
    people = [row.entry.player_id for row in rows.values()]
    ratings = _ratings(match.round.stage.tournament, people, day) if rule.order is Order.RATING else {}
    squad = [
        SquadPlayer(number, ratings.get(row.entry.player_id), row.place, reserve=row.reserve)
        for number, row in rows.items()
    ]
    return [rows[player.number] for player in default_order(rule, squad)]


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
    rows: Sequence[TeamPlayer], tournament: Tournament, club: Sequence[int], rank: int, day: date | None
) -> dict[int, SquadPlayer]:
    people = [row.entry.player_id for row in rows]
    ratings, registered = _ratings(tournament, people, day), _registered(people, club)
    sat = _sat_for(people, club, day) if len(club) > 1 else {}
    squad = {}
    for row in rows:
        player = row.entry.player
        team, nominated = registered.get(player.pk, (rank, False))
        squad[player.number] = SquadPlayer(
            number=player.number,
            rating=ratings.get(player.pk),
            place=row.place,
            team=team,
            nominated=nominated,
            reserve=row.reserve,
            games_up=sum(place < team for place in sat.get(player.pk, ())),
        )
    return squad


def games_up_of(team: Team, rules: TeamRules) -> dict[int, int]:
    """How many games each on the team’s list (by key of the player) sat for teams of the club above his own this
    season, over all divisions; only those with some, and nobody where there is no such rule. Four queries."""
    club = _teams_of_club(team, rules) if rules.games_up else []
    if len(club) < 2:
        return {}
    people = list(TeamPlayer.objects.filter(team=team).values_list("entry__player", flat=True))
    own, sat = _registered(people, club), _sat_for(people, club, None)
    rank = (club.index(team.pk) + 1, False)
    games = {key: sum(place < own.get(key, rank)[0] for place in sat.get(key, ())) for key in people}
    return {key: count for key, count in games.items() if count}


def _ratings(tournament: Tournament, people: list[int], day: date | None) -> dict[int, int]:
    rating_list = main_list_of(tournament.pool)
    if rating_list is None:
        return {}
    return {key: round(rating) for key, rating in ratings_before(rating_list, people, day).items()}


def _registered(people: Sequence[int], club: Sequence[int]) -> dict[int, tuple[int, bool]]:
    """The team of the club, from 1, to which each belongs, and whether he is nominated: the highest that nominated him,
    else the highest that has him as no reserve. Who is a reserve everywhere is left out."""
    found: dict[int, tuple[int, bool]] = {}
    rows = TeamPlayer.objects.filter(team__in=club, entry__player__in=people).exclude(nominated=False, reserve=True)
    for player, team, nominated in rows.values_list("entry__player", "team", "nominated"):
        place = club.index(team) + 1
        was = found.get(player)
        if was is None or (not nominated, place) < (not was[1], was[0]):
            found[player] = place, nominated
    return found


def _sat_for(people: Sequence[int], club: Sequence[int], day: date | None) -> Mapping[int, list[int]]:
    """For which teams of the club each sat before that day of the season (where no day is known, at all), board by
    board."""
    found: dict[int, list[int]] = defaultdict(list)
    of_club = Q(pairing__match__home__in=club, line=HOME) | Q(pairing__match__away__in=club, line=AWAY)
    seats = Seat.objects.filter(of_club, entry__player__in=people, superseded=False)
    if day is not None:
        seats = seats.annotate(day=_PLAYED).filter(Q(day=None) | Q(day__lt=day))
    columns = ("entry__player", "line", "pairing__match__home", "pairing__match__away")
    for player, line, home, away in seats.values_list(*columns):
        found[player].append(club.index(home if line == HOME else away) + 1)
    return found


def _seated_elsewhere(match: TeamMatch, rows: Sequence[TeamPlayer], rules: TeamRules) -> dict[int, Elsewhere]:
    """Who sits in another match already, by number: of the round, or on its day in another division of the season. Two
    rounds of one event may be on one day."""
    people, day = [row.entry.player_id for row in rows], match.played_on or match.round.planned_on
    clash = Q(round=match.round_id)
    if rules.league_id and rules.season and day is not None:
        divisions = Tournament.objects.filter(team_rules__league=rules.league_id, team_rules__season=rules.season)
        clash |= Q(day=day, pairing__stage__tournament__in=divisions.exclude(pk=rules.tournament_id).values("pk"))
    seats = Seat.objects.annotate(day=_PLAYED).filter(clash, entry__player__in=people, superseded=False)
    seats = seats.exclude(pairing__match=match)
    found: dict[int, Elsewhere] = {}
    for seat in seats.select_related("pairing__match__home", "pairing__match__away", "entry__player"):
        there = seat.pairing.match
        if there is None:
            continue
        side = there.home if seat.line == HOME else there.away
        words = f"{there.home} – {there.away}"
        in_round = seat.round_id == match.round_id
        if in_round or seat.entry.player.number not in found:
            found[seat.entry.player.number] = Elsewhere(str(side), words, in_round)
    return found
