"""Entering on the event's page: letters and their links, programs that fill in forms, the desk's buttons."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import Permission, User
from django.core import mail
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import DjangoAssertNumQueries, Settings

from clubrating.site.entry_letters import services as letters
from clubrating.site.entry_letters.services import FIRST_PAUSE, MOST_TRIES, send_entry_letter
from clubrating.site.notices.letters import Outcome
from players.models import Player
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import url
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages import page_cases
from tests.visitor import Page, Visitor
from tournaments.models import Entry, EntryRequest, EntryRules, Tournament
from tournaments.registrations.selectors import count_waiting
from tournaments.registrations.services.requests import LETTERS_WITHIN
from tournaments.registrations.services.rules import NewRules, set_entry_rules
from tournaments.registrations.views import LIMIT, LINKS
from tournaments.rounds.services.next_round import pair_next_round

pytestmark = pytest.mark.django_db
PAGE, ADA = "/tournaments/cup/enter/", "ada@example.org"


standard = club_and_list


@pytest.fixture(autouse=True)
def mail_server(settings: Settings) -> None:
    settings.MAIL = factory.MAIL
    settings.HOSTS = ["club.example"]


@pytest.fixture
def cup(standard: RatingList) -> Tournament:
    factory.make_players(4)
    event = page_cases.make_event([], "dutch", rounds=3)
    set_entry_rules(event, NewRules(places=1, approval=False, fee="5 €", words="Bring a clock."), by=None)
    return event


def link() -> str:
    (found,) = (line for line in mail.outbox[-1].body.splitlines() if "/enter/" in line)
    return urlsplit(str(found)).path


def fields(client: Client, query: str = "") -> dict[str, Any]:
    return next(form.values for form in Page(client.get(PAGE + query).text).forms if form.method == "post")


def send(client: Client, query: str = "", **values: Any) -> Any:
    return client.post(PAGE, {**fields(client, query), "address": ADA, **values})


def an_hour_later() -> None:
    for row in EntryRequest.objects.exclude(letter_at=None):
        EntryRequest.objects.filter(pk=row.pk).update(letter_at=row.letter_at - LETTERS_WITHIN)  # type: ignore[operator]


def test_from_the_event_to_an_entry_by_the_letter_and_out_again(cup: Tournament) -> None:
    ada, other = Visitor(), Visitor()
    ada.open("/tournaments/cup/")
    ada.sees("Places left: 1 of 1", "Entry fee: 5 €")
    ada.click("Enter this event")
    ada.sees("Bring a clock.")
    ada.send("Search", q="alva")
    ada.click("Ada Alvarez")
    ada.send("Enter", address="ada@example.org")
    ada.sees("A letter is on its way")
    assert not Entry.objects.exists(), "nothing before the letter's link"
    first = link()
    for _ in range(2):  # a scanner opens links, too
        ada.open(first)
    ada.send("Confirm my entry")
    ada.sees("You are entered.", "5 €")
    other.open(first)
    assert other.status == 410, "a link confirms once"
    other.open(f"{PAGE}?player=2")
    other.send("Onto the waiting list", address="bo@example.org")
    other.open(link())
    other.send("Confirm my entry")
    other.sees("You are number 1 on the waiting list")
    an_hour_later()
    Tournament.objects.update(closed=True)
    ada.send("Withdraw my entry")
    ada.sees("The rounds are made")
    assert ada.status == 409
    Tournament.objects.update(closed=False)
    ada.send("Withdraw my entry")
    ada.sees("This entry is withdrawn.")
    assert Entry.objects.get().player.number == 2
    assert (mail.outbox[-1].to, mail.outbox[-1].subject) == (["bo@example.org"], "You are entered: Cup")
    other.open(link())
    other.sees("You are entered.")


def test_a_letter_of_a_program_that_stops_mail_ends_letters_and_no_entry(client: Client, cup: Tournament) -> None:
    send(client, "?player=1")
    client.post(link(), {"confirm": "1"})
    an_hour_later()
    row = EntryRequest.objects.get()
    send_entry_letter.func(row.pk, 1)
    program = Client(enforce_csrf_checks=True)
    assert program.post(link(), {"List-Unsubscribe": "One-Click"}).status_code == 204
    row.refresh_from_db()
    assert (row.address, row.state, Entry.objects.count()) == ("", "entered", 1)


def test_a_parent_enters_several_and_an_address_gets_five_letters_an_hour(
    client: Client, cup: Tournament, settings: Settings
) -> None:
    settings.TASKS = factory.QUEUE
    names = ["Buy at spam.example", "Nora New", "Nils New", "Nina New", "Nell New", "Nora New"]
    answers = [send(client, name=name).headers["Location"] for name in names]
    answers.append(send(client, "?player=1").headers["Location"])
    assert len(set(answers)) == 1, "always the same"
    rows = list(EntryRequest.objects.order_by("pk").values_list("pk", flat=True))
    for key in rows:
        send_entry_letter.func(key, 1)
    assert len(mail.outbox) == 5, "and the sixth an hour later"
    EntryRequest.objects.filter(pk=rows[5]).update(state=EntryRequest.State.WAITING)
    send_entry_letter.func(rows[5], 1)
    later = DBTaskResult.objects.filter(run_after__range=(timezone.now(), timezone.now() + LETTERS_WITHIN))
    assert [each.run_after - LETTERS_WITHIN for each in later] == [EntryRequest.objects.get(pk=rows[0]).letter_at] * 2
    other = {"name": "Bo New", "asked_at": timezone.now(), "site": "http://club.example/"}
    for event, address in ((cup, "bo@example.org"), (factory.make_round_robin(factory.first_players(4)), ADA)):
        row = EntryRequest.objects.create(tournament=event, address=address, **other)
        send_entry_letter.func(row.pk, 1)
        assert mail.outbox.pop().to == [address], "neither another address nor another event waits"
    assert "to enter B. A. S. in Cup" in mail.outbox[0].body, "no words of a stranger's before it is confirmed"
    EntryRequest.objects.filter(pk=rows[1]).update(told="")  # Nora is sent once more
    EntryRequest.objects.filter(pk__in=rows[2:]).update(letter_at=None)
    send_entry_letter.func(rows[1], 1)
    assert len(mail.outbox) == 5, "the same question goes out once an hour"
    assert sorted(row.args_kwargs["args"][0] for row in later.all()) == [rows[1], rows[5], rows[5]]
    assert "example.org" not in str(list(DBTaskResult.objects.values_list()))


@pytest.mark.parametrize("spoilt", ["trap", "quick", "old", "twice", "hidden", "closed", "unborn", "quoted", "flood"])
def test_what_programs_and_old_tabs_send_enters_nobody_and_says_why(
    client: Client, cup: Tournament, settings: Settings, spoilt: str
) -> None:
    values, sentence, expected = {"name": "Nora New", **fields(client), "address": "n@example.org"}, "", 409
    if spoilt == "trap":
        values, expected = values | {"website": "https://spam.example"}, 302
    elif spoilt == "quick":
        settings.QUICKEST_FORM = LETTERS_WITHIN
        sentence = "quicker than anybody writes"
    elif spoilt == "old":
        values, sentence = values | {"stamp": "x"}, "Nothing is lost"
    elif spoilt == "twice":
        values |= {"name": "Nora New", "birth_year": str(factory.today().year)}
        client.post(PAGE, values)
        EntryRequest.objects.all().delete()
        expected = 302
    elif spoilt == "hidden":
        Player.objects.filter(number=3).update(visibility="hidden")
        values, sentence = values | {"player": "3"}, "cannot be chosen here"
    elif spoilt == "closed":
        EntryRules.objects.update(closes_at=timezone.now())
        sentence = "Entries closed on"
    elif spoilt == "unborn":
        values, sentence, expected = values | {"birth_year": "2999"}, "still to come", 400
    elif spoilt == "quoted":
        values, sentence, expected = values | {"address": "n@[192.0.2.1]"}, "This is no e-mail address", 400
    else:
        for _ in range(LIMIT.tries):
            LIMIT.count("127.0.0.1")
        sentence, expected = "try again in ten minutes", 429
    values["name"] = "Nora New"
    answer = client.post(PAGE, values)
    assert answer.status_code == expected
    assert sentence in answer.text
    assert not EntryRequest.objects.exists()
    if sentence and spoilt != "closed":
        assert 'value="Nora New"' in answer.text or spoilt == "hidden", "nothing is lost"


def test_whoever_tries_links_is_slowed_down_with_a_right_one_too(client: Client, cup: Tournament) -> None:
    send(client, name="Nora New")
    right = link()
    assert [client.get(f"{PAGE}guess-{number}/").status_code for number in range(LINKS.tries)] == [410] * LINKS.tries
    assert client.post(right, {"confirm": "1"}).status_code == 429
    assert EntryRequest.objects.get().state == EntryRequest.State.UNCONFIRMED


def test_the_form_offers_the_rounds_of_a_bye(client: Client, cup: Tournament) -> None:
    EntryRules.objects.update(byes=True)
    page = client.get(PAGE).text
    assert "At most 1 of these rounds." in page
    assert [f"round {number}" in page for number in (1, 2, 3)] == [True, True, False]
    send(client, "?player=1", byes="2")
    assert EntryRequest.objects.get().byes == "2"


def test_without_mail_an_officer_decides_and_the_page_keeps_the_way_back(
    client: Client, cup: Tournament, settings: Settings
) -> None:
    settings.MAIL = None
    visitor = Visitor()
    visitor.open(PAGE)
    visitor.sees("an officer approves your entry")
    visitor.send("Enter", name="Nora New")
    visitor.sees("Nora New", "an officer looks at it")
    assert "Nora" not in client.get(PAGE).text + client.get("/tournaments/cup/entries/").text
    visitor.send("Withdraw my entry")
    visitor.sees("The entry is withdrawn.")


@pytest.mark.parametrize(
    ("outcome", "tries", "kept", "again"),
    [
        (Outcome.GONE, 1, False, False),
        (Outcome.FAILED, 1, True, True),
        (Outcome.FAILED, MOST_TRIES - 1, True, True),
        (Outcome.FAILED, MOST_TRIES, True, False),
    ],
)
def test_a_letter_that_was_not_taken_is_tried_again_and_an_address_that_is_gone_forgotten(
    client: Client, cup: Tournament, settings: Settings, monkeypatch: pytest.MonkeyPatch, *,
    outcome: Outcome, tries: int, kept: bool, again: bool,
) -> None:  # fmt: skip
    settings.TASKS = factory.QUEUE
    send(client, name="Nora New")
    DBTaskResult.objects.all().delete()
    (row,) = EntryRequest.objects.all()
    monkeypatch.setattr(letters, "deliver", lambda _letter: outcome)
    send_entry_letter.call(row.pk, tries)
    left = EntryRequest.objects.values_list("letter_at", "told", "letter_digest")
    assert list(left) == [(None, "", "")] * kept, "as if none had been written"
    waits = [each.run_after - timezone.now() for each in DBTaskResult.objects.all()]
    assert [round(wait / FIRST_PAUSE) for wait in waits] == [4 ** (tries - 1)] * again


def test_nothing_is_sent_where_nothing_is_due(client: Client, cup: Tournament, settings: Settings) -> None:
    settings.TASKS = factory.QUEUE
    send(client, name="Nora New")
    row = EntryRequest.objects.get()
    send_entry_letter.func(row.pk + 1, 1)
    for changes in ({"address": ""}, {"told": row.state}):
        EntryRequest.objects.update(**{"address": ADA, "told": "", **changes})
        send_entry_letter.func(row.pk, 1)
    EntryRequest.objects.update(address=ADA, told="")
    settings.MAIL = None
    send_entry_letter.func(row.pk, 1)
    assert not mail.outbox


def test_a_letter_names_no_player_whose_name_not_everybody_may_see_any_more(client: Client, cup: Tournament) -> None:
    send(client, "?player=1")
    assert "to enter Ada Alvarez in Cup" in mail.outbox[-1].body
    Player.objects.filter(number=1).update(visibility="initials")
    EntryRequest.objects.update(told="", letter_at=None)
    send_entry_letter.func(EntryRequest.objects.get().pk, 1)
    assert "to enter A. A. in Cup" in mail.outbox[-1].body


def test_the_desk_decides_with_its_buttons_and_the_checklist_counts(
    cup: Tournament, settings: Settings, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    settings.MAIL = None
    for name in ("Alvarez Ada", "Nora New", "Tim Troll"):
        send(Client(), name=name)
    boss = Client()
    boss.force_login(factory.make_arbiter())
    desk = url("requests", cup.pk)
    assert "1 waits" in boss.get(url("change", cup.pk)).text, "one place: two stand on the waiting list"
    known, new, troll = EntryRequest.objects.order_by("pk").values_list("pk", flat=True)
    assert "May be known already:" in boss.get(desk).text
    wrong = boss.post(desk, {"link_to": new, f"who-{new}": "Nora Nobody"})
    assert (wrong.status_code, 'value="Nora Nobody"' in wrong.text) == (409, True), "nothing typed is lost"
    for values in (
        {"same": f"{known}-1"},
        {"approve-all": "1"},
        {"create": new},
        {"approve": new},
        {"paid": new},
        {"refuse": troll, f"answer-{troll}": "No trolls"},
    ):
        assert boss.post(desk, values).status_code == 302, values
    for values, sentence in (
        ({"approve": known}, "decided or withdrawn meanwhile"),
        ({"refuse": "987654"}, "not there any more"),
        ({}, "use one of the buttons"),
    ):
        answer = boss.post(desk, values)
        assert (answer.status_code, sentence in answer.text) == (409, True)
    assert {entry.player.name for entry in Entry.objects.all()} == {"Ada Alvarez", "Nora New"}
    assert "nobody waits" in boss.get(url("change", cup.pk)).text
    assert boss.get(url("requests_file", cup.pk)).text.count("\n") == 3
    boss.post(url("entries", cup.pk), {"remove": Entry.objects.get(player__number=1).pk})
    assert EntryRequest.objects.get(pk=known).state == "withdrawn"
    with django_assert_max_num_queries(40):
        boss.get(desk)


def test_the_desk_tells_of_each_request_what_is_known_and_what_is_missing(cup: Tournament, settings: Settings) -> None:
    send(Client(), name="Una Unsure")
    settings.MAIL = None
    Player.objects.filter(number=1).update(birth_year=1950)
    send(Client(), name="Nora New", birth_year="2015")
    send(Client(), "?player=1")
    send(Client(), name="Tim Timeless")
    boss = Client()
    boss.force_login(factory.make_arbiter())
    _unsure, new, known, timeless = EntryRequest.objects.order_by("pk").values_list("pk", flat=True)
    EntryRequest.objects.filter(pk=known).update(birth_year=1990)
    EntryRules.objects.update(born_from=1900)  # else nobody is asked for a year
    for button, key in (("paid", new), ("paid", known), ("unpaid", known)):
        boss.post(url("requests", cup.pk), {button: key})
    text = page_cases.text_of(boss, url("requests", cup.pk))
    assert "Not confirmed yet: 1." in text
    lines = {key: text.partition(f'id="request-{key}"')[2].partition("</li>")[0] for key in (new, known, timeless)}
    told = {
        "newcomer": {new, timeless},
        '<span class="alt">2015</span>': {new},
        '<span class="alt">1990</span>': {known},
        '<span class="alt">paid</span>': {new},
        'name="paid"': {known, timeless},
        'name="unpaid"': {new},
        'name="approve"': {known},
        'name="link_to"': {new, timeless},
        "another year of birth": {known},
        "Without a year of birth": {timeless},
    }
    assert {words: {key for key, line in lines.items() if words in line} for words in told} == told


def test_the_letter_of_a_request_that_waits_says_that_a_place_is_kept(client: Client, cup: Tournament) -> None:
    send(client, name="Nora New")
    assert "confirm:" in mail.outbox[-1].body
    assert "How it stands" not in mail.outbox[-1].body
    nora = Visitor()
    nora.open(link())
    nora.send("Confirm my entry")
    an_hour_later()
    send_entry_letter.func(EntryRequest.objects.get().pk, 1)
    for words, there in (("is noted. A place is kept", True), ("confirm:", False), ("is entered", False)):
        assert (words in mail.outbox[-1].body) == there, words


def test_of_two_events_each_has_its_own_page_and_desk(client: Client, cup: Tournament, settings: Settings) -> None:
    older = page_cases.make_event(factory.first_players(4), "dutch", name="Older Cup", rounds=3)
    set_entry_rules(older, NewRules(fee="7 €"), by=None)
    pair_next_round(page_cases.first_stage(older), by=None, day=factory.MONDAY, publish=True)
    pages = [client.get(f"/tournaments/{event.slug}/enter/").text for event in (cup, older)]
    assert [("5 €" in page, "7 €" in page) for page in pages] == [(True, False), (False, True)]
    send(client, "?player=1")
    client.post(link(), {"confirm": "1"})
    assert EntryRequest.objects.get().state == "entered", "the cup has not begun"
    settings.MAIL = None
    send(client, name="Nora New")
    client.force_login(factory.make_arbiter())
    new = EntryRequest.objects.latest("pk")
    answer = client.post(url("requests", older.pk), {"refuse": new.pk, f"answer-{new.pk}": "No"})
    assert (answer.status_code, "not there any more" in answer.text) == (409, True)
    assert count_waiting(page_cases.make_event([], "dutch", name="No Page")) is None


def test_who_may_not_add_people_adds_no_newcomer_at_the_desk(
    client: Client, cup: Tournament, settings: Settings
) -> None:
    settings.MAIL = None
    send(client, name="Nora New")
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__in=["change_tournament", "view_tournament"]))
    client.force_login(clerk)
    assert client.get(url("requests", cup.pk)).status_code == 200
    new = EntryRequest.objects.get()
    assert client.post(url("requests", cup.pk), {"create": new.pk}).status_code == 403
    assert not Player.objects.filter(name="Nora New").exists()


def test_the_rules_are_set_on_a_page_that_loses_nothing(cup: Tournament) -> None:
    boss, page = Client(), url("entry_rules", cup.pk)
    boss.force_login(factory.make_arbiter())
    shown = next(form.values for form in Page(boss.get(page).text).forms if "revision" in form.values)
    later = {"opens_at": "2026-05-02T10:00", "closes_at": "2026-05-01T10:00", "places": "24"}
    refused = boss.post(page, {**shown, **later})
    assert refused.status_code == 409
    assert "Entries close before they open" in refused.text
    assert 'value="24"' in refused.text
    assert boss.post(page, {**shown, "opens_at": "0001-01-01"}).status_code == 400
    assert boss.post(page, {**shown, "places": "24"}).status_code == 302
    assert boss.post(page, {**shown, "places": "25"}).status_code == 409, "an old tab"
    assert EntryRules.objects.get().places == 24
    assert boss.post(page, {"drop": "1", "revision": "2"}).status_code == 302
    assert not EntryRules.objects.exists()
    assert "tell an arbiter" in Client().get("/tournaments/cup/").text
    assert Client().get(PAGE).status_code == 404
