"""Erased persons and the stored backups: which numbers were erased, and removing their names from every backup.

Erased numbers are remembered outside the database, in the file CLUB_DATA/erased, because a restored backup knows
nothing of an erasure made after it. Each line holds the club's lineage (when its audit trail began) before the number,
so that another club's database on the same machine is left alone. The file holds numbers only.

Each backup file is rewritten under a temporary name, read back, and moved into its place. Of the tables of
`players.privacy.redaction` the person's rows become what they become in the live database; free text loses the name as
that module finds it. Not done here: copies that were moved elsewhere; restoring one erases the person again.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from re import Pattern
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import models

from clubrating.ops.backups import store
from clubrating.ops.backups.archive import Damaged, Reader, Row, Table, opened, written
from clubrating.ops.backups.snapshot import lineage
from players.models import Player
from players.privacy.redaction import PERSONAL, finder, parts_finder, redacted
from tournaments.erasure.services.free_text import FREE_TEXT, NOTED_IN, REPORT_TEXTS
from tournaments.results.services.footnotes import NOTED


# --- erased numbers --------------------------------------------------------------------------------------------------
def erased_file() -> Path:
    return Path(settings.DATA_DIR) / "erased"


def remembered(lineage: str) -> set[int]:
    """The numbers erased in that club's database, as far as this machine knows."""
    file = erased_file()
    if not file.is_file():
        return set()
    lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    return {int(line[1]) for line in lines if len(line) == 2 and line[0] == lineage and line[1].isdecimal()}


