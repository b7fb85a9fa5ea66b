"""CONTESTS.csv: contests with sides in long form, one member a line (pure).

The shape is an interface of the project. Header with `contest` (its key), `side` (a number), `place` (1 is first, equal
places are a tie), `player`; optional `date` (YYYY-MM-DD), `event`, `score`, `weight` (0 < w ≤ 1, empty: 1),
`importance`, `pool`; other columns are ignored. The rows of a contest stand together; what belongs to a side or to the
whole contest is the same in all of its rows. The columns `contest` and `side` tell it from GAMES.csv.

Players are numbered by name (#2 before #10), so that the order of rows decides nothing. Contests are in order of
their days and, within a day, of the file; without a date column in the file's order.

Not done: places from scores.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from ratings.systems.base import SEQUENCE_BITS, order_key
from ratings.systems.sides import MAX_SIDES, PlayedContest, PlayedSide, in_one_form
from tournaments.interchange.games_csv import MAX_IMPORTANCE, MIN_IMPORTANCE, player_number, read_pool
from tournaments.interchange.players_csv import PlayerRow
from tournaments.interchange.stream import DEFAULT_POOL
from tournaments.interchange.tables_csv import (
    MOST_BAD,
    BadRow,
    Fields,
    Rows,
    UnreadableFileError,
    day_reader,
    in_order,
    not_read_on,
    number_reader,
    read_columns,
    read_name,
    read_optional_name,
    read_rows,
    read_table,
    shortened,
    whole_reader,
)

OWN_COLUMNS = {"contest", "side"}
GAME_COLUMNS = ("white", "black", "winner", "loser", "result")
HEADER_BYTES = 4096
MAX_NUMBER = 10_000  # of a side, as written
MAX_SCORE = 1e9


@dataclass(frozen=True, slots=True)
class MemberRow:
    """One member of one contest, as a line gives it."""

    line: int
    contest: str
    side: int
    place: int
    player: str
    played_on: date | None
    event: str
    score: float | None
    weight: float
    importance: float | None
    pool: str
    sequence: int | None = None  # the order within a day, in what the club exported


ContestsFile = Rows[tuple[MemberRow, ...]]


@dataclass(frozen=True, slots=True)
class ContestStream:
    """As `stream.Stream`, but `games` are contests; `sides` has the number of the side as written, by contest and
    player."""

    names: tuple[str, ...]
    birth_years: dict[int, int | None]
    games: tuple[PlayedContest, ...]
    rows: int
    begins: date
    dated: bool
    sides: dict[tuple[int | str, int], int]

    @property
    def plays(self) -> set[int]:
        return {player for contest in self.games for side in contest.sides for player in side.players}


def is_contests_file(data: bytes) -> bool:
    """Whether the header is that of contests. Raises UnreadableFileError for a file that is none, or that mixes
    contests and games."""
    if b"contest" not in data[:HEADER_BYTES].lower():  # a long file of games is not read twice
        return False
    columns = read_columns(data)
    if not set(columns) >= OWN_COLUMNS:
        return False
    mixed = [name for name in GAME_COLUMNS if name in columns]
    if mixed:
        raise UnreadableFileError(
            f"The header has contest and side and also {', '.join(mixed)}: write contests and games into two files."
        )
    return True


def read_contests(data: bytes, *, today: date) -> ContestsFile:
    """A whole file, its good contests each with its rows in order; a contest with a bad row is none. Raises
    UnreadableFileError for a file or header that is none."""
    table = read_table(data)
    table.require("contest", "side", "place", "player")
    found = read_rows(table, lambda fields: _read_row(fields, table.columns, today))
    good, bad = [], list(found.bad)
    seen: dict[str, int] = {}
    for key, members in groupby(found.rows, key=lambda row: row.contest):
        rows = tuple(members)
        if len(bad) >= MOST_BAD:
            bad.append(not_read_on(rows[0].line))
            break
        wrong = _again(rows[0], seen) or _contradictions(rows) or _no_contest(rows)
        seen.setdefault(key, rows[0].line)
        bad += wrong
        if not wrong:
            good.append(rows)
    return Rows(tuple(good), in_order(bad), found.left)


def _read_row(fields: Fields, columns: tuple[str, ...], today: date) -> MemberRow:
    def take_number(name: str, low: float, high: float) -> float | None:
        return fields.take(name, number_reader(name, low=low, high=high), None)

    return MemberRow(
        line=fields.line.number,
        contest=fields.take("contest", lambda text: read_name(text, "the contest’s key"), ""),
        side=fields.take("side", lambda text: _counted(text, "side", MAX_NUMBER), 1),
        place=fields.take("place", lambda text: _counted(text, "place", MAX_SIDES), 1),
        player=fields.take("player", lambda text: read_name(text, "the player’s name"), ""),
        played_on=fields.take("date", day_reader(today), today) if "date" in columns else None,
        event=fields.take("event", lambda text: read_optional_name(text, "the event’s name"), ""),
        score=take_number("score", -MAX_SCORE, MAX_SCORE),
        weight=fields.take("weight", _read_weight, 1.0),
        importance=take_number("importance", MIN_IMPORTANCE, MAX_IMPORTANCE),
        pool=fields.take("pool", read_pool, ""),
        sequence=fields.take("sequence", whole_reader("sequence", low=1, high=2**SEQUENCE_BITS - 1), None),
    )


def _counted(text: str, what: str, high: int) -> int:
    number = whole_reader(what, low=1, high=high)(text)
    if number is None:
        raise ValueError(f"{what} is missing: write a number from 1 on")
    return number


def _read_weight(text: str) -> float:
    weight = number_reader("weight", low=0, high=1)(text)
    if weight == 0.0:
        raise ValueError("weight 0 is nobody’s: leave out who did not play")
    return 1.0 if weight is None else weight


# --- rows that are no contest -------------------------------------------------------------------------------------
def _again(row: MemberRow, seen: dict[str, int]) -> list[BadRow]:
    if row.contest not in seen:
        return []
    text = (
        f"contest “{shortened(row.contest)}” begins in line {seen[row.contest]} already: "
        "put its rows together, or give this one another key"
    )
    return [BadRow(row.line, text)]


def _contradictions(rows: Sequence[MemberRow]) -> list[BadRow]:
    """Whatever rows of one contest, or of one side, say differently; and players who stand there twice."""
    bad: list[BadRow] = []
    first_of_side: dict[int, MemberRow] = {}
    line_of: dict[str, int] = {}
    for row in rows:
        if len(bad) >= MOST_BAD:
            break
        side = first_of_side.setdefault(row.side, row)
        differing = [name for name in ("place", "score") if getattr(row, name) != getattr(side, name)]
        differing += [
            shown
            for name, shown in (
                ("played_on", "date"),
                ("event", "event"),
                ("importance", "importance"),
                ("pool", "pool"),
            )
            if getattr(row, name) != getattr(rows[0], name)
        ]
        for name in differing:
            line = side.line if name in ("place", "score") else rows[0].line
            text = f"{name} is another than in line {line}: correct one of the two"
            bad.append(BadRow(row.line, text))
        if line_of.setdefault(row.player, row.line) != row.line:
            text = f"“{shortened(row.player)}” stands in line {line_of[row.player]} already: remove one of the two"
            bad.append(BadRow(row.line, text))
    return bad


def _no_contest(rows: Sequence[MemberRow]) -> list[BadRow]:
    """What the whole contest lacks, said of its first row."""
    try:
        _sides(rows, {row.player: row.line for row in rows})
    except ValueError as reason:
        text = f"contest “{shortened(rows[0].contest)}”: {reason.args[0]}"
        return [BadRow(rows[0].line, text)]
    return []


def _sides(rows: Sequence[MemberRow], numbers: dict[str, int]) -> tuple[PlayedSide, ...]:
    """In their one form. Raises ValueError with a sentence."""
    members: dict[int, list[MemberRow]] = {}
    for row in rows:
        members.setdefault(row.side, []).append(row)
    return in_one_form(
        [
            PlayedSide(
                side[0].place,
                tuple(numbers[row.player] for row in side),
                tuple(row.weight for row in side),
                side[0].score,
                side[0].side,
            )
            for side in members.values()
        ]
    )


# --- for a replay -------------------------------------------------------------------------------------------------
def make_contest_stream(
    contests: Sequence[tuple[MemberRow, ...]], people: Sequence[PlayerRow] = (), *, today: date, pool: str = ""
) -> ContestStream:
    """The stream of the good contests of a file, or of one pool's. `today` stands for the day where there are none."""
    chosen = [rows for rows in contests if not pool or (rows[0].pool or DEFAULT_POOL) == pool]
    names = _in_order_of_names([row.player for rows in chosen for row in rows], [person.name for person in people])
    numbers = {name: number for number, name in enumerate(names)}
    dated = all(rows[0].played_on is not None for rows in chosen)
    if dated:
        chosen.sort(key=lambda rows: rows[0].played_on or today)
    return ContestStream(
        names=names,
        birth_years={numbers[person.name]: person.birth_year for person in people},
        games=_played(chosen, numbers, today),
        rows=len(chosen),
        begins=chosen[0][0].played_on or today if chosen else today,
        dated=dated,
        sides={(row.contest, numbers[row.player]): row.side for rows in chosen for row in rows},
    )


