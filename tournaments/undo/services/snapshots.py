"""Before-images: rows as they stand before they go, kept in the audit event, so that they can come back as they were.

An image holds columns and rows by table, keys included: keys are never given twice, and the trail is about the same row
again. It points at people and holds no names. Not kept: further records of a tournament report (they may name
arbiters), reports of wrong results (letters), requests for entries (they name newcomers), what captains wrote with a
line-up and their links, evenings with who was there, and which seasons count the event.
"""

from collections.abc import Iterator, Mapping
from datetime import date, time
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Model, Q, QuerySet

from players.models import Player
from tournaments.models import (
    AbsenceNotice,
    ByeRequest,
    Challenge,
    CheckIn,
    Entry,
    EntryMember,
    EntryRules,
    EventPapers,
    FreeRules,
    Game,
    LineUp,
    LineUpPlace,
    Pairing,
    Prize,
    PrizeFund,
    ProhibitedPair,
    Reading,
    Round,
    Seat,
    Stage,
    StageEntry,
    Team,
    TeamMatch,
    TeamPlayer,
    TeamRules,
    Tournament,
)

Image = dict[str, dict[str, list[Any]]]  # table → "columns", "rows"

# The tables, and how a row of each finds its event. What is pointed at comes before what points at it.
TABLES: Mapping[type[Model], str] = {
    Tournament: "pk",
    Stage: "tournament",
    Entry: "tournament",
    EntryMember: "tournament",
    StageEntry: "stage__tournament",
    ProhibitedPair: "tournament",
    ByeRequest: "entry__tournament",
    CheckIn: "entry__tournament",
    AbsenceNotice: "entry__tournament",
    PrizeFund: "tournament",
    Prize: "fund__tournament",
    EntryRules: "tournament",
    EventPapers: "tournament",
    FreeRules: "tournament",
    TeamRules: "tournament",
    Team: "tournament",
    TeamPlayer: "team__tournament",
    Round: "stage__tournament",
    TeamMatch: "round__stage__tournament",
    LineUp: "match__round__stage__tournament",
    LineUpPlace: "line_up__match__round__stage__tournament",
    Pairing: "stage__tournament",
    Seat: "pairing__stage__tournament",
    Game: "tournament",
    Challenge: "tournament",
    Reading: "game__tournament",
}
# A match that was ruled on keeps its event from being deleted: there is no ruling to come back.
_LEFT_OUT = {"foreign_records", "game_count", "note", "ruling"}
_LEFT_OUT |= {"organiser", "chief_arbiter", "deputies", "appeals", "remarks"}  # names: the trail holds none
_STAMPS = {"at"}  # written by the database layer with every row


def image_of(*parts: QuerySet[Any]) -> Image:
    """The rows of those queries, one for each table; empty tables are left out."""
    image: Image = {}
    for rows in parts:
        columns = [field.attname for field in rows.model._meta.concrete_fields if field.name not in _LEFT_OUT]
        found = [list(map(_plain, row)) for row in rows.order_by("pk").values_list(*columns)]
        if found:
            image[_called(rows.model)] = {"columns": columns, "rows": found}
    return image


def image_of_rounds(rounds: QuerySet[Round]) -> Image:
    """Rounds with their boards, superseded ones too, and the games on them."""
    keys = list(rounds.values_list("pk", flat=True))
    return image_of(
        Round.objects.filter(pk__in=keys),
        Pairing.objects.filter(round__in=keys),
        Seat.objects.filter(round__in=keys),
        Game.objects.filter(pairing__round__in=keys),
        Reading.objects.filter(game__pairing__round__in=keys),
    )


def image_of_entry(entry: int) -> Image:
    """An entry that is in no round, with what was asked for it and where it stands in teams."""
    return image_of(
        Entry.objects.filter(pk=entry),
        EntryMember.objects.filter(entry=entry),
        StageEntry.objects.filter(entry=entry),
        ProhibitedPair.objects.filter(Q(first=entry) | Q(second=entry)),
        ByeRequest.objects.filter(entry=entry),
        CheckIn.objects.filter(entry=entry),
        AbsenceNotice.objects.filter(entry=entry),
        Challenge.objects.filter(Q(challenger=entry) | Q(challenged=entry)),
        TeamPlayer.objects.filter(entry=entry),
        LineUpPlace.objects.filter(player__entry=entry),
    )