def remember(lineage: str, numbers: set[int]) -> None:
    """Add numbers to the file: on the disk when this returns."""
    new = sorted(numbers - remembered(lineage))
    if not new or not lineage:
        return
    handle = os.open(erased_file(), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.writelines(f"{lineage} {number}\n" for number in new)
        stream.flush()
        os.fsync(stream.fileno())


# --- rewriting the backups -------------------------------------------------------------------------------------------
PLAYERS, GUARDIANS, TRAIL = "players_player", "players_guardian", "players_auditevent"
GAMES, REPORTS, FOOTNOTES = "tournaments_game", "tournaments_resultreport", "tournaments_footnote"
ENTRIES, PARTNERS = "tournaments_entry", "tournaments_entrymember"
# What a line of the trail may be about beside a person → the table, and its columns with the key of a player.
_OWN = {"game": (GAMES, ("white_id", "black_id")), "entry": (ENTRIES, ("player_id",))}
TEAM_PLAYERS, MATCHES = "tournaments_teamplayer", "tournaments_teammatch"
# Of these tables of teams the columns with a team's key: captains and arbiters write about its players there.
_OF_TEAMS = {
    MATCHES: ("home_id", "away_id"),
    "tournaments_lineup": ("team_id",),
    "tournaments_teampenalty": ("team_id",),
}
# In these columns people write sentences: names of one word are looked for too. Elsewhere one may be a code or a key.
_SENTENCES = {"note", "message", "foreign_records", "ruling", "reason", "text", *REPORT_TEXTS}


Finder = tuple[Pattern[str], str]


@dataclass(frozen=True, slots=True)
class Persons:
    """Whom a file is to forget: player keys, their numbers, the names of each with what stands instead, the numbers of
    those of whom not even the year of birth is kept, and what lines of the trail are about (kind and key) with the
    parts of names that mean them there; `games` are their own games, by key."""

    numbers: Mapping[int, int]
    whole: tuple[Finder, ...]
    sentence: tuple[Finder, ...]
    without_year: frozenset[int]
    own: Mapping[tuple[str, int], tuple[Finder, ...]]
    games: frozenset[int]


def erase_from_backups(numbers: set[int]) -> int:
    """Rewrite every stored backup that knows one of these player numbers; how many were. To be called when the
    live database has forgotten them. Returns when the files are on the disk. A damaged file, which nobody could
    restore, is thrown away. Raises Refused for one of a later format, or where there is no room; files before it are
    done, and doing it again does no harm."""
    done, of = 0, lineage()
    remember(of, numbers)
    with store.alone():
        for row in store.backups():
            try:
                done += _erase_in(row.path, numbers, of)
            except Damaged:
                store.discard(row.path)
    return done


def _erase_in(path: Path, numbers: set[int], of: str) -> bool:
    with opened(path) as reader:
        manifest = reader.manifest
        if of and manifest.lineage and of != manifest.lineage:
            return False  # another club's: its numbers are other people
        persons = _persons(reader, numbers - set(manifest.erased))
        if not persons.numbers:
            return False
        erased = tuple(sorted({*manifest.erased, *persons.numbers.values()}))
        with written(path, force=True) as archive:
            for table in manifest.tables:
                archive.add(table.name, table.columns, _without_persons(table, reader.rows(table), persons))
            archive.close(replace(manifest, tables=tuple(archive.tables), erased=erased))
    store.judge(path, manifest.made_at)
    return True


# --- which persons ---------------------------------------------------------------------------------------------------
def _persons(reader: Reader, numbers: set[int]) -> Persons:
    tables = {table.name: table for table in reader.manifest.tables}
    found: dict[int, int] = {}
    names: dict[int, list[str]] = {}
    players = tables.get(PLAYERS)
    # Files from before there were readings have no such column.
    spelt = [column for column in ("name", "reading") if players and column in players.columns]
    for key, number, *theirs in _named_rows(reader, players, "id", "number", *spelt):
        if number in numbers:
            found[key] = number
            names.setdefault(number, []).extend(theirs)
    for player, name in _named_rows(reader, tables.get(GUARDIANS), "player_id", "name"):
        if player in found:
            names[found[player]].append(name)
    years = Player.objects.filter(number__in=numbers, birth_year=None).values_list("number", flat=True)
    partners = _partners(reader, tables, found)
    own = _own_subjects(reader, tables, found, names, partners)
    whole, sentence = tuple(_finders(names, 2)), tuple(_finders(names, 1))
    return Persons(found, whole, sentence, frozenset(years), own, _own_games(reader, tables, found, partners))


Partners = Mapping[tuple[int, int], list[int]]


def _partners(reader: Reader, tables: Mapping[str, Table], found: Mapping[int, int]) -> Partners:
    """Those of them who play beside somebody: by the event and the player who stands for both in its games."""
    rows = _named_rows(reader, tables.get(PARTNERS), "tournament_id", "entry_id", "player_id")
    members = [row for row in rows if row[2] in found]
    firsts: dict[int, int] = {}
    for entry, player in _named_rows(reader, tables.get(ENTRIES), "id", "player_id") if members else ():
        firsts[entry] = player
    beside: dict[tuple[int, int], list[int]] = {}
    for event, entry, player in members:
        beside.setdefault((event, firsts[entry]), []).append(player)
    return beside


def _people_of(
    kind: str, reader: Reader, tables: Mapping[str, Table], partners: Partners
) -> Iterator[tuple[int, list[int]]]:
    """Every game or entry of the file, by key, with its players; those of `partners` are among them."""
    table, columns = _OWN[kind]
    for key, event, *players in _named_rows(reader, tables.get(table), "id", "tournament_id", *columns):
        beside = [each for player in players for each in partners.get((event, player), ())]
        yield key, list(dict.fromkeys([*players, *beside]))


def _own_games(
    reader: Reader, tables: Mapping[str, Table], found: Mapping[int, int], partners: Partners
) -> frozenset[int]:
    """Their own games, where the file has reports about any."""
    if REPORTS not in tables:
        return frozenset()
    rows = _people_of("game", reader, tables, partners)
    return frozenset(key for key, players in rows if not found.keys().isdisjoint(players))


def _own_subjects(
    reader: Reader,
    tables: Mapping[str, Table],
    found: Mapping[int, int],
    names: Mapping[int, list[str]],
    partners: Partners,
) -> dict[tuple[str, int], tuple[Finder, ...]]:
    """The persons' own records, games and entries: in a note about one of these a part of the name means them too."""
    parts = {number: (pattern, f"#{number}") for number, theirs in names.items() if (pattern := parts_finder(theirs))}
    own: dict[tuple[str, int], tuple[Finder, ...]]
    own = {("player", player): (parts[number],) for player, number in found.items() if number in parts}
    for kind in _OWN if parts else ():
        for key, players in _people_of(kind, reader, tables, partners):
            theirs = tuple(parts[found[player]] for player in players if found.get(player) in parts)
            if theirs:
                own[kind, key] = theirs
    return own | (_own_teams(reader, tables, own) if parts else {})


def _own_teams(
    reader: Reader, tables: Mapping[str, Table], own: Mapping[tuple[str, int], tuple[Finder, ...]]
) -> dict[tuple[str, int], tuple[Finder, ...]]:
    """Their teams, by their entries, and the matches of these."""
    found: dict[tuple[str, int], tuple[Finder, ...]] = {}
    for team, entry in _named_rows(reader, tables.get(TEAM_PLAYERS), "team_id", "entry_id"):
        found["team", team] = (*found.get(("team", team), ()), *own.get(("entry", entry), ()))
    for key, *teams in _named_rows(reader, tables.get(MATCHES), "id", *_OF_TEAMS[MATCHES]):
        found["teammatch", key] = tuple(each for team in teams for each in found.get(("team", team), ()))
    return found


def _named_rows(reader: Reader, table: Table | None, *columns: str) -> Iterator[Row]:
    if table is not None:
        places = [table.columns.index(column) for column in columns]
        yield from ([row[place] for place in places] for row in reader.rows(table))


def _finders(names: Mapping[int, list[str]], least_words: int) -> Iterator[Finder]:
    for number, theirs in names.items():
        pattern = finder([name for name in theirs if name], least_words=least_words)
        if pattern is not None:
            yield pattern, f"#{number}"


# --- what becomes of the rows -------------------------------------------------------------------------------
def _without_persons(table: Table, rows: Iterable[Row], persons: Persons) -> Iterator[Row]:
    personal = PERSONAL.get(table.name)
    if personal is None:
        yield from _without_names(table, rows, persons)
        return
    key = table.columns.index(personal.key)
    for row in rows:
        if row[key] not in persons.numbers:
            yield row
        elif personal.blank is not None:
            year = {"birth_year": None} if persons.numbers[row[key]] in persons.without_year else {}
            yield _blanked(table, row, {**personal.blank, **year})


def _blanked(table: Table, row: Row, blank: Mapping[str, str | bool | None]) -> Row:
    return [blank.get(column, value) for column, value in zip(table.columns, row, strict=True)]


def _without_names(table: Table, rows: Iterable[Row], persons: Persons) -> Iterator[Row]:
    model = next((found for found in map(apps.get_model, FREE_TEXT) if found._meta.db_table == table.name), None)
    if model is None:
        yield from rows
        return
    columns = [(table.columns.index(name), name) for name in FREE_TEXT[model._meta.label] if name in table.columns]
    subject = itemgetter(*map(table.columns.index, ("subject_kind", "subject_key"))) if table.name == TRAIL else None
    action = table.columns.index("action") if table.name == TRAIL else 0
    game = table.columns.index("game_id") if table.name == REPORTS else None
    teams = [table.columns.index(column) for column in _OF_TEAMS.get(table.name, ())]
    for row in rows:
        if game is not None and row[game] in persons.games:
            yield _blanked(table, row, dict.fromkeys(REPORT_TEXTS, ""))
            continue
        for place, name in columns:
            wanted = persons.sentence if name in _SENTENCES else persons.whole
            if subject and (name == "note" or (name in NOTED_IN and row[action] == NOTED)):
                wanted += persons.own.get(subject(row), ())
            if table.name == FOOTNOTES:
                wanted += persons.own.get(("game", row[table.columns.index("game_id")]), ())
            for team in teams if name in _SENTENCES else ():
                wanted += persons.own.get(("team", row[team]), ())
            row[place] = _fitting(model, name, row[place], wanted, row[table.columns.index("id")])
        yield row


def _fitting(model: type[models.Model], name: str, value: Any, wanted: Iterable[Finder], key: int) -> Any:
    """The value without the names, as its column takes it: an address stays one of its own."""
    field, clean = model._meta.get_field(name), value
    is_address = isinstance(field, models.SlugField)
    for pattern, instead in wanted:
        clean = redacted(clean, pattern, instead.replace("#", "player-") if is_address else instead)
    if clean == value or not isinstance(field, models.CharField):
        return clean
    return f"{clean[:60]}-{key}" if is_address else clean[: field.max_length]
