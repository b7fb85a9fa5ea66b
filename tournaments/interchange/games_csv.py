"""GAMES.csv: a stream of games, one a line, and the same file as `export_games` writes it (pure).

The shape is an interface of the project. Header with `white`, `black`, `result`, or `winner`, `loser` instead; optional
`date` (YYYY-MM-DD), `event`, `round`, `board`, `white_points` and `black_points` (the margin), `importance` (empty: the
event's), `handicap` and `komi` (of go: `go_csv`), `pool`; other columns are ignored (given ratings: `players_csv`).
Without a date column the lines stand in the order played.

As exported: players as `#number`, rows in the order of replay, and further columns: `event_key` (the event's address:
names may be alike; without it the name counts), `event_start` (its first day: the dated rules are read by it),
`event_over` (1 or 0), `sequence` (the order within a day), and, unless the file is for the public, `white_born`,
`black_born` (years of birth, for K).
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Any

from clubrating.ground.marks import marked, sentence
from ratings.systems.base import Handicap, PlayedGame, order_key
from tournaments.interchange.go_csv import read_handicap
from tournaments.interchange.tables_csv import (
    MOST_BAD,
    BadRow,
    Fields,
    Line,
    Rows,
    Table,
    UnreadableFileError,
    day_reader,
    in_order,
    not_read_on,
    number_reader,
    read_name,
    read_optional_name,
    read_rows,
    read_table,
    shortened,
    whole_reader,
)
from tournaments.standings.points import SCORES, Result

# --- any file of games --------------------------------------------------------------------------------------------
MAX_LABEL = 20
MAX_MARGIN = 1_000_000
MIN_IMPORTANCE, MAX_IMPORTANCE = 0.01, 100.0
_POOL = re.compile(r"[a-z0-9_-]{1,30}")
# Hyphens, dashes, minus signs and slashes, in any of their shapes, are one sign each.
_SIGNS = str.maketrans(
    {**dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"), **dict.fromkeys("\u2044\u2215", "/"), " ": ""}
)

SPELLINGS: dict[str, Result] = {
    **dict.fromkeys(("1", "1.0", "1-0"), Result.WHITE_WINS),
    **dict.fromkeys(("0", "0.0", "0-1"), Result.BLACK_WINS),
    **dict.fromkeys(("0.5", "0,5", ".5", "1/2", "1/2-1/2", "0.5-0.5"), Result.DRAW),
    **dict.fromkeys(("+/-", "+-", "+--"), Result.BLACK_FORFEITS),
    **dict.fromkeys(("-/+", "-+", "--+"), Result.WHITE_FORFEITS),
    **dict.fromkeys(("-/-", "--", "---"), Result.BOTH_FORFEIT),
}


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game as the file gives it. Names are cleaned; `played_on` is None in an undated file; `label` is "3.1" for
    round 3, board 1; an empty `event` or `pool` is for the caller to fill."""

    line: int
    white: str
    black: str
    result: Result
    played_on: date | None = None
    event: str = ""
    label: str = ""
    pool: str = ""
    white_points: int | None = None
    black_points: int | None = None
    importance: float | None = None  # None: the event's
    handicap: Handicap | None = None  # None: an even game with the usual komi

    @property
    def scores(self) -> tuple[int, int] | None:
        """White's and Black's points; None where they are not given."""
        if self.white_points is None or self.black_points is None:
            return None
        return self.white_points, self.black_points

    @property
    def margin(self) -> int | None:
        """The difference of points, whoever has more; None where they are not given."""
        return None if self.scores is None else abs(self.scores[0] - self.scores[1])


GamesFile = Rows[GameRow]


def read_games(data: bytes, *, today: date) -> GamesFile:
    """A whole file. Days after `today` are bad rows. Raises UnreadableFileError for a file or header that is none."""
    return _read_games(read_table(data), today)


def _read_games(table: Table, today: date) -> GamesFile:
    if _names_winners(table):
        table = replace(table, lines=table.changed(_as_white_and_black))
    return read_rows(table, _row_reader(table.columns, today))


