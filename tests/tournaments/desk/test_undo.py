"""The way back at the desk: offered where the risky thing was done, told before it is done, and for those who may."""

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import AuditEvent, Player
from ratings.models import LedgerEntry
from tests import factory
from tests.tournaments.admin_pages import fields_of, shown, url
from tests.visitor import Visitor
from tournaments.events.services.events import delete_tournament
from tournaments.models import Entry, Game, Round, Tournament
from tournaments.rounds.services.rounds import delete_rounds, publish_round, unpublish_round
from tournaments.standings.points import Result
from tournaments.undo.services.undo import last_undoable

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cup")]


def visitor(user: User) -> Visitor:
    found = Visitor()
    found.client.force_login(user)
    return found


def round_key(number: int = 1) -> int:
    return Round.objects.get(number=number).pk


@pytest.fixture
def ada() -> Visitor:
    """An arbiter at the desk."""
    return visitor(factory.make_arbiter("ann"))


# --- from the page on which it was done ---------------------------------------------------------------------------
def test_deleted_rounds_come_back_by_two_clicks(ada: Visitor, cup: Tournament) -> None:
    ada.open(url("delete_rounds", cup.pk))
    ada.send("Yes, delete the rounds", reason="paired-wrongly", note="two were missing")
    assert ada.sees("The rounds are deleted", "Last: all rounds deleted", "ann")
    assert not Round.objects.exists()
    ada.click("Undo")
    assert ada.sees("Undo: all rounds deleted", "paired wrongly", "5 rounds with 10 boards")
    ada.send("Undo it")
    assert ada.sees("Undone: all rounds deleted")
    assert Round.objects.count() == 5
    found = AuditEvent.objects.get(action="rounds.deleted.undone")
    assert (found.role, found.origin) == ("arbiter", "admin:tournaments_tournament_undo")


def test_a_bracket_drawn_again_comes_back(ada: Visitor, cup: Tournament) -> None:
    delete_tournament(cup.pk, by=None)
    knockout = factory.make_knockout(factory.first_players(4))
    before = Entry.objects.filter(seats__round__number=1).order_by("seats__pairing", "seats__line").values_list("pk")
    pairs = list(before.filter(seats__superseded=False))
    ada.open(url("redraw", factory.stage_of(knockout).pk))
    ada.send("Draw again", reason="paired-wrongly")
    ada.click("Undo")
    ada.send("Undo it")
    assert ada.sees("Undone: bracket drawn again")
    assert list(before.filter(seats__superseded=False)) == pairs


def test_who_was_withdrawn_or_taken_back_is_there_again_and_a_round_public(ada: Visitor, cup: Tournament) -> None:
    ada.open(url("withdraw", Entry.objects.get(number=2).pk))
    ada.send("Yes, withdraw")
    ada.click("Undo")
    assert ada.sees("#2 Bo Brandt", "4 games or matches are open again")
    ada.send("Undo it")
    assert not Entry.objects.filter(withdrawn=True).exists()
    ada.open(url("unpublish", round_key()))
    ada.send("Take it out of sight", reason="paired-wrongly")
    ada.click("Undo")
    ada.send("Undo it")
    assert Round.objects.get(pk=round_key()).state == "published"
    delete_rounds(factory.stage_of(cup), by=None)
    entry = Entry.objects.get(number=3)
    ada.client.post(url("entries", cup.pk), {"remove": str(entry.pk)})
    ada.open(url("entries", cup.pk))
    ada.click("Undo")
    assert ada.sees("player #3")
    ada.send("Undo it")
    assert Entry.objects.get(pk=entry.pk).number == 3


def test_a_deleted_event_comes_back_from_the_list(ada: Visitor, cup: Tournament) -> None:
    ada.open(reverse("admin:tournaments_tournament_delete", args=[cup.pk]))
    assert ada.sees("It can be undone")
    ada.send("Delete")
    assert ada.sees("“Winter Cup” is deleted.")
    ada.click("Undo")
    assert ada.sees("5 players with their numbers", "5 rounds")
    ada.send("Undo it")
    assert ada.sees("Undone: event “winter-cup” deleted", "Winter Cup")
    assert Tournament.objects.get().pk == cup.pk


