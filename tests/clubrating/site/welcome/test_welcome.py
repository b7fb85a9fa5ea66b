"""The first run by clicking: the key opens the page, bad answers come back, good ones make a club that can play."""

import pytest
from django.core.management import call_command

from clubrating.site.welcome.services import setup_key
from players.models import Club
from ratings.models import RatingList
from tests import factory
from tests.visitor import Visitor

pytestmark = pytest.mark.django_db
ANSWERS = {
    "name": "Chess Friends",
    "time_zone": "Asia/Shanghai",
    "list_name": "Standard",
    "username": "head",
    "password": "four knights are enough",
}


def test_before_set_up_every_page_leads_to_the_welcome_and_without_the_key_nobody_sets_up() -> None:
    visitor = Visitor()
    for address in ("/", "/ratings/", "/players/1/", "/admin/", "/tournaments/x/"):
        visitor.open(address)
        assert visitor.address == "/welcome/"
        assert visitor.sees("Open the address that bin/serve printed")
    visitor.open("/welcome/?key=wrong")
    assert visitor.status == 403
    assert not [form for form in visitor.page.forms if "username" in form.names]
    assert visitor.client.post("/welcome/?key=wrong", ANSWERS).status_code == 403
    assert not Club.objects.exists()


def test_five_answers_make_a_club_and_sign_its_administrator_in(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("welcome_link")
    visitor = Visitor()
    visitor.open(capsys.readouterr().out.strip())
    visitor.send("Set up the club", **ANSWERS)
    assert visitor.sees("The club stands.", "Chess Friends")
    assert (Club.objects.get().time_zone, RatingList.objects.get().primary) == ("Asia/Shanghai", True)
    visitor.open(f"/welcome/?key={setup_key()}")
    assert visitor.address == "/", "the key opens nothing once there is a club"


def test_a_bad_answer_comes_back_with_everything_typed() -> None:
    bad = [
        ({"password": "12345"}, "too short"),
        ({"name": "  "}, "This field is required"),
        ({"name": "…"}, "The club needs a name"),
        ({"time_zone": "Mars"}, "Select a valid choice"),
        ({"list_name": "Corrections"}, "choose another name"),
    ]
    visitor = Visitor()
    visitor.open(f"/welcome/?key={setup_key()}")
    for wrong, words in bad:
        visitor.send("Set up the club", **(ANSWERS | wrong))
        assert visitor.sees(words)
        assert "four knights" in str(visitor.page.forms[0].values) or "password" in wrong, words
        assert not Club.objects.exists(), words


def test_a_club_that_stands_needs_no_key(capsys: pytest.CaptureFixture[str]) -> None:
    factory.make_club()
    call_command("welcome_link")
    assert capsys.readouterr().out == ""
