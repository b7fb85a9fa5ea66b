"""Seeding an empty database: on any day of the story, and never over somebody's own club."""

import json
import re
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from clubrating.site.demo.services import club as demo
from clubrating.site.demo.services.club import EARLIEST_DAY, readable_password, seed_demo
from players.models import Club, Player
from players.refusals import Refused
from tests import factory
from tests.demo_site import Demo
from tournaments.models import Tournament

DAY = date(2026, 3, 12)

pytestmark = pytest.mark.django_db


# Of the round of tonight (yesterday's, if midnight passed since): games without a result; games after it; what of each
# list is not as a fresh replay gives it.
TONIGHT = """
import django, json; django.setup()
from datetime import timedelta
from clubrating.site.demo.services.club import club_today
from ratings.models import RatingList
from tournaments.models import Game, Round
from tournaments.rated_games.services.rebuilding import check_list
days = [club_today() - timedelta(days=1), club_today()]
row = Round.objects.get(planned_on__in=days, stage__tournament__name__startswith="Club Championship")
wrong = {each.slug: check_list(each) for each in RatingList.objects.all()}
open = Game.objects.filter(pairing__round=row, result="").count()
print(json.dumps([open, Game.objects.filter(played_on__gt=row.planned_on).count(), wrong]))
"""


@pytest.mark.slow
def test_a_club_made_today_has_a_round_to_be_entered_tonight(demo: Demo) -> None:
    """Of a day that stays: tests of the demo club."""
    lists = ("standard", "rapid", "world-class", "tables", "go")
    assert json.loads(demo.site.run("-c", TONIGHT)) == [3, 0, {slug: [] for slug in lists}]


def test_a_user_who_is_there_already_keeps_his_password(monkeypatch: pytest.MonkeyPatch) -> None:
    for part in ("_play_candidates", "_bring_members", "play_season", "publish_season", "correct_one", "open_entries"):
        monkeypatch.setattr(demo, part, lambda *_arguments: None)
    monkeypatch.setattr(demo, "_leave", lambda *_arguments: None)
    factory.make_administrator()
    assert [login.username for login in seed_demo(DAY).logins] == ["arbiter"]
    assert User.objects.get(username="admin").check_password("pass-for-tests")


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
