"""The clock of a round: what it says at any moment, who may turn it, and that it is undone like any other step."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone

from players.models import AuditEvent
from players.refusals import Refused, Stale
from tests import factory
from tests.tournaments.admin_pages import fields_of, url
from tests.tournaments.undo import undo_cases
from tests.tournaments.undo.undo_cases import draft_of, facts
from tournaments.events.selectors.clock import Clock, State, clock_of
from tournaments.models import Round, Stage, Tournament
from tournaments.rounds.services.clock import extend_clock, pause_clock, remove_clock, resume_clock, set_clock
from tournaments.rounds.services.rounds import publish_round
from tournaments.undo.services.stack import commit, last_steps, preview

cast, under_way, swiss = undo_cases.cast, undo_cases.under_way, undo_cases.swiss
BEGIN = datetime(2026, 1, 5, 19, 0, tzinfo=UTC)


def at(minutes: float) -> datetime:
    return BEGIN + timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("clock", "minute", "state", "left"),
    [
        (Clock(BEGIN, 90), -10, State.WAITING, 90),
        (Clock(BEGIN, 90), 0, State.RUNNING, 90),
        (Clock(BEGIN, 90), 56, State.RUNNING, 34),
        (Clock(BEGIN, 90), 90, State.OVER, 0),
        (Clock(BEGIN, 90), 500, State.OVER, 0),
        (Clock(BEGIN, 90, paused_at=at(30)), 500, State.PAUSED, 60),
        (Clock(BEGIN, 90, paused=600), 95, State.RUNNING, 5),
        (Clock(BEGIN, 90, paused=600, paused_at=at(50)), 70, State.PAUSED, 50),
    ],
)
def test_what_a_clock_says(clock: Clock, minute: int, state: State, left: int) -> None:
    assert (clock.state(at(minute)), clock.seconds_left(at(minute))) == (state, left * 60)


@pytest.fixture
def row(swiss: Stage) -> Round:
    return publish_round(draft_of(swiss).pk, by=None)


@pytest.mark.django_db
def test_paused_it_stands_and_ends_later_and_every_turn_goes_back(row: Round) -> None:
    images = [facts()]
    for turn in (
        lambda: set_clock(row.pk, minutes=90, note=" 90 + 30 s  × 40", by=None),
        lambda: pause_clock(row.pk, by=None),
        lambda: resume_clock(row.pk, by=None),
        lambda: extend_clock(row.pk, minutes=15, by=None),
        lambda: remove_clock(row.pk, by=None),
        lambda: set_clock(row.pk, minutes=20, by=None),
    ):
        turn()
        images.append(facts())
    lines = AuditEvent.objects.filter(action__startswith="clock.", subject_key=row.pk).order_by("pk")
    turns = ["clock.set", "clock.paused", "clock.resumed", "clock.extended", "clock.removed", "clock.set"]
    assert [line.action for line in lines] == turns
    assert (lines[3].before["minutes"], lines[3].after["minutes"]) == (90, 105)
    event = row.stage.tournament
    while len(images) > 1:
        step = last_steps(event)[0].event
        commit(event, step.pk, seen=preview(event, step.pk, by=None).seen, by=None)
        images.pop()
        assert facts() == images[-1], step.action
    assert AuditEvent.objects.filter(action__startswith="clock.", action__endswith=".undone").count() == 6


@pytest.mark.django_db
def test_what_is_no_clock_is_refused_with_a_sentence(row: Round, swiss: Stage) -> None:
    refused = (
        lambda: set_clock(row.pk, minutes=0, by=None),
        lambda: set_clock(row.pk, minutes=1441, by=None),
        lambda: set_clock(row.pk, minutes=90, starts_at=BEGIN - timedelta(days=400), by=None),
        lambda: set_clock(row.pk, minutes=90, note="Ann 90 min", by=None),
        lambda: pause_clock(row.pk, by=None),
        lambda: resume_clock(row.pk, by=None),
        lambda: extend_clock(row.pk, minutes=5, by=None),
    )
    for turn in refused:
        with pytest.raises(Refused):
            turn()
    set_clock(row.pk, minutes=90, by=None)
    with pytest.raises(Stale):
        pause_clock(row.pk, by=None, revision=row.revision)
    for prepare, sentence, turn in (
        (lambda: None, "is not paused", lambda: resume_clock(row.pk, by=None)),
        (lambda: None, "lasts 1 to 1440", lambda: extend_clock(row.pk, minutes=-90, by=None)),
        (lambda: pause_clock(row.pk, by=None), "nothing to pause", lambda: pause_clock(row.pk, by=None)),
        (lambda: Round.objects.update(state="draft"), "is a draft", lambda: remove_clock(row.pk, by=None)),
        (lambda: Tournament.objects.update(closed=True), "event is over", lambda: resume_clock(row.pk, by=None)),
    ):
        prepare()
        with pytest.raises(Refused, match=sentence):
            turn()
    clock = clock_of(Round.objects.get(pk=row.pk))
    assert clock is not None
    assert (clock.minutes, clock.paused_at is None) == (90, False)


@pytest.mark.django_db
def test_a_clock_has_its_limits_and_two_pauses_add_up(row: Round, monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    set_clock(row.pk, minutes=1440, starts_at=now + timedelta(days=1, hours=23), note="9" * 60, by=None)
    far = now + timedelta(days=2, hours=1)
    for sentence, turn in (
        ("nothing to pause", lambda: pause_clock(row.pk, by=None)),
        ("lasts 1 to 1440", lambda: extend_clock(row.pk, minutes=1, by=None)),
        ("lasts 1 to 1440", lambda: extend_clock(row.pk, minutes=0, by=None)),
        ("lasts 1 to 1440", lambda: extend_clock(row.pk, minutes=-1440, by=None)),
        ("figures and units", lambda: set_clock(row.pk, minutes=90, note="9" * 61, by=None)),
        ("within two days", lambda: set_clock(row.pk, minutes=90, starts_at=far, by=None)),
    ):
        with pytest.raises(Refused, match=sentence):
            turn()
    assert extend_clock(row.pk, minutes=-1439, by=None).clock_minutes == 1
    set_clock(row.pk, minutes=1, starts_at=now - timedelta(minutes=2), by=None)
    with pytest.raises(Refused, match="nothing to pause"):
        pause_clock(row.pk, by=None)
    set_clock(row.pk, minutes=90, by=None)
    for _pause in range(2):
        pause_clock(row.pk, by=None)
        Round.objects.filter(pk=row.pk).update(clock_paused_at=timezone.now() - timedelta(minutes=5))
        paused = resume_clock(row.pk, by=None).clock_paused
    assert 600 <= paused < 660
    monkeypatch.setattr(timezone, "now", lambda: BEGIN)
    for at_last in (at(-2 * 1440), at(2 * 1440)):
        assert set_clock(row.pk, minutes=90, starts_at=at_last, by=None).clock_starts_at == at_last


@pytest.mark.django_db
def test_it_stands_on_the_screen_the_round_the_board_and_the_desk_once_it_is_set(row: Round) -> None:
    desk, hall = Client(), Client()
    desk.force_login(factory.make_arbiter())
    slug, board = row.stage.tournament.slug, row.pairings.get(board=1).games.get().pk
    public = (f"/tournaments/{slug}/tv/", f"/tournaments/{slug}/rounds/2/", f"/tournaments/{slug}/games/{board}/")
    assert all("data-clock" not in hall.get(path).content.decode() for path in public)
    address = url("clock", row.pk)
    form = fields_of(desk.get(address).content.decode())
    assert desk.post(address, {**form, "do": "set", "minutes": "x"}).status_code == 400
    assert desk.post(address, {**form, "do": "set", "minutes": "90", "note": "90 + 30 s × 40"}).status_code == 302
    assert desk.post(address, {**form, "do": "pause"}).status_code == 409, "an older page"
    assert desk.post(address, {**form, "do": "jump"}).status_code == 400
    for client, path in ((desk, url("results", row.pk)), *((hall, path) for path in public)):
        html = client.get(path).content.decode()
        assert 'data-clock="running"' in html, path
        assert "90 minutes were left at" in html
        assert "90 + 30 s × 40" in html
    again = fields_of(desk.get(address).content.decode())
    assert desk.post(address, {**again, "do": "pause"}).status_code == 302
    assert "The clock is paused: 90 minutes are left." in hall.get(public[0]).content.decode()


SAID = {
    "waiting": "The round starts at 19:00 and ends at 21:00.",
    "running": "Started at 19:00, ends at 21:00.",
    "paused": "The clock is paused: 1 minute is left.",
    "over": "The time of the round ended at 21:00.",
}


@pytest.mark.parametrize("state", SAID)
def test_the_clock_of_a_round_says_its_state_and_no_other(state: str) -> None:
    hours = {"starts_at": time(19), "ends_at": time(21), "note": ""}
    facts = {"state": state, "left": 1, "start": 0, "end": 1, "now": time(20)}
    said = " ".join(render_to_string("tournaments/_clock.html", {"clock": hours, **facts}).split())
    assert [words for words in SAID.values() if words in said] == [SAID[state]]
    assert ("1 minute was left at 20:00" in said) == (state == "running")
