"""The teams of a report written above its games: rules, teams with their lists, matches, points beside them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from players.people.names import clean_name
from tournaments.interchange.trf.team_records import TeamOfReport
from tournaments.models import Entry, Pairing, Round, Team, TeamMatch, TeamPenalty, TeamPlayer, Tournament
from tournaments.reports.services.team_plan import PlannedMatch, TeamPlan
from tournaments.teams.services.events import make_rules

# What the teams' own tables hold: written from them, not kept as lines.
USED_TAGS = frozenset({"162", "XXS", "013", "300", "310", "320", "330", "340", "299", "352", "362", "801", "802"})
_NAME, _SHORT_NAME = 100, 12
_BATCH = 500


def used_tags(plan: TeamPlan) -> frozenset[str]:
    """The records that need not be kept. A report's asked byes (240) of rounds to come stay, and so do colours of
    boards that do not alternate."""
    colours = plan.records.colours
    alternate = all(one != other for one, other in pairwise(colours)) and colours[:1] == "W"
    used = USED_TAGS | ({plan.tiebreak_tag} if plan.tiebreak_tag else set())
    if not any(bye.round > plan.event.rounds for bye in plan.records.byes):
        used |= {"240"}
    return frozenset(used if alternate or not colours else used - {"352"})


def write_teams(
    plan: TeamPlan,
    tournament: Tournament,
    rounds: Sequence[Round],
    pairings: Sequence[Pairing],
    entries: Mapping[int, Entry],
    *,
    by: User | None,
) -> None:
    """Rules, teams and lists; matches to which the `pairings`, written in the plan's order, are tied. For a caller that
    writes the event in one transaction."""
    make_rules(tournament, plan.rules, by=by)
    teams = _teams(plan, tournament, entries)
    rows = [
        (planned, _match(row, planned, teams)) for row, own in zip(rounds, plan.rounds, strict=True) for planned in own
    ]
    TeamMatch.objects.bulk_create(match for _planned, match in rows)
    boards = [(match, number) for planned, match in rows for number, _board in planned.boards]
    for pairing, (match, number) in zip(pairings, boards, strict=True):
        pairing.match, pairing.match_board = match, number
    Pairing.objects.bulk_update(pairings, ["match", "match_board"], batch_size=_BATCH)
    TeamPenalty.objects.bulk_create(
        TeamPenalty(
            team=teams[extra.team],
            from_round=max(extra.round, 1),
            match_points=extra.match_points,
            game_points=extra.game_points,
            reason=_("As the tournament report says."),
            decided_on=timezone.localdate(),
            by=by,
        )
        for extra in plan.extra
        if extra.match_points or extra.game_points
    )


def _teams(plan: TeamPlan, tournament: Tournament, entries: Mapping[int, Entry]) -> dict[int, Team]:
    names = dict(_names(plan.records.teams))
    teams = Team.objects.bulk_create(
        Team(
            tournament=tournament,
            number=row.number,
            name=names[row.number],
            short_name=clean_name(row.nickname)[:_SHORT_NAME],
        )
        for row in plan.records.teams
    )
    found = {team.number: team for team in teams}
    TeamPlayer.objects.bulk_create(
        TeamPlayer(team=found[row.number], entry=entries[player], place=place)
        for row in plan.records.teams
        for place, player in enumerate(row.players, start=1)
    )
    return found


def _names(teams: Sequence[TeamOfReport]) -> Iterator[tuple[int, str]]:
    """A name for each: its own, with its number where another team has it too, or where it has none."""
    taken: set[str] = set()
    for row in teams:
        name = clean_name(row.name)[: _NAME - 4] or _("Team")
        if name in taken or not row.name.strip():
            name = f"{name} {row.number}"
        taken.add(name)
        yield row.number, name


def _match(row: Round, planned: PlannedMatch, teams: Mapping[int, Team]) -> TeamMatch:
    ruled, awarded = planned.ruled or (None, None), planned.awarded or (None, None)
    return TeamMatch(
        round=row,
        number=planned.number,
        home=teams[planned.home],
        away=teams[planned.away] if planned.away else None,
        bye=planned.bye or "",
        first_white=planned.first_white,
        played_on=row.planned_on,
        absent=planned.absent,
        ruled_home=ruled[0],
        ruled_away=ruled[1],
        ruled_home_games=awarded[0],
        ruled_away_games=awarded[1],
        ruling=_("As the tournament report says.") if planned.ruled else "",
    )
