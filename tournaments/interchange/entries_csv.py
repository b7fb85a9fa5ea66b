"""A list of players to be entered in an event, one a line (pure).

Header, as people write it (`headers`), with `name`; optional `number` (the club's, also as #17), `fide_id`,
`birth_year`, `sex` (f or m), `title`, and `seed`, on every line or on none. Other columns are ignored, ratings among
them: the event takes those of its own list. Where a number stands the name may be missing. Excel comes here as CSV:
see `sheets`.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date

from clubrating.ground.marks import marked, sentence
from players.people.names import clean_name
from tournaments.interchange.headers import as_known, without_footers
from tournaments.interchange.players_csv import EARLIEST_BIRTH_YEAR
from tournaments.interchange.tables_csv import BadRow, Fields, read_name, read_rows, read_table, shortened, whole_reader

_NUMBER = re.compile(r"#?\s*([0-9]{1,9})")
_FIDE_ID = re.compile(r"0*([0-9]{5,10})")
_COLUMNS = ("name", "number", "fide_id", "birth_year", "sex", "title", "seed")
MOST_SEEDS = 9999
_WOMEN, _MEN = ("f", "w", "female", "ж", "жен", "женский", "女"), ("m", "male", "м", "муж", "мужской", "男")
_SEXES = {"": "", **dict.fromkeys(_WOMEN, "f"), **dict.fromkeys(_MEN, "m")}


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One person as the file tells it; `name` is empty only where `number` says who it is."""

    line: int
    name: str
    number: int | None = None
    fide_id: str = ""
    birth_year: int | None = None
    sex: str = ""
    title: str = ""
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class EntryFile:
    """The good rows in the file's order, every bad one, the columns that were not read, and the lines left out."""

    rows: tuple[EntryRow, ...]
    bad: tuple[BadRow, ...]
    ignored: tuple[str, ...] = ()
    left: tuple[BadRow, ...] = ()


def read_entries(data: bytes, *, today: date, titles: Collection[str]) -> EntryFile:
    """A whole file; `titles` are those the club knows. A person twice is a bad row. Raises UnreadableFileError for a
    file or header that is none."""
    table = without_footers(as_known(read_table(data), (*_COLUMNS, "rating")), (*_COLUMNS, "rating"))
    if "number" not in table.columns:
        table.require("name")
    seed = any(line.values.get("seed") for line in table.lines)
    seeds: dict[int | None, int] = {}
    lines: dict[tuple[object, ...], int] = {}

    def read(fields: Fields) -> EntryRow:
        row = _read_row(fields, today, titles)
        if seed:
            row = replace(row, seed=fields.take_anew("seed", lambda text: _read_seed(text, seeds, row.line), None))
        same = (row.number,) if row.number else (row.name.casefold(), row.fide_id, row.birth_year)
        if not fields.problems and lines.setdefault(same, row.line) != row.line:
            fields.problems.append(
                sentence("the same person stands in line %(line)s already: remove one of the two", line=lines[same])
            )
        return row

    found = read_rows(table, read)
    ignored = tuple(name for name in table.columns if name and name not in _COLUMNS)
    return EntryFile(found.rows, found.bad, ignored, found.left)


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
