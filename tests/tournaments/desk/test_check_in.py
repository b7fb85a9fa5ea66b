"""The check-in page: two buttons a player, found by a few letters, two doors at once; and what the next round takes
from it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests import factory
from tests.tournaments.admin_pages import fields_of, shown, url
from tests.tournaments.rounds.round_cases import byes_of, entry
from tests.visitor import Visitor
from tournaments.models import ByeRequest, CheckIn, Entry, Round, Stage, Tournament
from tournaments.presence.selectors import here_on
from tournaments.presence.services import check_in
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import delete_round

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time", "league")]


@pytest.fixture
def event(league: Stage) -> Tournament:
    return league.tournament


def seen(event: Tournament) -> dict[int | None, bool]:
    """What is noted of today, by pairing number."""
    numbers = dict(Entry.objects.filter(tournament=event).values_list("pk", "number"))
    return {numbers[key]: here for key, here in here_on(event, factory.today()).items()}


def answers(event: Tournament, **said: str) -> dict[str, str]:
    """Answers by pairing number: n1="here"."""
    keys = dict(Entry.objects.filter(tournament=event).values_list("number", "pk"))
    return {f"p-{keys[int(name[1:])]}": answer for name, answer in said.items()}


# --- the form --------------------------------------------------------------------------------------------------------
def test_the_door_is_kept_without_script(event: Tournament) -> None:
    visitor = Visitor()
    visitor.client.force_login(factory.make_assistant())
    visitor.open(url("check_in", event.pk))
    visitor.sees("0 of 6 here, 0 not, 6 unknown", "Ada Alvarez")
    visitor.send("Save", **answers(event, n1="here", n2="away", n3="here"))
    visitor.sees("3 players are noted.", "2 of 6 here, 1 not, 3 unknown")
    assert seen(event) == {1: True, 2: False, 3: True}


def test_what_is_known_stands_in_the_form_and_an_answer_is_taken_back(desk: Client, event: Tournament) -> None:
    check_in(event, {entry(event.stages.get(), 2).pk: False}, on=factory.today(), by=None)
    form = fields_of(shown(desk, "check_in", event.pk))
    assert answers(event, n1="", n2="away").items() <= form.items()
    desk.post(url("check_in", event.pk), form | answers(event, n2=""))
    assert seen(event) == {}


def test_two_doors_do_not_undo_each_other_and_nothing_touched_saves_nothing(desk: Client, event: Tournament) -> None:
    """Both opened the page before anybody came: each saves what was touched there."""
    form = fields_of(shown(desk, "check_in", event.pk))
    assert "Nothing was changed" in desk.post(url("check_in", event.pk), form, follow=True).content.decode()
    assert not CheckIn.objects.exists()
    one = fields_of(shown(desk, "check_in", event.pk)) | answers(event, n1="here")
    other = fields_of(shown(desk, "check_in", event.pk)) | answers(event, n2="away")
    for form in (one, other):
        assert desk.post(url("check_in", event.pk), form).status_code == 302
    assert seen(event) == {1: True, 2: False}


# --- search and day --------------------------------------------------------------------------------------------------
def test_a_search_saves_only_whom_it_shows_and_another_day_has_its_own_list(desk: Client, event: Tournament) -> None:
    address = f"{url('check_in', event.pk)}?q=bran"
    html = desk.get(address).content.decode()
    assert "Bo Brandt" in html
    assert "Ada Alvarez" not in html
    assert "0 of 6 here" in html, "the counts are of all"
    answer = desk.post(address, fields_of(html) | answers(event, n2="here"))
    assert answer["Location"].endswith("&q=bran"), "the search stays"
    assert seen(event) == {2: True}
    assert "Nobody awaited has this name" in desk.get(f"{url('check_in', event.pk)}?q=zzz").content.decode()
    yesterday = factory.today() - timedelta(days=1)
    html = desk.get(f"{url('check_in', event.pk)}?on={yesterday}").content.decode()
    form = fields_of(html) | answers(event, n1="here")
    answer = desk.post(url("check_in", event.pk), form)
    assert f"on={yesterday}" in answer["Location"], "the form says its own day: midnight does not move it"
    assert CheckIn.objects.get(entry__number=1).on == yesterday


# --- bad input -------------------------------------------------------------------------------------------------------
def test_a_bad_day_a_stranger_or_an_answer_that_is_none_saves_nothing(desk: Client, event: Tournament) -> None:
    for day in ("soon", "0001-01-01", "2026-02-30", "9999-99-99", "\x00"):
        assert desk.get(url("check_in", event.pk), {"on": day}).status_code == 200, day
        assert desk.post(url("check_in", event.pk), answers(event, n1="here") | {"on": day}).status_code == 409, day
    tomorrow = factory.today() + timedelta(days=1)
    answer = desk.post(url("check_in", event.pk), answers(event, n1="here") | {"on": f"{tomorrow}"})
    assert answer.status_code == 409
    assert "choose today or a day before" in answer.content.decode()
    for stranger in ({"p-x": "here"}, {"p-999999": "here"}, {"p-": "away"}, {"p-١": "here"}):
        assert desk.post(url("check_in", event.pk), answers(event, n1="here") | stranger).status_code == 409, stranger
    answer = desk.post(url("check_in", event.pk), answers(event, n1="maybe", n2="here"))
    assert answer.status_code == 409
    assert not CheckIn.objects.exists()
    assert fields_of(answer.content.decode())[next(iter(answers(event, n2="")))] == "here", "what was chosen stays"


def test_whoever_left_meanwhile_stops_the_form_and_is_gone_from_it(desk: Client, event: Tournament) -> None:
    form = fields_of(shown(desk, "check_in", event.pk)) | answers(event, n1="here", n2="here")
    Entry.objects.filter(tournament=event, number=2).update(withdrawn=True)
    answer = desk.post(url("check_in", event.pk), form)
    assert answer.status_code == 409
    html = answer.content.decode()
    assert "Bo Brandt" not in html
    assert desk.post(url("check_in", event.pk), fields_of(html)).status_code == 302
    assert seen(event) == {1: True}


# --- who -------------------------------------------------------------------------------------------------------------
def test_the_door_of_an_event_others_run_is_shut(desk: Client, event: Tournament) -> None:
    event.officers.add(factory.make_arbiter("somebody-else"))
    assert desk.get(url("check_in", event.pk)).status_code == 403
    assert desk.post(url("check_in", event.pk), answers(event, n1="here")).status_code == 403
    assert desk.get(url("check_in", 10**6)).status_code == 404
    assert not CheckIn.objects.exists()


def test_only_who_may_change_the_event_has_its_pages_in_the_breadcrumbs(desk: Client, event: Tournament) -> None:
    end = "</a> › Check-in</nav>"
    assert end in shown(desk, "check_in", event.pk)
    assistant = factory.make_assistant()
    assistant.user_permissions.add(Permission.objects.get(codename="view_tournament"))  # as a rating officer has it
    desk.force_login(assistant)
    assert end not in shown(desk, "check_in", event.pk)


def test_the_page_costs_the_same_for_many(desk: Client) -> None:
    costs = []
    for count in (3, 8):
        cup = factory.make_round_robin(factory.make_players(count), name=f"Cup {count}")
        with CaptureQueriesContext(connection) as queries:
            shown(desk, "check_in", cup.pk)
        costs.append(len(queries))
    assert costs[0] == costs[1] <= 14, costs


# --- what the next round takes from it -------------------------------------------------------------------------------
def chosen(desk: Client, stage: Stage) -> dict[int, str | None]:
    form = fields_of(shown(desk, "next_round", stage.pk))
    return {number: form.get(f"p-{entry(stage, number).pk}") for number in range(1, 7)}


def test_whoever_is_not_here_begins_as_absent_unless_a_bye_was_asked_for(desk: Client, league: Stage) -> None:
    today = factory.today()
    check_in(league.tournament, {entry(league, 1).pk: True, entry(league, 2).pk: False}, on=today, by=None)
    assert chosen(desk, league) == {1: "here", 2: "zero", 3: "here", 4: "here", 5: "here", 6: "here"}
    ByeRequest.objects.create(entry=entry(league, 2), round_number=1, kind="half")
    for here in (False, True):
        check_in(league.tournament, {entry(league, 2).pk: here}, on=factory.today(), by=None)
        assert chosen(desk, league)[2] == "half"


def test_the_check_in_has_the_last_word_over_a_draft_that_was_deleted(desk: Client, league: Stage) -> None:
    away = {entry(league, number).pk: "zero" for number in (1, 2)}
    here = [entry(league, number) for number in (3, 4, 5, 6)]
    draft = pair_next_round(league, by=None, present=here, absent=away)
    delete_round(draft.pk, by=None)
    check_in(league.tournament, {entry(league, 1).pk: True}, on=factory.today(), by=None)
    assert chosen(desk, league) == {1: "here", 2: "zero", 3: "here", 4: "here", 5: "here", 6: "here"}


def test_what_the_arbiter_says_on_the_sheet_counts(desk: Client, league: Stage) -> None:
    check_in(league.tournament, {entry(league, 2).pk: False}, on=factory.today(), by=None)
    form = fields_of(shown(desk, "next_round", league.pk)) | {f"p-{entry(league, 2).pk}": "here", "do": "look"}
    html = desk.post(url("next_round", league.pk), form).content.decode()
    assert desk.post(url("next_round", league.pk), fields_of(html) | {"do": "publish"}).status_code == 302
    assert byes_of(Round.objects.get()) == {}


def test_one_button_pairs_and_publishes_as_shown(desk: Client, league: Stage) -> None:
    check_in(league.tournament, {entry(league, 2).pk: False}, on=factory.today(), by=None)
    html = shown(desk, "next_round", league.pk)
    assert "Pair and publish round 1" in html
    assert html.count('class="button primary"') == 1
    assert desk.post(url("next_round", league.pk), fields_of(html) | {"do": "publish"}).status_code == 302
    row = Round.objects.get()
    assert (row.state, byes_of(row)) == ("published", {2: "zero", 6: "pab"})


def test_the_checklist_stands_above_the_sheet(desk: Client, league: Stage) -> None:
    pair_next_round(league, by=None, publish=True)
    check_in(league.tournament, {entry(league, 1).pk: True}, on=factory.today(), by=None)
    html = shown(desk, "next_round", league.pk)
    assert html.index("Before the round") < html.index("Who is here")
    words = " ".join(html.split())
    assert "3 results are missing." in words
    assert f'href="{url("results", Round.objects.get().pk)}#board-2" aria-label="round 1, board 2"' in words
    assert "Nobody has seen yet: Bo Brandt, Cleo Costa" in words
    assert url("check_in", league.tournament_id) in html
