"""What becomes of a request to enter: officers' decisions, its link, and what is kept of it."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from players.models import AuditEvent, Player
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages import page_cases
from tests.tournaments.registrations import request_cases
from tests.tournaments.registrations.request_cases import State, asks, opened, player, states
from tournaments.entries.selectors import likely_people
from tournaments.entries.services.entries import enter_players, number_by_rating
from tournaments.erasure.services.erasure import anonymise_player
from tournaments.formats.services import form_stages
from tournaments.models import Entry, EntryRequest, Tournament
from tournaments.notices.selectors import ENTRY
from tournaments.registrations.selectors import requests_of, requests_sheet
from tournaments.registrations.services import desk
from tournaments.registrations.services.queue import places_left, store
from tournaments.registrations.services.requests import (
    NewRequest,
    ask_for_entry,
    confirm_entry,
    forget_address,
    forget_old_requests,
    letter_not_sent,
    letter_secret,
    new_secret,
    request_of,
    withdraw_request,
)
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.undo.services.undo import last_undoable, undo
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db
standard = club_and_list
mail_server, cup = request_cases.mail_server, request_cases.cup


# --- officers -----------------------------------------------------------------------------------------------------
def test_a_newcomer_waits_whatever_the_rules_say_and_is_linked_or_added(cup: Tournament) -> None:
    opened(cup)
    known, new = asks(cup, "Alvarez, Ada"), asks(cup, "Nora New", birth_year=2015)
    assert states(cup) == ["waits", "waits"]
    anonymise_player(player(3).pk, by=None)
    alef = "\N{ARABIC LETTER ALEF}"  # nothing is left of it in Latin letters: as empty as the name of who is erased
    people = {known.pk: known.name, new.pk: new.name, 0: "Bo Brant", -1: alef}
    likely = likely_people({key: (name, None) for key, name in people.items()})
    assert {key: [each.number for each in rows] for key, rows in likely.items()} == {known.pk: [1], 0: [2]}
    Player.objects.filter(number=2).update(birth_year=1970)
    assert likely_people({0: ("Bo Brant", 1980)}) == {}, "of another year"
    Player.objects.filter(number=2).update(merged_into=player(1))
    assert likely_people({0: ("Bo Brant", None)}) == {}, "a record merged into another is nobody"
    Player.objects.filter(number=4).update(name="Eva Engels")
    assert likely_people({0: ("Eva Engel", None)}) == {0: [player(5), player(4)]}, "the surest first"
    Player.objects.filter(number=2).update(merged_into=None, birth_year=None)
    with pytest.raises(Refused, match="a newcomer"):
        desk.approve(known.pk, by=None)
    desk.link_player(known.pk, player(1), by=(officer := factory.make_arbiter()))
    own = {"tournament": cup.slug, "player": 1, "number": 1}
    assert factory.told("entry-request.linked", known, officer).after == {**own, "state": "waits"}
    added = desk.create_from(new.pk, by=None)
    assert (added.name, added.birth_year, added.visibility) == ("Nora New", 2015, "initials")
    assert desk.approve_all(cup, by=officer) == (2, [])
    assert factory.told("entry-request.approved", known, officer).after == {**own, "state": "entered"}
    assert set(EntryRequest.objects.values_list("name", "birth_year", "state")) == {("", None, "entered")}
    with pytest.raises(Refused, match="decided or withdrawn meanwhile"):
        desk.refuse(known.pk, by=None, answer="too late")
    desk.refuse(asks(cup, "Nell New").pk, by=None, answer="Full.")
    event = AuditEvent.objects.get(action="entry-request.refused")
    assert ENTRY.told(event, None, timezone.localtime()) == {}, "but for the letter it is nobody's"


def test_a_year_of_birth_cannot_be_found_by_trying_and_officers_approve_a_wrong_one_alone(cup: Tournament) -> None:
    opened(cup, born_from=2000)
    Player.objects.filter(number=1).update(birth_year=1950)
    Player.objects.filter(number=2).update(birth_year=2001)
    lies, right = asks(cup, player(1), birth_year=2001), asks(cup, player(2), birth_year=2001)
    assert (lies.state, right.state) == (State.WAITING, State.WAITING)
    assert desk.approve_all(cup, by=None) == (1, ["#1: The club knows another year of birth of this player."])


def test_whom_the_event_cannot_take_waits_for_an_officer(standard: RatingList) -> None:
    people = factory.make_players(6)
    groups = page_cases.make_event(people[:5], "groups", name="Groups")
    opened(groups)
    form_stages(page_cases.first_stage(groups), by=None, seed=1)
    row = asks(groups, people[5])
    assert (row.state, row.entry, Entry.objects.count()) == (State.WAITING, None, 5)


def test_without_mail_nobody_is_entered_by_a_stranger(cup: Tournament, settings: Settings) -> None:
    settings.MAIL = None
    opened(cup, places=1)
    first, second = asks(cup, player(1)), asks(cup, player(2))
    assert (first.state, second.state) == (State.WAITING, State.LISTED)
    withdraw_request(first.pk, role="visitor")
    second.refresh_from_db()
    assert second.state == State.WAITING


def test_a_merged_player_is_entered_as_the_record_that_was_kept(cup: Tournament) -> None:
    opened(cup, approval=True)
    gone, kept = (asks(cup, player(number)) for number in (1, 2))
    Player.objects.filter(number=1).update(merged_into=player(2))
    with pytest.raises(Refused, match="has asked already"):
        desk.approve(gone.pk, by=None)
    EntryRequest.objects.filter(pk=kept.pk).update(state=State.LISTED)
    assert desk.approve_all(cup, by=None) == (0, ["Player #2 has asked already: refuse one of the two requests."])
    desk.refuse(kept.pk, by=None, answer="twice " * 60)
    assert len(EntryRequest.objects.get(pk=kept.pk).answer) == 300, "as long as it may be"
    desk.approve(gone.pk, by=None)
    assert Entry.objects.get().player.number == 2


def test_what_was_paid_is_noted_once_and_the_sheet_has_it(cup: Tournament) -> None:
    rules = opened(cup, fee="5 €")
    row = asks(cup, player(1))
    for _ in range(2):
        desk.mark_paid(row.pk, paid=True, by=None)
    assert AuditEvent.objects.filter(action="entry-request.paid").count() == 1
    assert requests_sheet(rules).rows[0][:7] == (1, "entered", 1, "Ada Alvarez", None, "", "yes")


def test_what_is_decided_in_one_event_decides_nothing_in_another(cup: Tournament) -> None:
    other = page_cases.make_event([], "dutch", name="Older Cup", rounds=5)
    Player.objects.update(birth_year=1980)
    for event, years in ((other, {"born_from": 1900}), (cup, {})):
        opened(event, approval=True, **years)
        known, new = (asks(event, who, birth_year=1990) for who in (player(1), "Nora New"))
        desk.link_player(new.pk, player(2), by=None)
        asks(event, "Nils New", birth_year=1990)
        late = ask_for_entry(event, NewRequest(player(3), birth_year=1990, address="c@example.org"), role="visitor")[0]
    secret = letter_secret(EntryRequest.objects.get(tournament=other, player=player(3)))
    confirm_entry(late.pk, role="visitor")
    desk.mark_paid(known.pk, paid=True, by=None)
    desk.approve(known.pk, by=None)
    forget_address(known.pk)
    assert desk.approve_all(cup, by=None) == (2, []), "a newcomer is nobody's problem"
    assert set(Entry.objects.values_list("tournament", "player__number")) == {(cup.pk, number) for number in (1, 2, 3)}
    rows = EntryRequest.objects.filter(tournament=other)
    assert {str(row.state) for row in rows} == {"waits", "new"}
    assert all(row.address and not row.paid for row in rows)
    assert request_of(other.slug, secret) is not None


def test_whoever_was_entered_and_left_meanwhile_is_not_entered_by_a_request(cup: Tournament) -> None:
    opened(cup, approval=True)
    stays, leaves = (asks(cup, player(number)) for number in (1, 2))
    enter_players(cup, [player(number) for number in (1, 2, 3)], by=None)
    number_by_rating(page_cases.first_stage(cup), by=None)
    pair_next_round(page_cases.first_stage(cup), by=None, day=factory.MONDAY, publish=True)
    withdraw_entry(Entry.objects.get(player__number=2).pk, by=None)
    assert desk.approve(stays.pk, by=None).entry == Entry.objects.get(player__number=1)
    with pytest.raises(Refused, match="entered already"):
        desk.approve(leaves.pk, by=None)
    assert states(cup) == ["entered", "waits"]


# --- links, and what is kept --------------------------------------------------------------------------------------
def test_a_link_is_no_longer_than_the_event_lets_it_be(cup: Tournament, settings: Settings) -> None:
    settings.MAIL = None
    opened(cup)
    row, secret = ask_for_entry(cup, NewRequest(player=player(1)), role="visitor")
    assert secret not in "".join(map(str, EntryRequest.objects.values_list()))
    assert request_of(cup.slug, secret) == row
    assert request_of("another-cup", secret) is None
    desk.approve(row.pk, by=None)
    number_by_rating(page_cases.first_stage(cup), by=None)
    enter_players(cup, [player(2)], by=None)
    number_by_rating(page_cases.first_stage(cup), by=None)
    pair_next_round(page_cases.first_stage(cup), by=None, day=factory.MONDAY, publish=True)
    with pytest.raises(Refused, match="The rounds are made"):
        withdraw_request(row.pk, role="visitor")
    with pytest.raises(Refused, match="confirmed already"):
        confirm_entry(row.pk, role="visitor")


def test_a_link_to_confirm_ends_after_two_days_and_others_do_not(cup: Tournament) -> None:
    opened(cup, approval=True)
    new = ask_for_entry(cup, NewRequest(player=player(1), address="a@example.org"), role="visitor")[0]
    links = [letter_secret(row) for row in (new, asks(cup, player(2)))]
    for hours, states_found in ((47, ["new", "waits"]), (49, ["waits"])):
        EntryRequest.objects.update(letter_at=timezone.now() - timedelta(hours=hours))
        assert [str(row.state) for link in links if (row := request_of(cup.slug, link))] == states_found


def test_an_erased_person_leaves_no_request(cup: Tournament) -> None:
    opened(cup, approval=True)
    rows = {name: asks(cup, who, address="a@example.org") for name, who in (("known", player(1)), ("new", "Nora New"))}
    boss = factory.make_administrator()
    for _again in range(2):
        desk.link_player(rows["new"].pk, player(2), by=None)
    anonymise_player(player(2).pk, by=boss)
    assert [row.player_id for row in EntryRequest.objects.all()] == [player(1).pk]
    assert not forget_old_requests()


def test_old_requests_go_by_themselves_each_kind_in_its_time(cup: Tournament) -> None:
    now = timezone.now()
    for name, days in (("Long Over", 31), ("Just Over", 29)):
        over = page_cases.make_event([], "dutch", name=name, rounds=5)
        Tournament.objects.filter(pk=over.pk).update(closed=True, closed_at=now - timedelta(days=days))
        EntryRequest.objects.create(tournament=over, name=name, state=State.ENTERED, asked_at=now - timedelta(days=60))
    for state, asked, settled in (
        (State.UNCONFIRMED, 4, None),
        (State.UNCONFIRMED, 2, None),
        (State.WAITING, 40, None),
        (State.ENTERED, 60, 40),
        (State.REFUSED, 60, 31),
        (State.WITHDRAWN, 60, 31),
        (State.WITHDRAWN, 60, 29),
    ):
        at = {"asked_at": now - timedelta(days=asked), "settled_at": settled and now - timedelta(days=settled)}
        EntryRequest.objects.create(tournament=cup, name=f"{state} {asked} {settled}", state=state, **at)
    assert forget_old_requests() == 4
    kept = set(EntryRequest.objects.values_list("name", flat=True))
    assert kept == {"Just Over", "new 2 None", "waits 40 None", "entered 60 40", "withdrawn 60 29"}


@pytest.mark.parametrize("how", ["removed", "withdrawn"])
def test_what_is_undone_takes_the_request_along(cup: Tournament, how: str) -> None:
    opened(cup)
    first, _second = (asks(cup, player(number)) for number in (1, 2))
    opened(other := page_cases.make_event([], "dutch", name="Other Cup", rounds=5))
    entry = Entry.objects.get(player__number=1).pk
    if how == "removed":
        desk.take_entry_back(entry, cup, by=None)
    else:
        number_by_rating(page_cases.first_stage(cup), by=None)
        pair_next_round(page_cases.first_stage(cup), by=None, day=factory.MONDAY, publish=True)
        withdraw_entry(entry, by=None)
    assert states(cup) == ["withdrawn", "entered"]
    asks(other, player(1))
    last = last_undoable(cup)
    assert last is not None
    undo(last.event.pk, by=None, seen=last.seen)
    assert factory.told("entry-request.returned", first).after["state"] == "entered"
    first.refresh_from_db()
    assert (states(cup), first.entry_id) == (["entered", "entered"], entry)


def test_who_asked_anew_stands_there_by_the_new_request_when_the_entry_comes_back(cup: Tournament) -> None:
    opened(cup, approval=True)
    desk.approve(asks(cup, player(1)).pk, by=None)
    desk.take_entry_back(Entry.objects.get().pk, cup, by=None)
    asks(cup, player(1))
    last = last_undoable(cup)
    assert last is not None
    undo(last.event.pk, by=None, seen=last.seen)
    assert (Entry.objects.count(), states(cup)) == (1, ["withdrawn", "waits"])


def test_the_desk_shows_what_was_settled_last_first(cup: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.registrations.selectors.SETTLED_SHOWN", 2)
    rules, now = opened(cup), timezone.now()
    for number, ago in ((1, 2), (2, 1), (3, 3)):
        at = now - timedelta(hours=ago)
        EntryRequest.objects.create(
            tournament=cup, player=player(number), state=State.REFUSED, asked_at=now, settled_at=at
        )
    assert [line.request.player for line in requests_of(rules).settled] == [player(2), player(1)]


@pytest.mark.parametrize("how", ["removed", "withdrawn"])
def test_an_entry_that_comes_back_brings_no_other_request_of_the_player_along(cup: Tournament, how: str) -> None:
    opened(cup)
    now = timezone.now()
    for state, at in ((State.REFUSED, now + timedelta(hours=1)), (State.WITHDRAWN, now - timedelta(hours=1))):
        EntryRequest.objects.create(tournament=cup, player=player(1), state=state, asked_at=at, settled_at=at)
    enter_players(cup, [player(1), player(2)], by=None)
    entry = Entry.objects.get(player__number=1).pk
    if how == "removed":
        desk.take_entry_back(entry, cup, by=None)
    else:
        number_by_rating(page_cases.first_stage(cup), by=None)
        pair_next_round(page_cases.first_stage(cup), by=None, day=factory.MONDAY, publish=True)
        withdraw_entry(entry, by=None)
    last = last_undoable(cup)
    assert last is not None
    undo(last.event.pk, by=None, seen=last.seen)
    assert sorted(states(cup)) == ["refused", "withdrawn"], "it came by none of them"


def test_a_flood_of_requests_pushes_out_its_own_and_takes_no_place(
    cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.registrations.services.requests.MOST_UNCONFIRMED", 5)
    rules = opened(cup, places=2)

    def comes(name: str, source: str) -> int:
        new = NewRequest(name=name, address=f"{name}@example.org".replace(" ", ""), source=source)
        return ask_for_entry(cup, new, role="visitor")[0].pk

    honest = [comes("Nora New", "10.0.1.0/24"), comes("Omar Old", "10.0.2.0/24")]
    flood = [comes(f"Bot {letter}", "10.9.9.0/24") for letter in "abcdefgh"]
    kept = set(EntryRequest.objects.values_list("pk", flat=True))
    assert kept == {*honest, *flood[-3:]}
    assert places_left(rules) == 2
    assert "10.9.9" not in "".join(map(str, EntryRequest.objects.values_list()))


def test_a_letter_that_goes_meanwhile_keeps_its_link(cup: Tournament) -> None:
    opened(cup, approval=True)
    stale, other = asks(cup, player(1)), asks(cup, player(2))
    page, others_page = new_secret(stale), new_secret(other)
    others, secret = letter_secret(other), letter_secret(EntryRequest.objects.get(pk=stale.pk))
    letter_not_sent(stale, "an earlier letter’s", None, "")
    store(stale)  # as if it was read before the letter went
    found = request_of(cup.slug, secret)
    assert found is not None
    assert found.told == State.WAITING
    letter_not_sent(found, secret, None, "")
    links = (page, secret, others_page, others)
    assert [request_of(cup.slug, link) for link in links] == [stale, None, other, other], "each has its own links"
