"""What the desk says comes next: at the steps of an event, under its rounds, at a round that is entered, in front."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import AuditEvent, Player
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import shown, url
from tests.tournaments.rounds.round_cases import make_league, play
from tests.tournaments.swiss_events import DRAW, make_swiss, play_rounds
from tournaments.events.services.closing import close_event, reopen_event
from tournaments.models import ByeRequest, Entry, Stage, Tournament
from tournaments.rounds.selectors.progress import rounds_to_make
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import publish_round
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
CLOSE, MAKE, PRINT = "Close the event", "Make the next round", "Print standings"


@pytest.fixture(scope="module", autouse=True)
def swiss(standard: RatingList) -> Stage:
    """Eight players, two rounds to be made."""
    return make_swiss(factory.make_players(8), rounds=2)


def form(desk: Client, stage: Stage) -> str:
    return desk.get(url("change", stage.tournament_id)).content.decode()


def main_button(html: str) -> str:
    """The words of a page's one primary button."""
    assert html.count('class="button primary"') == 1
    start = html.index(">", html.index('class="button primary"')) + 1
    return html[start : html.index("<", start)]


# --- the steps ------------------------------------------------------------------------------------------------------
def test_no_round_is_offered_before_there_is_anybody_to_play_it(desk: Client, swiss: Stage) -> None:
    assert "Make the first round" in form(desk, swiss)
    Entry.objects.all().delete()
    assert "Make the first round" not in form(desk, swiss)


def test_each_step_leads_to_the_next(desk: Client, swiss: Stage) -> None:
    """From the draft to its results and to the next round: on the event's form, under its rounds, at the round that is
    entered, and in front."""
    assert "No round waits for results." in front(desk), "an event nobody has begun is not under way"
    row = pair_next_round(swiss, by=None)
    html = form(desk, swiss)
    assert "Publish round 1" in html
    assert "Enter results of round 1" not in html, "a draft takes no results"
    assert f'href="{url("boards", row.pk)}">Publish round 1' in front(desk)

    publish_round(row.pk, by=None)
    html = form(desk, swiss)
    assert "Enter results of round 1" in html
    assert MAKE not in html
    assert main_button(shown(desk, "rounds", swiss.tournament_id)) == "Enter results of round 1"
    html = shown(desk, "results", row.pk)
    assert MAKE not in html
    assert PRINT not in html
    html = front(desk)
    assert url("results", row.pk) in html
    assert "Make round 2" not in html, "its results come first"
    answer = desk.post(url("close", swiss.tournament_id), {"do": "close"})
    assert answer.status_code == 409
    assert "4 boards without a result" in answer.content.decode()
    assert not Tournament.objects.get().closed

    play(row, *[DRAW] * 4)
    html = form(desk, swiss)
    assert MAKE in html
    assert url("next_round", swiss.pk) in html
    assert CLOSE not in html
    assert main_button(shown(desk, "rounds", swiss.tournament_id)) == MAKE
    html = shown(desk, "results", row.pk)
    assert f'href="{url("next_round", swiss.pk)}">{MAKE}' in html
    assert f'round=1&amp;sheets=standings">{PRINT}' in html
    assert f'href="{url("next_round", swiss.pk)}">Make round 2' in front(desk)
    pair_next_round(swiss, by=None)
    assert "Publish round 2" in shown(desk, "results", row.pk)


@pytest.mark.extended
def test_after_the_last_result_the_event_can_be_closed(desk: Client, swiss: Stage) -> None:
    last = play_rounds(swiss, 2)[-1]
    assert CLOSE in form(desk, swiss)
    assert f">{CLOSE}</a>" in shown(desk, "results", last.pk)
    assert main_button(shown(desk, "rounds", swiss.tournament_id)) == CLOSE
    assert main_button(shown(desk, "close", swiss.tournament_id)) == "Close and publish"
    answer = desk.post(url("close", swiss.tournament_id), {"do": "close"}, follow=True)
    assert "“Open” is closed, its final standings are published." in answer.content.decode()
    assert Tournament.objects.get().closed
    assert "Open the event again" in form(desk, swiss)
    assert "Open the event again" in shown(desk, "rounds", swiss.tournament_id)
    assert CLOSE not in shown(desk, "results", last.pk)
    address = reverse("tournaments:print", args=[swiss.tournament.slug])
    assert "Standings" in desk.get(f"{address}?round=2&sheets=standings").content.decode()
    desk.post(url("close", swiss.tournament_id), {"do": "open"})
    assert not Tournament.objects.get().closed
    found = AuditEvent.objects.filter(action__startswith="event.").order_by("pk")
    assert [event.action for event in found] == ["event.closed", "event.reopened"]


