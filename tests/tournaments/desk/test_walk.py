"""The arbiter's evening in the admin, from the first player to a corrected result, through the real forms; and what
happens to forms that are stale, wrong or not ours."""

from datetime import date

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Player
from tests import factory
from tests.tournaments.admin_pages import fields_of, games_of, shown_form, url
from tournaments.entries.services.entries import remove_entry
from tournaments.models import Round, Tournament
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cup")]


@pytest.fixture
def empty_cup(desk: Client) -> Tournament:
    """Made at the desk; nobody is entered."""
    add = reverse("admin:tournaments_tournament_add")
    page = fields_of(desk.get(add).content.decode())
    desk.post(add, page | {"name": "Empty Cup", "play": "once", "pool": "standard"})
    return Tournament.objects.get(name="Empty Cup")


def key_of(number: int) -> int:
    return Player.objects.get(number=number).pk


# --- the walk -------------------------------------------------------------------------------------------------
def test_a_new_event_from_its_players_to_its_results_and_no_second_trail(desk: Client, empty_cup: Tournament) -> None:
    cup, add = empty_cup, reverse("admin:players_player_add")
    person = fields_of(desk.get(add).content.decode()) | {"name": "Анна Соколова", "birth_year": "1980", "active": "on"}
    assert desk.post(add, person).status_code == 302
    assert "nobody yet" in desk.get(url("change", cup.pk)).content.decode()
    names = "Bo Brandt\n\nАнна Соколова\n"
    desk.post(url("entries", cup.pk), {"do": "enter", "player": [key_of(1), key_of(3)], "names": names})
    assert cup.entries.count() == 4
    desk.post(url("entries", cup.pk), {"do": "lots", "seed": "4711"})
    assert "drawn by lot with seed 4711" in desk.get(url("change", cup.pk)).content.decode()
    desk.post(url("rounds", cup.pk), {"first_day": "2026-01-05", "days_between": "7"})
    first, second, _ = Round.objects.filter(stage__tournament=cup).order_by("number")
    assert second.planned_on == date(2026, 1, 12)
    form = shown_form(desk, first) | {"board-1": "1-0", "board-2": "1/2"}
    html = desk.post(url("results", first.pk), form, follow=True).content.decode()
    assert "2 boards are saved" in html
    assert "2/2" in html
    assert {game.played_on for game in games_of(first)} == {first.planned_on}
    assert not LogEntry.objects.exists(), "Django's log would be a second trail, and it copies names"


# --- entries ------------------------------------------------------------------------------------------------------
def test_unknown_names_are_told_and_nobody_is_entered_twice(desk: Client, empty_cup: Tournament) -> None:
    typed = "Nobody Known\nBo Brandt\nAlso Unknown"
    answer = desk.post(url("entries", empty_cup.pk), {"do": "enter", "names": typed, "player": [key_of(1)]})
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "Line 1: nobody is called “Nobody Known”" in html
    assert "Line 3: nobody is called “Also Unknown”" in html
    assert typed in html.replace("\r", "")
    assert f'value="{key_of(1)}" checked' in html
    assert not empty_cup.entries.exists()
    ticked_and_pasted = {"do": "enter", "player": [key_of(1)], "names": "Ada Alvarez\n#2"}
    assert desk.post(url("entries", empty_cup.pk), ticked_and_pasted).status_code == 302
    assert empty_cup.entries.count() == 2
    for form in ({"player": [key_of(1)]}, {"names": "Ada Alvarez"}, {"names": "Cleo Costa\nCleo Costa"}):
        answer = desk.post(url("entries", empty_cup.pk), {"do": "enter", **form})
        assert answer.status_code == 200
        assert 'role="alert"' in answer.content.decode()
    assert empty_cup.entries.count() == 2


