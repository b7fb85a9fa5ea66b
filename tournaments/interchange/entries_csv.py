"""A list of players to be entered in an event, one a line (pure).

Header, as people write it (`headers`), with `name`; optional `number` (the club's, also as #17), `fide_id`,
`birth_year`, `sex` (f or m), `title`, and `seed`, on every line or on none. Other columns are ignored, ratings among
them: the event takes those of its own list. Where a number stands the name may be missing. Excel comes here as CSV:
see `sheets`.

Where several enter together a line has all of them, in each column with + between: "Ada Alvarez + Bo Brandt",
"1980 + 1992"; a column that says nothing of them is empty. `members` (#1 #2), as it is exported, says by number who
they are; then name and number are not read.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import date

from clubrating.ground.marks import marked, sentence
from players.people.names import clean_name
from tournaments.interchange.headers import as_known, without_footers
from tournaments.interchange.players_csv import EARLIEST_BIRTH_YEAR
from tournaments.interchange.tables_csv import (
    BadRow,
    Fields,
    read_name,
    read_rows,
    read_table,
    shortened,
    whole_reader,
)

_NUMBER = re.compile(r"#?\s*([0-9]{1,9})")
_FIDE_ID = re.compile(r"0*([0-9]{5,10})")
_COLUMNS = ("name", "number", "fide_id", "birth_year", "sex", "title", "seed")
BETWEEN = "+"  # the values of those who enter together
MOST_SEEDS = 9999
_WOMEN, _MEN = ("f", "w", "female", "ж", "жен", "женский", "女"), ("m", "male", "м", "муж", "мужской", "男")
_SEXES = {"": "", **dict.fromkeys(_WOMEN, "f"), **dict.fromkeys(_MEN, "m")}


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One person as the file tells it; `name` is empty only where `number` says who it is. `order`: which one of those
    who enter together in that line."""

    line: int
    name: str
    number: int | None = None
    fide_id: str = ""
    birth_year: int | None = None
    sex: str = ""
    title: str = ""
    seed: int | None = None
    order: int = 1

    @property
    def key(self) -> str:
        """What tells the people of a file apart: the line, and behind the first one of it which."""
        return str(self.line) if self.order == 1 else f"{self.line}-{self.order}"


@dataclass(frozen=True, slots=True)
class EntryFile:
    """The good rows in the file's order, every bad one, the columns that were not read, and the lines left out."""

    rows: tuple[EntryRow, ...]
    bad: tuple[BadRow, ...]
    ignored: tuple[str, ...] = ()
    left: tuple[BadRow, ...] = ()


def read_entries(data: bytes, *, today: date, titles: Collection[str], together: int = 1) -> EntryFile:
    """A whole file; `titles` are those the club knows, and `together` enter in a line. A person twice is a bad row.
    Raises UnreadableFileError for a file or header that is none."""
    table = without_footers(as_known(read_table(data), (*_COLUMNS, "rating")), (*_COLUMNS, "members", "rating"))
    if not {"number", "members"} & set(table.columns):
        table.require("name")
    seed = any(line.values.get("seed") for line in table.lines)
    seeds: dict[int | None, int] = {}
    lines: dict[tuple[object, ...], int] = {}

    def read_person(fields: Fields) -> EntryRow:
        row = _read_row(fields, today, titles)
        same = (row.number,) if row.number else (row.name.casefold(), row.fide_id, row.birth_year)
        if fields.problems:
            return row
        if same in lines:
            fields.problems.append(
                sentence("the same person stands in line %(line)s already: remove one of the two", line=lines[same])
            )
        lines[same] = row.line
        return row

    def read(fields: Fields) -> tuple[EntryRow, ...]:
        rows = _read_people(fields, together, read_person)
        if not seed:
            return rows
        own = fields.take_anew("seed", lambda text: _read_seed(text, seeds, fields.line.number), None)
        return tuple(replace(row, seed=own) for row in rows)

    found = read_rows(table, read)
    ignored = tuple(name for name in table.columns if name and name not in (*_COLUMNS, "members"))
    return EntryFile(tuple(row for rows in found.rows for row in rows), found.bad, ignored, found.left)


