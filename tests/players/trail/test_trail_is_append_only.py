"""The audit trail is only added to: by one function, and no way leads back but a name that is taken out."""

import ast
import re

import pytest
from django.db import transaction
from django.db.models import Model

from players.club.services import update_club
from players.models import AuditEvent, Club
from players.trail.services import redact_events, redact_notes, write_audit
from tests import factory
from tests.test_architecture import MODULES

pytestmark = pytest.mark.django_db


@pytest.fixture
def line(club: Club) -> AuditEvent:
    return write_audit("club.looked-at", club, by=None, after={"seen": True}, note="by Ann")


def everything() -> list[dict[str, object]]:
    return list(AuditEvent.objects.order_by("pk").values())


# --- nobody changes a line ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "change",
    [
        lambda: AuditEvent.objects.update(note=""),
        lambda: AuditEvent.objects.filter(role="system").update(note=""),
        lambda: AuditEvent.objects.all().delete(),
        lambda: AuditEvent.objects.exclude(note="").delete(),
        lambda: AuditEvent.objects.bulk_update(list(AuditEvent.objects.all()), ["note"]),
        lambda: AuditEvent.objects.update_or_create(defaults={"note": ""}, pk=AuditEvent.objects.first().pk),  # type: ignore[union-attr]
        lambda: AuditEvent.objects.get(note="by Ann").save(),
        lambda: AuditEvent.objects.get(note="by Ann").save(update_fields=["note"]),
        lambda: AuditEvent.objects.get(note="by Ann").delete(),
    ],
)
def test_a_line_is_neither_changed_nor_deleted(line: AuditEvent, change: object) -> None:
    before = everything()
    with pytest.raises(TypeError, match="append-only"), transaction.atomic():
        change()  # type: ignore[operator]
    assert everything() == before


def test_a_line_just_written_is_not_saved_again(line: AuditEvent) -> None:
    line.note = "by nobody"
    with pytest.raises(TypeError, match="append-only"):
        line.save()


def test_lines_are_read_and_added_as_ever(line: AuditEvent, club: Club) -> None:
    update_club({"name": "Another Club"}, by=None)
    assert AuditEvent.objects.filter(action="club.changed").count() == 1
    assert AuditEvent.objects.get(pk=line.pk).note == "by Ann"


def test_an_account_that_goes_leaves_its_lines(club: Club) -> None:
    arbiter = factory.make_arbiter()
    line = write_audit("club.looked-at", club, by=arbiter)
    arbiter.delete()
    kept = AuditEvent.objects.get(pk=line.pk)
    assert (kept.actor, kept.role) == (None, "arbiter")


# --- but for a note that names somebody ---------------------------------------------------------------------------
def test_a_note_is_blanked_and_the_trail_says_so(line: AuditEvent, club: Club) -> None:
    admin = factory.make_administrator()
    plain = write_audit("club.looked-at", club, by=None)
    before = AuditEvent.objects.filter(pk=line.pk).values().get()
    assert redact_notes([line, plain], by=admin) == 1
    assert AuditEvent.objects.filter(pk=line.pk).values().get() == {**before, "note": ""}
    found = AuditEvent.objects.get(action="note.redacted")
    assert (found.actor, found.subject_kind, found.subject_key, found.note) == (admin, "auditevent", line.pk, "")


def test_nothing_is_blanked_twice(line: AuditEvent) -> None:
    redact_notes([line], by=None)
    assert redact_notes(AuditEvent.objects.filter(pk=line.pk), by=None) == 0
    assert AuditEvent.objects.filter(action="note.redacted").count() == 1


# --- and single texts that name somebody --------------------------------------------------------------------------
@pytest.fixture
def told(club: Club) -> AuditEvent:
    before = {"games": 3, "names": ["Ann", None, 2.5], "by Ann": True}
    return write_audit("club.looked-at", club, by=None, before=before, note="untouched")


def test_a_text_loses_the_name_and_the_trail_says_so(told: AuditEvent) -> None:
    admin = factory.make_administrator()
    was = AuditEvent.objects.filter(pk=told.pk).values().get()
    clean = {"games": 3, "names": ["#1", None, 2.5], "by #1": True}
    assert redact_events({told.pk: {"before": clean}}, by=admin) == 1
    assert AuditEvent.objects.filter(pk=told.pk).values().get() == {**was, "before": clean}
    line = AuditEvent.objects.get(action="texts.redacted")
    assert (line.actor, line.subject_key, line.after) == (admin, told.pk, {"fields": ["before"]})


