"""Seeding an empty database: on any day of the story, and never over somebody's own club."""

import re
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from clubrating.site.demo.services import club as demo
from clubrating.site.demo.services.club import EARLIEST_DAY, club_today, readable_password, seed_demo
from players.models import Club, Player
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tournaments.models import Game, Round, Tournament
from tournaments.rated_games.services.rebuilding import check_list

DAY = date(2026, 3, 12)

pytestmark = pytest.mark.django_db


@pytest.mark.slow
@pytest.mark.parametrize("days_back", [1, 75])
def test_whatever_the_day_a_round_is_to_be_entered_tonight(days_back: int) -> None:
    """Of one day: tests of the demo club."""
    today = club_today() - timedelta(days=days_back)
    seed_demo(today)
    tonight = Round.objects.get(planned_on=today, stage__tournament__name__startswith="Club Championship")
    assert Game.objects.filter(pairing__round=tonight, result="").count() == 3
    assert not Game.objects.filter(played_on__gt=today).exists()
    assert {rating_list.slug: check_list(rating_list) for rating_list in RatingList.objects.all()} == {
        slug: [] for slug in ("standard", "rapid", "world-class", "tables", "go")
    }


def test_a_user_who_is_there_already_keeps_his_password(monkeypatch: pytest.MonkeyPatch) -> None:
    for part in ("_play_candidates", "_bring_members", "play_season", "publish_season", "correct_one", "announce"):
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
