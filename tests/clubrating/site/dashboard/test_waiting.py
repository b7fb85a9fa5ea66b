"""The desk: what waits for whoever is signed in, of the events he runs, and nothing he may not open."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubrating.site.dashboard.selectors import waiting_for
from players.models import AuditEvent, Job
from players.trail.services import write_audit
from ratings.models import PublishedList, RatingList
from tests import factory
from tests.tournaments.admin_pages import url
from tests.tournaments.swiss_events import make_swiss, play_rounds
from tournaments.corrections.services.jobs import CORRECTION, REBUILD
from tournaments.events.services.events import delete_tournament
from tournaments.models import CheckIn, Entry, Game, Reading, Round, Tournament
from tournaments.results.services.results import correct_result
from tournaments.rounds.services.rounds import unpublish_round
from tournaments.standings.points import Result
from tournaments.undo.services.undo import undo, undo_at
from tournaments.verification.selectors import count_unread, unread_rounds
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]
DESK = reverse("admin:index")


def shown(client: Client, user: User | None = None) -> str:
    if user is not None:
        client.force_login(user)
    answer = client.get(DESK)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def today() -> date:
    return factory.today()


# --- rounds to enter and to make --------------------------------------------------------------------------------------
def test_a_round_to_enter_stands_with_its_progress(desk: Client, cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.DRAW] * 2)
    html = shown(desk)
    assert "Winter Cup, round 2" in html
    assert "2 boards open" in html
    assert "0/2" in html
    assert url("results", factory.round_of(cup, 2).pk) in html


def test_events_run_by_others_do_not_wait_for_me(desk: Client, arbiter: User, cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.DRAW] * 2)
    stage = make_swiss(factory.make_players(4))
    play_rounds(stage, 1)
    Round.objects.filter(stage=stage).update(planned_on=today() - timedelta(days=7))
    Tournament.objects.update(second_reading="any")
    Round.objects.filter(number=2).update(planned_on=today())
    waiting = waiting_for(arbiter, today())
    assert waiting.unread
    assert waiting.arrivals
    assert [row.stage for row in waiting.to_make] == [stage]
    for event in (cup, stage.tournament):
        event.officers.set([factory.make_arbiter(f"other-{event.pk}")])
    assert "Winter Cup" not in shown(desk)
    assert not waiting_for(arbiter, today())
    cup.officers.add(arbiter)
    assert "Winter Cup" in shown(desk)
    cup.officers.set([factory.make_arbiter("third")])
    assert "Winter Cup" in shown(desk, founder := factory.make_administrator())
    assert waiting_for(founder, today()).unread
    Tournament.objects.update(closed=True)
    assert waiting_for(founder, today()).unread == []


def test_what_waits_leads_to_its_page_and_nothing_to_do_says_so(desk: Client, standard: RatingList) -> None:
    html = shown(desk)
    assert "No round waits for results." in html
    assert reverse("admin:tournaments_tournament_new") in html
    stage = make_swiss(factory.make_players(4))
    play_rounds(stage, 1)
    Round.objects.update(planned_on=today() - timedelta(days=7))
    html = shown(desk)
    assert "Make round 2" in html
    assert "<b>0/4</b>" in html, "the door is open before the next round is made"
    row = play_rounds(stage, 0) or Round.objects.get(stage=stage)
    assert isinstance(row, Round)
    for game in Game.objects.all():
        correct_result(game=game.pk, result=Result.OPEN, by=None)
    unpublish_round(row.pk, reason="paired-wrongly", by=None)
    html = shown(desk)
    assert "Publish round 1" in html
    assert "draft" in html


@pytest.mark.extended
def test_only_open_events_that_ask_for_it_wait_for_a_second_reading(desk: Client, cup: Tournament) -> None:
    game, other = factory.play_round(cup, 1, [Result.DRAW, Result.WHITE_WINS])
    assert "not read twice" not in shown(desk)
    Tournament.objects.update(second_reading="any")
    html = shown(desk)
    assert "2 results not read twice" in html
    assert url("read", factory.round_of(cup, 1).pk) in html
    Reading.objects.create(game=game, revision=game.revision, result=game.result)
    assert count_unread(cup) == 1
    correct_result(game=game.pk, result=Result.WHITE_WINS, by=None)
    assert [(row.number, count) for row, count in unread_rounds([cup.pk])] == [(1, 2)], "it was corrected since"
    correct_result(game=other.pk, result=Result.ADJOURNED, by=None)
    assert count_unread(cup) == 1, "an adjourned game waits for its end"
    Tournament.objects.update(closed=True)
    assert "not read twice" not in shown(desk)


def test_the_door_is_open_for_events_that_play_today(desk: Client, cup: Tournament) -> None:
    assert "Check in" not in shown(desk)
    Round.objects.filter(number=2).update(planned_on=today())
    entries = list(Entry.objects.order_by("number"))
    for entry, here in zip(entries, (True, True, False), strict=False):
        CheckIn.objects.create(entry=entry, on=today(), here=here)
    for entry, here in ((entries[0], False), (entries[3], True)):
        CheckIn.objects.create(entry=entry, on=today() - timedelta(days=1), here=here)
    left = CheckIn.objects.create(entry=entries[4], on=today(), here=True)
    withdraw_entry(entries[4].pk, by=None)
    for here in (True, False):
        CheckIn.objects.filter(pk=left.pk).update(here=here)
        html = shown(desk)
        assert "<b>2/4</b>" in html
        assert "1 not" in html
    assert url("check_in", cup.pk) in html


# --- in the background ------------------------------------------------------------------------------------------------
def test_ones_own_corrections_wait_in_sight(desk: Client, arbiter: User, monkeypatch: pytest.MonkeyPatch) -> None:
    Job.objects.create(kind=CORRECTION, requested_by=arbiter, state=Job.State.RUNNING, progress=40)
    Job.objects.create(kind=REBUILD, requested_by=factory.make_rating_officer(), state=Job.State.WAITING)
    html = shown(desk)
    assert "Correction" in html
    assert "40 %" in html
    assert "Rating list from its beginning" not in html
    assert reverse("admin:players_job_changelist") not in html
    everything = shown(desk, factory.make_administrator())
    assert "Rating list from its beginning" in everything
    monkeypatch.setattr("clubrating.site.dashboard.selectors.MOST_JOBS", 1)
    assert "40 %" not in shown(desk), "the newest alone"
    assert reverse("admin:players_job_changelist") in everything


def test_a_failure_is_remembered_for_two_weeks_and_what_is_done_not_at_all(desk: Client, arbiter: User) -> None:
    job = Job.objects.create(kind=CORRECTION, requested_by=arbiter, state=Job.State.DONE)
    assert "In the background" not in shown(desk)
    Job.objects.filter(pk=job.pk).update(state=Job.State.FAILED, message="Others moved.")
    assert "Others moved." in shown(desk)
    Job.objects.filter(pk=job.pk).update(requested_at=timezone.now() - timedelta(days=15))
    assert "Others moved." not in shown(desk)


# --- the last step ----------------------------------------------------------------------------------------------------
def test_the_last_risky_step_can_be_undone_from_here(
    desk: Client, arbiter: User, cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Your last step" not in shown(desk)
    withdraw_entry(Entry.objects.order_by("number")[0].pk, by=arbiter)
    write_audit("tournament.changed", cup, by=arbiter)  # of no risk, and later
    html = shown(desk)
    assert "<b>Winter Cup</b>: " in html[html.index("Your last step") :]
    assert "/undo/" in html
    assert "Your last step" not in shown(desk, factory.make_arbiter("other"))
    monkeypatch.setattr("clubrating.site.dashboard.selectors._UNDO_OFFERED", timedelta(0))
    assert "Your last step" not in shown(desk, arbiter), "it was long ago"


def test_an_event_that_was_deleted_comes_back_from_here_once(desk: Client, arbiter: User, cup: Tournament) -> None:
    delete_tournament(cup.pk, by=arbiter)
    assert "event “winter-cup” deleted" in shown(desk)
    step = AuditEvent.objects.get(action="tournament.deleted")
    found = undo_at(step)
    assert found
    undo(step.pk, by=arbiter, seen=found.seen)
    assert "Your last step" not in shown(desk)


def test_a_step_that_is_the_last_no_more_or_in_an_event_of_others_is_not_offered(
    desk: Client, arbiter: User, cup: Tournament
) -> None:
    """The page behind it would only say that it is too late."""
    first, second = Entry.objects.order_by("number")[:2]
    other = factory.make_arbiter("other")
    withdraw_entry(first.pk, by=arbiter)
    cup.officers.set([other])
    assert "Your last step" not in shown(desk)
    cup.officers.set([])
    assert "Your last step" in shown(desk)
    withdraw_entry(second.pk, by=other)
    assert "Your last step" not in shown(desk)


# --- what is only for one's role --------------------------------------------------------------------------------------
def test_an_assistant_sees_rounds_and_no_address_he_may_not_open(client: Client, cup: Tournament) -> None:
    html = shown(client, factory.make_assistant())
    assert "Enter results" in html
    for name in ("tournaments_tournament_changelist", "tournaments_tournament_new", "players_player_add"):
        assert f'"{reverse(f"admin:{name}")}"' not in html


@pytest.mark.extended
def test_every_link_of_every_desk_opens(client: Client, cup: Tournament) -> None:
    """What is offered may be opened."""
    factory.play_round(cup, 1, [Result.DRAW] * 2)
    Tournament.objects.update(second_reading="any")
    Round.objects.filter(number=2).update(planned_on=today())
    makers = (factory.make_assistant, factory.make_arbiter, factory.make_rating_officer, factory.make_administrator)
    for user in (make() for make in makers):
        html = shown(client, user)
        for href in {part.split('"')[0] for part in html.split('<a class="name" href="')[1:]}:
            assert client.get(href, follow=True).status_code == 200, (user.username, href)


def test_lists_that_are_due_are_the_rating_officers(client: Client, standard: RatingList) -> None:
    html = shown(client, factory.make_rating_officer())
    assert "never published" in html
    assert "due" in html
    factory.make_list("trial", primary=False)
    RatingList.objects.filter(slug="trial").update(public=False)
    assert "Trial" not in shown(client), "nobody waits for a list that is not public"
    PublishedList.objects.create(rating_list=standard, on=today().replace(day=1) - timedelta(days=1), settings={})
    html = shown(client)
    assert "published as of" in html
    assert "· due" not in html
    assert "published as of" not in shown(client, factory.make_arbiter())


def test_backups_are_the_administrators_and_without_a_role_the_desk_is_empty(
    client: Client, club: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("django.conf.settings.DATA_DIR", tmp_path)  # a shelf nobody has put anything on
    assert "There is no backup yet." in shown(client, factory.make_administrator())
    assert "backup" not in shown(client, factory.make_rating_officer()).lower()
    user = User.objects.create_user("new", password="pass-for-tests", is_staff=True)
    assert "Nothing here is yours to see or change." in shown(client, user)


@pytest.mark.extended
def test_the_desk_asks_as_much_for_many_events_as_for_few(client: Client, standard: RatingList) -> None:
    client.force_login(factory.make_administrator())
    players = factory.make_players(6)
    counts = []
    for more in (1, 4):
        for number in range(more):
            cup = factory.make_round_robin(players, name=f"Cup {more}.{number}", first_day=today() - timedelta(days=7))
            factory.play_round(cup, 1, [Result.DRAW] * 3)
            Job.objects.create(kind=CORRECTION)
        Tournament.objects.update(second_reading="any")
        client.get(DESK)
        with CaptureQueriesContext(connection) as queries:
            client.get(DESK)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 30
