"""A fixed cast and the shortest way to the situations the tests need, always through the real services."""

from collections.abc import Sequence
from datetime import date
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db.models import Model
from django.utils import timezone

from clubrating.env import MailServer
from players.club.services import found_club
from players.models import AuditEvent, Club, Player
from players.officers.roles import ADMINISTRATOR, ARBITER, ASSISTANT, RATING_OFFICER, group_of
from players.people.services import NewPlayer, create_players
from ratings.lists.services import create_list
from ratings.models import RatingList
from tournaments.entries.services.entries import enter_players, number_in_order
from tournaments.events.services.events import NewTournament, create_tournament, open_event
from tournaments.knockouts.services.brackets import draw_bracket
from tournaments.models import Game, Pairing, Round, Seat, Stage, Tournament
from tournaments.results.services.results import record_result
from tournaments.rounds.services.rounds import pair_all_rounds
from tournaments.standings.points import Result, seen_from_black

CAST = ("Ada Alvarez", "Bo Brandt", "Cleo Costa", "Dag Dahl", "Eva Engel", "Finn Falk", "Gio Greco", "Hana Hora")
MONDAY = date(2026, 1, 5)
ZONE = "Europe/Berlin"
MAIL = MailServer("mail.test", 587, "", "", False)  # of a club that sends letters: `settings.MAIL = factory.MAIL`
# The queue as a site has it, `settings.TASKS = factory.QUEUE`; without it everything is done at once.
QUEUE = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["default"]}}


def today() -> date:
    """The test club's day, which begins before that of the machine."""
    return timezone.localdate(timezone=ZoneInfo(ZONE))


def make_club(name: str = "Test Club") -> Club:
    club = found_club(name=name, time_zone=ZONE)
    club.quiet_from = club.quiet_until = 0  # tests run at night too
    club.save(update_fields=["quiet_from", "quiet_until"])
    return club


def make_list(slug: str = "standard", *, pool: str = "standard", primary: bool = True) -> RatingList:
    return create_list(name=slug.title(), slug=slug, pool=pool, by=None, primary=primary)


def make_players(count: int = 4, **data: object) -> list[Player]:
    """The first `count` of the cast; further ones are numbered."""
    names = [CAST[index] if index < len(CAST) else f"Extra Player {index + 1}" for index in range(count)]
    return create_players([NewPlayer(name, **data) for name in names], by=None)  # type: ignore[arg-type]


def first_players(count: int) -> list[Player]:
    """Those of the lowest numbers, who are there already."""
    return list(Player.objects.order_by("number")[:count])


def make_round_robin(
    players: Sequence[Player], *, name: str = "Winter Cup", first_day: date = MONDAY, **settings: object
) -> Tournament:
    """A published round robin, numbers in the order of `players`, one round a week from `first_day`."""
    tournament = create_tournament(NewTournament(name, starts_on=first_day, settings=dict(settings)), by=None)
    entries = enter_players(tournament, players, by=None)
    stage = stage_of(tournament)
    number_in_order(stage, entries, by=None)
    pair_all_rounds(stage, by=None, first_day=first_day)
    return tournament


def make_ladder(people: Sequence[Player], reach: int = 2, name: str = "Ladder") -> Stage:
    """A ladder with everybody on it, the first on top."""
    stage = open_event(name, pool="standard", by=None)
    stage.pairing_system, stage.settings = "ladder", {"reach": reach}
    stage.save()
    entries = enter_players(stage.tournament, people, by=None)
    number_in_order(stage, entries, by=None)
    return stage


def make_knockout(
    players: Sequence[Player],
    *,
    name: str = "Autumn Cup",
    first_day: date = MONDAY,
    system: str = "knockout",
    **settings: object,
) -> Tournament:
    """A published knockout, or what `system` says; seeds in the order of `players`, a round a week from `first_day`."""
    new = NewTournament(name, pairing_system=system, starts_on=first_day, settings=dict(settings))
    tournament = create_tournament(new, by=None)
    entries = enter_players(tournament, players, by=None)
    stage = stage_of(tournament)
    number_in_order(stage, entries, by=None)
    draw_bracket(stage, by=None, seed=1, first_day=first_day)
    return tournament


def match_of(tournament: Tournament, number: int, board: int) -> Pairing:
    """The match on a board of a round."""
    return Pairing.objects.get(round__stage__tournament=tournament, round__number=number, board=board, superseded=False)


def play_match(match: Pairing, result: Result, *, on: date = MONDAY) -> Game:
    """Record the result of a match's open game, as the line above sees it (so 1-0 is a win of the line above)."""
    game = Game.objects.get(pairing=match, result="")
    above = Seat.objects.get(pairing=match, line=1).entry.player_id == game.white_id
    return record_result(game=game.pk, result=result if above else seen_from_black(result), played_on=on, by=None)


def stage_of(tournament: Tournament) -> Stage:
    return tournament.stages.get()


def round_of(tournament: Tournament, number: int) -> Round:
    return Round.objects.get(stage__tournament=tournament, number=number)


def play_round(tournament: Tournament, number: int, results: Sequence[Result]) -> list[Game]:
    """Record the results of a round's games in board order, on the planned day."""
    row = round_of(tournament, number)
    games = Game.objects.filter(pairing__round=row).order_by("pairing__board")
    return [
        record_result(game=game.pk, result=result, played_on=row.planned_on or MONDAY, by=None)
        for game, result in zip(games, results, strict=True)
    ]


def play_all(tournament: Tournament, result: Result = Result.DRAW) -> None:
    """The same result on every board of every round."""
    for row in Round.objects.filter(stage__tournament=tournament):
        play_round(tournament, row.number, [result] * Game.objects.filter(pairing__round=row).count())


def bye_of(row: Round) -> Pairing:
    return Seat.objects.get(round=row, colour="").pairing


def told(action: str, subject: Model, by: User | str = "system") -> AuditEvent:
    """The one line of the trail that says that of `subject`, by an officer or by that role without an account."""
    who: dict[str, object] = {"actor": by} if isinstance(by, User) else {"actor": None, "role": by}
    return AuditEvent.objects.get(action=action, subject_kind=subject._meta.model_name, subject_key=subject.pk, **who)


def make_officer(role: str, username: str) -> User:
    """Somebody in one of the roles below the administrator's."""
    user = User.objects.create_user(username, password="pass-for-tests", is_staff=True)
    user.groups.add(group_of(role))
    return user


def make_arbiter(username: str = "arbiter") -> User:
    return make_officer(ARBITER, username)


def make_assistant(username: str = "assistant") -> User:
    return make_officer(ASSISTANT, username)


def make_rating_officer(username: str = "rating-officer") -> User:
    return make_officer(RATING_OFFICER, username)


def make_administrator(username: str = "admin") -> User:
    user = User.objects.create_superuser(username, password="pass-for-tests")
    user.groups.add(group_of(ADMINISTRATOR))
    return user
