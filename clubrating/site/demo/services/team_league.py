"""The demo club's league: four teams of the club and two of guests' clubs, over last season and this one.

Last season is over and archived. This one runs: three rounds of five are due. A board was lost by default, a reserve
played for a higher team, one card is disputed, one match has another day and one none yet, points were taken from a
team, and of the next match one line-up is in.
"""

from dataclasses import dataclass
from datetime import date, time, timedelta
from functools import partial
from random import Random

from django.contrib.auth.models import User
from django.db.models import Q

from clubrating.site.demo import season
from clubrating.site.demo.people import GUESTS, HIDDEN, MEMBERS
from clubrating.site.demo.services.events import Diary
from players.models import Player
from players.people.services import NewPlayer, create_players
from ratings.lists.services import NewStart
from ratings.models import RatingList, StartingRating
from tournaments.captains.services import CAPTAIN, make_link
from tournaments.events.services.closing import close_event
from tournaments.models import Game, League, LeagueClub, Team, TeamMatch, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.result_reports.services import report_result
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result
from tournaments.teams.selectors.lists import on_the_list
from tournaments.teams.services.events import NewTeamEvent, create_club, create_league, create_team_event
from tournaments.teams.services.line_ups import hand_in, open_match
from tournaments.teams.services.matches import agree, penalise, plan_match
from tournaments.teams.services.rounds import make_fixtures
from tournaments.teams.services.teams import add_players, add_team, change_team

NAME = "City League"
BOARDS, SQUAD, ROUNDS = 4, 5, 5
EVENING, APART = time(19, 30), timedelta(weeks=2)
LAST_SEASON = timedelta(weeks=57)  # before today it began: more than a year before this one
OWN = ("Lindenhof 1", "Lindenhof 2", "Lindenhof 3", "Lindenhof 4")
PLAYED = 3  # rounds of this season; the third was the day before yesterday
# Of this season, by round and the match's place in it.
DEFAULTED, DISPUTED, MOVED, POSTPONED = (1, 2), (3, 1), (2, 3), (3, 3)
HELPED = 3  # in this round the first team wants a man, and the first reserve comes up


@dataclass(frozen=True, slots=True)
class _Season:
    """An event of the league: its first day, and how many rounds are played by today."""

    first: date
    played: int
    runs: bool


def league_diary(today: date, by: User) -> Diary:
    """What happens in the league and on which day, in order of time."""
    this = _Season(today - timedelta(days=2) - (PLAYED - 1) * APART, PLAYED, runs=True)
    last = _Season(today - LAST_SEASON, ROUNDS, runs=False)
    diary: Diary = [(last.first, partial(_found, last.first, by))]
    for each in (last, this):
        diary += _season_diary(each, today, by)
    return diary


def captain_link(by: User) -> str:
    """The address by which the captain of the club's first team acts."""
    first = Team.objects.filter(name=OWN[0], tournament__team_rules__league__name=NAME).order_by("pk").last()
    if first is None:
        return ""
    _link, secret = make_link(first.pk, by=by)
    return f"/captain/link/{secret}/"


def _season_diary(each: _Season, today: date, by: User) -> Diary:
    """The event is made on its first day, and a round played on each of its days."""
    name = f"{NAME} {season.season_of(each.first)}"
    diary: Diary = [(each.first, partial(_open, name, each, by))]
    for number in range(1, each.played + 1):
        diary.append((each.first + (number - 1) * APART, partial(_play_round, name, number, each, today, by)))
    if each.runs:
        return [*diary, (today - timedelta(days=1), partial(_after_the_last, name, today, by))]
    return [*diary, (each.first + ROUNDS * APART, partial(_close, name, by))]


# --- made -----------------------------------------------------------------------------------------------------------
def _found(day: date, by: User) -> None:
    """The league, the guests' clubs, and their players with the ratings their federation gave them."""
    create_league(NAME, by=by)
    for club, people in GUESTS.items():
        create_club(club, by=by, venue=f"{club}, club room")
        players = create_players([NewPlayer(one.name, day.year - one.age, one.sex) for one in people], by=by)
        source = StartingRating.Source.FEDERATION
        starts = [
            NewStart(player.pk, day, float(one.strength), games=100, source=source)
            for player, one in zip(players, people, strict=True)
        ]
        bring_starting_ratings(RatingList.objects.get(slug="standard"), starts, by=by)