def test_the_end_of_groups_is_not_the_end_of_the_event(desk: Client) -> None:
    cup = factory.make_round_robin(factory.first_players(4))
    assert CLOSE not in desk.get(url("change", cup.pk)).content.decode()
    factory.play_all(cup)
    assert CLOSE in desk.get(url("change", cup.pk)).content.decode()
    Stage.objects.create(tournament=cup, order=2, pairing_system="knockout", takes_everybody=False)
    Stage.objects.filter(order=1).update(pairing_system="groups")
    assert CLOSE not in desk.get(url("change", cup.pk)).content.decode()


def test_the_list_tells_byes_by_kind_and_numbers_a_swiss_by_rating(desk: Client, swiss: Stage) -> None:
    someone = Entry.objects.get(number=3)
    for number, kind in ((3, "half"), (2, "zero"), (1, "half")):
        ByeRequest.objects.create(entry=someone, round_number=number, kind=kind)
    assert "half-point bye in round 1, 3 · zero-point bye in round 2" in shown(desk, "entries", swiss.tournament_id)
    Entry.objects.update(number=None)
    assert '<button class="button primary" name="do" value="rating">' in shown(desk, "entries", swiss.tournament_id)
    Stage.objects.update(pairing_system="round-robin", settings={})
    assert '<button class="button" name="do" value="rating">' in shown(desk, "entries", swiss.tournament_id)


def test_the_public_page_says_that_one_round_is_paired(client: Client, swiss: Stage) -> None:
    pair_next_round(swiss, by=None, publish=True, day=factory.MONDAY)
    html = client.get(swiss.tournament.get_absolute_url()).content.decode()
    assert "Round 1 is paired: it is on 5 January 2026." in html
    assert "The rounds are drawn" not in html


# --- the rounds, and a round that is entered ------------------------------------------------------------------------
def test_a_knockout_has_no_standings_to_be_printed(desk: Client) -> None:
    cup = factory.make_knockout(factory.first_players(2))
    assert CLOSE not in shown(desk, "rounds", cup.pk)
    factory.play_match(factory.match_of(cup, 1, 1), Result.WHITE_WINS)
    for html in (shown(desk, "rounds", cup.pk), shown(desk, "results", factory.round_of(cup, 1).pk)):
        assert CLOSE in html
        assert PRINT not in html


# --- the desk's first page ------------------------------------------------------------------------------------------
def front(desk: Client) -> str:
    return desk.get(reverse("admin:index")).content.decode()


@pytest.mark.extended
def test_after_the_last_round_when_closed_or_asleep_nothing_is_to_be_made(desk: Client, swiss: Stage) -> None:
    play_rounds(swiss, 1)
    close_event(swiss.tournament, by=None)
    assert "Make round" not in front(desk)
    reopen_event(swiss.tournament, by=None)
    play_rounds(swiss, 1)
    assert "Make round" not in front(desk)
    stage = make_league(4, system="keizer")
    row = pair_next_round(stage, by=None, publish=True, day=factory.MONDAY)
    play(row, *[DRAW] * 2)
    assert [due.number for due in rounds_to_make(factory.MONDAY + timedelta(days=60))] == [2]
    assert rounds_to_make(factory.MONDAY + timedelta(days=61)) == []


def test_the_desk_asks_as_much_for_many_leagues_as_for_one(desk: Client, swiss: Stage) -> None:
    counts = []
    for name in ("Second", "Third"):
        pair_next_round(swiss, by=None)
        with CaptureQueriesContext(connection) as queries:
            front(desk)
        counts.append(len(queries))
        swiss = make_swiss(list(Player.objects.all()), name=name, rounds=2)
    assert counts[0] == counts[1]