def image_of_event(event: int) -> Image:
    """An event with everything in it, and who runs it."""
    image = image_of(*(table._default_manager.filter(**{own: event}) for table, own in TABLES.items()))
    officers = User.objects.filter(tournaments_run=event).order_by("pk").values_list("pk", flat=True)
    return {**image, "officers": {"columns": ["user"], "rows": [[key] for key in officers]}}


def bring_back(image: Image) -> None:
    """Write the rows of an image, with their keys. Rows that are there are set to what they were."""
    for table in TABLES:
        rows = list(_rows(image, table))
        names = [field.name for field in table._meta.concrete_fields if not field.primary_key]
        kept = [name for name in names if name not in _LEFT_OUT]
        table._default_manager.bulk_create(rows, update_conflicts=True, unique_fields=["id"], update_fields=kept)
        if stamps := [name for name in kept if name in _STAMPS]:
            table._default_manager.bulk_update(list(_rows(image, table)), stamps)
    for key in keys_in(image, Tournament):
        users = [row[0] for row in image.get("officers", {}).get("rows", [])]
        Tournament.objects.get(pk=key).officers.set(User.objects.filter(pk__in=users))


def keys_in(image: Image, table: type[Model]) -> list[int]:
    """The keys of that table's rows."""
    return column_in(image, table, "id")


def column_in(image: Image, table: type[Model], column: str) -> list[Any]:
    """The values of one column of that table's rows."""
    part = image.get(_called(table))
    if part is None:
        return []
    place = part["columns"].index(column)
    return [row[place] for row in part["rows"]]


def people_are_there(image: Image) -> bool:
    """Whether everybody an image points at is still a record of his own."""
    columns = ((Entry, "player_id"), (EntryMember, "player_id"), (Game, "white_id"), (Game, "black_id"))
    keys = {key for table, column in columns for key in column_in(image, table, column)}
    return Player.objects.filter(pk__in=keys, merged_into=None).count() == len(keys)


def stand_of(event: int) -> str:
    """A digest of what an event is made of: entries, stages and their fields, rounds and boards. Results are not in
    it, nor plans. An image comes back only where nothing of that moved since."""
    return sha256("\n".join(map(repr, _stand(event))).encode()).hexdigest()[:24]


def _stand(event: int) -> Iterator[tuple[Any, ...]]:
    yield from Tournament.objects.filter(pk=event).values_list("pk", "pool", "open_ended", "closed")
    yield from Tournament.objects.filter(pk=event).exclude(importance=1).values_list("importance")
    entries = Entry.objects.filter(tournament=event).order_by("pk")
    yield from entries.values_list("pk", "player", "number", "first_round", "last_round", "withdrawn")
    yield from EntryMember.objects.filter(tournament=event).order_by("pk").values_list("entry", "player", "order")
    stages = Stage.objects.filter(tournament=event).order_by("pk")
    yield from stages.values_list("pk", "order", "part", "pairing_system", "settings", "pool", "lots_seed")
    yield from StageEntry.objects.filter(stage__tournament=event).order_by("pk").values_list("pk", "entry", "number")
    yield from Round.objects.filter(stage__tournament=event).order_by("pk").values_list("pk", "number", "state")
    boards = Pairing.objects.filter(stage__tournament=event).exclude(round=None).order_by("pk")
    yield from boards.values_list("pk", "board", "superseded")


def _rows(image: Image, table: type[Model]) -> Iterator[Any]:
    part = image.get(_called(table))
    if part is None:
        return
    fields: list[Any] = [table._meta.get_field(name) for name in part["columns"]]
    places = [place for place, field in enumerate(fields) if field.related_model is User]
    named = {row[place] for row in part["rows"] for place in places} - {None}
    officers = set(User.objects.filter(pk__in=named).values_list("pk", flat=True))  # those whose account is still there
    for row in part["rows"]:
        values: dict[str, Any] = {}
        for field, value in zip(fields, row, strict=True):
            gone = field.related_model is User and value not in officers
            values[field.attname] = None if gone else field.to_python(value)
        yield table(**values)


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date | time) else value


def _called(table: type[Model]) -> str:
    return str(table._meta.model_name)