def test_what_was_done_otherwise_is_not_offered_there(desk: Client, cup: Tournament, arbiter: User) -> None:
    delete_rounds(factory.stage_of(cup), by=arbiter)
    answer = desk.post(url("entries", cup.pk), {"do": "rating"}, follow=True).content.decode()
    assert "Numbers are given by rating" in answer
    assert "/undo/" not in answer


# --- when it no longer holds --------------------------------------------------------------------------------------
def test_what_moved_since_is_told_and_nothing_is_done(desk: Client, cup: Tournament, arbiter: User) -> None:
    delete_rounds(factory.stage_of(cup), by=arbiter)
    found = last_undoable(cup)
    assert found is not None
    address = url("undo", found.event.pk)
    form = fields_of(desk.get(address).content.decode())
    Entry.objects.get(number=5).delete()
    for answer in (desk.get(address), desk.post(address, form)):
        assert answer.status_code == 409
        assert 'role="alert"' in answer.content.decode()
    assert "Undo it" not in desk.get(address).content.decode()
    assert not Round.objects.exists()


def test_an_older_one_offers_no_button(desk: Client, cup: Tournament) -> None:
    unpublish_round(round_key(), reason="other", by=None)
    older = AuditEvent.objects.get(action="round.unpublished")
    assert "Undo it" in desk.get(url("undo", older.pk)).text
    publish_round(round_key(), by=None)
    answer = desk.get(url("undo", older.pk))
    assert (answer.status_code, "Undo it" in answer.text) == (409, False)


def test_an_undo_nobody_looked_at_is_refused_and_a_second_click_says_that_it_was_undone(
    desk: Client, cup: Tournament
) -> None:
    delete_rounds(factory.stage_of(cup), by=None)
    event = AuditEvent.objects.get(action="rounds.deleted")
    for seen in ("", "x", "0-0", "\x00", "9" * 500):
        assert desk.post(url("undo", event.pk), {"seen": seen}).status_code == 409, seen
    assert not Round.objects.exists()
    form = fields_of(desk.get(url("undo", event.pk)).content.decode())
    assert desk.post(url("undo", event.pk), form).status_code == 302
    assert desk.post(url("undo", event.pk), form).status_code == 409
    assert Round.objects.count() == 5


def test_a_line_that_is_no_risky_action_has_no_such_page(desk: Client, cup: Tournament) -> None:
    for event in AuditEvent.objects.filter(action__in=("tournament.created", "entry.made", "rounds.paired")):
        assert desk.get(url("undo", event.pk)).status_code == 404
    assert desk.get(url("undo", 10**12)).status_code == 404


# --- who may ------------------------------------------------------------------------------------------------------
def test_only_those_who_run_the_event_undo(client: Client, cup: Tournament) -> None:
    delete_rounds(factory.stage_of(cup), by=None)
    address = url("undo", AuditEvent.objects.get(action="rounds.deleted").pk)
    assert client.get(address)["Location"].startswith(reverse("admin:login"))
    for who in (factory.make_assistant(), factory.make_rating_officer()):
        client.force_login(who)
        assert client.get(address).status_code == 403, who
        assert client.post(address, {"seen": "x"}).status_code == 403, who
    assert not Round.objects.exists()


def test_a_deleted_event_is_brought_back_by_those_who_ran_it(desk: Client, cup: Tournament, arbiter: User) -> None:
    ann = factory.make_arbiter("ann")
    cup.officers.add(ann)
    delete_tournament(cup.pk, by=ann)
    address = url("undo", AuditEvent.objects.get(action="tournament.deleted").pk)
    assert desk.get(address).status_code == 403
    desk.force_login(ann)
    assert desk.post(address, fields_of(desk.get(address).content.decode())).status_code == 302
    assert list(Tournament.objects.get().officers.all()) == [ann]


