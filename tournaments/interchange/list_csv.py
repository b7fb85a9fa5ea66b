"""A rating list as a file: LIST.csv, written and read again, and the same as JSON (pure).

LIST.csv: the shape is an interface of the project. UTF-8. First come lines `# key: value` (list, name, pool, kind, on,
published_at, players, digest, settings), then a header and a line for each player: place (empty for whoever takes
none), number, player (the name as whoever downloaded it may see it), rating to four decimals, games, provisional (0 or
1). `settings` is one line of JSON, see `ratings.systems.published`. A name that a spreadsheet would take for a formula
gets an apostrophe in front.

JSON: the same facts, figures and order, for programs that would rather not read comments. Fields are added, none
changes or goes. {"list", "name", "pool", "kind", "on", …, "digest", "settings": {…}, "players": [{"place", "player",
"name", "rating", "games", "provisional"}]}: `player` is the number, `place` null for whoever takes none, `rating` to
four decimals. A list that shows less than the rating has `deviation` and `listed` too.
"""

import csv
import io
import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import Any

from clubrating.ground.marks import marked, sentence
from ratings.systems.published import SealedRow, Terms, canonical, read_terms
from tournaments.interchange.tables_csv import (
    BadRow,
    Fields,
    UnreadableFileError,
    number_reader,
    read_rows,
    read_table,
    shortened,
    whole_reader,
)

# --- LIST.csv -----------------------------------------------------------------------------------------------------
COLUMNS = ("place", "number", "player", "rating", "games", "provisional")
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
_MOST, _MOST_FACTS = 1_000_000_000, 1000
_MISSING = marked("The file is no list downloaded from this site: the line “# %(name)s: …” is missing.")
_FACT = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|$)")


@dataclass(frozen=True, slots=True)
class WrittenRow:
    """One line of the list to be written."""

    place: int | None
    name: str
    sealed: SealedRow
    more: Mapping[str, float] = field(default_factory=dict)  # further figures, in JSON


@dataclass(frozen=True, slots=True)
class ListRow:
    """One line of the list as read; `line` is its number in the file."""

    line: int
    place: int | None
    sealed: SealedRow


@dataclass(frozen=True, slots=True)
class ListFile:
    """A list as read: what it was computed from, the digest it claims, its rows, and every bad row."""

    terms: Terms
    settings: dict[str, Any]
    digest: str
    rows: tuple[ListRow, ...]
    bad: tuple[BadRow, ...]


def write_list(facts: Mapping[str, str], settings: Mapping[str, Any], digest: str, rows: Iterable[WrittenRow]) -> str:
    """The file's text. `facts` are further lines `# key: value`."""
    values = {**facts, "digest": digest, "settings": canonical(settings)}
    text = io.StringIO()
    for key, value in values.items():
        text.write(f"# {key}: {' '.join(value.split())}\n" if key != "settings" else f"# {key}: {value}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        place = "" if row.place is None else row.place
        sealed = row.sealed
        writer.writerow([place, sealed.number, guarded(row.name), sealed.figure, sealed.games, int(sealed.provisional)])
    return text.getvalue()


def guarded(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text


def read_list(data: bytes) -> ListFile:
    """A whole file. Raises UnreadableFileError where it is no such list."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        raise UnreadableFileError(
            marked("The file is no list downloaded from this site: it is not UTF-8 text.")
        ) from None
    lines = _FACT.finditer(data.removeprefix(BOM_UTF8))
    found_facts = list(islice(takewhile(lambda line: line[0].startswith(b"#"), lines), _MOST_FACTS))
    written = (line[0].decode()[1:].partition(":") for line in found_facts)
    facts = {key.strip(): value.strip() for key, _colon, value in written}
    settings, terms = _settings(facts)
    if "digest" not in facts:
        raise UnreadableFileError(sentence(_MISSING, name="digest"))
    # Blank lines replace the facts, so that the other lines keep their numbers.
    start = found_facts[-1].end() if found_facts else 0
    table = read_table(b"\n" * len(found_facts) + data.removeprefix(BOM_UTF8)[start:])
    table.require("place", "number", "rating", "games", "provisional")
    seen: set[int] = set()

    def read(fields: Fields) -> ListRow:
        row = _read_row(fields)
        if row.sealed.number in seen and not fields.problems:
            words = marked("number %(number)s stands in the list twice: leave one out")
            fields.problems.append(sentence(words, number=row.sealed.number))
        seen.add(row.sealed.number)
        return row

    found = read_rows(table, read)
    return ListFile(terms, settings, facts["digest"], found.rows, found.bad)


def _settings(facts: Mapping[str, str]) -> tuple[dict[str, Any], Terms]:
    if "settings" not in facts:
        raise UnreadableFileError(sentence(_MISSING, name="settings"))
    try:
        settings = json.loads(facts["settings"])
        canonical(settings).encode()
        terms = read_terms(settings)
        terms.dated_rules()
    except RecursionError:
        raise UnreadableFileError(
            marked("The file is no list downloaded from this site: its settings are nested too deeply.")
        ) from None
    except UnicodeEncodeError:  # \ud800 and its like, halves of a sign
        raise UnreadableFileError(
            marked("The file is no list downloaded from this site: its settings hold signs that are no text.")
        ) from None
    except ValueError as reason:
        raise UnreadableFileError(sentence(_ends(str(reason)), reason=str(reason))) from None
    return settings, terms


def _ends(reason: str) -> str:
    """With one full stop, whether or not the reason has its own."""
    if reason.endswith("."):
        return marked("The settings of the list cannot be used: %(reason)s")
    return marked("The settings of the list cannot be used: %(reason)s.")


def _read_row(fields: Fields) -> ListRow:
    whole = {name: whole_reader(name, high=_MOST) for name in ("place", "number", "games")}
    place = fields.take("place", whole["place"], None)
    number = fields.take("number", whole["number"], None)
    rating = fields.take("rating", number_reader("rating", low=-100_000, high=100_000), None)
    games = fields.take("games", whole["games"], None)
    provisional = fields.take("provisional", _read_flag, False)
    for name, value in (("number", number), ("rating", rating), ("games", games)):
        if value is None and not fields.problems:
            fields.problems.append(sentence("the value of %(name)s is missing", name=name))
    return ListRow(fields.line.number, place, SealedRow(number or 0, rating or 0.0, games or 0, provisional))


def _read_flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError(sentence("provisional “%(value)s” is not known: write 0 or 1", value=shortened(text)))
    return text == "1"


# --- JSON ---------------------------------------------------------------------------------------------------------
def write_json(facts: Mapping[str, str], settings: Mapping[str, Any], digest: str, rows: Iterable[WrittenRow]) -> str:
    """The file's text: a line for each player, so that two files can be compared."""
    head = json.dumps({**facts, "digest": digest, "settings": settings}, ensure_ascii=False)
    players = ",\n".join(json.dumps(_player(row), ensure_ascii=False) for row in rows)
    return f'{head[:-1]}, "players": [\n{players}\n]}}\n'


def _player(row: WrittenRow) -> dict[str, Any]:
    sealed = row.sealed
    return {
        "place": row.place,
        "player": sealed.number,
        "name": row.name,
        "rating": float(sealed.figure),
        "games": sealed.games,
        "provisional": sealed.provisional,
        **row.more,
    }