def read_result(text: str) -> Result:
    """A result in any of its spellings. Raises ValueError with the remedy."""
    written = unicodedata.normalize("NFKC", text).translate(_SIGNS)
    if written not in SPELLINGS:
        found = (
            sentence("result “%(value)s” is not known", value=shortened(text))
            if text
            else marked("the result is missing")
        )
        raise ValueError(f"{found}: write 1, 0, 0.5, 1-0, 0-1, 1/2-1/2, +/-, -/+ or -/-")
    return SPELLINGS[written]


def _names_winners(table: Table) -> bool:
    """Whether the file names winner and loser. Raises UnreadableFileError for a header that says neither, or both."""
    if not {"winner", "loser"} <= set(table.columns):
        table.require("white", "black", "result")
        return False
    twice = [name for name in ("white", "black", "result") if name in table.columns]
    if twice:
        raise UnreadableFileError(
            sentence(
                "The header has winner and loser and also %(columns)s: keep either winner and loser, or white, black "
                "and result.",
                columns=", ".join(twice),
            )
        )
    return True


def _as_white_and_black(line: Line) -> Line:
    named = {"white": line.values["winner"], "black": line.values["loser"], "result": "1"}
    return Line(line.number, {**line.values, **named})


def _row_reader(columns: Collection[str], today: date) -> Callable[[Fields], GameRow]:
    """A reader of the columns that the file has."""
    everything: dict[str, tuple[Callable[[str], object], object]] = {
        "white": (lambda text: read_name(text, marked("White’s name")), ""),
        "black": (lambda text: read_name(text, marked("Black’s name")), ""),
        "result": (read_result, Result.OPEN),
        "date": (day_reader(today), today),
        "event": (lambda text: read_optional_name(text, marked("the event’s name")), ""),
        "pool": (read_pool, ""),
        "white_points": (whole_reader("white_points", high=MAX_MARGIN), None),
        "black_points": (whole_reader("black_points", high=MAX_MARGIN), None),
        "importance": (number_reader("importance", low=MIN_IMPORTANCE, high=MAX_IMPORTANCE), None),
    }
    needed = ("white", "black", "result")  # also where the file names winner and loser
    fields_of = {"date": "played_on"}
    here = [
        (fields_of.get(column, column), column, *how)
        for column, how in everything.items()
        if column in columns or column in needed
    ]
    of_go = not {"handicap", "komi"}.isdisjoint(columns)

    def read(fields: Fields) -> GameRow:
        values: dict[str, Any] = {
            name: fields.take(column, reader, stand_in) for name, column, reader, stand_in in here
        }
        label = _read_label(fields)
        handicap = read_handicap(fields) if of_go else None
        row = GameRow(line=fields.line.number, label=label, handicap=handicap, **values)
        if not fields.problems:
            fields.problems += _contradictions(row)
        return row

    return read


def _contradictions(row: GameRow) -> list[str]:
    found: list[str] = []
    if row.white == row.black:
        found.append(
            sentence("“%(white)s” plays both White and Black: correct one of the two names", white=shortened(row.white))
        )
    if (row.white_points is None) != (row.black_points is None):
        found.append(marked("only one of white_points and black_points is given: give both or neither"))
    return found


def _read_label(fields: Fields) -> str:
    parts = [fields.take(name, _one_line, "") for name in ("round", "board")]
    label = ".".join(filter(None, parts))
    if not label.isprintable():
        fields.problems.append(marked("round or board holds a sign that cannot be shown: write a number"))
    elif len(label) > MAX_LABEL:
        fields.problems.append(
            sentence("round and board “%(label)s” are too long: write numbers", label=shortened(label))
        )
    return label


def _one_line(text: str) -> str:
    return " ".join(text.split())


def read_pool(text: str) -> str:
    """A pool's name, in small letters. Raises ValueError with the remedy."""
    if text and not _POOL.fullmatch(text.casefold()):
        raise ValueError(
            sentence(
                "pool “%(value)s” is no pool: write small letters and digits, such as standard", value=shortened(text)
            )
        )
    return text.casefold()