def test_the_filter_keeps_ticks_and_typed_names_whatever_is_searched(desk: Client, empty_cup: Tournament) -> None:
    form = {"do": "filter", "q": "brandt", "player": [key_of(1)], "names": "Cleo"}
    html = desk.post(url("entries", empty_cup.pk), form).content.decode()
    assert "Ada Alvarez" in html
    assert "Bo Brandt" in html
    assert "Eva Engel" not in html
    assert ">\nCleo" in html.replace("\r", "")
    assert "Eva Engel" not in desk.get(url("entries", empty_cup.pk), {"q": "BRANDT"}).content.decode()
    for search in ("\x00", "%", "_", "x" * 5000):
        assert desk.get(url("entries", empty_cup.pk), {"q": search}).status_code == 200


@pytest.mark.extended
def test_entries_and_desk_ask_as_much_for_many_as_for_few(desk: Client, empty_cup: Tournament) -> None:
    counts = []
    for more in (3, 60):
        factory.make_players(more)
        with CaptureQueriesContext(connection) as queries:
            desk.get(url("entries", empty_cup.pk))
        counts.append(len(queries))
    assert counts[0] == counts[1]
    costs = []
    for name in ("First", "Second", "Third"):
        factory.make_round_robin(factory.first_players(4), name=name)
        with CaptureQueriesContext(connection) as queries:
            html = desk.get(reverse("admin:index")).content.decode()
        costs.append(len(queries))
        assert f"{name}, round 1" in html
    assert len(set(costs)) == 1


def test_an_entry_can_be_taken_back_until_rounds_are_made(desk: Client, cup: Tournament) -> None:
    entry = cup.entries.first()
    assert entry is not None
    answer = desk.post(url("entries", cup.pk), {"remove": entry.pk})
    assert "delete them before you change entries" in answer.content.decode()
    desk.post(url("delete_rounds", cup.pk))
    assert not Round.objects.exists()
    desk.post(url("entries", cup.pk), {"remove": entry.pk})
    assert cup.entries.count() == 4
    theirs = factory.make_round_robin(factory.first_players(2), name="Theirs").entries.all()[0]
    for gone in (entry, theirs):
        answer = desk.post(url("entries", cup.pk), {"remove": gone.pk})
        assert "not in the tournament any more" in answer.content.decode()


def test_wrong_days_or_a_gap_in_the_numbers_make_no_rounds(desk: Client, cup: Tournament) -> None:
    desk.post(url("delete_rounds", cup.pk))
    for form in ({"days_between": ""}, {"days_between": "x"}, {"first_day": "9999-12-31"}):
        assert desk.post(url("rounds", cup.pk), {"days_between": "7", **form}).status_code == 200, form
    assert not Round.objects.exists()
    second = cup.entries.get(number=2)
    remove_entry(second.pk, by=None)
    answer = desk.post(url("rounds", cup.pk), {"days_between": "7"})
    assert "draw lots or sort by rating first" in answer.content.decode()
    desk.post(url("entries", cup.pk), {"do": "rating"})
    assert desk.post(url("rounds", cup.pk), {"days_between": "7"}).status_code == 302


def test_the_buttons_of_an_empty_tournament_and_a_wrong_seed_are_explained(desk: Client, empty_cup: Tournament) -> None:
    for form in ({}, {"do": "lots"}, {"do": "rating"}, {"do": "enter", "player": ["x", "0", "9" * 30]}):
        answer = desk.post(url("entries", empty_cup.pk), form)
        assert answer.status_code == 200, form
        assert 'role="alert"' in answer.content.decode(), form
    desk.post(url("entries", empty_cup.pk), {"do": "enter", "names": "#1\n#2"})
    for seed in ("x", "-1", "99999999999999999999"):
        assert desk.post(url("entries", empty_cup.pk), {"do": "lots", "seed": seed}).status_code == 200, seed
    assert not empty_cup.entries.exclude(number=None).exists()


