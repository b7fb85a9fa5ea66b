"""The administrators' page about the state of the system: what it says, and to whom."""

from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import django
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from clubrating.ops.backups import store as shelf
from clubrating.ops.health import state
from clubrating.ops.health.admin import part_rows, versions
from clubrating.ops.health.state import Check, checks, note_checks
from players.models import Club, Job
from ratings.models import PlayerRating, RatingList
from tests import factory
from tests.desk_scene import client_of
from tests.test_architecture import ROOT
from tests.visitor import Visitor

pytestmark = pytest.mark.django_db

PAGE = "/admin/state/"


@pytest.fixture
def chief(standard: RatingList) -> Visitor:
    visitor = Visitor()
    visitor.client.force_login(factory.make_administrator())
    return visitor


def test_where_all_is_well_it_says_so(chief: Visitor) -> None:
    shelf.make_now()
    chief.open(PAGE)
    assert chief.sees("Everything is well", "all are applied", "nothing waits", "none failed within two weeks")
    assert chief.sees("Python", django.get_version(), "not checked on this machine yet")


def test_what_needs_somebody_comes_with_what_to_do(chief: Visitor) -> None:
    chief.open(PAGE)
    assert chief.sees("Something needs you", "there is none yet", "Make one now on the page about backups")


def test_a_failed_job_is_named_with_its_outcome(chief: Visitor) -> None:
    Job.objects.create(kind="rebuild-list", state=Job.State.FAILED, message="The list was deleted meanwhile.")
    chief.open(PAGE)
    assert chief.sees("failed within two weeks: 1", "Rating list from its beginning", "The list was deleted meanwhile.")


def test_the_check_of_the_ledger_is_told(chief: Visitor, standard: RatingList) -> None:
    factory.play_all(factory.make_round_robin(factory.make_players(3)))
    call_command("rebuild_ratings", "--check", stdout=StringIO())
    assert checks()["standard"].differences == 0
    chief.open(PAGE)
    assert chief.sees("✓ equal, ")
    PlayerRating.objects.filter(rating_list=standard).update(rating=1)
    with pytest.raises(CommandError):
        call_command("rebuild_ratings", "--check", stdout=StringIO())
    assert checks()["standard"].differences == 3
    chief.open(PAGE)
    assert chief.sees("differences: 3")


def test_checks_of_other_lists_stay(data_dir: Path) -> None:
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    note_checks({"a": Check(at, 0)})
    note_checks({"b": Check(at, 2)})
    assert checks() == {"a": Check(at, 0), "b": Check(at, 2)}
    for broken in ("", "[]", '{"a": 1}', '{"a": {"at": "never", "differences": 0}}'):
        (data_dir / "checks.json").write_text(broken)
        assert checks() == {}


def test_a_disk_that_refuses_stops_no_check(settings: Settings, tmp_path: Path, standard: RatingList) -> None:
    settings.DATA_DIR = tmp_path / "gone"
    call_command("rebuild_ratings", "--check", stdout=StringIO())
    assert checks() == {}


def test_every_part_has_words_for_good_and_bad_days() -> None:
    bad = [
        state.Part("database", state.OK),
        state.Part("migrations", state.FAILED, {"pending": 2}),
        state.Part("queue", state.WARNING, {"waiting": 3, "oldest_seconds": 7200, "at_work": 1, "lost": 2}),
        state.Part("jobs", state.WARNING, {"failed_lately": 4}),
        state.Part("backup", state.WARNING, {"age_seconds": 3 * 86400}),
        state.Part("room", state.WARNING, {"free_bytes": None}),
        state.Part("maintenance", state.WARNING),
    ]
    rows = list(part_rows(bad))
    assert [row.said.replace("\xa0", " ") for row in rows[1:]] == [
        "missing: 2",
        "waiting: 3, the longest for 2 hours; under way: 1; left by a worker that stopped: 2",
        "failed within two weeks: 4",
        "3 days old",
        "cannot be read",
    ]
    assert all(row.remedy for row in rows[1:])
    assert {part.name for part in state.parts()} == {part.name for part in bad}


def test_the_versions_are_those_of_this_machine() -> None:
    values = dict(versions())
    assert values["Django"] == django.get_version()
    newest = max(path.stem for path in (ROOT / "tournaments" / "migrations").glob("0*.py"))
    assert values["tournaments"] == newest
    assert values["Club Rating"][0].isdigit()


@pytest.mark.parametrize("role", ["arbiter", "assistant", "rating-officer"])
def test_only_administrators_come_in(club: Club, role: str) -> None:
    assert client_of(factory.make_officer(role, role)).get(PAGE).status_code == 403


def test_nobody_is_asked_to_sign_in(club: Club) -> None:
    assert "/admin/login/" in Client().get(PAGE).headers["Location"]


def test_the_desk_leads_there(chief: Visitor) -> None:
    chief.open("/admin/")
    assert any(link == PAGE for link, _words in chief.page.links)


def test_the_page_takes_as_many_queries_in_a_busy_club(
    chief: Visitor, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(20):
        chief.client.get(PAGE)
    for number in range(12):
        Job.objects.create(kind="correct", state=Job.State.FAILED, requested_at=timezone.now() - timedelta(number))
        factory.make_list(f"list-{number}", primary=False)
    with django_assert_max_num_queries(20):
        chief.client.get(PAGE)
