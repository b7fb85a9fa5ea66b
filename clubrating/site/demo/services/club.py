"""The demo club: fills an empty database with a club and its history, through the same services a real club uses.

The same day gives the same club, down to the last digit of every rating; only passwords and pass-phrase are random.
Lists are published as of the end of every month of the season, and one result is corrected afterwards, so that the
pages have a difference to explain. Two events have prizes, and all events of the club count for the season's table.
"""

import secrets
import zoneinfo
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.site.demo import candidates, season
from clubrating.site.demo.people import INACTIVE, MEMBERS, READINGS, Member
from clubrating.site.demo.services.events import play_season
from clubrating.site.demo.services.go_league import play_go
from clubrating.site.demo.services.open_entries import open_entries
from clubrating.site.demo.services.pairs_cup import play_pairs
from clubrating.site.demo.services.table_nights import play_tables
from clubrating.site.demo.services.team_league import captain_link, league_diary
from players.club.services import found_club, update_club
from players.models import AuditEvent, Club, Player
from players.officers.roles import ADMINISTRATOR, ARBITER, group_of
from players.people.services import NewPlayer, create_players
from players.refusals import Refused
from ratings.lists.services import NewStart, create_list, usual_names
from ratings.models import RatingList, StartingRating
from tournaments.entries.services.entries import enter_players, number_in_order
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.interchange.players_csv import PlayerRow
from tournaments.loading.services.starting_ratings import import_players
from tournaments.models import Game, Tournament
from tournaments.prizes.services import Fund, NewPrize, set_prizes
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.people import bring_starting_ratings, change_player
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.services.rounds import pair_all_rounds, plan_round
from tournaments.seasons.services import save_season
from tournaments.standings.points import Result

# --- published lists -------------------------------------------------------------------------------------------------
PUBLISHED = ("standard", "rapid")
CORRECTED_AFTER = timedelta(weeks=10)  # before today; the game that turns out to have been entered wrongly


def month_ends(first: date, today: date) -> Iterator[date]:
    """The last days of the months from the first day's to the one before today's."""
    day = first.replace(day=1)
    while (following := (day + timedelta(days=32)).replace(day=1)) <= today.replace(day=1):
        yield following - timedelta(days=1)
        day = following


def publish_season(first: date, today: date, by: User) -> None:
    """Publish the club's lists as of the month ends, oldest first."""
    for rating_list in RatingList.objects.filter(slug__in=PUBLISHED):
        for on in month_ends(first, today):
            publish_list(rating_list, on, by=by)


def correct_one(today: date, by: User) -> None:
    """One result of ten weeks ago was entered the wrong way round."""
    games = Game.objects.filter(played_on__lte=today - CORRECTED_AFTER, pool="standard", result=Result.WHITE_WINS)
    game = games.order_by("-played_on", "-sequence").first()
    if game is not None:
        correct_result(game=game.pk, result=Result.BLACK_WINS, by=by, reason=AuditEvent.Reason.WRONG_COLOURS)


# --- prizes and the season -------------------------------------------------------------------------------------------
_FUND = Fund("€", "full", 100, one_each=True)
_PRIZES = (
    NewPrize("place", None, 1, 12_000),
    NewPrize("place", None, 2, 8_000),
    NewPrize("place", None, 3, 5_000),
    NewPrize("junior", 18, 1, 3_000),
    NewPrize("senior", 60, 1, 3_000),
    NewPrize("below", 1600, 1, 0, "a book"),
)
_WITH_PRIZES = ("club-cup", "friday-swiss")
_MASTERS = "masters"  # their event is not the club's


def announce(today: date, by: User) -> None:
    """Prizes, and a Grand Prix over all events of the club but those of teams."""
    events = list(Tournament.objects.filter(open_ended=False, team_rules=None).exclude(pool=_MASTERS).order_by("pk"))
    for event in events:
        if event.slug.startswith(_WITH_PRIZES):
            set_prizes(event, _FUND, _PRIZES, by=by)
    facts = {"name": _("Grand Prix %(year)s") % {"year": today.year}, "best": 3}
    save_season(None, facts, [event.pk for event in events], by=by)


# --- the club --------------------------------------------------------------------------------------------------------
CLUB_NAME = "Lindenhof Chess & Games Club"
TIME_ZONE = "Europe/Berlin"
# The Candidates of April 2024 must lie well behind the club's season.
EARLIEST_DAY = date(2025, 7, 1)
MASTERS_GAMES = 1000
_RAPID_SHARE = 3  # of three games in the old spreadsheet one was rapid


@dataclass(frozen=True, slots=True)
class Login:
    """A user made for the demo. The password is kept nowhere else."""

    username: str
    password: str


@dataclass(frozen=True, slots=True)
class DemoReport:
    """What is there now; `logins` (the users just made), the members' `pass_phrase` and the address by which a
    captain acts are empty where the demo club was there before."""

    created: bool
    players: int
    games: int
    tournaments: int
    logins: tuple[Login, ...] = ()
    pass_phrase: str = ""
    captain_link: str = ""


def club_today() -> date:
    """Today where the demo club is."""
    return timezone.localdate(timezone=zoneinfo.ZoneInfo(TIME_ZONE))


def is_empty() -> bool:
    """Whether there is neither a club nor anybody in it."""
    return not Club.objects.exists() and not Player.objects.exists()