# --- rounds and the event itself ------------------------------------------------------------------------------------
def test_rounds_with_results_stay(desk: Client, cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.DRAW, Result.DRAW])
    assert "Yes, delete the rounds" in desk.get(url("delete_rounds", cup.pk)).content.decode()
    assert "results are recorded" in desk.post(url("delete_rounds", cup.pk), follow=True).content.decode()
    assert Round.objects.count() == 5
    answer = desk.post(url("delete", cup.pk), {"post": "yes"}, follow=True)
    assert "has results and cannot be deleted" in answer.content.decode()
    assert Tournament.objects.exists()


def test_a_tournament_without_results_can_be_deleted(desk: Client, cup: Tournament) -> None:
    assert desk.post(url("delete", cup.pk), {"post": "yes"}).status_code == 302
    assert not Tournament.objects.exists()
    assert Player.objects.count() == 5


def change_form(desk: Client, tournament: Tournament) -> dict[str, str]:
    page = fields_of(desk.get(url("change", tournament.pk)).content.decode())
    return page | {"pool": "standard", "play": "once"}


@pytest.mark.extended
def test_a_stale_tournament_form_shows_what_stands_and_may_be_saved_again(desk: Client, cup: Tournament) -> None:
    form = change_form(desk, cup)
    desk.post(url("change", cup.pk), form | {"place": "Town hall"})
    answer = desk.post(url("change", cup.pk), form | {"place": "School"})
    html = answer.content.decode()
    assert "Somebody else changed this tournament" in html
    assert "“Town hall” stands now" in html
    assert Tournament.objects.get().place == "Town hall"
    form = fields_of(html) | {"pool": "standard", "place": "School"}
    assert desk.post(url("change", cup.pk), form).status_code == 302
    assert Tournament.objects.get().place == "School"
    form = change_form(desk, cup) | {"starts_on": "2026-02-02", "ends_on": "2026-01-01", "place": "Typed"}
    html = desk.post(url("change", cup.pk), form).content.decode()
    assert "The last day lies before the first." in html
    assert "Typed" in html


@pytest.mark.extended
def test_the_format_is_fixed_while_there_are_rounds(desk: Client, cup: Tournament) -> None:
    desk.post(url("change", cup.pk), change_form(desk, cup) | {"play": "twice", "swap_last_two": "on"})
    assert factory.stage_of(cup).settings.get("cycles") != 2
    desk.post(url("delete_rounds", cup.pk))
    desk.post(url("change", cup.pk), change_form(desk, cup) | {"play": "twice", "swap_last_two": "on"})
    assert factory.stage_of(cup).settings == {"cycles": 2, "swap_last_two": True}
    answer = desk.post(url("change", cup.pk), change_form(desk, cup) | {"play": "once", "swap_last_two": "on"})
    assert "There is only one cycle" in answer.content.decode()


# --- who may ----------------------------------------------------------------------------------------------------------
def test_nobody_else_gets_in(client: Client, cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    pages = [url(name, cup.pk) for name in ("change", "entries", "rounds", "delete_rounds")] + [url("results", row.pk)]
    for page in pages:
        assert client.get(page)["Location"].startswith(reverse("admin:login")), page
    client.force_login(User.objects.create_user("looker", is_staff=True))
    for page in pages:
        assert client.post(page, {"board-1": "1-0"}).status_code == 403, page
    assert "Enter results" not in client.get(reverse("admin:index")).content.decode()


def test_every_page_of_a_tournament_opens_and_unknown_ones_are_404(desk: Client, cup: Tournament) -> None:
    for name in ("change", "entries", "rounds", "delete_rounds", "delete", "history"):
        assert desk.get(url(name, cup.pk)).status_code in (200, 302), name
    assert desk.get(reverse("admin:tournaments_tournament_changelist"), {"q": "winter"}).status_code == 200
    for name in ("entries", "rounds", "delete_rounds", "results"):
        assert desk.get(url(name, 999_999)).status_code == 404
        assert desk.get(url(name, 10**30)).status_code == 404