def _in_order_of_names(*names: Iterable[str]) -> tuple[str, ...]:
    def key(name: str) -> tuple[list[str | int], str]:
        """Words and numbers in turn, so that P2 stands before P10."""
        parts = enumerate(re.split("([0-9]+)", name))
        return [int(part) if at % 2 else part for at, part in parts], name

    return tuple(sorted({name for part in names for name in part}, key=key))


def _played(
    contests: Sequence[tuple[MemberRow, ...]], numbers: dict[str, int], today: date
) -> tuple[PlayedContest, ...]:
    played = []
    first_days: dict[str, int] = {}
    for sequence, rows in enumerate(contests, start=1):
        row = rows[0]
        on = row.played_on or today
        rules_day = first_days.setdefault(row.event, on.toordinal()) if row.event else on.toordinal()
        sides, order = _sides(rows, numbers), order_key(on, sequence)
        played.append(
            PlayedContest(row.contest, sides, order, rules_day, row.event or None, True, row.importance or 1.0)
        )
    return tuple(played)


# --- as the club exported it --------------------------------------------------------------------------------------
def read_exported_contests(
    data: bytes, *, today: date, default_pool: str
) -> tuple[list[tuple[str, PlayedContest]], tuple[BadRow, ...]]:
    """The contests of a file that the club exported, each with its pool, players by number; and what is wrong with the
    file. Raises UnreadableFileError for a file that is none."""
    found = read_contests(data, today=today)
    rows: list[tuple[str, PlayedContest]] = []
    bad = list(found.bad)
    for contest in found.rows:
        head = contest[0]
        try:
            if head.played_on is None:
                raise ValueError("the date is missing: a list is of a day, so its contests need theirs")
            numbers = {row.player: player_number(row.player) for row in contest}
            order = order_key(head.played_on, head.sequence or head.line)
            played = PlayedContest(
                *(head.contest, _sides(contest, numbers), order, head.played_on.toordinal(), head.event or None),
                importance=head.importance or 1.0,
            )
        except ValueError as reason:
            bad.append(BadRow(head.line, str(reason)))
        else:
            rows.append((head.pool or default_pool, played))
    return sorted(rows, key=lambda row: row[1].order), in_order(bad)
