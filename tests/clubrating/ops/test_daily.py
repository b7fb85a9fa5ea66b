"""What is done once a day: the backup, and what else would be forgotten."""

import logging
from datetime import date, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.utils import timezone

from clubrating.ops.backups import store as shelf
from clubrating.ops.backups.archive import verify
from clubrating.ops.backups.erased_people import erase_from_backups
from players.models import Club, Guardian, Player
from tests import factory
from tournaments.erasure.services import erasure

pytestmark = pytest.mark.django_db


def daily() -> str:
    said = StringIO()
    call_command("daily", stdout=said)
    return said.getvalue()


@pytest.fixture
def grown_up(club: Club) -> Player:
    """Of age for certain since the turn of the year, with a guardian from before."""
    player = factory.make_players(1, birth_year=factory.today().year - 19)[0]
    Guardian.objects.create(player=player, name="Gertrud Guardian", allows_name=True, told_on=date(2020, 1, 1))
    return player


def test_it_makes_the_days_backup_once(club: Club) -> None:
    assert "read back whole" in daily()
    assert daily() == ""
    assert [row.path.name for row in shelf.backups()] == [f"daily-{factory.today()}.zip"]


def test_guardians_of_who_came_of_age_are_forgotten_before_the_backup(grown_up: Player) -> None:
    assert "guardians forgotten of people who are of age: 1" in daily()
    assert not Guardian.objects.exists()
    (made,) = shelf.backups()
    assert {table.name: table.rows for table in verify(made.path).tables}["players_guardian"] == 0


def test_sessions_that_are_over_go(club: Club) -> None:
    for name, days in (("old", -1), ("new", 1)):
        store = SessionStore()
        store["who"] = name
        store.create()
        Session.objects.filter(pk=store.session_key).update(expire_date=timezone.now() + timedelta(days=days))
    daily()
    assert [row.get_decoded()["who"] for row in Session.objects.all()] == ["new"]


def test_a_backup_that_still_knows_an_erased_person_is_rewritten(club: Club, folder: Path) -> None:
    """The file came back from a stick after the erasing, or could not be rewritten then."""
    ada = factory.make_players(2)[0]
    old = shelf.make_now()
    erasure.anonymise_player(ada.pk, by=None)
    assert "backups that know an erased person no more: 1" in daily()
    assert ada.number in verify(old.path).erased
    assert erase_from_backups({ada.number}) == 0


def test_a_backup_that_cannot_be_made_is_told_and_the_rest_is_done(grown_up: Player, folder: Path) -> None:
    folder.write_text("a file in its place")
    with pytest.raises(CommandError, match="cannot be written") as refusal:
        daily()
    assert refusal.value.returncode == 2
    assert not Guardian.objects.exists()


STEPS = (
    *("forget_guardians", "call_command", "tidy_again", "requeue_lost_work", "delete_finished_tasks"),
    *("queue_worker_check", "forget_old_answers", "ask_backtests", "ask_for_all_due", "clear_put_aside"),
)


@pytest.mark.extended
@pytest.mark.parametrize("broken", STEPS)
def test_a_step_that_breaks_off_stops_no_other(
    grown_up: Player, broken: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_off(*_args: object, **_kwargs: object) -> None:
        raise LookupError("Gertrud Guardian")

    monkeypatch.setattr(f"clubrating.management.commands.daily.{broken}", break_off)
    with pytest.raises(CommandError, match=r"broke off \(LookupError\)") as refusal:
        daily()
    assert refusal.value.returncode == 2
    assert "Gertrud" not in str(refusal.value)
    assert [row.verified for row in shelf.backups()] == [True]
    assert Guardian.objects.exists() == (broken == "forget_guardians")
    assert [record.exc_info is not None for record in caplog.records] == [True]


# What of other rooms is done once a day, beside `STEPS`.
OF_ROOMS = (
    *("settle_probations", "recount_games", "forget_old_subscriptions", "forget_old_mail", "forget_old_notices"),
    *("requeue_notices", "remind", "forget_arrivals", "forget_old_requests", "forget_score_sheets"),
    *("forget_page_reports", "forget_old_answers_to_programs", "forget_old_deliveries", "requeue_deliveries"),
    *("ask_lucks", "ask_for_pictures", "ask_season_forecasts", "_erase_from_backups", "send_newest"),
)


def test_every_room_has_its_step(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_off(*_args: object, **_kwargs: object) -> None:
        raise LookupError

    for name in OF_ROOMS:
        monkeypatch.setattr(f"clubrating.management.commands.daily.{name}", break_off)
    with pytest.raises(CommandError) as refusal:
        daily()
    assert str(refusal.value).count("broke off") == len(OF_ROOMS)


# --- the storage is tidied later where it could not be at once ---------------------------------------------------
def test_what_was_not_tidied_is_tidied_by_the_next_daily_run(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(erasure, "_rewritten", lambda: False)
    with caplog.at_level(logging.WARNING):
        assert not erasure.tidy_storage()
    assert "busy" in caplog.text
    daily()
    assert (tmp_path / "untidied").exists()
    monkeypatch.setattr(erasure, "_rewritten", lambda: True)
    daily()
    assert not (tmp_path / "untidied").exists()


# --- before an upgrade --------------------------------------------------------------------------------------------
def test_where_nothing_is_to_be_upgraded_nothing_is_kept(club: Club) -> None:
    call_command("upgrade")
    assert shelf.backups() == []