# --- exported games -----------------------------------------------------------------------------------------------
COLUMNS = (
    "date",
    "white",
    "black",
    "result",
    "event",
    "round",
    "board",
    "pool",
    "importance",
    "white_points",
    "black_points",
    "handicap",
    "komi",
    "event_key",
    "event_start",
    "event_over",
    "sequence",
)
BIRTH_COLUMNS = ("white_born", "black_born")
# The results that GAMES.csv has a spelling for.
NOTATION: dict[str, str] = {
    Result.WHITE_WINS: "1-0",
    Result.BLACK_WINS: "0-1",
    Result.DRAW: "1/2-1/2",
    Result.BLACK_FORFEITS: "+/-",
    Result.WHITE_FORFEITS: "-/+",
    Result.BOTH_FORFEIT: "-/-",
}
_NUMBER = re.compile(r"#([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class ExportedGames:
    """`rows` holds what is to be rated in the file's order, each with its pool; `births` the years of birth where the
    file has them (`knows_births`), by number."""

    rows: tuple[tuple[str, PlayedGame], ...]
    births: Mapping[int, int | None]
    knows_births: bool
    bad: tuple[BadRow, ...]


def read_exported_games(data: bytes, *, today: date, default_pool: str) -> ExportedGames:
    """A whole file; `game` is the line. Raises UnreadableFileError for a file or header that is none."""
    table = read_table(data)
    games = _read_games(table, today)
    reader = _Reader(today, default_pool)
    lines = iter(table.lines)
    for row in games.rows:
        line = next(lines)
        while line.number != row.line:
            line = next(lines)
        reader.read(row, line)
        if len(reader.bad) == MOST_BAD:
            reader.bad.append(not_read_on(row.line))
            break
    reader.rows.sort(key=lambda item: item[1].order)
    knows = set(BIRTH_COLUMNS) <= set(table.columns)
    return ExportedGames(tuple(reader.rows), reader.births, knows, in_order([*games.bad, *reader.bad]))


class _Reader:
    """The file's games so far, and what was wrong with them."""

    def __init__(self, today: date, default_pool: str) -> None:
        self.default_pool = default_pool
        self.rows: list[tuple[str, PlayedGame]] = []
        self.births: dict[int, int | None] = {}
        self.bad: list[BadRow] = []
        # Days of events and years of birth come again.
        self._day = lru_cache(day_reader(date.max))
        self._born = lru_cache(whole_reader("year of birth", low=1850, high=today.year))
        self._sequence = whole_reader("sequence", low=1, high=2**40 - 1)

    def read(self, row: GameRow, line: Line) -> None:
        try:
            white, black = player_number(row.white), player_number(row.black)
            self._note_birth(white, line.values.get("white_born", ""))
            self._note_birth(black, line.values.get("black_born", ""))
            sequence = self._sequence(line.values.get("sequence", ""))
            opened = line.values.get("event_start", "")
            start = self._day(opened) if opened else None
            if row.played_on is None:
                raise ValueError(marked("the date is missing: a list is of a day, so its games need theirs"))
        except ValueError as reason:
            self.bad.append(BadRow(row.line, str(reason)))
            return
        score = SCORES.get(row.result)
        if score is None:
            return
        key = line.values.get("event_key") or row.event or None
        # Within a day games of older exports stand in the file's order.
        order = order_key(row.played_on, sequence or row.line)
        rules_day = (start or row.played_on).toordinal()
        weight, points = row.importance or 1.0, (row.margin, row.scores)
        game = PlayedGame(row.line, white, black, score, order, rules_day, key, True, weight, *points, row.handicap)
        self.rows.append((row.pool or self.default_pool, game))

    def _note_birth(self, player: int, text: str) -> None:
        born = self._born(text)
        if self.births.setdefault(player, born) != born:
            words = marked("#%(number)s has another year of birth than further up: correct one of them")
            raise ValueError(sentence(words, number=player))


def player_number(name: str) -> int:
    """The number of a player written as exports do, #17. Raises ValueError."""
    found = _NUMBER.fullmatch(name)
    if found is None:
        raise ValueError(
            sentence("player “%(name)s” is no number: write #17, as export_games does", name=shortened(name))
        )
    return int(found[1])
