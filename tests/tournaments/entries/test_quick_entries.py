"""Entering people one after the other by a few letters, and what the desk offers for a name nobody has."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import url
from tests.tournaments.entries.entry_cases import club_and_list
from tournaments.entries.selectors import candidates_for
from tournaments.entries.services.entries import enter_players
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


standard = club_and_list


@pytest.fixture
def empty(standard: RatingList) -> Tournament:
    factory.make_players(8)
    return create_tournament(NewTournament("Open"), by=None)


def search_field(html: str) -> str:
    return re.findall(r'<input id="id_q"[^>]*>', html)[0]


def ticked(html: str) -> list[str]:
    return re.findall(r'name="player" value="(\d+)" checked', html)


def post(desk: Client, event: Tournament, **form: object) -> str:
    return desk.post(url("entries", event.pk), form, follow=True).content.decode()


# --- by a few letters -------------------------------------------------------------------------------------------------
def test_the_only_one_found_is_ticked_and_enter_once_more_enters_him(desk: Client, empty: Tournament) -> None:
    assert "autofocus" not in search_field(desk.get(url("entries", empty.pk)).content.decode()), "unasked"
    several = post(desk, empty, do="filter", q="a", found_by="")
    assert not ticked(several), "they are for the arbiter to choose"
    assert "Ada Alvarez" in several
    assert "Nobody of that name" in post(desk, empty, do="filter", q="zzz", found_by="zzz")
    bo = Player.objects.get(name="Bo Brandt")
    assert ticked(post(desk, empty, do="filter", q="bran", found_by="")) == [str(bo.pk)]
    assert not Entry.objects.exists()
    html = post(desk, empty, do="filter", q="bran", found_by="bran", player=[bo.pk])
    assert [entry.player for entry in Entry.objects.select_related("player")] == [bo]
    assert "1 player is entered." in html
    assert "autofocus" in search_field(html), "the search is ready for the next"
    assert 'value=""' in search_field(html)


def test_another_search_keeps_the_tick_and_enters_nobody(desk: Client, empty: Tournament) -> None:
    bo, cleo = Player.objects.get(name="Bo Brandt"), Player.objects.get(name="Cleo Costa")
    html = post(desk, empty, do="filter", q="cost", found_by="bran", player=[bo.pk])
    assert sorted(ticked(html)) == sorted([str(bo.pk), str(cleo.pk)])
    assert not Entry.objects.exists()


def test_active_players_who_are_not_entered_here_are_offered_once(empty: Tournament) -> None:
    ada, bo, cleo, dag, *_others = Player.objects.order_by("number")
    enter_players(empty, [ada], by=None)
    enter_players(create_tournament(NewTournament("Other"), by=None), [bo], by=None)
    Player.objects.filter(pk=dag.pk).update(active=False)
    for ticked in ({cleo.pk}, {ada.pk, cleo.pk, dag.pk}):
        rows = candidates_for(empty, search="", ticked=ticked).rows
        assert [row.player.number for row in rows] == [2, 3, 5, 6, 7, 8]
        assert [row.player for row in rows if row.ticked] == [cleo]
    assert all(row.ticked for row in candidates_for(empty, search="", ticked=[], tick_all=True).rows)


# --- a name nobody has ------------------------------------------------------------------------------------------------
def test_a_new_name_can_be_added_at_once(desk: Client, empty: Tournament) -> None:
    html = post(desk, empty, do="enter", names="Bo Brandt\nZoë & Sons\n#99")
    address = f"{reverse('admin:players_player_add')}?name=Zo%C3%AB%20%26%20Sons"
    assert address in html
    assert "name=Bo" not in html
    assert "name=%2399" not in html
    assert 'value="Zoë &amp; Sons"' in desk.get(address).content.decode()
    html = post(desk, empty, do="enter", names="\n".join(f"New Person {number}" for number in range(80)))
    assert html.count("?name=New%20Person") == 30, "a long list is cut"


# --- the plan ---------------------------------------------------------------------------------------------------------
def test_on_a_phone_the_form_comes_first_while_people_are_entered(desk: Client, empty: Tournament) -> None:
    assert "enter-first" in desk.get(url("entries", empty.pk)).content.decode()
    cup = factory.make_round_robin(list(Player.objects.all()[:4]))
    assert "enter-first" not in desk.get(url("entries", cup.pk)).content.decode()


# --- all of them ------------------------------------------------------------------------------------------------------
def test_everybody_found_is_ticked_at_once_beyond_what_the_list_shows(
    desk: Client, empty: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.entries.selectors.MOST_TO_TICK", 3)
    assert "5 more: find them by name." in desk.get(url("entries", empty.pk)).content.decode()
    assert len(ticked(post(desk, empty, do="all", q="bran"))) == 1
    html = post(desk, empty, do="all")
    assert len(ticked(html)) == 8
    assert not Entry.objects.exists(), "ticked is not entered"
    assert "8 players are entered." in post(desk, empty, do="enter", player=ticked(html))


def test_what_was_done_is_said_where_the_next_name_is_typed(desk: Client, empty: Tournament) -> None:
    answer = desk.post(url("entries", empty.pk), {"do": "enter", "names": "Bo Brandt"})
    assert answer["Location"].endswith("?next=1#enter")
    html = desk.get(answer["Location"]).content.decode()
    assert html.count("1 player is entered.") == 1
    assert html.index('id="enter"') < html.index("1 player is entered.") < html.index('id="id_q"')
    entry = Entry.objects.get()
    html = post(desk, empty, remove=entry.pk)
    assert html.index("The entry is taken back.") < html.index('id="entered"')


def test_who_chooses_nobody_or_pastes_too_much_is_told_so(desk: Client, empty: Tournament) -> None:
    assert "Nobody was chosen" in post(desk, empty, do="enter", names="")
    assert "characters" in post(desk, empty, do="enter", names="x" * 200_000)
    Tournament.objects.filter(pk=empty.pk).update(entry_size=2)
    assert "Nobody was chosen" in post(desk, empty, do="enter", names="")
    assert "Zoe Zander" in post(desk, empty, do="enter", names="Ada Alvarez + Zoe Zander")
    assert not Entry.objects.exists()