def _open(name: str, each: _Season, by: User) -> None:
    """The event with its teams, their lists and all its rounds."""
    rules = {"league_id": League.objects.get(name=NAME).pk, "season": season.season_of(each.first), "boards": BOARDS}
    rules |= {"promoted": 1, "relegated": 1, "order": "fixed", "several_teams": True, "games_up": 3}
    last = each.first + (ROUNDS - 1) * APART
    new = NewTeamEvent(name, starts_on=each.first, ends_on=last, place="Lindenhof", rules={**rules, "line_up_hours": 2})
    event = create_team_event(new, by=by)
    squads = _squads()
    for team, names in squads.items():
        club = LeagueClub.objects.filter(name=team).first()
        made = add_team(event.pk, team, by=by, club=club, venue=club.venue if club else "Lindenhof")
        people = {player.name: player for player in Player.objects.filter(name__in=names)}
        add_players(made.pk, [people[name] for name in names], by=by)
        change_team(made.pk, by=by, captain=people[names[0]].pk)
    first = Team.objects.get(tournament=event, name=OWN[0])
    add_players(first.pk, [Player.objects.get(name=squads[OWN[1]][0])], by=by, reserve=True)
    make_fixtures(event.pk, by=by, first_day=each.first, days_between=APART.days, at=EVENING)


def _squads() -> dict[str, list[str]]:
    """Who plays for which team, the strongest first; the last of the club's is hidden from the public."""
    names = [member.name for member in MEMBERS[: len(OWN) * SQUAD - 1]] + [HIDDEN]
    own = {team: names[index * SQUAD :][:SQUAD] for index, team in enumerate(OWN)}
    return own | {club: [one.name for one in people] for club, people in GUESTS.items()}


def _close(name: str, by: User) -> None:
    close_event(Tournament.objects.get(name=name), by=by)


# --- played ---------------------------------------------------------------------------------------------------------
def _play_round(name: str, number: int, each: _Season, today: date, by: User) -> None:
    random = Random(f"{season.SEED} {name} {number}")
    rows = TeamMatch.objects.filter(round__stage__tournament__name=name, round__number=number)
    for match in rows.select_related("home", "away", "round").order_by("number"):
        where = (number, match.number)
        if each.runs and where in (MOVED, POSTPONED):
            plan_match(match.pk, today + timedelta(days=5) if where == MOVED else None, at=None, by=by)
        else:
            _play(match, random, by, defaulted=each.runs and where == DEFAULTED, helped=number == HELPED)
        if each.runs and where == DISPUTED:
            _dispute(match)


def _play(match: TeamMatch, random: Random, by: User, *, defaulted: bool, helped: bool) -> None:
    """Both line-ups, the boards and their results; both captains agree."""
    for team in (match.home, match.away):
        if team is not None:
            hand_in(
                match.pk, team.pk, _line_up(match, team, helped=helped, short=defaulted and team == match.away), by=by
            )
    open_match(match.pk, by=by)
    games = Game.objects.filter(pairing__match=match).select_related("white", "black").order_by("pairing__match_board")
    for game in list(games):
        result = season.draw_result(game.white.name, game.black.name, random)
        assert match.played_on is not None
        record_result(game=game.pk, result=result, played_on=match.played_on, by=by)
    for team in (match.home, match.away):
        if team is not None:
            agree(match.pk, team.pk, by=by)


def _line_up(match: TeamMatch, team: Team, *, helped: bool, short: bool) -> list[int | None]:
    """The list in its order. In the round of `helped` the second board of the first team is away, and the reserve comes
    up from the second; `short`: a team comes without a fourth player."""
    on_list = on_the_list(team, match.played_on or match.round.planned_on)
    rows = sorted(on_list, key=lambda row: (row.reserve, row.place))[: SQUAD + 1]
    if helped and team.name == OWN[0]:
        rows = [rows[0], *rows[2:4], rows[-1]]
    elif helped and team.name == OWN[1]:
        rows = rows[1:]
    places: list[int | None] = [row.pk for row in rows[:BOARDS]]
    return [*places[:-1], None] if short else places


def _dispute(match: TeamMatch) -> None:
    """One captain says that the last board ended otherwise; he has not agreed to the card."""
    game = Game.objects.filter(pairing__match=match).order_by("-pairing__match_board")[0]
    claimed = Result.DRAW if game.result != Result.DRAW else Result.WHITE_WINS
    words = "Both players say so: the result of another board was copied."
    guests = match.away_id or 0
    report_result(game.pk, claimed, role=CAPTAIN, words=words, team=guests)
    agree(match.pk, guests, by=None, role=CAPTAIN, agreed=False)


def _after_the_last(name: str, today: date, by: User) -> None:
    """Points off for a late card, and of the first team's next match the other side's line-up is in."""
    late = Team.objects.get(tournament__name=name, name=OWN[3])
    reason = "The match card of round 1 came a week late."
    penalise(late.pk, by=by, reason=reason, match_points=-2, from_round=1, decided_on=today - timedelta(days=1))
    first = Team.objects.get(tournament__name=name, name=OWN[0])
    rows = TeamMatch.objects.filter(Q(home=first) | Q(away=first), round__number=PLAYED + 1)
    match = rows.select_related("home", "away", "round").get()
    other = match.away if match.home == first else match.home
    assert other is not None
    hand_in(match.pk, other.pk, _line_up(match, other, helped=False, short=False), by=by)
