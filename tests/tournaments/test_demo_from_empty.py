"""Seeding an empty database: the same club every time, on any day, and never over somebody's own club."""

import hashlib
import re
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import transaction

from players.models import Club, Player
from players.services.refusals import Refused
from ratings.models import PlayerRating, RatingList
from tests import factory
from tournaments.models import Game, Round, Tournament
from tournaments.services.demo import EARLIEST_DAY, club_today, readable_password, seed_demo
from tournaments.services.rating import check_list

DAY = date(2026, 3, 12)

pytestmark = pytest.mark.django_db


def digest() -> str:
    """Every current rating to four decimals, and every result in order of replay."""
    ratings = PlayerRating.objects.order_by("rating_list__slug", "player__number").values_list(
        "rating_list__slug", "player__number", "rating", "games", "ranked"
    )
    games = Game.objects.exclude(result="").order_by("sequence").values_list("played_on", "white__number", "result")
    lines = [f"{slug} {number} {rating:.4f} {count} {ranked}" for slug, number, rating, count, ranked in ratings]
    return hashlib.sha256("\n".join([*lines, *map(str, games)]).encode()).hexdigest()


def seeded_digest(day: date) -> str:
    """The digest of a club seeded from empty; the database is empty again afterwards."""
    with transaction.atomic():
        seed_demo(day)
        seen = digest()
        transaction.set_rollback(True)
    assert not Club.objects.exists()
    return seen


def test_the_same_day_gives_the_same_club_and_the_command_tells_the_passwords_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first = seeded_digest(DAY)
    call_command("seed_demo", "--if-empty", "--on", DAY.isoformat())
    assert digest() == first
    shown = capsys.readouterr().out
    for username in ("arbiter", "admin"):
        told = re.search(rf"^  {username} +(\S+)$", shown, re.MULTILINE)
        assert told is not None
        assert User.objects.get(username=username).check_password(told[1])


@pytest.mark.parametrize("days_back", [1, 75])
def test_whatever_the_day_a_round_is_to_be_entered_tonight(days_back: int) -> None:
    """And a user who is there already keeps his password."""
    today, admin = club_today() - timedelta(days=days_back), factory.make_administrator()
    assert [login.username for login in seed_demo(today).logins] == ["arbiter"]
    admin.refresh_from_db()
    assert admin.check_password("pass-for-tests")
    tonight = Round.objects.get(planned_on=today, stage__tournament__name__startswith="Club Championship")
    assert Game.objects.filter(pairing__round=tonight, result="").count() == 3
    assert not Game.objects.filter(played_on__gt=today).exists()
    assert [check_list(rating_list) for rating_list in RatingList.objects.all()] == [[], [], []]


def test_a_club_of_ones_own_is_never_touched() -> None:
    factory.make_club("Our Club")
    with pytest.raises(Refused, match="in use already"):
        seed_demo(DAY)
    with pytest.raises(CommandError) as caught:
        call_command("seed_demo")
    assert caught.value.returncode == 2
    call_command("seed_demo", "--if-empty")
    assert (Club.objects.get().name, Player.objects.count()) == ("Our Club", 0)


@pytest.mark.parametrize("day", [EARLIEST_DAY - timedelta(days=1), date(2199, 1, 1)])
def test_a_day_outside_the_story_is_refused(day: date) -> None:
    with pytest.raises(Refused, match="The demo club cannot stand on"):
        seed_demo(day)
    assert not Tournament.objects.exists()


def test_passwords_can_be_read_out_and_are_never_the_same() -> None:
    passwords = {readable_password() for _ in range(50)}
    assert len(passwords) == 50
    assert all(re.fullmatch(r"([a-z]{4}-){3}[0-9]{4}", password) for password in passwords)
