"""An entry's life at the desk, through the forms as a browser without script sends them."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Visibility
from tests import factory
from tests.tournaments.admin_pages import fields_of, url
from tests.tournaments.entries.entry_cases import entry_of, events, make_event, results_of
from tournaments.entries.services.entries import enter_players
from tournaments.entries.services.prohibited import prohibit
from tournaments.models import ByeRequest, Entry, Game, ProhibitedPair, Tournament
from tournaments.presence.services import request_bye
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def evening(cup: Tournament) -> Tournament:
    """Four players, rounds paired one by one, none made yet."""
    return make_event(factory.first_players(4), "by-hand")


def page(desk: Client, name: str, key: int) -> str:
    answer = desk.get(url(name, key))
    assert answer.status_code == 200
    return answer.content.decode()


def posted(desk: Client, name: str, key: int, **form: object) -> str:
    return desk.post(url(name, key), form, follow=True).content.decode()


# --- leaving and returning ----------------------------------------------------------------------------------------
def test_the_page_tells_what_leaving_means_before_it_is_done(desk: Client, cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.DRAW] * 2)
    html = page(desk, "withdraw", entry_of(cup, 2).pk)
    assert "1 of 4 games are completed." in html
    assert "fewer than half" in html
    assert "3 games become forfeits" in html
    assert html.count("Bo Brandt −") == 3
    assert "Yes, withdraw" in html
    factory.play_round(cup, 2, [Result.DRAW] * 2)
    assert "they count by either rule" in page(desk, "withdraw", entry_of(cup, 2).pk), "half of the games count"
    assert not entry_of(cup, 2).withdrawn


def test_leaving_and_returning_by_the_forms(desk: Client, cup: Tournament) -> None:
    key, before = entry_of(cup, 2).pk, results_of(cup, 2)
    form = fields_of(page(desk, "withdraw", key))
    html = posted(desk, "withdraw", key, **{**form, "rule": "all", "note": "moved away"})
    assert "Bo Brandt is withdrawn." in html
    assert "Return to the event" in html
    assert results_of(cup, 2) == ["−"] * 4
    cup.refresh_from_db()
    assert cup.leaver_rule == "all"
    assert events("entry.withdrawn")[0].note == "moved away"
    assert "withdrawn" in page(desk, "entries", cup.pk)
    html = page(desk, "return", key)
    assert html.count("open again") == 4
    own = page(desk, "entry", key)
    assert "withdrawn" in own
    assert "Return to the event" in own
    assert "is back in the event" in posted(desk, "return", key, **fields_of(html))
    assert results_of(cup, 2) == before


def test_what_moved_meanwhile_is_shown_anew_and_half_a_form_changes_nothing(desk: Client, cup: Tournament) -> None:
    key = entry_of(cup, 2).pk
    assert desk.post(url("withdraw", key), {"rule": "fide"}).status_code == 409
    answer = desk.post(url("withdraw", key), fields_of(page(desk, "withdraw", key)) | {"rule": "mine"})
    assert answer.status_code == 200, "told at its field"
    assert not entry_of(cup, 2).withdrawn
    form = fields_of(page(desk, "withdraw", key))
    factory.play_round(cup, 1, [Result.DRAW] * 2)
    answer = desk.post(url("withdraw", key), form | {"rule": "fide"})
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "look at it again" in html
    assert "1 of 4 games are completed." in html
    assert not entry_of(cup, 2).withdrawn
    assert desk.post(url("withdraw", key), fields_of(html) | {"rule": "fide"}).status_code == 302
    assert entry_of(cup, 2).withdrawn


def test_before_there_are_rounds_the_remedy_is_told_and_no_button_shown(desk: Client, evening: Tournament) -> None:
    html = page(desk, "withdraw", entry_of(evening, 1).pk)
    assert "remove the entry from the list instead" in html
    assert "Yes, withdraw" not in html


def test_a_game_still_on_is_named_and_in_a_knockout_the_opponent_who_goes_on(desk: Client, cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    game = Game.objects.filter(pairing__round=row).order_by("pairing__board")[0]
    record_result(game=game.pk, result=Result.ADJOURNED, played_on=factory.MONDAY, by=None)
    html = page(desk, "withdraw", Entry.objects.get(tournament=cup, player=game.white_id).pk)
    assert "has no result: enter it" in html
    assert url("results", row.pk) in html
    knockout = factory.make_knockout(factory.first_players(4), name="Knockout")
    entry = knockout.entries.get(player__name__startswith="Ada")
    assert "The match of round 1 goes to Dag Dahl as a walk-over" in page(desk, "withdraw", entry.pk)


# --- late entry ---------------------------------------------------------------------------------------------------
def test_an_odd_round_robin_offers_its_free_number(desk: Client, cup: Tournament) -> None:
    late, later = factory.make_players(2, visibility=Visibility.PUBLIC)
    html = page(desk, "entries", cup.pk)
    assert "Number 6 is free." in html
    assert "Enter late" in html
    assert "Draw lots" not in html
    assert "1 player is entered." in posted(desk, "entries", cup.pk, do="enter", player=[late.pk])
    assert results_of(cup, 6) == ["."] * 5
    html = page(desk, "entries", cup.pk)
    assert "no number is free" in html
    assert "Enter late" not in html
    assert "no number is free" in posted(desk, "entries", cup.pk, do="enter", player=[later.pk])
    assert cup.entries.count() == 6


def test_a_ladder_takes_people_in_at_any_time_and_leads_to_its_games(desk: Client) -> None:
    event = make_event(factory.first_players(3), "ladder")
    [late] = factory.make_players(1)
    html = page(desk, "entries", event.pk)
    assert url("evening", event.pk) in html
    assert url("rounds", event.pk) not in html
    assert "1 player is entered." in posted(desk, "entries", event.pk, do="enter", player=[late.pk])
    assert entry_of(event, 4).player == late


# --- byes ---------------------------------------------------------------------------------------------------------
def test_a_bye_is_noted_shown_and_taken_back_and_a_wrong_one_told(desk: Client, evening: Tournament) -> None:
    key = entry_of(evening, 1).pk
    assert "No bye is asked for." in page(desk, "entry", key)
    html = posted(desk, "entry", key, do="bye", round_number="2", kind="half")
    assert "The bye in round 2 is noted." in html
    assert "Round 2: half-point bye" in html
    assert "half-point bye in round 2" in page(desk, "entries", evening.pk)
    assert "is taken back" in posted(desk, "entry", key, cancel="2")
    assert not ByeRequest.objects.exists()
    for number, kind, words in (
        ("2", "full", "tick the box"),
        ("", "half", "required"),
        ("0", "half", "greater than or equal to 1"),
        ("x", "half", "whole number"),
        ("2", "pab", "valid choice"),
        ("9" * 40, "half", "less than or equal to 200"),
    ):
        assert words in posted(desk, "entry", key, do="bye", round_number=number, kind=kind), (number, kind)
    for form in ({}, {"cancel": "x"}, {"cancel": "9" * 30}, {"allow": "-1"}, {"do": "nothing"}):
        assert 'role="alert"' in posted(desk, "entry", key, **form), form
    assert not ByeRequest.objects.exists()
    posted(desk, "entry", key, do="bye", round_number="2", kind="full", against_rules="on")
    assert ByeRequest.objects.get().kind == "full", "the box is ticked"


def test_a_round_robin_says_what_to_do_instead_of_a_bye_and_its_numbers_stand(desk: Client, cup: Tournament) -> None:
    key = entry_of(cup, 1).pk
    assert "move the game to another day" in page(desk, "entry", key)
    assert "move the game to another day" in posted(desk, "entry", key, do="bye", round_number="2", kind="half")
    assert not ByeRequest.objects.exists()
    assert "The rounds are made already" in posted(desk, "numbers", cup.pk, **hall_form(cup, 2, 1, 3, 4, 5))
    assert entry_of(cup, 1).player.number == 1


# --- who should not meet ------------------------------------------------------------------------------------------
def test_a_pasted_group_is_kept_apart_and_shown_and_one_that_is_none_is_told(desk: Client, evening: Tournament) -> None:
    for names, words in (
        ("", "required"),
        ("Ada Alvarez", "at least two"),
        ("Ada Alvarez\nNobody Known", "nobody is called “Nobody Known”"),
        ("Ada Alvarez\nEva Engel", "“Eva Engel” is not entered in this event"),
        ("Ada Alvarez\n#1", "twice"),
    ):
        html = posted(desk, "prohibited", evening.pk, names=names)
        assert words in html, names
        assert names.replace("\n", "\r\n") in html or names in html
    assert not ProhibitedPair.objects.exists()
    assert "Everybody may meet everybody." in page(desk, "prohibited", evening.pk)
    assert "3 pairs are kept apart." in posted(desk, "prohibited", evening.pk, names="Ada Alvarez\n#3\n\nBo Brandt")
    assert "kept apart already" in posted(desk, "prohibited", evening.pk, names="#1\n#2")
    assert "May meet" in page(desk, "entry", entry_of(evening, 1).pk)
    pair = ProhibitedPair.objects.order_by("pk")[0]
    assert "may meet again" in posted(desk, "prohibited", evening.pk, allow=pair.pk)
    pair = ProhibitedPair.objects.order_by("pk")[0]
    (other,) = {row.first_id for row in ProhibitedPair.objects.all()} - {pair.first_id, pair.second_id}
    assert "may meet already" in posted(desk, "entry", other, allow=pair.pk), "a pair of two others"
    assert "may meet again" in posted(desk, "entry", pair.first_id, allow=pair.pk)
    assert ProhibitedPair.objects.count() == 1


def test_a_pair_of_another_event_is_not_touched_from_here(desk: Client, evening: Tournament, cup: Tournament) -> None:
    prohibit(cup, [entry_of(cup, 1), entry_of(cup, 2)], by=None)
    assert "may meet already" in posted(desk, "prohibited", evening.pk, allow=ProhibitedPair.objects.get().pk)
    assert ProhibitedPair.objects.exists()


# --- numbers drawn in the hall ------------------------------------------------------------------------------------
def hall_form(event: Tournament, *numbers: object) -> dict[str, object]:
    entries = Entry.objects.filter(tournament=event).order_by("pk")
    return {f"number-{entry.pk}": number for entry, number in zip(entries, numbers, strict=True)}


def test_numbers_drawn_in_the_hall_are_typed_where_there_are_entries(desk: Client, evening: Tournament) -> None:
    given = evening.entries.order_by("pk").values_list("number", flat=True)
    for numbers, words in (
        ((1, 2, 2, 4), "2 is given to"),
        ((1, 2, 3, 5), "less than or equal to 4"),
        ((1, 2, 3, ""), "required"),
        ((0, 1, 2, 3), "greater than or equal to 1"),
        ((1, 2, 3, "x"), "whole number"),
    ):
        html = posted(desk, "numbers", evening.pk, **hall_form(evening, *numbers))
        assert words in html, numbers
        assert f'value="{numbers[1]}"' in html, "what was typed stays"
        assert list(given.all()) == [1, 2, 3, 4], numbers
    assert "The numbers are given as drawn." in posted(desk, "numbers", evening.pk, **hall_form(evening, 3, 1, 4, 2))
    assert list(given.all()) == [3, 1, 4, 2]
    evening.entries.filter(number=1).update(number=None)
    response = desk.get(url("numbers", evening.pk))
    assert [entry.number for entry in response.context["entries"]] == [2, 3, 4, None]
    evening.entries.all().delete()
    assert "Nobody is entered yet." in page(desk, "numbers", evening.pk)


# --- who may, and how much it asks --------------------------------------------------------------------------------
def test_nobody_else_gets_in(client: Client, cup: Tournament) -> None:
    entry = entry_of(cup, 1).pk
    pages = [url(name, entry) for name in ("entry", "withdraw", "return")]
    pages += [url(name, cup.pk) for name in ("prohibited", "numbers")]
    for address in pages:
        assert client.get(address)["Location"].startswith(reverse("admin:login")), address
    client.force_login(User.objects.create_user("looker", is_staff=True))
    for address in pages:
        assert client.post(address, {"names": "#1\n#2"}).status_code == 403, address


def test_unknown_entries_are_404(desk: Client) -> None:
    for name in ("entry", "withdraw", "return", "prohibited", "numbers"):
        assert desk.get(url(name, 999_999)).status_code == 404
        assert desk.get(url(name, 10**30)).status_code == 404


def test_the_lists_and_a_withdrawal_ask_as_much_for_many_as_for_few(desk: Client, evening: Tournament) -> None:
    asked: dict[str, list[int]] = {"entries": [], "prohibited": [], "numbers": []}
    for more in (2, 5):
        entries = enter_players(evening, factory.make_players(more), by=None)
        prohibit(evening, entries, by=None)
        for entry in entries:
            Entry.objects.filter(pk=entry.pk).update(number=100 + entry.pk)
            request_bye(entry.pk, 1, "zero", by=None)
        for name, counts in asked.items():
            with CaptureQueriesContext(connection) as queries:
                page(desk, name, evening.pk)
            counts.append(len(queries))
    for name, (few, many) in asked.items():
        assert few == many, name
    costs = []
    for players in (4, 7):
        event = factory.make_round_robin(factory.make_players(players), name=f"Cup of {players}")
        with CaptureQueriesContext(connection) as queries:
            page(desk, "withdraw", entry_of(event, 1).pk)
        costs.append(len(queries))
    assert costs[0] == costs[1]
