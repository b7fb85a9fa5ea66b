"""Players enter an event by themselves: places and the waiting list, conditions, and whom the page offers."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from players.models import AuditEvent, Player
from players.people.services import NewPlayer, create_player, create_players
from players.privacy.rules import MEMBER, NOBODY
from players.refusals import Refused
from tests import factory
from tests.desk_scene import client_of
from tests.tournaments.admin_pages import url
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages import page_cases
from tests.tournaments.registrations import request_cases
from tests.tournaments.registrations.request_cases import State, asks, opened, player, states
from tournaments.entries.services.entries import enter_players, number_by_rating
from tournaments.models import ByeRequest, Entry, EntryRequest, EntryRules, Tournament
from tournaments.presence.services import ask_half_byes
from tournaments.registrations.selectors import MOST_FOUND, offered, offered_player
from tournaments.registrations.services import desk
from tournaments.registrations.services.queue import entry_gone, move_up, place_in_list, places_left
from tournaments.registrations.services.requests import NewRequest, ask_for_entry, confirm_entry, withdraw_request
from tournaments.registrations.services.rules import (
    NewRules,
    bye_rounds,
    drop_entry_rules,
    set_entry_rules,
    why_closed,
)
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
standard = club_and_list
mail_server, cup = request_cases.mail_server, request_cases.cup


# --- places -------------------------------------------------------------------------------------------------------
def test_whoever_comes_after_the_last_place_waits_and_moves_up_in_order(cup: Tournament) -> None:
    rules = opened(cup, places=2)
    rows = [asks(cup, player(number)) for number in (1, 2, 3, 4)]
    assert states(cup) == ["entered", "entered", "listed", "listed"]
    assert [place_in_list(row) for row in rows[2:]] == [1, 2]
    withdraw_request(rows[0].pk, role="visitor")
    assert states(cup) == ["withdrawn", "entered", "entered", "listed"]
    lines = ("entry-request.made", "entry-request.confirmed", "entry-request.withdrawn")
    told, own = [factory.told(line, rows[0], "visitor").after for line in lines], {"tournament": cup.slug, "player": 1}
    seats = [own | {"number": 1, "state": state} for state in ("entered", "withdrawn")]
    assert told == [own | {"state": "new"}, *seats]
    assert set(Entry.objects.values_list("player__number", flat=True)) == {2, 3}
    assert AuditEvent.objects.filter(action="entry-request.moved-up").count() == 1
    set_entry_rules(cup, NewRules(places=3, approval=False), by=None)
    assert states(cup) == ["withdrawn", "entered", "entered", "entered"]
    rules = EntryRules.objects.get(pk=rules.pk)
    assert places_left(rules) == 0
    Entry.objects.filter(player__number=2).update(withdrawn=True)
    assert places_left(rules) == 1
    for _again in range(2):
        entry_gone(Entry.objects.get(player__number=3).pk, by=None)
    assert AuditEvent.objects.filter(action="entry-request.withdrawn").count() == 2, "each request once"


@pytest.mark.extended
@pytest.mark.parametrize("how", ["taken back", "withdrawn", "refused"])
def test_a_place_that_officers_free_is_taken_in_the_same_step(cup: Tournament, how: str) -> None:
    opened(cup, places=2, approval=how == "refused")
    first, _second, third = (asks(cup, player(number)) for number in (1, 2, 3))
    officer = factory.make_arbiter()
    if how == "taken back":
        desk.take_entry_back(Entry.objects.get(player__number=1).pk, cup, by=officer)
    elif how == "refused":
        desk.refuse(first.pk, by=officer, answer="The club is full of Adas")
    else:
        number_by_rating(page_cases.first_stage(cup), by=None)
        pair_next_round(page_cases.first_stage(cup), by=None, day=factory.MONDAY, publish=True)
        withdraw_entry(Entry.objects.get(player__number=1).pk, by=officer)
    third.refresh_from_db()
    first.refresh_from_db()
    line = "entry-request.refused" if how == "refused" else "entry-request.withdrawn"
    assert factory.told(line, first, officer).after["state"] == first.state
    assert factory.told("entry-request.moved-up", third, officer).after["state"] == third.state
    # Once rounds are made an officer looks at whoever comes late.
    assert (first.state, third.state) == {
        "taken back": (State.WITHDRAWN, State.ENTERED),
        "withdrawn": (State.WITHDRAWN, State.WAITING),
        "refused": (State.REFUSED, State.WAITING),
    }[how]
    if how == "withdrawn":
        desk.approve(third.pk, by=None)
        assert Entry.objects.get(player__number=3).first_round == 2


def test_of_two_events_each_has_its_own_places_list_and_requests(cup: Tournament) -> None:
    other = page_cases.make_event([], "dutch", name="Older Cup", rounds=5)
    for event, numbers in ((other, (2, 3, 1)), (cup, (1, 2, 3))):
        opened(event, places=1)
        rows = [asks(event, player(number)) for number in numbers]
        assert [row.turn for row in rows] == [1, 2, 3]
        assert states(event) == ["entered", "listed", "listed"]
        assert [place_in_list(row) for row in rows[1:]] == [1, 2]
    desk.take_entry_back(Entry.objects.get(tournament=cup).pk, cup, by=None)
    assert states(cup) == ["withdrawn", "entered", "listed"]
    withdraw_request(rows[1].pk, role="visitor")
    assert states(cup) == ["withdrawn", "withdrawn", "entered"]
    asks(cup, player(1))
    assert states(cup) == ["withdrawn", "withdrawn", "entered", "listed"], "a new one, by the same address"
    assert states(other) == ["entered", "listed", "listed"]


def test_an_officer_takes_somebody_off_the_list_beyond_the_places(cup: Tournament) -> None:
    opened(cup, places=1)
    asks(cup, player(1))
    listed = asks(cup, player(2))
    desk.approve(listed.pk, by=None)
    assert states(cup) == ["entered", "entered"]
    assert not move_up(cup, by=None)
    asks(cup, player(3))
    Entry.objects.update(withdrawn=True)
    for closed, moved in ((True, 0), (False, 1)):
        Tournament.objects.update(closed=closed)
        assert len(move_up(cup, by=None)) == moved


def test_a_page_on_which_entries_close_at_an_hour_to_come_is_not_kept(cup: Tournament) -> None:
    for closes_at, kept in ((None, True), (timezone.now() + HOUR, False)):
        opened(cup, closes_at=closes_at)
        assert Client().get(cup.get_absolute_url()).has_header("ETag") is kept


def test_an_event_takes_entries_from_its_moment_to_its_moment_and_the_first_to_the_last_year(cup: Tournament) -> None:
    opens, tick = timezone.now(), timedelta(microseconds=1)
    rules = opened(cup, opens_at=opens, closes_at=opens + HOUR, born_from=2008, born_until=2010)
    moments = (opens - tick, opens, opens + HOUR - tick, opens + HOUR)
    assert [not why_closed(rules, at) for at in moments] == [False, True, True, False]
    for number, year in ((1, 2008), (2, 2010)):
        assert asks(cup, player(number), birth_year=year).state == State.WAITING


# --- refusals -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("rules", "wish", "sentence"),
    [
        ({"opens_at": HOUR}, {}, "Entries open on"),
        ({"closes_at": -HOUR}, {}, "Entries closed on"),
        ({"born_from": 2010}, {}, "write the year of birth"),
        ({"born_from": 2010}, {"birth_year": 2009}, "born in 2010 or later"),
        ({"born_until": 1966}, {"birth_year": 1967}, "born in 1966 or earlier"),
        ({"byes": True}, {"byes": (1, 2)}, "gives 1 half-point byes"),
        ({"byes": True}, {"byes": (5,)}, "no half-point bye is given"),
        ({}, {"byes": (1,)}, "no half-point bye is given"),
        ({}, {"name": " - "}, "at least one letter"),
    ],
)
def test_every_refusal_is_a_sentence_and_keeps_nothing(
    cup: Tournament, rules: dict[str, Any], wish: dict[str, Any], sentence: str
) -> None:
    now = timezone.now()
    opened(cup, **{name: now + value if isinstance(value, timedelta) else value for name, value in rules.items()})
    with pytest.raises(Refused, match=sentence):
        ask_for_entry(cup, NewRequest(**{"name": "Nora New", **wish}), role="visitor")
    assert not EntryRequest.objects.exists()


def test_who_confirms_after_entries_closed_is_not_entered(cup: Tournament) -> None:
    opened(cup)
    request = ask_for_entry(cup, NewRequest(player=player(1), address="a@example.org"), role="visitor")[0]
    opened(cup, closes_at=timezone.now() - HOUR)
    with pytest.raises(Refused, match="Entries closed on"):
        confirm_entry(request.pk, role="visitor")
    assert states(cup) == ["new"]


def test_nobody_asks_twice_nor_once_entered_nor_outside_the_ratings(cup: Tournament) -> None:
    def ask(number: int, address: str) -> EntryRequest:
        new = NewRequest(player=player(number), address=address)
        return ask_for_entry(Tournament.objects.get(), new, role="visitor")[0]

    opened(cup, approval=True)
    unconfirmed = {number: ask(number, "b@example.org") for number in (1, 2, 3)}
    asks(cup, player(1))
    enter_players(cup, [player(2)], by=None)
    Tournament.objects.update(tier_from=2000)
    for number, sentence in ((1, "noted already"), (2, "entered already"), (3, "this event is for 2000 and more")):
        with pytest.raises(Refused, match=sentence):
            ask(number, "c@example.org")
        with pytest.raises(Refused, match=sentence):
            confirm_entry(unconfirmed[number].pk, role="visitor")
    assert sorted(states(cup)) == ["new", "new", "new", "waits"]


def test_what_is_decided_or_lacks_something_is_refused_and_nothing_moves(cup: Tournament) -> None:
    opened(cup, approval=True)
    row, new, out, gone = (asks(cup, who) for who in (player(1), "Nora New", player(3), player(5)))
    withdraw_request(out.pk, role="visitor")
    EntryRequest.objects.filter(pk=gone.pk).delete()
    Player.objects.filter(number=4).update(merged_into=player(5))
    before, lines = states(cup), AuditEvent.objects.count()
    for sentence, deed in (
        ("Write the reason", lambda: desk.refuse(row.pk, by=None, answer=" ")),
        ("no record of its own", lambda: desk.link_player(new.pk, player(4), by=None)),
        ("no record of its own", lambda: desk.link_player(new.pk, Player(), by=None)),
        ("has asked already", lambda: desk.link_player(new.pk, player(1), by=None)),
        ("has a player already", lambda: desk.create_from(row.pk, by=None)),
        ("taken back already", lambda: withdraw_request(out.pk, role="visitor")),
        ("not there any more", lambda: withdraw_request(gone.pk, role="visitor")),
        ("Write an e-mail address", lambda: asks(cup, player(2), address="")),
    ):
        with pytest.raises(Refused, match=sentence):
            deed()
    assert (states(cup), AuditEvent.objects.count(), Player.objects.count()) == (before, lines, 5)
    desk.link_player(new.pk, player(3), by=None)
    new.refresh_from_db()
    assert new.player == player(3), "who has withdrawn may be somebody's again"
    Tournament.objects.update(closed=True)
    with pytest.raises(Refused, match="The event is over"):
        asks(Tournament.objects.get(), player(2))


def test_half_point_byes_go_with_the_entry_before_it_has_a_number(cup: Tournament) -> None:
    opened(cup, byes=True)
    Tournament.objects.update(half_byes=5, half_byes_end=0)
    cup.refresh_from_db()
    assert asks(cup, player(1), byes=(5, 4, 1, 3, 2)).byes == "1,2,3,4,5"
    found = ByeRequest.objects.order_by("round_number").values_list("entry__player__number", "round_number", "kind")
    assert list(found) == [(1, number, "half") for number in (1, 2, 3, 4, 5)]
    row = ask_for_entry(cup, NewRequest(player=player(2), address="b@example.org", byes=(4, 2, 4)), role="visitor")[0]
    assert row.byes == "2,4"
    Tournament.objects.update(half_byes=1)
    assert confirm_entry(row.pk, role="visitor")[0].byes == "2", "what the event gives by now"


def test_a_keizer_event_gives_byes_for_rounds_to_come_and_a_swiss_without_byes_gives_none(cup: Tournament) -> None:
    rules = opened(cup, byes=True)
    Tournament.objects.update(half_byes=0)
    assert bye_rounds(EntryRules.objects.get(pk=rules.pk)) == []
    robin = opened(factory.make_round_robin(factory.first_players(4), name="Robin"), byes=True)
    assert bye_rounds(robin) == []
    assert ask_half_byes(Entry.objects.filter(tournament=robin.tournament)[0], [4], by=None) == []
    keizer = page_cases.make_event([], "keizer", name="Keizer")
    assert bye_rounds(opened(keizer, byes=True)) == list(range(1, 13))
    Tournament.objects.filter(pk=keizer.pk).update(half_byes=0)
    assert asks(Tournament.objects.get(pk=keizer.pk), player(1), byes=(1, 2, 3)).byes == "1,2,3", "excuses"


def test_an_event_of_another_kind_takes_no_entries_and_nobody_is_lost_when_it_stops(cup: Tournament) -> None:
    others = opened(page_cases.make_event([], "dutch", name="Older Cup", rounds=5))
    with pytest.raises(Refused, match="takes no entries on its page"):
        asks(cup, player(1))
    with pytest.raises(Refused, match="takes no entries on its page"):
        drop_entry_rules(cup, by=None)
    with pytest.raises(Refused, match="without end"):
        opened(page_cases.make_event([], "free", name="Evenings"))
    opened(cup, approval=True)
    row = asks(cup, player(1))
    with pytest.raises(Refused, match="Requests wait"):
        drop_entry_rules(cup, by=None)
    desk.approve(row.pk, by=None)
    with pytest.raises(Refused, match="changed these rules meanwhile"):
        drop_entry_rules(cup, by=None, revision=7)
    drop_entry_rules(cup, by=(officer := factory.make_arbiter()))
    was = factory.told("entry-rules.dropped", cup, officer).before
    told = factory.told("entry-rules.changed", cup)
    assert (told.before, told.after["approval"], told.after) == ({}, True, was)
    assert Entry.objects.count() == 1
    assert EntryRules.objects.get() == others


def test_an_event_that_has_begun_takes_requests_while_there_is_room(cup: Tournament) -> None:
    odd, even = (factory.make_round_robin(factory.first_players(count), name=f"Cup of {count}") for count in (3, 4))
    for event in (odd, even):
        opened(event)
    assert asks(odd, player(4)).state == State.WAITING
    with pytest.raises(Refused, match="has begun and takes nobody more"):
        asks(even, player(5))


def test_pairs_made_of_an_open_event_close_its_entries(cup: Tournament) -> None:
    opened(cup)
    Tournament.objects.update(entry_size=2)
    with pytest.raises(Refused, match="several enter together"):
        asks(cup, player(1))


@pytest.mark.parametrize("change", [{"entry_size": 2}, {"system": "teams"}])
def test_rules_of_an_event_that_became_another_kind_say_so_and_can_be_ended(
    cup: Tournament, change: dict[str, Any]
) -> None:
    rules = opened(cup)
    Tournament.objects.filter(pk=cup.pk).update(**{key: value for key, value in change.items() if key != "system"})
    if "system" in change:
        cup.stages.update(pairing_system=change["system"])
    officer, address = client_of(factory.make_arbiter()), url("entry_rules", cup.pk)
    page = officer.get(address)
    assert "give the event another format" in page.text
    assert "Take entries" not in page.text
    assert officer.post(address, {"revision": rules.revision, "places": "4"}).status_code == 409
    assert officer.post(address, {"revision": rules.revision, "drop": "1"}).status_code == 302
    assert officer.get(address).status_code == 404


# --- whom the page offers -----------------------------------------------------------------------------------------
def test_offered_is_who_is_shown_by_name_so_that_the_list_tells_nothing_of_ages(cup: Tournament) -> None:
    for name, more in {
        "Planted Hidden": {"visibility": "hidden"},
        "Planted Minor": {"birth_year": timezone.localdate().year - 12, "visibility": "initials"},
        "Planted Prodigy": {"birth_year": timezone.localdate().year - 12, "visibility": "initials"},
        "Planted Member": {"visibility": "members"},
        "Planted Away": {"active": False},
        "Planted Public": {},
    }.items():
        create_player(NewPlayer(name, **more), by=None)  # type: ignore[arg-type]
    Player.objects.filter(name="Planted Prodigy").update(visibility="public")  # a guardian allowed it
    public = ["Planted Prodigy", "Planted Public"]
    assert [row.name for row in offered(NOBODY, "planted")] == public
    assert [row.name for row in offered(MEMBER, "planted")] == ["Planted Member", "Planted Minor", *public]
    hidden, minor = (str(Player.objects.get(name=name).number) for name in ("Planted Hidden", "Planted Minor"))
    assert [offered_player(NOBODY, number) for number in (hidden, minor, "999", "x")] == [None] * 4
    create_players([NewPlayer(f"Crowd {number}") for number in range(MOST_FOUND + 1)], by=None)
    assert len(offered(NOBODY, "crowd")) == MOST_FOUND
