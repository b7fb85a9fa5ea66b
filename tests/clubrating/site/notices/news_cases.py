"""A cup whose players read its news in letters, what happens in it, and what is sent at an hour of the club's clock."""

from collections.abc import Callable
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.utils import timezone
from django.utils.crypto import get_random_string
from pytest_django import Settings

from clubrating.site.notices.services import note_readers, send_notices
from players.models import AuditEvent, Club, LinkDevice, MailSubscription, Player
from players.notices.services.readers import COLUMNS
from ratings.models import RatingList
from tests import factory
from tests.players.links.link_cases import phone_of, switch_links_on
from tournaments.events.services.events import update_tournament
from tournaments.models import Game, Round, Tournament
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result

WIN, DRAW = Result.WHITE_WINS, Result.DRAW
IMMEDIATE = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend", "QUEUES": ["default"]}}
Do = Callable[[], object]


@pytest.fixture(scope="module")
def cup_made(world: None) -> Tournament:
    """For a file that says `cup_made, cup = news_cases.cup_made, news_cases.cup`."""
    club = factory.make_club()
    Club.objects.filter(pk=club.pk).update(quiet_from=22, quiet_until=7, letters_at=8)
    factory.make_list()
    switch_links_on()
    people = factory.make_players(6)
    factory.play_round(factory.make_round_robin(people, name="Autumn Cup"), 1, [DRAW] * 3)
    cup = factory.make_round_robin(people, first_day=factory.today())
    Round.objects.filter(stage__tournament=cup).update(planned_on=None)
    for player in Player.objects.all():
        phone_of(player)
    return update_tournament(cup.pk, {"player_results": "agreed"}, by=None)


@pytest.fixture(autouse=True)
def cup(cup_made: Tournament, club_time: None, settings: Settings) -> Tournament:
    settings.MAIL = factory.MAIL
    settings.TASKS = factory.QUEUE
    return Tournament.objects.get(pk=cup_made.pk)


def at(hour: int, days: int = 0) -> datetime:
    """That hour of the club's clock, today or so many days on."""
    day = factory.today() + timedelta(days=days)
    return datetime.combine(day, time(hour), ZoneInfo(factory.ZONE))


def reader(player: Player, kinds: str, *, proven: bool = True, daily: bool = False) -> MailSubscription:
    """An address that wants those kinds, confirmed."""
    now, wanted = timezone.now(), {each: each in kinds.split() for each in COLUMNS}
    device = LinkDevice.objects.get(link__player=player).digest if proven else ""
    return MailSubscription.objects.create(
        **wanted,
        player=player,
        address=f"{player.number}@example.org",
        key=get_random_string(43),
        site="http://testserver/",
        language="en",
        asked_at=now,
        confirmed_at=now,
        also="".join(f",{kind}," for kind in kinds.split() if kind not in wanted),
        device=device,
        daily=daily,
    )


def board() -> Game:
    return Game.objects.filter(tournament__name="Winter Cup", pairing__round__number=1).order_by("pairing__board")[0]


def paired() -> None:
    round_key = board().pairing.round_id
    AuditEvent.objects.create(action="round.published", subject_kind="round", subject_key=round_key)


def entered() -> None:
    record_result(game=board().pk, result=WIN, played_on=factory.today(), by=None)


def listed() -> None:
    publish_list(RatingList.objects.get(), factory.today(), by=None)


def happens(do: Do, now: datetime) -> None:
    """It happens, and who is to be told is noted at that moment."""
    last = AuditEvent.objects.order_by("pk").last()
    do()
    for event in AuditEvent.objects.filter(pk__gt=last.pk if last else 0).order_by("pk"):
        note_readers(event, now)


def told(now: datetime) -> list[str]:
    """The subjects of the letters that are sent at that moment."""
    mail.outbox.clear()
    send_notices(now)
    return [letter.subject for letter in mail.outbox]