# --- cost ---------------------------------------------------------------------------------------------------------
def test_a_large_event_s_offer_asks_as_much_as_a_small_one_s(desk: Client, cup: Tournament, arbiter: User) -> None:
    def asked(event: Tournament) -> int:
        delete_rounds(factory.stage_of(event), by=arbiter)
        with CaptureQueriesContext(connection) as found:
            assert "Last:" in shown(desk, "rounds", event.pk)
        return len(found)

    small = asked(cup)
    large = factory.make_round_robin(factory.make_players(12)[5:] + list(Player.objects.all()[:5]), name="Large")
    assert asked(large) == small <= 40


def test_a_deletion_asks_for_a_reason_that_fits_and_needs_none(desk: Client, cup: Tournament) -> None:
    html = shown(desk, "delete_rounds", cup.pk)
    assert re.findall(r'<option value="([^"]*)"', html) == ["", "paired-wrongly", "wrong-player", "left", "other"]
    assert desk.post(url("delete_rounds", cup.pk), {"reason": "entry-error"}).status_code == 200
    assert Round.objects.exists(), "a reason that does not fit deletes nothing"
    desk.post(url("delete_rounds", cup.pk), {"reason": "left", "note": "#5"})
    event = AuditEvent.objects.get(action="rounds.deleted")
    assert (event.reason, event.note) == ("left", "#5")


def test_before_a_player_is_deleted_stands_that_this_is_final(ada: Visitor, cup: Tournament) -> None:
    [spare] = factory.make_players(6)[5:]
    ada.open(reverse("admin:players_player_delete", args=[spare.pk]))
    assert ada.sees("This is final", "a deleted player does not come back")
    ada.send("Delete")
    assert not Player.objects.filter(pk=spare.pk).exists()


# --- the last steps ---------------------------------------------------------------------------------------------------
def test_the_last_steps_are_taken_back_together_after_a_look(ada: Visitor, cup: Tournament) -> None:
    before = list(Round.objects.values_list("pk", "state"))
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    ada.open(url("change", cup.pk))
    ada.click("Last steps")
    assert ada.sees("result entered", "Winter Cup, round 1, board 2", "What would go: 2 steps", "all rounds made")
    ada.click("What would go: 2 steps")
    assert ada.sees("Take back the last 2 steps?", "Results", "2 → 0", "4 ratings move", "First in the standings")
    ada.send("Take 2 steps back")
    assert ada.sees("2 steps are taken back", "all rounds made")
    assert list(Round.objects.values_list("pk", "state")) == before
    assert not LedgerEntry.objects.exists()
    told = AuditEvent.objects.filter(action="result.recorded.undone")
    assert {(line.role, line.origin) for line in told} == {("arbiter", "admin:tournaments_tournament_steps")}
    assert "result entered" not in shown(ada.client, "steps", cup.pk)


def test_a_step_that_is_none_or_that_nobody_looked_at_is_refused(desk: Client, cup: Tournament) -> None:
    [game, _other] = factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    step = AuditEvent.objects.get(action="result.recorded", subject_key=game.pk).pk
    address = url("steps", cup.pk)
    for asked in ("0", "x", "9" * 30, "\x00", str(step + 10**6)):
        assert desk.get(address, {"step": asked}).status_code == 409, asked
    for seen in ("", "\x00"):
        assert desk.post(address, {"step": step, "seen": seen}).status_code == 409
    assert Game.objects.exclude(result="").count() == 2


def test_the_list_costs_the_same_for_one_step_and_for_twenty(desk: Client, cup: Tournament) -> None:
    counts = []
    for number in (1, 2, 3, 4):
        factory.play_round(cup, number, [Result.DRAW, Result.DRAW])
        with CaptureQueriesContext(
            connection,
        ) as queries:
            shown(desk, "steps", cup.pk)
        counts.append(len(queries))
    assert counts[1:] == counts[:1] * 3
    assert counts[0] < 20
