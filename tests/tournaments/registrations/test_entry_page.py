"""The pages of entering say how entries stand and on what terms, and offer what may be done, and nothing else."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages import page_cases
from tests.tournaments.registrations import request_cases
from tests.tournaments.registrations.request_cases import asks, opened, player
from tournaments.entries.services.entries import number_by_rating
from tournaments.models import EntryRequest, Tournament
from tournaments.registrations.services import desk
from tournaments.registrations.services.requests import NewRequest, ask_for_entry, letter_secret
from tournaments.rounds.services.next_round import pair_next_round

pytestmark = pytest.mark.django_db
standard = club_and_list
mail_server, cup = request_cases.mail_server, request_cases.cup
PROBLEM = 'role="alert"'


def page(cup: Tournament, query: str = "") -> str:
    return Client().get(f"/tournaments/{cup.slug}/enter/{query}").text


def terms(cup: Tournament) -> str:
    return page(cup).split('<ul class="lines">')[1].split("</ul>")[0]


STANDS = {
    "new": "Not confirmed yet: press the button",
    "waits": "Your entry is noted, a place is kept",
    "listed": "You are number 1 on the waiting list.",
    "entered": "You are entered.",
    "refused": "This entry was refused.",
    "withdrawn": "This entry is withdrawn.",
}


def own_page(request: EntryRequest) -> str:
    """By its link; it says how the request stands, and nothing else of it."""
    text = Client().get(f"/tournaments/{request.tournament.slug}/enter/{letter_secret(request)}/").text
    assert [state for state, words in STANDS.items() if words in text] == [request.state]
    return text


@pytest.mark.parametrize(
    ("rules", "tier", "said"),
    [
        ({}, {}, ()),
        ({"approval": True}, {}, ("An officer approves every entry.",)),
        ({"fee": "5 €"}, {}, ("Entry fee: 5 €.",)),
        ({"born_from": 2008}, {}, ("For players born in 2008 or later.",)),
        ({"born_until": 1975}, {}, ("For players born in 1975 or earlier.",)),
        ({"places": 4}, {}, ("Places left: 4 of 4.",)),
        ({"closes_at": timedelta(days=1)}, {}, ("They close on",)),
        ({}, {"tier_from": 1400}, ("For ratings from 1400.",)),
        ({}, {"tier_below": 1800}, ("For ratings below 1800.",)),
        ({}, {"tier_from": 1400, "tier_below": 1800}, ("For ratings from 1400 and below 1800.",)),
    ],
)
def test_the_terms_are_those_of_the_rules(
    cup: Tournament, rules: dict[str, Any], tier: dict[str, int], said: tuple[str, ...]
) -> None:
    if "closes_at" in rules:
        rules = {"closes_at": timezone.now() + rules["closes_at"]}
    Tournament.objects.filter(pk=cup.pk).update(**tier)
    cup.refresh_from_db()
    opened(cup, **rules)
    found = terms(cup)
    every = ("An officer approves", "Entry fee", "born in", "Places left", "Every place", "waiting list", "They close")
    assert "Entries are open." in found
    assert [words for words in said if words not in found] == []
    assert sum(words in found for words in (*every, "For ratings")) == len(said)


def test_a_full_event_offers_its_waiting_list_and_a_closed_one_nothing(cup: Tournament) -> None:
    offers = ("Enter this event</a>", "Onto the waiting list</a>")

    def offered() -> list[bool]:
        text = Client().get(f"/tournaments/{cup.slug}/").text
        return [words in text for words in offers]

    opened(cup, places=1)
    assert offered() == [True, False]
    assert 'button primary">Enter<' in page(cup)
    asks(cup, player(1))
    assert offered() == [False, True]
    assert "Whoever enters now stands on the waiting list" in terms(cup)
    assert "On the waiting list:" not in terms(cup)
    assert 'button primary">Onto the waiting list' in page(cup)
    asks(cup, player(2))
    assert "On the waiting list: 1." in terms(cup)
    opened(cup, places=1, closes_at=timezone.now() - timedelta(hours=1))
    assert offered() == [False, False]
    assert "Every place is taken." in terms(cup)
    assert "Whoever enters now" not in terms(cup)
    assert "Entries are open" not in terms(cup)
    assert "<form" not in page(cup).split('aria-labelledby="terms"')[1].split("<footer")[0]


def test_the_form_is_for_whom_was_chosen_or_for_a_newcomer(cup: Tournament, settings: Settings) -> None:
    opened(cup, words="Bring a clock.")
    choose, newcomer, me = "I play here already", "Until then your name stands on no page.", "data-enter-as-me"

    def said(query: str) -> list[bool]:
        return [words in page(cup, query) for words in (choose, newcomer, me, 'name="player" value="2"')]

    assert said("") == said("?player=77") == [True, True, True, False]
    assert said("?player=2") == [False, False, False, True]
    assert "Bo Brandt</h2>" in page(cup, "?player=2")
    assert "Bo Brandt</a>" in page(cup, "?q=Brandt")
    assert "Nobody of that name" not in page(cup, "?q=Brandt")
    assert "Nobody of that name" not in page(cup)
    assert "Nobody of that name can be chosen here." in page(cup, "?q=Zzzyx")
    assert "Bring a clock." in page(cup)
    assert PROBLEM not in page(cup)
    sent = ("A letter is on its way.", "waits for an officer", "The club sends no mail")
    assert [words in page(cup) for words in sent] == [False] * 3
    assert [words in page(cup, "?sent=1") for words in sent] == [True, False, False]
    settings.MAIL = None
    assert [words in page(cup, "?sent=1") for words in sent] == [False, True, True]
    wrong = Client().post(f"/tournaments/{cup.slug}/enter/", {"player": "77"}).text
    assert "This player cannot be chosen here" in wrong
    assert me not in wrong, "what was typed stays"


def test_the_own_page_says_how_the_entry_stands_and_offers_what_may_be_done(
    cup: Tournament, settings: Settings
) -> None:
    opened(cup, approval=True, fee="5 €")
    row, _secret = ask_for_entry(cup, NewRequest(player=player(2), address="a@example.org"), role="visitor")

    def said() -> list[bool]:
        row.refresh_from_db()
        text = own_page(row)
        assert "Bo Brandt</h1>" in text
        words = ("Confirm my entry", "Withdraw my entry", "The rounds are made", "<b>paid</b>", "Reason:", PROBLEM)
        return [each in text for each in words]

    assert said() == [True, False, False, False, False, False]
    EntryRequest.objects.filter(pk=row.pk).update(state="waits")
    assert said() == [False, True, False, False, False, False]
    desk.mark_paid(row.pk, paid=True, by=None)
    desk.approve(row.pk, by=None)
    assert said() == [False, True, False, True, False, False]
    asks(cup, player(1))
    desk.approve_all(cup, by=None)
    number_by_rating(page_cases.first_stage(cup), by=None)
    pair_next_round(page_cases.first_stage(cup), by=None, day=factory.MONDAY, publish=True)
    assert said() == [False, False, True, True, False, False]
    late = asks(cup, player(3))
    EntryRequest.objects.filter(pk=late.pk).update(state="listed")
    late.refresh_from_db()
    assert "Withdraw my entry" in own_page(late)
    desk.refuse(late.pk, by=None, answer="Too late")
    late.refresh_from_db()
    text = own_page(late)
    assert ["Reason: Too late" in text, "<form" in text.split("<h1")[1].split("<footer")[0]] == [True, False]
    none = Client().get(f"/tournaments/{cup.slug}/enter/nobodys/").text
    assert ["This link was used already" in none, "Many links were tried" in none] == [True, False]
