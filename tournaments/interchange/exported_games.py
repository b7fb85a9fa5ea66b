"""GAMES.csv as `export_games` writes it, with all that is needed to rate the games again (pure).

The shape of GAMES.csv, players as `#number`, and further columns: `event_key` (the event's address: names may be
alike), `event_start` (its first day: the dated rules are read by it), `event_over` (1 or 0), and, unless the file is
for the public, `white_born`, `black_born` (years of birth: juniors have a K of their own). Rows stand in the order of
replay. Other programs may leave `event_key` and what follows out; then each event's name stands for it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from ratings.systems.base import PlayedGame, order_key
from tournaments.interchange.games_csv import GameRow, read_games
from tournaments.interchange.tables_csv import BadRow, Line, day_reader, in_order, read_table, shortened, whole_reader
from tournaments.standings.points import SCORES, Result

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
    "event_key",
    "event_start",
    "event_over",
)
BIRTH_COLUMNS = ("white_born", "black_born")
# What GAMES.csv can say of a game; other codes stay at home.
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
    games = read_games(data, today=today)
    table = read_table(data)
    extras = {line.number: line for line in table.lines}
    reader = _Reader(set(table.columns), today, default_pool)
    for row in games.rows:
        reader.read(row, extras[row.line])
    reader.rows.sort(key=lambda item: item[1].order)
    knows = set(BIRTH_COLUMNS) <= set(table.columns)
    return ExportedGames(tuple(reader.rows), reader.births, knows, in_order([*games.bad, *reader.bad]))


class _Reader:
    """The file's games so far, and what was wrong with them."""

    def __init__(self, columns: set[str], today: date, default_pool: str) -> None:
        self.columns, self.default_pool = columns, default_pool
        self.rows: list[tuple[str, PlayedGame]] = []
        self.births: dict[int, int | None] = {}
        self.bad: list[BadRow] = []
        self._day = day_reader(date.max)
        self._born = whole_reader("year of birth", low=1850, high=today.year)

    def read(self, row: GameRow, line: Line) -> None:
        try:
            white, black = _number(row.white), _number(row.black)
            self._note_birth(white, line.values.get("white_born", ""))
            self._note_birth(black, line.values.get("black_born", ""))
            start = self._start(line)
            if row.played_on is None:
                raise ValueError("the date is missing: a list is of a day, so its games need theirs")
        except ValueError as reason:
            self.bad.append(BadRow(row.line, str(reason)))
            return
        score = SCORES.get(row.result)
        if score is None:
            return
        key = line.values.get("event_key") or row.event or None
        order = order_key(row.played_on, row.line)
        own, other = row.white_points, row.black_points
        margin = None if own is None or other is None else abs(own - other)
        rules_day = (start or row.played_on).toordinal()
        game = PlayedGame(row.line, white, black, score, order, rules_day, key, True, row.importance, margin)
        self.rows.append((row.pool or self.default_pool, game))

    def _start(self, line: Line) -> date | None:
        text = line.values.get("event_start", "")
        return self._day(text) if text else None

    def _note_birth(self, player: int, text: str) -> None:
        born = self._born(text)
        if self.births.setdefault(player, born) != born:
            raise ValueError(f"#{player} has another year of birth than further up: correct one of them")


def _number(name: str) -> int:
    found = _NUMBER.fullmatch(name)
    if found is None:
        raise ValueError(f"player “{shortened(name)}” is no number: write #17, as export_games does")
    return int(found[1])
