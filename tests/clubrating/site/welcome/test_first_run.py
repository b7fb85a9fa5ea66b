"""The first run: the key to the set-up page, and everything or nothing being set up."""

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import override_settings

from clubrating.site.welcome.services import is_setup_key, set_up_club, setup_key
from players.models import Club
from players.refusals import Refused
from ratings.models import LedgerEntry, RatingList
from tournaments.interchange.games_csv import GameRow
from tournaments.loading.services.streams import load_games
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.standings.points import Result

GOOD: dict[str, Any] = {
    "name": "Schachfreunde Süd",
    "time_zone": "Europe/Berlin",
    "username": "chair",
    "password": "mole-hugo-lino",
    "list_name": "Standard",
}


def test_the_key_is_short_and_follows_from_the_secret() -> None:
    key = setup_key()
    assert len(key) == 16
    assert int(key, 16) >= 0
    assert is_setup_key(key)
    assert [wrong for wrong in ("", "0" * 16, "ключ", "\x00") if is_setup_key(wrong)] == []
    with override_settings(SECRET_KEY="another secret, long enough to be one, of another site altogether"):
        assert setup_key() != key


@pytest.mark.django_db
def test_everything_is_set_up_at_once() -> None:
    user = set_up_club(**GOOD)
    assert (user.is_superuser, user.check_password(GOOD["password"])) == (True, True)
    assert (Club.objects.get().name, Club.objects.get().time_zone) == ("Schachfreunde Süd", "Europe/Berlin")
    rating_list = RatingList.objects.get()
    assert (rating_list.slug, rating_list.pool, rating_list.primary) == ("standard", "standard", True)
    assert Group.objects.filter(name="arbiter").exists()


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "slug"), [("Classical chess", "classical-chess"), ("Шахматы", "shakhmaty")])
def test_the_lists_address_is_its_name_in_latin_letters(name: str, slug: str) -> None:
    set_up_club(**{**GOOD, "list_name": name})
    assert RatingList.objects.get().slug == slug


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", " ", "The club needs a name."), ("name", "x" * 101, "longer than 100 characters"),
        ("time_zone", "Berlin", "“Berlin” is no time zone"),
        ("username", "", "User name:"), ("username", "two words", "User name:"),
        ("password", "12345678", "entirely numeric"), ("password", "", "too short"),
        ("password", "qWz7!xKp3", "at least 10 characters"), ("password", "chairs12", "similar to the username"),
        ("list_name", "", "The first rating list needs a name."), ("list_name", "x" * 61, "longer than 60 characters"),
        ("list_name", "Corrections", "cannot be a list’s address"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_and_nothing_is_made(field: str, value: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        set_up_club(**{**GOOD, field: value})
    assert (Club.objects.count(), User.objects.count(), RatingList.objects.count()) == (0, 0, 0)


@pytest.mark.django_db
def test_games_loaded_before_the_set_up_are_rated_with_it() -> None:
    rows = [GameRow(2, "Ada", "Bo", Result.WHITE_WINS)]
    load_games(rows, by=None, event_name="Evenings", today=date(2026, 1, 5))
    set_up_club(**GOOD)
    assert check_list(RatingList.objects.get()) == []
    assert LedgerEntry.objects.count() == 1


@pytest.mark.django_db
def test_it_works_once_and_a_user_name_is_taken_whatever_its_case() -> None:
    User.objects.create_user("Chair")
    with pytest.raises(Refused, match="There is a user “chair” already"):
        set_up_club(**GOOD)
    set_up_club(**{**GOOD, "username": "other"})
    with pytest.raises(Refused, match="set up already"):
        set_up_club(**{**GOOD, "username": "another"})
    assert User.objects.count() == 2