@pytest.mark.parametrize(
    "columns",
    [
        {"note": ""},
        {"action": "club.changed"},
        {"role": "assistant"},
        {"before": {}, "at": None},
        {"before": {"games": 4, "names": ["Ann", None, 2.5], "by Ann": True}},
        {"before": {"games": "3", "names": ["Ann", None, 2.5], "by Ann": True}},
        {"before": {"games": 3, "names": ["Ann"], "by Ann": True}},
        {"before": {"games": 3, "names": ["Ann", None, 2.5], "by Ann": False}},
        {"before": {"games": 3, "names": ["Ann", None, 2.5], "by Ann": True, "more": 3}},
        {"after": {"games": 3}},
    ],
    ids=str,
)
def test_nothing_but_texts_can_go(told: AuditEvent, columns: dict[str, object]) -> None:
    before = everything()
    with pytest.raises(ValueError, match="only a name"), transaction.atomic():
        redact_events({told.pk: columns}, by=None)
    assert everything() == before


# --- in the whole code --------------------------------------------------------------------------------------------
_WRITES = {
    "create", "bulk_create", "get_or_create", "update_or_create", "update", "bulk_update", "delete", "save",
    "acreate", "aupdate", "adelete", "_raw_delete", "_update", "_insert",
}  # fmt: skip
# Ways around the guarded manager: whoever writes through one of these of any table could write the trail.
_AROUND = {"_base_manager", "_raw_delete", "_update", "_insert", "save_base", "raw"}
_TABLE = "players_auditevent"
# Without one of these words in its text a module can do none of it.
_SUSPECT = re.compile(rf"auditevent|\b(?:{'|'.join(_AROUND)})\b", re.IGNORECASE)


def _writes(tree: ast.Module) -> list[int]:
    """Lines that make an audit event, write through one of its managers or around the guard of any table's, or speak of
    its table in SQL."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_sql(node.value):
            found.append(node.lineno)
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        way = called.rpartition(".")[2]
        around = any(part.partition("(")[0] in _AROUND for part in called.split(".")[1:])
        if called == "AuditEvent" or (way in _WRITES and (called.startswith("AuditEvent.") or around)):
            found.append(node.lineno)
    return found


def _is_sql(text: str) -> bool:
    return _TABLE in text and any(word in text.upper().split() for word in ("UPDATE", "DELETE", "INSERT", "TRUNCATE"))


@pytest.mark.parametrize(
    "line",
    [
        "AuditEvent(action='x')",
        "AuditEvent.objects.filter(pk=1).update(note='')",
        "AuditEvent._base_manager.filter(pk=1).delete()",
        "table._base_manager.filter(pk=key).update(**columns)",
        "found.table._base_manager.using(alias).filter(pk=found.key).update(note='')",
        "rows.all()._raw_delete('default')",
        "cursor.execute('UPDATE players_auditevent SET note = 1')",
        "cursor.execute(f'DELETE FROM players_auditevent WHERE id = {key}')",
    ],
)
def test_the_scan_sees_tricks(line: str) -> None:
    assert _SUSPECT.search(line)
    assert _writes(ast.parse(line))


def test_the_scan_sees_the_two_places_that_write() -> None:
    [audit] = [module for module in MODULES if module.name == "players.trail.services"]
    assert len(_writes(audit.tree)) == 2


# Unfinished work of a backup that is unpacked, in a database beside the live one: never the trail.
_ELSEWHERE = {"clubrating.ops.backups.staging": 1}


@pytest.mark.extended
def test_nothing_but_the_audit_service_writes_the_trail() -> None:
    others = [each for each in MODULES if each.name != "players.trail.services" and _SUSPECT.search(each.text)]
    assert len(others) > 20
    found = {module.name: _writes(module.tree) for module in others}
    lines = [f"{name}:{line}" for name, rows in found.items() if len(rows) != _ELSEWHERE.get(name, 0) for line in rows]
    assert not lines, "Only players.trail.services writes the audit trail:\n" + "\n".join(lines)


def test_no_row_is_deleted_together_with_a_line() -> None:
    """Nothing the trail points at takes a line with it when it goes."""
    ways = [field.remote_field.on_delete.__name__ for field in AuditEvent._meta.fields if field.remote_field]
    assert ways == ["SET_NULL"]
    assert issubclass(AuditEvent, Model)
