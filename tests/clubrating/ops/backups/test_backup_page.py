"""The administrators' page about backups: what it says, who may see it, and what it leaves in the trail."""

import io
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubrating.ops.backups import store as shelf
from clubrating.ops.backups.archive import verify
from players.models import AuditEvent, Club
from players.officers.roles import ADMINISTRATOR, group_of
from players.refusals import Refused
from tests import factory
from tests.visitor import Visitor

PAGE, DOWNLOAD = "/admin/backups/", "/admin/backups/download/"


@pytest.fixture
def administrator(club: Club) -> User:
    user = User.objects.create_superuser("chief", password="pass-for-tests")
    user.groups.add(group_of(ADMINISTRATOR))
    return user


@pytest.fixture
def visitor(administrator: User) -> Visitor:
    visitor = Visitor()
    visitor.client.force_login(administrator)
    return visitor


def test_without_one_it_says_so(visitor: Visitor) -> None:
    visitor.open(PAGE)
    assert visitor.sees("There is no backup yet")


def test_one_is_made_by_pressing_a_button(visitor: Visitor) -> None:
    visitor.open(PAGE)
    visitor.send("Make one now")
    assert visitor.sees("The backup is made, and was read back whole", "by hand", "✓ whole")
    (row,) = shelf.backups()
    assert verify(row.path).rows > 0
    event = AuditEvent.objects.get(action="backup.made")
    assert (event.actor.username, event.effect["file"]) == ("chief", row.path.name)  # type: ignore[union-attr]


def test_an_old_one_is_warned_of(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.make_now()
    monkeypatch.setattr(shelf, "OLD_AFTER", timedelta(0))
    visitor.open(PAGE)
    assert visitor.sees("more than two days old")


def test_a_damaged_one_is_warned_of(visitor: Visitor) -> None:
    shelf.make_now().path.write_bytes(b"half")
    visitor.open(PAGE)
    assert visitor.sees("No backup could be read back whole", "damaged")


def test_a_refusal_comes_back_as_a_sentence(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise Refused("“/full” cannot be written (no space left on device).")

    monkeypatch.setattr(shelf, "make_now", refuse)
    visitor.open(PAGE)
    visitor.send("Make one now")
    assert visitor.sees("no space left on device")
    assert not AuditEvent.objects.filter(action="backup.made").exists()


def test_a_download_is_the_file_is_told_and_stored_nowhere(visitor: Visitor) -> None:
    made = shelf.make_now()
    response = visitor.client.post(DOWNLOAD, {"name": made.path.name})
    content = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    assert content == made.path.read_bytes()
    assert zipfile.is_zipfile(io.BytesIO(content))
    assert {"private", "no-store"} <= set(response["Cache-Control"].split(", "))
    assert response["Content-Disposition"].startswith("attachment;")
    assert AuditEvent.objects.get(action="backup.downloaded").effect["file"] == made.path.name


@pytest.mark.extended
@pytest.mark.parametrize("name", ["", "secret", "../secret", "/etc/passwd", "daily-2000-01-01.zip", "x" * 5000, "\0"])
def test_only_what_lies_on_the_shelf_is_given_out(visitor: Visitor, data_dir: Path, name: str) -> None:
    (data_dir / "secret").write_text("the site's secret")
    shelf.make_now()
    assert visitor.client.post(DOWNLOAD, {"name": name}).status_code == 404
    assert not AuditEvent.objects.filter(action="backup.downloaded").exists()


def test_a_download_is_never_a_link(visitor: Visitor) -> None:
    made = shelf.make_now()
    assert visitor.client.get(DOWNLOAD, {"name": made.path.name}).status_code == 405


@pytest.mark.parametrize("role", ["arbiter", "assistant", "rating-officer"])
@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("address", [PAGE, DOWNLOAD])
def test_only_administrators_come_in(club: Club, role: str, method: str, address: str) -> None:
    client = Client()
    client.force_login(factory.make_officer(role, role))
    assert getattr(client, method)(address).status_code in {403, 405}
    assert shelf.backups() == []


@pytest.mark.parametrize("address", [PAGE, DOWNLOAD])
def test_nobody_is_asked_to_sign_in(club: Club, address: str) -> None:
    for response in (Client().get(address), Client().post(address)):
        assert response.status_code == 302
        assert "/admin/login/" in response["Location"]
    assert shelf.backups() == []


def test_a_foreign_page_cannot_press_the_button(administrator: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(administrator)
    assert client.post(PAGE).status_code == 403
    assert shelf.backups() == []


def test_the_page_takes_as_many_queries_with_one_as_with_many(
    visitor: Visitor, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(4):
        shelf.make_now()
        with django_assert_max_num_queries(6):
            assert visitor.client.get(PAGE).status_code == 200
