"""The audit trail as a file: CSV for people, JSON lines for programs. Streamed, a few hundred lines at a time.

Columns and keys are stable. Days are ISO, times in UTC; players are numbers, never names. Images kept for undoing stand
in the JSON lines only. Text that a spreadsheet would take for a formula gets an apostrophe in front.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from datetime import UTC
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from players.models import AuditEvent
from tournaments.interchange.list_csv import guarded
from tournaments.trail.selectors import Place, places_of

COLUMNS = (
    "id",
    "at",
    "who",
    "role",
    "from",
    "action",
    "about",
    "key",
    "event",
    "round",
    "board",
    "players",
    "before",
    "after",
    "reason",
    "note",
)
_CHUNK = 500
_FOR_UNDOING = ("image", "stand")


def csv_lines(rows: QuerySet[AuditEvent]) -> Iterator[str]:
    """The header and a line for each event, in the order of the query."""
    yield _line(COLUMNS)
    for events in _chunks(rows):
        places = places_of(events)
        for event in events:
            yield _line(_cells(event, places.at(event)))


def json_lines(rows: QuerySet[AuditEvent]) -> Iterator[str]:
    """An object for each event, with everything the trail keeps of it."""
    for events in _chunks(rows):
        for event in events:
            yield json.dumps(_object(event), ensure_ascii=False) + "\n"


def _chunks(rows: QuerySet[AuditEvent]) -> Iterator[list[AuditEvent]]:
    found = rows.iterator(chunk_size=_CHUNK)
    while events := list(islice(found, _CHUNK)):
        yield events


def _line(cells: Iterable[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(guarded(str(cell)) for cell in cells)
    return text.getvalue()


def _cells(event: AuditEvent, place: Place) -> list[Any]:
    values = {
        **_object(event),
        "event": place.event.slug if place.event else "",
        "round": place.round or "",
        "board": place.board or "",
        "players": " ".join(str(player.number) for player in place.players),
        "before": _image(event.before),
        "after": _image(event.after),
    }
    return [values[column] for column in COLUMNS]


def _object(event: AuditEvent) -> dict[str, Any]:
    return {
        "id": event.pk,
        "at": event.at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "who": event.actor.get_username() if event.actor else "",
        "role": event.role,
        "from": event.origin,
        "action": event.action,
        "about": event.subject_kind,
        "key": event.subject_key,
        "before": event.before,
        "after": event.after,
        "effect": event.effect,
        "reason": event.reason,
        "note": event.note,
    }


def _image(image: dict[str, Any]) -> str:
    kept = {name: value for name, value in image.items() if name not in _FOR_UNDOING}
    return json.dumps(kept, ensure_ascii=False) if kept else ""