def _read_people(fields: Fields, together: int, read: Callable[[Fields], EntryRow]) -> tuple[EntryRow, ...]:
    """Everybody of a line, each `read` from a line of that person's own; their mistakes become the line's."""
    people = _each_alone(fields, together)
    rows = []
    for order, values in enumerate(people, start=1):
        own = fields.part(values)
        rows.append(replace(read(own), order=order))
        fields.problems += [problem for problem in own.problems if problem not in fields.problems]
    return tuple(rows)


def _each_alone(fields: Fields, together: int) -> list[dict[str, str]]:
    """The line's values divided among its people; none where they are not so many as enter together."""
    values = dict(fields.line.values)
    if members := values.get("members", "").split():
        values |= {"name": "", "number": BETWEEN.join(members)}
    parts = {column: values.get(column, "").split(BETWEEN) for column in _COLUMNS if column != "seed"}
    count = max(len(parts["name"]), len(parts["number"]))
    if count != together:
        fields.problems.append(_not_so_many(count, together))
        return []
    for column, own in parts.items():
        if own != [""] and len(own) != count:
            fields.problems.append(
                sentence(
                    "%(column)s has %(values)s values for %(people)s players: write one for each with + between, "
                    "or none",
                    column=column,
                    values=len(own),
                    people=count,
                )
            )
            return []
    return [{column: own[at].strip() if own != [""] else "" for column, own in parts.items()} for at in range(count)]


def _not_so_many(count: int, together: int) -> str:
    if together == 1:
        return marked("everybody plays alone in this event: write one player a line")
    return sentence(
        "%(together)s players enter together in this event, and %(count)s stand here: write all names in the line, "
        "with + between",
        together=together,
        count=count,
    )


def _read_row(fields: Fields, today: date, titles: Collection[str]) -> EntryRow:
    number = fields.take("number", _read_number, None)
    has_name = number is None or clean_name(fields.line.values.get("name", ""))
    return EntryRow(
        line=fields.line.number,
        name=fields.take("name", lambda text: read_name(text, marked("the player’s name")), "") if has_name else "",
        number=number,
        fide_id=fields.take("fide_id", _read_fide_id, ""),
        birth_year=fields.take(
            "birth_year", whole_reader("birth_year", low=EARLIEST_BIRTH_YEAR, high=today.year), None
        ),
        sex=fields.take("sex", _read_sex, ""),
        title=fields.take("title", lambda text: _read_title(text, titles), ""),
    )


def _read_number(text: str) -> int | None:
    if not text:
        return None
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise ValueError(
            sentence(
                "number “%(value)s” is not known: write the player’s number in the club, like 17", value=shortened(text)
            )
        )
    return int(found[1])


def _read_seed(text: str, seeds: dict[int | None, int], line: int) -> int | None:
    """`seeds`: those read so far, with their lines."""
    seed = whole_reader("seed", low=1, high=MOST_SEEDS)(text)
    if seed is None:
        raise ValueError(marked("the seed is missing: give every line one, or none"))
    if seeds.setdefault(seed, line) != line:
        raise ValueError(
            sentence(
                "the seed %(seed)s stands in line %(line)s already: each is one player’s", seed=seed, line=seeds[seed]
            )
        )
    return seed


def _read_fide_id(text: str) -> str:
    """Nothing for 0, which programs write for "none"."""
    if not text.strip("0"):
        return ""
    found = _FIDE_ID.fullmatch(text)
    if found is None:
        raise ValueError(
            sentence("fide_id “%(value)s” is no FIDE number: it has five to ten figures", value=shortened(text))
        )
    return found[1]


def _read_sex(text: str) -> str:
    if text.casefold() not in _SEXES:
        raise ValueError(
            sentence("sex “%(value)s” is not known: write f or m, or leave it empty", value=shortened(text))
        )
    return _SEXES[text.casefold()]


def _read_title(text: str, titles: Collection[str]) -> str:
    if text and text.upper() not in titles:
        raise ValueError(
            sentence(
                "title “%(value)s” is not known: write one of %(titles)s",
                value=shortened(text),
                titles=", ".join(titles),
            )
        )
    return text.upper()
