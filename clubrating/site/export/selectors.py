"""Everything the club stores about one person, as rows with all their columns, for a request for one's own data.

Complete by construction: a table that points at a person, at an entry or at a game is in `ABOUT` or, with a reason, in
`ELSEWHERE` (a test walks all models), and every column of its rows is included but for those named in `ABOUT`. What is
not the person's is left out: a minor's guardians, what others wrote in reports and notes, officers' accounts. Other
players are named as the public sees them, and of a game's other side the ledger gives the rating alone (K could reveal
an age). Not here: backups, and the data of the person's own account.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import reduce
from operator import or_
from types import MappingProxyType
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db import models
from django.db.models import F, Q

from players.models import Player
from players.people.selectors import own_records
from players.privacy.rules import NOBODY, shown_name
from ratings.models import PublishedList, RatingList
from tournaments.models import Tournament
from tournaments.trail.selectors import TrailFilter, lines

TRAIL, LEDGER, CONTESTS = "players.AuditEvent", "ratings.LedgerEntry", "ratings.ContestEntry"
MOST_LINES = 5000
_OF_LEDGER = ("game__white", "game__black")
_OF_GAME = (*_OF_LEDGER, "game__contest__members__player")  # of a board of pairs
_OF_ENTRY = ("entry__player", "entry__members__player")


@dataclass(frozen=True, slots=True)
class About:
    """A table: `paths` lead from it to the person; `without` are the columns that are left out."""

    paths: tuple[str, ...]
    without: frozenset[str] = field(default_factory=frozenset)


ABOUT: Mapping[str, About] = MappingProxyType(
    {
        "players.Player": About(("pk",)),
        "players.PlayerIdentity": About(("player",)),
        "players.Guardian": About(("player",), frozenset({"name", "contact"})),
        "players.Subscription": About(("player",), frozenset({"endpoint", "p256dh", "auth", "device"})),
        "players.MailSubscription": About(("player",), frozenset({"address", "key", "site", "device"})),
        "players.PersonalLink": About(("player",), frozenset({"digest", "by", "guardian"})),
        "players.LinkDevice": About(("link__player",), frozenset({"digest"})),
        "players.LinkPasskey": About(("link__player",), frozenset({"digest", "credential", "counter"})),
        "ratings.PlayerRating": About(("player",)),
        "ratings.StartingRating": About(("player",)),
        "ratings.RatingStep": About(("player",)),
        "ratings.PublishedRow": About(("player",)),
        "ratings.ListForecastLine": About(("player",)),
        LEDGER: About(_OF_LEDGER),
        CONTESTS: About(("player",)),
        "tournaments.Entry": About(("player", "members__player")),
        "tournaments.EntryMember": About(("player",)),
        "tournaments.EntryRequest": About(
            ("player",), frozenset({"address", "site", "digest", "letter_digest", "settled_by"})
        ),
        "tournaments.StageEntry": About(_OF_ENTRY),
        "tournaments.Seat": About(_OF_ENTRY),
        "tournaments.ByeRequest": About(_OF_ENTRY),
        "tournaments.CheckIn": About(_OF_ENTRY),
        "tournaments.AbsenceNotice": About(_OF_ENTRY),
        "tournaments.PlayerResult": About(_OF_ENTRY),
        "tournaments.ScoreSheet": About(_OF_ENTRY, frozenset({"image"})),
        "tournaments.Footnote": About(_OF_GAME),
        "tournaments.Challenge": About(("challenger__player", "challenged__player")),
        "tournaments.Arrival": About(("player",)),
        "tournaments.ProhibitedPair": About(
            ("first__player", "second__player", "first__members__player", "second__members__player")
        ),
        "tournaments.Game": About(("white", "black", "contest__members__player")),
        "tournaments.Contest": About(("members__player",)),
        "tournaments.ContestSide": About(("members__player",)),
        "tournaments.ContestMember": About(("player",)),
        "tournaments.Reading": About(_OF_GAME),
        "tournaments.ForecastLine": About(("entry__player",)),
        "tournaments.ForecastGame": About(("white__player", "black__player")),
        "tournaments.Team": About(("captain",)),
        "tournaments.TeamPlayer": About(("entry__player",)),
        "tournaments.LineUpPlace": About(("player__entry__player",)),
        "tournaments.ResultReport": About(_OF_GAME, frozenset({"words", "contact", "answer"})),
    }
)
# Tables that point at an entry or a game and are left out → why.
ELSEWHERE: Mapping[str, str] = MappingProxyType({"tournaments.Pairing": "a board; whose it is its seats tell"})
_GENERATIONS = (LEDGER, CONTESTS, "ratings.RatingStep", "ratings.PlayerRating")
Row = dict[str, Any]


def own_data(player: Player) -> dict[str, list[Row]]:
    """Every row about the person and the records merged into his, by table; empty tables are left out. The number of
    queries does not grow with the rows."""
    records = own_records(player)
    keys = [record.pk for record in records]
    values: dict[str, list[Row]] = {}
    for label, about in ABOUT.items():
        columns = _columns(label, about)
        rows = [{each.name: _value(row, each) for each in columns} for row in _rows(label, about, columns, keys)]
        if rows:
            values[label] = [_own_side(row, keys) for row in rows] if label == LEDGER else rows
    trail = [_line(event) for record in records for event in lines(TrailFilter(number=record.number))[:MOST_LINES]]
    return values | ({TRAIL: trail} if trail else {})


def _columns(label: str, about: About) -> list[Any]:
    """The columns of a row that are included: all but those left out and the accounts of officers."""
    every = apps.get_model(label)._meta.concrete_fields
    return [each for each in every if each.name not in about.without and each.related_model is not User]


def _rows(label: str, about: About, columns: Sequence[Any], keys: Sequence[int]) -> list[models.Model]:
    wanted = reduce(or_, (Q(**{f"{path}__in": keys}) for path in about.paths))
    model = apps.get_model(label)
    rows = model._default_manager.filter(wanted)
    if any("members__" in path for path in about.paths):  # a row for each of several partners is one row
        rows = model._default_manager.filter(pk__in=rows.values("pk"))
    if label in _GENERATIONS:
        rows = rows.filter(generation=F("rating_list__live_generation"))
    called = [each for each in columns if each.related_model in _CALLED]
    joined = [f"{each.name}__rating_list" if each.related_model is PublishedList else each.name for each in called]
    return list(rows.select_related(*joined).order_by("pk"))


def _value(row: models.Model, column: Any) -> Any:
    if column.related_model in _CALLED:
        other = getattr(row, column.name)
        return None if other is None else _called(other)
    value = getattr(row, column.attname)
    return value.isoformat() if isinstance(value, date) else value


# Foreign keys to these are replaced by a name or an address; all others stay keys.
_CALLED = (Player, Tournament, RatingList, PublishedList)


def _called(other: Any) -> str:
    """Another player as the public sees him, with the number; events and lists by their address."""
    if isinstance(other, Player):
        return f"#{other.number} {shown_name(other, NOBODY)}"
    return f"{other.rating_list.slug} {other.on}" if isinstance(other, PublishedList) else str(other.slug)


def _own_side(row: Row, keys: Sequence[int]) -> Row:
    """A row of the ledger without what it says of the other player but his rating."""
    other = "black" if row["white_player"] in keys else "white"
    return {name: value for name, value in row.items() if not name.startswith(other) or name == f"{other}_before"}


def _line(event: Any) -> Row:
    """A line of the trail: what happened and when, by which role. Who it was, and notes, are left out."""
    names = ("role", "action", "reason", "subject_kind", "subject_key")
    return {"at": event.at.isoformat(), **{name: getattr(event, name) for name in names}}