def seed_demo(today: date) -> DemoReport:
    """Fill an empty database with the demo club as it stands on `today`; where it is there already, change nothing.

    Raises Refused where another club lives in the database, and for a day in the future or before the season.
    """
    if Club.objects.filter(name=CLUB_NAME).exists():
        return _report(created=False)
    if not is_empty():
        raise Refused(_("This database is in use already: the demo club needs an empty one."))
    if not EARLIEST_DAY <= today <= club_today():
        days = {"day": today, "first": EARLIEST_DAY, "last": club_today()}
        raise Refused(_("The demo club cannot stand on %(day)s: choose a day from %(first)s to %(last)s.") % days)
    with timezone.override(zoneinfo.ZoneInfo(TIME_ZONE)), transaction.atomic():
        logins = _make_users()
        administrator, arbiter = (User.objects.get(username=name) for name in ("admin", "arbiter"))
        found_club(name=CLUB_NAME, time_zone=TIME_ZONE, by=administrator)
        pass_phrase = readable_password()
        update_club({"pass_phrase": pass_phrase}, by=administrator)
        _play_candidates(administrator)
        _bring_members(today, administrator)
        play_season(today, arbiter, league_diary(today, arbiter))
        play_tables(today, arbiter)
        play_pairs(today, arbiter)
        play_go(today, arbiter)
        publish_season(season.first_day(today), today, administrator)
        correct_one(today, arbiter)
        announce(today, arbiter)
        open_entries(today, arbiter)
        _leave(INACTIVE, administrator)
        link = captain_link(arbiter)
    return _report(created=True, logins=logins, pass_phrase=pass_phrase, captain_link=link)


def _report(
    *, created: bool, logins: tuple[Login, ...] = (), pass_phrase: str = "", captain_link: str = ""
) -> DemoReport:
    games = Game.objects.exclude(result=Result.OPEN).count()
    counts = Player.objects.count(), games, Tournament.objects.count()
    return DemoReport(created, *counts, logins, pass_phrase, captain_link)


def _make_users() -> tuple[Login, ...]:
    """The arbiter and the administrator; a user of that name who is here already keeps his password."""
    logins = []
    for username, role in (("arbiter", ARBITER), ("admin", ADMINISTRATOR)):
        if User.objects.filter(username=username).exists():
            continue
        password, may_all = readable_password(), role == ADMINISTRATOR
        user = User.objects.create_user(username, password=password, is_staff=True, is_superuser=may_all)
        user.groups.add(group_of(role))
        logins.append(Login(username, password))
    return tuple(logins)


def readable_password() -> str:
    """A random password that can be read out: three made-up words and four digits, about 50 bits."""
    words = (
        "".join(secrets.choice("bdfghjklmnprstvz") + secrets.choice("aeiou") for _syllable in range(2))
        for _word in range(3)
    )
    return "-".join([*words, f"{secrets.randbelow(10_000):04}"])


def _bring_members(today: date, by: User) -> None:
    """The members, and what the club's old spreadsheet says of them."""
    create_players([_new_player(member, today) for member in MEMBERS], by=by)
    standard = create_list(
        name="Standard",
        names=usual_names("Standard"),
        slug="standard",
        pool="standard",
        by=by,
        primary=True,
        order=1,
    )
    rapid = create_list(name="Rapid", names=usual_names("Rapid"), slug="rapid", pool="rapid", by=by, order=2)
    spreadsheet = [member for member in MEMBERS if member.rating is not None]
    on = season.first_day(today)
    import_players([PlayerRow(0, m.name, m.rating, m.games) for m in spreadsheet], rating_list=standard, on=on, by=by)
    rapid_rows = [PlayerRow(0, m.name, m.rating, m.games // _RAPID_SHARE) for m in spreadsheet]
    import_players(rapid_rows, rating_list=rapid, on=on, by=by)


def _new_player(member: Member, today: date) -> NewPlayer:
    weeks = season.WEEKS + 2 * member.games if member.rating is not None else member.since
    joined = today - timedelta(weeks=weeks)
    told = (member.sex, member.title, member.visibility)
    reading = READINGS.get(member.name, "")
    return NewPlayer(member.name, today.year - member.age, *told, joined_on=joined, reading=reading)


def _leave(name: str, by: User) -> None:
    """A member who stopped coming."""
    change_player(Player.objects.get(name=name).pk, {"active": False}, by=by)


def _play_candidates(by: User) -> None:
    """The Candidates 2024 in a pool and list of their own, so that masters and members do not mix."""
    masters = create_players([NewPlayer(name, sex="m", title="GM") for name, _elo in candidates.FIELD], by=by)
    world_class = create_list(
        name="World class", names=usual_names("World class"), slug="world-class", pool=_MASTERS, by=by, order=3
    )
    source = StartingRating.Source.FEDERATION
    starts = [
        NewStart(player.pk, candidates.RATINGS_ON, float(elo), games=MASTERS_GAMES, source=source)
        for player, (_name, elo) in zip(masters, candidates.FIELD, strict=True)
    ]
    bring_starting_ratings(world_class, starts, by=by)
    days = [day for day, _results in candidates.ROUNDS]
    new = NewTournament(
        candidates.NAME,
        settings=dict(candidates.SETTINGS),
        place=candidates.PLACE,
        starts_on=days[0],
        ends_on=days[-1],
        pool=world_class.pool,
    )
    tournament = create_tournament(new, by=by)
    entries = enter_players(tournament, masters, by=by, on=days[0])
    stage = tournament.stages.get()
    number_in_order(stage, entries, by=by)
    rounds = pair_all_rounds(stage, by=by)
    for row, (day, results) in zip(rounds, candidates.ROUNDS, strict=True):
        plan_round(row.pk, day, by=by)
        games = Game.objects.filter(pairing__round=row).order_by("pairing__board").values_list("pk", flat=True)
        for game, result in zip(list(games), results, strict=True):
            record_result(game=game, result=result, played_on=day, by=by)
